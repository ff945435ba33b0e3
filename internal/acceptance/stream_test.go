//go:build !windows

package acceptance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// tokenEngine is a server with OpenAI's API that writes the tokens "a1 a2 a3 …" at a steady pace.
type tokenEngine struct {
	*httptest.Server
	reading time.Duration // before the first token: models read the prompt first
	pause   time.Duration // between two tokens
	tokens  int           // of an answer
	text    string        // written instead, in as many parts as there are tokens; empty for the tokens
	held    int           // tokens before which the engine waits for more; 0 = none
	more    chan struct{}

	mu   sync.Mutex
	sent map[string]time.Time // by model and token, such as "m1 a7"
}

func newTokenEngine(t testing.TB, tokens int, pause time.Duration) *tokenEngine {
	t.Helper()
	e := &tokenEngine{tokens: tokens, pause: pause, sent: map[string]time.Time{}, more: make(chan struct{})}
	e.Server = httptest.NewServer(http.HandlerFunc(e.answer))
	t.Cleanup(e.Close)
	return e
}

func (e *tokenEngine) answer(w http.ResponseWriter, r *http.Request) {
	var body struct{ Model string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		http.NotFound(w, r) // a check whether it is up
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(delta, finish string) {
		fmt.Fprintf(
			w,
			"data: {\"model\":%q,\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":%s}]}\n\n",
			body.Model,
			delta,
			finish,
		)
		_ = http.NewResponseController(w).Flush() // a client that is gone ends the context
	}
	select {
	case <-time.After(e.reading):
	case <-r.Context().Done():
		return
	}
	tick := time.NewTicker(e.pause)
	defer tick.Stop()
	for i := range e.tokens {
		if e.held > 0 && i >= e.held {
			select {
			case <-e.more:
			case <-r.Context().Done():
				return
			}
		}
		token := fmt.Sprintf("a%d", i+1)
		e.mu.Lock()
		e.sent[body.Model+" "+token] = time.Now()
		e.mu.Unlock()
		written := token + " "
		if e.text != "" {
			written = e.text[i*len(e.text)/e.tokens : (i+1)*len(e.text)/e.tokens]
		}
		event(written, "null")
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
	event("", `"stop"`)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// sentAt returns when a token went out to a model.
func (e *tokenEngine) sentAt(model, token string) time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sent[model+" "+token]
}

// home returns a home in which the models m1 and on are answered by the engine.
func (e *tokenEngine) home(t testing.TB, n int, environ ...string) *home {
	t.Helper()
	h := newHome(t, environ...)
	var c strings.Builder
	fmt.Fprintf(&c, "[service]\nconcurrency = 16\n[engines.tokens]\nkind = \"openai\"\nurl = %q\n", e.URL+"/v1")
	fmt.Fprintf(&c, "[[routes]]\nmodels = [\"m*\"]\nengine = \"tokens\"\n[models]\ndefault = [")
	for _, m := range models(n) {
		fmt.Fprintf(&c, "%q, ", m)
	}
	c.WriteString("]\n")
	for _, m := range models(n) {
		fmt.Fprintf(&c, "[[models.custom]]\nslug = %q\n", m)
	}
	h.configure(c.String())
	return h
}

// TestAnAnswerGrowsAndSurvivesAKill kills confab in the middle of an answer, while it goes on: what another process has
// seen of it in the history is there after the next start.
func TestAnAnswerGrowsAndSurvivesAKill(t *testing.T) {
	t.Parallel()
	e := newTokenEngine(t, 1000, time.Millisecond)
	e.held = 20
	h := e.home(t, 1)
	s := h.open(120, 40)
	s.waitFor("Prompt")
	s.sendKeys("count\r")
	s.waitFor("a1 a2 a3", "a20")
	h.await("what came of the answer in the history", func() bool {
		return strings.Contains(h.answers("t1")[0].PartialText, "a19 a20")
	})
	e.more <- struct{}{}
	s.waitFor("a21")
	must(t, s.cmd.Process.Signal(syscall.SIGKILL))
	<-s.ended
	again := h.open(120, 40, "--continue")
	again.waitFor("a1 a2 a3", "a20", "interrupted")
}

func models(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("m%d", i+1))
	}
	return all
}
