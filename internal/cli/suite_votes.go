package cli

import (
	"cmp"
	"context"
	"strconv"

	"confab/history"
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
	t := table{head: []string{"model", "won", "lost", "equal", "bad", "blind"}, right: []int{1, 2, 3, 4, 5}}
	for _, m := range votes.Wins.Models {
		t.add(m.Model, strconv.Itoa(m.Wins), strconv.Itoa(m.Losses), strconv.Itoa(m.Ties), strconv.Itoa(m.Bad),
			strconv.Itoa(m.Blind))
	}
	if err := a.printTable(t); err != nil {
		return err
	}
	return a.printPlain(votes.String())
}

func newVotesJSON(run int64, votes suiterun.Votes) votesJSON {
	out := votesJSON{Run: run, Hidden: votes.Hidden, Models: append([]history.ModelWins{}, votes.Wins.Models...),
		Voters: append([]suiterun.Voter{}, votes.Voters...)} // empty ones are lists, too
	if a := votes.Agreement; a.IsDefined {
		out.Agreement = &agreementJSON{a.Measure(), a.Kappa, a.Pairs}
	}
	return out
}
