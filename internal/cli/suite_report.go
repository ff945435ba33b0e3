package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/suite"
	"confab/service/suiterun"
)

// suiteReport prints what becomes of a run.
type suiteReport struct {
	a      *app
	svc    *service.Service
	run    *suiterun.Run
	f      suiteFlags
	name   string // of the suite, as it was given
	began  time.Time
	ends   []*suiterun.Event // by the cell's place; of texts nothing is kept
	asked  int               // calls that run or have ended
	ended  int
	bad    int // of those, failed
	file   *service.RunFile
	drawn  time.Time
	status statusLine
	err    error
	vars   *[]string // whose values differ
	notes  []suite.Note
}

// follow prints what comes until the run ends, and returns what the exit code is
// to say.
func (r *suiteReport) follow(ctx context.Context, events <-chan suiterun.Event) error {
	if r.f.output != "" {
		if r.file, r.err = r.svc.NewRunFile(r.run, r.f.output, r.f.spreadsheet); r.err != nil {
			r.run.Stop()
		}
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for open := true; open; {
		select {
		case e, ok := <-events:
			if open = ok; ok {
				r.take(ctx, e)
			}
		case <-tick.C:
			r.progress(true)
		}
	}
	r.status.clear()
	if r.file != nil {
		path, err := r.file.Close(context.WithoutCancel(ctx))
		r.err = firstOf(r.err, err)
		if err == nil && !r.f.quiet {
			r.a.say("written to " + termtext.Line(path))
		}
	}
	if r.err == nil && !r.f.json && r.a.out.terminal {
		r.err = r.tables()
	}
	if !r.f.quiet {
		r.troubles()
		r.differences()
	}
	return r.outcome(ctx)
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// take takes what became of a cell.
func (r *suiteReport) take(ctx context.Context, e suiterun.Event) {
	if e.Cell.State == history.Running {
		r.asked++
		r.progress(false)
		return
	}
	r.ends[e.Index] = &e
	r.ended++
	if v := e.Cell.Verdict(); v == history.CellFailed || v == history.CellError {
		r.bad++
	}
	ctx = context.WithoutCancel(ctx) // what came is written
	if r.err == nil && r.file != nil {
		r.stopFor(r.file.Add(ctx, e.Cell))
	}
	if r.err == nil {
		r.stopFor(r.printEnd(ctx, e))
	}
	r.progress(false)
}

// printEnd prints a cell that has ended: as JSON, or as a line where it does not
// go to a terminal, which gets tables at the end.
func (r *suiteReport) printEnd(ctx context.Context, e suiterun.Event) error {
	switch {
	case r.f.json:
		line, err := r.svc.RunLine(ctx, r.run, e.Cell)
		if err != nil {
			return err
		}
		r.status.clear()
		return r.a.print(escaped(line))
	case r.a.out.terminal:
		return nil
	}
	r.status.clear()
	return r.a.printTable(table{rows: [][]string{r.line(e)}})
}

// stopFor ends the run when nobody can be told of it any more.
func (r *suiteReport) stopFor(err error) {
	if err != nil && r.err == nil {
		r.err = err
		r.run.Stop()
	}
}

// progress shows on a terminal how far the run is.
func (r *suiteReport) progress(now bool) {
	if !r.status.isWanted() || !now && time.Since(r.drawn) < 100*time.Millisecond {
		return
	}
	r.drawn = time.Now()
	const width = 20
	all := len(r.ends)
	full := width * r.ended / max(1, all)
	text := fmt.Sprintf("[%s%s] %d/%d", strings.Repeat("#", full), strings.Repeat("-", width-full), r.ended, all)
	if r.bad > 0 {
		text += fmt.Sprintf("  %d failed", r.bad)
	}
	had := r.run.Plan.Answered
	took := time.Since(r.began)
	text += fmt.Sprintf("  %d s", int(took.Seconds()))
	if fresh := r.ended - had; fresh >= 5 && r.ended < all {
		left := took / time.Duration(fresh) * time.Duration(all-r.ended)
		text += "  about " + roughly(left) + " left"
	}
	r.status.show(text)
}

// roughly writes how long something will take.
func roughly(d time.Duration) string {
	if d < 90*time.Second {
		return fmt.Sprintf("%d s", int(d.Seconds())+1)
	}
	return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
}

// maxTroubles is how many failures are told one by one.
const maxTroubles = 20

// troubles tells what failed and how.
func (r *suiteReport) troubles() {
	told, more := 0, 0
	tell := func(i int, text string) {
		if told++; told > maxTroubles {
			more++
			return
		}
		c := r.run.Plan.Cells[i]
		where := c.Provider + ", " + r.row(i)
		if c.Repeat > 1 {
			where += fmt.Sprintf(", repetition %d", c.Repeat)
		}
		r.a.warn("%s: %s", termtext.Line(where), text)
	}
	for i, e := range r.ends {
		switch {
		case e == nil || e.Cell.State == history.Cancelled || e.Cell.State == history.Interrupted:
			continue
		case e.Failure != nil:
			tell(i, fmt.Sprintf("%s (%s)", said(e.Failure.Message), e.Failure.Code))
		}
		for _, c := range e.Cell.Checks {
			if c.Verdict == "failed" {
				tell(i, fmt.Sprintf("check %s failed: %s", c.Name, c.Reason))
			}
		}
	}
	if more > 0 {
		r.a.warn("%s more; -o writes them all", format.Count(more, "failure"))
	}
}

// differences tells what the service said of answers, and how many were simulated
// where others were not.
func (r *suiteReport) differences() {
	simulated, counts := 0, map[string]int{}
	for _, e := range r.ends {
		if e == nil {
			continue
		}
		if e.Simulated {
			simulated++
		}
		if e.ServiceNote != "" {
			counts[e.ServiceNote]++
		}
	}
	for i, note := range slices.Sorted(maps.Keys(counts)) {
		if i == maxTroubles {
			r.a.warn("%s more; -o writes them all",
				format.Several(len(counts)-i, "note of the service", "notes of the service"))
			break
		}
		r.a.warn("%s: the service says: %s", format.Count(counts[note], "answer"), note)
	}
	if simulated > 0 && !r.a.endpoint().Simulated {
		r.a.warn("%s simulated by the offline engine", format.Several(simulated, "answer was", "answers were"))
	}
}

// again returns the command that continues the run. What was said of models,
// samples and calls at once is kept with the run.
func (r *suiteReport) again() string {
	words := []string{"confab", "run", r.name, "--resume"}
	add := func(set bool, name, value string) {
		if set {
			words = append(words, name, value)
		}
	}
	add(r.f.output != "", "-o", r.nextOutput())
	add(r.a.flags.config != "", "--config", r.a.flags.config)
	add(r.a.flags.dataDir != "", "--data-dir", r.a.flags.dataDir)
	for i, w := range words {
		words[i] = format.ShellWord(termtext.Line(w))
	}
	return strings.Join(words, " ")
}

// nextOutput returns a name beside that of -o which is free: the file holds what
// came so far, and the next one will hold everything.
func (r *suiteReport) nextOutput() string {
	ext := filepath.Ext(r.f.output)
	for n := 2; n < 1000; n++ {
		name := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(r.f.output, ext), n, ext)
		if _, err := r.svc.FreeRunFile(name); err == nil {
			return name
		}
	}
	return r.f.output
}

// row names what a cell asks: its prompt and the values that differ.
func (r *suiteReport) row(i int) string {
	c := r.run.Plan.Cells[i]
	name := "prompt " + r.label(c.PromptID)
	if values := r.values(i); values != "" {
		name += " (" + values + ")"
	}
	return name
}

// label returns a name of the suite's fit to be printed.
func (r *suiteReport) label(name string) string {
	return termtext.Line(r.a.secrets.masker().String(name))
}

// maxValue is how wide the value of a variable may be where it names a row.
const maxValue = 24

// values returns the test's description and the variables that not all cells
// share.
func (r *suiteReport) values(i int) string {
	c := r.run.Plan.Cells[i]
	var parts []string
	if c.Description != "" {
		parts = append(parts, c.Description)
	}
	for _, name := range r.differing() {
		if v, ok := c.Vars[name]; ok {
			parts = append(parts, name+"="+ansi.Truncate(r.label(cmp.Or(v, `""`)), maxValue, "…"))
		}
	}
	return r.label(strings.Join(parts, ", "))
}
