package cli

import (
	"context"
	"errors"
	"os"
	"os/user"

	"confab/history"
	"confab/history/postgres"
	"confab/history/sqlite"
)

// databaseConnection is the PostgreSQL database of history.url. The stores of a process share it; the first connects
// and the last closes it.
type databaseConnection struct {
	lock   chan struct{} // holds a value while a goroutine uses the fields below, or connects
	server *postgres.Server
	users  int
}

func newDatabaseConnection() *databaseConnection {
	return &databaseConnection{lock: make(chan struct{}, 1)}
}

// acquire connects to the database unless it is connected. The caller calls release once.
func (c *databaseConnection) acquire(ctx context.Context,
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

func (c *databaseConnection) release() error {
	c.lock <- struct{}{} // nobody connects meanwhile, because there is a connection
	defer func() { <-c.lock }()
	if c.users--; c.users > 0 {
		return nil
	}
	server := c.server
	c.server = nil
	return server.Close()
}

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

func (c *databaseConnection) ping(ctx context.Context,
	options func(context.Context) (postgres.Options, error)) error {
	server, release, err := c.acquire(ctx, options)
	if err != nil {
		return err
	}
	return errors.Join(server.Ping(ctx), release())
}

// databaseStore releases its connection when it is closed.
type databaseStore struct {
	*postgres.Store
	release func() error
}

func (s *databaseStore) Close() error { return errors.Join(s.Store.Close(), s.release()) }

// openStore opens the history. It refuses an incomplete copy, which would lose what is added.
func (a *app) openStore(ctx context.Context) (store history.Store, err error) {
	if a.drawn != nil {
		select {
		case <-a.drawn:
		case <-ctx.Done():
		}
	}
	if operator := a.operator(); operator.config.History.URL == "" {
		store, err = sqlite.Open(ctx, a.config.Paths.History, sqlite.Options{})
	} else {
		store, err = operator.database.open(ctx, a.historyUser(), operator.databaseOptions)
	}
	if err != nil {
		return nil, err
	}
	source, err := store.Setting(ctx, history.CopySetting)
	if err == nil && source != "" {
		err = &history.SetupError{Message: "the history is an incomplete copy; run confab history move again, with " +
			"the same flags"}
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// operator returns the app that owns the database and the bucket: the operator's in confab ssh, else a.
func (a *app) operator() *app {
	if a.sshUser != nil {
		return a.sshUser.operator
	}
	return a
}

// historyUser returns the user of a history in a database.
func (a *app) historyUser() string {
	if a.sshUser != nil {
		return a.sshUser.user
	}
	if u, err := user.Current(); a.config.History.User == "" && err == nil {
		return u.Username
	}
	return a.config.History.User
}

func openMemory(ctx context.Context) (history.Store, error) {
	return sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
}

// openCopy returns a function that opens a copy of a history file that cannot be written; nil for a database.
func (a *app) openCopy() func(context.Context, string) (history.Store, error) {
	if a.operator().config.History.URL != "" {
		return nil
	}
	return func(ctx context.Context, folder string) (history.Store, error) {
		return sqlite.OpenCopy(ctx, a.config.Paths.History, folder)
	}
}

// databaseOptions returns the options of the configured database, whose password it masks.
func (a *app) databaseOptions(ctx context.Context) (postgres.Options, error) {
	password, err := a.config.HistoryPassword(ctx)
	if err != nil {
		return postgres.Options{}, err
	}
	a.secrets.Add(password)
	return postgres.Options{URL: a.config.History.URL, Password: password, Log: a.log,
		NewPassword: func(ctx context.Context) (string, error) {
			password, err := a.config.HistoryPassword(ctx)
			a.secrets.Add(password)
			return password, err
		}}, nil
}

func (a *app) hasHistory() bool {
	_, err := os.Stat(a.config.Paths.History)
	return a.config.History.URL != "" || err == nil || !errors.Is(err, os.ErrNotExist)
}

// historyPlace returns the URL or the path of the history.
func (a *app) historyPlace() string {
	if a.config.History.URL != "" {
		return a.config.History.URL
	}
	return a.config.Paths.History
}
