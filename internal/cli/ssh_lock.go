package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"

	"confab/internal/config"
	"confab/internal/termtext"
	"confab/service/api"
)

// serverLockFile is locked in the data folder while a server serves it. The system lets go of it when the server
// dies, however it dies; the file itself stays.
const serverLockFile = "ssh.lock"

// lockServer sees to it that no other server has the same users or the same host key: each would hold the other's
// quotas and limits for its own, and clients could not tell the two apart.
func (a *app) lockServer() (unlock func(), err error) {
	data := a.cfg.Paths.Data
	if err := config.EnsureDir(data); err != nil {
		return nil, err
	}
	folder := flock.New(filepath.Join(data, serverLockFile))
	key := flock.New(a.hostKey(), flock.SetFlag(os.O_RDONLY))
	unlock = func() {
		for _, l := range []*flock.Flock{key, folder} {
			if err := l.Close(); err != nil {
				a.log.Warn("Could not unlock a file", "path", l.Path(), "error", err)
			}
		}
	}
	for _, l := range []struct {
		lock    *flock.Flock
		message string
	}{
		{folder, fmt.Sprintf("another confab ssh serves the data folder %s already; stop it, or choose another folder with "+
			"--data-dir", termtext.Line(data))},
		{key, fmt.Sprintf("another confab ssh uses the host key %s already; stop it, or choose another file with --host-key",
			termtext.Line(a.hostKey()))},
	} {
		locked, err := l.lock.TryLock()
		switch {
		case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
			continue // a file system without locks: nothing can be told
		case err != nil:
			unlock()
			return nil, &api.Error{Code: api.CodeDisk, Message: "cannot lock " + termtext.Line(l.lock.Path()), Err: err}
		case !locked:
			unlock()
			return nil, &api.Error{Code: api.CodeConfig, Message: l.message}
		}
	}
	return unlock, nil
}
