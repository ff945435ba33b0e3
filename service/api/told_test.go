package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"confab/internal/testserver"
)

// Who answered and how the answer differs is told by headers that no service
// needs to send; what they hold is as foreign as an answer.
func TestWhoAnsweredIsTold(t *testing.T) {
	for _, tt := range []struct {
		name                string
		engine, model, note string // as sent; empty is not sent
		want                [3]string
	}{
		{"nothing", "", "", "", [3]string{}},
		{"all", "local", "qwen3:8b", "Asked for 16:9, got 1536x1024.",
			[3]string{"local", "qwen3:8b", "Asked for 16:9, got 1536x1024"}},
		{"the key", testKey, "m " + testKey, "The key " + testKey + " was taken.",
			[3]string{"••••", "m ••••", "The key •••• was taken"}},
		{"the key, put together by cleaning", "", "", testKey[:4] + "\u202e" + testKey[4:], [3]string{"", "", "••••"}},
		{"what a terminal obeys", "a\u009b31mb\tc", "\u202egnp", "x\u009d0;title\u009cy",
			[3]string{"ab c", "gnp", "xy"}},
		{"bytes that are no text", "\xff\xfe", "", "", [3]string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				for name, value := range map[string]string{"X-Confab-Engine": tt.engine, "X-Confab-Model": tt.model,
					"X-Confab-Note": tt.note} {
					if value != "" {
						w.Header().Set(name, value)
					}
				}
				_, _ = io.WriteString(w, `{"status":200,"data":{"text":"hello"}}`)
			})))
			defer s.Close()
			r, e, err := newClient(t, s.URL, nil).Do(t.Context(), textTo("m"), nil)
			if err != nil || r.Text != "hello" {
				t.Fatalf("got %q, %v", r.Text, err)
			}
			if got := [3]string{r.Engine, r.EngineModel, r.Note}; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			for _, v := range e.Header {
				if strings.Contains(strings.Join(v, " "), testKey) {
					t.Errorf("the key is in the record: %q", v)
				}
			}
		})
	}
	t.Run("a long one", func(t *testing.T) {
		s := httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Confab-Note", strings.Repeat("word ", 2000))
			_, _ = io.WriteString(w, `{"status":200,"data":{"text":"hello"}}`)
		})))
		defer s.Close()
		r, _, err := newClient(t, s.URL, nil).Do(t.Context(), textTo("m"), nil)
		if n := utf8.RuneCountInString(r.Note); err != nil || n > 201 || !strings.HasSuffix(r.Note, "…") {
			t.Errorf("kept %d characters, %v", n, err)
		}
	})
}
