package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"confab/history"
	"confab/history/postgres"
	"confab/history/sqlite"
	"confab/internal/config"
	"confab/service/problem"
)

// databaseConnection is the PostgreSQL database of [history] url. The stores of a process share it: it is connected
// with the first use and closed with the last.
type databaseConnection struct {
	mu     sync.Mutex
	server *postgres.Server
	users  int
}

// acquire connects to the database. What options returns is asked for where there is no connection yet. The caller
// calls release once.
func (c *databaseConnection) acquire(ctx context.Context,
	options func(context.Context) (postgres.Options, error),
) (server *postgres.Server, release func() error, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server == nil {
		o, err := options(ctx)
		if err != nil {
			return nil, nil, err
		}
		if c.server, err = postgres.Connect(ctx, o); err != nil {
			return nil, nil, err
		}
	}
	c.users++
	return c.server, c.release, nil
}

// release closes the connection unless it is still used.
func (c *databaseConnection) release() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users--; c.users > 0 {
		return nil
	}
	server := c.server
	c.server = nil
	return server.Close()
}

// open opens the history of a user.
func (c *databaseConnection) open(ctx context.Context, name string,
	options func(context.Context) (postgres.Options, error)) (history.Store, error) {
	server, release, err := c.acquire(ctx, options)
	if err != nil {
		return nil, err
	}
	store, err := server.Store(name, postgres.StoreOptions{})
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return &databaseStore{Store: store, release: release}, nil
}

// databaseStore is a store that ends its use of the connection when it is closed.
type databaseStore struct {
	*postgres.Store
	release func() error
}

// Close implements [history.Maintainer].
func (s *databaseStore) Close() error { return errors.Join(s.Store.Close(), s.release()) }

// openStore returns the function that opens the history.
func (a *app) openStore(memory bool) func(context.Context) (history.Store, error) {
	if memory {
		return openMemory
	}
	return func(ctx context.Context) (history.Store, error) {
		if a.drawn != nil {
			select {
			case <-a.drawn:
			case <-ctx.Done():
			}
		}
		operator := a
		if a.served != nil {
			operator = a.served.operator
		}
		if operator.cfg.History.URL == "" {
			return onlyComplete(ctx)(sqlite.Open(ctx, a.cfg.Paths.History, sqlite.Options{}))
		}
		return onlyComplete(ctx)(operator.database.open(ctx, a.historyUser(), operator.databaseOptions))
	}
}

// onlyComplete refuses a history that is being copied: what it gets meanwhile would be lost.
func onlyComplete(ctx context.Context) func(history.Store, error) (history.Store, error) {
	return func(store history.Store, err error) (history.Store, error) {
		if err != nil {
			return nil, err
		}
		source, err := store.Setting(ctx, history.CopySetting)
		if err == nil && source != "" {
			err = &history.SetupError{Message: "the history is an incomplete copy; run confab history move again, " +
				"with the same flags"}
		}
		if err != nil {
			return nil, errors.Join(err, store.Close())
		}
		return store, nil
	}
}

// historyUser returns whose history it is in a database.
func (a *app) historyUser() string {
	if a.served != nil {
		return a.served.user
	}
	if u, err := user.Current(); a.cfg.History.User == "" && err == nil {
		return u.Username
	}
	return a.cfg.History.User
}

func openMemory(ctx context.Context) (history.Store, error) {
	return sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
}

// databaseOptions returns how the database of the configuration is reached. Its password is masked from here on.
func (a *app) databaseOptions(ctx context.Context) (postgres.Options, error) {
	password, err := a.cfg.HistoryPassword(ctx)
	if err != nil {
		return postgres.Options{}, err
	}
	a.secrets.Add(password)
	return postgres.Options{URL: a.cfg.History.URL, Password: password, Log: a.log}, nil
}

// hasHistory reports whether there is a history to look things up in.
func (a *app) hasHistory() bool {
	_, err := os.Stat(a.cfg.Paths.History)
	return a.cfg.History.URL != "" || err == nil || !errors.Is(err, os.ErrNotExist)
}

// historyPlace returns where the history is, for people.
func (a *app) historyPlace() string {
	if a.cfg.History.URL != "" {
		return a.cfg.History.URL
	}
	return a.cfg.Paths.History
}

func (a *app) historyMigrate() *cobra.Command {
	var dryRun bool
	var url string
	role := "confab"
	cmd := a.command("migrate", "Make or update the tables of a history in PostgreSQL", a.noCommand,
		func(ctx context.Context, _ []string) error {
			if wrong := config.CheckDatabaseURL(url); wrong != "" {
				return problem.Usage("the address in --url %s", wrong)
			}
			if url = cmp.Or(url, a.cfg.History.URL); url == "" {
				return problem.Usage("set history.url, or name the database with --url; a history in a file needs no migrating")
			}
			o, err := a.databaseAt(ctx, url)
			if err != nil {
				return err
			}
			ran, err := postgres.Migrate(ctx, o, role, dryRun)
			if err != nil {
				return problem.Store(err)
			}
			for _, name := range ran {
				verb := "ran "
				if dryRun {
					verb = "would run "
				}
				if err := a.print(verb + filepath.Base(name) + "\n"); err != nil {
					return err
				}
			}
			if len(ran) == 0 {
				return a.print("the tables are up to date\n")
			}
			return nil
		})
	fl := cmd.Flags()
	fl.BoolVar(&dryRun, "dry-run", false, "say what would be done, and do nothing")
	fl.StringVar(&url, "url", "", "connect to the database at `URL`, as the role that owns the tables")
	fl.StringVar(&role, "role", role, "let the program use the tables as `ROLE`")
	return cmd
}
