package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/config"
	"confab/internal/sshserver"
	"confab/service/api"
	"confab/service/problem"
)

// userState is what a session knows of its user.
type userState struct {
	id            string
	cfg           config.Config
	folder        string // holds all data of the user
	filesFolder   string // what the user can name by path, inside folder
	hasOwnService bool   // the user's own configuration says which service answers
	*sharedUser
}

// sharedUser is what all sessions of a user share, for as long as the server runs.
type sharedUser struct {
	quota *quota

	mu       sync.Mutex
	sessions int
	lock     *flock.Flock // of the user's folder, held while there are sessions
}

// openUser returns the state of a user with one more session, and makes the user's folders.
func (h *sshHandler) openUser(ctx context.Context, u sshserver.User) (*userState, error) {
	t := &userState{id: u.ID, cfg: h.app.config, hasOwnService: h.app.config.SSH.Service == "own"}
	var paths config.Paths
	paths, t.folder, t.filesFolder = pathsOfUser(h.app.config.Paths, u.ID)
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
	t.sharedUser = h.shareUser(t)
	return t, t.beginSession(ctx)
}

// shareUser returns what the sessions of a user share, made with the first of them.
func (h *sshHandler) shareUser(t *userState) *sharedUser {
	h.mu.Lock()
	defer h.mu.Unlock()
	shared := h.users[t.id]
	if shared == nil {
		shared = &sharedUser{quota: &quota{folder: t.folder, open: h.historyOpener(t), limits: h.limits.Load},
			lock: flock.New(filepath.Join(t.folder, userLockFile))}
		if h.app.bucket != nil {
			shared.quota.stored = t.cfg.Paths.Pictures
		}
		h.users[t.id] = shared
	}
	return shared
}

// Who lists the users holds their locks for a moment, and who deletes one for longer.
const (
	lockTimeout  = time.Second
	lockInterval = 10 * time.Millisecond
)

// beginSession counts a session and locks the user's folder, unless the user is being deleted.
func (u *sharedUser) beginSession(ctx context.Context) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	locked, err := u.lock.TryRLockContext(ctx, lockInterval)
	switch {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK): // this file system has no locks
	case errors.Is(err, context.DeadlineExceeded), err == nil && !locked:
		return problem.Usage("your data here is being deleted")
	case err != nil:
		return problem.Disk("lock the folder of a user", err)
	}
	u.sessions++
	u.quota.begin()
	return nil
}

// endSession ends a session. With the last one, nothing of the user is in use.
func (u *sharedUser) endSession() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.sessions--; u.sessions > 0 {
		return nil
	}
	return errors.Join(u.quota.close(), u.lock.Unlock())
}

// historyOpener returns how the history of a user is opened, to count the answers of a day. A user without a history,
// or with one in a file that cannot be opened, has them counted in memory.
func (h *sshHandler) historyOpener(t *userState) func(context.Context) (history.Store, error) {
	return func(ctx context.Context) (history.Store, error) {
		if h.app.config.History.URL != "" {
			return h.app.database.open(ctx, t.id, h.app.databaseOptions)
		}
		if t.cfg.History.Save {
			store, err := sqlite.Open(ctx, t.cfg.Paths.History, sqlite.Options{})
			if err == nil {
				return store, nil
			}
			h.app.log.Warn("The answers of a user are counted in memory", "user", t.id, "error", err)
		}
		return openMemory(ctx)
	}
}

// loadOwnConfig loads the configuration that the operator wrote for a user. It takes nothing from the operator's own
// configuration or from the environment of the server.
func (h *sshHandler) loadOwnConfig(ctx context.Context, folder string) (config.Config, error) {
	src := config.Sources{
		Home: folder, Dir: folder, Env: []string{"PATH=" + h.app.env.Get("PATH")},
		Keyring: func(string, string) (string, error) { return "", errors.New("served users have no keyring") },
	}
	path := filepath.Join(folder, "config.toml")
	if _, err := os.Stat(path); err == nil {
		src.Path = path
	}
	cfg, err := config.Load(ctx, src)
	if err != nil {
		h.app.log.Error("A user's configuration cannot be used", "error", err)
		return config.Config{}, &api.Error{Code: api.CodeConfig, Message: "your configuration on the server is " +
			"wrong; tell its operator", Err: err}
	}
	return cfg, nil
}
