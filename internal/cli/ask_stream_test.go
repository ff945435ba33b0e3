package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/testserver"
)

// streamingService is a service that writes texts as a test says: each part when it is taken from the channel of its
// model.
type streamingService struct {
	*httptest.Server
	events map[string]chan string // by model

	mu   sync.Mutex
	body map[string]any // of the last request
}

func (s *streamingService) last() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.body
}

func newStreamed(t *testing.T, models ...string) *streamingService {
	t.Helper()
	s := &streamingService{events: map[string]chan string{}}
	for _, m := range models {
		s.events[m] = make(chan string)
	}
	s.Server = httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.body = body
		s.mu.Unlock()
		w.Header().Set("X-Confab-Extensions", "stream, params, usage, messages")
		if !strings.Contains(r.Header.Get("Accept"), "event-stream") {
			text(w, "whole")
			return
		}
		model := ""
		for m := range s.events {
			if strings.Contains(r.URL.Path, m) {
				model = m
			}
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			select {
			case e, open := <-s.events[model]:
				if !open {
					return
				}
				_, _ = fmt.Fprint(w, e)
				_ = http.NewResponseController(w).Flush()
				if strings.Contains(e, "event: done") {
					return
				}
			case <-r.Context().Done():
				return
			}
		}
	}), "stream", "params", "messages"))
	t.Cleanup(s.Close)
	return s
}

// event returns an event of a stream.
func event(name string, data any) string {
	b, _ := json.Marshal(data) // texts and numbers always marshal
	return "event: " + name + "\ndata: " + string(b) + "\n\n"
}

// delta is the event of a part of a text.
func delta(text string) string { return event("delta", map[string]string{"text": text}) }

// done are the last events of a text.
func done(text, finish string) string {
	return event("usage", map[string]int{"input_tokens": 1204, "output_tokens": 356}) +
		event("done", map[string]any{"status": 200, "data": map[string]any{"model": "m", "length": len(text),
			"sha256": fmt.Sprintf("%x", sha256.Sum256([]byte(text))), "finish": finish}})
}

// streamWorld is a world whose service has said before that it streams what these models write.
func streamWorld(t *testing.T, s *streamingService) *world {
	t.Helper()
	w := newWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_API_KEY=key-for-tests-0001")
	for m := range s.events {
		w.must(0, "ask", "-q", "-m", m, "hello")
	}
	return w
}

// ask runs a call while a test looks at what was printed.
func (w *world) ask(t *testing.T, args ...string) (out, err *transcript, code func() int) {
	t.Helper()
	out, err = &transcript{}, &transcript{}
	ended := make(chan int, 1)
	go func() { ended <- Run(t.Context(), append([]string{"ask"}, args...), w.env(out, err)) }()
	return out, err, func() int { return <-ended }
}

func TestAskPrintsTextsAsTheyCome(t *testing.T) {
	s := newStreamed(t, "delta", "zeta")
	w := streamWorld(t, s)
	out, stderr, code := w.ask(t, "-m", "delta,zeta", "hello")
	s.events["zeta"] <- delta("second ")
	s.events["delta"] <- delta("naïve ")
	eventually(t, "the first part", func() bool { return out.String() == "==> delta <==\nnaïve " })
	s.events["delta"] <- delta("text.")
	eventually(t, "the second part", func() bool { return out.String() == "==> delta <==\nnaïve text." })
	s.events["delta"] <- done("naïve text.", "length")
	eventually(t, "the other answer", func() bool { return strings.HasSuffix(out.String(), "==> zeta <==\nsecond ") })
	s.events["zeta"] <- delta("one\n")
	s.events["zeta"] <- done("second one\n", "stop")
	if code() != 0 || out.String() != "==> delta <==\nnaïve text.\n\n==> zeta <==\nsecond one\n" {
		t.Errorf("printed %q", out.String())
	}
	wantTexts(t, stderr.String(), "delta: cut at the limit of tokens", "--param max_tokens=N",
		"confab ask --rest-of a3 asks")
	wantNoTexts(t, stderr.String(), "zeta:")
}

func TestAskOverSSHPrintsTextsAsTheyCome(t *testing.T) {
	s := newStreamed(t, "delta")
	served := newWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_API_KEY=key-for-tests-0001", "CONFAB_SSH_COMMANDS=ask").
		serve([]string{"anna"})
	if r := served.ask("anna", "", "ask -m delta hello"); r.out != "whole\n" {
		t.Fatalf("got %+v", r)
	}
	sess, err := served.connect("anna").NewSession()
	if err != nil {
		t.Fatal(err)
	}
	out := &transcript{}
	sess.Stdout = out
	if err := sess.Start("ask -m delta hello"); err != nil {
		t.Fatal(err)
	}
	s.events["delta"] <- delta("first \x1b[31m")
	eventually(t, "the first part", func() bool { return out.String() == "first ␛[31m" })
	s.events["delta"] <- done("first \x1b[31m", "stop")
	if err := sess.Wait(); err != nil || out.String() != "first ␛[31m\n" {
		t.Errorf("printed %q, %v", out.String(), err)
	}
}

func TestAskShowsAPictureToATextModel(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.home, "light.png")
	if err := os.WriteFile(path, samplePicture(t), 0o600); err != nil {
		t.Fatal(err)
	}
	r := w.must(0, "ask", "-m", "delta", "--image", path, "--json", "What is this?")
	if o := objects(t, r.out)[0]; o["state"] != "done" || o["kind"] != "text" {
		t.Errorf("got %v", o)
	}
	s := newStreamed(t, "delta")
	remote := streamWorld(t, s) // which does not take pictures
	wantTexts(t, remote.must(2, "ask", "-m", "delta", "--image", path, "What is this?").err, "vision = true")
}

func TestAskInterleavesLines(t *testing.T) {
	s := newStreamed(t, "delta", "zeta")
	w := streamWorld(t, s)
	out, _, code := w.ask(t, "-m", "delta,zeta", "--interleave", "hello")
	s.events["zeta"] <- delta("one\ntw")
	eventually(t, "a line", func() bool { return out.String() == "zeta  | one\n" })
	s.events["delta"] <- delta("first\n")
	eventually(t, "the other line", func() bool { return out.String() == "zeta  | one\ndelta | first\n" })
	s.events["zeta"] <- delta("o")
	s.events["zeta"] <- done("one\ntwo", "")
	eventually(t, "the last line", func() bool { return strings.HasSuffix(out.String(), "zeta  | two\n") })
	s.events["delta"] <- done("first\n", "")
	if code() != 0 || out.String() != "zeta  | one\ndelta | first\nzeta  | two\n" {
		t.Errorf("printed %q", out.String())
	}
}

func TestAskPrintsPartsAsJSON(t *testing.T) {
	s := newStreamed(t, "delta")
	w := streamWorld(t, s)
	file := filepath.Join(w.home, "config.toml")
	prices := "[[prices]]\nmodels = [\"del*\"]\ninput = 1\noutput = 10\ncurrency = \"EUR\"\n"
	if err := os.WriteFile(file, []byte(prices), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, code := w.ask(t, "--config", file, "-m", "delta", "--json=stream", "--reasoning", "--param", "seed=7",
		"hello")
	s.events["delta"] <- event("reasoning", map[string]string{"text": "hm"})
	s.events["delta"] <- delta("x.")
	eventually(t, "a part", func() bool { return strings.Contains(out.String(), `"delta":"x."`) })
	s.events["delta"] <- delta("y.")
	s.events["delta"] <- done("x.y.", "stop")
	if code() != 0 {
		t.Fatal(out.String())
	}
	got := objects(t, out.String())
	last := got[len(got)-1]
	text, reasoning := "", ""
	for _, o := range got[:len(got)-1] {
		d, _ := o["delta"].(string)
		r, _ := o["reasoning"].(string)
		text, reasoning = text+d, reasoning+r
		if o["model"] != "delta" || o["sample"] != 1.0 {
			t.Errorf("got %v", o)
		}
	}
	if text != "x.y." || reasoning != "hm" || last["text"] != "x.y." || last["reasoning"] != "hm" ||
		last["finish"] != "stop" || last["input_tokens"] != 1204.0 || last["cost"] != 0.004764 ||
		last["currency"] != "EUR" {
		t.Errorf("parts %q and %q, then %v", text, reasoning, last)
	}
	shown := objects(t, w.must(0, "history", "show", "a2", "--json").out)[0]
	if shown["cost"] != 0.004764 || shown["reasoning"] != nil || fmt.Sprint(shown["params"]) != "map[seed:7]" {
		t.Errorf("kept %v", shown)
	}
	shown = objects(t, w.must(0, "history", "show", "a2", "--json", "--reasoning").out)[0]
	if shown["reasoning"] != "hm" {
		t.Errorf("kept %v", shown)
	}
}

func TestAskKeepsWhatCameBeforeItBrokeOff(t *testing.T) {
	s := newStreamed(t, "delta")
	w := streamWorld(t, s)
	out, stderr, code := w.ask(t, "-m", "delta", "hello")
	s.events["delta"] <- delta("half.")
	eventually(t, "the part", func() bool { return out.String() == "half." })
	w.signals <- syscall.SIGINT
	if c := code(); c != console.ExitInterrupted || out.String() != "half.\n" {
		t.Errorf("ended with %d, printed %q", c, out.String())
	}
	wantTexts(t, stderr.String(), "delta: the answer broke off: cancelled; what came of it is kept as a2; "+
		"confab ask --rest-of a2 asks for the rest")
	r := w.must(0, "history", "show", "a2")
	if r.out != "half.\n" || !strings.Contains(r.err, "a2, delta: cancelled") {
		t.Errorf("got %+v", r)
	}
	record := objects(t, w.must(0, "history", "show", "a2", "--json").out)[0]
	if record["partial_text"] != "half." || record["text"] != nil || record["state"] != "cancelled" {
		t.Errorf("got %v", record)
	}

	s.events["delta"] = make(chan string)
	out, stderr, code = w.ask(t, "-m", "delta", "hello")
	s.events["delta"] <- delta("cut.")
	close(s.events["delta"])
	if c := code(); c != console.ExitFailed || out.String() != "cut.\n" {
		t.Errorf("ended with %d, printed %q", c, out.String())
	}
	wantTexts(t, stderr.String(), "delta: the answer broke off", "(bad_response)")
	for _, as := range []string{"markdown", "text", "html", "csv"} {
		path := filepath.Join(t.TempDir(), "x."+as)
		w.must(0, "history", "export", "s3", "--as", as, "-o", path)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wantTexts(t, string(b), "cut")
		if as != "csv" {
			wantTexts(t, string(b), "only this came of it")
		}
	}
}

// A cut answer is continued as it was asked before, and printed whole.
func TestAskForTheRest(t *testing.T) {
	s := newStreamed(t, "delta")
	w := streamWorld(t, s)
	_, _, code := w.ask(t, "-m", "delta", "--param", "max_tokens=2", "--system", "Be brief.", "count")
	s.events["delta"] <- delta("one two") + done("one two", "length")
	if c := code(); c != 0 {
		t.Fatalf("ended with %d", c)
	}
	out, stderr, code := w.ask(t, "--rest-of", "a2")
	eventually(t, "the text that was there", func() bool { return out.String() == "one two" })
	s.events["delta"] <- delta(" three")
	eventually(t, "a part of the rest", func() bool { return out.String() == "one two three" })
	s.events["delta"] <- done(" three", "length")
	if c := code(); c != 0 || out.String() != "one two three\n" {
		t.Errorf("ended with %d, printed %q", c, out.String())
	}
	if n := strings.Count(stderr.String(), "cut"); n != 1 || !strings.Contains(stderr.String(), "--rest-of a3 asks") {
		t.Errorf("it is said %d times that it is cut: %s", n, stderr.String())
	}
	sent := s.last()
	messages, _ := json.Marshal(sent["messages"]) // it was made from JSON
	if string(messages) != `[{"content":"count","role":"user"},{"content":"one two","role":"assistant"}]` ||
		sent["systemprompt"] != "Be brief." || fmt.Sprint(sent["params"]) != "map[max_tokens:2]" {
		t.Errorf("sent %v", sent)
	}

	// The rest of a rest, as JSON, while the other answers of the turn are left alone.
	out, _, code = w.ask(t, "--rest-of", "a3", "--json=stream")
	s.events["delta"] <- delta(" four")
	s.events["delta"] <- done(" four", "stop")
	if c := code(); c != 0 {
		t.Fatal(out.String())
	}
	got, text := objects(t, out.String()), ""
	for _, o := range got[:len(got)-1] {
		text += o["delta"].(string)
	}
	last := got[len(got)-1]
	if text != "one two three four" || last["text"] != text || last["answer"] != 4.0 || last["sample"] != 3.0 ||
		last["turn"] != 2.0 || last["finish"] != "stop" {
		t.Errorf("parts %q, then %v", text, last)
	}
	for args, want := range map[string]string{
		"--rest-of a4":           "this answer is whole",
		"--rest-of t2":           "--rest-of takes an answer",
		"--rest-of a99":          `there is no entry "a99"`,
		"--rest-of a3 go on":     "takes no prompt",
		"--rest-of a3 -m delta":  "excludes --model",
		"--rest-of a3 --context": "excludes --context",
		"--rest-of a3 --no-save": "excludes --no-save",
	} {
		wantTexts(t, w.must(2, append([]string{"ask"}, strings.Fields(args)...)...).err, want)
	}
}

// That an answer is cut is said once by ask, and once by the history.
func TestThatAnAnswerIsCutIsSaidOnce(t *testing.T) {
	w := newWorld(t)
	asked := w.must(0, "ask", "-m", "delta", "--param", "max_tokens=3", "Name a tea shop.")
	shown := w.must(0, "history", "show", "t1")
	for what, text := range map[string]string{"ask": asked.err, "history show": shown.out} {
		if n := strings.Count(text, "cut"); n != 1 {
			t.Errorf("%s says %d times that it is cut: %s", what, n, text)
		}
	}
}

func TestAskForTheRestOverSSH(t *testing.T) {
	s := newStreamed(t, "delta")
	served := newWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_API_KEY=key-for-tests-0001", "CONFAB_SSH_COMMANDS=ask").
		serve([]string{"anna"})
	go func() { s.events["delta"] <- delta("one two") + done("one two", "length") }()
	served.ask("anna", "", "ask -m delta hello") // which only says what the service can do
	if r := served.ask("anna", "", "ask --json -m delta count"); objects(t, r.out)[0]["answer"] != 2.0 {
		t.Fatalf("got %+v", r)
	}
	go func() { s.events["delta"] <- delta(" three") + done(" three", "stop") }()
	if r := served.ask("anna", "", "ask --rest-of a2"); r.code != 0 || r.out != "one two three\n" {
		t.Errorf("got %+v", r)
	}
}

func TestAskNamesParametersThatWereNotSent(t *testing.T) {
	w := remoteWorld(t, newRemote(t, echo))
	r := w.must(0, "ask", "-m", "delta", "--param", "temperature=0.2", "--param", "stop=END, STOP", "hello")
	wantTexts(t, r.err, "delta: without stop, temperature, which the service does not take")
	record := objects(t, w.must(0, "ask", "-m", "delta", "--param", "seed=1", "--json", "hello").out)[0]
	if fmt.Sprint(record["ignored"]) != "[seed]" {
		t.Errorf("got %v", record)
	}
}

// A text that comes in parts is cleaned as one that came whole.
func TestAskCleansWhatComes(t *testing.T) {
	s := newStreamed(t, "delta")
	w := streamWorld(t, s)
	w.environ = append(w.environ, "TERM=dumb")
	whole := "a\x1b[31mred\r\nnext\tcell e\u0301 \U0001F1E9\U0001F1EA end"
	go func() {
		for part := range strings.SplitSeq(whole, "") {
			s.events["delta"] <- delta(part)
		}
		s.events["delta"] <- done(whole, "stop")
	}()
	r := w.onTerminal(80, "", "ask", "-q", "-m", "delta", "hello")
	wantNoTexts(t, r.out, "\x1b")
	var want bytes.Buffer
	a := app.New(console.Env{})
	a.Out = console.Stream{Writer: &want, Terminal: true}
	if err := a.TextWriter(false).End(whole); err != nil {
		t.Fatal(err)
	}
	if r.out != want.String() {
		t.Errorf("printed %q, want %q", r.out, want.String())
	}
}

// On a terminal with styles a block is drawn over as it grows, and printed as markdown when it is whole.
func TestAskDrawsMarkdownAsItComes(t *testing.T) {
	s := newStreamed(t, "delta")
	w := streamWorld(t, s)
	for _, color := range []string{"auto", "never"} {
		go func() {
			for _, part := range []string{"# He", "ading\n\n- one\n", "- two\n\nla", "st"} {
				s.events["delta"] <- delta(part)
			}
			s.events["delta"] <- done("# Heading\n\n- one\n- two\n\nlast", "stop")
		}()
		r := w.onTerminal(80, "", "ask", "-m", "delta", "--color", color, "hello")
		out := ansi.Strip(r.out)
		wantTexts(t, out, "Heading", "two\n\n", "last", "1,204 → 356 tokens")
		if r.code != 0 || strings.Contains(out, "# He") {
			t.Errorf("ended with %d: %q", r.code, r.out)
		}
		if color == "never" && r.out != out {
			t.Errorf("printed %q", r.out)
		}
	}
}

// A link whose definition came long before is a link.
func TestAskDrawsLinksThatWereDefinedBefore(t *testing.T) {
	s := newStreamed(t, "delta")
	w := streamWorld(t, s)
	parts := []string{"[docs]: https://docs.example/\n\n# Head", "ing\n\nfirst\n\n", "see [the page][docs]"}
	go func() {
		for _, part := range parts {
			s.events["delta"] <- delta(part)
		}
		s.events["delta"] <- done(strings.Join(parts, ""), "stop")
	}()
	out := ansi.Strip(w.onTerminal(80, "", "ask", "-m", "delta", "--color", "never", "hello").out)
	wantTexts(t, out, "Heading", "see the page (docs.example)")
}

// TestReasoningWithoutAnAnswer says why there is no text, and never that the answer is merely empty.
func TestReasoningWithoutAnAnswer(t *testing.T) {
	for finish, want := range map[string]string{
		"stop": "delta: the model only reasoned, and wrote no answer\n",
		"length": "delta: the model came to its limit of tokens while it reasoned, and wrote no answer; " +
			"--param max_tokens=N allows more\n",
	} {
		w := remoteWorld(t, newRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
			_, _ = fmt.Fprintf(w, `{"status":200,"data":{"text":"","model":"delta","reasoning":"Hm.","finish":%q}}`, finish)
		}))
		if got := w.must(0, "ask", "-m", "delta", "why?"); !strings.Contains(got.err, want) {
			t.Errorf("%s: got %q, want %q", finish, got.err, want)
		}
		why, _, _ := strings.Cut(strings.TrimPrefix(want, "delta: "), ";")
		shown := w.must(0, "history", "show", "a1")
		wantTexts(t, shown.err, strings.TrimSpace(why))
		wantNoTexts(t, shown.out+shown.err, "cut at the limit", "answer is empty")
		wantTexts(t, w.must(0, "history", "export", "s1", "-o", "-").out, strings.TrimSpace(why))
	}
}
