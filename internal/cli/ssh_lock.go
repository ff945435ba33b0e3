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

// sshLockFile is locked in the data folder while a server uses it. The system releases the lock when the server dies
// in any way; the file stays.
const sshLockFile = "ssh.lock"

// lockSSHServer ensures that no other server uses the same users or the same host key: the quotas would be counted
// twice, and clients could not tell the servers apart.
func (a *app) lockSSHServer() (unlock func(), err error) {
	data := a.cfg.Paths.Data
	if err := config.EnsureDir(data); err != nil {
		return nil, err
	}
	folder := flock.New(filepath.Join(data, sshLockFile))
	key := flock.New(a.hostKeyPath(), flock.SetFlag(os.O_RDONLY))
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
		{folder, fmt.Sprintf("another confab ssh serves the data folder %s already; stop it, or choose another "+
			"folder with "+
			"--data-dir", termtext.Line(data))},
		{key, fmt.Sprintf("another confab ssh uses the host key %s already; stop it, or choose another file with "+
			"--host-key",
			termtext.Line(a.hostKeyPath()))},
	} {
		locked, err := l.lock.TryLock()
		switch {
		case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
			continue // this file system has no locks, so nothing can be checked
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
