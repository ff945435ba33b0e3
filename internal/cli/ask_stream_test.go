package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

func TestAskPrintsTextsAsTheyCome(t *testing.T) {
	s := clitest.NewStreaming(t, "delta", "zeta")
	w := clitest.StreamWorld(t, s)
	out, stderr, code := w.Ask(t, "-m", "delta,zeta", "hello")
	s.Events["zeta"] <- clitest.Delta("second ")
	s.Events["delta"] <- clitest.Delta("naïve ")
	clitest.Eventually(t, "the first part", func() bool { return out.String() == "==> delta <==\nnaïve " })
	s.Events["delta"] <- clitest.Delta("text.")
	clitest.Eventually(t, "the second part", func() bool { return out.String() == "==> delta <==\nnaïve text." })
	s.Events["delta"] <- clitest.Done("naïve text.", "length")
	clitest.Eventually(t, "the other answer", func() bool {
		return strings.HasSuffix(out.String(),
			"==> zeta <==\nsecond ")
	})
	s.Events["zeta"] <- clitest.Delta("one\n")
	s.Events["zeta"] <- clitest.Done("second one\n", "stop")
	if code() != 0 || out.String() != "==> delta <==\nnaïve text.\n\n==> zeta <==\nsecond one\n" {
		t.Errorf("printed %q", out.String())
	}
	clitest.WantTexts(t, stderr.String(), "delta: cut at the limit of tokens", "--param max_tokens=N",
		"confab ask --rest-of a3 asks")
	clitest.WantNoTexts(t, stderr.String(), "zeta:")
}

func TestAskShowsAPictureToATextModel(t *testing.T) {
	w := clitest.NewWorld(t)
	path := filepath.Join(w.Home, "light.png")
	clitest.WriteFile(t, path, clitest.SamplePicture(t), 0o600)
	r := w.Must(0, "ask", "-m", "delta", "--image", path, "--json", "What is this?")
	if o := clitest.Objects(t, r.Out)[0]; o["state"] != "done" || o["kind"] != "text" {
		t.Errorf("got %v", o)
	}
	s := clitest.NewStreaming(t, "delta")
	remote := clitest.StreamWorld(t, s) // which does not take pictures
	clitest.WantTexts(t, remote.Must(2, "ask", "-m", "delta", "--image", path, "What is this?").Err, "vision = true")
}

func TestAskInterleavesLines(t *testing.T) {
	s := clitest.NewStreaming(t, "delta", "zeta")
	w := clitest.StreamWorld(t, s)
	out, _, code := w.Ask(t, "-m", "delta,zeta", "--interleave", "hello")
	s.Events["zeta"] <- clitest.Delta("one\ntw")
	clitest.Eventually(t, "a line", func() bool { return out.String() == "zeta  | one\n" })
	s.Events["delta"] <- clitest.Delta("first\n")
	clitest.Eventually(t, "the other line", func() bool { return out.String() == "zeta  | one\ndelta | first\n" })
	s.Events["zeta"] <- clitest.Delta("o")
	s.Events["zeta"] <- clitest.Done("one\ntwo", "")
	clitest.Eventually(t, "the last line", func() bool { return strings.HasSuffix(out.String(), "zeta  | two\n") })
	s.Events["delta"] <- clitest.Done("first\n", "")
	if code() != 0 || out.String() != "zeta  | one\ndelta | first\nzeta  | two\n" {
		t.Errorf("printed %q", out.String())
	}
}

func TestAskPrintsPartsAsJSON(t *testing.T) {
	s := clitest.NewStreaming(t, "delta")
	w := clitest.StreamWorld(t, s)
	file := filepath.Join(w.Home, "config.toml")
	prices := "[[prices]]\nmodels = [\"del*\"]\ninput = 1\noutput = 10\ncurrency = \"EUR\"\n"
	clitest.WriteFile(t, file, prices, 0o600)
	out, _, code := w.Ask(t, "--config", file, "-m", "delta", "--json=stream", "--reasoning", "--param", "seed=7",
		"hello")
	s.Events["delta"] <- clitest.Event("reasoning", map[string]string{"text": "hm"})
	s.Events["delta"] <- clitest.Delta("x.")
	clitest.Eventually(t, "a part", func() bool { return strings.Contains(out.String(), `"delta":"x."`) })
	s.Events["delta"] <- clitest.Delta("y.")
	s.Events["delta"] <- clitest.Done("x.y.", "stop")
	if code() != 0 {
		t.Fatal(out.String())
	}
	got := clitest.Objects(t, out.String())
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
	shown := clitest.Objects(t, w.Must(0, "history", "show", "a2", "--json").Out)[0]
	if shown["cost"] != 0.004764 || shown["reasoning"] != nil || fmt.Sprint(shown["params"]) != "map[seed:7]" {
		t.Errorf("kept %v", shown)
	}
	shown = clitest.Objects(t, w.Must(0, "history", "show", "a2", "--json", "--reasoning").Out)[0]
	if shown["reasoning"] != "hm" {
		t.Errorf("kept %v", shown)
	}
}

func TestAskKeepsWhatCameBeforeItBrokeOff(t *testing.T) {
	s := clitest.NewStreaming(t, "delta")
	w := clitest.StreamWorld(t, s)
	out, stderr, code := w.Ask(t, "-m", "delta", "hello")
	s.Events["delta"] <- clitest.Delta("half.")
	clitest.Eventually(t, "the part", func() bool { return out.String() == "half." })
	w.Signals <- syscall.SIGINT
	if c := code(); c != cli.ExitInterrupted || out.String() != "half.\n" {
		t.Errorf("ended with %d, printed %q", c, out.String())
	}
	clitest.WantTexts(t, stderr.String(), "delta: the answer broke off: cancelled; what came of it is kept as a2; "+
		"confab ask --rest-of a2 asks for the rest")
	r := w.Must(0, "history", "show", "a2")
	if r.Out != "half.\n" || !strings.Contains(r.Err, "a2, delta: cancelled") {
		t.Errorf("got %+v", r)
	}
	record := clitest.Objects(t, w.Must(0, "history", "show", "a2", "--json").Out)[0]
	if record["partial_text"] != "half." || record["text"] != nil || record["state"] != "cancelled" {
		t.Errorf("got %v", record)
	}

	s.Events["delta"] = make(chan string)
	out, stderr, code = w.Ask(t, "-m", "delta", "hello")
	s.Events["delta"] <- clitest.Delta("cut.")
	close(s.Events["delta"])
	if c := code(); c != cli.ExitFailed || out.String() != "cut.\n" {
		t.Errorf("ended with %d, printed %q", c, out.String())
	}
	clitest.WantTexts(t, stderr.String(), "delta: the answer broke off", "(bad_response)")
	for _, as := range []string{"markdown", "text", "html", "csv"} {
		path := filepath.Join(t.TempDir(), "x."+as)
		w.Must(0, "history", "export", "s3", "--as", as, "-o", path)
		text := clitest.ReadFile(t, path)
		clitest.WantTexts(t, text, "cut")
		if as != "csv" {
			clitest.WantTexts(t, text, "only this came of it")
		}
	}
}

// A cut answer is continued as it was asked before, and printed whole.
func TestAskForTheRest(t *testing.T) {
	s := clitest.NewStreaming(t, "delta")
	w := clitest.StreamWorld(t, s)
	_, _, code := w.Ask(t, "-m", "delta", "--param", "max_tokens=2", "--system", "Be brief.", "count")
	s.Events["delta"] <- clitest.Delta("one two") + clitest.Done("one two", "length")
	if c := code(); c != 0 {
		t.Fatalf("ended with %d", c)
	}
	out, stderr, code := w.Ask(t, "--rest-of", "a2")
	clitest.Eventually(t, "the text that was there", func() bool { return out.String() == "one two" })
	s.Events["delta"] <- clitest.Delta(" three")
	clitest.Eventually(t, "a part of the rest", func() bool { return out.String() == "one two three" })
	s.Events["delta"] <- clitest.Done(" three", "length")
	if c := code(); c != 0 || out.String() != "one two three\n" {
		t.Errorf("ended with %d, printed %q", c, out.String())
	}
	if n := strings.Count(stderr.String(), "cut"); n != 1 || !strings.Contains(stderr.String(), "--rest-of a3 asks") {
		t.Errorf("it is said %d times that it is cut: %s", n, stderr.String())
	}
	sent := s.Last()
	messages, _ := json.Marshal(sent["messages"]) // it was made from JSON
	if string(messages) != `[{"content":"count","role":"user"},{"content":"one two","role":"assistant"}]` ||
		sent["systemprompt"] != "Be brief." || fmt.Sprint(sent["params"]) != "map[max_tokens:2]" {
		t.Errorf("sent %v", sent)
	}

	// The rest of a rest, as JSON, while the other answers of the turn are left alone.
	out, _, code = w.Ask(t, "--rest-of", "a3", "--json=stream")
	s.Events["delta"] <- clitest.Delta(" four")
	s.Events["delta"] <- clitest.Done(" four", "stop")
	if c := code(); c != 0 {
		t.Fatal(out.String())
	}
	got, text := clitest.Objects(t, out.String()), ""
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
		clitest.WantTexts(t, w.Must(2, append([]string{"ask"}, strings.Fields(args)...)...).Err, want)
	}
}

// That an answer is cut is said once by ask, and once by the history.
func TestThatAnAnswerIsCutIsSaidOnce(t *testing.T) {
	w := clitest.NewWorld(t)
	asked := w.Must(0, "ask", "-m", "delta", "--param", "max_tokens=3", "Name a tea shop.")
	shown := w.Must(0, "history", "show", "t1")
	for what, text := range map[string]string{"ask": asked.Err, "history show": shown.Out} {
		if n := strings.Count(text, "cut"); n != 1 {
			t.Errorf("%s says %d times that it is cut: %s", what, n, text)
		}
	}
}

func TestAskNamesParametersThatWereNotSent(t *testing.T) {
	w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
	r := w.Must(0, "ask", "-m", "delta", "--param", "temperature=0.2", "--param", "stop=END, STOP", "hello")
	clitest.WantTexts(t, r.Err, "delta: without stop, temperature, which the service does not take")
	record := clitest.Objects(t, w.Must(0, "ask", "-m", "delta", "--param", "seed=1", "--json", "hello").Out)[0]
	if fmt.Sprint(record["ignored"]) != "[seed]" {
		t.Errorf("got %v", record)
	}
}

// A text that comes in parts is cleaned as one that came whole.
func TestAskCleansWhatComes(t *testing.T) {
	s := clitest.NewStreaming(t, "delta")
	w := clitest.StreamWorld(t, s)
	w.Environ = append(w.Environ, "TERM=dumb")
	whole := "a\x1b[31mred\r\nnext\tcell e\u0301 \U0001F1E9\U0001F1EA end"
	go func() {
		for part := range strings.SplitSeq(whole, "") {
			s.Events["delta"] <- clitest.Delta(part)
		}
		s.Events["delta"] <- clitest.Done(whole, "stop")
	}()
	r := w.OnTerminal(80, "", "ask", "-q", "-m", "delta", "hello")
	clitest.WantNoTexts(t, r.Out, "\x1b")
	want := "a␛[31mred\r\nnext\tcell e\u0301 \U0001F1E9\U0001F1EA end\n"
	if r.Out != want {
		t.Errorf("printed %q, want %q", r.Out, want)
	}
}

// On a terminal with styles a block is drawn over as it grows, and printed as markdown when it is whole.
func TestAskDrawsMarkdownAsItComes(t *testing.T) {
	s := clitest.NewStreaming(t, "delta")
	w := clitest.StreamWorld(t, s)
	for _, color := range []string{"auto", "never"} {
		go func() {
			for _, part := range []string{"# He", "ading\n\n- one\n", "- two\n\nla", "st"} {
				s.Events["delta"] <- clitest.Delta(part)
			}
			s.Events["delta"] <- clitest.Done("# Heading\n\n- one\n- two\n\nlast", "stop")
		}()
		r := w.OnTerminal(80, "", "ask", "-m", "delta", "--color", color, "hello")
		out := ansi.Strip(r.Out)
		clitest.WantTexts(t, out, "Heading", "two\n\n", "last", "1,204 → 356 tokens")
		if r.Code != 0 || strings.Contains(out, "# He") {
			t.Errorf("ended with %d: %q", r.Code, r.Out)
		}
		if color == "never" && r.Out != out {
			t.Errorf("printed %q", r.Out)
		}
	}
}

// A link whose definition came long before is a link.
func TestAskDrawsLinksThatWereDefinedBefore(t *testing.T) {
	s := clitest.NewStreaming(t, "delta")
	w := clitest.StreamWorld(t, s)
	parts := []string{"[docs]: https://docs.example/\n\n# Head", "ing\n\nfirst\n\n", "see [the page][docs]"}
	go func() {
		for _, part := range parts {
			s.Events["delta"] <- clitest.Delta(part)
		}
		s.Events["delta"] <- clitest.Done(strings.Join(parts, ""), "stop")
	}()
	out := ansi.Strip(w.OnTerminal(80, "", "ask", "-m", "delta", "--color", "never", "hello").Out)
	clitest.WantTexts(t, out, "Heading", "see the page (docs.example)")
}

// TestReasoningWithoutAnAnswer says why there is no text, and never that the answer is merely empty.
func TestReasoningWithoutAnAnswer(t *testing.T) {
	for finish, want := range map[string]string{
		"stop": "delta: the model only reasoned, and wrote no answer\n",
		"length": "delta: the model came to its limit of tokens while it reasoned, and wrote no answer; " +
			"--param max_tokens=N allows more\n",
	} {
		w := clitest.RemoteWorld(t, clitest.NewRemote(t, func(w http.ResponseWriter, _ *http.Request,
			_ map[string]string) {
			_, _ = fmt.Fprintf(w, `{"status":200,"data":{"text":"","model":"delta","reasoning":"Hm.","finish":%q}}`, finish)
		}))
		if got := w.Must(0, "ask", "-m", "delta", "why?"); !strings.Contains(got.Err, want) {
			t.Errorf("%s: got %q, want %q", finish, got.Err, want)
		}
		why, _, _ := strings.Cut(strings.TrimPrefix(want, "delta: "), ";")
		shown := w.Must(0, "history", "show", "a1")
		clitest.WantTexts(t, shown.Err, strings.TrimSpace(why))
		clitest.WantNoTexts(t, shown.Out+shown.Err, "cut at the limit", "answer is empty")
		clitest.WantTexts(t, w.Must(0, "history", "export", "s1", "-o", "-").Out, strings.TrimSpace(why))
	}
}
