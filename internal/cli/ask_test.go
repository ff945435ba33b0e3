package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/cli/clitest"
)

func TestAskPrintsTheAnswerAlone(t *testing.T) {
	w := clitest.NewWorld(t)
	r := w.Must(0, "ask", "-m", "alpha3.1-8b", "Explain a CRDT to a baker.")
	clitest.WantTexts(t, r.Out, "imulated")
	clitest.WantNoTexts(t, r.Out, "==>", "\x1b")
	if !strings.HasSuffix(r.Out, "\n") || r.Err != "" {
		t.Errorf("stdout %q, stderr %q", r.Out, r.Err)
	}
}

func TestAskTakesTheUsualModel(t *testing.T) {
	for _, c := range []struct {
		name, want string
		environ    []string
		args       []string
	}{
		{"the first there is", "alpha3.1-8b", nil, nil},
		{"the configured ones", "oss-20b", []string{"CONFAB_MODEL=oss-20b,imageedit"}, nil},
		{"a named one wins", "zeta", []string{"CONFAB_MODEL=oss-20b"}, []string{"-m", "zeta"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := clitest.Objects(t,
				clitest.NewWorld(t, c.environ...).Must(0, append([]string{"ask", "--json", "hello"}, c.args...)...).Out)
			if len(got) != 1 || got[0]["model"] != c.want {
				t.Errorf("got %v, want one answer of %s", got, c.want)
			}
		})
	}
}

func TestAskPrintsSeveralInTheOrderAsked(t *testing.T) {
	w := clitest.NewWorld(t)
	r := w.Must(0, "ask", "-m", "oss-20b,alpha3.1-8b", "-m", "zeta", "--samples", "2", "hello")
	at := -1
	for _, head := range []string{"oss-20b, sample 1", "oss-20b, sample 2", "alpha3.1-8b, sample 1",
		"alpha3.1-8b, sample 2", "zeta, sample 1", "zeta, sample 2"} {
		next := strings.Index(r.Out, "==> "+head+" <==\n")
		if next <= at {
			t.Errorf("%s stands at %d, after %d", head, next, at)
		}
		at = next
	}
}

func TestAskReadsStandardInputFirst(t *testing.T) {
	file := filepath.Join(t.TempDir(), "in.txt")
	clitest.WriteFile(t, file, "from a file\n", 0o600)
	open := func(path string) *os.File {
		f, err := os.Open(path)
		must(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	s := clitest.NewRemote(t, clitest.Echo)
	for _, c := range []struct {
		name  string
		stdin func() any
		args  []string
		want  string
	}{
		{"a pipe, then the argument", func() any { return clitest.Pipe(t, "line 1\nline 2\n\n") },
			[]string{"sum it up"}, "line 1\nline 2\n\nsum it up"},
		{"a pipe alone", func() any { return clitest.Pipe(t, "  all there is\n") }, nil, "  all there is"},
		{"minus signs", func() any { return clitest.Pipe(t, "piped\n") }, []string{"-o", "-", "-"}, "piped"},
		{"an empty pipe", func() any { return clitest.Pipe(t, "\n") }, []string{"the", "words"}, "the words"},
		{"a file", func() any { return open(file) }, []string{"and this"}, "from a file\n\nand this"},
		{"a device is not read", func() any { return open("/dev/null") }, []string{"words"}, "words"},
		{"none", func() any { return nil }, []string{"words"}, "words"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := clitest.RemoteWorld(t, s)
			if in, ok := c.stdin().(*os.File); ok {
				w.Stdin = in
			}
			r := w.Must(0, append([]string{"ask", "-m", "zeta"}, c.args...)...)
			if got := s.Last(t)["prompt"]; got != c.want {
				t.Errorf("sent %q, want %q", got, c.want)
			}
			if r.Out != c.want+"\n" {
				t.Errorf("printed %q, want %q", r.Out, c.want)
			}
		})
	}
}

func TestASessionIsNamedByThePromptNotByStandardInput(t *testing.T) {
	w := clitest.NewWorld(t)
	for want, args := range map[string][]string{
		"What is in this table?": {"What is in", "this table?"}, "name,age": nil} {
		w.Stdin = clitest.Pipe(t, "name,age\nx,3\n")
		w.Must(0, append([]string{"ask", "-m", "zeta"}, args...)...)
		w.Stdin = nil
		first, _, _ := strings.Cut(w.Must(0, "history", "list").Out, "\n")
		if name := strings.Split(first, "\t")[1]; name != want {
			t.Errorf("the session of %q is named %q, want %q", args, name, want)
		}
	}
}

func TestAskSaysOnATerminalWhichModelItAsks(t *testing.T) {
	w := clitest.NewWorld(t)
	const note = "asking alpha3.1-8b; -m names another model"
	if r := w.OnTerminal(80, "", "ask", "hello"); strings.Count(r.Out, note) != 1 {
		t.Errorf("it says: %s", r.Out)
	}
	for _, args := range [][]string{
		{"ask", "-m", "zeta", "hello"}, {"ask", "-q", "hello"}, {"ask", "--json", "hello"}} {
		if r := w.OnTerminal(80, "", args...); strings.Contains(r.Out, "; -m names") {
			t.Errorf("%q says: %s", args, r.Out)
		}
	}
}

func TestAskDoesNotWaitForASilentTerminal(t *testing.T) {
	w := clitest.NewWorld(t)
	if r := w.OnTerminal(80, "", "ask", "-m", "zeta", "hello"); r.Code != 0 {
		t.Errorf("ended with %d: %s", r.Code, r.Out)
	}
	if r := w.OnTerminal(80, "", "ask", "-m", "zeta"); r.Code != 2 || !strings.Contains(r.Out, "there is no prompt") {
		t.Errorf("without a prompt it ended with %d: %s", r.Code, r.Out)
	}
}

func TestAskRefusesWrongUse(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there.md")
	clitest.WriteFile(t, there, "keep me", 0o600)
	s := clitest.NewRemote(t, func(http.ResponseWriter, *http.Request,
		map[string]string) {
		t.Error("something was sent")
	})
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"no prompt", []string{"ask"}, "there is no prompt"},
		{"unknown model", []string{"ask", "-m", "alpha3.1-8c", "x"}, "did you mean alpha3.1-8b"},
		{"unknown flag", []string{"ask", "--unlike-any", "x"},
			"unknown flag: --unlike-any; confab ask --help shows the flags (usage)"},
		{"a misspelt flag", []string{"ask", "--sampels", "3", "x"},
			"unknown flag: --sampels; did you mean --samples? confab ask --help shows the flags (usage)"},
		{"a flag without a value", []string{"ask", "-m"}, "flag needs an argument"},
		{"a number that is none", []string{"ask", "--samples", "x", "y"}, "invalid argument"},
		{"too many samples", []string{"ask", "--samples", "101", "y"}, "1 to 100"},
		{"two sessions", []string{"ask", "-C", "--session", "a", "y"}, "exclude each other"},
		{"no session to continue", []string{"ask", "-C", "y"}, "no session yet"},
		{"a picture for no editor", []string{"ask", "-m", "zeta", "--image", "https://x.example/y.png", "y"},
			"no vision: zeta;"},
		{"a picture for none", []string{"ask", "-m", "sim-image", "--image", "x.png", "y"},
			"--image is for the models that edit"},
		{"a parameter without a value", []string{"ask", "--param", "seed", "y"}, "NAME=VALUE"},
		{"a parameter that is none", []string{"ask", "--param", "heat=1", "y"}, "there is no parameter"},
		{"a parameter out of bounds", []string{"ask", "--param", "temperature=3", "y"}, "from 0 to 2"},
		{"a parameter for pictures", []string{"ask", "-m", "sim-image", "--param", "seed=3", "y"},
			"--param is for text models"},
		{"another JSON", []string{"ask", "--json=all", "y"}, "--json takes nothing, or =stream"},
		{"lines into a file", []string{"ask", "--interleave", "-o", "x.txt", "y"}, "excludes --json and --output"},
		{"an editor without a picture", []string{"ask", "-m", "imageedit", "y"}, "need --image"},
		{"a ratio for text", []string{"ask", "-m", "zeta", "--aspect", "16:9", "y"}, "--aspect and --nonce are for"},
		{"a ratio that is none", []string{"ask", "-m", "sim-image", "--aspect", "wide", "y"}, "16:9"},
		{"a picture from standard input", []string{"ask", "-m", "imageedit", "--image", "-", "y"},
			"not standard input"},
		{"a device", []string{"ask", "-m", "zeta", "-o", os.DevNull, "y"}, "-o - writes to standard output"},
		{"a file that is there", []string{"ask", "-o", there, "y"}, "a file of this name exists"},
		{"several into a file of no format", []string{"ask", "-m", "zeta,delta", "-o", there + ".out", "y"},
			"2 answers go to a folder"},
		{"a system prompt that is not there", []string{"ask", "--system", "@" + there + ".no", "y"},
			".no does not exist"},
		{"no such command", []string{"histroy"}, "did you mean history"},
		{"a time that is none", []string{"ask", "--timeout", "soon", "y"}, "invalid argument"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := clitest.RemoteWorld(t, s).Must(2, c.args...)
			clitest.WantTexts(t, r.Err, "confab: ", c.want)
			if r.Out != "" || strings.Count(r.Err, "\n") != 1 {
				t.Errorf("stdout %q, stderr %q: want one line on stderr", r.Out, r.Err)
			}
		})
	}
	if b, err := os.ReadFile(there); err != nil || string(b) != "keep me" {
		t.Errorf("the file is now %q, %v", b, err)
	}
}

func TestAskFailsWhenOneAnswerDoes(t *testing.T) {
	s := clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, body map[string]string) {
		if strings.Contains(r.URL.Path, "zeta") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		clitest.AnswerText(w, "fine")
	})
	w := clitest.RemoteWorld(t, s)
	r := w.Must(1, "ask", "-m", "zeta", "-m", "delta", "hello")
	if r.Out != "==> delta <==\nfine\n" {
		t.Errorf("stdout %q", r.Out)
	}
	clitest.WantTexts(t, r.Err, "confab: zeta: ", "(service)")
	got := clitest.Objects(t, w.Must(1, "ask", "--json", "-m", "zeta,delta", "hello").Out)
	slices.SortFunc(got,
		func(a, b map[string]any) int { return strings.Compare(a["model"].(string), b["model"].(string)) })
	if len(got) != 2 || got[0]["state"] != "done" || got[1]["state"] != "failed" ||
		got[1]["error"].(map[string]any)["code"] != "service" {
		t.Errorf("got %v", got)
	}
	if got[0]["text"] != "fine" || got[1]["text"] != nil {
		t.Errorf("texts: %v", got)
	}
}

func TestAskTimesOut(t *testing.T) {
	s := clitest.NewRemote(t, func(_ http.ResponseWriter, r *http.Request,
		_ map[string]string) {
		<-r.Context().Done()
	})
	w := clitest.RemoteWorld(t, s)
	r := w.Must(124, "ask", "-m", "zeta", "--timeout", "1s", "hello")
	clitest.WantTexts(t, r.Err, "zeta: ", "(timeout)")
	got := clitest.Objects(t, w.Must(0, "history", "show", "t1", "--json").Out)
	if len(got) != 1 || got[0]["state"] != "failed" || got[0]["prompt"] != "hello" {
		t.Errorf("kept %v", got)
	}
}

func TestAskIsInterrupted(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal os.Signal
		state  string
	}{
		{"ctrl+c cancels", os.Interrupt, "cancelled"},
		{"being told to end interrupts", syscall.SIGTERM, "interrupted"},
		{"a closed terminal interrupts", syscall.SIGHUP, "interrupted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w *clitest.World
			s := clitest.NewRemote(t, func(_ http.ResponseWriter, r *http.Request, _ map[string]string) {
				w.Signals <- c.signal
				<-r.Context().Done()
			})
			w = clitest.RemoteWorld(t, s)
			w.Must(130, "ask", "-m", "zeta", "hello")
			w.Signals = make(chan os.Signal)
			got := clitest.Objects(t, w.Must(0, "history", "show", "t1", "--json").Out)
			if len(got) != 1 || got[0]["state"] != c.state {
				t.Errorf("kept %v, want it %s", got, c.state)
			}
		})
	}
}

func TestAskJSONIsExactAndHarmless(t *testing.T) {
	const hostile = "a\u009b31m\u202eb\x1b]0;x\a <b> \U000E0041 ü"
	s := clitest.NewRemote(t, clitest.Answering(hostile))
	r := clitest.RemoteWorld(t, s).Must(0, "ask", "-m", "zeta", "--json", "hello")
	clitest.WantNoTexts(t, r.Out, "\u009b", "\u202e", "\x1b", "\a", "\U000E0041", `\u003c`)
	o := clitest.Objects(t, r.Out)[0]
	if o["text"] != hostile {
		t.Errorf("text %q, want %q", o["text"], hostile)
	}
	for _, field := range []string{"session", "turn", "answer", "model", "kind", "sample", "state", "served_model",
		"elapsed_ms", "http_status"} {
		if o[field] == nil {
			t.Errorf("%s is missing in %s", field, r.Out)
		}
	}
	for _, field := range []string{"file", "width", "error", "cached"} {
		if _, ok := o[field]; ok {
			t.Errorf("%s should be left out in %s", field, r.Out)
		}
	}
}

func TestAskOnATerminalIsRenderedAndCleaned(t *testing.T) {
	s := clitest.NewRemote(t, clitest.Answering("# Head\n\nSome **bold** text \u009b31m\x1b]0;PWNED\a.\n"))
	for _, c := range []struct {
		name     string
		environ  []string
		args     []string
		rendered bool
		styled   bool
	}{
		{"as it is", nil, nil, true, true},
		{"NO_COLOR of any value", []string{"NO_COLOR=no"}, nil, true, false},
		{"an empty NO_COLOR", []string{"NO_COLOR="}, nil, true, true},
		{"never", nil, []string{"--color", "never"}, true, false},
		{"always wins over NO_COLOR", []string{"NO_COLOR=1"}, []string{"--color", "always"}, true, true},
		{"NO_COLOR wins over CLICOLOR_FORCE", []string{"NO_COLOR=1", "CLICOLOR_FORCE=1"}, nil, true, false},
		{"a dumb terminal", []string{"TERM=dumb"}, nil, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := clitest.RemoteWorld(t, s)
			w.Environ = append(w.Environ, append(c.environ, "CONFAB_UI_THEME=confab-dark")...)
			r := w.OnTerminal(80, "", append([]string{"ask", "-m", "zeta", "-m", "delta", "hello"}, c.args...)...)
			if r.Code != 0 {
				t.Fatalf("ended with %d: %s", r.Code, r.Out)
			}
			clitest.WantNoTexts(t, r.Out, "\x1b]", "\u009b", "\a")
			clitest.WantTexts(t, r.Out, "Head", "bold", "PWNED", "zeta", "delta")
			if styled := strings.Contains(r.Out, "\x1b["); styled != c.styled {
				t.Errorf("styled is %t:\n%q", styled, r.Out)
			}
			if colors := strings.Contains(r.Out, "\x1b[38;") || strings.Contains(r.Out, ";38;"); colors != c.styled {
				t.Errorf("colored is %t:\n%q", colors, r.Out)
			}
			if strings.Contains(r.Out, "**bold**") == c.rendered {
				t.Errorf("rendered is %t:\n%q", !c.rendered, r.Out)
			}
		})
	}
}

// Without colors nothing that prints is bold either, wherever the flag stands.
func TestNothingIsStyledWithoutColors(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "-m", "zeta", "hello")
	for _, args := range [][]string{
		{"--help"}, {"help", "ask"}, {"themes", "confab-dark"}, {"models"}, {"history", "show"}, {"config",
			"show"},
		{"ask", "-m", "nope", "hello"}, {"ask", "-m", "zeta", "-m", "delta", "hello"}, {"--nonsense"},
	} {
		for name, run := range map[string]func() clitest.Result{
			"flag before": func() clitest.Result {
				return w.OnTerminal(80, "", append([]string{"--color", "never"}, args...)...)
			},
			"flag after": func() clitest.Result {
				return w.OnTerminal(80, "", append(args[:len(args):len(args)], "--color=never")...)
			},
			"NO_COLOR": func() clitest.Result {
				plain := *w
				plain.Environ = append(plain.Environ[:len(plain.Environ):len(plain.Environ)], "NO_COLOR=1")
				return plain.OnTerminal(80, "", args...)
			},
		} {
			r := run()
			progress := strings.NewReplacer("\r", "", "\x1b[K", "") // the line of progress is taken away again
			if out := progress.Replace(r.Out); out == "" || strings.Contains(out, "\x1b") {
				t.Errorf("%s, %q: printed %q", name, args, out)
			}
		}
	}
}

func TestAskIsStyledInAPipeOnlyWhenForced(t *testing.T) {
	s := clitest.NewRemote(t, clitest.Answering("**bold**"))
	for _, c := range []struct {
		name    string
		environ []string
		args    []string
		styled  bool
	}{
		{"as it is", nil, nil, false},
		{"forced", []string{"CLICOLOR_FORCE=1"}, nil, true},
		{"not forced", []string{"CLICOLOR_FORCE=0"}, nil, false},
		{"always", nil, []string{"--color", "always"}, true},
		{"never wins", []string{"CLICOLOR_FORCE=1"}, []string{"--color", "never"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := clitest.RemoteWorld(t, s)
			w.Environ = append(w.Environ, c.environ...)
			r := w.Must(0, append([]string{"ask", "-m", "zeta", "hello"}, c.args...)...)
			if styled := strings.Contains(r.Out, "\x1b[1mbold"); styled != c.styled {
				t.Errorf("printed %q", r.Out)
			}
		})
	}
}

func TestAskWritesToFiles(t *testing.T) {
	s := clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		clitest.AnswerText(w, "from "+filepath.Base(r.URL.Path))
	})
	w := clitest.RemoteWorld(t, s)
	dir := t.TempDir()
	read := func(path string) string {
		return clitest.ReadFile(t, path)
	}
	one := filepath.Join(dir, "one.md")
	w.Must(0, "ask", "-m", "zeta", "-o", one, "hello")
	if got := read(one); got != "from zeta" {
		t.Errorf("one answer: %q", got)
	}
	all := filepath.Join(dir, "all.md")
	w.Must(0, "ask", "-m", "zeta,delta", "-o", all, "hello")
	clitest.WantTexts(t, read(all), "hello", "from zeta", "from delta", "### zeta")
	lines := filepath.Join(dir, "all.jsonl")
	w.Must(0, "ask", "-m", "zeta,delta", "-o", lines, "hello")
	if got := clitest.Objects(t, read(lines)); len(got) != 2 || got[1]["prompt"] != "hello" {
		t.Errorf("as lines: %v", got)
	}
	paths := strings.Fields(w.Must(0, "ask", "-m", "zeta,delta", "-o", dir, "hello").Out)
	if len(paths) != 2 || read(paths[0]) != "from zeta" || read(paths[1]) != "from delta" {
		t.Errorf("in a folder: %q", paths)
	}
}

func TestAskKeepsNothing(t *testing.T) {
	s := clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, body map[string]string) {
		if strings.Contains(r.URL.Path, "image") {
			_, _ = w.Write(clitest.SamplePicture(t))
			return
		}
		clitest.Echo(w, r, body)
	})
	w := clitest.RemoteWorld(t, s)
	w.Must(0, "ask", "--no-save", "-m", "zeta", "a secret plan")
	path := clitest.Objects(t,
		w.Must(0, "ask", "--no-save", "--json", "-m", "sim-image", "a secret tree").Out)[0]["file"].(string)
	if _, err := os.Stat(path); err != nil {
		t.Error("the picture is gone:", err)
	}
	for f, text := range clitest.Contents(t, w.Home) {
		if strings.HasSuffix(f, "history.db") || strings.Contains(text, "secret") {
			t.Errorf("%s is kept", f)
		}
	}
}

func TestAskGoesOnInASession(t *testing.T) {
	s := clitest.NewRemote(t, clitest.Echo)
	w := clitest.RemoteWorld(t, s)
	const begun = `there was no session "my talk"; this prompt began it`
	clitest.WantTexts(t, w.Must(0, "ask", "-m", "zeta", "--session", "my talk", "first").Err, begun)
	w.Must(0, "ask", "-m", "zeta", "another session")
	clitest.WantNoTexts(t, w.Must(0, "ask", "-m", "zeta", "--session", "my talk", "second").Err, begun)
	clitest.WantNoTexts(t, w.Must(0, "ask", "-q", "-m", "zeta", "--session", "another talk", "x").Err, "began it")
	w.Must(0, "history", "rm", "another talk", "--yes")
	w.Must(0, "ask", "-m", "zeta", "--session", "s1", "third")
	w.Must(0, "ask", "-m", "zeta", "-C", "fourth")
	clitest.WantTexts(t, s.Last(t)["prompt"], "first", "second", "third", "fourth")
	clitest.WantNoTexts(t, s.Last(t)["prompt"], "another")
	got := clitest.Objects(t, w.Must(0, "history", "list", "--json").Out)
	if len(got) != 2 || got[0]["name"] != "my talk" || got[0]["turns"] != 4.0 {
		t.Errorf("sessions: %v", got)
	}
	clitest.WantTexts(t, w.Must(2, "ask", "-m", "zeta", "--session", "s99", "x").Err, `there is no session "s99"`)
}

// TestShowNamesOtherBranches shows a session of two prompts that were sent together.
func TestShowNamesOtherBranches(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(0, "ask", "-m", "delta", "apples", "--variant", "pears")
	r := w.Must(0, "history", "show")
	clitest.WantTexts(t, r.Out, "branch 2 of 2", "pears")
	clitest.WantNoTexts(t, r.Out, "apples")
	clitest.WantTexts(t, r.Err, "1 turn on other branches: t1")
	clitest.WantTexts(t, w.Must(0, "history", "show", "t1").Out, "branch 1 of 2", "apples")
	got := clitest.Objects(t, w.Must(0, "history", "show", "--json").Out)
	if len(got) != 2 || got[0]["hidden"] != true {
		t.Errorf("as JSON: %v", got)
	}
}

// TestAskContinuesWithWhatTheSessionIsAskedWith checks the models, the system prompt, the parameters and the memory of
// a session, and that flags come before them and stay with it.
func TestAskContinuesWithWhatTheSessionIsAskedWith(t *testing.T) {
	s := clitest.NewRemote(t, clitest.Echo)
	w := clitest.RemoteWorld(t, s)
	newest := func(want string) {
		t.Helper()
		turn := clitest.Objects(t, w.Must(0, "history", "show", "--json", "s1").Out)
		var got []string
		for _, a := range turn[len(turn)-1:] {
			got = append(got, fmt.Sprint(a["model"], " ", a["system"], " ", a["params"]))
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("asked with %q, want %q", got, want)
		}
	}
	w.Must(0, "ask", "-m", "delta", "--system", "Be short.", "--param", "temperature=0.5", "one")
	newest("delta Be short. map[temperature:0.5]")
	w.Must(0, "ask", "-C", "two")
	newest("delta Be short. map[temperature:0.5]")
	clitest.WantTexts(t, s.Last(t)["prompt"], "one", "two")
	w.Must(0, "ask", "--session", "s1", "-m", "zeta", "--system", "", "--param", "top_p=0.9",
		"--context=false", "three")
	newest("zeta <nil> map[temperature:0.5 top_p:0.9]")
	if got := s.Last(t)["prompt"]; got != "three" {
		t.Errorf("sent %q", got)
	}
	w.Must(0, "ask", "-C", "four")
	newest("zeta <nil> map[temperature:0.5 top_p:0.9]")
	w.Must(0, "ask", "-C", "--context", "five")
	newest("zeta <nil> map[temperature:0.5 top_p:0.9]")
	clitest.WantTexts(t, s.Last(t)["prompt"], "one", "two", "three", "four", "five")
	w.Must(0, "ask", "-C", "--param", "temperature=", "six")
	newest("zeta <nil> map[top_p:0.9]")
	w.Must(0, "ask", "-m", "delta", "a new one")
	if got := s.Last(t)["prompt"]; got != "a new one" {
		t.Errorf("sent %q", got)
	}
}

func TestInputThatIsNoPrompt(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"bytes that are no text", "\xff\xfe", "not UTF-8"},
		{"a zero byte", "a\x00b", "not UTF-8"},
		{"nothing", " \n", "standard input is empty"},
		{"too much", strings.Repeat("x", 16<<20+1), "larger than 16 MiB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := clitest.NewWorld(t)
			w.Stdin = strings.NewReader(c.input)
			clitest.WantTexts(t, w.Must(2, "ask", "-m", "zeta").Err, c.want)
		})
	}
}

// TestJSONOfWhatWasRefused before it was sent, and of a picture that came and could not be written.
func TestJSONOfWhatWasRefused(t *testing.T) {
	picture := clitest.SamplePicture(t)
	w := clitest.RemoteWorld(t, clitest.NewRemote(t,
		clitest.AnsweringPicture(picture)))
	for want, args := range map[string][]string{
		"unknown_model": {"-m", "nobody", "x"},
		"usage":         {"-m", "imageedit", "x"},
	} {
		got := clitest.Objects(t, w.Must(2, append([]string{"ask", "--json"}, args...)...).Out)
		failure, _ := got[0]["error"].(map[string]any)
		if len(got) != 1 || got[0]["state"] != "failed" || failure["code"] != want {
			t.Errorf("%v: %v", args, got)
		}
	}
	got := clitest.Objects(t, w.Must(1, "ask", "--json", "-m", "sim-image", "-o", filepath.Join(w.Home, "new", "\x00x"),
		"x").Out)
	failure, _ := got[0]["error"].(map[string]any)
	if len(got) != 1 || got[0]["model"] != "sim-image" || failure["code"] == nil {
		t.Errorf("a picture that could not be written: %v", got)
	}
}

func TestTimeoutTellsMoreThanAFailure(t *testing.T) {
	s := clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		if strings.Contains(r.URL.Path, "zeta") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		<-r.Context().Done()
	})
	clitest.RemoteWorld(t, s).Must(124, "ask", "-m", "zeta,delta", "--timeout", "1s", "hello")
}

// ids are the fields and words that name entries of the history.
var ids = regexp.MustCompile(`"(run|session|turn|answer)": ?\d|session s\d|turn t\d|run \d`)

// What is not saved has no ids: those of a history in memory would name other
// entries of the one on disk.
func TestWhatIsNotSavedHasNoIDs(t *testing.T) {
	picture := clitest.SamplePicture(t)
	s := clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		if strings.Contains(r.URL.Path, "sim-image") {
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(picture)
			return
		}
		clitest.AnswerText(w, "fine")
	})
	suite := "providers: ['llm:zeta']\nprompts: ['say {{x}}']\ntests:\n- vars: {x: fine}\n  assert: [{type: " +
		"contains, " +
		"value: fine}]\n"
	for name, spoil := range map[string]func(t *testing.T, w *clitest.World) (flags []string){
		"asked for": func(_ *testing.T, w *clitest.World) []string {
			w.Environ = append(w.Environ, "CONFAB_HISTORY_SAVE=false")
			return []string{"--no-save"}
		},
		"damaged": func(t *testing.T, w *clitest.World) []string {
			path := strings.TrimSpace(w.Must(0, "history", "path").Out)
			clitest.WriteFile(t, path, strings.Repeat("spoilt", 1000), 0o600)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := clitest.RemoteWorld(t, s)
			w.Must(0, "ask", "-m", "zeta", "an entry that has the ids")
			flags := spoil(t, w)
			ask := append([]string{"ask", "-m", "zeta,sim-image", "--samples", "2", "what is not saved"}, flags...)
			r := w.Must(0, append(ask, "--json")...)
			got := clitest.Objects(t, r.Out)
			for _, j := range got {
				if j["saved"] != false {
					t.Errorf("saved is %v", j["saved"])
				}
			}
			together, run := filepath.Join(t.TempDir(), "all.json"), filepath.Join(t.TempDir(), "run.jsonl")
			w.Must(0, append(ask, "-o", together)...)
			file := filepath.Join(w.Home, "suite.yaml")
			clitest.WriteFile(t, file, suite, 0o600)
			texts := r.Out + r.Err + w.Must(0, "run", file, "-o", run).Err + w.Must(0, "run", file, "--json").Out
			for _, path := range append(clitest.Files(t, w.Home), together, run) {
				if ext := filepath.Ext(path); ext != ".json" && ext != ".jsonl" {
					continue
				}
				texts += clitest.ReadFile(t, path)
			}
			if n := strings.Count(texts, `"saved":`); n < 8 {
				t.Errorf("saved is said %d times in %s", n, texts)
			}
			if found := ids.FindAllString(texts, -1); len(found) > 0 {
				t.Errorf("found %q in %s", found, texts)
			}
			clitest.WantTexts(t, w.OnTerminal(80, "", append(ask[:len(ask):len(ask)], "-q")...).Out, "fine")
			if found := ids.FindAllString(w.OnTerminal(80, "", ask...).Out, -1); len(found) > 0 {
				t.Errorf("on a terminal: %q", found)
			}
			if name == "damaged" {
				clitest.WantTexts(t, r.Err, "nothing is saved", "(store)")
				path := strings.TrimSpace(w.Must(0, "history", "path").Out)
				if clitest.ReadFile(t, path) != strings.Repeat("spoilt", 1000) {
					t.Error("the file was touched")
				}
				clitest.WantTexts(t, w.Must(1, "ask", "-C", "-m", "zeta", "continue").Err, "(store)")
				clitest.WantTexts(t, w.Must(1, "history", "show").Err, "(store)")
			}
		})
	}
}

// ask and run mark answers that a killed process left.
func TestAskSettlesWhatTheDeadLeft(t *testing.T) {
	s := clitest.NewRemote(t, clitest.Answering("fine"))
	w := clitest.RemoteWorld(t, s)
	w.Must(0, "ask", "-m", "zeta", "--session", "old", "fox")
	path := strings.TrimSpace(w.Must(0, "history", "path").Out)
	file := filepath.Join(w.Home, "suite.yaml")
	clitest.WriteFile(t, file, "providers: ['llm:zeta']\nprompts: [hi]\n", 0o600)
	for _, args := range [][]string{{"ask", "-m", "zeta", "another"}, {"run", "--allow-skipped", file}} {
		turn := leaveDead(t, path)
		w.Must(0, args...)
		left := clitest.Objects(t, w.Must(0, "history", "show", fmt.Sprintf("t%d", turn), "--json").Out)
		if left[0]["state"] != "interrupted" {
			t.Errorf("after %s: %v", args[0], left)
		}
	}
}

// leaveDead adds a turn whose answer a killed process left queued, and returns its number.
func leaveDead(t *testing.T, path string) (turn int64) {
	t.Helper()
	dead := history.CurrentProcess()
	dead.Boot = "an earlier one"
	store, err := sqlite.Open(t.Context(), path,
		sqlite.Options{Process: dead, Now: func() time.Time { return time.Now().Add(-time.Hour) }})
	must(t, err)
	left, err := store.AddTurnToSession(t.Context(), "", history.Turn{Prompt: "left",
		Answers: []history.Answer{{Model: "zeta", Kind: history.KindText, Sample: 1, State: history.Queued}}})
	must(t, err)
	must(t, store.Close())
	return left.ID
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
