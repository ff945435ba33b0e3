package suitecmd

import (
	"cmp"
	"context"

	"confab/history"
	"confab/internal/cli/console"
	"confab/service"
	"confab/service/runtable"
	"confab/service/suiterun"
)

// changeJSON is a cell of two runs as scripts see it.
type changeJSON struct {
	Prompt     string                 `json:"prompt"`
	About      string                 `json:"description,omitempty"`
	Vars       map[string]string      `json:"vars,omitempty"`
	Provider   string                 `json:"provider"`
	Model      string                 `json:"model"`
	Repeat     int                    `json:"repeat"`
	A          *sideJSON              `json:"a,omitempty"`
	B          *sideJSON              `json:"b,omitempty"`
	Asked      bool                   `json:"asked_changed"`
	Changed    bool                   `json:"answer_changed"`
	Similarity *float64               `json:"similarity,omitempty"`
	Checks     []suiterun.CheckChange `json:"checks,omitempty"`
}

type sideJSON struct {
	Turn      int64         `json:"turn"`
	Answer    int64         `json:"answer"`
	State     history.State `json:"state"`
	ElapsedMS int64         `json:"elapsed_ms"`
}

// compareRuns prints what changed between two runs, cell by cell.
func (a commands) compareRuns(ctx context.Context, svc *service.Service, args []string, f suiteFlags) error {
	first, err := runNumber(args[0])
	second, err2 := runNumber(args[1])
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	var changes []suiterun.Change
	err = svc.Runner().Compare(ctx, first, second, func(c suiterun.Change) error {
		if a.Flags.Json {
			return a.PrintJSON(newChangeJSON(c))
		}
		changes = append(changes, c)
		return nil
	})
	if err != nil || a.Flags.Json {
		return err
	}
	c := runtable.NewComparison(changes)
	t := console.Table{Head: []string{c.Heading, "model", "change"}}
	for i, name := range c.Rows {
		for j, model := range c.Columns {
			if diff := c.Diff(i, j); diff.NeedsAttention() {
				t.Add(name, model, diff.Facts(first, second))
			}
		}
	}
	if err := a.PrintTable(t); err != nil {
		return err
	}
	if !a.Flags.Quiet {
		a.Info(c.Total.Summary(runtable.Long))
	}
	return nil
}

func newChangeJSON(c suiterun.Change) changeJSON {
	cell := cmp.Or(c.B, c.A)
	j := changeJSON{
		Prompt: cell.Prompt, About: cell.Description, Vars: cell.Vars, Provider: cell.Provider, Model: cell.Model,
		Repeat: cell.Repeat, Asked: c.HasPromptChanged, Changed: c.HasAnswerChanged, Checks: c.Checks,
	}
	side := func(cell *history.Cell, ans history.Answer) *sideJSON {
		if cell == nil {
			return nil
		}
		return &sideJSON{cell.Turn, cell.Answer, cell.State, ans.Elapsed.Milliseconds()}
	}
	j.A, j.B = side(c.A, c.AnswerA), side(c.B, c.AnswerB)
	if c.A != nil && c.B != nil && cell.Kind == history.KindText && c.A.State == history.Done &&
		c.B.State == history.Done {
		j.Similarity = &c.Similarity
	}
	return j
}
