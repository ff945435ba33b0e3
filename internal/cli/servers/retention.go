package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"confab/history"
	"confab/internal/cli/app"
	"confab/internal/cli/console"
	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/safego"
	"confab/internal/sshserver"
	"confab/service"
	"confab/service/accounts"
	"confab/service/problem"
)

// The background job that deletes old entries of users runs every retentionInterval. Of several hosts, the one that
// works says so for retentionLease at a time, which is more than it takes for a user.
const (
	retentionInterval = 6 * time.Hour
	retentionLease    = 30 * time.Minute
)

// startRetention deletes now and every few hours what users have kept for too long, until stop is called.
func (h *sshHandler) startRetention(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	safego.Go(h.app.Log, "retention", func() {
		defer close(ended)
		timer := time.NewTimer(0)
		defer timer.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
			mayGoOn := func(ctx context.Context) bool { return h.accounts.TakeJob(ctx, "retention", retentionLease) }
			err := h.pruneUsers(ctx, "", false, mayGoOn, func(id string, gone history.Expired) error {
				h.app.Log.Info("Deleted what was kept for too long", "user", id, "sessions", len(gone.Sessions),
					"turns", len(gone.Turns), "answers", gone.Answers, "pictures", gone.Pictures)
				return nil
			})
			if err != nil && ctx.Err() == nil {
				h.app.Log.Warn("Could not delete all that was kept for too long", "error", err)
			}
			timer.Reset(retentionInterval)
		}
	}, nil)
	return func() { cancel(); <-ended }
}

// pruneUsers deletes old entries of a user, or with an empty id of all users, unless it is a dry run, and reports what
// of whom. Before each user it asks whether it may go on. Users are those of this host, and those who have asked
// something on another host with the same database.
func (h *sshHandler) pruneUsers(ctx context.Context, only string, isDryRun bool, mayGoOn func(context.Context) bool,
	report func(id string, gone history.Expired) error) error {
	known, err := accounts.Accounts(ctx, h.accounts, only)
	if err != nil {
		return problem.Store(err)
	}
	entries, err := os.ReadDir(filepath.Join(h.app.Config.Paths.Data, "users"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return problem.Disk("list the users", err)
	}
	for _, e := range entries {
		if _, isKnown := known[e.Name()]; !isKnown && isUserID(e.Name()) && (only == "" || only == e.Name()) {
			known[e.Name()] = accounts.Account{}
		}
	}
	if only != "" && len(known) == 0 {
		return noServedUser(only)
	}
	var failed error
	for _, id := range slices.Sorted(maps.Keys(known)) {
		keep := keepOf(h.limits.Load().Groups, id, known[id], time.Duration(h.keep.Load()))
		if keep == 0 || known[id].IsHeld {
			continue
		}
		if !mayGoOn(ctx) {
			return failed
		}
		gone, err := h.pruneUser(ctx, id, time.Now().Add(-keep), isDryRun)
		failed = cmp.Or(failed, err)
		if len(gone.Sessions)+len(gone.Turns) > 0 {
			failed = cmp.Or(failed, report(id, gone))
		}
		if ctx.Err() != nil {
			return failed
		}
	}
	return failed
}

// keepOf returns for how long the history of a user is kept, 0 for ever. While the group is not known, because it may
// come from a key or a certificate, that is the longest time of all groups that it may be.
func keepOf(groups []config.Group, id string, a accounts.Account, common time.Duration) time.Duration {
	group := groupOf(groups, sshserver.User{ID: id, Group: a.Group})
	longest := cmp.Or(group.Keep, common)
	for _, g := range groups {
		if a.IsGroupKnown || g.Name == group.Name { // those after the one that the name is in do not count
			break
		}
		if keep := cmp.Or(g.Keep, common); longest != 0 && (keep == 0 || keep > longest) {
			longest = keep
		}
	}
	return longest
}

// pruneUser deletes what a user has kept since before a time, unless it is a dry run, and returns it.
func (h *sshHandler) pruneUser(ctx context.Context, id string, before time.Time, isDryRun bool) (
	gone history.Expired, err error) {
	err = h.withServiceOf(ctx, id, func(svc *service.Service) error {
		if isDryRun {
			gone, err = svc.Expired(ctx, before)
		} else {
			gone, err = svc.Prune(ctx, before)
		}
		return err
	})
	return gone, err
}

// withServiceOf runs do with the service of a user who need not be logged in.
func (h *sshHandler) withServiceOf(ctx context.Context, id string, do func(*service.Service) error) error {
	nowhere := &net.TCPAddr{}
	v := sshserver.Session{User: sshserver.User{ID: id}, RemoteAddr: nowhere, LocalAddr: nowhere}
	g, err := h.serveUser(ctx, v, console.Env{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		return err
	}
	defer g.quota.close()
	svc, err := g.Service(app.ServiceNeeds{Save: true})
	if err != nil {
		return err
	}
	defer g.CloseService(ctx, svc)
	return do(svc)
}

// offlineHandler returns a handler for commands of the operator that concern the data of users. It serves nobody.
func (a commands) offlineHandler() (*sshHandler, error) {
	h := &sshHandler{app: a.App, users: map[string]*userState{}, accounts: a.UserAccounts(true)}
	h.counter = accounts.New(accounts.Options{})
	h.setSettings(&a.Config)
	return h, a.OpenBucket()
}

// setSettings takes over the settings that may change while the server runs.
func (h *sshHandler) setSettings(cfg *config.Config) {
	ssh := cfg.SSH // the next reading of the configuration changes cfg
	h.limits.Store(&ssh)
	h.keep.Store(int64(cfg.History.Keep))
}

// usersPrune returns the command that deletes old entries of users of confab ssh.
func (a commands) usersPrune() *cobra.Command {
	var dryRun bool
	cmd := a.Command("prune [USER]", "Delete what users have kept for longer than they may",
		app.ArgCount(0, 1, "prune takes a user, or nothing for all of them"),
		func(ctx context.Context, args []string) error {
			h, err := a.offlineHandler()
			if err != nil {
				return err
			}
			defer h.accounts.Close()
			only := append(args, "")[0]
			goOn := func(context.Context) bool { return true } // what two processes delete at once is deleted
			isAny := false
			err = h.pruneUsers(ctx, only, dryRun, goOn, func(id string, gone history.Expired) error {
				isAny = true
				return a.Print(id + "\t" + describeExpired(gone) + "\n")
			})
			if err == nil && !isAny {
				a.Info("Nothing is older than it may be.")
			}
			return err
		})
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be deleted, and delete nothing")
	return cmd
}

// holdUser puts a user on legal hold, or ends it. One who has never logged in can be put on hold as well, and a warning
// says so, because the name may be mistyped.
func (a commands) holdUser(ctx context.Context, id string, isHeld bool) error {
	db := a.UserAccounts(false)
	defer db.Close()
	known, err := accounts.Accounts(ctx, db, id)
	_, folder, _ := pathsOfUser(a.Config.Paths, id)
	switch {
	case err != nil:
		return problem.Store(err)
	case !isHeld && !known[id].IsHeld:
		return problem.Usage("%s is not on legal hold", id)
	case len(known) == 0 && folderSize(folder) == 0:
		a.Warn("nobody named %s is known to have logged in here", id)
	}
	if err := accounts.SetHold(ctx, db, id, isHeld); err != nil {
		return problem.Store(err)
	}
	a.Info(id + console.Choose(isHeld, " is on legal hold: nothing of the history can be deleted",
		" is not on legal hold any more"))
	return nil
}

// describeExpired writes what is older than it may be, for people.
func describeExpired(e history.Expired) string {
	return fmt.Sprintf("%s, %s of other sessions, %s and %s (%s)", format.Count(len(e.Sessions), "session"),
		format.Count(len(e.Turns), "turn"), format.Count(e.Answers, "answer"), format.Count(e.Pictures, "picture"),
		humanize.IBytes(uint64(e.Bytes)))
}
