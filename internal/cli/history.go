package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/problem"
	"confab/service/suite"
)

func (a *app) historyCommands() *cobra.Command {
	return a.group("history", "Find, show, export and delete what was kept", a.listCommand(), a.searchCommand(),
		a.showCommand(), a.tableCommand(), a.exportCommand(), a.removeCommand(), a.shareCommand(), a.statsCommand(),
		a.votesCommand(),
		a.sweepCommand("sweep", "Delete files that were left over in the picture folder", a.noCommand,
			func([]string) error { return nil }),
		a.importCommand(), a.migrateCommand(), a.moveCommand(), a.backupCommand(), a.restoreCommand(), a.pathCommand())
}

// findFlags adds the flags of commands that search the history.
func (a *app) findFlags(fl *pflag.FlagSet, limit *int, of string) {
	*limit = 50
	a.jsonFlag(fl, of)
	numberVar(fl, limit, "limit", "n", 1, 100_000, "at most `N` of them")
}

func (a *app) listCommand() *cobra.Command {
	var limit int
	var team bool
	cmd := a.historyCommand("list [QUERY...]", "List the sessions, the newest first", nil, readsHistory,
		func(ctx context.Context, svc *service.Service, args []string) error {
			if team {
				hits, err := svc.TeamSessions(ctx, strings.Join(args, " "), limit)
				if err != nil {
					return err
				}
				return a.printSessions(hits, len(hits), "No session is shared with you.")
			}
			query := strings.Join(args, " ")
			hits, total, err := svc.Sessions(ctx, query, limit)
			if err != nil {
				return err
			}
			empty := noSessions
			if query != "" {
				empty = nothingFound
			}
			return a.printSessions(hits, total, empty)
		})
	a.findFlags(cmd.Flags(), &limit, "session")
	cmd.Flags().BoolVar(&team, "team", false, "those that other users share")
	return cmd
}

// These are said in place of lists without entries.
const (
	noSessions   = "No sessions yet. confab or confab ask starts one."
	nothingFound = "Nothing was found."
)

func (a *app) printSessions(hits []history.SessionHit, total int, empty string) error {
	t := newTextTable("id", "session", ">turns", ">answers", ">pictures", "last used", "")
	t.empty = empty
	now := time.Now()
	err := printList(a, hits, t, func(h history.SessionHit) []any {
		updated := h.Updated.UTC().Format(time.RFC3339)
		if a.out.terminal {
			updated = format.Day(h.Updated, now)
		}
		return []any{fmt.Sprintf("s%d", h.ID), a.shortenName(h.Name), h.Turns, h.Answers, h.Pictures, updated,
			sharedText(h.IsShared, h.Owner)}
	})
	if err != nil {
		return err
	}
	if a.out.terminal && !a.flags.json && len(hits) < total {
		a.info(format.Count(len(hits), "session") + " of " + strconv.Itoa(total))
	}
	return nil
}

func (a *app) searchCommand() *cobra.Command {
	var limit int
	cmd := a.historyCommand("search QUERY...", "Search prompts, system prompts, answers and notes", nil, readsHistory,
		func(ctx context.Context, svc *service.Service, args []string) error {
			query := strings.Join(args, " ")
			if strings.TrimSpace(query) == "" {
				return problem.Usage("search for what? give words or filters")
			}
			hits, err := svc.Search(ctx, query, limit)
			if err != nil {
				return err
			}
			if err := a.printHits(hits); err != nil || len(hits) > 0 {
				return err
			}
			return exitCode(ExitFailed) // as grep does
		})
	a.findFlags(cmd.Flags(), &limit, "place found")
	return cmd
}

func (a *app) printHits(hits []history.Hit) error {
	t := newTextTable("id", "where", "model", "sent", "text")
	t.empty = nothingFound
	now := time.Now()
	return printList(a, hits, t, func(h history.Hit) []any {
		id := "t" + strconv.FormatInt(h.Turn, 10)
		if h.Answer != 0 {
			id = "a" + strconv.FormatInt(h.Answer, 10)
		}
		if a.out.terminal {
			return []any{id, h.Field, h.Model, format.Day(h.Created, now), h.Snippet}
		}
		return []any{id, h.SessionName, h.Field, h.Model, h.Created.UTC().Format(time.RFC3339), h.Snippet}
	})
}

func (a *app) pathCommand() *cobra.Command {
	return a.command("path", "Print the path of the history file, or its URL", a.noCommand,
		func(context.Context, []string) error { return a.printPath(a.historyPlace()) })
}

func (a *app) shareCommand() *cobra.Command {
	var stop bool
	cmd := a.historyCommand("share ENTRY", "Let all users of the database read a session or a run",
		argCount(1, 1, "share takes one entry: s12 or the name of a session, or r12 for a run"), writesHistory,
		func(ctx context.Context, svc *service.Service, args []string) error {
			return a.share(ctx, svc, args[0], !stop)
		})
	cmd.ValidArgsFunction = a.completion(a.sessionCompletions)
	cmd.Flags().BoolVar(&stop, "stop", false, "end that at once")
	return cmd
}

func (a *app) share(ctx context.Context, svc *service.Service, word string, isShared bool) error {
	what, err := "", error(nil)
	number, isRun := strings.CutPrefix(word, "r")
	if id, wrong := strconv.ParseInt(number, 10, 64); isRun && wrong == nil {
		what, err = fmt.Sprintf("run %d", id), svc.ShareRun(ctx, id, isShared)
	} else {
		s, findErr := a.session(ctx, svc, word)
		if findErr != nil {
			return findErr
		}
		what, err = fmt.Sprintf("session s%d %q", s.ID, termtext.Line(s.Name)), svc.ShareSession(ctx, s.ID, isShared)
	}
	if err != nil {
		return err
	}
	return a.print(what + choose(isShared, " is shared with the team", " is not shared any more") + "\n")
}

// usageJSON is the usage of a group of answers in JSON; its field names are stable.
type usageJSON struct {
	history.UsageSum
	chat.Usage
	Day       string `json:"day,omitempty"` // 2006-01-02
	ElapsedMS int64  `json:"elapsed_ms"`
}

func (a *app) statsCommand() *cobra.Command {
	var session string
	by := string(history.UsageByModel)
	cmd := a.historyCommand("stats", "Add up the tokens, the cost and the time of answers", a.noCommand, readsHistory,
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
	t.empty = "No answers yet. confab or confab ask gets some."
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
	return printList(a, all, t, func(s usageJSON) []any {
		name := cmp.Or(s.Model, s.Day, "all")
		if s.Session != 0 {
			name = fmt.Sprintf("s%d %s", s.Session, a.shortenName(s.SessionName))
		}
		return []any{name, s.Answers, s.Counted, a.count(s.Usage.InputTokens),
			a.count(s.Usage.OutputTokens), a.count(s.Usage.ReasoningTokens), a.duration(s.Elapsed),
			suite.CostsText(s.Costs)}
	})
}

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

// count formats a number of tokens; 0 is blank.
func (a *app) count(n int) string {
	if n == 0 || !a.out.terminal {
		return numberOrBlank(n)
	}
	return format.Number(n)
}

// duration formats a time for people, or in seconds for programs.
func (a *app) duration(d time.Duration) string {
	if a.out.terminal {
		return format.Seconds(d)
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64)
}
