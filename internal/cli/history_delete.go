package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/service/pictures"
)

func (a *app) historyRemove() *cobra.Command {
	cmd := a.historyCommand("rm ENTRY...", "Delete sessions, turns or answers for good",
		argCount(1, math.MaxInt, "rm takes entries: s12, t34, a56 or names of sessions"), a.deleteEntries)
	cmd.ValidArgsFunction = a.completion(a.sessionCompletions)
	a.yesFlag(cmd.Flags(), "do not ask")
	return cmd
}

// deleteEntries deletes entries. All of them are found before the first one goes.
func (a *app) deleteEntries(ctx context.Context, svc *service.Service, words []string) error {
	var entries []entry
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
	var failed error
	for i := 0; i < len(entries) && failed == nil; i++ {
		failed = deleteEntry(ctx, svc, entries[i])
	}
	_, err := svc.Purge(ctx, 0) // also after an error: what was deleted before it must not stay
	if err := cmp.Or(failed, err); err != nil {
		return err
	}
	a.info("Deleted " + strings.Join(names, ", ") + ".")
	return nil
}

// deleteEntry hides an entry until it is purged. An entry that is no longer there, because another process or an entry
// named before it took it along, counts as deleted.
func deleteEntry(ctx context.Context, svc *service.Service, e entry) (err error) {
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

func (a *app) historySweep() *cobra.Command {
	var alsoPictures, dry bool
	cmd := a.historyCommand("sweep", "Delete files that were left over in the picture folder", a.noCommand,
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
	a.yesFlag(fl, "do not ask")
	return cmd
}

// printOrphans lists where folder and history disagree.
func (a *app) printOrphans(orphans pictures.OrphanFiles) error {
	t := table{head: []string{"what", "file"}}
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

func (a *app) sweep(ctx context.Context, svc *service.Service, orphans pictures.OrphanFiles, alsoPictures bool) error {
	parts := countText(len(orphans.Temporary), "temporary file", "temporary files")
	parts = append(parts, countText(len(orphans.Provenance), "file of facts", "files of facts")...)
	if alsoPictures {
		parts = append(parts, countText(len(orphans.Pictures), "picture with its facts",
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

// countText returns a count in words, or nothing of nothing.
func countText(n int, one, many string) []string {
	if n == 0 {
		return nil
	}
	return []string{format.Several(n, one, many)}
}
