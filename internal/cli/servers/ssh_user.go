package servers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/cli/app"
	"confab/internal/config"
	"confab/internal/sshserver"
	"confab/service/api"
	"confab/service/problem"
)

// userState is what the handler knows of a user, for as long as the server runs.
type userState struct {
	id            string
	cfg           config.Config
	folder        string // holds all data of the user
	filesFolder   string // what the user can name by path, inside folder
	hasOwnService bool   // the user's own configuration says which service answers
	quota         *quota
	lock          *flock.Flock // held while the user has a session
}

// openUser returns the state of a user and makes the user's folders.
func (h *sshHandler) openUser(ctx context.Context, u sshserver.User) (*userState, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := &userState{id: u.ID, cfg: h.app.Config, hasOwnService: h.app.Config.SSH.Service == "own"}
	var paths config.Paths
	paths, t.folder, t.filesFolder = pathsOfUser(h.app.Config.Paths, u.ID)
	if t.hasOwnService { // loaded at every login, because the operator may have changed it
		var err error
		if t.cfg, err = h.loadOwnConfig(ctx, t.folder); err != nil {
			return nil, err
		}
	}
	t.cfg.Paths = paths
	for _, dir := range []string{t.folder, t.filesFolder} {
		if err := config.EnsureDir(dir); err != nil {
			return nil, err
		}
	}
	if before := h.users[u.ID]; before != nil {
		t.quota, t.lock = before.quota, before.lock
	} else {
		t.quota = &quota{folder: t.folder, open: h.historyOpener(t)}
		if h.app.Bucket != nil {
			t.quota.stored = paths.Pictures
		}
		t.lock = flock.New(filepath.Join(t.folder, userLockFile))
	}
	if err := t.lockFolder(ctx); err != nil {
		return nil, err
	}
	t.quota.beginSession()
	h.users[u.ID] = t
	return t, nil
}

// Who lists the users holds their locks for a moment, and who deletes one for longer.
const (
	lockTimeout  = time.Second
	lockInterval = 10 * time.Millisecond
)

// lockFolder locks the folder of a user, unless the user is being deleted.
func (t *userState) lockFolder(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	locked, err := t.lock.TryRLockContext(ctx, lockInterval)
	switch {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
		return nil // this file system has no locks
	case errors.Is(err, context.DeadlineExceeded), err == nil && !locked:
		return problem.Usage("your data here is being deleted")
	case err != nil:
		return problem.Disk("lock the folder of a user", err)
	}
	return nil
}

// historyOpener returns how the history of a user is opened, to count the answers of a day. A user without a history,
// or with one in a file that cannot be opened, has them counted in memory.
func (h *sshHandler) historyOpener(t *userState) func(context.Context) (history.Store, error) {
	return func(ctx context.Context) (history.Store, error) {
		if h.app.Config.History.URL != "" {
			return h.app.Database.Open(ctx, t.id, h.app.DatabaseOptions)
		}
		if t.cfg.History.Save {
			store, err := sqlite.Open(ctx, t.cfg.Paths.History, sqlite.Options{})
			if err == nil {
				return store, nil
			}
			h.app.Log.Warn("The answers of a user are counted in memory", "user", t.id, "error", err)
		}
		return app.OpenMemory(ctx)
	}
}

// loadOwnConfig loads the configuration that the operator wrote for a user. It takes nothing from the operator's own
// configuration or from the environment of the server.
func (h *sshHandler) loadOwnConfig(ctx context.Context, folder string) (config.Config, error) {
	src := config.Sources{
		Home: folder, Dir: folder, Env: []string{"PATH=" + h.app.Env.Get("PATH")},
		Keyring: func(string, string) (string, error) { return "", errors.New("served users have no keyring") },
	}
	path := filepath.Join(folder, "config.toml")
	if _, err := os.Stat(path); err == nil {
		src.Path = path
	}
	cfg, err := config.Load(ctx, src)
	if err != nil {
		h.app.Log.Error("A user's configuration cannot be used", "error", err)
		return config.Config{}, &api.Error{Code: api.CodeConfig, Message: "your configuration on the server is " +
			"wrong; tell its operator", Err: err}
	}
	return cfg, nil
}
