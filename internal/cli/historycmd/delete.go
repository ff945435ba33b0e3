package historycmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/format"
	"confab/service"
	"confab/service/pictures"
	"confab/service/problem"
)

func (a commands) removeCommand() *cobra.Command {
	cmd := a.HistoryCommand("rm ENTRY...", "Delete sessions, turns or answers for good",
		app.ArgCount(1, math.MaxInt, "rm takes entries: s12, t34, a56 or names of sessions"), a.deleteEntries)
	cmd.ValidArgsFunction = a.Completion(a.SessionCompletions)
	a.YesFlag(cmd.Flags(), "do not ask")
	return cmd
}

// deleteEntries deletes entries. All of them are found before the first one goes.
func (a commands) deleteEntries(ctx context.Context, svc *service.Service, words []string) error {
	var entries []app.Entry
	var names []string
	for _, word := range words {
		e, err := a.Entry(ctx, svc, word)
		if err != nil {
			return err
		}
		entries = append(entries, e)
		names = append(names, e.Describe())
	}
	if err := a.ConfirmDelete(ctx, "Delete "+strings.Join(names, ", ")+" for good?"); err != nil {
		return err
	}
	var failed error
	for i := 0; i < len(entries) && failed == nil; i++ {
		failed = deleteEntry(ctx, svc, entries[i])
	}
	_, err := svc.Purge(ctx, 0) // also after an error: what was deleted before it must not stay
	if err := cmp.Or(failed, err); err != nil {
		return err
	}
	a.Info("Deleted " + strings.Join(names, ", ") + ".")
	return nil
}

// deleteEntry hides an entry until it is purged. An entry that is no longer there, because another process or an entry
// named before it took it along, counts as deleted.
func deleteEntry(ctx context.Context, svc *service.Service, e app.Entry) (err error) {
	switch e.Kind {
	case 's':
		_, err = svc.DeleteSession(ctx, e.Session.ID)
	case 't':
		_, err = svc.DeleteTurn(ctx, e.Turn.ID)
	default:
		_, err = svc.DeleteAnswer(ctx, e.Answer.ID)
	}
	if errors.Is(err, history.ErrNotFound) {
		return nil
	}
	return err
}

func (a commands) sweepCommand() *cobra.Command {
	var alsoPictures, dry bool
	cmd := a.HistoryCommand("sweep", "Delete files that were left over in the picture folder", a.NoCommand,
		func(ctx context.Context, svc *service.Service, _ []string) error {
			orphans, err := svc.Files().FindOrphans(ctx)
			if err != nil {
				return err
			}
			if err := a.printOrphans(orphans); err != nil || dry {
				return err
			}
			return a.sweep(ctx, svc, orphans, alsoPictures)
		})
	fl := cmd.Flags()
	fl.BoolVar(&alsoPictures, "pictures", false, "also delete pictures that the history does not know")
	fl.BoolVar(&dry, "dry-run", false, "list only")
	a.YesFlag(fl, "do not ask")
	return cmd
}

// printOrphans lists where folder and history disagree.
func (a commands) printOrphans(orphans pictures.OrphanFiles) error {
	t := console.NewTable("what", "file")
	for _, group := range []struct {
		what  string
		paths []string
	}{
		{"temporary", orphans.Temporary}, {"facts", orphans.Provenance}, {"picture", orphans.Pictures},
		{"not confab's", orphans.Foreign},
	} {
		for _, path := range group.paths {
			t.Add(group.what, path)
		}
	}
	for _, h := range orphans.Missing {
		t.Add("no file", "a"+strconv.FormatInt(h.Answer.ID, 10)+" "+filepath.Base(h.Answer.Picture.Path))
	}
	return a.PrintTable(t)
}

func (a commands) sweep(ctx context.Context, svc *service.Service, orphans pictures.OrphanFiles,
	alsoPictures bool) error {
	parts := console.CountOrNone(len(orphans.Temporary), "temporary file", "temporary files")
	parts = append(parts, console.CountOrNone(len(orphans.Provenance), "file of facts", "files of facts")...)
	if alsoPictures {
		parts = append(parts, console.CountOrNone(len(orphans.Pictures), "picture with its facts",
			"pictures with their facts")...)
	}
	if len(parts) > 0 {
		if err := a.ConfirmDelete(ctx, "Delete "+strings.Join(parts, ", ")+"?"); err != nil {
			return err
		}
		swept, err := svc.Files().Sweep(ctx, orphans, alsoPictures)
		a.Info(fmt.Sprintf("Deleted %s, %.1f MB.", format.Count(swept.Files, "file"), float64(swept.Bytes)/1e6))
		if err != nil {
			return err
		}
	} else {
		a.Info("There is nothing to sweep.")
	}
	if n := len(orphans.Pictures); n > 0 && !alsoPictures {
		a.Info(format.Several(n, "picture that the history does not know was",
			"pictures that the history does not know were") + " left; --pictures deletes them too")
	}
	return nil
}

// DescribeExpired writes what is older than it may be, for people.
func DescribeExpired(e history.Expired) string {
	return fmt.Sprintf("%s, %s of other sessions, %s and %s (%s)", format.Count(len(e.Sessions), "session"),
		format.Count(len(e.Turns), "turn"), format.Count(e.Answers, "answer"), format.Count(e.Pictures, "picture"),
		humanize.IBytes(uint64(e.Bytes)))
}

func (a commands) pruneCommand() *cobra.Command {
	var dryRun bool
	cmd := a.Command("prune", "Delete what is older than history.keep for good", a.NoCommand,
		func(ctx context.Context, args []string) error {
			keep := a.Config.History.Keep
			if keep == 0 {
				return problem.Usage("history.keep is not set; give a time, such as --keep 90d")
			}
			a.Config.History.Keep = 0 // the start of the service must delete nothing
			return a.WithHistory(ctx, args, func(ctx context.Context, svc *service.Service, _ []string) error {
				before := time.Now().Add(-keep)
				found, err := svc.Expired(ctx, before)
				if err != nil || len(found.Sessions)+len(found.Turns) == 0 || dryRun {
					return cmp.Or(err, a.Print("older than "+before.UTC().Format(time.DateOnly)+": "+
						DescribeExpired(found)+"\n"))
				}
				if err := a.ConfirmDelete(ctx, "Delete "+DescribeExpired(found)+" for good?"); err != nil {
					return err
				}
				gone, err := svc.Prune(ctx, before)
				a.Info("Deleted " + DescribeExpired(gone) + ".")
				return err
			})
		})
	fl := cmd.Flags()
	a.SettingFlag(fl, "keep", "history.keep", "delete what was not used for this `TIME`, such as 90d")
	fl.BoolVar(&dryRun, "dry-run", false, "say what would be deleted, and delete nothing")
	a.YesFlag(fl, "do not ask")
	return cmd
}
