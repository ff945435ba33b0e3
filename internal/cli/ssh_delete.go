package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/gofrs/flock"

	"confab/internal/format"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/problem"
)

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
		remove := a.bucket.Within("users/" + id).Remove
		if o.IsUnfinished {
			remove = a.bucket.Within("users/" + id).RemoveUnfinished
		}
		if err := remove(ctx, o.Name); err != nil {
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
