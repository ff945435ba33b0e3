package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/chat"
	"confab/service"
	"confab/service/problem"
	"confab/service/suite"
)

func (a *app) tableCommand() *cobra.Command {
	cmd := a.historyCommand("table ENTRY", "Print a turn with the turns beside it, or a run, as a table",
		argCount(1, 1, "table takes one entry: t34 for a turn, or r12 for a run"), readsHistory,
		func(ctx context.Context, svc *service.Service, args []string) error {
			table, err := a.tableOf(ctx, svc, args[0])
			if err != nil {
				return err
			}
			votes, err := svc.Runner().Votes(ctx, table.VoteScope())
			if err != nil {
				return err
			}
			return a.printTotals(suite.NewResults(table, nil), votes.Counted)
		})
	a.jsonFlag(cmd.Flags(), "total")
	return cmd
}

func (a *app) tableOf(ctx context.Context, svc *service.Service, word string) (suite.Table, error) {
	number, isRun := strings.CutPrefix(word, "r")
	if id, err := strconv.ParseInt(number, 10, 64); isRun && err == nil {
		return svc.Runner().Table(ctx, id)
	}
	e, err := a.entry(ctx, svc, word)
	if err != nil {
		return suite.Table{}, err
	}
	if e.kind == 's' {
		return suite.Table{}, problem.Usage("a session has no table; name one of its turns, such as t34")
	}
	turns, err := svc.Siblings(ctx, e.turn.ID)
	return suite.TurnTable(turns), err
}

// totalJSON is a total in JSON; its field names are stable.
type totalJSON struct {
	Axis         suite.Axis `json:"axis"`
	Point        string     `json:"point"`
	Cells        int        `json:"cells"`
	Answered     int        `json:"answered"`
	Passed       int        `json:"passed"`
	Failed       int        `json:"failed"`
	Inconclusive int        `json:"inconclusive"`
	Wins         int        `json:"wins"`
	VotesWon     int        `json:"votes_won"`
	Votes        int        `json:"votes"`
	MedianMS     int64      `json:"median_ms"`
	chat.Usage
	Costs []history.Cost `json:"costs,omitempty"`
}

// printTotals prints a table, and below the totals of its axes.
func (a *app) printTotals(t *suite.Results, votes suite.AnswerVotes) error {
	totals := t.AxisTotals(votes)
	for i, point := range totals.Points { // every line says its axis, for programs
		totals.Rows[i] = fmt.Sprintf("%-*s %s", len(suite.AxisParams), totals.Axes[i], point)
	}
	if !a.flags.json {
		return cmp.Or(a.printRunTable(t.TableText), a.printRunTable(totals.TableText))
	}
	for i, s := range totals.Groups {
		if err := a.printJSON(totalJSON{Axis: totals.Axes[i], Point: totals.Points[i], Cells: s.Cells,
			Answered: s.Answered(), Passed: s.Passed, Failed: s.Failed, Inconclusive: s.Inconclusive(), Wins: s.Wins,
			VotesWon: s.Votes.Wins, Votes: s.Votes.N, MedianMS: s.Time().Median.Milliseconds(), Usage: s.Usage,
			Costs: s.Costs}); err != nil {
			return err
		}
	}
	return nil
}
