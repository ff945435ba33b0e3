package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"confab/internal/format"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/problem"
)

// servedUserJSON is what is known of a user of confab ssh; its field names are stable.
type servedUserJSON struct {
	User       string `json:"user"`
	IsLoggedIn bool   `json:"logged_in"`
	Bytes      int64  `json:"bytes"` // of files
}

func (a *app) sshUsersCommand() *cobra.Command {
	var dryRun bool
	list := a.command("list", "List the users who have logged in here", a.noCommand, a.listUsers)
	a.jsonFlag(list.Flags(), "user")
	remove := a.command("delete USER", "Delete everything of a user", argCount(1, 1, "delete takes one user"),
		func(ctx context.Context, args []string) error { return a.deleteUser(ctx, args[0], dryRun) })
	remove.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be deleted, and delete nothing")
	a.yesFlag(remove.Flags(), "delete without asking")
	sweep := a.sweepCommand("sweep USER", "Delete files that were left over in a user's picture folder",
		argCount(1, 1, "sweep takes one user"), func(args []string) error { return a.actAs(args[0]) })
	return a.group("users", "List, sweep and delete the users of confab ssh", list, sweep, remove)
}

// actAs has the rest of the command work on the history and the pictures of a user.
func (a *app) actAs(id string) error {
	if _, err := a.folderOfUser(id); err != nil {
		return err
	}
	a.config.Paths, _, _ = pathsOfUser(a.config.Paths, id)
	a.config.History.User = id
	if err := a.openBucket(); err != nil || a.bucket == nil {
		return err
	}
	own := a.bucket.Within("users/" + id)
	a.bucket = &own
	return nil
}

// folderOfUser returns the folder of a user who has logged in here.
func (a *app) folderOfUser(id string) (string, error) {
	if !isUserID(id) {
		return "", problem.Usage("%q is no name of a user", id)
	}
	_, folder, _ := pathsOfUser(a.config.Paths, id)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return "", problem.Usage("no user %s has logged in here; confab ssh users list shows who has", id)
	}
	return folder, nil
}

// isUserID reports whether a text can be the id of a user, which is the name of a folder.
func isUserID(s string) bool { return regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`).MatchString(s) }

// userLockFile is locked in a user's folder while the user has a session.
const userLockFile = "session.lock"

// hasSession reports whether a user with this folder is logged in. It makes no file.
func hasSession(folder string) bool {
	l := flock.New(filepath.Join(folder, userLockFile), flock.SetFlag(os.O_RDONLY))
	defer l.Close() //nolint:errcheck // it was only looked at
	locked, err := l.TryLock()
	return err == nil && !locked
}

// userIDs returns everybody with a folder.
func (a *app) userIDs() (ids []string, err error) {
	entries, err := os.ReadDir(filepath.Join(a.config.Paths.Data, "users"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, problem.Disk("list the users", err)
	}
	for _, e := range entries {
		if isUserID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}

// listUsers prints everybody with a folder.
func (a *app) listUsers(context.Context, []string) error {
	ids, err := a.userIDs()
	if err != nil {
		return err
	}
	var all []servedUserJSON
	for _, id := range ids {
		_, folder, _ := pathsOfUser(a.config.Paths, id)
		all = append(all, servedUserJSON{id, hasSession(folder), folderSize(folder, "")})
	}
	t := newTextTable("user", "", ">bytes")
	t.empty = "Nobody has logged in here yet."
	return printList(a, all, t, func(u servedUserJSON) []any {
		return []any{u.User, choose(u.IsLoggedIn, "logged in", ""), strconv.FormatInt(u.Bytes, 10)}
	})
}

// deleteUser deletes everything of a user: objects of the bucket, then rows of the database, then the folder. The user
// must not be logged in on this host, and cannot log in meanwhile. A dry run says what would go.
func (a *app) deleteUser(ctx context.Context, id string, isDryRun bool) (err error) {
	folder, err := a.folderOfUser(id)
	if err != nil {
		return err
	}
	lock := flock.New(filepath.Join(folder, userLockFile))
	locked, err := lock.TryLock()
	switch {
	case err != nil:
		return problem.Disk("lock the folder of the user", err)
	case !locked:
		return problem.Usage("%s is logged in; take the key away first, and the session ends within ten seconds", id)
	}
	defer lock.Close() //nolint:errcheck // the folder is gone, or stays as it was
	parts := []string{"the files of " + id + " (" + humanize.IBytes(uint64(folderSize(folder, ""))) + ")"}
	objects, err := a.objectsOf(ctx, id)
	if err != nil {
		return err
	}
	if a.bucket != nil {
		parts = append(parts, format.Count(len(objects), "object")+" in the bucket")
	}
	erase := func(context.Context) error { return nil }
	if a.config.History.URL != "" {
		store, err := a.database.open(ctx, id, a.databaseOptions)
		if err != nil {
			return problem.Store(err)
		}
		defer store.Close() //nolint:errcheck // what was to be deleted is
		info, err := store.Info(ctx)
		if err != nil {
			return problem.Store(err)
		}
		parts = append(parts, fmt.Sprintf("%s and %s in the database", format.Count(info.Sessions, "session"),
			format.Count(info.Answers, "answer")))
		erase = store.(*databaseStore).Erase
	}
	what := strings.Join(parts, ", ")
	if isDryRun {
		return a.print("would delete " + what + "\n")
	}
	if err := a.confirmDelete(ctx, "Delete "+what+"?"); err != nil {
		return err
	}
	if err := a.eraseUser(ctx, id, objects, erase); err != nil {
		return err
	}
	a.info("deleted " + what)
	return nil
}

// objectsOf lists the objects of a user in the bucket.
func (a *app) objectsOf(ctx context.Context, id string) (all []pictures.Object, err error) {
	if err := a.openBucket(); err != nil || a.bucket == nil {
		return nil, err
	}
	for o, err := range a.bucket.Within("users/"+id).List(ctx, "") {
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// eraseUser deletes objects before rows, and rows before the folder that shows that there is a user.
func (a *app) eraseUser(ctx context.Context, id string, objects []pictures.Object,
	erase func(context.Context) error) error {
	for _, o := range objects {
		if err := a.bucket.Within("users/"+id).Remove(ctx, o.Name); err != nil {
			return err
		}
	}
	if err := erase(ctx); err != nil {
		return problem.Store(err)
	}
	_, folder, _ := pathsOfUser(a.config.Paths, id)
	if err := os.RemoveAll(folder); err != nil {
		return &api.Error{Code: api.CodeDisk, Message: "not all of the user could be deleted", Err: err}
	}
	return nil
}
