package servers

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"confab/internal/cli/console"
	"confab/internal/config"
	"confab/internal/fileio"
	"confab/internal/safego"
	"confab/service/accounts"
	"confab/service/api"
	"confab/service/problem"
)

// disabledFolder is the folder in the data folder with an empty file for each user who is kept out of this host.
const disabledFolder = "users-disabled"

// The users who are kept out of every host are read every disabledInterval, which may take disabledTimeout.
const (
	disabledInterval = 2 * time.Second
	disabledTimeout  = 5 * time.Second
)

// disabledPath returns the file whose presence keeps a user out of this host.
func disabledPath(p config.Paths, id string) string { return filepath.Join(p.Data, disabledFolder, id) }

// isUserDisabled reports whether a user is kept out of this host. One whose mark cannot be looked at is.
func isUserDisabled(p config.Paths, id string) bool {
	_, err := os.Lstat(disabledPath(p, id))
	return !errors.Is(err, fs.ErrNotExist)
}

// hasHosts reports whether several hosts can have the same users, because the history is in a database.
func (a commands) hasHosts() bool { return a.Config.History.URL != "" }

// disabledUsers are the users who are kept out of every host, as they were last read.
type disabledUsers struct {
	names atomic.Pointer[map[string]bool]
}

func (d *disabledUsers) has(id string) bool {
	names := d.names.Load()
	return names != nil && (*names)[id]
}

// startDisabled reads who is kept out of every host, now and every few seconds until stop is called. While the database
// is away, those who were read last are kept out.
func (h *sshHandler) startDisabled(ctx context.Context) (stop func()) {
	if h.app.Config.History.URL == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	h.readDisabled(ctx)
	ended := make(chan struct{})
	safego.Go(h.app.Log, "disabled users", func() {
		defer close(ended)
		ticker := time.NewTicker(disabledInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				h.readDisabled(ctx)
			}
		}
	}, nil)
	return func() { cancel(); <-ended }
}

// readDisabled reads who is kept out of every host, for a bounded time.
func (h *sshHandler) readDisabled(ctx context.Context) {
	if h.app.Config.History.URL == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, disabledTimeout)
	defer cancel()
	if names, err := accounts.Disabled(ctx, h.accounts); err == nil {
		h.disabled.names.Store(&names)
	}
}

// disableUser keeps a user out, of every host where several can have the same users. Running servers end the sessions
// of the user within seconds. A user who has never logged in can be disabled as well, and a warning says so, because
// the name may be mistyped.
func (a commands) disableUser(ctx context.Context, id string) error {
	_, errUser := a.servedUserNamed(ctx, id)
	if a.hasHosts() && api.CodeOf(errUser) == api.CodeStore {
		return errUser
	}
	if err := a.markDisabled(ctx, id); err != nil {
		return err
	}
	what := console.Choose(a.hasHosts(), id+" is disabled on every host", id+" is disabled")
	if api.CodeOf(errUser) == api.CodeUsage {
		a.Warn("%s; nobody of that name is known to have logged in here", what)
		return nil
	}
	a.Info(what + "; sessions end within seconds")
	return nil
}

func (a commands) markDisabled(ctx context.Context, id string) error {
	if a.hasHosts() {
		return a.setDisabled(ctx, id, true)
	}
	err := config.EnsureDir(filepath.Join(a.Config.Paths.Data, disabledFolder))
	if err == nil {
		err = fileio.Write(disabledPath(a.Config.Paths, id), nil, 0o600)
	}
	if err != nil {
		return &api.Error{Code: api.CodeDisk, Message: "the user could not be disabled", Err: err}
	}
	return nil
}

// setDisabled keeps a user out of every host, or lets the user in. The server of this host learns of it at once.
func (a commands) setDisabled(ctx context.Context, id string, isDisabled bool) error {
	db := a.UserAccounts(false)
	defer db.Close()
	if err := accounts.SetDisabled(ctx, db, id, isDisabled); err != nil {
		return problem.Store(err)
	}
	_, _, _ = a.askServer(ctx, controlRequest{Do: "disabled"}) // one that cannot be asked learns of it in a moment
	return nil
}

// enableUser lets a user in again who is disabled here or on every host.
func (a commands) enableUser(ctx context.Context, id string) error {
	known, err := a.readAccounts(ctx)
	if err != nil {
		return err
	}
	err = os.Remove(disabledPath(a.Config.Paths, id))
	switch {
	case errors.Is(err, fs.ErrNotExist) && !known.disabled[id]:
		return problem.Usage("%s is not disabled", id)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return &api.Error{Code: api.CodeDisk, Message: "the user could not be enabled", Err: err}
	}
	if known.disabled[id] {
		if err := a.setDisabled(ctx, id, false); err != nil {
			return err
		}
	}
	a.Info(id + " is enabled")
	return nil
}
