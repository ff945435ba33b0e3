//go:build linux

package acceptance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/internal/testserver"
)

// slowService answers every prompt after a while with two kilobytes of markdown,
// which say what was asked.
func slowService(t testing.TB, wait time.Duration) string {
	t.Helper()
	server := httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Model, Prompt string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return
		}
		text := "# " + body.Model + "\n\n" + strings.Repeat("About **"+body.Prompt+"** there is this to say. ", 50)
		w.Header().Set("Content-Type", "application/json")
		answer := map[string]any{"status": 200, "data": map[string]any{"model": body.Model, "text": text}}
		if err := json.NewEncoder(w).Encode(answer); err != nil {
			t.Log(err)
		}
	})))
	t.Cleanup(server.Close)
	return server.URL
}

// writeSuite writes a suite of prompts for several models.
func (h *home) writeSuite(prompts, models, atOnce int) string {
	h.t.Helper()
	var s strings.Builder
	s.WriteString("description: many\nprompts: ['Say {{n}}']\nproviders:\n")
	for i := range models {
		fmt.Fprintf(&s, "  - llm:m%d\n", i+1)
	}
	fmt.Fprintf(&s, "evaluateOptions: {maxConcurrency: %d}\ntests:\n", atOnce)
	for i := range prompts {
		fmt.Fprintf(&s, "  - vars: {n: number %d}\n", i+1)
	}
	path := filepath.Join(h.dir, "many.yaml")
	must(h.t, os.WriteFile(path, []byte(s.String()), 0o600))
	return path
}

// peakMemory returns the most memory that the process had, in bytes.
func (s *terminal) peakMemory() int {
	s.t.Helper()
	return processMemory(s.t, s.cmd.Process.Pid, "VmHWM:")
}

// startRun opens the suite in the screen and starts it.
func (s *terminal) startRun() {
	s.t.Helper()
	s.waitFor("Prompt")
	s.sendKeys("\x1bOS") // f4
	s.waitFor("many.yaml")
	s.sendKeys("\r")
	s.waitFor("calls.")
	s.sendKeys("\r")
	s.waitUntilGone("calls.")
	s.waitFor("run 1")
}

// A run of a thousand answers goes on while the screen takes keys, and what it
// answered is not all held in memory.
func TestRunOfAThousandCellsLeavesTheScreenFree(t *testing.T) {
	h := newRemoteHome(t, slowService(t, 0), models(15), nil)
	h.writeSuite(67, 15, 64)
	s := h.open(120, 40)
	s.startRun()
	s.sendKeys("jjlll")
	s.waitFor("1005 unchecked")
	const most = 150 << 20
	if got := s.peakMemory(); got > most {
		t.Errorf("confab took %d MB", got>>20)
	}
	s.sendKeys("\r") // the answers of one prompt
	s.waitFor("number 3")
	s.quit()
	s.checkRestored()
}

// TestChecksInJavaScript runs a suite whose checks the program evaluates in processes of its own.
func TestChecksInJavaScript(t *testing.T) {
	h := newRemoteHome(t, slowService(t, 0), models(1), nil)
	path := filepath.Join(h.dir, "script.yaml")
	must(t, os.WriteFile(path, []byte(`prompts: ['Say {{n}}']
providers: [llm:m1]
tests:
  - vars: {n: number 1}
    assert: [{type: javascript, value: 'output.includes(context.vars.n) && context.prompt === "Say number 1"'}]
  - vars: {n: number 2}
    assert: [{type: javascript, value: 'output.length < 3'}]
`), 0o600))
	out, err := h.command("run", path).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "1 passed, 1 failed") ||
		!strings.Contains(string(out), "the expression is false") {
		t.Errorf("got %v\n%s", err, out)
	}
}

// BenchmarkRun measures a run of 1,005 answers of 1.0 s each, 64 at once, in
// the screen: what a key costs meanwhile, and the memory.
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		h := newRemoteHome(b, slowService(b, time.Second), models(15), nil)
		h.writeSuite(67, 15, 64)
		s := h.open(120, 40)
		s.startRun()
		began := time.Now()
		var keys []time.Duration
		for i := 0; !strings.Contains(s.text(), "of 1005 passed"); i++ {
			before := s.text()
			pressed := time.Now()
			s.sendKeys([]string{"j", "k"}[i/8%2])
			for s.text() == before && time.Since(pressed) < time.Second {
				time.Sleep(200 * time.Microsecond) //nolint // a benchmark watches a screen
			}
			keys = append(keys, time.Since(pressed))
			time.Sleep(20 * time.Millisecond)
		}
		slices.Sort(keys)
		ideal := 1005.0 / 64
		b.ReportMetric(time.Since(began).Seconds()/ideal, "×ideal")
		b.ReportMetric(float64(keys[len(keys)/2].Microseconds())/1000, "ms/key-p50")
		b.ReportMetric(float64(keys[len(keys)*99/100].Microseconds())/1000, "ms/key-p99")
		b.ReportMetric(float64(s.peakMemory())/(1<<20), "MB-peak")
		s.quit()
	}
}

// BenchmarkFanOut measures one prompt to fifteen models of 1.0 s each against
// one to a single model, by the command line.
func BenchmarkFanOut(b *testing.B) {
	url := slowService(b, time.Second)
	h := newRemoteHome(b, url, models(15), nil)
	ask := func(n int) time.Duration {
		args := []string{"ask", "-q", "--concurrency", "15"}
		for _, m := range models(n) {
			args = append(args, "-m", m)
		}
		began := time.Now()
		if out, err := h.command(append(args, "What is it?")...).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		return time.Since(began)
	}
	var one, many time.Duration
	for b.Loop() {
		one += ask(1)
		many += ask(15)
	}
	b.ReportMetric(many.Seconds()/one.Seconds(), "15÷1")
}
