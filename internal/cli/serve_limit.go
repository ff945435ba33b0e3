package cli

import (
	"fmt"

	"confab/service/server"
)

// floorSize is how many bytes of garbage come together, at least, before it is
// collected.
const floorSize = 64 << 20

// garbageFloor takes memory that is never written to and so costs none: the
// collector waits until the heap has doubled, and that of a server is so small
// that it would collect many times a second, for a sixth of its work. Whoever
// sets GOGC or GOMEMLIMIT knows better.
func (a *app) garbageFloor() []byte {
	if a.env.get("GOGC") != "" || a.env.get("GOMEMLIMIT") != "" {
		return nil
	}
	return make([]byte, floorSize)
}

// ownFiles are for what is neither a client nor an engine: the cache, the keys,
// the log, checks of engines.
const ownFiles = 64

// withinFiles bounds what is served at a time by the files that the process may
// open, of which Go took all it can get at the start: one for each connection,
// one more for the engine that answers on it. Beyond that connections wait, where
// else engines would look unreachable. said tells whom it may concern.
func withinFiles(l server.Limits, most int) (within server.Limits, said string) {
	if most <= 0 {
		return l, ""
	}
	within = l
	spare := max(most-ownFiles, 2)
	within.Connections = min(l.Connections, spare/2)
	if l.Texts > spare-within.Connections {
		within.Texts = spare - within.Connections
		said = fmt.Sprintf("the limit of %d open files lets %d texts be at work at a time, not the %d of serve.max_texts; allow %d of them (ulimit -n, LimitNOFILE of systemd)",
			most, within.Texts, l.Texts, 2*l.Texts+ownFiles)
	}
	return within, said
}
