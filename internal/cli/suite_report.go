package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/export"
	"confab/service/suite"
)

type suiteReport struct {
	a      *app
	svc    *service.Service
	run    *suite.Run
	f      suiteFlags
	name   string // of the suite, as it was given
	notes  []suite.UnappliedSetting
	began  time.Time
	cells  []history.Cell // of the plan, each replaced when it ends
	table  *suite.Results // of the plan
	rows   map[int]int    // of the table, by the numbers of cells
	ends   []suite.Event
	ended  int
	failed int
	files  []*export.RunFile
	status statusLine
	err    error // why the report cannot go on
}

func newSuiteReport(a *app, svc *service.Service, run *suite.Run, file service.SuiteFile, name string,
	f suiteFlags) *suiteReport {
	r := &suiteReport{a: a, svc: svc, run: run, f: f, name: name, notes: file.Suite.Unapplied, began: time.Now(),
		ends: make([]suite.Event, len(run.Plan.Calls)), status: statusLine{app: a},
		table: suite.NewResults(run.Plan.Table(), nil), rows: map[int]int{}}
	for i := range run.Plan.Calls {
		r.cells = append(r.cells, run.Plan.Cell(i))
	}
	for i, row := range r.table.Run.Rows {
		for _, c := range slices.Concat(row.Cells...) {
			r.rows[c.Number] = i
		}
	}
	return r
}

// follow prints cells until the run ends, and returns an error for the exit code.
func (r *suiteReport) follow(ctx context.Context, events <-chan suite.Event) error {
	for _, output := range r.f.outputs {
		file, err := r.svc.Exporter().NewRunFile(r.run, output, r.f.isExactCSV)
		if r.err = cmp.Or(r.err, err); err != nil {
			r.run.Stop()
		} else {
			r.files = append(r.files, file)
		}
	}
	followEvents(&r.status, events, func(e suite.Event) { r.handleEvent(ctx, e) }, r.showProgress)
	for _, file := range r.files {
		path, err := file.Close(context.WithoutCancel(ctx))
		if r.err = cmp.Or(r.err, err); err == nil {
			r.a.note("written to " + termtext.Line(path))
		}
	}
	results := suite.NewResults(suite.NewTable(r.run.Record(), r.cells), nil)
	if r.err == nil && !r.a.flags.json && r.a.out.terminal {
		r.err = r.a.printRunTable(results.TableText)
	}
	if !r.a.flags.quiet {
		r.warn(append(limited(r.failures(), "failure", "failures"),
			limited(r.serviceNotes(), "note of the service", "notes of the service")...))
		r.printSummary(ctx, results)
	}
	doubts := r.doubts(results.Total)
	r.warn(doubts)
	missing := results.Total.WithoutAnswer()
	if missing > 0 && r.svc.IsSaving() {
		r.a.info("continue with: " + r.resumeCommand())
	}
	switch err := cmp.Or(r.err, r.run.Err()); {
	case err != nil:
		return err
	case ctx.Err() != nil && missing > 0:
		return exitCode(ExitInterrupted)
	case results.Total.Failed+results.Total.Errors+missing > 0, !r.f.allowSkipped && len(doubts) > 0:
		return exitCode(ExitFailed)
	}
	return nil
}

func (r *suiteReport) warn(texts []string) {
	for _, text := range texts {
		r.a.warn("%s", text)
	}
}

// handleEvent prints a cell that has ended and writes it to the file.
func (r *suiteReport) handleEvent(ctx context.Context, e suite.Event) {
	defer r.showProgress()
	if e.Cell.State == history.Running {
		return
	}
	r.ends[e.Index], r.cells[e.Index] = e, e.Cell
	r.ended++
	if v := e.Cell.Status(); v == history.CellFailed || v == history.CellError {
		r.failed++
	}
	if r.err != nil {
		return
	}
	ctx = context.WithoutCancel(ctx) // an answer that came is written
	for _, file := range r.files {
		r.err = cmp.Or(r.err, file.Add(ctx, e.Cell))
	}
	if r.err == nil {
		r.err = r.printEnd(ctx, e)
	}
	if r.err != nil {
		r.run.Stop() // further answers could not be printed
	}
}

// printEnd prints a cell as JSON, or as a line where no table follows.
func (r *suiteReport) printEnd(ctx context.Context, e suite.Event) error {
	switch {
	case r.a.flags.json:
		line, err := r.svc.Exporter().RunLine(ctx, r.run, e.Cell)
		if err != nil {
			return err
		}
		r.status.clear()
		return r.a.print(escapeJSON(line))
	case r.a.out.terminal:
		return nil
	}
	r.status.clear()
	var line textTable
	line.add(r.cellLine(e.Cell)...)
	return r.a.printTable(line)
}

func (r *suiteReport) showProgress() {
	all := len(r.cells)
	text := fmt.Sprintf("%d/%d", r.ended, all)
	if r.failed > 0 {
		text += fmt.Sprintf("  %d failed", r.failed)
	}
	took := time.Since(r.began)
	text += fmt.Sprintf("  %d s", int(took.Seconds()))
	if fresh := r.ended - r.run.Plan.Answered; fresh >= 5 && r.ended < all {
		remaining := took / time.Duration(fresh) * time.Duration(all-r.ended)
		text += "  about " + remaining.Round(time.Second).String() + " left"
	}
	r.status.showBar(r.ended, all, text)
}

// maxWarnings is the largest number of warnings of one kind.
const maxWarnings = 20

// limited returns at most maxWarnings texts and a count of the others.
func limited(texts []string, one, many string) []string {
	if len(texts) <= maxWarnings {
		return texts
	}
	return append(texts[:maxWarnings:maxWarnings],
		format.Several(len(texts)-maxWarnings, one, many)+" more; -o writes them all")
}

func (r *suiteReport) failures() (texts []string) {
	for i, c := range r.cells {
		if c.State == history.Cancelled || c.State == history.Interrupted {
			continue
		}
		where := c.Provider + ", " + r.rowName(c)
		if c.Repeat > 1 {
			where += fmt.Sprintf(", repetition %d", c.Repeat)
		}
		where = termtext.Line(where)
		if f := r.ends[i].Failure; f != nil {
			texts = append(texts, fmt.Sprintf("%s: %s (%s)", where, asClause(f.Message), f.Code))
		}
		for _, check := range c.Checks {
			if check.Verdict == history.CheckFailed {
				texts = append(texts, where+": ✗ "+suite.FailureText(check))
			}
		}
	}
	return texts
}

// serviceNotes returns the notes of the service, and how many answers the offline engine simulated.
func (r *suiteReport) serviceNotes() (texts []string) {
	simulated, counts := 0, map[string]int{}
	for _, e := range r.ends {
		if e.IsSimulated {
			simulated++
		}
		if e.ServiceNote != "" {
			counts[e.ServiceNote]++
		}
	}
	if simulated > 0 && !r.a.endpoint().IsSimulated {
		texts = append(texts,
			format.Several(simulated, "answer was", "answers were")+" simulated by the offline engine")
	}
	for _, note := range slices.Sorted(maps.Keys(counts)) {
		texts = append(texts, fmt.Sprintf("%s: the service says: %s", format.Count(counts[note], "answer"), note))
	}
	return texts
}

// printSummary prints what the run took, how many answers passed, and what is to be known of its checks.
func (r *suiteReport) printSummary(ctx context.Context, results *suite.Results) {
	stats, record := results.Total, r.run.Record()
	text := stats.String()
	if took := stats.UsageText(); took != "" {
		text += "; " + took
	}
	if r.svc.IsSaving() {
		text = fmt.Sprintf("run %d: %s, in session s%d", record.ID, text, record.Session)
	}
	if judged := stats.Passed + stats.Failed; judged > 1 {
		text += "; pass rate " + suite.Rate(stats.Passed, judged)
	}
	texts := []string{text}
	if text := stats.Grading.String(); text != "" {
		texts = append(texts, "grading: "+text)
	}
	if votes, err := r.svc.Runner().Votes(ctx, suite.VoteScope{Run: record.ID}); err == nil && votes.Grader != "" {
		texts = append(texts, votes.Grader)
	}
	for _, text := range slices.Concat(texts, results.Flaky, r.rejudged()) {
		r.a.info(text)
	}
}

// rejudged counts the answers that were judged differently than before, and names those with another verdict.
func (r *suiteReport) rejudged() (texts []string) {
	n := 0
	for _, e := range r.ends {
		if !e.IsRejudged {
			continue
		}
		n++
		before := e.Cell
		before.Checks = e.Cell.EarlierChecks[len(e.Cell.EarlierChecks)-1]
		if now := e.Cell.Status().String(); now != before.Status().String() {
			texts = append(texts, fmt.Sprintf("%s, %s: %s before, %s now", termtext.Line(e.Cell.Provider),
				r.rowName(e.Cell), before.Status(), now))
		}
	}
	if n > 0 {
		texts = append(limited(texts, "verdict", "verdicts"),
			format.Count(n, "answer")+" judged differently than before; what was said before is kept")
	}
	return texts
}

// doubts returns why a run without failures has not passed: incomplete answers, skipped checks, unchecked answers,
// tests that were not run. --quiet does not silence doubts.
func (r *suiteReport) doubts(stats suite.Stats) (texts []string) {
	add := func(n int, one, many, rest string) {
		if n > 0 {
			texts = append(texts, format.Several(n, one, many)+rest)
		}
	}
	add(stats.Incomplete, "answer was", "answers were", " cut, refused, filtered or empty: this run has not passed")
	if stats.Skipped > 0 && stats.Checks.Passed+stats.Checks.Failed == 0 {
		texts = append(texts, "nothing was checked: this run has not passed")
	} else {
		add(stats.Skipped, "answer has", "answers have", " skipped checks: this run has not passed")
	}
	if stats.Unchecked > 0 && stats.Unchecked == stats.Answered() {
		texts = append(texts, "nothing was checked, because the suite has no checks: this run has not passed; "+
			"add checks (confab help suites), or give --allow-skipped")
	} else {
		add(stats.Unchecked, "answer was not checked: the suite has no check for it",
			"answers were not checked: the suite has no checks for them", "")
	}
	texts = append(texts, limited(r.skippedChecks(), "skipped check", "skipped checks")...)
	add(r.run.Plan.LeftOut, "test was", "tests were", " not run: none of the prompts and models is for them")
	for _, n := range r.notes {
		if n.LeavesOut {
			texts = append(texts, fmt.Sprintf("line %d of %s: %s: this run has not passed", n.Line, r.name, n.Text))
		}
	}
	return texts
}

// skippedChecks returns the skipped checks with their number and reason.
func (r *suiteReport) skippedChecks() (texts []string) {
	var checks []string
	count := map[string]int{}
	for _, c := range r.cells {
		for _, check := range c.Checks {
			if c.State != history.Done || check.Verdict != history.CheckSkipped {
				continue
			}
			text := suite.CheckLabel(check) + " (" + check.Reason + ")"
			if count[text]++; count[text] == 1 {
				checks = append(checks, text)
			}
		}
	}
	for _, text := range checks {
		texts = append(texts, fmt.Sprintf("skipped %s: %s", format.Several(count[text], "time", "times"), text))
	}
	return texts
}

// resumeCommand returns the command that continues the run.
func (r *suiteReport) resumeCommand() string {
	words := []string{"confab", "run", r.name, "--resume"}
	for _, output := range r.f.outputs {
		words = append(words, "-o", output)
	}
	for _, flag := range [][2]string{{"--config", r.a.flags.config}, {"--data-dir", r.a.flags.dataDir}} {
		if flag[1] != "" {
			words = append(words, flag[0], flag[1])
		}
	}
	for i, w := range words {
		words[i] = format.ShellWord(termtext.Line(w))
	}
	return strings.Join(words, " ")
}
