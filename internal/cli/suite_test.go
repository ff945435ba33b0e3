package cli

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// suite writes a suite into the home folder and returns its path.
func (w *world) suite(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.home, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const echoes = `
prompts: [{id: say, raw: 'say {{word}}'}]
providers: [llm:zeta, {id: 'llm:delta', label: second}]
tests:
  - vars: {word: [yes, no]}
    assert: [{type: contains, value: 'yes'}]
`

func TestRunPrintsALineForEachAnswer(t *testing.T) {
	w := remoteWorld(t, newRemote(t, echo))
	path := w.suite("echoes.yaml", echoes)
	r := w.must(1, "run", path)
	lines := func(out string) (got []string) { // in no order: they come side by side
		for line := range strings.Lines(out) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			got = append(got, strings.Join(append(f[:7:7], f[8]), "|"))
		}
		slices.Sort(got)
		return got
	}
	got := lines(r.out)
	want := []string{
		`say|word=no|llm:zeta|1|done|0|1|contains "yes"`, `say|word=no|second|1|done|0|1|contains "yes"`,
		"say|word=yes|llm:zeta|1|done|1|1|", "say|word=yes|second|1|done|1|1|",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
	wantTexts(t, r.err, "echoes.yaml: 4 calls, 8 at once\n",
		`second, prompt say (word=no): check contains "yes" failed: `,
		"run 1: 2 passed, 2 failed, in session s1\n")
	// Nothing is missing, so nothing is asked; the outcome is the same.
	again := w.must(1, "run", path, "--resume")
	wantTexts(t, again.err, "0 calls, 4 answers of run 1 are kept", "run 1: 2 passed, 2 failed")
	if got := lines(again.out); !slices.Equal(got, want) {
		t.Errorf("gone on with it printed %q, want %q", got, want)
	}
	wantTexts(t, w.must(0, "history", "show", "t3").out, "say no\n\n==> t3 filled in <==\n- word: no\n\n==> a3 zeta")
	wantTexts(t, w.must(0, "history", "show", "t3", "--json").out, `"vars":{"word":"no"},"template":"say {{word}}"`)
	fine := w.suite("fine.yaml", "prompts: [yes]\nproviders: [llm:zeta]\n")
	if r := w.must(0, "run", "-q", fine); r.err != "confab: nothing was checked: this run has not passed\n" ||
		!strings.HasPrefix(r.out, "1\t\tllm:zeta\t1\tdone\t0\t0\t") {
		t.Errorf("stdout %q, stderr %q", r.out, r.err)
	}
}

// lineSeen is an output that tells when a line has come.
type lineSeen struct {
	transcript
	once sync.Once
	seen chan struct{}
}

func (l *lineSeen) Write(p []byte) (int, error) {
	n, err := l.transcript.Write(p)
	if strings.Contains(l.String(), "\n") {
		l.once.Do(func() { close(l.seen) })
	}
	return n, err
}

// TestRunPrintsAnswersAsTheyCome: the second call is not answered before the line
// of the first one is out.
func TestRunPrintsAnswersAsTheyCome(t *testing.T) {
	out := &lineSeen{seen: make(chan struct{})}
	w := remoteWorld(t, newRemote(t, func(rw http.ResponseWriter, r *http.Request, body map[string]string) {
		if body["prompt"] == "b" {
			select {
			case <-out.seen:
			case <-r.Context().Done(): // given up
				return
			}
		}
		echo(rw, r, body)
	}))
	path := w.suite("two.yaml", "prompts: [a, b]\nproviders: [llm:zeta]\nevaluateOptions: {maxConcurrency: 1}\n")
	if code := Run(t.Context(), []string{"run", "-q", "--timeout", "5s", path}, w.env(out, io.Discard)); code != 0 {
		t.Errorf("ended with %d after printing %q", code, out)
	}
	if got := out.String(); strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, "1\t\tllm:zeta\t1\tdone\t") {
		t.Errorf("printed %q", got)
	}
}

func TestRunWritesTheAnswers(t *testing.T) {
	w := remoteWorld(t, newRemote(t, echo))
	path := w.suite("echoes.yaml", echoes)
	for _, c := range []struct {
		file string
		want []string
	}{
		{"out.jsonl", []string{`"text":"say no"`, `"prompt_id":"say"`, `"verdict":"failed"`}},
		{"out.csv", []string{"var.word", `"check.contains ""yes"""`, "say no,done"}},
		{"out.md", []string{"| say no |", "1/1 checks"}},
		{"out.html", []string{"<!doctype html>", "say no"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			w := *w
			w.t = t
			file := filepath.Join(w.home, "new", c.file)
			r := w.must(1, "run", path, "-o", file)
			wantTexts(t, r.err, "written to "+file)
			wantTexts(t, read(t, file), c.want...)
			was := read(t, file)
			r = w.must(2, "run", path, "-o", file)
			wantTexts(t, r.err, "none is written over")
			if read(t, file) != was {
				t.Error("it was written over")
			}
		})
	}
}

// A turn of the embedded service, written as a suite, is run again and answered
// the same.
func TestATurnIsRunAsASuite(t *testing.T) {
	w := newWorld(t)
	path := w.suite("say.yaml", "prompts: ['say {{word}}']\nproviders: [llm:delta]\ntests: [{vars: {word: [one, two], "+
		"system: Be brief}}]\n")
	first := w.must(0, "run", path, "--json")
	again := filepath.Join(w.home, "again.yaml")
	if r := w.must(0, "history", "export", "t1", "-o", again); r.out != again+"\n" {
		t.Errorf("exported to %q", r.out)
	}
	wantTexts(t, read(t, again), "say {{word}}", "word: one", "word: two", "system: Be brief")
	second := w.must(0, "run", again, "--json")
	texts := func(out string) (all []string) {
		for _, o := range objects(t, out) {
			all = append(all, fmt.Sprint(o["prompt"], o["system"], o["text"]))
		}
		slices.Sort(all) // they come as they end
		return all
	}
	if got, want := texts(second.out), texts(first.out); len(want) != 2 || !slices.Equal(got, want) {
		t.Errorf("answered %q, want %q", got, want)
	}
	wantTexts(t, w.must(0, "history", "export", "t1", "--as", "suite", "-o", "-").out, "say {{word}}")
	wantTexts(t, w.must(2, "history", "export", "s1", "--as", "suite").err, "only a turn can be written as a suite")
}

func TestSpreadsheetSafe(t *testing.T) {
	w := remoteWorld(t, newRemote(t, echo))
	path := w.suite("sum.yaml", "prompts: ['=1+1']\nproviders: [llm:zeta]\n")
	plain, safe := filepath.Join(w.home, "plain.csv"), filepath.Join(w.home, "safe.csv")
	w.must(0, "run", path, "-o", plain)
	w.must(0, "run", path, "-o", safe, "--spreadsheet-safe")
	wantTexts(t, read(t, plain), ",=1+1,done")
	wantTexts(t, read(t, safe), "\ufeffrun,session,turn,cell", ",'=1+1,done")
	wantTexts(t, w.must(0, "history", "export", "t1", "--as", "csv", "--spreadsheet-safe", "-o", "-").out,
		",'=1+1,done")
	wantTexts(t, w.must(2, "history", "export", "t1", "--spreadsheet-safe").err, "--as csv")
	wantTexts(t, w.must(2, "run", path, "--spreadsheet-safe", "-o", "x.jsonl").err, "ends with .csv")
}

func TestRunPrintsJSON(t *testing.T) {
	const hostile = "yes \u009b31m\u202e <b>"
	w := remoteWorld(t,
		newRemote(t, func(rw http.ResponseWriter, _ *http.Request, _ map[string]string) { text(rw, hostile) }))
	r := w.must(0, "run", "--json", w.suite("echoes.yaml", echoes))
	got := objects(t, r.out)
	if len(got) != 4 {
		t.Fatalf("%d objects: %s", len(got), r.out)
	}
	for _, o := range got {
		if o["run"] != 1.0 || o["text"] != hostile || o["prompt_id"] != "say" || len(o["checks"].([]any)) != 1 ||
			o["state"] != "done" {
			t.Errorf("got %v", o)
		}
	}
	wantNoTexts(t, r.out, "\u009b", "\u202e", `\u003c`)
}

func TestRunShowsATable(t *testing.T) {
	s := newRemote(t, func(w http.ResponseWriter, r *http.Request, body map[string]string) {
		if strings.Contains(r.URL.Path, "oss") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		echo(w, r, body)
	})
	w := remoteWorld(t, s)
	r := w.onTerminal(100, "", "run",
		w.suite("echoes.yaml",
			strings.Replace(echoes, "providers: [", "providers: [llm:oss-20b, ", 1)), "--repeat", "2")
	if r.code != 1 {
		t.Fatalf("ended with %d: %s", r.code, r.out)
	}
	plain := strings.Join(strings.Fields(ansi.Strip(r.out)), " ")
	wantTexts(t, plain,
		"word oss-20b zeta second", "yes ! 0/2 ×2 ✓ 2/2 ×2 0.", `no ! 0/2 ×2 ✗ 0/2 contains "yes"`,
		"skipped ? unchecked ○ 0 ✓ 4 ! 2 ✓ 2 ✗ 2 ✓ 2 ✗", "median time",
	)
	// As many models as there are stand in several tables.
	r = w.onTerminal(80, "", "run", w.suite("many.yaml", "prompts: [yes]\nproviders: [llm:zeta]\n"), "-m",
		"zeta,delta,phi-2,alpha3.1-8b")
	if r.code != 0 || strings.Count(r.out, "median time") != 2 {
		t.Errorf("ended with %d: %s", r.code, r.out)
	}
}

func TestRunAsksBeforeManyCalls(t *testing.T) {
	const many = "prompts: [a]\nproviders: [llm:zeta]\nevaluateOptions: {repeat: 21}\n"
	for _, c := range []struct {
		name, typed string
		args        []string
		code, sent  int
	}{
		{"refused", "n\r", nil, 2, 0},
		{"agreed", "y\r", nil, 0, 21},
		{"agreed before", "", []string{"--yes"}, 0, 21},
		{"few", "", []string{"--repeat", "20"}, 0, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newRemote(t, echo)
			w := remoteWorld(t, s)
			r := w.onTerminal(80, c.typed, append([]string{"run", w.suite("many.yaml", many)}, c.args...)...)
			if r.code != c.code || len(s.bodies) != c.sent || strings.Contains(r.out, "Go on?") != (c.typed != "") {
				t.Errorf("ended with %d after %d calls: %s", r.code, len(s.bodies), r.out)
			}
		})
	}
	for _, c := range []struct {
		name, typed string
		args        []string
		code, sent  int
	}{
		{"refused", "n\r", []string{"--samples", "11"}, 2, 0},
		{"agreed", "y\r", []string{"--samples", "11"}, 0, 22},
		{"agreed before", "", []string{"--samples", "11", "--yes"}, 0, 22},
		{"few", "", []string{"--samples", "10"}, 0, 20},
	} {
		t.Run("ask "+c.name, func(t *testing.T) {
			s := newRemote(t, echo)
			w := remoteWorld(t, s)
			r := w.onTerminal(80, c.typed, append([]string{"ask", "-m", "zeta,delta", "hello"}, c.args...)...)
			if r.code != c.code || len(s.bodies) != c.sent || strings.Contains(r.out, "Go on?") != (c.typed != "") {
				t.Errorf("ended with %d after %d calls: %s", r.code, len(s.bodies), r.out)
			}
		})
	}
	w := remoteWorld(t, newRemote(t, echo))
	w.must(0, "run", w.suite("many.yaml", many)) // no terminal to ask on
}

func TestRunIsInterruptedAndGoesOn(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal os.Signal
	}{{"ctrl+c", os.Interrupt}, {"told to end", syscall.SIGTERM}} {
		t.Run(c.name, func(t *testing.T) {
			var w *world
			var mu sync.Mutex
			asked := map[string]int{}
			stop := true
			s := newRemote(t, func(rw http.ResponseWriter, r *http.Request, body map[string]string) {
				mu.Lock()
				asked[body["prompt"]]++
				now := stop && len(asked) == 4
				mu.Unlock()
				if now {
					w.signals <- c.signal
					<-r.Context().Done()
					return
				}
				echo(rw, r, body)
			})
			w = remoteWorld(t, s)
			path := w.suite("it's.yaml", "prompts: [a, b, c, d, e, f]\nproviders: [llm:delta]\nevaluateOptions: "+
				"{maxConcurrency: 1}\n")
			out := filepath.Join(w.home, "out.csv")
			r := w.must(130, "run", path, "-o", out, "-m", "zeta")
			wantTexts(t, r.err, "0 passed, 3 unchecked, 3 missing",
				`continue with: confab run '`+w.home+`/it'\''s.yaml' --resume -o `+w.home+"/out-2.csv\n")
			if n := strings.Count(read(t, out), "\r\n"); n < 4 {
				t.Errorf("the file has %d lines", n)
			}
			mu.Lock()
			stop = false
			mu.Unlock()
			w.signals = make(chan os.Signal, 2)
			r = w.must(0, "run", path, "--resume", "-o", filepath.Join(w.home, "out-2.csv"))
			wantTexts(t, r.err, "3 calls, 3 answers of run 1 are kept", "run 1: 0 passed, 6 unchecked")
			if n := strings.Count(read(t, filepath.Join(w.home, "out-2.csv")), "\r\n"); n != 7 {
				t.Errorf("the second file has %d lines, want 7", n)
			}
			for _, p := range []string{"a", "b", "c", "e", "f"} {
				if asked[p] != 1 {
					t.Errorf("%s was asked %d times", p, asked[p])
				}
			}
			if asked["d"] != 2 {
				t.Errorf("the interrupted one was asked %d times", asked["d"])
			}
		})
	}
}

func TestRunOffline(t *testing.T) {
	w := newWorld(t)
	if err := os.WriteFile(filepath.Join(w.home, "s.txt"), []byte("first {{v}}\n---\nsecond"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.must(0, "ask", "-q", "-m", "sim-image", "-o", filepath.Join(w.home, "fox.png"), "a fox")
	path := w.suite("all.yaml", `
prompts: ['file://s.txt', {id: blur, raw: blur it}]
providers:
  - {id: 'llm:zeta', prompts: [s.txt]}
  - {id: 'image:sim-image', prompts: [s.txt], config: {nonce: new, aspect_ratio: '16:9'}}
  - {id: 'edit:imageedit', prompts: [blur], config: {imageUrl: fox.png}}
tests:
  - vars: {v: [x, y]}
    x-checks: [{type: image-min-px, value: 200}, {type: not-same-as, value: source}]
`)
	r := w.must(0, "run", path, "-o", filepath.Join(w.home, "all.html"))
	wantTexts(t, r.err, "10 calls", "2 passed, 8 skipped",
		"skipped 4 times: image-min-px 200 (the answer is no picture)")
	wantTexts(t, read(t, filepath.Join(w.home, "all.html")), "data:image/png;base64,")
	list := w.must(0, "run", "--list").out
	wantTexts(t, list, "1\tall\ttoday ", "10/10\t2\t0\t8\t0\t\t\n")
	if got := objects(t, w.must(0, "run", "--list", path, "--json").out); len(got) != 1 || got[0]["suite"] != "all" ||
		got[0]["answered"] != 10.0 {
		t.Errorf("list %v", got)
	}
}

func TestRunCompares(t *testing.T) {
	word := "yes"
	w := remoteWorld(t,
		newRemote(t, func(rw http.ResponseWriter, _ *http.Request, _ map[string]string) { text(rw, "I say "+word) }))
	path := w.suite("one.yaml", "prompts: [{id: p, raw: a}]\nproviders: [llm:zeta, llm:delta]\ndefaultTest: {assert: "+
		"[{type: contains, value: 'yes'}]}\n")
	w.must(0, "run", path)
	word = "no"
	w.must(1, "run", path, "-m", "zeta")
	r := w.must(0, "run", "--compare", "1", "r2")
	wantTexts(t, r.out, "p\tzeta\tanother text, similarity .66; check contains \"yes\": passed → failed",
		"p\tdelta\tgone: only run 1 has it, answered\n")
	wantTexts(t, r.err, "0 same, 1 differ, 1 check fell, 1 gone, median time")
	got := objects(t, w.must(0, "run", "--compare", "1", "2", "--json").out)
	if len(got) != 2 || got[0]["answer_changed"] != true ||
		got[0]["checks"].([]any)[0].(map[string]any)["b"] != "failed" || got[1]["b"] != nil {
		t.Errorf("got %v", got)
	}
	same := w.must(0, "run", "--compare", "1", "1")
	if same.out != "" {
		t.Errorf("a run compared with itself: %s", same.out)
	}
	wantTexts(t, w.must(2, "run", "--compare", "1", "7").err, "there is no run 7")
}

func TestRunExportsForPromptfoo(t *testing.T) {
	w := remoteWorld(t, newRemote(t, echo))
	file := filepath.Join(w.home, "promptfooconfig.yaml")
	r := w.must(0, "run", w.suite("echoes.yaml", echoes), "--export-promptfoo", file)
	if r.out != file+"\n" || r.err != "" {
		t.Errorf("stdout %q, stderr %q", r.out, r.err)
	}
	wantTexts(t, read(t, file), "{{env.CONFAB_API_KEY}}", "/api/llm/zeta", "http://127.0.0.1:")
	wantNoTexts(t, read(t, file), "key-for-tests-0001")
	wantTexts(t, w.must(2, "run", filepath.Join(w.home, "echoes.yaml"), "--export-promptfoo", file).err,
		"none is written over")
}

func TestRunRefusesWrongUse(t *testing.T) {
	s := newRemote(t, func(http.ResponseWriter, *http.Request, map[string]string) { t.Error("something was sent") })
	for _, c := range []struct {
		name  string
		suite string
		args  []string
		want  string
	}{
		{"no suite", "", nil, "takes a suite"},
		{"two suites", "", []string{"a.yaml", "b.yaml"}, "one suite at a time"},
		{"a suite that is not there", "", []string{"a.yaml"}, "a.yaml"},
		{"no YAML", "prompts: [", []string{"SUITE"}, "line 1"},
		{"no such model", "prompts: [a]\nproviders: [llm:nope]\n", []string{"SUITE"}, "nope"},
		{"no such model named", "prompts: [a]\nproviders: [llm:zeta]\n", []string{"SUITE", "-m", "nope"}, "nope"},
		{"no value", "prompts: ['{{a}}']\nproviders: [llm:zeta]\n", []string{"SUITE"}, "a"},
		{"nothing to continue", "prompts: [a]\nproviders: [llm:zeta]\n", []string{"SUITE", "--resume"},
			"no run of this suite"},
		{"a format that is none", "prompts: [a]\nproviders: [llm:zeta]\n", []string{"SUITE", "-o", "out.pdf"},
			".jsonl, .csv, .md or .html"},
		{"too many at once", "", []string{"a.yaml", "--concurrency", "65"}, "1 to 64"},
		{"one run to compare", "", []string{"--compare", "1"}, "two runs"},
		{"a run that is no number", "", []string{"--compare", "1", "last"}, "not the number of a run"},
		{"two modes", "", []string{"--compare", "--list", "1", "2"}, "exclude each other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := remoteWorld(t, s)
			path := w.suite("s.yaml", c.suite)
			args := []string{"run"}
			for _, a := range c.args {
				args = append(args, strings.ReplaceAll(a, "SUITE", path))
			}
			r := w.must(2, args...)
			wantTexts(t, r.err, c.want)
			if r.out != "" || strings.Count(r.err, "\n") != 1 {
				t.Errorf("stdout %q, stderr %q: want one line on stderr", r.out, r.err)
			}
		})
	}
}
