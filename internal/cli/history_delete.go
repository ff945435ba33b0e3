package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/pictures"
	"confab/service/problem"
)

func (a *app) removeCommand() *cobra.Command {
	var before string
	cmd := a.historyCommand("rm [ENTRY...]", "Delete sessions, turns or answers for good", nil, writesHistory,
		func(ctx context.Context, svc *service.Service, args []string) error {
			switch {
			case before != "" && len(args) > 0:
				return problem.Usage("rm takes entries or --before, not both")
			case before != "":
				return a.deleteUnused(ctx, svc, before)
			case len(args) == 0:
				return problem.Usage("rm takes entries: s12, t34, a56 or names of sessions; or --before DATE")
			}
			return a.deleteNamed(ctx, svc, args)
		})
	cmd.ValidArgsFunction = a.completion(a.sessionCompletions)
	cmd.Flags().StringVar(&before, "before", "", "delete the sessions last used before this `DATE`, such as 90d")
	a.yesFlag(cmd.Flags(), "do not ask")
	return cmd
}

// deleteNamed deletes entries after it has found all of them.
func (a *app) deleteNamed(ctx context.Context, svc *service.Service, words []string) error {
	var entries []historyEntry
	var names []string
	for _, word := range words {
		e, err := a.entry(ctx, svc, word)
		if err != nil {
			return err
		}
		entries = append(entries, e)
		names = append(names, e.describe())
	}
	if err := a.confirmDelete(ctx, "Delete "+strings.Join(names, ", ")+" for good?"); err != nil {
		return err
	}
	if err := deleteForGood(ctx, svc, slices.Values(entries)); err != nil {
		return err
	}
	a.info("Deleted " + strings.Join(names, ", ") + ".")
	return nil
}

// deleteUnused deletes the sessions last used before a date, except those that are used before the user confirms.
func (a *app) deleteUnused(ctx context.Context, svc *service.Service, date string) error {
	q, err := history.ParseQuery("before:"+strconv.Quote(date), time.Now())
	if err != nil || q.Before.IsZero() {
		return problem.Usage("--before takes a day such as 2026-01-31, or an age such as 90d, not %q", date)
	}
	sessions, _, err := svc.Sessions(ctx, "", math.MaxInt32)
	if err != nil {
		return err
	}
	sessions = slices.DeleteFunc(sessions, func(h history.SessionHit) bool { return !h.Updated.Before(q.Before) })
	day := q.Before.Format(time.DateOnly)
	if len(sessions) == 0 {
		a.info("No session was last used before " + day + ".")
		return nil
	}
	var turns, answers, pictures int
	for _, h := range sessions {
		turns, answers, pictures = turns+h.Turns, answers+h.Answers, pictures+h.Pictures
	}
	if err := a.confirmDelete(ctx, fmt.Sprintf("Delete %s last used before %s for good, with %s, %s and %s?",
		format.Count(len(sessions), "session"), day, format.Count(turns, "turn"), format.Count(answers, "answer"),
		format.Count(pictures, "picture"))); err != nil {
		return err
	}
	deleted := 0
	err = deleteForGood(ctx, svc, func(yield func(historyEntry) bool) {
		for _, h := range sessions {
			now, err := svc.Session(ctx, h.ID)
			if err != nil || !now.Updated.Before(q.Before) {
				continue
			}
			if deleted++; !yield(historyEntry{kind: 's', session: now}) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	a.info("Deleted " + format.Count(deleted, "session") + ".")
	return nil
}

// deleteForGood deletes and purges entries until one fails.
func deleteForGood(ctx context.Context, svc *service.Service, entries iter.Seq[historyEntry]) (failed error) {
	for e := range entries {
		if failed = deleteEntry(ctx, svc, e); failed != nil {
			break
		}
	}
	_, err := svc.Purge(ctx, 0) // also after an error: what was deleted before it must not stay
	return cmp.Or(failed, err)
}

// deleteEntry hides an entry until it is purged. An entry that is gone already is no error.
func deleteEntry(ctx context.Context, svc *service.Service, e historyEntry) (err error) {
	switch e.kind {
	case 's':
		_, err = svc.DeleteSession(ctx, e.session.ID)
	case 't':
		_, err = svc.DeleteTurn(ctx, e.turn.ID)
	default:
		_, err = svc.DeleteAnswer(ctx, e.answer.ID)
	}
	if errors.Is(err, history.ErrNotFound) {
		return nil
	}
	return err
}

// sweepCommand returns a command that deletes orphaned files. choose reads the arguments before the history opens.
func (a *app) sweepCommand(use, short string, accept cobra.PositionalArgs,
	choose func(args []string) error) *cobra.Command {
	var alsoPictures, dry bool
	run := func(ctx context.Context, svc *service.Service) error {
		orphans, err := svc.Files().FindOrphans(ctx)
		if err != nil {
			return err
		}
		if err := a.printOrphans(orphans); err != nil || dry {
			return err
		}
		return a.sweep(ctx, svc, orphans, alsoPictures)
	}
	cmd := a.command(use, short, accept, func(ctx context.Context, args []string) error {
		if err := choose(args); err != nil {
			return err
		}
		return a.withHistory(ctx, writesHistory, run)
	})
	fl := cmd.Flags()
	fl.BoolVar(&alsoPictures, "pictures", false, "also delete pictures that the history does not know")
	fl.BoolVar(&dry, "dry-run", false, "list only")
	a.yesFlag(fl, "do not ask")
	return cmd
}

func (a *app) printOrphans(orphans pictures.OrphanFiles) error {
	t := newTextTable("what", "file")
	for _, group := range []struct {
		what  string
		paths []string
	}{
		{"temporary", orphans.Temporary}, {"facts", orphans.Provenance}, {"picture", orphans.Pictures},
		{"not confab's", orphans.Foreign},
	} {
		for _, path := range group.paths {
			t.add(group.what, path)
		}
	}
	for _, h := range orphans.Missing {
		t.add("no file", "a"+strconv.FormatInt(h.Answer.ID, 10)+" "+filepath.Base(h.Answer.Picture.Path))
	}
	return a.printTable(t)
}

func (a *app) sweep(ctx context.Context, svc *service.Service, orphans pictures.OrphanFiles,
	alsoPictures bool) error {
	parts := countOrNone(len(orphans.Temporary), "temporary file", "temporary files")
	parts = append(parts, countOrNone(len(orphans.Provenance), "file of facts", "files of facts")...)
	if alsoPictures {
		parts = append(parts, countOrNone(len(orphans.Pictures), "picture with its facts",
			"pictures with their facts")...)
	}
	if len(parts) > 0 {
		if err := a.confirmDelete(ctx, "Delete "+strings.Join(parts, ", ")+"?"); err != nil {
			return err
		}
		swept, err := svc.Files().Sweep(ctx, orphans, alsoPictures)
		a.info(fmt.Sprintf("Deleted %s, %.1f MB.", format.Count(swept.Files, "file"), float64(swept.Bytes)/1e6))
		if err != nil {
			return err
		}
	} else {
		a.info("There is nothing to sweep.")
	}
	if n := len(orphans.Pictures); n > 0 && !alsoPictures {
		a.info(format.Several(n, "picture that the history does not know was",
			"pictures that the history does not know were") + " left; --pictures deletes them too")
	}
	return nil
}
