package export

import (
	"fmt"
	"slices"

	"confab/history"
	"confab/service/suite"
)

// totals is the table of the verdicts of a run, by prompt and model. Templates use its fields.
type totals struct {
	Models []string
	Rows   []totalsRow // by prompt, then one of all
}

type totalsRow struct {
	Prompt string
	Cells  []string // by model
}

// totals returns the verdicts of a suite's run; no rows without a suite.
func (r Run) totals() (t totals) {
	var prompts []string
	cells := map[[2]string][]history.Cell{}
	for _, c := range r.Cells {
		if c.Prompt == "" {
			return totals{}
		}
		model := c.modelName()
		if !slices.Contains(prompts, c.Prompt) {
			prompts = append(prompts, c.Prompt)
		}
		if !slices.Contains(t.Models, model) {
			t.Models = append(t.Models, model)
		}
		for _, key := range [][2]string{{c.Prompt, model}, {"", model}} {
			cells[key] = append(cells[key], c.result())
		}
	}
	for _, prompt := range append(prompts, "") {
		row := totalsRow{Prompt: prompt}
		if prompt == "" {
			row.Prompt = "all prompts"
		}
		for _, model := range t.Models {
			row.Cells = append(row.Cells, totalText(suite.StatsOf(cells[[2]string{prompt, model}]...)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// totalText returns "12 of 20, 60 % (39–78 %), 1 unchecked, 2 inconclusive".
func totalText(s suite.Stats) string {
	judged := s.Passed + s.Failed
	text := fmt.Sprintf("%d of %d", s.Passed, judged)
	if judged > 0 {
		text += ", " + suite.Rate(s.Passed, judged)
	}
	if unjudged := s.Unjudged(suite.Brief); unjudged != "" {
		text += ", " + unjudged
	}
	return text
}

// result returns the part of a stored cell that its statistics need.
func (c Cell) result() history.Cell {
	a := c.Answer
	return history.Cell{State: a.State, Ending: a.Ending(), Checks: c.Checks, IsCached: a.IsCached, Usage: a.Usage,
		Cost: a.Cost}
}
