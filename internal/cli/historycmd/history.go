// Package historycmd is confab history: commands that list, show, export, share, delete and move what was kept, and
// those with which users of confab ssh fetch what is theirs.
package historycmd

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"confab/history"
	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/format"
	"confab/service"
	"confab/service/problem"
)

// commands are those of confab history for an app.
type commands struct{ *app.App }

// Command returns confab history with its commands.
func Command(of *app.App) *cobra.Command {
	a := commands{of}
	return a.Group("history", "Find, show, export and delete what was kept", a.listCommand(), a.searchCommand(),
		a.showCommand(), a.exportCommand(), a.removeCommand(), a.shareCommand(), a.statsCommand(), a.sweepCommand(),
		a.migrateCommand(), a.moveCommand(), a.backupCommand(), a.restoreCommand(), a.pathCommand())
}

// findFlags adds the flags of a command that looks for something in the history.
func (a commands) findFlags(fl *pflag.FlagSet, limit *int, of string) {
	*limit = 50
	a.JSONFlag(fl, of)
	app.NumberVar(fl, limit, "limit", "n", 1, 100_000, "at most `N` of them")
}

func (a commands) listCommand() *cobra.Command {
	var limit int
	var team bool
	cmd := a.HistoryReader("list [QUERY...]", "List the sessions, the newest first", nil,
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

func (a commands) printSessions(hits []history.SessionHit, total int) error {
	t := console.NewTable("id", "session", ">turns", ">answers", ">pictures", "last used", "")
	now := time.Now()
	err := console.PrintList(a.Console, hits, t, func(h history.SessionHit) []any {
		updated := h.Updated.UTC().Format(time.RFC3339)
		if a.Out.Terminal {
			updated = format.Day(h.Updated, now)
		}
		return []any{fmt.Sprintf("s%d", h.ID), a.ShortenName(h.Name), h.Turns, h.Answers, h.Pictures, updated,
			console.SharedText(h.IsShared, h.Owner)}
	})
	if err != nil {
		return err
	}
	if a.Out.Terminal && !a.Flags.JSON && len(hits) < total {
		a.Info(format.Count(len(hits), "session") + " of " + strconv.Itoa(total))
	}
	return nil
}

func (a commands) searchCommand() *cobra.Command {
	var limit int
	cmd := a.HistoryReader("search QUERY...", "Search prompts, system prompts, answers and notes", nil,
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

func (a commands) printHits(hits []history.Hit) error {
	t := console.NewTable("id", "where", "model", "sent", "text")
	now := time.Now()
	return console.PrintList(a.Console, hits, t, func(h history.Hit) []any {
		id := "t" + strconv.FormatInt(h.Turn, 10)
		if h.Answer != 0 {
			id = "a" + strconv.FormatInt(h.Answer, 10)
		}
		if a.Out.Terminal {
			return []any{id, h.Field, h.Model, format.Day(h.Created, now), h.Snippet}
		}
		return []any{id, h.SessionName, h.Field, h.Model, h.Created.UTC().Format(time.RFC3339), h.Snippet}
	})
}

func (a commands) pathCommand() *cobra.Command {
	return a.Command("path", "Print the path of the history file, or its URL", a.NoCommand,
		func(context.Context, []string) error { return a.PrintPath(a.HistoryPlace()) })
}
