package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/export"
)

// differing returns the variables whose values are not the same in all cells.
func (r *suiteReport) differing() []string {
	if r.vars != nil {
		return *r.vars
	}
	first := map[string]string{}
	seen := map[string]bool{}
	var names []string
	for i, c := range r.run.Plan.Cells {
		for name, v := range c.Vars {
			known, ok := first[name]
			if !ok {
				first[name] = v
			}
			if (ok && known != v || !ok && i > 0) && !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	r.vars = &names
	return names
}

// tables prints what came of the run: prompts and models against each other, then
// how each model fared.
func (r *suiteReport) tables() error {
	if err := r.matrix(); err != nil {
		return err
	}
	return r.models()
}

// line is what is printed of a cell that has ended where no tables are.
func (r *suiteReport) line(e service.CellEvent) []string {
	passed, failed, _ := export.CountChecks(e.Cell.Checks)
	var wrong, skipped []string
	for _, c := range e.Cell.Checks {
		switch c.Verdict {
		case "failed":
			wrong = append(wrong, c.Name)
		case "skipped":
			skipped = append(skipped, c.Name)
		}
	}
	took := ""
	if e.Cell.State == history.Done {
		took = strconv.FormatFloat(e.Elapsed.Seconds(), 'f', 3, 64)
	}
	c := r.run.Plan.Cells[e.Index]
	return []string{r.label(c.PromptID), r.values(e.Index), r.label(c.Provider), strconv.Itoa(c.Repeat),
		string(e.Cell.State),
		strconv.Itoa(passed), strconv.Itoa(passed + failed), took, strings.Join(wrong,
			"; "), string(e.Cell.Verdict()), strings.Join(skipped, "; ")}
}

// spot is one place of the matrix: the repetitions of a cell.
type spot struct {
	verdicts            tally
	passed, checks      int // of the checks
	asked, done, cached int
	code                string
	times               []time.Duration
}

// sign returns the worst of what came of the repetitions. Only ✓ says that all of them passed.
func (s *spot) sign() string {
	switch {
	case s.verdicts[history.CellFailed]+s.verdicts[history.CellError] > 0:
		return "✗"
	case s.verdicts[history.CellMissing] > 0:
		return "–"
	case s.verdicts[history.CellSkipped] > 0:
		return "?"
	case s.verdicts[history.CellUnchecked] > 0:
		return "○"
	}
	return "✓"
}

// mark writes a spot in a few characters.
func (s *spot) mark() string {
	switch {
	case s == nil:
		return ""
	case s.code != "" && s.done == 0:
		return "! " + s.code
	case s.done == 0:
		return s.sign()
	}
	text := s.sign()
	if s.checks > 0 {
		text += fmt.Sprintf(" %d/%d", s.passed, s.checks)
	}
	took := seconds(format.Summarize(s.times).Median)
	if s.cached > 0 && took != "" {
		took = "(" + took + ")"
	}
	if took != "" {
		text += " " + took
	}
	if s.asked > 1 {
		text += fmt.Sprintf(" ×%d", s.asked)
	}
	return text
}

// add counts a cell; nil is one that was not asked for.
func (s *spot) add(e *service.CellEvent) {
	if s.verdicts == nil {
		s.verdicts = tally{}
	}
	s.asked++
	if e == nil {
		s.verdicts[history.CellMissing]++
		return
	}
	s.verdicts[e.Cell.Verdict()]++
	if e.Cell.State == history.Failed && e.Failure != nil {
		s.code = e.Failure.Code
	}
	if e.Cell.State != history.Done {
		return
	}
	passed, _, _ := export.CountChecks(e.Cell.Checks)
	s.passed, s.checks = s.passed+passed, s.checks+len(e.Cell.Checks)
	s.done++
	s.times = append(s.times, e.Elapsed)
	if e.Cached {
		s.cached++
	}
}

// maxRowName is how wide the name of a row may be on a terminal.
const maxRowName = 34

// matrix prints prompts against models, in several tables where the models do
// not fit beside each other.
func (r *suiteReport) matrix() error {
	var rows, models []string
	names := map[string]string{} // of the rows
	seen, alike := map[string]bool{}, map[string]int{}
	spots := map[[2]string]*spot{}
	for i, e := range r.ends {
		c := r.run.Plan.Cells[i]
		name := r.row(i)
		row := fmt.Sprint(c.Test, " ", name, " ", c.Prompt)
		if names[row] == "" {
			if alike[name]++; alike[name] > 1 { // prompts of one file, tests without a name
				name += fmt.Sprintf(" #%d", alike[name])
			}
			names[row] = ansi.Truncate(name, maxRowName, "…")
			rows = append(rows, row)
		}
		model := r.label(c.Provider)
		if !seen[model] {
			seen[model] = true
			models = append(models, model)
		}
		at := [2]string{row, model}
		if spots[at] == nil {
			spots[at] = &spot{}
		}
		spots[at].add(e)
	}
	const column = 18
	beside := max(1, (r.a.out.width()-maxRowName)/column)
	for chunk := range slices.Chunk(models, beside) {
		t := table{head: []string{""}}
		for _, m := range chunk {
			t.head = append(t.head, ansi.Truncate(m, column-2, "…"))
		}
		for _, row := range rows {
			cells := []string{names[row]}
			for _, m := range chunk {
				cells = append(cells, spots[[2]string{row, m}].mark())
			}
			t.add(cells...)
		}
		if err := r.a.printTable(t); err != nil {
			return err
		}
		if err := r.a.print("\n"); err != nil {
			return err
		}
	}
	return nil
}

// models prints how each model fared over the whole run.
func (r *suiteReport) models() error {
	t := table{head: []string{"model", "answered", "passed", "failed", "skipped", "checks", "time"},
		right: map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true}}
	sums := map[string]*spot{}
	var names []string
	for i, e := range r.ends {
		name := r.label(r.run.Plan.Cells[i].Provider)
		s := sums[name]
		if s == nil {
			s = &spot{}
			sums[name] = s
			names = append(names, name)
		}
		if s.add(e); e != nil && e.Cached && e.Cell.State == history.Done {
			s.times = s.times[:len(s.times)-1] // an old one, which is left out of the sum
		}
	}
	for _, name := range names {
		s := sums[name]
		checks := ""
		if s.checks > 0 {
			checks = fmt.Sprintf("%d/%d", s.passed, s.checks)
		}
		t.add(name, fmt.Sprintf("%d/%d", s.done, s.asked), strconv.Itoa(s.verdicts[history.CellPassed]),
			strconv.Itoa(s.verdicts[history.CellFailed]),
			strconv.Itoa(s.verdicts[history.CellSkipped]), checks, format.Summarize(s.times).String())
	}
	return r.a.printTable(t)
}

// listRuns prints the runs of a suite, or of all.
func (a *app) listRuns(ctx context.Context, svc *service.Service, args []string, f suiteFlags) error {
	path := ""
	if len(args) == 1 {
		file, err := svc.OpenSuite(ctx, args[0])
		if err != nil {
			return err
		}
		path = file.Path
	}
	runs, err := svc.Runs(ctx, path, 100)
	if err != nil {
		return err
	}
	t := table{head: []string{"run", "suite", "when", "answered", "passed", "failed", "skipped", "unchecked", "", "note"},
		right: map[int]bool{0: true, 3: true, 4: true, 5: true, 6: true, 7: true}}
	for _, r := range runs {
		if f.json {
			if err := a.printJSON(runJSON(r)); err != nil {
				return err
			}
			continue
		}
		state := ""
		if r.Ended.IsZero() {
			state = "not whole"
		}
		t.add(strconv.FormatInt(r.ID, 10), a.short(r.Suite), format.Day(r.Started, time.Now()),
			fmt.Sprintf("%d/%d", r.Done, r.Planned),
			strconv.Itoa(r.Passed), strconv.Itoa(r.Failed), strconv.Itoa(r.Skipped), strconv.Itoa(r.Unchecked), state, r.Note)
	}
	if len(runs) == 0 && !f.quiet {
		a.say("no runs yet")
	}
	return a.printTable(t)
}

// runJSON returns a run as scripts see it.
func runJSON(r history.Run) any {
	j := struct {
		Run       int64      `json:"run"`
		Session   int64      `json:"session"`
		Suite     string     `json:"suite"`
		Path      string     `json:"path"`
		SHA256    string     `json:"sha256"`
		Started   time.Time  `json:"started"`
		Ended     *time.Time `json:"ended,omitempty"`
		Planned   int        `json:"planned"`
		Asked     int        `json:"asked"`
		Answered  int        `json:"answered"`
		Passed    int        `json:"passed"`
		Failed    int        `json:"failed"`
		Skipped   int        `json:"skipped"`
		Unchecked int        `json:"unchecked"`
		Note      string     `json:"note,omitempty"`
	}{r.ID, r.Session, r.Suite, r.Path, r.SHA256, r.Started, nil, r.Planned, r.Cells, r.Done, r.Passed, r.Failed,
		r.Skipped, r.Unchecked, r.Note}
	if !r.Ended.IsZero() {
		j.Ended = &r.Ended
	}
	return j
}
