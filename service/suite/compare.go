package suite

import (
	"context"
	"fmt"
	"slices"

	"confab/history"
	"confab/service/api"
	"confab/service/diff"
	"confab/service/problem"
)

// Change is a pair of cells of two runs. A cell that one run lacks is nil.
type Change struct {
	A, B             *history.Cell
	AnswerA, AnswerB history.Answer
	HasPromptChanged bool // the requests differ
	HasAnswerChanged bool // the text or picture differs, or only one exists
	Similarity       float64
	Checks           []CheckChange
}

// CheckChange is a check whose verdict differs between two runs; a verdict is empty if the run lacks the check.
type CheckChange struct {
	Name string `json:"name"`
	A    string `json:"a,omitempty"`
	B    string `json:"b,omitempty"`
}

// IsSame reports whether only the times differ.
func (c Change) IsSame() bool {
	return c.A != nil && c.B != nil && !c.HasAnswerChanged && len(c.Checks) == 0 && c.A.State == c.B.State
}

// Compare visits the cells of two runs in the order of the second, then those that only the first has. It pairs cells
// with the same request, or else with the same test, prompt, variables, model and repetition, so that an edited
// prompt is compared with itself.
func (r *Runner) Compare(ctx context.Context, a, b int64, visit func(Change) error) error {
	first, err := r.cellsToCompare(ctx, a)
	if err != nil {
		return err
	}
	second, err := r.cellsToCompare(ctx, b)
	if err != nil {
		return err
	}
	partners, isPaired := pairCells(first, second)
	changes := make([]Change, len(second), len(first)+len(second))
	for j := range second {
		changes[j].B = &second[j]
		if i, ok := partners[j]; ok {
			changes[j].A = &first[i]
		}
	}
	for i := range first {
		if !isPaired[i] {
			changes = append(changes, Change{A: &first[i]})
		}
	}
	for _, c := range changes {
		if err := r.compareAnswers(ctx, &c); err != nil {
			return err
		}
		if err := visit(c); err != nil {
			return err
		}
	}
	return nil
}

func (r *Runner) cellsToCompare(ctx context.Context, run int64) ([]history.Cell, error) {
	if _, err := r.Run(ctx, run); err != nil {
		return nil, err
	}
	return r.Cells(ctx, run)
}

// pairCells maps cells of the second run to those of the first, and marks the paired ones of the first.
func pairCells(first, second []history.Cell) (partners map[int]int, isPaired map[int]bool) {
	partners, isPaired = map[int]int{}, map[int]bool{}
	for _, key := range []func(history.Cell) string{
		func(c history.Cell) string { return c.Key },
		func(c history.Cell) string { return fmt.Sprint(c.TestIndex, " ", questionKey(c)) },
		questionKey,
	} {
		unpaired := map[string][]int{}
		for i, c := range first {
			if !isPaired[i] {
				unpaired[key(c)] = append(unpaired[key(c)], i)
			}
		}
		for j, c := range second {
			if _, ok := partners[j]; ok {
				continue
			}
			if rest := unpaired[key(c)]; len(rest) > 0 {
				partners[j], isPaired[rest[0]] = rest[0], true
				unpaired[key(c)] = rest[1:]
			}
		}
	}
	return partners, isPaired
}

// questionKey identifies a cell independently of the text of its prompt.
func questionKey(c history.Cell) string {
	return fmt.Sprintf("%q %q %q %s %d", c.Prompt, c.Model, c.Provider, VariablesKey(c.Vars), c.Repeat)
}

// compareAnswers reads the answers of a change and sets their differences.
func (r *Runner) compareAnswers(ctx context.Context, c *Change) (err error) {
	if c.A != nil {
		if c.AnswerA, err = r.answerOf(ctx, *c.A); err != nil {
			return err
		}
	}
	if c.B != nil {
		if c.AnswerB, err = r.answerOf(ctx, *c.B); err != nil {
			return err
		}
	}
	if c.A == nil || c.B == nil {
		c.HasAnswerChanged = true
		return nil
	}
	c.HasPromptChanged = c.A.Key != c.B.Key
	switch a, b := c.AnswerA, c.AnswerB; {
	case a.Picture != nil && b.Picture != nil:
		c.HasAnswerChanged = a.Picture.SHA256 != b.Picture.SHA256
	case a.State == history.Done && b.State == history.Done:
		c.HasAnswerChanged = a.Text != b.Text || (a.Picture == nil) != (b.Picture == nil)
		c.Similarity = diff.Similarity(a.Text, b.Text)
	default:
		c.HasAnswerChanged = a.State != b.State
	}
	c.Checks = compareChecks(c.A.Checks, c.B.Checks)
	return nil
}

func (r *Runner) answerOf(ctx context.Context, c history.Cell) (history.Answer, error) {
	a, err := r.o.Service.Answer(ctx, c.Answer)
	if api.CodeOf(err) == api.CodeUsage {
		err = problem.Usage("an answer of the run was deleted")
	}
	return a, err
}

// compareChecks returns the checks whose verdicts differ. It pairs checks of one name in order.
func compareChecks(a, b []history.CheckResult) []CheckChange {
	var changes []CheckChange
	left := slices.Clone(b)
	for _, check := range a {
		change := CheckChange{Name: check.Name, A: check.VerdictText()}
		if i := slices.IndexFunc(left, func(r history.CheckResult) bool { return r.Name == check.Name }); i >= 0 {
			change.B = left[i].VerdictText()
			left = slices.Delete(left, i, i+1)
		}
		if change.A != change.B {
			changes = append(changes, change)
		}
	}
	for _, check := range left {
		changes = append(changes, CheckChange{Name: check.Name, B: check.VerdictText()})
	}
	return changes
}
