package desktop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
)

// exchangeText returns the request and the response of an answer, its facts and its times, for people.
// isWhole tells that nothing was deleted of the earlier turns in the request.
func exchangeText(a history.Answer, e history.Exchange, isWhole bool) string {
	var b strings.Builder
	if !isWhole {
		b.WriteString("(Earlier turns that have been deleted since are missing.)\n\n")
	}
	fmt.Fprintf(&b, "%s %s\nContent-Type: application/json\n\n%s\n\n", e.Method, e.URL, indentJSON(e.RequestBody))
	if e.Status == 0 {
		b.WriteString("no response\n")
	} else {
		fmt.Fprintf(&b, "%s %d\n", e.Proto, e.Status)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		fmt.Fprintf(&b, "%s: %s\n", name, bytes.Join(e.Header[name], []byte(", ")))
	}
	if len(e.Head) > 0 {
		fmt.Fprintf(&b, "\n%s\n", indentJSON(e.Head))
		if e.Received > int64(len(e.Head)) {
			fmt.Fprintf(&b, "… the first %s of %s\n", format.Size(int64(len(e.Head))), format.Size(e.Received))
		}
	}
	b.WriteString("\n")
	for _, f := range (history.Turn{}).Facts(a, -1) {
		fmt.Fprintf(&b, "%-30s %s\n", f.Name, f.Explained())
	}
	for _, t := range []struct {
		name string
		d    time.Duration
	}{{"waited for its turn", e.QueueWait}, {"connect", e.Connect}, {"first byte", e.FirstByte},
		{"request written to body read", e.Total}} {
		if t.d > 0 {
			fmt.Fprintf(&b, "%-30s %s\n", t.name, t.d.Round(time.Microsecond*100))
		}
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, "%-30s %d\n", "attempts", e.Attempts)
	}
	return b.String()
}

func indentJSON(text []byte) []byte {
	var out bytes.Buffer
	if json.Indent(&out, text, "", "  ") != nil {
		return text
	}
	return out.Bytes()
}
