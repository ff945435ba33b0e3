package service_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/problem"
	"confab/service/suite"
)

// suiteIn writes a suite and opens it.
func (w *world) suiteIn(t testing.TB, name, text string) suite.Request {
	t.Helper()
	path := filepath.Join(w.dir, name)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	f, err := w.OpenSuite(t.Context(), path)
	must(t, err)
	return suite.Request{Suite: f.Suite, Path: f.Path, SHA256: f.SHA256}
}

// run runs a suite to its end and returns the last events of its cells by position.
func (w *world) run(t testing.TB, ctx context.Context, o suite.Request) (*suite.Run, map[int]suite.Event) {
	t.Helper()
	r, events, err := startRun(ctx, w.Runner(), o)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	ends := map[int]suite.Event{}
	for e := range events {
		if e.Cell.State == history.Running {
			continue
		}
		if _, twice := ends[e.Index]; twice {
			t.Errorf("the end of cell %d was told twice", e.Index)
		}
		ends[e.Index] = e
	}
	return r, ends
}

// cellsOf returns the stored cells of a run.
func (w *world) cellsOf(t testing.TB, run int64) []history.Cell {
	t.Helper()
	all, err := w.Runner().Cells(t.Context(), run)
	must(t, err)
	return all
}

// startRun plans a run and starts it.
func startRun(ctx context.Context, r *suite.Runner, q suite.Request) (*suite.Run, <-chan suite.Event, error) {
	p, err := r.Plan(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	return r.Start(ctx, p)
}

// verdictsOf returns the verdicts of checks on one line.
func verdictsOf(checks []history.CheckResult) string {
	var all []string
	for _, c := range checks {
		all = append(all, c.Verdict)
	}
	return strings.Join(all, " ")
}

const tones = `
description: Tones
prompts: ['Write a {{tone}} reply', {id: short, raw: 'Reply {{tone}}'}]
providers: [llm:delta, {id: 'llm:zeta', label: last}]
tests:
  - vars: {tone: [warm, cold], system: Be brief}
    assert:
      - {type: contains, value: '{{tone}}'}
      - {type: contains, value: Write}
      - {type: llm-rubric, value: polite}
`

func TestRunSuite(t *testing.T) {
	w := newWorld(t)
	o := w.suiteIn(t, "tones.yaml", tones)
	p, err := w.Runner().Plan(t.Context(), o)
	if err != nil || p.NewCalls != 8 || len(w.client.requests()) != 0 {
		t.Fatalf("plan %+v, %v, %d requests", p, err, len(w.client.requests()))
	}
	r, ends := w.run(t, t.Context(), o)
	if r.Err() != nil || len(ends) != 8 {
		t.Fatalf("%d ends, %v", len(ends), r.Err())
	}
	for i, e := range ends {
		c := r.Plan.Calls[i]
		want, status := "passed failed skipped", history.CellFailed
		if c.PromptID == "1" {
			want, status = "passed passed skipped", history.CellSkipped
		}
		if got := verdictsOf(e.Cell.Checks); got != want || e.Cell.State != history.Done ||
			e.Cell.Elapsed != time.Second || e.Cell.Status() != status {
			t.Errorf("cell %d ended %+v with %s, want %s", i, e, got, want)
		}
		turn := w.stored(t, e.Cell.Turn)
		if turn.Prompt != c.Prompt || turn.System != "Be brief" || len(turn.Answers) != 1 ||
			turn.Answers[0].Model != c.Model.Slug {
			t.Errorf("cell %d is the turn %+v", i, turn)
		}
	}
	facts := r.Record()
	if facts.Suite != "tones" || facts.Path != o.Path || facts.SHA256 == "" || facts.Ended.IsZero() {
		t.Errorf("run %+v", facts)
	}
	if s, err := w.Session(t.Context(), facts.Session); err != nil || s.Name != "tones" || s.Turns != 8 {
		t.Errorf("session %+v, %v", s, err)
	}
	stored := w.cellsOf(t, facts.ID)
	for i, c := range stored {
		if c.Number != i+1 || c.Key != r.Plan.Calls[i].Key || !c.IsJudged || c.Vars["tone"] == "" ||
			c.Provider != r.Plan.Calls[i].Provider {
			t.Errorf("stored cell %+v", c)
		}
	}
	again, _ := w.run(t, t.Context(), o)
	if again.Record().Session != facts.Session || again.Record().ID == facts.ID {
		t.Errorf("run again as %+v, want another run in the same session", again.Record())
	}
	if runs, err := w.Runner().List(t.Context(), o.Path, 0); err != nil || len(runs) != 2 || runs[1].Done != 8 ||
		runs[1].Failed != 4 {
		t.Errorf("runs %+v, %v", runs, err)
	}
}

func TestRunRefusesBeforeAnythingIsKept(t *testing.T) {
	w := newWorld(t)
	const head = "prompts: ['{{p}}']\nproviders: [llm:delta]\ntests: [{vars: {p: x}}]\n"
	for _, c := range []struct {
		name, suite string
		change      func(*suite.Request)
		code        api.Code
		want        string
	}{
		{"an unknown model", head, func(o *suite.Request) { o.Models = []string{"nope"} }, api.CodeUnknownModel,
			"nope"},
		{"a variable without a value", "prompts: ['{{p}}']\nproviders: [llm:delta]\n", nil, api.CodeUsage, "p"},
		{"an empty prompt", "prompts: ['{{p}}']\nproviders: [llm:delta]\ntests: [{vars: {p: ''}}]\n", nil,
			api.CodeUsage, "prompt is empty"},
		{"a ratio that is none", "prompts: [x]\nproviders: [{id: 'image:sim-image', config: {aspect_ratio: wide}}]\n",
			nil,
			api.CodeUsage, "16:9"},
		{"a picture that is not there", "prompts: [x]\nproviders: [{id: 'edit:imageedit', config: {imageUrl: " +
			"gone.png}}]\n",
			nil, api.CodeUsage, "gone.png"},
		{"no call", "prompts: [x, {id: b, raw: y}]\nproviders: [{id: llm:delta, prompts: [b]}]\ntests: [{prompts: " +
			"['1']}]\n",
			nil, api.CodeUsage, "no call"},
		{"nothing to resume", head, func(o *suite.Request) { o.IsResumed = true }, api.CodeUsage, "no run"},
		{"a run that is not there", head, func(o *suite.Request) { o.IsResumed, o.Run = true, 99 }, api.CodeUsage,
			"no run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := w.suiteIn(t, "s.yaml", c.suite)
			if c.change != nil {
				c.change(&o)
			}
			_, _, err := startRun(t.Context(), w.Runner(), o)
			wantCode(t, err, c.code)
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q does not tell of %q", err, c.want)
			}
		})
	}
	if _, err := w.OpenSuite(t.Context(), filepath.Join(w.dir, "no", "such.yaml")); api.CodeOf(err) != api.CodeUsage {
		t.Errorf("a suite that is not there: %v", err)
	}
	if _, total, err := w.Sessions(t.Context(), "", 1); err != nil || total != 0 || len(w.client.requests()) != 0 {
		t.Errorf("%d sessions, %d requests, %v", total, len(w.client.requests()), err)
	}
}

func TestRunPictures(t *testing.T) {
	published := 0
	var w *world
	w = newWorld(t, func(o *service.Options) {
		o.Backend.Endpoint = func() service.Endpoint { return service.Endpoint{IsEmbedded: true} }
		o.Backend.Connect = func(context.Context) (service.Connection, error) {
			return service.Connection{Client: w.client,
				PublishLocal: func(read func(context.Context) ([]byte, error)) (string, func()) {
					b, err := read(t.Context())
					if err != nil {
						t.Error(err)
					}
					published++
					return "picture:" + pictures.SHA256(b), func() { published-- }
				}}, nil
		}
	})
	must(t, os.WriteFile(filepath.Join(w.dir, "fox.png"), samplePNG("fox"), 0o600))
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		if strings.HasSuffix(r.Prompt, "copy") {
			return pictureResponse(samplePNG("fox")), api.Exchange{}, nil
		}
		return answerTo(r), api.Exchange{}, nil
	}
	o := w.suiteIn(t, "p.yaml", `
prompts: [{id: a, raw: a fox}, {id: c, raw: make a copy}]
providers:
  - {id: 'image:sim-image', label: fixed, config: {nonce: n1, aspect_ratio: '2:1'}}
  - {id: 'image:sim-image', label: fresh, config: {nonce: new}}
  - {id: 'image:sim-image', label: none}
  - {id: 'edit:imageedit', label: edit, config: {imageUrl: 'file://fox.png'}}
evaluateOptions: {repeat: 2, maxConcurrency: 1}
defaultTest:
  x-checks: [{type: same-as, value: source}, {type: image-aspect}, {type: not-same-as, value: none}]
`)
	r, ends := w.run(t, t.Context(), o)
	if r.Err() != nil || len(ends) != 16 || published != 0 {
		t.Fatalf("%d ends, %v, %d still published", len(ends), r.Err(), published)
	}
	nonces := map[string][]string{}
	for i, req := range w.client.requests() {
		name := r.Plan.Calls[i].Provider
		nonces[name] = append(nonces[name], req.Nonce)
		want := ""
		if name == "edit" {
			want = "picture:" + pictures.SHA256(samplePNG("fox"))
		}
		if req.ImageURL != want {
			t.Errorf("%s was sent the source %q, want %q", name, req.ImageURL, want)
		}
	}
	slices.Sort(nonces["fresh"])
	if fmt.Sprint(nonces["fixed"], nonces["none"]) != "[n1 n1 n1 n1] [   ]" ||
		len(slices.Compact(nonces["fresh"])) != 4 || nonces["fresh"][0] == "" {
		t.Errorf("nonces %q", nonces)
	}
	for i, e := range ends {
		c := r.Plan.Calls[i]
		want := map[string]string{
			"a fixed": "skipped passed passed", "a fresh": "skipped skipped passed",
			"a none": "skipped skipped skipped", "a edit": "failed skipped failed",
			"c fixed": "skipped passed failed", "c fresh": "skipped skipped failed",
			"c none": "skipped skipped skipped", "c edit": "passed skipped failed",
		}[c.PromptID+" "+c.Provider]
		if got := verdictsOf(e.Cell.Checks); got != want {
			t.Errorf("%s %s: %s, want %s: %+v", c.PromptID, c.Provider, got, want, e.Cell.Checks)
		}
	}
}

// Checks that compare answers wait for the other answer.
func TestRunJudgesPeersWhenTheyAreThere(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := worldIn(t, dir)
		w.client.do = func(ctx context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange,
			error) {
			if r.Model.Slug == "zeta" {
				if err := sleep(ctx, time.Minute); err != nil {
					return api.Response{}, api.Exchange{}, err
				}
			}
			return api.Response{Text: "the same"}, api.Exchange{}, nil
		}
		o := w.suiteIn(t, "s.yaml", "prompts: [x]\nproviders: [llm:delta, llm:zeta]\ndefaultTest: {x-checks: [{type: "+
			"same-as, value: zeta}]}\n")
		_, ends := w.run(t, t.Context(), o)
		if got := verdictsOf(ends[0].Cell.Checks); got != "passed" {
			t.Errorf("judged %s before the other came: %+v", got, ends[0])
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r, ends := w.run(t, ctx, o)
		if got := verdictsOf(ends[0].Cell.Checks); got != "skipped" || ends[1].Cell.State != history.Failed {
			t.Errorf("without the other: %s, %+v", got, ends)
		}
		o.IsResumed, o.Run = true, r.Record().ID
		_, ends = w.run(t, t.Context(), o)
		if got := verdictsOf(ends[0].Cell.Checks); got != "passed" || !ends[0].IsEarlier || len(ends) != 2 {
			t.Errorf("after going on: %s, %+v", got, ends)
		}
		if got := verdictsOf(w.cellsOf(t, o.Run)[0].Checks); got != "passed" {
			t.Errorf("stored %s", got)
		}
	})
}

// A continued run asks the chosen cells again, each as a further sample, and keeps the others.
func TestRunAsksAgain(t *testing.T) {
	w := newWorld(t, inMemory)
	o := w.suiteIn(t, "s.yaml", "prompts: [yes, no]\nproviders: [llm:delta, llm:zeta]\n"+
		"defaultTest: {assert: [{type: contains, value: 'yes'}]}\n")
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		return api.Response{Text: r.Prompt + " " + r.Model.Slug, Status: 200}, api.Exchange{}, nil
	}
	r, _ := w.run(t, t.Context(), o)
	o.IsResumed, o.Run = true, r.Record().ID
	for _, tt := range []struct {
		asks suite.Selection
		want string // samples by cell
	}{
		{suite.Selection{}, "1 1 1 1"},
		{suite.Selection{Cells: suite.FailedCells}, "1 1 2 2"},
		{suite.Selection{Cells: suite.AllCells, Row: 1, Column: 2}, "1 2 2 2"},
		{suite.Selection{Cells: suite.AllCells, Row: 2}, "1 2 3 3"},
		{suite.Selection{Cells: suite.NoCells}, "1 2 3 3"},
		{suite.Selection{Cells: suite.AllCells}, "2 3 4 4"},
	} {
		o.Asks = tt.asks
		r, ends := w.run(t, t.Context(), o)
		must(t, r.Err())
		var samples []string
		for _, c := range w.cellsOf(t, o.Run) {
			a, err := w.Answer(t.Context(), c.Answer)
			must(t, err)
			samples = append(samples, fmt.Sprint(a.Sample))
		}
		if got := strings.Join(samples, " "); got != tt.want || len(ends) != 4 {
			t.Errorf("after asking %+v the samples are %s, want %s; %d cells ended", tt.asks, got, tt.want, len(ends))
		}
	}
}

func TestRunKeepsToItsPlacesDelayAndTimeout(t *testing.T) {
	slow := "prompts: [a, b, c, d, e, f, g, h]\nproviders: [llm:delta, llm:zeta]\nevaluateOptions: {"
	for _, c := range []struct {
		name, suite string
		o           suite.Request
		took        time.Duration
		most        int
		state       history.State
	}{
		{"four at once", slow + "maxConcurrency: 4}", suite.Request{}, 40 * time.Second, 4, history.Done},
		{"as many as asked for", slow + "maxConcurrency: 4}", suite.Request{Concurrency: 16}, 10 * time.Second, 16,
			history.Done},
		{"as many as the options say", slow + "}", suite.Request{}, 20 * time.Second, 8, history.Done},
		{"a delay is between calls", slow + "delay: 1000, maxConcurrency: 4}", suite.Request{},
			16*10*time.Second + 15*time.Second, 1, history.Done},
		{"a delay of each place", slow + "delay: 1000}", suite.Request{Concurrency: 8}, 21 * time.Second, 8,
			history.Done},
		{"a time-out is of a call", slow + "timeoutMs: 3000}", suite.Request{}, 6 * time.Second, 8, history.Failed},
		{"a time-out that was asked for", slow + "timeoutMs: 3000}", suite.Request{Timeout: 5 * time.Second},
			10 * time.Second, 8, history.Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := worldIn(t, dir)
				var mu sync.Mutex
				now, most := 0, 0
				w.client.do = func(ctx context.Context, r api.Request, _ func(api.Progress)) (api.Response,
					api.Exchange, error) {
					mu.Lock()
					now++
					most = max(most, now)
					mu.Unlock()
					err := sleep(ctx, 10*time.Second)
					mu.Lock()
					now--
					mu.Unlock()
					return api.Response{Text: "x"}, api.Exchange{}, err
				}
				o := w.suiteIn(t, "s.yaml", c.suite)
				o.Concurrency, o.Timeout = c.o.Concurrency, c.o.Timeout
				begun := time.Now()
				r, ends := w.run(t, t.Context(), o)
				if took := time.Since(begun); took != c.took || most != c.most || r.Err() != nil {
					t.Errorf("took %s with %d at once, want %s with %d; %v", took, most, c.took, c.most, r.Err())
				}
				for _, e := range ends {
					if e.Cell.State != c.state {
						t.Errorf("ended %s, want %s", e.Cell.State, c.state)
					}
				}
			})
		})
	}
}

// grid is a suite of ten prompts for fifteen models with three sets of variables.
func grid(models []string) string {
	text := "prompts:\n"
	for i := range 10 {
		text += fmt.Sprintf("  - 'prompt %d of {{v}}'\n", i)
	}
	text += "providers:\n"
	for _, m := range models {
		text += "  - llm:" + m + "\n"
	}
	return text + "tests: [{vars: {v: [one, two, three]}}]\ndefaultTest: {assert: [{type: contains, value: " +
		"'{{v}}'}]}\nevaluateOptions: {maxConcurrency: 8}\n"
}

// TestRunGoesOnExactly interrupts a run of 450 cells at random and continues it until it is complete; answered cells
// are never repeated. The race detector runs a third of the models with as many interruptions.
func TestRunGoesOnExactly(t *testing.T) {
	models := textModels()[:15]
	if underRace {
		models = models[:5]
	}
	all := 30 * len(models)
	w := newWorld(t, inMemory)   // TestRunKill uses a store on disk
	answered := map[string]int{} // number of answers by request
	var mu sync.Mutex
	var cancel context.CancelCauseFunc
	left := 0
	w.client.do = func(ctx context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		mu.Lock()
		left--
		stop := left < 0
		fails := rand.N(20) == 0
		mu.Unlock()
		switch {
		case stop:
			cancel([]error{nil, service.ErrClosing, errors.New("ctrl+c")}[rand.N(3)])
			<-ctx.Done()
			return api.Response{}, api.Exchange{}, context.Cause(ctx)
		case fails:
			return api.Response{}, api.Exchange{}, problem.New(api.CodeService, nil, "the service is not well today")
		}
		mu.Lock()
		answered[r.Model.Slug+" "+r.Prompt]++
		mu.Unlock()
		return answerTo(r), api.Exchange{Method: "POST"}, nil
	}
	o := w.suiteIn(t, "grid.yaml", grid(models))
	var run int64
	rounds := 0
	for whole := false; !whole; rounds++ {
		if rounds > 100 {
			t.Fatal("the run does not become whole")
		}
		ctx, c := context.WithCancelCause(t.Context())
		mu.Lock()
		cancel, left = c, all/22+rand.N(all/3)
		mu.Unlock()
		o.IsResumed = rounds > 0
		r, ends := w.run(t, ctx, o)
		c(nil)
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
		if run == 0 {
			run = r.Record().ID
		}
		whole = len(ends) == all
		for _, e := range ends {
			whole = whole && e.Cell.State == history.Done
		}
		if r.Record().ID != run {
			t.Fatalf("went on as run %d, want %d", r.Record().ID, run)
		}
	}
	calls := len(w.client.requests())
	if len(answered) != all {
		t.Errorf("%d calls were answered, want %d", len(answered), all)
	}
	for what, times := range answered {
		if times != 1 {
			t.Errorf("%q was answered %d times", what, times)
		}
	}
	cells := w.cellsOf(t, run)
	for _, c := range cells {
		if c.State != history.Done || verdictsOf(c.Checks) != "passed" {
			t.Errorf("stored %+v", c)
		}
	}
	if facts, err := w.Runner().Run(t.Context(), run); err != nil || facts.Ended.IsZero() || facts.Cells != all ||
		facts.Done != all || len(cells) != all {
		t.Errorf("run %+v, %d cells, %v", facts, len(cells), err)
	}
	if _, ends := w.run(t, t.Context(), o); len(ends) != all || len(w.client.requests()) != calls {
		t.Errorf("going on with a whole run told %d ends and asked %d times", len(ends), len(w.client.requests())-calls)
	}
	t.Logf("%d rounds, %d calls", rounds, calls)
}

func TestRunGoesOnWithAnEditedSuite(t *testing.T) {
	w := newWorld(t)
	o := w.suiteIn(t, "s.yaml", "prompts: [a, b]\nproviders: [llm:delta]\n")
	w.run(t, t.Context(), o)
	// One prompt is new, the others have moved and have a check.
	o = w.suiteIn(t, "s.yaml", "prompts: [{id: bee, raw: b}, c, a]\nproviders: [llm:delta]\ndefaultTest: {assert: "+
		"[{type: contains, value: b}]}\n")
	o.IsResumed = true
	r, ends := w.run(t, t.Context(), o)
	if got := len(w.client.requests()); got != 3 {
		t.Errorf("%d requests, want one more than 2", got)
	}
	if ends[0].IsEarlier != true || ends[1].IsEarlier || verdictsOf(ends[0].Cell.Checks) != "passed" ||
		verdictsOf(ends[2].Cell.Checks) != "failed" {
		t.Errorf("ends %+v", ends)
	}
	got := map[string]string{}
	for _, c := range w.cellsOf(t, r.Record().ID) {
		got[fmt.Sprint(c.Number, " ", c.Prompt)] = verdictsOf(c.Checks)
	}
	if want := map[string]string{"1 bee": "passed", "2 2": "failed",
		"3 3": "failed"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("stored %v, want %v", got, want)
	}
	if facts, err := w.Runner().Run(t.Context(), r.Record().ID); err != nil || facts.SHA256 != o.SHA256 ||
		facts.Planned != 3 {
		t.Errorf("run %+v, %v", facts, err)
	}
	// Only positions and names have changed.
	o = w.suiteIn(t, "s.yaml", "prompts: [{id: bee, raw: b}, {id: ay, raw: a}, c]\nproviders: "+
		"[llm:delta]\ndefaultTest: {assert: [{type: contains, value: b}]}\n")
	o.IsResumed = true
	w.run(t, t.Context(), o)
	for _, c := range w.cellsOf(t, r.Record().ID) {
		if c.Prompt == "ay" && c.Number != 2 || c.Prompt == "3" && verdictsOf(c.Checks) != "failed" || c.Prompt == "2" {
			t.Errorf("stored %+v", c)
		}
	}
}

// A run continues with its models and samples; a request that sets new ones replaces them for later runs.
func TestRunGoesOnAsItWasAskedFor(t *testing.T) {
	w := newWorld(t)
	fails := true
	w.client.fails(func(api.Request) bool { return fails })
	o := w.suiteIn(t, "s.yaml", "prompts: [a]\nproviders: [llm:delta]\n")
	begun := o
	begun.Models, begun.Repeat, begun.Concurrency, begun.Timeout = []string{"zeta", "phi-2"}, 2, 3, time.Minute
	r, _ := w.run(t, t.Context(), begun)
	how, err := w.Runner().Run(t.Context(), r.Record().ID)
	if err != nil || !slices.Equal(how.Options.Models, begun.Models) || how.Options.Repeat != 2 ||
		how.Options.EffectiveConcurrency != 3 {
		t.Fatalf("kept %+v, %v", how.Options, err)
	}
	fails, o.IsResumed = false, true
	r, ends := w.run(t, t.Context(), o)
	got := map[string]int{}
	for _, e := range ends {
		got[e.Cell.Model]++
	}
	if p := r.Plan; len(ends) != 4 || got["zeta"] != 2 || got["phi-2"] != 2 || p.Concurrency != 3 ||
		p.Timeout != time.Minute || p.NewCalls != 4 {
		t.Errorf("went on with %v, %d at once, %v", got, p.Concurrency, p.Timeout)
	}
	o.Models, o.Repeat = []string{"delta"}, 1
	w.run(t, t.Context(), o)
	if p, err := w.Runner().Plan(t.Context(),
		suite.Request{Suite: o.Suite, Path: o.Path, IsResumed: true}); err != nil ||
		len(p.Calls) != 1 || p.Calls[0].Model.Slug != "delta" || p.Concurrency != 3 {
		t.Errorf("the next one would be %+v, %v", p, err)
	}
}

// A failed answer is repeated as a further sample of its turn with exactly the same request.
func TestRunGoesOnInTheSameTurn(t *testing.T) {
	w := newWorld(t)
	fails := true
	w.client.fails(func(api.Request) bool { return fails })
	o := w.suiteIn(t, "s.yaml", "prompts: [a]\nproviders: [{id: 'image:sim-image', config: {nonce: new}}]\n")
	r, ends := w.run(t, t.Context(), o)
	turn := ends[0].Cell.Turn
	fails, o.IsResumed = false, true
	_, ends = w.run(t, t.Context(), o)
	stored := w.stored(t, turn)
	if ends[0].Cell.Turn != turn || len(stored.Answers) != 2 || stored.Answers[0].State != history.Failed ||
		stored.Answers[1].State != history.Done || stored.Answers[1].Sample != 2 {
		t.Errorf("the turn is %+v", stored)
	}
	if sent := w.client.requests(); sent[0].Nonce == "" || sent[0].Nonce != sent[1].Nonce {
		t.Errorf("sent the nonces %q and %q", sent[0].Nonce, sent[1].Nonce)
	}
	if cells := w.cellsOf(t, r.Record().ID); len(cells) != 1 || cells[0].Answer != stored.Answers[1].ID {
		t.Errorf("cells %+v", cells)
	}
}

// A run does not wait for the reader of its events.
func TestRunIsNotHeldUpByItsReader(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := worldIn(t, dir)
		w.client.takes(time.Second)
		r, events, err := startRun(t.Context(), w.Runner(), w.suiteIn(t, "grid.yaml", grid(textModels()[:3])))
		must(t, err)
		time.Sleep(time.Hour)
		if n := len(w.client.requests()); n != 90 || r.Record().Ended.IsZero() {
			t.Errorf("%d calls were made, %+v", n, r.Record())
		}
		told := 0
		for range events {
			told++
		}
		if told != 180 {
			t.Errorf("told %d times, want of 90 begins and 90 ends", told)
		}
	})
}

func TestRunEndsWithWhatIsHopeless(t *testing.T) {
	t.Run("a wrong key", func(t *testing.T) {
		w := newWorld(t)
		w.client.do = func(context.Context, api.Request, func(api.Progress)) (api.Response, api.Exchange, error) {
			return api.Response{}, api.Exchange{},
				problem.New(api.CodeUnauthorized, nil, "the service does not take the key")
		}
		r, ends := w.run(t, t.Context(), w.suiteIn(t, "grid.yaml", grid(textModels()[:15])))
		wantCode(t, r.Err(), api.CodeUnauthorized)
		if n := len(w.client.requests()); n > 30 || len(ends) != n || !r.Record().Ended.IsZero() {
			t.Errorf("%d requests, %d ends, %+v", n, len(ends), r.Record())
		}
	})
	t.Run("a store that refuses", func(t *testing.T) {
		w := newWorld(t, inMemory)
		store := newFailingStore(t, w)
		o := w.suiteIn(t, "grid.yaml", grid(textModels()[:15]))
		var once sync.Once
		w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
			once.Do(func() { store.set(history.ErrFull) })
			return answerTo(r), api.Exchange{}, nil
		}
		r, ends := w.run(t, t.Context(), o)
		wantCode(t, r.Err(), api.CodeDisk)
		n := len(w.client.requests())
		if n > 8 || len(ends) != n {
			t.Errorf("%d requests, %d ends", n, len(ends))
		}
		store.set(nil)
		must(t, errorOf(w.SaveAgain(t.Context())))
		o.IsResumed = true
		if r, ends = w.run(t, t.Context(), o); r.Err() != nil || len(ends) != 450 || len(w.client.requests()) != 450 {
			t.Errorf("after that %d ends and %d requests, %v", len(ends), len(w.client.requests()), r.Err())
		}
	})
	t.Run("the service closes", func(t *testing.T) {
		w := newWorld(t)
		arrived := make(chan struct{}, 450)
		w.client.do = func(ctx context.Context, _ api.Request, _ func(api.Progress)) (api.Response, api.Exchange,
			error) {
			arrived <- struct{}{}
			<-ctx.Done()
			return api.Response{}, api.Exchange{}, context.Cause(ctx)
		}
		o := w.suiteIn(t, "grid.yaml", grid(textModels()[:15]))
		r, events, err := startRun(t.Context(), w.Runner(), o)
		must(t, err)
		<-arrived
		must(t, w.Close(t.Context()))
		for e := range events {
			if e.Cell.State != history.Running && e.Cell.State != history.Interrupted {
				t.Errorf("ended %s", e.Cell.State)
			}
		}
		if n := len(w.client.requests()); n > 8 {
			t.Errorf("%d requests", n)
		}
		for _, c := range worldIn(t, w.dir).cellsOf(t, r.Record().ID) {
			if c.State != history.Interrupted {
				t.Errorf("left a cell %s", c.State)
			}
		}
	})
	t.Run("another process", func(t *testing.T) {
		w := newWorld(t)
		o := w.suiteIn(t, "s.yaml", "prompts: [a, b]\nproviders: [llm:delta]\nevaluateOptions: {maxConcurrency: 1}\n")
		held := make(chan struct{})
		release := sync.OnceFunc(func() { close(held) })
		defer release() // also if the test fails: the call waits for it
		w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
			<-held
			return answerTo(r), api.Exchange{}, nil
		}
		_, events, err := startRun(t.Context(), w.Runner(), o)
		must(t, err)
		<-events // the first one was requested
		o.IsResumed = true
		_, _, err = startRun(t.Context(), w.Runner(), o)
		wantCode(t, err, api.CodeUsage)
		release()
		for range events {
		}
	})
}

func TestRunMasksTheKey(t *testing.T) {
	w := newWorld(t)
	w.client.do = func(context.Context, api.Request, func(api.Progress)) (api.Response, api.Exchange, error) {
		return api.Response{Text: "no"}, api.Exchange{}, nil
	}
	// The suite itself is the user's file.
	other := t.TempDir()
	path := filepath.Join(other, "k.yaml")
	text := strings.ReplaceAll(
		"prompts: [{label: 'l KEY', raw: 'say {{k}}'}]\nproviders: [{id: 'llm:delta', label: 'p "+
			"KEY'}]\ntests: [{vars: {k: KEY}, assert: [{type: contains, value: KEY}]}]\n", "KEY", sentinel)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	f, err := w.OpenSuite(t.Context(), path)
	must(t, err)
	r, ends := w.run(t, t.Context(), suite.Request{Suite: f.Suite, Path: f.Path, Note: sentinel})
	if len(ends) != 1 || strings.Contains(fmt.Sprint(ends[0].Cell, r.Record()), sentinel) {
		t.Errorf("told %+v of %+v", ends, r.Record())
	}
	must(t, w.Close(t.Context()))
	if found := grep(t, w.dir, sentinel); len(found) > 0 {
		t.Errorf("the key is in %v", found)
	}
}

// BenchmarkRun runs 1000 cells with an immediate client, answers of 16 KiB and a store on disk.
func BenchmarkRun(b *testing.B) {
	w := newWorld(b)
	answer := strings.Repeat("sixteen letters ", 1024)
	w.client.do = func(context.Context, api.Request, func(api.Progress)) (api.Response, api.Exchange, error) {
		return api.Response{Text: answer}, api.Exchange{}, nil
	}
	text := "prompts:\n"
	for i := range 100 {
		text += fmt.Sprintf("  - 'prompt %d'\n", i)
	}
	o := w.suiteIn(b, "bench.yaml", text+"providers: [llm:delta]\ndefaultTest: {assert: [{type: contains, value: "+
		"letters}]}\nevaluateOptions: {repeat: 10}\n")
	b.ReportAllocs()
	for b.Loop() {
		if _, ends := w.run(b, b.Context(), o); len(ends) != 1000 {
			b.Fatal(len(ends))
		}
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapInuse)/(1<<20), "MiB-in-use")
	b.ReportMetric(float64(m.Sys)/(1<<20), "MiB-of-the-system")
}
