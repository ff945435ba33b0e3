package cli

import (
	"cmp"
	"context"

	"confab/history"
	"confab/service"
	"confab/service/suite"
)

// changeJSON is a cell of two runs as scripts see it.
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
	Turn      int64         `json:"turn"`
	Answer    int64         `json:"answer"`
	State     history.State `json:"state"`
	ElapsedMS int64         `json:"elapsed_ms"`
}

// compareRuns prints what changed between two runs, cell by cell.
func (a *app) compareRuns(ctx context.Context, svc *service.Service, args []string, f suiteFlags) error {
	first, err := runNumber(args[0])
	second, err2 := runNumber(args[1])
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	var changes []suite.Change
	err = svc.Runner().Compare(ctx, first, second, func(c suite.Change) error {
		if a.flags.json {
			return a.printJSON(newChangeJSON(c))
		}
		changes = append(changes, c)
		return nil
	})
	if err != nil || a.flags.json {
		return err
	}
	c := suite.NewComparison(changes)
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
	if !a.flags.quiet {
		a.info(c.Total.Summary(suite.Long))
	}
	return nil
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
		return &sideJSON{cell.Turn, cell.Answer, cell.State, ans.Elapsed.Milliseconds()}
	}
	j.A, j.B = side(c.A, c.AnswerA), side(c.B, c.AnswerB)
	if c.A != nil && c.B != nil && cell.Kind == history.KindText && c.A.State == history.Done &&
		c.B.State == history.Done {
		j.Similarity = &c.Similarity
	}
	return j
}

// votesJSON is the votes on a run as scripts see them; its field names are stable.
type votesJSON struct {
	Run       int64               `json:"run"`
	Models    []history.ModelWins `json:"models"`
	Voters    []suite.Voter       `json:"voters"`
	Hidden    int                 `json:"hidden"`
	Agreement []agreementJSON     `json:"agreement,omitempty"` // of each two voters, where it is defined
}

type agreementJSON struct {
	Voters [2]string `json:"voters"` // empty for the reader
	Kappa  float64   `json:"kappa"`  // Cohen's
	Pairs  int       `json:"pairs"`
}

// showVotes prints the votes on a run.
func (a *app) showVotes(ctx context.Context, svc *service.Service, args []string, f suiteFlags) error {
	run, err := runNumber(args[0])
	if err != nil {
		return err
	}
	votes, err := svc.Runner().Votes(ctx, run)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.printJSON(newVotesJSON(run, votes))
	}
	if len(votes.Voters) == 0 {
		a.info(cmp.Or(votes.String(), "no votes on this run yet"))
		return nil
	}
	t := newTextTable("model", ">won", ">lost", ">equal", ">bad", ">blind")
	for _, m := range votes.Wins.Models {
		t.add(m.Model, m.Wins, m.Losses, m.Ties, m.Bad, m.Blind)
	}
	if err := a.printTable(t); err != nil {
		return err
	}
	return a.printPlain(votes.String())
}

func newVotesJSON(run int64, votes suite.Votes) votesJSON {
	out := votesJSON{Run: run, Hidden: votes.Hidden, Models: append([]history.ModelWins{}, votes.Wins.Models...),
		Voters: append([]suite.Voter{}, votes.Voters...)} // empty ones are lists, too
	for _, a := range votes.Agreements {
		if a.IsDefined {
			out.Agreement = append(out.Agreement, agreementJSON{[2]string{a.A, a.B}, a.Kappa, a.Pairs})
		}
	}
	return out
}
