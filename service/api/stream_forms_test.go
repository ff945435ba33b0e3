package api_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"confab/service/api"
)

// TestFormsOfTheServicesStream sends one answer in every form that its transport may have, with bookkeeping of odd
// types, and ends it in ways that nobody announced.
func TestFormsOfTheServicesStream(t *testing.T) {
	const text = "Hel lo 🎉"
	sum := sha256.Sum256([]byte(text))
	deltas := "event: delta\ndata: {\"text\":\"Hel \"}\n\n" + "event: delta\ndata: {\"text\":\"lo \\ud83c\"}\n\n" +
		"event: delta\ndata: {\"text\":\"\\udf89\"}\n\n"
	done := func(length, rest string) string {
		return fmt.Sprintf("event: done\ndata: {\"status\":200,\"data\":{\"length\":%s,\"sha256\":%q%s}}\n\n", length,
			hex.EncodeToString(sum[:]), rest)
	}
	plain := deltas + done("11", "")
	for name, c := range map[string]struct {
		body string
		ok   bool
	}{
		"plain": {plain, true}, "a byte order mark": {"\xef\xbb\xbf" + plain, true},
		"CR": {strings.ReplaceAll(plain, "\n", "\r"), true}, "CRLF": {strings.ReplaceAll(plain, "\n", "\r\n"), true},
		"no blank line at the end": {strings.TrimSuffix(plain, "\n"), true},
		"several lines":            {strings.ReplaceAll(plain, ",\"sha256\"", "\ndata: ,\"sha256\""), true},
		"comments":                 {": x\n\n" + strings.ReplaceAll(plain, "event: delta", ": y\nevent: delta"), true},
		"odd bookkeeping": {deltas + "event: usage\ndata: [1]\n\n" +
			done(`11.0`, `,"model":7,"engine":{},"finish":5`), true},
		"odd tokens": {deltas + "event: usage\ndata: {\"input_tokens\":\"3\",\"output_tokens\":4.0}\n\n" +
			done("11", ""), true},
		"no end": {deltas, false}, "another event at the end": {deltas + "event: end\ndata: {}\n\n", false},
		"another length": {deltas + done("12", ""), false}, "an error": {deltas + "event: error\ndata: {}\n\n", false},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, c.body)
		}))
		r, _, err := newClient(t, s.URL, nil).Do(t.Context(), streamTo("m"), nil)
		s.Close()
		if (err == nil) != c.ok || r.Text != text && r.Text != "Hel lo " {
			t.Errorf("%s: %q, %v", name, r.Text, err)
		}
		if name == "odd tokens" && (r.Usage.InputTokens != 3 || r.Usage.OutputTokens != 4) {
			t.Errorf("%s: %+v", name, r.Usage)
		}
		if c.ok && r.Text != text {
			t.Errorf("%s: %q", name, r.Text)
		}
	}
}

// TestTheTimeInTheQueue reads how long a service let a request wait.
func TestTheTimeInTheQueue(t *testing.T) {
	for header, want := range map[string]int64{"": 0, "queue;dur=1.5": 0, "queue;dur=0": 0, "db;dur=3": 0, "queue": 0,
		"queue;dur=x": 0, "queue;dur=-5": 0} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(api.HeaderServerTiming, header)
			_, _ = io.WriteString(w, good)
		}))
		r, e, err := newClient(t, s.URL, nil).Do(t.Context(), textTo("delta"), nil)
		s.Close()
		if err != nil || r.QueueWait.Milliseconds() > want+2 || r.QueueWait > e.Total {
			t.Errorf("%q: %v of %v, %v", header, r.QueueWait, e.Total, err)
		}
	}
}
