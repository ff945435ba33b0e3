package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/pictures"
)

func (a *app) historySweep() *cobra.Command {
	var yes, alsoPictures, dry bool
	cmd := &cobra.Command{
		Use: "sweep", Short: "Delete files that were left over in the picture folder", Args: a.noCommand,
		Long: `List where the picture folder and the history disagree, and delete what confab itself left over there: half-written files of a crash, and facts (.json) without a picture, of answers that are gone.

With --pictures also pictures that confab saved and that the history does not know: of answers that are gone, or of another history that used the folder. They may be the only trace of those answers.

Files that are not confab's, or were changed since it saved them, are named and always stay. So are answers whose picture has no file: history rm takes the entry.

It asks first; where standard input is no terminal, --yes is needed. When not on a terminal: what it is, path or answer, with a tab between.`,
		Example: "confab history sweep --dry-run\nconfab history sweep --pictures",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.inHistory(cmd, func(ctx context.Context, svc *service.Service) error {
				orphans, err := svc.Files().FindOrphans(ctx)
				if err != nil {
					return err
				}
				if err := a.printOrphans(orphans); err != nil || dry {
					return err
				}
				return a.sweep(ctx, svc, orphans, alsoPictures, yes)
			})
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.BoolVar(&alsoPictures, "pictures", false, "also delete pictures that the history does not know")
	fl.BoolVar(&dry, "dry-run", false, "list only")
	fl.BoolVarP(&yes, "yes", "y", false, "do not ask")
	return cmd
}

// printOrphans lists where folder and history disagree.
func (a *app) printOrphans(orphans pictures.OrphanFiles) error {
	t := table{head: []string{"what", "file"}}
	for _, group := range []struct {
		what  string
		paths []string
	}{{"temporary", orphans.Temporary}, {"facts", orphans.Provenance}, {"picture", orphans.Pictures}, {"not confab's", orphans.Foreign}} {
		for _, path := range group.paths {
			t.add(group.what, path)
		}
	}
	for _, h := range orphans.Missing {
		t.add("no file", "a"+strconv.FormatInt(h.Answer.ID, 10)+" "+filepath.Base(h.Answer.Picture.Path))
	}
	return a.printTable(t)
}

// sweep deletes orphaned files after asking.
func (a *app) sweep(ctx context.Context, svc *service.Service, orphans pictures.OrphanFiles, alsoPictures, yes bool) error {
	parts := counted(len(orphans.Temporary), "temporary file", "temporary files")
	parts = append(parts, counted(len(orphans.Provenance), "file of facts", "files of facts")...)
	if alsoPictures {
		parts = append(parts, counted(len(orphans.Pictures), "picture with its facts", "pictures with their facts")...)
	}
	if len(parts) > 0 {
		if !yes {
			ok, err := a.confirm(ctx, "Delete "+strings.Join(parts, ", ")+"?", "--yes deletes without asking")
			if err != nil {
				return err
			}
			if !ok {
				return usage("nothing was deleted")
			}
		}
		swept, err := svc.Files().Sweep(ctx, orphans, alsoPictures)
		a.say(fmt.Sprintf("Deleted %s, %.1f MB.", format.Count(swept.Files, "file"), float64(swept.Bytes)/1e6))
		if err != nil {
			return err
		}
	} else {
		a.say("There is nothing to sweep.")
	}
	if n := len(orphans.Pictures); n > 0 && !alsoPictures {
		a.say(format.Several(n, "picture that the history does not know was",
			"pictures that the history does not know were") + " left; --pictures deletes them too")
	}
	return nil
}

// counted returns a count in words, or nothing of nothing.
func counted(n int, one, many string) []string {
	if n == 0 {
		return nil
	}
	return []string{format.Several(n, one, many)}
}

// examinePictures tells whether the picture folder and the history agree.
func (a *app) examinePictures(ctx context.Context, f *findings, svc *service.Service) {
	orphans, err := svc.Files().FindOrphans(ctx)
	if err != nil {
		f.fail("files", sentence(err), "see to the rights of "+termtext.Line(a.cfg.Paths.Pictures))
		return
	}
	parts := counted(len(orphans.Temporary), "half-written file", "half-written files")
	parts = append(parts, counted(len(orphans.Provenance), "file of facts without a picture", "files of facts without a picture")...)
	parts = append(parts,
		counted(len(orphans.Pictures), "picture that the history does not know", "pictures that the history does not know")...)
	if len(parts) > 0 {
		f.warn("files", strings.Join(parts, ", ")+fmt.Sprintf(" (%.1f MB)", float64(orphans.Bytes)/1e6),
			"confab history sweep lists and deletes them")
	}
	if n := len(orphans.Missing); n > 0 {
		f.warn("files", format.Several(n, "picture of the history has", "pictures of the history have")+" no file",
			"bring the files back, or see confab history sweep --dry-run and delete the entries with confab history rm")
	}
	if n := len(orphans.Foreign); n > 0 {
		f.ok("files", "%s in the picture folder not confab's, and left alone", format.Several(n, "file is", "files are"))
	}
	if len(parts)+len(orphans.Missing)+len(orphans.Foreign) == 0 {
		f.ok("files", "the folder and the history agree")
	}
}
