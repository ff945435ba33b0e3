package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"confab/history"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/suite"
)

// MaxRunConcurrency is how many calls of a run may be made side by side.
const MaxRunConcurrency = 64

// RunOptions say which suite is run how.
type RunOptions struct {
	Suite  Suite
	Path   string // of its file, absolute; empty when it is none yet
	SHA256 string // of its file
	// Resume goes on with a run: what it has is kept, what is missing or failed
	// is asked for. Cells are the same when they send the same. What is not said
	// below is then as the run was asked for before.
	Resume      bool
	Run         int64         // the run to go on with; 0 = the newest of Path
	Models      []string      // instead of the suite's, in their order
	Repeat      int           // instead of the suite's; 0 = the suite's
	Concurrency int           // instead of the suite's; 0 = the suite's, else that of the options
	Timeout     time.Duration // of one call, instead of the suite's; 0 = the suite's
	Note        string
}

// RunPlan is what a run would do.
type RunPlan struct {
	Cells       []SuiteCell
	Calls       int   // that would be made
	Had         int   // answers the resumed run has already
	Resumes     int64 // the run that is gone on with; 0 = a new one
	Concurrency int
	Delay       time.Duration // of a place after its call
	Timeout     time.Duration // of one call
	Publish     []string      // what leaves the machine for edits, a sentence each
	Repeat      int
	LeftOut     int // tests that none of the prompts and models is for

	s       *Service
	o       RunOptions
	run     history.Run
	had     map[string]history.Cell
	sources map[string]*runSource
}

// runSource is a picture that cells edit.
type runSource struct {
	source *history.Source
	sha256 string // as received; empty when it is at a URL
}

// PlanSuite says what running a suite would do. It sends nothing and keeps
// nothing. The error is what is wrong with the suite: a variable without a
// value, an unknown model, a picture that is not there.
func (s *Service) PlanSuite(ctx context.Context, o RunOptions) (*RunPlan, error) {
	var before history.Run
	if o.Resume {
		var err error
		if before, err = s.resumed(ctx, o); err != nil {
			return nil, err
		}
		o = asBefore(o, before.How)
	}
	su, err := s.withModels(o.Suite, o.Models)
	if err != nil {
		return nil, err
	}
	if o.Repeat > 0 {
		su.Options.Repeat = o.Repeat
	}
	if most := s.o.MaxSamples; most > 0 && su.Options.Repeat > most {
		return nil, usage("the suite asks for each answer %d times; here it may ask %d times at most", su.Options.Repeat,
			most)
	}
	p := &RunPlan{s: s, o: o, run: before, Delay: su.Options.Delay, Timeout: su.Options.Timeout,
		Repeat: max(1, su.Options.Repeat), sources: map[string]*runSource{}}
	if o.Timeout > 0 {
		p.Timeout = o.Timeout
	}
	if p.Cells, err = suite.Cells(su, s.o.Catalogue); err != nil {
		return nil, err
	}
	if len(p.Cells) == 0 {
		return nil, usage("the suite makes no call: none of its tests is for any of the prompts and models")
	}
	p.LeftOut = suite.Unasked(su, p.Cells)
	p.Concurrency = s.concurrencyOf(su, o)
	if o.Resume {
		if err := s.readHad(ctx, p); err != nil {
			return nil, err
		}
	}
	if err := s.judgeCells(ctx, p); err != nil {
		return nil, err
	}
	p.Calls = len(p.Cells) - p.Had
	return p, nil
}

// concurrencyOf returns how many calls are made side by side. A delay means one
// after the other, as promptfoo has it, unless a number was asked for.
func (s *Service) concurrencyOf(su Suite, o RunOptions) int {
	n := o.Concurrency
	switch {
	case n > 0:
	case su.Options.Delay > 0:
		n = 1
	case su.Options.Concurrency > 0:
		n = su.Options.Concurrency
	default:
		n = s.o.Concurrency
	}
	return min(n, MaxRunConcurrency)
}

// resumed returns the run to go on with.
func (s *Service) resumed(ctx context.Context, o RunOptions) (run history.Run, err error) {
	// What a dead process was doing is interrupted, and a picture it had saved
	// completes its answer.
	if _, err := s.Start(ctx); err != nil {
		return history.Run{}, err
	}
	store, err := s.history(ctx)
	if err != nil {
		return history.Run{}, err
	}
	if o.Run != 0 {
		run, err = store.Run(ctx, o.Run)
	} else {
		run, err = store.LastRun(ctx, o.Path)
	}
	if errors.Is(err, history.ErrNotFound) {
		return history.Run{}, fail(api.CodeUsage, err, "there is no run of this suite to go on with; run it without --resume")
	}
	if err != nil {
		return history.Run{}, problemOf(err)
	}
	return run, nil
}

// asBefore returns the options with what is not said in them as a run was asked
// for.
func asBefore(o RunOptions, how history.RunHow) RunOptions {
	if len(o.Models) == 0 {
		o.Models = how.Models
	}
	o.Repeat = cmp.Or(o.Repeat, how.Repeat)
	o.Concurrency = cmp.Or(o.Concurrency, how.Concurrency)
	o.Timeout = cmp.Or(o.Timeout, how.Timeout)
	return o
}

// readHad finds what the resumed run has.
func (s *Service) readHad(ctx context.Context, p *RunPlan) error {
	p.Resumes, p.had = p.run.ID, map[string]history.Cell{}
	err := s.EachRunCell(ctx, p.run.ID, func(c history.Cell) error {
		if !c.State.Ended() {
			return usage("run %d is still going on elsewhere; wait for it, or end it and try again", p.run.ID)
		}
		p.had[c.Key] = c
		return nil
	})
	for _, c := range p.Cells {
		if p.had[c.Key].State == history.Done {
			p.Had++
		}
	}
	return err
}

// judgeCells finds what cannot be sent before anything is.
func (s *Service) judgeCells(ctx context.Context, p *RunPlan) error {
	for i, c := range p.Cells {
		if p.had[c.Key].State == history.Done {
			continue
		}
		if ctx.Err() != nil {
			return problemOf(context.Cause(ctx))
		}
		source, err := p.sourceOf(ctx, s, c)
		if err == nil {
			_, _, err = s.check(promptOf(c, source))
		}
		if err != nil {
			var known *api.Error
			if !errors.As(err, &known) {
				return err
			}
			return fail(known.Code, err, "call %d (prompt %s, %s): %s", i+1, c.PromptID, c.Provider, clause(known.Message))
		}
	}
	return nil
}

// sourceOf returns the picture that a cell edits, judged once for all cells.
func (p *RunPlan) sourceOf(ctx context.Context, s *Service, c SuiteCell) (*history.Source, error) {
	if c.Model.Kind != api.Edit {
		return nil, nil
	}
	if known, ok := p.sources[c.Source]; ok {
		return known.source, nil
	}
	// In a suite file:// also begins paths relative to its folder.
	written, err := ParseSource(strings.TrimPrefix(c.Source, "file://"))
	if err != nil {
		return nil, err
	}
	if path := written.Path; path != "" {
		if !filepath.IsAbs(path) && !strings.HasPrefix(path, "~") && p.o.Path != "" {
			path = filepath.Join(filepath.Dir(p.o.Path), path)
		}
		full, err := s.namedPath(path)
		if err != nil {
			return nil, diskProblem("find the picture to edit", err)
		}
		written.Path = full
	}
	judged, err := s.judgeSource(ctx, &written)
	if err != nil {
		return nil, err
	}
	known := &runSource{source: judged}
	if judged.Path != "" {
		b, err := s.readPicture(judged.Path)
		if err != nil {
			return nil, err
		}
		known.sha256 = sha(pictures.CleanCopy(b))
	}
	plan, err := s.PublishPlan(ctx, *judged)
	if err != nil {
		return nil, err
	}
	if plan != "" {
		p.Publish = append(p.Publish, plan)
	}
	p.sources[c.Source] = known
	return judged, nil
}

// promptOf returns what a cell sends.
func promptOf(c SuiteCell, source *history.Source) Prompt {
	p := Prompt{Text: c.Prompt, System: c.System, Models: []string{c.Model.Slug}, Aspect: c.Aspect, Source: source,
		Samples: 1}
	if names := Variables(c.Template, c.SystemTemplate); len(names) > 0 {
		p.Template, p.SystemTemplate, p.Vars = c.Template, c.SystemTemplate, map[string]string{}
		for _, name := range names {
			p.Vars[name] = c.Vars[name]
		}
	}
	switch c.Nonce {
	case "":
		p.Nonce.Mode = history.NonceNone
	case "new":
		p.Nonce.Mode = history.NonceFresh
	default:
		p.Nonce = history.Nonce{Mode: history.NonceFixed, Value: c.Nonce}
	}
	return p
}

// facts returns what would be kept of the run.
func (p *RunPlan) facts() history.Run {
	mask := p.s.o.Mask
	facts := p.run
	if facts.ID == 0 {
		facts.Suite, facts.Path = mask.String(nameOfSuite(p.o.Suite, p.o.Path)), mask.String(p.o.Path)
	}
	facts.SHA256, facts.Planned, facts.Ended = p.o.SHA256, len(p.Cells), time.Time{}
	facts.How = history.RunHow{Models: p.o.Models, Repeat: p.o.Repeat, Concurrency: p.o.Concurrency, Timeout: p.o.Timeout,
		AtOnce: p.Concurrency}
	if p.o.Note != "" {
		facts.Note = mask.String(p.o.Note)
	}
	return facts
}

// cellOf returns a cell of the suite as the history keeps it, the key masked.
func (s *Service) cellOf(p *RunPlan, i int) history.Cell {
	c := p.Cells[i]
	return history.Cell{
		Run: p.run.ID, Number: i + 1, Test: c.Test, Repeat: c.Repeat, Row: c.Row, Column: c.Column, Key: c.Key,
		Provider: s.o.Mask.String(c.Provider), Prompt: s.o.Mask.String(c.PromptID), Description: s.o.Mask.String(
			c.Description,
		), Vars: s.maskedVars(c.Vars),
		Model: c.Model.Slug, Kind: history.Kind(c.Model.Kind),
	}
}

// maskedVars returns the values of variables with the key masked, the same map
// where it is in none.
func (s *Service) maskedVars(vars map[string]string) map[string]string {
	for name, value := range vars {
		if s.o.Mask.String(value) == value && s.o.Mask.String(name) == name {
			continue
		}
		masked := map[string]string{}
		for name, value := range vars {
			masked[s.o.Mask.String(name)] = s.o.Mask.String(value)
		}
		return masked
	}
	return vars
}

// String says what the plan is in a few words.
func (p *RunPlan) String() string {
	calls := fmt.Sprintf("%d calls", p.Calls)
	if p.Calls == 1 {
		calls = "1 call"
	}
	if p.Resumes != 0 {
		calls += fmt.Sprintf(", %d answers of run %d are kept", p.Had, p.Resumes)
	}
	return fmt.Sprintf("%s, %d at once", calls, p.Concurrency)
}
