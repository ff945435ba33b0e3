package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"confab/internal/sshserver"
	"confab/internal/termtext"
)

// filesOfConnection is about how many files a connection needs: its socket, and those of its user's history.
const filesOfConnection = 8

// checkSSH prints whether confab ssh could serve as it is configured. It makes nothing and serves nobody.
func (a *app) checkSSH(ctx context.Context) error {
	d := &doctor{app: a}
	if !d.checkSettings(ctx, true) {
		return d.print()
	}
	d.checkFolders()
	if a.cfg.SSH.Service == "operator" && !a.endpoint().IsEmbedded {
		d.failOn(a.learnKey(ctx), "key", "see to it, or choose another way")
	}
	found := sshserver.Check(a.sshOptions(nil))
	for _, problem := range found.Problems {
		d.fail("ssh", termtext.Line(problem.Error()), "")
	}
	for _, note := range found.Notes {
		d.warn("ssh", note, "")
	}
	if len(found.Problems) == 0 {
		d.ok("ssh", "who may log in is known, and the host key is %s", found.HostKey)
	}
	if most, needed := maxOpenFiles(), a.cfg.SSH.Connections*filesOfConnection; most > 0 && most < needed {
		d.warn("ssh", fmt.Sprintf("%d connections need about %d open files, and %d are allowed", a.cfg.SSH.Connections,
			needed, most), fmt.Sprintf("raise the limit: ulimit -n %d, or LimitNOFILE= of the unit", needed))
	}
	a.checkAddresses(ctx, d)
	return d.print()
}

// checkAddresses says whether the server could listen now.
func (a *app) checkAddresses(ctx context.Context, d *doctor) {
	if isLocked(filepath.Join(a.cfg.Paths.Data, sshLockFile)) {
		d.warn("listen", "another confab ssh serves this data folder already", "the addresses were not tried")
		return
	}
	for _, address := range []string{a.cfg.SSH.Listen, a.cfg.SSH.MetricsListen} {
		if address == "" {
			continue
		}
		l, err := listenTCP(ctx, address)
		if !d.failOn(err, "listen", "end what listens there, or choose another address") {
			d.ok("listen", "%s is free", l.Addr())
			_ = l.Close() // nobody has connected
		}
	}
}

// isLocked reports whether a process holds the lock of a file. It makes no file.
func isLocked(path string) bool {
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer l.Close() //nolint:errcheck // it was only looked at
	locked, err := l.TryLock()
	return err == nil && !locked
}
