package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"confab/internal/format"
	"confab/internal/safego"
	"confab/internal/sshserver"
	"confab/internal/termtext"
	"confab/service/problem"
)

// filesOfConnection is about how many files a connection needs: its socket, and those of its user's history.
const filesOfConnection = 8

// checkSSH prints whether confab ssh could serve as it is configured. It makes nothing and serves nobody.
func (a *app) checkSSH(ctx context.Context) error {
	d := &doctorReport{app: a}
	if !d.checkSettings(ctx, true) {
		return d.print()
	}
	d.checkFolders()
	if a.config.SSH.Service == "operator" && !a.isEmbedded() {
		d.failOn(a.learnKey(ctx), "key", "see to it, or choose another way")
	}
	found := sshserver.Check(a.sshOptions(&sshHandler{}))
	for _, problem := range found.Problems {
		d.fail("ssh", termtext.Line(problem.Error()), "")
	}
	for _, note := range found.Notes {
		d.warn("ssh", note, "")
	}
	if len(found.Problems) == 0 {
		d.ok("ssh", "who may log in is known, and the host key is %s", found.HostKey)
	}
	if most, needed := maxOpenFiles(), a.config.SSH.Connections*filesOfConnection; most > 0 && most < needed {
		d.warn("ssh", fmt.Sprintf("%s about %d open files, and %d are allowed",
			format.Several(a.config.SSH.Connections, "connection needs", "connections need"), needed, most),
			fmt.Sprintf("raise the limit: ulimit -n %d, or LimitNOFILE= of the unit", needed))
	}
	a.checkDatabase(ctx, d)
	d.checkBucket(ctx)
	a.checkAddresses(ctx, d)
	return d.print()
}

// checkDatabase says whether the database that hosts share can be used. Without one, each user has a file.
func (a *app) checkDatabase(ctx context.Context, d *doctorReport) {
	if a.config.History.URL == "" {
		return
	}
	store, err := a.database.open(ctx, a.historyUser(), a.databaseOptions)
	if !d.failOn(problem.Store(err), "database", "see to history.url and the database") {
		d.ok("database", "%s can be used", a.historyPlace())
		_ = store.Close() // it was only looked at
	}
}

// checkAddresses says whether the server could listen now.
func (a *app) checkAddresses(ctx context.Context, d *doctorReport) {
	if isLocked(filepath.Join(a.config.Paths.Data, sshLockFile)) {
		d.warn("listen", "another confab ssh serves this data folder already", "the addresses were not tried")
		return
	}
	for _, address := range []string{a.config.SSH.Listen, a.config.SSH.HealthListen} {
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

// isLocked reports whether a process holds the lock of a file. It makes no file, and does not look like a holder to
// others who ask.
func isLocked(path string) bool {
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer l.Close() //nolint:errcheck // it was only looked at
	locked, err := l.TryRLock()
	return err == nil && !locked
}

// The database is asked whether it answers every readyInterval, which may take readyTimeout.
const (
	readyInterval = 2 * time.Second
	readyTimeout  = 3 * time.Second
)

// databaseWatch knows whether the database of the history answers. Without one, it always does.
type databaseWatch struct {
	isAway atomic.Bool
}

// ready returns why no logins should be sent to this host now.
func (w *databaseWatch) ready() error {
	if w.isAway.Load() {
		return errors.New("the database of the history does not answer")
	}
	return nil
}

// start asks the database now and every few seconds until stop is called.
func (w *databaseWatch) start(ctx context.Context, h *sshHandler) (stop func()) {
	if h.app.config.History.URL == "" {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	ask := func() {
		ctx, cancel := context.WithTimeout(ctx, readyTimeout)
		defer cancel()
		err := h.app.database.ping(ctx, h.app.databaseOptions)
		if isAway := err != nil; isAway != w.isAway.Swap(isAway) {
			if isAway {
				h.app.log.Warn("The database of the history does not answer, so this host is not ready", "error", err)
			} else {
				h.app.log.Info("The database of the history answers again")
			}
		}
	}
	safego.Go(h.app.log, "database", func() {
		defer close(ended)
		ticker := time.NewTicker(readyInterval)
		defer ticker.Stop()
		for ask(); ; ask() {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}, nil)
	return func() { cancel(); <-ended }
}
