package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/problem"
	"confab/service/suite"
)

// rowName returns the prompt of a cell and the values that differ.
func (r *suiteReport) rowName(c history.Cell) string {
	name := "prompt " + termtext.Line(c.Prompt)
	if values := r.table.Values[r.rows[c.Number]]; values != "" {
		name += " (" + values + ")"
	}
	return name
}

// cellLine returns the columns of a cell for programs.
func (r *suiteReport) cellLine(c history.Cell) []any {
	checks := suite.CountChecks(c.Checks)
	names := map[string][]string{} // of checks, by their verdicts
	for _, check := range c.Checks {
		names[check.Verdict] = append(names[check.Verdict], check.Name)
	}
	verdict, why := c.Status().Result()
	took := ""
	if c.State == history.Done {
		took = strconv.FormatFloat(c.Elapsed.Seconds(), 'f', 3, 64)
	}
	return []any{c.Prompt, r.table.Values[r.rows[c.Number]], c.Provider, c.Repeat, c.State, checks.Passed,
		checks.Passed + checks.Failed, took, strings.Join(names[history.CheckFailed], "; "), verdict, string(why),
		strings.Join(names[history.CheckSkipped], "; ")}
}

const maxRowName = 34

// printRunTable prints prompts against models, in several tables if the models do not fit side by side.
func (a *app) printRunTable(t suite.TableText) error {
	nameWidth := termtext.Width(t.Heading)
	for _, total := range t.Totals {
		nameWidth = max(nameWidth, termtext.Width(total.Label(maxRowName)))
	}
	for _, name := range t.Rows {
		nameWidth = min(max(nameWidth, termtext.Width(name)), maxRowName)
	}
	const gap = 2
	width := a.out.width() - nameWidth
	side := max(width/(t.GoodCell+gap), 1)
	for from := 0; from < len(t.Columns); from += side {
		to := min(from+side, len(t.Columns))
		cellWidth := max(min(width/(to-from)-gap, t.FullCell), t.GoodCell)
		heads := []string{t.Heading}
		for _, name := range t.Columns[from:to] {
			heads = append(heads, termtext.CutName(name, cellWidth, t.Columns))
		}
		out := textTable{heads: heads}
		add := func(name string, text func(column int) string) {
			line := []any{termtext.CutName(name, nameWidth, t.Rows)}
			for column := from; column < to; column++ {
				line = append(line, text(column))
			}
			out.add(line...)
		}
		for i, name := range t.Rows {
			add(name, func(column int) string {
				return t.CellAt(i, column).Text(cellWidth, suite.CellState{HasWords: true})
			})
		}
		for _, total := range t.Totals {
			add(total.Label(nameWidth), func(column int) string {
				text, _ := total.Text(column, cellWidth)
				return text
			})
		}
		if err := cmp.Or(a.printTable(out), a.print("\n")); err != nil {
			return err
		}
	}
	return nil
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
	t := newTextTable(">run", "suite", "when", ">answered", ">passed", ">failed", ">unchecked",
		">inconclusive", "", "note")
	t.empty = "No runs yet. confab run SUITE makes one."
	return printList(a, runs, t, func(r history.Run) []any {
		state := choose(r.Ended.IsZero(), "not whole", "") + ", " + sharedText(r.IsShared, r.Owner)
		return []any{r.ID, a.shortenName(r.Suite), format.Day(r.Started, time.Now()),
			fmt.Sprintf("%d/%d", r.Done, r.Planned), r.Passed, r.Failed,
			r.Unchecked, r.Inconclusive - r.Unchecked, strings.Trim(state, ", "), r.Note}
	})
}

func runNumber(s string) (int64, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(s, "r"), 10, 64)
	if err != nil || id < 1 {
		return 0, problem.Usage("%s is not the number of a run; confab run --list shows them", termtext.Line(s))
	}
	return id, nil
}

// changeJSON is a cell of two runs in JSON.
type changeJSON struct {
	Prompt     string              `json:"prompt"`
	About      string              `json:"description,omitempty"`
	Vars       map[string]string   `json:"vars,omitempty"`
	Provider   string              `json:"provider"`
	Model      string              `json:"model"`
	Repeat     int                 `json:"repeat"`
	A          *sideJSON           `json:"a,omitempty"`
	B          *sideJSON           `json:"b,omitempty"`
	Asked      bool                `json:"asked_changed"`
	Changed    bool                `json:"answer_changed"`
	Similarity *float64            `json:"similarity,omitempty"`
	Checks     []suite.CheckChange `json:"checks,omitempty"`
}

type sideJSON struct {
	Turn      int64              `json:"turn"`
	Answer    int64              `json:"answer"`
	State     history.State      `json:"state"`
	Verdict   history.Verdict    `json:"verdict"`
	Why       history.CellStatus `json:"inconclusive,omitempty"`
	ElapsedMS int64              `json:"elapsed_ms"`
}

func (a *app) compareRuns(ctx context.Context, svc *service.Service, args []string, f suiteFlags) error {
	first, err := runNumber(args[0])
	second, err2 := runNumber(args[1])
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	_, changes, err := svc.Runner().Compare(ctx, first, second)
	if err != nil {
		return err
	}
	c := suite.NewComparison(changes)
	if a.flags.json {
		for _, change := range changes {
			if err := a.printJSON(newChangeJSON(change)); err != nil {
				return err
			}
		}
		return a.printJSON(newComparisonJSON(c))
	}
	t := newTextTable(c.Heading, "model", "change")
	for i, name := range c.Rows {
		for j, model := range c.Columns {
			if cell := c.Cell(i, j); cell.NeedsAttention() {
				t.add(name, model, cell.Facts(first, second))
			}
		}
	}
	if err := a.printTable(t); err != nil {
		return err
	}
	for _, line := range c.Report() {
		a.note(line)
	}
	return nil
}

// comparisonJSON is the last line of a comparison in JSON: the verdicts of all questions that both runs have.
type comparisonJSON struct {
	Verdicts pairsJSON            `json:"verdicts"`
	Checks   map[string]pairsJSON `json:"by_check,omitempty"`
	Flaky    []string             `json:"flaky,omitempty"`
}

type pairsJSON struct {
	suite.Pairs
	PValue float64 `json:"p"` // of McNemar's exact test
}

func newComparisonJSON(c *suite.Comparison) comparisonJSON {
	out := comparisonJSON{pairsJSON{c.Total.Pairs, c.Total.PValue()}, map[string]pairsJSON{}, c.Flaky}
	for _, check := range c.Checks {
		out.Checks[check.Name] = pairsJSON{check.Pairs, check.PValue()}
	}
	return out
}

func newChangeJSON(c suite.Change) changeJSON {
	cell := cmp.Or(c.B, c.A)
	j := changeJSON{
		Prompt: cell.Prompt, About: cell.Description, Vars: cell.Vars, Provider: cell.Provider, Model: cell.Model,
		Repeat: cell.Repeat, Asked: c.HasPromptChanged, Changed: c.HasAnswerChanged, Checks: c.Checks,
	}
	side := func(cell *history.Cell, ans history.Answer) *sideJSON {
		if cell == nil {
			return nil
		}
		verdict, why := cell.Status().Result()
		return &sideJSON{cell.Turn, cell.Answer, cell.State, verdict, why, ans.Elapsed.Milliseconds()}
	}
	j.A, j.B = side(c.A, c.AnswerA), side(c.B, c.AnswerB)
	if c.A != nil && c.B != nil && cell.Kind == history.KindText && c.A.State == history.Done &&
		c.B.State == history.Done {
		j.Similarity = &c.Similarity
	}
	return j
}
