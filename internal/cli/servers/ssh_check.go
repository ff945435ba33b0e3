package servers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"confab/internal/cli/app"
	"confab/internal/cli/doctor"
	"confab/internal/format"
	"confab/internal/sshserver"
	"confab/internal/termtext"
	"confab/service/problem"
)

// filesOfConnection is about how many files a connection needs: its socket, and those of its user's history.
const filesOfConnection = 8

// checkSSH prints whether confab ssh could serve as it is configured. It makes nothing and serves nobody.
func (a commands) checkSSH(ctx context.Context) error {
	d := doctor.NewReport(a.App)
	if !d.CheckSettings(ctx, true) {
		return d.Print()
	}
	d.CheckFolders()
	if a.Config.SSH.Service == "operator" && !a.Endpoint().IsEmbedded {
		d.FailOn(a.LearnKey(ctx), "key", "see to it, or choose another way")
	}
	found := sshserver.Check(a.sshOptions(&sshHandler{}))
	for _, problem := range found.Problems {
		d.Fail("ssh", termtext.Line(problem.Error()), "")
	}
	for _, note := range found.Notes {
		d.Warn("ssh", note, "")
	}
	if len(found.Problems) == 0 {
		d.OK("ssh", "who may log in is known, and the host key is %s", found.HostKey)
	}
	if most, needed := maxOpenFiles(), a.Config.SSH.Connections*filesOfConnection; most > 0 && most < needed {
		d.Warn("ssh", fmt.Sprintf("%s about %d open files, and %d are allowed",
			format.Several(a.Config.SSH.Connections, "connection needs", "connections need"), needed, most),
			fmt.Sprintf("raise the limit: ulimit -n %d, or LimitNOFILE= of the unit", needed))
	}
	a.checkDatabase(ctx, d)
	d.CheckBucket(ctx)
	a.checkAddresses(ctx, d)
	return d.Print()
}

// checkDatabase says whether the database that hosts share can be used. Without one, each user has a file.
func (a commands) checkDatabase(ctx context.Context, d *doctor.Report) {
	if a.Config.History.URL == "" {
		return
	}
	store, err := a.Database.Open(ctx, a.HistoryUser(), a.DatabaseOptions)
	if !d.FailOn(problem.Store(err), "database", "see to history.url and the database") {
		d.OK("database", "%s can be used", a.HistoryPlace())
		_ = store.Close() // it was only looked at
	}
}

// checkAddresses says whether the server could listen now.
func (a commands) checkAddresses(ctx context.Context, d *doctor.Report) {
	if isLocked(filepath.Join(a.Config.Paths.Data, sshLockFile)) {
		d.Warn("listen", "another confab ssh serves this data folder already", "the addresses were not tried")
		return
	}
	for _, address := range []string{a.Config.SSH.Listen, a.Config.SSH.HealthListen} {
		if address == "" {
			continue
		}
		l, err := app.ListenTCP(ctx, address)
		if !d.FailOn(err, "listen", "end what listens there, or choose another address") {
			d.OK("listen", "%s is free", l.Addr())
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
