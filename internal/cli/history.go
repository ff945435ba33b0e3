package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/problem"
)

// historyCommand returns confab history with its commands.
func historyCommand(of *app) *cobra.Command {
	a := of
	return a.group("history", "Find, show, export and delete what was kept", a.listCommand(), a.searchCommand(),
		a.showCommand(), a.exportCommand(), a.removeCommand(), a.shareCommand(), a.statsCommand(), a.sweepCommand(),
		a.migrateCommand(), a.moveCommand(), a.backupCommand(), a.restoreCommand(), a.pathCommand())
}

// findFlags adds the flags of a command that looks for something in the history.
func (a *app) findFlags(fl *pflag.FlagSet, limit *int, of string) {
	*limit = 50
	a.jsonFlag(fl, of)
	numberVar(fl, limit, "limit", "n", 1, 100_000, "at most `N` of them")
}

func (a *app) listCommand() *cobra.Command {
	var limit int
	var team bool
	cmd := a.historyReader("list [QUERY...]", "List the sessions, the newest first", nil,
		func(ctx context.Context, svc *service.Service, args []string) error {
			if team {
				hits, err := svc.TeamSessions(ctx, strings.Join(args, " "), limit)
				if err != nil {
					return err
				}
				return a.printSessions(hits, len(hits))
			}
			hits, total, err := svc.Sessions(ctx, strings.Join(args, " "), limit)
			if err != nil {
				return err
			}
			return a.printSessions(hits, total)
		})
	a.findFlags(cmd.Flags(), &limit, "session")
	cmd.Flags().BoolVar(&team, "team", false, "those that other users share")
	return cmd
}

func (a *app) printSessions(hits []history.SessionHit, total int) error {
	t := newTextTable("id", "session", ">turns", ">answers", ">pictures", "last used", "")
	now := time.Now()
	err := printList(a.console, hits, t, func(h history.SessionHit) []any {
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
	cmd := a.historyReader("search QUERY...", "Search prompts, system prompts, answers and notes", nil,
		func(ctx context.Context, svc *service.Service, args []string) error {
			query := strings.Join(args, " ")
			if strings.TrimSpace(query) == "" {
				return problem.Usage("search for what? give words or filters")
			}
			hits, err := svc.Search(ctx, query, limit)
			if err != nil {
				return err
			}
			return a.printHits(hits)
		})
	a.findFlags(cmd.Flags(), &limit, "place found")
	return cmd
}

func (a *app) printHits(hits []history.Hit) error {
	t := newTextTable("id", "where", "model", "sent", "text")
	now := time.Now()
	return printList(a.console, hits, t, func(h history.Hit) []any {
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
