package api_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"confab/internal/chat"
	"confab/internal/testserver"
	"confab/service/api"
)

// streamRows hold where a stream was asked for.
func streamRows() []row {
	var rows []row
	// A stream that ends as it should.
	whole := func(want string, names ...string) {
		for _, name := range names {
			rows = append(rows, row{name: name,
				check: func(t *testing.T, r api.Response, e api.Exchange, _ *api.Error) {
					if r.Text != want || r.IsMasked || r.SHA256 != "" || r.Finish != "stop" || r.ServedModel != "m" ||
						r.Status != 200 || e.Received == 0 || e.Total <= 0 {
						t.Errorf("got %+v, want %q", r, want)
					}
				}})
		}
	}
	whole("An answer.", "stream-ok", "stream-comments", "stream-unknown", "stream-cr", "stream-crlf", "stream-mixed",
		"stream-type", "stream-gzip", "stream-no-last-line", "stream-more", "stream-more-wait", "stream-drip",
		"stream-usage-odd")
	whole("", "stream-empty-text")
	whole("👩é", "stream-utf8")
	whole("BEGIN 👩 END", "stream-surrogate")
	whole("BEGIN \ufffdx END\\ud83d\ufffd", "stream-surrogate-lone")
	whole("BEGIN \x1b]0;PWNED\x07\x1b[2J\u009b31m\u202e END", "stream-esc")
	whole(strings.Repeat("a", 1e6), "stream-million")
	// One that does not: what came before is there.
	fails := func(code api.Code, says, kept string, names ...string) {
		for _, name := range names {
			rows = append(rows, row{name: name, code: code, says: says, patient: code == api.CodeTimeout,
				check: func(t *testing.T, r api.Response, e api.Exchange, _ *api.Error) {
					if r.Text != kept || r.IsMasked {
						t.Errorf("kept %d bytes, %q…", len(r.Text), r.Text[:min(len(r.Text), 100)])
					}
				}})
		}
	}
	const bad = api.CodeBadResponse
	fails(bad, "broke off after 10 bytes of text", "An answer.", "stream-no-done", "stream-cut")
	fails(bad, "broke off after 0 bytes of text", "", "stream-comments-only")
	fails(bad, "nothing at all", "", "stream-nothing")
	fails(api.CodeNetwork, "broke off after 35 of 5000 bytes", "An ", "stream-reset")
	fails(api.CodeTimeout, "sent nothing for 1 second after 35 bytes", "An ", "stream-stall")
	fails(bad, "says that it has 10 bytes, and 9 bytes came", "An answer", "stream-length")
	fails(bad, "is not the one that the service sent", "An Answer.", "stream-sum")
	fails(bad, "end of the answer is not what the service promises", "An answer.", "stream-done-odd")
	fails(api.CodeService, "status 500 in the stream, “the model fell over”", "An answer.",
		"stream-done-500")
	fails(bad, "part of the answer is not what the service promises", "An ", "stream-delta-odd", "stream-delta-number")
	fails(api.CodeService, "status 503 in the stream, “no model is up”", "", "stream-error")
	fails(api.CodeRateLimited, "status 429 in the stream, “BEGIN END”", "An ", "stream-error-late")
	fails(api.CodeService, "status 500 in the stream", "An ", "stream-error-odd")
	fails(bad, "a web page, perhaps a login page, titled “Sign in & <b>pay</b>”", "", "stream-html")
	fails(bad, "JSON where a stream of events belongs", "", "stream-json")
	fails(bad, "a text where a stream of events belongs", "", "stream-text", "stream-flood-line")
	fails(bad, "a PNG picture where a stream", "", "stream-png")
	fails(bad, "part of the answer is larger than 1 MiB", "An ", "stream-giant")
	fails(api.CodeTooLarge, "limit of 1 MiB", strings.Repeat("x", 1<<20), "stream-flood")
	fails(api.CodeTooLarge, "limit of 1 MiB", "", "stream-flood-comments", "stream-flood-events",
		"stream-gzip-comments")
	fails(api.CodeTooLarge, "limit of 1 MiB", strings.Repeat("a", 1<<20), "stream-gzip-bomb")
	fails(bad, "compressed with gzip, and is not", "", "stream-gzip-lie")
	fails(bad, "compressed with gzip, and is not, or is damaged", "An ", "stream-gzip-cut")
	fails(bad, "broke off after 45 bytes", "Your key is ", "stream-echo-key-cut")
	fails(api.CodeUnauthorized, "“••••”", "An ", "stream-echo-key-error")
	sum := sha256.Sum256([]byte("Your key is " + testKey + ", keep it safe."))
	for _, name := range []string{"stream-echo-key", "stream-echo-key-each"} {
		rows = append(rows, row{name: name, says: "Your key is ••••, keep it safe.",
			check: func(t *testing.T, r api.Response, _ api.Exchange, _ *api.Error) {
				if !r.IsMasked || r.SHA256 != hex.EncodeToString(sum[:]) {
					t.Errorf("masked %v, sum %s", r.IsMasked, r.SHA256)
				}
			}})
	}
	usage := chat.Usage{InputTokens: 7, OutputTokens: 9, ReasoningTokens: 2}
	return append(rows,
		row{name: "stream-usage", says: "An answer.",
			check: func(t *testing.T, r api.Response, _ api.Exchange, _ *api.Error) {
				if r.Usage != usage {
					t.Errorf("got %+v", r.Usage)
				}
			}},
		row{name: "stream-reasoning", says: "An answer.",
			check: func(t *testing.T, r api.Response, _ api.Exchange, _ *api.Error) {
				if r.Reasoning != "Let me see." {
					t.Errorf("got %q", r.Reasoning)
				}
			}},
		row{name: "stream-echo-key-facts",
			check: func(t *testing.T, r api.Response, _ api.Exchange, _ *api.Error) {
				for _, got := range []string{r.Reasoning, r.ServedModel, r.Engine, r.EngineModel, r.Note} {
					if got != "••••" {
						t.Errorf("got %q in %+v", got, r)
					}
				}
			}})
}

// TestPartsAreReportedAsTheyCome holds that reports put together are the answer, and that none waits for the next part.
func TestPartsAreReportedAsTheyCome(t *testing.T) {
	for _, name := range []string{"stream-drip", "stream-reasoning", "stream-utf8", "stream-million", "stream-no-done",
		"stream-echo-key-each", "stream-echo-key-cut", "stream-gzip-bomb", "stream-more-wait"} {
		t.Run(name, func(t *testing.T) {
			s := testserver.New(t)
			s.Offer("stream")
			var text, reasoning strings.Builder
			reports := 0
			r, _, _ := newClient(t, s.URL, nil).Do(t.Context(), streamTo(name), func(p api.Progress) {
				reports++
				text.WriteString(p.Text)
				reasoning.WriteString(p.Reasoning)
				if p.Attempt != 1 || p.Text+p.Reasoning != "" && p.Received == 0 || !utf8.ValidString(p.Text) {
					t.Errorf("got %+v", p)
				}
			})
			if text.String() != r.Text || reasoning.String() != r.Reasoning {
				t.Errorf("reported %d and %d bytes, want %d and %d", text.Len(), reasoning.Len(), len(r.Text),
					len(r.Reasoning))
			}
			if name == "stream-million" && reports > 50000 {
				t.Errorf("%d reports", reports)
			}
		})
	}
}

// TestAPartIsReportedBeforeTheNextIsThere has a service that waits until its part was reported.
func TestAPartIsReportedBeforeTheNextIsThere(t *testing.T) {
	s := testserver.New(t)
	s.Offer("stream")
	ctx, cancel := context.WithCancel(t.Context())
	r, _, err := newClient(t, s.URL, nil).Do(ctx, streamTo("stream-stall"), func(p api.Progress) {
		if p.Text == "An " {
			cancel()
		}
	})
	if api.CodeOf(err) != api.CodeCancelled || r.Text != "An " {
		t.Errorf("got %q, %v", r.Text, err)
	}
	if !s.Await(time.Second, func() bool { return s.Open() == 0 }) {
		t.Error("the connection is still open")
	}
}

// TestAStreamTakesBoundedMemory holds how much is made for streams that do not end.
func TestAStreamTakesBoundedMemory(t *testing.T) {
	for _, name := range []string{"stream-flood", "stream-flood-comments", "stream-flood-line", "stream-giant",
		"stream-gzip-comments"} {
		s := testserver.New(t)
		s.Offer("stream")
		c := newClient(t, s.URL, nil)
		peak := uint64(0)
		var before, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, _, err := c.Do(t.Context(), streamTo(name), func(api.Progress) {
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
		})
		if err == nil || peak > before.HeapAlloc+64<<20 {
			t.Errorf("%s: %d MiB, %v", name, (peak-before.HeapAlloc)>>20, err)
		}
	}
}

func TestRepeatedCallsOfAStream(t *testing.T) {
	s := testserver.New(t)
	s.Offer("stream")
	c := newClient(t, s.URL, nil)
	for name, want := range map[string]int{"stream-error": 1, "stream-no-done": 1, "flaky-2": 3} {
		s.Forget()
		if _, e, _ := c.Do(t.Context(), streamTo(name), nil); e.Attempts != want || len(s.Seen()) != want {
			t.Errorf("%s: %d attempts, %d requests, want %d", name, e.Attempts, len(s.Seen()), want)
		}
	}
}

// TestAShortKeyIsMasked has a service repeat a key of few characters, whole and in parts that cut it anywhere.
func TestAShortKeyIsMasked(t *testing.T) {
	const text, masked = "The key ollama is no collamar, “ollama”.", "The key •••• is no collamar, “••••”."
	for cut := range len(text) + 1 {
		s := httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if cut == len(text) {
				_, _ = fmt.Fprintf(w, `{"status":200,"data":{"text":%q,"model":"m"}}`, text)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			for _, part := range []string{text[:cut], text[cut:]} {
				b, _ := json.Marshal(part)
				if !utf8.ValidString(part) { // a cut character
					b = []byte(`"` + part + `"`)
				}
				_, _ = fmt.Fprintf(w, "event: delta\ndata: {\"text\":%s}\n\n", b)
				_ = http.NewResponseController(w).Flush()
			}
			const done = `event: done` + "\n" + `data: {"status":200,"data":{"model":"m","length":%d,"sha256":"%x"}}` + "\n\n"
			_, _ = fmt.Fprintf(w, done, len(text), sha256.Sum256([]byte(text)))
		}), "stream"))
		reported := ""
		c := newClient(t, s.URL, func(o *api.Options) { o.APIKey = "ollama" })
		r, e, err := c.Do(t.Context(), streamTo("m"), func(p api.Progress) { reported += p.Text })
		s.Close()
		if err != nil || r.Text != masked || !r.IsMasked || cut < len(text) && reported != masked ||
			strings.Contains(e.Head, "“ollama”") {
			t.Errorf("cut at %d: got %q, reported %q, %v", cut, r.Text, reported, err)
		}
	}
}
