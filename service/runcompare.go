package service

import (
	"confab/history"
	"context"
	"fmt"
)

// CellChange is a cell of two runs: what is not in one of them is nil there.
type CellChange struct {
	A, B             *history.Cell
	AnswerA, AnswerB history.Answer
	Asked            bool // what was sent differs
	Changed          bool // the text or the picture differs, or only one is there
	Likeness         float64
	Checks           []CheckChange
}

// CheckChange is a check whose verdict differs between two runs; it is empty
// where a run does not have the check.
type CheckChange struct{ Name, A, B string }

// Same tells whether nothing but the time differs.
func (c CellChange) Same() bool {
	return c.A != nil && c.B != nil && !c.Changed && len(c.Checks) == 0 && c.A.State == c.B.State
}

// CompareRuns visits the cells of two runs in the order of the second, then
// those that only the first has. Cells belong together when they send the same,
// else when test, prompt, variables, model and repetition are the same: a
// prompt that was edited is compared with itself.
func (s *Service) CompareRuns(ctx context.Context, a, b int64, visit func(CellChange) error) error {
	first, err := s.cellsToCompare(ctx, a)
	if err != nil {
		return err
	}
	second, err := s.cellsToCompare(ctx, b)
	if err != nil {
		return err
	}
	partner := pair(first, second)
	taken := map[int]bool{}
	for j := range second {
		change := CellChange{B: &second[j]}
		if i, ok := partner[j]; ok {
			change.A, taken[i] = &first[i], true
		}
		if err := s.change(ctx, &change); err != nil {
			return err
		}
		if err := visit(change); err != nil {
			return err
		}
	}
	for i := range first {
		if taken[i] {
			continue
		}
		change := CellChange{A: &first[i]}
		if err := s.change(ctx, &change); err != nil {
			return err
		}
		if err := visit(change); err != nil {
			return err
		}
	}
	return nil
}

// cellsToCompare reads the cells of a run that is there.
func (s *Service) cellsToCompare(ctx context.Context, run int64) ([]history.Cell, error) {
	if _, err := s.runFacts(ctx, run); err != nil {
		return nil, err
	}
	return s.runCells(ctx, run)
}

// pair finds for cells of the second run those of the first.
func pair(first, second []history.Cell) map[int]int {
	partner, taken := map[int]int{}, map[int]bool{}
	for _, name := range []func(history.Cell) string{
		func(c history.Cell) string { return c.Key },
		func(c history.Cell) string { return fmt.Sprint(c.Test, " ", placeName(c)) },
		placeName,
	} {
		at := map[string][]int{}
		for i, c := range first {
			if !taken[i] {
				at[name(c)] = append(at[name(c)], i)
			}
		}
		for j, c := range second {
			if _, ok := partner[j]; ok {
				continue
			}
			if rest := at[name(c)]; len(rest) > 0 {
				partner[j], taken[rest[0]] = rest[0], true
				at[name(c)] = rest[1:]
			}
		}
	}
	return partner
}

// placeName names what a cell asks, whatever the words.
func placeName(c history.Cell) string {
	return fmt.Sprintf("%q %q %q %s %d", c.Prompt, c.Model, c.Provider, valuesKey(c.Vars), c.Repeat)
}

// change reads the answers and says what differs.
func (s *Service) change(ctx context.Context, c *CellChange) (err error) {
	if c.A != nil {
		if _, c.AnswerA, err = s.cellAnswer(ctx, *c.A); err != nil {
			return err
		}
	}
	if c.B != nil {
		if _, c.AnswerB, err = s.cellAnswer(ctx, *c.B); err != nil {
			return err
		}
	}
	if c.A == nil || c.B == nil {
		c.Changed = true
		return nil
	}
	c.Asked = c.A.Key != c.B.Key
	switch a, b := c.AnswerA, c.AnswerB; {
	case a.Picture != nil && b.Picture != nil:
		c.Changed = a.Picture.SHA256 != b.Picture.SHA256
	case a.State == history.Done && b.State == history.Done:
		c.Changed = a.Text != b.Text || (a.Picture == nil) != (b.Picture == nil)
		c.Likeness = Likeness(a.Text, b.Text)
	default:
		c.Changed = a.State != b.State
	}
	verdict := map[string]string{}
	for _, check := range c.B.Checks {
		verdict[check.Name] = check.Verdict
	}
	for _, check := range c.A.Checks {
		if now := verdict[check.Name]; now != check.Verdict {
			c.Checks = append(c.Checks, CheckChange{check.Name, check.Verdict, now})
		}
		delete(verdict, check.Name)
	}
	for _, check := range c.B.Checks {
		if now, ok := verdict[check.Name]; ok {
			c.Checks = append(c.Checks, CheckChange{check.Name, "", now})
			delete(verdict, check.Name)
		}
	}
	return nil
}
