package cli

import (
	"fmt"

	"confab/service/server"
)

// reservedFiles is how many open files are kept for what is neither a client nor an engine: the cache, the keys, the
// log, health checks.
const reservedFiles = 64

// limitToOpenFiles lowers limits so that the files the process may open (most; 0 when unknown) are enough: one for
// each connection and one more for the engine that answers on it. Connections beyond that wait to be accepted;
// without this engines would seem unreachable. warning is not empty when a configured limit cannot be met.
func limitToOpenFiles(l server.Limits, most int) (limited server.Limits, warning string) {
	if most <= 0 {
		return l, ""
	}
	limited = l
	available := max(most-reservedFiles, 2)
	limited.Connections = min(l.Connections, available/2)
	if l.Texts > available-limited.Connections {
		limited.Texts = available - limited.Connections
		warning = fmt.Sprintf("the limit of %d open files lets %d texts be at work at a time, not the %d of "+
			"serve.max_texts; allow %d of them (ulimit -n, LimitNOFILE of systemd)",
			most, limited.Texts, l.Texts, 2*l.Texts+reservedFiles)
	}
	return limited, warning
}
