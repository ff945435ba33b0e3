package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
	"confab/service/api"
	"confab/service/problem"
)

// Request names a suite to run and options that override those of the suite.
type Request struct {
	Suite  Suite
	Path   string // absolute path of its file; empty without a file
	SHA256 string // of its file
	// IsResumed continues a run: it asks the cells of Asks and keeps the others. Cells are the same if their requests
	// are. Zero fields below then take the values of the continued run.
	IsResumed   bool
	Asks        Selection
	Run         int64         // the run to continue; 0 means the newest of Path
	Models      []string      // overrides the suite's models, in this order
	Repeat      int           // overrides the suite's; 0 means the suite's
	Concurrency int           // overrides the suite's; 0 means the suite's or else the Runner's
	Timeout     time.Duration // of one call; overrides the suite's; 0 means the suite's
	Note        string
}

// Selection is the cells that a continued run asks. The zero value is those without an answer and those whose call
// failed.
type Selection struct {
	Cells       CellChoice
	Row, Column int // of the table, from 1; 0 means all
}

// CellChoice chooses cells by their state.
type CellChoice string

// Checks of all other cells are judged anew.
const (
	MissingCells CellChoice = ""       // without an answer, or with a failed call
	FailedCells  CellChoice = "failed" // with a failed call or check
	AllCells     CellChoice = "all"    // those with an answer too
	NoCells      CellChoice = "checks" // only checks are judged anew
)

// withDefaults returns the request with zero fields taken from the options of a run.
func (q Request) withDefaults(o history.RunOptions) Request {
	if len(q.Models) == 0 {
		q.Models = o.Models
	}
	q.Repeat = cmp.Or(q.Repeat, o.Repeat)
	q.Concurrency = cmp.Or(q.Concurrency, o.Concurrency)
	q.Timeout = cmp.Or(q.Timeout, o.Timeout)
	return q
}

// Plan describes what a run would do.
type Plan struct {
	Calls       []Call // all of the suite, by cell of the run
	NewCalls    int    // number of them that the run makes
	Gradings    int    // number of calls of graders, at most
	Answered    int    // cells with answers in the continued run
	Continues   int64  // the continued run; 0 for a new one
	Concurrency int
	Delay       time.Duration // before a slot is reused after a call
	Timeout     time.Duration // of one call
	Publish     []string      // what leaves the machine for edits, one sentence each
	Repeat      int
	LeftOut     int // tests without calls
	// Costs is the estimated cost of Priced calls by currency, from the lengths of earlier answers.
	Costs  []history.Cost
	Priced int

	runner  *Runner
	request Request
	run     history.Run
	earlier map[string]history.Cell // of the continued run, by key
	sources map[string]*Source      // sources of edits, as the suite names them
}

// Plan returns what running a suite would do. It sends and stores nothing. The error describes what is wrong with the
// suite, such as a variable without a value, an unknown model or a missing picture.
func (r *Runner) Plan(ctx context.Context, q Request) (*Plan, error) {
	p := &Plan{runner: r, sources: map[string]*Source{}, earlier: map[string]history.Cell{}}
	if q.IsResumed {
		run, err := r.runToContinue(ctx, q)
		if err != nil {
			return nil, err
		}
		p.run, q = run, q.withDefaults(run.Options)
	}
	p.request = q
	s, err := q.Suite.withModels(q.Models, r.o.Catalogue())
	if err != nil {
		return nil, err
	}
	s.Options.Repeat = cmp.Or(q.Repeat, s.Options.Repeat)
	if most := r.o.MaxRepeat; most > 0 && s.Options.Repeat > most {
		return nil, problem.Usage("the suite asks for each answer %s; here it may ask %s at most",
			format.Count(s.Options.Repeat, "time"), format.Count(most, "time"))
	}
	p.Repeat, p.Delay = max(1, s.Options.Repeat), s.Options.Delay
	p.Timeout = cmp.Or(q.Timeout, s.Options.Timeout)
	p.Concurrency = r.concurrency(s.Options, q)
	if p.Calls, err = Calls(s, r.o.Catalogue()); err != nil {
		return nil, err
	}
	if len(p.Calls) == 0 {
		return nil, problem.Usage("the suite makes no call: none of its tests is for any of the prompts and models")
	}
	p.LeftOut = countUnused(s, p.Calls)
	if q.IsResumed {
		if err := p.readEarlier(ctx); err != nil {
			return nil, err
		}
	}
	if err := p.checkCells(ctx); err != nil {
		return nil, err
	}
	for _, c := range p.Calls {
		if p.asks(c) {
			p.NewCalls++
		}
	}
	if s := q.Asks; p.NewCalls == 0 && s.Cells == AllCells {
		where := fmt.Sprintf("row %d", s.Row)
		if s.Column > 0 {
			where += fmt.Sprintf(" and column %d", s.Column)
		}
		return nil, problem.Usage("the table has no cell in %s", where)
	}
	p.countGradings()
	p.estimateCosts(ctx)
	return p, nil
}

// concurrency returns the number of parallel calls. A delay makes it 1, as in promptfoo, unless the request sets a
// number.
func (r *Runner) concurrency(o EvaluateOptions, q Request) int {
	n := cmp.Or(o.Concurrency, r.o.Concurrency)
	if o.Delay > 0 {
		n = 1
	}
	return min(cmp.Or(q.Concurrency, n), cmp.Or(r.o.MaxConcurrency, MaxConcurrency), MaxConcurrency)
}

func (r *Runner) runToContinue(ctx context.Context, q Request) (history.Run, error) {
	// Recovery interrupts answers of ended processes, and completes those whose picture was saved.
	if err := r.o.Service.Recover(ctx); err != nil {
		return history.Run{}, err
	}
	store, err := r.o.Service.Store(ctx)
	if err != nil {
		return history.Run{}, err
	}
	var run history.Run
	if q.Run != 0 {
		run, err = store.Run(ctx, q.Run)
	} else {
		run, err = store.LastRun(ctx, q.Path)
	}
	if errors.Is(err, history.ErrNotFound) {
		return run, problem.Usage("there is no run of this suite to continue; run it without --resume")
	}
	return run, problem.Store(err)
}

func (p *Plan) readEarlier(ctx context.Context) error {
	p.Continues = p.run.ID
	cells, err := p.runner.Cells(ctx, p.run.ID)
	if err != nil {
		return err
	}
	for _, c := range cells {
		if !c.State.HasEnded() {
			return problem.Usage("run %d is still going on elsewhere; wait for it, or end it and try again", p.run.ID)
		}
		p.earlier[c.Key] = c
	}
	for _, c := range p.Calls {
		if !p.asks(c) && p.earlier[c.Key].State == history.Done {
			p.Answered++
		}
	}
	return nil
}

// checkCells checks that all cells can be sent.
func (p *Plan) checkCells(ctx context.Context) error {
	for i, c := range p.Calls {
		if !p.asks(c) {
			continue
		}
		if ctx.Err() != nil {
			return problem.Store(context.Cause(ctx))
		}
		source, err := p.source(ctx, c)
		if err == nil {
			err = p.runner.o.Service.Check(turnOf(c, source))
		}
		var known *api.Error
		if errors.As(err, &known) {
			what := strings.TrimPrefix(c.Description+", prompt "+c.PromptID+", "+c.Provider, ", ")
			return problem.New(known.Code, err, "call %d (%s): %s", i+1, what, problem.Clause(known.Message))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// source returns the source of a cell's edit, resolved once for all cells; nil for other cells.
func (p *Plan) source(ctx context.Context, c Call) (*history.Source, error) {
	if c.Model.Kind != api.Edit {
		return nil, nil
	}
	if known, ok := p.sources[c.Source]; ok {
		return known.Source, nil
	}
	folder := ""
	if p.request.Path != "" {
		folder = filepath.Dir(p.request.Path)
	}
	// In a suite, file:// also precedes paths relative to its folder.
	found, err := p.runner.o.Service.Source(ctx, strings.TrimPrefix(c.Source, "file://"), folder)
	if err != nil {
		return nil, err
	}
	if found.Publish != "" {
		p.Publish = append(p.Publish, found.Publish)
	}
	p.sources[c.Source] = &found
	return found.Source, nil
}

// turnOf returns the turn of a cell.
func turnOf(c Call, source *history.Source) history.Turn {
	t := history.Turn{Prompt: c.Prompt, System: c.System, Aspect: c.Aspect, Source: source, Params: c.Params,
		Samples: 1,
		Answers: []history.Answer{{Model: c.Model.Slug, Kind: history.ModelKind(c.Model.Kind)}}}
	if names := Variables(c.Template, c.SystemTemplate); len(names) > 0 {
		t.Template, t.SystemTemplate, t.Vars = c.Template, c.SystemTemplate, map[string]string{}
		for _, name := range names {
			t.Vars[name] = c.Vars[name]
		}
	}
	switch c.Nonce {
	case "":
		t.Nonce.Mode = history.NonceNone
	case "new":
		t.Nonce.Mode = history.NonceFresh
	default:
		t.Nonce = history.Nonce{Mode: history.NonceFixed, Value: c.Nonce}
	}
	return t
}

// Cell returns a cell of the plan as the history stores it before its call, with the key masked.
func (p *Plan) Cell(i int) history.Cell {
	c, mask := p.Calls[i], p.runner.o.Mask
	return history.Cell{
		Run: p.run.ID, Number: i + 1, TestIndex: c.TestIndex, Repeat: c.Repeat, Row: c.Row, Column: c.Column,
		Key: c.Key, Provider: mask.String(c.Provider), Prompt: mask.String(c.PromptID), Vars: mask.StringMap(c.Vars),
		Description: mask.String(c.Description), Model: c.Model.Slug, Kind: history.ModelKind(c.Model.Kind),
		Template: mask.String(history.Beginning(cmp.Or(c.Template, c.Prompt))),
		System:   mask.String(history.Beginning(cmp.Or(c.SystemTemplate, c.System))),
		Params:   c.Params.WithAspect(c.Aspect),
	}
}

// asks reports whether the run asks a cell.
func (p *Plan) asks(c Call) bool {
	s, earlier := p.request.Asks, p.earlier[c.Key]
	if s.Row != 0 && s.Row != c.Row || s.Column != 0 && s.Column != c.Column {
		return false
	}
	switch s.Cells {
	case FailedCells:
		status := earlier.Status()
		return status == history.CellFailed || status == history.CellError
	case AllCells, NoCells:
		return s.Cells == AllCells
	}
	return earlier.State != history.Done
}

// promptBytesPerToken is an estimate for prompts.
const promptBytesPerToken = 4

// estimateCosts sums up estimated costs of calls from the lengths of earlier answers, if there are any.
func (p *Plan) estimateCosts(ctx context.Context) {
	known, err := read(ctx, p.runner, func(store history.Store) (map[string]history.ModelStats, error) {
		return store.Stats(ctx)
	})
	if err != nil {
		return
	}
	for _, c := range p.Calls {
		model := known[c.Model.Slug]
		if model.OutputTokens == 0 || !p.asks(c) {
			continue
		}
		cost := p.runner.o.Service.CostOf(history.Answer{Model: c.Model.Slug, EngineModel: model.EngineModel,
			Usage: chat.Usage{InputTokens: (len(c.Prompt) + len(c.System)) / promptBytesPerToken,
				OutputTokens: model.OutputTokens}})
		if cost.Currency != "" {
			p.Priced++
			p.Costs = history.AddCost(p.Costs, cost)
		}
	}
}

// String summarises the plan in a few words.
func (p *Plan) String() string {
	calls := format.Count(p.NewCalls, "call")
	if p.Continues != 0 {
		calls += fmt.Sprintf(", %s of run %d %s kept", format.Count(p.Answered, "answer"), p.Continues,
			format.Plural(p.Answered, "is", "are"))
	}
	if p.Gradings > 0 {
		calls += ", " + format.Count(p.Gradings, "call") + " of the grader"
	}
	text := fmt.Sprintf("%s, %d at once", calls, p.Concurrency)
	if len(p.Costs) > 0 {
		text += ", ~" + CostsText(p.Costs)
		if p.Priced < p.NewCalls {
			text += fmt.Sprintf(" for %d of them", p.Priced)
		}
	}
	return text
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
