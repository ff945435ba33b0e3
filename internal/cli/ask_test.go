package cli_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

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
	if err := os.WriteFile(file, []byte("from a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(path string) *os.File {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
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
	if err := os.WriteFile(there, []byte("keep me"), 0o600); err != nil {
		t.Fatal(err)
	}
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
		{"unknown flag", []string{"ask", "--nope", "x"},
			"unknown flag: --nope; confab ask --help shows the flags (usage)"},
		{"a flag without a value", []string{"ask", "-m"}, "flag needs an argument"},
		{"a number that is none", []string{"ask", "--samples", "x", "y"}, "invalid argument"},
		{"too many samples", []string{"ask", "--samples", "101", "y"}, "1 to 100"},
		{"two sessions", []string{"ask", "-C", "--session", "a", "y"}, "exclude each other"},
		{"no session to continue", []string{"ask", "-C", "y"}, "no session yet"},
		{"context of nothing", []string{"ask", "--context", "y"}, "--context needs the session"},
		{"a picture for no editor", []string{"ask", "-m", "zeta", "--image", "https://x.example/y.png", "y"},
			"zeta cannot look at pictures here"},
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
		{"two pictures", []string{"ask", "-m", "imageedit", "--image", "a.png", "--image", "b.png", "y"},
			"--image takes one picture; 2 were given"},
		{"a picture from standard input", []string{"ask", "-m", "imageedit", "--image", "-", "y"},
			"not standard input"},
		{"a device", []string{"ask", "-m", "zeta", "-o", os.DevNull, "y"}, "-o - writes to standard output"},
		{"a file that is there", []string{"ask", "-o", there, "y"}, "none is written over"},
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
	s := clitest.NewRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
		clitest.AnswerText(w,
			hostile)
	})
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
	s := clitest.NewRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
		clitest.AnswerText(w, "# Head\n\nSome **bold** text \u009b31m\x1b]0;PWNED\a.\n")
	})
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
		{"--help"}, {"help", "ask"}, {"themes", "show", "nord-like"}, {"models"}, {"history", "show"}, {"config",
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
	s := clitest.NewRemote(t, func(w http.ResponseWriter, _ *http.Request, _ map[string]string) {
		clitest.AnswerText(w,
			"**bold**")
	})
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
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
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
	w.Must(0, "ask", "-m", "zeta", "--session", "my talk", "first")
	w.Must(0, "ask", "-m", "zeta", "another session")
	w.Must(0, "ask", "-m", "zeta", "--session", "my talk", "second")
	w.Must(0, "ask", "-m", "zeta", "--session", "s1", "third")
	w.Must(0, "ask", "-m", "zeta", "-C", "--context", "fourth")
	clitest.WantTexts(t, s.Last(t)["prompt"], "first", "second", "third", "fourth")
	clitest.WantNoTexts(t, s.Last(t)["prompt"], "another")
	got := clitest.Objects(t, w.Must(0, "history", "list", "--json").Out)
	if len(got) != 2 || got[0]["name"] != "my talk" || got[0]["turns"] != 4.0 {
		t.Errorf("sessions: %v", got)
	}
	clitest.WantTexts(t, w.Must(2, "ask", "-m", "zeta", "--session", "s99", "x").Err, `there is no session "s99"`)
}
