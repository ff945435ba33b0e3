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
	"confab/service/runstats"
	"confab/service/suiterun"
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
func (r *suiteReport) line(e suiterun.Event) []string {
	checks := runstats.CountChecks(e.Cell.Checks)
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
		took = strconv.FormatFloat(e.Cell.Elapsed.Seconds(), 'f', 3, 64)
	}
	c := r.run.Plan.Cells[e.Index]
	return []string{r.label(c.PromptID), r.values(e.Index), r.label(c.Provider), strconv.Itoa(c.Repeat),
		string(e.Cell.State),
		strconv.Itoa(checks.Passed), strconv.Itoa(checks.Passed + checks.Failed), took, strings.Join(wrong,
			"; "), string(e.Cell.Verdict()), strings.Join(skipped, "; ")}
}

// statsSign returns the worst verdict of the repetitions of a cell as a sign. Only ✓ says that all of them passed.
func statsSign(s runstats.Stats) string {
	switch {
	case s.Failed+s.Errors > 0:
		return "✗"
	case s.WithoutAnswer() > 0:
		return "–"
	case s.Skipped > 0:
		return "?"
	case s.Unchecked > 0:
		return "○"
	}
	return "✓"
}

// cellSummary says in a few characters what became of the repetitions of a cell.
func cellSummary(cells []history.Cell) string {
	s := runstats.Of(cells...)
	if s.Answered() == 0 {
		for _, c := range slices.Backward(cells) {
			if c.FailureCode != "" && c.State == history.Failed {
				return "! " + c.FailureCode
			}
		}
	}
	switch {
	case s.Cells == 0:
		return ""
	case s.Answered() == 0:
		return statsSign(s)
	}
	text := statsSign(s)
	if all := s.Checks.All(); all > 0 {
		text += fmt.Sprintf(" %d/%d", s.Checks.Passed, all)
	}
	took := seconds(format.Summarize(slices.Concat(s.Times, s.ReusedTimes)).Median)
	if s.Reused > 0 && took != "" {
		took = "(" + took + ")"
	}
	if took != "" {
		text += " " + took
	}
	if s.Cells > 1 {
		text += fmt.Sprintf(" ×%d", s.Cells)
	}
	return text
}

// maxRowName is how wide the name of a row may be on a terminal.
const maxRowName = 34

// matrix prints prompts against models, in several tables where the models do
// not fit beside each other.
func (r *suiteReport) matrix() error {
	var rows, models []string
	names := map[string]string{} // of the rows
	seen, alike := map[string]bool{}, map[string]int{}
	cells := map[[2]string][]history.Cell{}
	for i, c := range r.run.Plan.Cells {
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
		cells[at] = append(cells[at], r.cellAt(i))
	}
	const column = 18
	beside := max(1, (r.a.out.width()-maxRowName)/column)
	for chunk := range slices.Chunk(models, beside) {
		t := table{head: []string{""}}
		for _, m := range chunk {
			t.head = append(t.head, ansi.Truncate(m, column-2, "…"))
		}
		for _, row := range rows {
			line := []string{names[row]}
			for _, m := range chunk {
				line = append(line, cellSummary(cells[[2]string{row, m}]))
			}
			t.add(line...)
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
	cells := map[string][]history.Cell{}
	var names []string
	for i, c := range r.run.Plan.Cells {
		name := r.label(c.Provider)
		if cells[name] == nil {
			names = append(names, name)
		}
		cells[name] = append(cells[name], r.cellAt(i))
	}
	for _, name := range names {
		s := runstats.Of(cells[name]...)
		checks := ""
		if all := s.Checks.All(); all > 0 {
			checks = fmt.Sprintf("%d/%d", s.Checks.Passed, all)
		}
		t.add(name, fmt.Sprintf("%d/%d", s.Answered(), s.Cells), strconv.Itoa(s.Passed), strconv.Itoa(s.Failed),
			strconv.Itoa(s.Skipped), checks, s.Time().String())
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
	runs, err := svc.Runner().List(ctx, path, 100)
	if err != nil {
		return err
	}
	t := table{head: []string{"run", "suite", "when", "answered", "passed", "failed", "skipped", "unchecked", "",
		"note"},
		right: map[int]bool{0: true, 3: true, 4: true, 5: true, 6: true, 7: true}}
	if len(runs) == 0 && !f.quiet {
		a.say("no runs yet")
	}
	return printList(a, runs, f.json, runJSON, t, func(r history.Run) []string {
		state := ""
		if r.Ended.IsZero() {
			state = "not whole"
		}
		return []string{strconv.FormatInt(r.ID, 10), a.short(r.Suite), format.Day(r.Started, time.Now()),
			fmt.Sprintf("%d/%d", r.Done, r.Planned), strconv.Itoa(r.Passed), strconv.Itoa(r.Failed),
			strconv.Itoa(r.Skipped), strconv.Itoa(r.Unchecked), state, r.Note}
	})
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
