package suitecmd

import (
	"cmp"
	"context"
	"strconv"

	"confab/history"
	"confab/internal/cli/console"
	"confab/service"
	"confab/service/suiterun"
)

// votesJSON is the votes on a run as scripts see them; its field names are stable.
type votesJSON struct {
	Run       int64               `json:"run"`
	Models    []history.ModelWins `json:"models"`
	Voters    []suiterun.Voter    `json:"voters"`
	Hidden    int                 `json:"hidden"`
	Agreement *agreementJSON      `json:"agreement,omitempty"` // of two voters or more, where it is defined
}

type agreementJSON struct {
	Measure string  `json:"measure"`
	Kappa   float64 `json:"kappa"`
	Pairs   int     `json:"pairs"`
}

// showVotes prints the votes on a run.
func (a commands) showVotes(ctx context.Context, svc *service.Service, args []string, f suiteFlags) error {
	run, err := runNumber(args[0])
	if err != nil {
		return err
	}
	votes, err := svc.Runner().Votes(ctx, run)
	if err != nil {
		return err
	}
	if a.Flags.Json {
		return a.PrintJSON(newVotesJSON(run, votes))
	}
	if len(votes.Voters) == 0 {
		a.Info(cmp.Or(votes.String(), "no votes on this run yet"))
		return nil
	}
	t := console.Table{Head: []string{"model", "won", "lost", "equal", "bad", "blind"}, Right: []int{1, 2, 3, 4, 5}}
	for _, m := range votes.Wins.Models {
		t.Add(m.Model, strconv.Itoa(m.Wins), strconv.Itoa(m.Losses), strconv.Itoa(m.Ties), strconv.Itoa(m.Bad),
			strconv.Itoa(m.Blind))
	}
	if err := a.PrintTable(t); err != nil {
		return err
	}
	return a.PrintPlain(votes.String())
}

func newVotesJSON(run int64, votes suiterun.Votes) votesJSON {
	out := votesJSON{Run: run, Hidden: votes.Hidden, Models: append([]history.ModelWins{}, votes.Wins.Models...),
		Voters: append([]suiterun.Voter{}, votes.Voters...)} // empty ones are lists, too
	if a := votes.Agreement; a.IsDefined {
		out.Agreement = &agreementJSON{a.Measure(), a.Kappa, a.Pairs}
	}
	return out
}
