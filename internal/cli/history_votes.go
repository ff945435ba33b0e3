package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"confab/service"
	"confab/service/suite"
)

// votesJSON is the votes in JSON; its field names are stable.
type votesJSON struct {
	Run int64 `json:"run,omitempty"` // 0 for all votes
	suite.Votes
}

func (a *app) votesCommand() *cobra.Command {
	cmd := a.historyCommand("votes [RUN]", "Show what blind votes say: who wins, by how much, and how far people agree",
		argCount(0, 1, "votes takes the number of a run, or nothing for all votes"), readsHistory,
		func(ctx context.Context, svc *service.Service, args []string) (err error) {
			var scope suite.VoteScope
			if len(args) > 0 {
				if scope.Run, err = runNumber(args[0]); err != nil {
					return err
				}
			}
			votes, err := svc.Runner().Votes(ctx, scope)
			switch {
			case err != nil:
				return err
			case a.flags.json:
				return a.printJSON(votesJSON{scope.Run, votes})
			}
			return a.printVotes(votes)
		})
	cmd.Flags().BoolVar(&a.flags.json, "json", false, "print one JSON object with all of it")
	return cmd
}

func (a *app) printVotes(votes suite.Votes) error {
	if len(votes.Voters) == 0 {
		a.info(cmp.Or(votes.String(), "no votes yet"))
		return nil
	}
	for _, axis := range votes.Axes {
		t := newTextTable(string(axis.Axis), "wins (95 %)", ">pairs", ">won", ">lost", ">equal", ">bad", ">blind")
		for _, c := range axis.Contestants {
			t.add(c.Label, c.Strength, c.N, c.Wins, c.Losses, c.Ties, c.Bad, c.Blind)
		}
		if err := a.printTable(t); err != nil {
			return err
		}
		if err := a.printPlain(axis.String()); err != nil {
			return err
		}
	}
	return a.printPlain(votes.String())
}
