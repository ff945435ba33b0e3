package app

import (
	"context"
	"errors"
	"os"
	"os/user"

	"confab/history"
	"confab/history/postgres"
	"confab/history/sqlite"
)

// DatabaseConnection is the PostgreSQL database of [history] url. The stores of a process share it: it is connected
// with the first use and closed with the last.
type DatabaseConnection struct {
	lock   chan struct{} // holds a value while a goroutine uses the fields below, or connects
	server *postgres.Server
	users  int
}

// NewDatabaseConnection returns a connection that is not made yet.
func NewDatabaseConnection() *DatabaseConnection {
	return &DatabaseConnection{lock: make(chan struct{}, 1)}
}

// acquire connects to the database. What options returns is asked for where there is no connection yet. The caller
// calls release once.
func (c *DatabaseConnection) acquire(ctx context.Context,
	options func(context.Context) (postgres.Options, error),
) (server *postgres.Server, release func() error, err error) {
	select {
	case c.lock <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	}
	defer func() { <-c.lock }()
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
func (c *DatabaseConnection) release() error {
	c.lock <- struct{}{} // nobody connects meanwhile, because there is a connection
	defer func() { <-c.lock }()
	if c.users--; c.users > 0 {
		return nil
	}
	server := c.server
	c.server = nil
	return server.Close()
}

// Open opens the history of a user.
func (c *DatabaseConnection) Open(ctx context.Context, name string,
	options func(context.Context) (postgres.Options, error)) (history.Store, error) {
	server, release, err := c.acquire(ctx, options)
	if err != nil {
		return nil, err
	}
	store, err := server.Store(name, postgres.StoreOptions{})
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return &DatabaseStore{Store: store, release: release}, nil
}

// Ping reports whether the database answers.
func (c *DatabaseConnection) Ping(ctx context.Context,
	options func(context.Context) (postgres.Options, error)) error {
	server, release, err := c.acquire(ctx, options)
	if err != nil {
		return err
	}
	return errors.Join(server.Ping(ctx), release())
}

// DatabaseStore is a store that ends its use of the connection when it is closed.
type DatabaseStore struct {
	*postgres.Store
	release func() error
}

// Close implements [history.Maintainer].
func (s *DatabaseStore) Close() error { return errors.Join(s.Store.Close(), s.release()) }

// OpenStore returns the function that opens the history.
func (a *App) OpenStore(memory bool) func(context.Context) (history.Store, error) {
	if memory {
		return OpenMemory
	}
	return func(ctx context.Context) (history.Store, error) {
		if a.Drawn != nil {
			select {
			case <-a.Drawn:
			case <-ctx.Done():
			}
		}
		operator := a
		if a.SSHUser != nil {
			operator = a.SSHUser.Operator
		}
		if operator.Config.History.URL == "" {
			return onlyComplete(ctx)(sqlite.Open(ctx, a.Config.Paths.History, sqlite.Options{}))
		}
		return onlyComplete(ctx)(operator.Database.Open(ctx, a.HistoryUser(), operator.DatabaseOptions))
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

// HistoryUser returns whose history it is in a database.
func (a *App) HistoryUser() string {
	if a.SSHUser != nil {
		return a.SSHUser.User
	}
	if u, err := user.Current(); a.Config.History.User == "" && err == nil {
		return u.Username
	}
	return a.Config.History.User
}

// OpenMemory opens a history that is kept nowhere.
func OpenMemory(ctx context.Context) (history.Store, error) {
	return sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
}

// openCopy returns the function that opens a copy of the history where that is a file which cannot be written.
func (a *App) openCopy() func(context.Context, string) (history.Store, error) {
	operator := a
	if a.SSHUser != nil {
		operator = a.SSHUser.Operator
	}
	if operator.Config.History.URL != "" {
		return nil
	}
	return func(ctx context.Context, folder string) (history.Store, error) {
		return sqlite.OpenCopy(ctx, a.Config.Paths.History, folder)
	}
}

// DatabaseOptions returns how the database of the configuration is reached. Its password is masked from here on.
func (a *App) DatabaseOptions(ctx context.Context) (postgres.Options, error) {
	password, err := a.Config.HistoryPassword(ctx)
	if err != nil {
		return postgres.Options{}, err
	}
	a.Secrets.Add(password)
	return postgres.Options{URL: a.Config.History.URL, Password: password, Log: a.Log,
		NewPassword: func(ctx context.Context) (string, error) {
			password, err := a.Config.HistoryPassword(ctx)
			a.Secrets.Add(password)
			return password, err
		}}, nil
}

// HasHistory reports whether there is a history to look things up in.
func (a *App) HasHistory() bool {
	_, err := os.Stat(a.Config.Paths.History)
	return a.Config.History.URL != "" || err == nil || !errors.Is(err, os.ErrNotExist)
}

// HistoryPlace returns where the history is, for people.
func (a *App) HistoryPlace() string {
	if a.Config.History.URL != "" {
		return a.Config.History.URL
	}
	return a.Config.Paths.History
}
