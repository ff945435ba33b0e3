package cli_test

import (
	"encoding/json"
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

	"confab/internal/cli"
	"confab/internal/cli/clitest"
)

func TestRunPrintsALineForEachAnswer(t *testing.T) {
	w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
	path := w.Suite("echoes.yaml", clitest.Echoes)
	r := w.Must(1, "run", path)
	lines := func(out string) (got []string) { // in no order: they come side by side
		for line := range strings.Lines(out) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			got = append(got, strings.Join(append(f[:7:7], f[8]), "|"))
		}
		slices.Sort(got)
		return got
	}
	got := lines(r.Out)
	want := []string{
		`say|word=no|llm:zeta|1|done|0|1|contains "yes"`, `say|word=no|second|1|done|0|1|contains "yes"`,
		"say|word=yes|llm:zeta|1|done|1|1|", "say|word=yes|second|1|done|1|1|",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
	clitest.WantTexts(t, r.Err, "echoes.yaml: 4 calls, 8 at once\n",
		`second, prompt say (word=no): ✗ needs "yes"`,
		"run 1: 2 passed, 2 failed, in session s1; pass rate 50 % (15–85 %)\n")
	// Nothing is missing, so nothing is asked; the outcome is the same.
	again := w.Must(1, "run", path, "--resume")
	clitest.WantTexts(t, again.Err, "0 calls, 4 answers of run 1 are kept", "run 1: 2 passed, 2 failed")
	if got := lines(again.Out); !slices.Equal(got, want) {
		t.Errorf("gone on with it printed %q, want %q", got, want)
	}
	for what, want := range map[string]string{"failed": "2 calls, 2 answers", "all": "4 calls, 0 answers",
		"2": "2 calls, 2 answers", "2,1": "1 call, 3 answers"} {
		clitest.WantTexts(t, w.Must(0, "run", path, "--again", what, "--dry-run").Out, want+" of run 1")
	}
	clitest.WantTexts(t, w.Must(2, "run", path, "--again", "0").Err, "a row such as 2")
	clitest.WantTexts(t, w.Must(2, "run", path, "--again", "7").Err, "the table has no cell in row 7")
	clitest.WantTexts(t, w.Must(2, "run", path, "--again", "1,9").Err, "no cell in row 1 and column 9")
	clitest.WantTexts(t, w.Must(1, "run", path, "--again", "failed").Err, "2 calls, 2 answers of run 1 are kept",
		"run 1: 2 passed, 2 failed")
	clitest.WantTexts(t, w.Must(0, "history", "show", "t3").Out,
		"say no\n\n==> t3 filled in <==\n- word: no\n\n==> a3 zeta")
	clitest.WantTexts(t, w.Must(0, "history", "show", "t3", "--json").Out,
		`"vars":{"word":"no"},"template":"say {{word}}"`)
	fine := w.Suite("fine.yaml", "prompts: [yes]\nproviders: [llm:zeta]\n")
	if r := w.Must(1, "run", "-q", fine); r.Err !=
		"confab: nothing was checked, because the suite has no checks: this run has not passed; "+
			"add checks (confab help suites), or give --allow-skipped\n" ||
		!strings.HasPrefix(r.Out, "1\t\tllm:zeta\t1\tdone\t0\t0\t") {
		t.Errorf("stdout %q, stderr %q", r.Out, r.Err)
	}
}

// lineSeen is an output that tells when a line has come.
type lineSeen struct {
	clitest.Transcript
	once sync.Once
	seen chan struct{}
}

func (l *lineSeen) Write(p []byte) (int, error) {
	n, err := l.Transcript.Write(p)
	if strings.Contains(l.String(), "\n") {
		l.once.Do(func() { close(l.seen) })
	}
	return n, err
}

// TestRunPrintsAnswersAsTheyCome: the second call is not answered before the line
// of the first one is out.
func TestRunPrintsAnswersAsTheyCome(t *testing.T) {
	out := &lineSeen{seen: make(chan struct{})}
	w := clitest.RemoteWorld(t, clitest.NewRemote(t, func(rw http.ResponseWriter, r *http.Request,
		body map[string]string) {
		if body["prompt"] == "b" {
			select {
			case <-out.seen:
			case <-r.Context().Done(): // given up
				return
			}
		}
		clitest.Echo(rw, r, body)
	}))
	path := w.Suite("two.yaml", "prompts: [a, b]\nproviders: [llm:zeta]\nevaluateOptions: {maxConcurrency: 1}\n")
	if code := cli.Run(t.Context(), []string{"run", "-q", "--timeout", "5s", path}, w.Env(out, io.Discard)); code != 1 {
		t.Errorf("ended with %d after printing %q", code, out)
	}
	if got := out.String(); strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, "1\t\tllm:zeta\t1\tdone\t") {
		t.Errorf("printed %q", got)
	}
}

func TestRunWritesTheAnswers(t *testing.T) {
	w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
	path := w.Suite("echoes.yaml", clitest.Echoes)
	for name, want := range map[string]string{"out.jsonl": `"verdict":"failed"`, "out.csv": "say no,done",
		"out.md": "| say no |", "out.html": "<!doctype html>"} {
		file := filepath.Join(w.Home, "new", name)
		clitest.WantTexts(t, w.Must(1, "run", path, "-o", file).Err, "written to "+file)
		clitest.WantTexts(t, clitest.ReadFile(t, file), want)
		clitest.WriteFile(t, file, "the report of an earlier run", 0o644)
		w.Must(1, "run", path, "-o", file)
		clitest.WantTexts(t, clitest.ReadFile(t, file), want)
		clitest.WantNoTexts(t, clitest.ReadFile(t, file), "an earlier run")
	}
}

func TestATurnIsExportedAsASuite(t *testing.T) {
	w := clitest.NewWorld(t)
	w.Must(1, "run", w.Suite("say.yaml", "prompts: ['say {{word}}']\nproviders: [llm:delta]\n"+
		"tests: [{vars: {word: [one, two], system: Be brief}}]\n"))
	again := filepath.Join(w.Home, "again.yaml")
	if r := w.Must(0, "history", "export", "t1", "-o", again); r.Out != again+"\n" {
		t.Errorf("exported to %q", r.Out)
	}
	clitest.WantTexts(t, clitest.ReadFile(t, again), "say {{word}}", "word: one", "system: Be brief")
	w.Must(1, "run", again)
	clitest.WantTexts(t, w.Must(0, "history", "export", "t1", "--as", "suite", "-o", "-").Out, "say {{word}}")
	clitest.WantTexts(t, w.Must(2, "history", "export", "s1", "--as", "suite").Err,
		"only a turn or a run can be written as a suite")
}

func TestCSVHoldsNoFormulas(t *testing.T) {
	w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
	path := w.Suite("sum.yaml", "prompts: ['=1+1']\nproviders: [llm:zeta]\n")
	plain, safe := filepath.Join(w.Home, "plain.csv"), filepath.Join(w.Home, "safe.csv")
	w.Must(1, "run", path, "-o", plain, "--csv-exact")
	w.Must(1, "run", path, "-o", safe)
	clitest.WantTexts(t, clitest.ReadFile(t, plain), ",=1+1,done")
	clitest.WantTexts(t, clitest.ReadFile(t, safe), "\ufeffrun,session,turn,cell", ",'=1+1,done")
	clitest.WantTexts(t, w.Must(0, "history", "export", "t1", "--as", "csv", "-o", "-").Out,
		",'=1+1,done")
	clitest.WantTexts(t, w.Must(2, "history", "export", "t1", "--csv-exact").Err, "--as csv")
	clitest.WantTexts(t, w.Must(2, "run", path, "--csv-exact", "-o", "x.jsonl").Err, "ends with .csv")
}

func TestRunPrintsJSON(t *testing.T) {
	const hostile = "yes \u009b31m\u202e <b>"
	w := clitest.RemoteWorld(t,
		clitest.NewRemote(t, clitest.Answering(hostile)))
	r := w.Must(0, "run", "--json", w.Suite("echoes.yaml", clitest.Echoes))
	got := clitest.Objects(t, r.Out)
	if len(got) != 4 {
		t.Fatalf("%d objects: %s", len(got), r.Out)
	}
	for _, o := range got {
		if o["run"] != 1.0 || o["text"] != hostile || o["prompt_id"] != "say" || len(o["checks"].([]any)) != 1 ||
			o["state"] != "done" {
			t.Errorf("got %v", o)
		}
	}
	clitest.WantNoTexts(t, r.Out, "\u009b", "\u202e", `\u003c`)
}

func TestRunShowsATable(t *testing.T) {
	s := clitest.NewRemote(t, func(w http.ResponseWriter, r *http.Request, body map[string]string) {
		if strings.Contains(r.URL.Path, "oss") {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		clitest.Echo(w, r, body)
	})
	w := clitest.RemoteWorld(t, s)
	r := w.OnTerminal(100, "", "run",
		w.Suite("echoes.yaml",
			strings.Replace(clitest.Echoes, "providers: [", "providers: [llm:oss-20b, ", 1)), "--repeat", "2")
	if r.Code != 1 {
		t.Fatalf("ended with %d: %s", r.Code, r.Out)
	}
	plain := strings.Join(strings.Fields(ansi.Strip(r.Out)), " ")
	clitest.WantTexts(t, plain,
		"word oss-20b zeta second", "yes ! 0/2 ×2 ✓ 2/2 ×2 0.", "no ! 0/2 ×2 ✗ 0/2 0.", `needs "yes"`,
		"passed none judged, 4 errors 2 of 4, 50 % (15–85 %) 2 of 4, 50 % (15–85 %)", "median time",
	)
	// As many models as there are stand in several tables.
	r = w.OnTerminal(56, "", "run", w.Suite("many.yaml", "prompts: [yes]\nproviders: [llm:zeta]\n"), "-m",
		"zeta,delta,phi-2,alpha3.1-8b")
	if r.Code != 1 || strings.Count(r.Out, "median time") != 2 {
		t.Errorf("ended with %d: %s", r.Code, r.Out)
	}
}

func TestRunAsksBeforeManyCalls(t *testing.T) {
	const many = "prompts: [a]\nproviders: [llm:zeta]\nevaluateOptions: {repeat: 21}\n" +
		"tests: [{assert: [{type: contains, value: a}]}]\n"
	run, ask := []string{"run", "SUITE"}, []string{"ask", "-m", "zeta,delta", "hello"}
	for _, c := range []struct {
		name, typed string
		args        []string
		code, sent  int
	}{
		{"refused", "n\r", run, 2, 0},
		{"agreed", "y\r", run, 0, 21},
		{"agreed before", "", append(run, "--yes"), 0, 21},
		{"few", "", append(run, "--repeat", "20"), 0, 20},
		{"ask refused", "n\r", append(ask, "--samples", "11"), 2, 0},
		{"ask agreed", "y\r", append(ask, "--samples", "11"), 0, 22},
		{"ask agreed before", "", append(ask, "--samples", "11", "--yes"), 0, 22},
		{"ask few", "", append(ask, "--samples", "10"), 0, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := clitest.NewRemote(t, clitest.Echo)
			w := clitest.RemoteWorld(t, s)
			args := slices.Clone(c.args)
			if args[1] == "SUITE" {
				args[1] = w.Suite("many.yaml", many)
			}
			r := w.OnTerminal(80, c.typed, args...)
			if r.Code != c.code || len(s.Bodies) != c.sent || strings.Contains(r.Out, "Go on?") != (c.typed != "") {
				t.Errorf("ended with %d after %d calls: %s", r.Code, len(s.Bodies), r.Out)
			}
		})
	}
	w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
	w.Must(0, "run", w.Suite("many.yaml", many)) // no terminal to ask on
}

func TestRunIsInterruptedAndGoesOn(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal os.Signal
	}{{"ctrl+c", os.Interrupt}, {"told to end", syscall.SIGTERM}} {
		t.Run(c.name, func(t *testing.T) {
			var w *clitest.World
			var mu sync.Mutex
			asked := map[string]int{}
			stop := true
			s := clitest.NewRemote(t, func(rw http.ResponseWriter, r *http.Request, body map[string]string) {
				mu.Lock()
				asked[body["prompt"]]++
				now := stop && len(asked) == 4
				mu.Unlock()
				if now {
					w.Signals <- c.signal
					<-r.Context().Done()
					return
				}
				clitest.Echo(rw, r, body)
			})
			w = clitest.RemoteWorld(t, s)
			path := w.Suite("it's.yaml", "prompts: [a, b, c, d, e, f]\nproviders: [llm:delta]\nevaluateOptions: "+
				"{maxConcurrency: 1}\n")
			out := filepath.Join(w.Home, "out.csv")
			r := w.Must(130, "run", path, "-o", out, "-m", "zeta")
			clitest.WantTexts(t, r.Err, "0 passed, 3 unchecked, 3 missing",
				`continue with: confab run '`+w.Home+`/it'\''s.yaml' --resume -o `+out+"\n")
			if n := strings.Count(clitest.ReadFile(t, out), "\r\n"); n < 4 {
				t.Errorf("the file has %d lines", n)
			}
			mu.Lock()
			stop = false
			mu.Unlock()
			w.Signals = make(chan os.Signal, 2)
			r = w.Must(1, "run", path, "--resume", "-o", out)
			clitest.WantTexts(t, r.Err, "3 calls, 3 answers of run 1 are kept",
				"run 1: 0 passed, 6 unchecked")
			if n := strings.Count(clitest.ReadFile(t, out), "\r\n"); n != 7 {
				t.Errorf("the file in its place has %d lines, want 7", n)
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
	w := clitest.NewWorld(t)
	clitest.WriteFile(t, filepath.Join(w.Home, "s.txt"), "first {{v}}\n---\nsecond", 0o600)
	w.Must(0, "ask", "-q", "-m", "sim-image", "-o", filepath.Join(w.Home, "fox.png"), "a fox")
	path := w.Suite("all.yaml", `
prompts: ['file://s.txt', {id: blur, raw: blur it}]
providers:
  - {id: 'llm:zeta', prompts: [s.txt]}
  - {id: 'image:sim-image', prompts: [s.txt], config: {nonce: new, aspect_ratio: '16:9'}}
  - {id: 'edit:imageedit', prompts: [blur], config: {imageUrl: fox.png}}
tests:
  - vars: {v: [x, y]}
    x-checks: [{type: image-min-px, value: 200}, {type: not-same-as, value: source}]
`)
	r := w.Must(1, "run", path, "-o", filepath.Join(w.Home, "all.html"))
	clitest.WantTexts(t, r.Err, "10 calls", "2 passed, 8 inconclusive (8 skipped)",
		"skipped 4 times: at least 200 px (the answer is no picture)")
	clitest.WantTexts(t, clitest.ReadFile(t, filepath.Join(w.Home, "all.html")), "data:image/png;base64,")
	list := w.Must(0, "run", "--list").Out
	clitest.WantTexts(t, list, "1\tall\ttoday ", "10/10\t2\t0\t0\t8\t\t\n")
	if got := clitest.Objects(t, w.Must(0, "run", "--list", path,
		"--json").Out); len(got) != 1 || got[0]["suite"] != "all" || got[0]["answered"] != 10.0 {
		t.Errorf("list %v", got)
	}
}

func TestRunCompares(t *testing.T) {
	word := "yes"
	w := clitest.RemoteWorld(t,
		clitest.NewRemote(t, func(rw http.ResponseWriter, _ *http.Request, _ map[string]string) {
			clitest.AnswerText(rw, "I say "+word)
		}))
	path := w.Suite("one.yaml", "prompts: [{id: p, raw: a}]\nproviders: [llm:zeta, llm:delta]\ndefaultTest: {assert: "+
		"[{type: contains, value: 'yes'}]}\n")
	w.Must(0, "run", path)
	word = "no"
	w.Must(1, "run", path, "-m", "zeta")
	r := w.Must(0, "run", "--compare", "1", "r2")
	clitest.WantTexts(t, r.Out,
		"p\tzeta\tnow fails: ✗ needs \"yes\"", "; other text, 66 % same wording; ",
		"p\tdelta\tgone: only run 1 has it, answered\n")
	clitest.WantTexts(t, r.Err, "1 now fails: could be chance (p = 1.00); "+
		"1 of 1 text differs, 1 gone, 1 check now fails, median time", "check contains: 1 now fails")
	got := clitest.Objects(t, w.Must(0, "run", "--compare", "1", "2", "--json").Out)
	if len(got) != 3 || got[2]["verdicts"].(map[string]any)["worse"] != 1.0 || got[0]["answer_changed"] != true ||
		got[0]["checks"].([]any)[0].(map[string]any)["b"] != "failed" || got[1]["b"] != nil {
		t.Errorf("got %v", got)
	}
	same := w.Must(0, "run", "--compare", "1", "1")
	if same.Out != "" {
		t.Errorf("a run compared with itself: %s", same.Out)
	}
	clitest.WantTexts(t, w.Must(2, "run", "--compare", "1", "7").Err, "there is no run 7")
}

func TestRunRefusesWrongUse(t *testing.T) {
	s := clitest.NewRemote(t, func(http.ResponseWriter, *http.Request,
		map[string]string) {
		t.Error("something was sent")
	})
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
			".jsonl, .csv, .md, .html or .xml"},
		{"too many at once", "", []string{"a.yaml", "--concurrency", "65"}, "1 to 64"},
		{"one run to compare", "", []string{"--compare", "1"}, "two runs"},
		{"a run that is no number", "", []string{"--compare", "1", "last"}, "not the number of a run"},
		{"two modes", "", []string{"--compare", "--list", "1", "2"}, "exclude each other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := clitest.RemoteWorld(t, s)
			path := w.Suite("s.yaml", c.suite)
			args := []string{"run"}
			for _, a := range c.args {
				args = append(args, strings.ReplaceAll(a, "SUITE", path))
			}
			r := w.Must(2, args...)
			clitest.WantTexts(t, r.Err, c.want)
			if r.Out != "" || strings.Count(r.Err, "\n") != 1 {
				t.Errorf("stdout %q, stderr %q: want one line on stderr", r.Out, r.Err)
			}
		})
	}
}

// TestEarlierVerdictsAreKept continues a run after its suite's checks have changed, twice: what was judged before is
// said, and is in every file.
func TestEarlierVerdictsAreKept(t *testing.T) {
	t.Parallel()
	w := clitest.NewWorld(t)
	write := func(check string) string {
		return w.Suite("tone.yaml", "prompts: [one, two]\nproviders: [llm:zeta]\ndefaultTest: {assert: [{type: "+
			check+"}]}\n")
	}
	path := write("not-contains, value: zebra")
	w.Must(0, "run", path)
	if r := w.Must(0, "run", path, "--resume"); strings.Contains(r.Err, "differently") {
		t.Errorf("the same checks: stderr %q", r.Err)
	}
	write("contains, value: zebra")
	clitest.WantTexts(t, w.Must(1, "run", path, "--resume").Err,
		"2 answers judged differently than before; what was said before is kept\n")
	r := w.Must(1, "run", path, "--again", "checks")
	clitest.WantTexts(t, r.Err, "0 calls, 2 answers of run 1 are kept", "run 1: 0 passed, 2 failed")
	write("not-contains, value: horse")
	r = w.Must(0, "run", path, "--again", "checks")
	clitest.WantTexts(t, r.Err, "0 calls", "llm:zeta, prompt 1: failed before, passed now", "2 answers judged diff")
	write("contains, value: zebra")
	w.Must(1, "run", path, "--again", "checks")
	write("not-contains, value: giraffe")
	for _, ext := range []string{"jsonl", "csv", "md", "html"} {
		out := filepath.Join(w.Home, "out."+ext)
		r := w.Must(0, "run", path, "--resume", "-o", out)
		if strings.Contains(r.Err, "2 answers judged differently") != (ext == "jsonl") { // the first of them
			t.Errorf("%s: stderr %q", ext, r.Err)
		}
		want := map[string][]string{
			"jsonl": {`"verdict":"passed"`, `"earlier_verdict":"passed, failed, passed, failed"`,
				`"earlier_checks":[[{"name":"not-contains \"zebra\"","verdict":"passed"`},
			"csv":  {",earlier verdict", `,"passed, failed, passed, failed"`},
			"md":   {"passed (judged before: passed, failed, passed, failed)"},
			"html": {"passed (judged before: passed, failed, passed, failed)"},
		}[ext]
		clitest.WantTexts(t, clitest.ReadFile(t, out), want...)
	}
}

func TestARunTellsOfItsEngines(t *testing.T) {
	s := clitest.StartStub(t)
	w := clitest.NewWorld(t)
	w.Configure(`
[engines.local]
url = "` + s.Base() + `"
[[routes]]
models = ["zeta"]
engine = "local"
`)
	path := w.Suite("s.yaml", clitest.Echoes)
	r := w.Must(1, "run", path, "-o", filepath.Join(w.Home, "out.jsonl"))
	clitest.WantTexts(t, r.Err, "2 answers were simulated by the offline engine")
	lines := clitest.Objects(t, clitest.ReadFile(t, filepath.Join(w.Home, "out.jsonl")))
	if len(lines) != 4 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, l := range lines {
		want := map[string]string{"zeta": "local", "delta": "offline"}[l["model"].(string)]
		if l["engine"] != want {
			t.Errorf("%v: %v", l["model"], l["engine"])
		}
	}
	clitest.WantNoTexts(t, clitest.NewWorld(t).Must(0, "ask", "-m", "zeta", "x").Err, "simulated")
}

// TestRunWithoutJudgementHasNotPassed: what nothing judged is never said to have passed, and fails unless that is
// allowed.
func TestRunWithoutJudgementHasNotPassed(t *testing.T) {
	const head = "prompts: [yes]\nproviders: [llm:zeta]\n"
	const judged = "tests:\n  - assert: [{type: contains, value: 'yes'}]\n"
	for _, tt := range []struct {
		name, suite   string
		flags         []string
		code, allowed int
		verdict       string
		said          []string
	}{
		{"all checked", head + judged, nil, 0, 0, "passed", []string{"1 passed, in session"}},
		{"a failed check", head + strings.Replace(judged, "'yes'", "'no'", 1), nil, 1, 1, "failed",
			[]string{"0 passed, 1 failed"}},
		{"no check at all", head, nil, 1, 0, "unchecked",
			[]string{"0 passed, 1 unchecked", "nothing was checked, because the suite has no checks"}},
		{"no check by an empty list", head + "tests:\n  - assert: []\n", nil, 1, 0, "unchecked",
			[]string{"nothing was checked"}},
		{"only skipped checks", head + "tests:\n  - assert: [{type: llm-rubric, value: polite}]\n", nil, 1, 0,
			"skipped",
			[]string{"0 passed, 1 inconclusive (1 skipped)", "nothing was checked: this run",
				`skipped 1 time: rubric "polite" (no grader is named)`}},
		{"a skipped check next to one that passed",
			head + strings.Replace(judged, "[", "[{type: bleu, value: x}, ", 1), nil, 1, 0, "skipped",
			[]string{"0 passed, 1 inconclusive (1 skipped)", "1 answer has skipped checks: this run has not passed",
				`skipped 1 time: bleu "x" (confab does not judge bleu)`}},
		{"a provider with a transform", strings.Replace(head, "llm:zeta", "{id: llm:zeta, transform: x}", 1) + judged,
			nil, 1, 0, "skipped", []string{"its provider has a transform"}},
		{"a test without checks next to one with", head + judged + "  - {}\n", nil, 1, 0, "",
			[]string{"1 passed, 1 unchecked", "1 answer was not checked: the suite has no"}},
		{"a test for a model that is not asked",
			strings.Replace(head, "llm:zeta", "llm:zeta, llm:delta", 1) + judged + "  - {providers: ['llm:delta']}\n",
			[]string{"-m", "zeta"}, 1, 0, "passed", []string{"1 test was not run: none of the prompts and models is " +
				"for them"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := clitest.RemoteWorld(t, clitest.NewRemote(t, clitest.Echo))
			path := w.Suite("s.yaml", tt.suite)
			args := append([]string{"run", path}, tt.flags...)
			r := w.Must(tt.code, args...)
			clitest.WantTexts(t, r.Err, tt.said...)
			if tt.verdict != "" {
				clitest.WantTexts(t, r.Out, "\t"+tt.verdict+"\t")
				line := clitest.Objects(t, w.Must(tt.code, append(args, "--json")...).Out)[0]
				if line["verdict"] != tt.verdict && (line["verdict"] != "inconclusive" ||
					line["inconclusive"] != tt.verdict) {
					t.Errorf("as JSON the verdict is %v, want %s", line["verdict"], tt.verdict)
				}
			}
			w.Must(tt.allowed, append(args, "--allow-skipped", "-q")...)
			w.Must(tt.allowed, append(args, "--allow-skipped", "--resume")...)
		})
	}
}

// A run says what it may cost, and what it cost; its parameters and messages are sent.
func TestRunCountsCosts(t *testing.T) {
	w := clitest.NewWorld(t)
	config, file := filepath.Join(w.Home, "config.toml"), filepath.Join(w.Home, "s.yaml")
	prices := "[[prices]]\nmodels = [\"delta\"]\ninput = 1000\noutput = 2000\n"
	const text = `prompts:
  - '[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"},{"role":"user","content":"{{q}}"}]'
providers: [{id: llm:delta, config: {temperature: 0.2}}, llm:zeta]
tests:
  - vars: {q: 'What is "sourdough"?'}
    assert: [{type: cost, threshold: 100}]
`
	for path, text := range map[string]string{config: prices, file: text} {
		clitest.WriteFile(t, path, text, 0o600)
	}
	if r := w.Must(0, "run", "--config", config, "--dry-run", file); r.Out != "2 calls, 8 at once\n" {
		t.Errorf("without a history the plan is %q", r.Out)
	}
	r := w.Must(1, "run", "--config", config, "--json", file)
	clitest.WantTexts(t, r.Err, " tokens, $", "1 passed, 1 inconclusive (1 skipped)")
	for _, o := range clitest.Objects(t, r.Out) {
		messages, _ := json.Marshal(o["sent_messages"]) // it was made from JSON
		if o["sent_prompt"] != `What is "sourdough"?` ||
			string(messages) != `[{"content":"hi","role":"user"},{"content":"hello","role":"assistant"}]` {
			t.Errorf("sent %v after %s", o["sent_prompt"], messages)
		}
		if isPriced := o["model"] == "delta"; isPriced != (o["cost"] != nil) || isPriced != (o["params"] != nil) {
			t.Errorf("got %v", o)
		}
	}
	plan := w.Must(0, "run", "--config", config, "--dry-run", file).Out
	clitest.WantTexts(t, plan, "2 calls, 8 at once, ~$", " for 1 of them")
	clitest.WantTexts(t, w.Must(0, "run", "--config", config, "--resume", "--dry-run", file).Out,
		"0 calls, 2 answers of run 1")
	changed := strings.Replace(text, "0.2", "0.3", 1)
	clitest.WriteFile(t, file, changed, 0o600)
	clitest.WantTexts(t, w.Must(0, "run", "--config", config, "--resume", "--dry-run", file).Out,
		"1 call, 1 answer of run 1")
	clitest.WantTexts(t, w.OnTerminal(120, "", "run", "--config", config, file).Out, "tokens and cost", " tokens, $")
}
