package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
	"confab/service"
	"confab/service/problem"
	"confab/service/suite"
)

// usageJSON is what answers took together as scripts see it; its field names are stable.
type usageJSON struct {
	history.UsageSum
	chat.Usage
	Day       string `json:"day,omitempty"` // 2006-01-02
	ElapsedMS int64  `json:"elapsed_ms"`
}

func (a *app) statsCommand() *cobra.Command {
	var session string
	by := string(history.UsageByModel)
	cmd := a.historyReader("stats", "Add up the tokens, the cost and the time of answers", a.noCommand,
		func(ctx context.Context, svc *service.Service, _ []string) error {
			q := history.UsageQuery{By: history.UsageGroup(by), Location: time.Local}
			switch q.By {
			case history.UsageByModel, history.UsageBySession, history.UsageByDay:
			default:
				return problem.Usage("--by takes model, session or day")
			}
			if session != "" {
				s, err := a.session(ctx, svc, session)
				if err != nil {
					return err
				}
				q.Session = s.ID
			}
			sums, err := svc.Usage(ctx, q)
			if err != nil {
				return err
			}
			return a.printUsage(q.By, sums)
		})
	fl := cmd.Flags()
	fl.StringVar(&by, "by", by, "add up by `GROUP`: model, session or day")
	completeFlag(cmd, "by", "model", "session", "day")
	fl.StringVar(&session, "session", "", "only of the session of this `NAME`")
	a.jsonFlag(fl, "group")
	return cmd
}

func (a *app) printUsage(by history.UsageGroup, sums []history.UsageSum) error {
	t := newTextTable(string(by), ">answers", ">counted", ">tokens in", ">out", ">reasoning", ">time", ">cost")
	if a.out.terminal && !a.flags.json && len(sums) > 1 {
		sums = append(sums, totalUsage(sums))
	}
	var all []usageJSON
	for _, s := range sums {
		u := usageJSON{UsageSum: s, Usage: s.Usage, ElapsedMS: s.Elapsed.Milliseconds()}
		if !s.Day.IsZero() {
			u.Day = s.Day.Format(time.DateOnly)
		}
		all = append(all, u)
	}
	return printList(a.console, all, t, func(s usageJSON) []any {
		name := cmp.Or(s.Model, s.Day, "all")
		if s.Session != 0 {
			name = fmt.Sprintf("s%d %s", s.Session, a.shortenName(s.SessionName))
		}
		return []any{name, s.Answers, s.Counted, a.count(s.Usage.InputTokens),
			a.count(s.Usage.OutputTokens), a.count(s.Usage.ReasoningTokens), a.duration(s.Elapsed),
			suite.CostsText(s.Costs)}
	})
}

// totalUsage returns the sum of all groups.
func totalUsage(sums []history.UsageSum) (all history.UsageSum) {
	for _, s := range sums {
		all.Answers, all.Counted, all.Elapsed = all.Answers+s.Answers, all.Counted+s.Counted, all.Elapsed+s.Elapsed
		all.Usage = all.Usage.Plus(s.Usage)
		for _, c := range s.Costs {
			all.Costs = history.AddCost(all.Costs, c)
		}
	}
	return all
}

// count writes a number of tokens for people or for programs; none is left out.
func (a *app) count(n int) string {
	if n == 0 || !a.out.terminal {
		return numberOrBlank(n)
	}
	return format.Number(n)
}

// duration writes a time for people, or in seconds for programs.
func (a *app) duration(d time.Duration) string {
	if a.out.terminal {
		return format.Seconds(d)
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
}
