package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/history/postgres"
	"confab/history/sqlite"
	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/pictures/s3"
	"confab/service/problem"
)

// moveFlags names histories and places of pictures; "" is the configured one.
type moveFlags struct {
	from, to                 string
	picturesFrom, picturesTo string
	replace                  bool
}

func (a *app) moveCommand() *cobra.Command {
	var f moveFlags
	cmd := a.command("move", "Copy the whole history to another file or database, its pictures to a folder or bucket",
		a.noCommand, func(ctx context.Context, _ []string) error {
			if f.from == f.to && f.picturesFrom == f.picturesTo {
				return problem.Usage("where to? give --to, --pictures-to or both")
			}
			ctx, stop := a.untilSignal(ctx, nil)
			defer stop()
			return a.moveHistory(ctx, f)
		})
	fl := cmd.Flags()
	fl.StringVar(&f.to, "to", "", "copy to the history at `URL|FILE` instead of the configured one")
	fl.StringVar(&f.from, "from", "", "copy the history at `URL|FILE` instead of the configured one")
	fl.StringVar(&f.picturesTo, "pictures-to", "", "copy the pictures to `URL|FOLDER` instead of the configured place")
	fl.StringVar(&f.picturesFrom, "pictures-from", "", "copy the pictures at `URL|FOLDER` instead of those configured")
	fl.BoolVar(&f.replace, "replace", false, "delete what the history that is copied to holds")
	a.yesFlag(fl, "do not ask")
	a.jsonFlag(fl, "kind of entries")
	return cmd
}

func (a *app) moveHistory(ctx context.Context, f moveFlags) error {
	from, name, err := a.openPlace(ctx, f.from, true)
	if err != nil {
		return writeError(name, err)
	}
	defer from.Close() //nolint:errcheck // it was only read
	status := &copyStatus{a: a, line: statusLine{app: a}}
	defer status.line.clear()
	if f.from != f.to {
		if err := a.copyHistory(ctx, from, name, f, status); err != nil {
			return err
		}
	}
	if f.picturesFrom != f.picturesTo {
		return a.copyPictures(ctx, from, f, status)
	}
	if !a.flags.json {
		a.info("The pictures stay where they are; --pictures-to copies them.")
	}
	return nil
}

func (a *app) copyHistory(ctx context.Context, from history.Store, name string, f moveFlags,
	status *copyStatus) error {
	// A history of an earlier release is read from a copy, so the store cannot notice that both are the same.
	if isSameFile(name, cmp.Or(f.to, a.historyPlace())) {
		return problem.Store(&history.SetupError{Message: "the history cannot be copied to itself"})
	}
	if f.replace {
		question := "Delete all that the history at " + termtext.Line(cmp.Or(f.to, a.historyPlace())) + " holds?"
		if err := a.confirmDelete(ctx, question); err != nil {
			return err
		}
	}
	to, target, err := a.openPlace(ctx, f.to, false)
	if err != nil {
		return writeError(target, err)
	}
	var refused []history.Session
	drafts := ""
	if file := a.config.Paths.History; name == file || target == file {
		drafts = a.config.Paths.Drafts
	}
	kinds, err := to.(history.Copier).CopyFrom(ctx, from, history.CopyOptions{Name: name, Replaces: f.replace,
		Progress: func(p history.CopyProgress) {
			status.show([]string{"Copying", "Checking"}[min(p.Pass, 2)-1], p.Table, p.Done, p.Total)
		},
		Finish: func() (err error) {
			refused, err = service.CopyDrafts(ctx, from, to, drafts, f.replace)
			return err
		}})
	if err := errors.Join(err, to.Close()); err != nil {
		return writeError(target, err)
	}
	status.line.clear()
	for _, s := range refused {
		a.warn("the draft of session s%d was not copied: there is another one", s.ID)
	}
	t := newTextTable("entries", ">rows", "sha256")
	err = printList(a, kinds, t, func(k history.CopiedRows) []any {
		return []any{k.Table, k.Rows, a.shortHash(k.SHA256)}
	})
	if err == nil {
		a.info("Both histories hold the same. The copy is " + termtext.Line(target) + ".")
		err = a.tellUncopiedVotes(ctx, from)
	}
	return err
}

// writeError words the error of a copy. SQLite must write beside a file even to read it, so it names the folder.
func writeError(place string, err error) error {
	if filepath.IsAbs(place) && (errors.Is(err, history.ErrReadOnly) || errors.Is(err, fs.ErrPermission)) {
		return problem.New(api.CodeStore, err, "the history %s cannot be written; make it and its folder %s writable",
			termtext.Line(place), termtext.Line(filepath.Dir(place)))
	}
	return problem.Store(err)
}

// tellUncopiedVotes warns of votes between users, which are in nobody's copy.
func (a *app) tellUncopiedVotes(ctx context.Context, from history.Store) error {
	sharer, ok := from.(history.Sharer)
	if !ok {
		return nil
	}
	onOthers, ofOthers, err := sharer.VotesBetweenUsers(ctx)
	if onOthers > 0 {
		a.warn("%s on answers of other users could not be copied", format.Several(onOthers, "vote", "votes"))
	}
	if ofOthers > 0 {
		a.warn("%s of other users on this history could not be copied", format.Several(ofOthers, "vote", "votes"))
	}
	return problem.Store(err)
}

func isSameFile(one, other string) bool {
	first, err := os.Stat(one)
	if err != nil {
		return false
	}
	second, err := os.Stat(other)
	return err == nil && os.SameFile(first, second)
}

// shortHash shortens a hash on a terminal.
func (a *app) shortHash(s string) string {
	if a.out.terminal {
		return s[:min(16, len(s))]
	}
	return s
}

func (a *app) copyPictures(ctx context.Context, db history.Store, f moveFlags, status *copyStatus) error {
	from, err := a.picturePlace(f.picturesFrom)
	if err != nil {
		return err
	}
	to, err := a.picturePlace(f.picturesTo)
	if err != nil {
		return err
	}
	files := pictures.NewFiles(pictures.Options{Folder: from.folder, Bucket: from.bucket}, pictures.Host{
		History: func(context.Context) (history.Store, error) { return db, nil }, Now: time.Now, Log: a.log})
	var target pictures.Place = pictures.Folder(to.folder)
	if to.bucket != nil {
		target = to.bucket
	}
	r, err := files.CopyTo(ctx, target, func(done, total int) { status.show("Copying", "pictures", done, total) })
	if err != nil {
		return err
	}
	status.line.clear()
	if a.flags.json {
		err = a.printJSON(map[string]any{"kind": "pictures", "files": r.Files, "bytes": r.Bytes, "sha256": r.SHA256,
			"missing": r.Missing, "damaged": r.Damaged, "refused": r.Refused})
	} else {
		a.info(fmt.Sprintf("The copy has the same %s (%s), with sha256 %s.",
			format.Several(r.Files, "picture file", "picture files"), format.Size(r.Bytes), a.shortHash(r.SHA256)))
	}
	for _, group := range []struct {
		names []string
		what  string
	}{
		{r.Missing, "has no file"}, {r.Damaged, "is not as it was saved, or has no facts beside it"},
		{r.Refused, "was not copied: there is another file of that name"},
	} {
		for _, name := range group.names {
			a.warn("%s %s", name, group.what)
		}
	}
	if err == nil && len(r.Refused) > 0 {
		err = problem.New(api.CodeStore, fs.ErrExist, "%s of that name, but with another content, there already",
			format.Several(len(r.Refused), "file is", "files are"))
	}
	return err
}

// openPlace opens a history by the URL of its database or the path of its file. It also returns the history's name.
func (a *app) openPlace(ctx context.Context, place string, isSource bool) (history.Store, string, error) {
	place = cmp.Or(place, a.historyPlace())
	if strings.Contains(place, "://") {
		if wrong := config.CheckDatabaseURL(place); wrong != "" {
			return nil, "", problem.Usage("the address of a history %s", wrong)
		}
		store, err := newDatabaseConnection().open(ctx, a.historyUser(),
			func(ctx context.Context) (postgres.Options, error) { return a.databaseAt(ctx, place) })
		return store, place + " of " + a.historyUser(), err
	}
	path, err := filepath.Abs(place)
	if err != nil {
		return nil, "", err
	}
	if !isSource {
		store, err := sqlite.Open(ctx, path, sqlite.Options{})
		return store, path, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, "", problem.Usage("there is no history %s", termtext.Line(path))
	}
	store, err := sqlite.OpenForReading(ctx, path)
	return store, path, err
}

// databaseAt returns the options of a database. Only the configured one uses the configured password.
func (a *app) databaseAt(ctx context.Context, url string) (postgres.Options, error) {
	if url == a.config.History.URL {
		return a.databaseOptions(ctx)
	}
	password := a.env.Get("CONFAB_HISTORY_PASSWORD")
	a.secrets.Add(password)
	return postgres.Options{URL: url, Password: password, Log: a.log}, nil
}

// picturePlace is a folder, or a bucket with a folder as its cache.
type picturePlace struct {
	folder string
	bucket pictures.Bucket // nil without one
}

// picturePlace returns the place of pictures by its URL or folder.
func (a *app) picturePlace(place string) (p picturePlace, err error) {
	switch {
	case place == "":
		p.folder = a.config.Paths.Pictures
		if err = a.openBucket(); a.bucket != nil {
			p.bucket = a.bucket
		}
	case strings.Contains(place, "://"):
		var b s3.Bucket
		b, err = a.bucketAt(place)
		p.bucket = b
	default:
		p.folder = place
	}
	return p, err
}

// copyStatus shows the progress of a copy: a bar on a terminal, a line for each kind elsewhere.
type copyStatus struct {
	a    *app
	line statusLine
	last string
}

func (s *copyStatus) show(verb, kind string, done, total int) {
	what := verb + " " + kind
	if !s.line.isWanted() {
		if what != s.last {
			s.a.info(what)
		}
		s.last = what
		return
	}
	s.line.showBar(done, total, fmt.Sprintf("%s  %s of %s", what, format.Number(done), format.Number(total)))
}
