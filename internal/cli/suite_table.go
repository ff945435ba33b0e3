package cli

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/suiterun"
)

// differingVariables returns the variables whose values are not the same in all cells, sorted.
func differingVariables(cells []history.Cell) []string {
	names := map[string]bool{}
	for _, c := range cells {
		for name, value := range c.Vars {
			first, ok := cells[0].Vars[name]
			names[name] = names[name] || !ok || first != value
		}
	}
	maps.DeleteFunc(names, func(_ string, differs bool) bool { return !differs })
	return slices.Sorted(maps.Keys(names))
}

// rowName names what a cell asks: its prompt and the values that differ.
func (r *suiteReport) rowName(c history.Cell) string {
	name := "prompt " + termtext.Line(c.Prompt)
	if values := r.values(c); values != "" {
		name += " (" + values + ")"
	}
	return name
}

// maxValue is how wide the value of a variable may be where it names a row.
const maxValue = 24

// values returns the description of a cell's test and the values that differ.
func (r *suiteReport) values(c history.Cell) string {
	var parts []string
	if c.Description != "" {
		parts = append(parts, c.Description)
	}
	return termtext.Line(strings.Join(append(parts, valueTexts(c.Vars, r.differing)...), ", "))
}

// valueTexts writes those of the named variables that have a value as name=value.
func valueTexts(vars map[string]string, names []string) (texts []string) {
	for _, name := range names {
		if v, ok := vars[name]; ok {
			texts = append(texts, name+"="+ansi.Truncate(termtext.Line(cmp.Or(v, `""`)), maxValue, "…"))
		}
	}
	return texts
}

// cellLine is what is printed of a cell that has ended where no tables are.
func (r *suiteReport) cellLine(c history.Cell) []string {
	checks := suiterun.CountChecks(c.Checks)
	names := map[string][]string{} // of checks, by their verdicts
	for _, check := range c.Checks {
		names[check.Verdict] = append(names[check.Verdict], check.Name)
	}
	took := ""
	if c.State == history.Done {
		took = strconv.FormatFloat(c.Elapsed.Seconds(), 'f', 3, 64)
	}
	return []string{
		c.Prompt, r.values(c), c.Provider, strconv.Itoa(c.Repeat), string(c.State), strconv.Itoa(checks.Passed),
		strconv.Itoa(checks.Passed + checks.Failed), took, strings.Join(names["failed"], "; "), string(c.Status()),
		strings.Join(names["skipped"], "; "),
	}
}

// statsSign returns the worst status of the repetitions of a cell as a sign. Only ✓ says that all of them passed.
func statsSign(s suiterun.Stats) string {
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

// cellSummary says in a few characters how the repetitions of a cell came out.
func cellSummary(cells []history.Cell) string {
	s := suiterun.StatsOf(cells...)
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

// Widths of columns on a terminal.
const (
	rowNameWidth   = 34
	cellColumn     = 18
	cellColumnText = cellColumn - 2
)

// printTables prints prompts against models, in several tables where the models do not fit side by side, then how
// each model fared over the whole run.
func (r *suiteReport) printTables() error {
	all := suiterun.NewTable(r.run.Record(), r.cells, nil)
	names, used := make([]string, len(all.Rows)), map[string]int{}
	for i, row := range all.Rows {
		names[i] = r.rowName(history.Cell{Prompt: row.Prompt, Description: row.Description, Vars: row.Vars})
		if used[names[i]]++; used[names[i]] > 1 { // prompts of one file, tests without a name
			names[i] += fmt.Sprintf(" #%d", used[names[i]])
		}
	}
	side := max(1, (r.a.out.width()-rowNameWidth)/cellColumn)
	for from := 0; from < len(all.Columns); from += side {
		to := min(from+side, len(all.Columns))
		t := table{head: []string{""}}
		for _, c := range all.Columns[from:to] {
			t.head = append(t.head, ansi.Truncate(termtext.Line(c.Provider), cellColumnText, "…"))
		}
		for i, row := range all.Rows {
			line := []string{ansi.Truncate(names[i], rowNameWidth, "…")}
			for _, cells := range row.Cells[from:to] {
				line = append(line, cellSummary(cells))
			}
			t.add(line...)
		}
		if err := cmp.Or(r.a.printTable(t), r.a.print("\n")); err != nil {
			return err
		}
	}
	t := table{head: []string{"model", "answered", "passed", "failed", "skipped", "checks", "time", "tokens and cost"},
		right: []int{1, 2, 3, 4, 5}}
	for i, column := range all.Columns {
		var cells []history.Cell
		for _, row := range all.Rows {
			cells = append(cells, row.Cells[i]...)
		}
		s := suiterun.StatsOf(cells...)
		checks := ""
		if n := s.Checks.All(); n > 0 {
			checks = fmt.Sprintf("%d/%d", s.Checks.Passed, n)
		}
		t.add(column.Provider, fmt.Sprintf("%d/%d", s.Answered(), s.Cells), strconv.Itoa(s.Passed),
			strconv.Itoa(s.Failed), strconv.Itoa(s.Skipped), checks, s.Time().String(), usageText(s))
	}
	return r.a.printTable(t)
}

func (a *app) listRuns(ctx context.Context, svc *service.Service, args []string, f suiteFlags) error {
	path := ""
	if len(args) == 1 {
		file, err := svc.OpenSuite(ctx, args[0])
		if err != nil {
			return err
		}
		path = file.Path
	}
	const limit = 100
	list := func() ([]history.Run, error) { return svc.Runner().List(ctx, path, limit) }
	if f.team {
		list = func() ([]history.Run, error) { return svc.TeamRuns(ctx, limit) }
	}
	runs, err := list()
	if err != nil {
		return err
	}
	t := table{head: []string{"run", "suite", "when", "answered", "passed", "failed", "skipped", "unchecked", "",
		"note"}, right: []int{0, 3, 4, 5, 6, 7}}
	if len(runs) == 0 && !f.quiet {
		a.info("no runs yet")
	}
	return printList(a, runs, f.json, runJSON, t, func(r history.Run) []string {
		state := strings.Trim(choose(r.Ended.IsZero(), "not whole", "")+", "+sharedText(r.IsShared, r.Owner), ", ")
		return []string{strconv.FormatInt(r.ID, 10), a.shortenName(r.Suite), format.Day(r.Started, time.Now()),
			fmt.Sprintf("%d/%d", r.Done, r.Planned), strconv.Itoa(r.Passed), strconv.Itoa(r.Failed),
			strconv.Itoa(r.Skipped), strconv.Itoa(r.Unchecked), state, r.Note}
	})
}

func runJSON(r history.Run) any {
	return struct {
		Run       int64     `json:"run"`
		Session   int64     `json:"session"`
		Suite     string    `json:"suite"`
		Path      string    `json:"path"`
		SHA256    string    `json:"sha256"`
		Started   time.Time `json:"started"`
		Ended     time.Time `json:"ended,omitzero"`
		Planned   int       `json:"planned"`
		Asked     int       `json:"asked"`
		Answered  int       `json:"answered"`
		Passed    int       `json:"passed"`
		Failed    int       `json:"failed"`
		Skipped   int       `json:"skipped"`
		Unchecked int       `json:"unchecked"`
		Shared    bool      `json:"shared,omitempty"`
		Owner     string    `json:"owner,omitempty"`
		Note      string    `json:"note,omitempty"`
	}{r.ID, r.Session, r.Suite, r.Path, r.SHA256, r.Started, r.Ended, r.Planned, r.Cells, r.Done, r.Passed, r.Failed,
		r.Skipped, r.Unchecked, r.IsShared, r.Owner, r.Note}
}
