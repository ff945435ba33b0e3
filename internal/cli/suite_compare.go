package cli

import (
	"cmp"
	"context"

	"confab/history"
	"confab/service"
	"confab/service/suite"
)

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
	var changes []suite.Change
	err = svc.Runner().Compare(ctx, first, second, func(c suite.Change) error {
		changes = append(changes, c)
		if a.flags.json {
			return a.printJSON(newChangeJSON(c))
		}
		return nil
	})
	if err != nil {
		return err
	}
	c := suite.NewComparison(changes)
	if a.flags.json {
		return a.printJSON(newComparisonJSON(c))
	}
	t := newTextTable(c.Heading, "model", "change")
	for i, name := range c.Rows {
		for j, model := range c.Columns {
			if diff := c.Diff(i, j); diff.NeedsAttention() {
				t.add(name, model, diff.Facts(first, second))
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
	Better   int     `json:"better"`
	Worse    int     `json:"worse"`
	Same     int     `json:"same"`
	Unjudged int     `json:"unjudged"`
	PValue   float64 `json:"p"` // of McNemar's exact test
}

func newPairsJSON(p suite.Pairs) pairsJSON {
	return pairsJSON{p.Better, p.Worse, p.Same, p.Unjudged, p.PValue()}
}

func newComparisonJSON(c *suite.Comparison) comparisonJSON {
	out := comparisonJSON{newPairsJSON(c.Total.Pairs), map[string]pairsJSON{}, c.Flaky}
	for _, check := range c.Checks {
		out.Checks[check.Name] = newPairsJSON(check.Pairs)
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
