package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"confab/history"
	"confab/history/sqlstore"
	"confab/internal/fileio"
)

// Options are the choices of [Connect].
type Options struct {
	URL      string // as libpq takes it: hosts, sslmode, target_session_attrs and so on
	Password string // overrides PGPASSWORD and ~/.pgpass; may be empty
	// NewPassword returns the password for each further connection; nil means that Password does not change.
	NewPassword func(ctx context.Context) (string, error)
	Connections int           // maximum number of connections; zero means 10
	Patience    time.Duration // how long to retry an unreachable server; zero means 20 s
	// The interval of checks of an idle listening connection, zero for 10 s, and the time-out of a check, zero for 3
	// s.
	CheckInterval, CheckTimeout time.Duration
	Process                     history.Process // the owner of added rows; zero means this process
	Log                         *slog.Logger    // nil discards
}

// Time-outs of the server: of one statement, and of an idle transaction.
const (
	statementTimeout = "60s"
	idleTimeout      = "30s"
	connectTimeout   = 5 * time.Second
	lockWait         = 5 * time.Second // for other programs of the same user
)

// Server is a PostgreSQL database with the histories of many users. All stores of a process share its connections.
type Server struct {
	config  *pgx.ConnConfig
	db      *sql.DB
	o       Options
	version string
	schema  int

	end       context.CancelFunc // of the goroutines
	waitGroup sync.WaitGroup

	graceEnd atomic.Int64 // see leaseGrace; nanoseconds
	renewed  atomic.Int64 // when the lease was last renewed; nanoseconds

	mu            sync.Mutex
	stores        map[*Store]bool
	isUnreachable bool
}

// Connect connects to the database. It checks that the tables are those of this release, and that row-level security
// applies to the program's role. Errors are those of package history; a [history.SetupError] tells the operator what
// to change.
func Connect(ctx context.Context, o Options) (*Server, error) {
	const step = "open the history"
	config, err := parseURL(o)
	if err != nil {
		return nil, err
	}
	if o.Connections <= 0 {
		o.Connections = 10
	}
	if o.Patience <= 0 {
		o.Patience = 20 * time.Second
	}
	o.CheckInterval = cmp.Or(o.CheckInterval, 10*time.Second)
	o.CheckTimeout = cmp.Or(o.CheckTimeout, 3*time.Second)
	if o.Process == (history.Process{}) {
		o.Process = history.CurrentProcess()
	}
	o.Process.Started = history.StoredTime(o.Process.Started)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{config: config, o: o, stores: map[*Store]bool{}}
	s.db = stdlib.OpenDB(*config, stdlib.OptionShouldPing(s.isUnsound), stdlib.OptionBeforeConnect(s.renewPassword))
	s.db.SetMaxOpenConns(o.Connections)
	s.db.SetMaxIdleConns(o.Connections)
	s.db.SetConnMaxIdleTime(5 * time.Minute)
	s.db.SetConnMaxLifetime(time.Hour)
	err = s.try(ctx, s.check)
	if err == nil {
		err = s.try(ctx, s.renewLease)
	}
	if err != nil {
		_ = s.db.Close()
		return nil, sqlstore.ErrorOf(ctx, step, err, errorKind)
	}
	background, end := context.WithCancel(context.WithoutCancel(ctx))
	s.end = end
	s.goUntilClosed("lease of the history", func() { s.keepLease(background) })
	s.goUntilClosed("changes of the history", func() { s.listen(background) })
	return s, nil
}

// renewPassword sets the password of a new connection.
func (s *Server) renewPassword(ctx context.Context, config *pgx.ConnConfig) error {
	if s.o.NewPassword == nil {
		return nil
	}
	password, err := s.o.NewPassword(ctx)
	if err == nil && password != "" {
		config.Password = password
	}
	return err
}

// isUnsound pings a connection that was idle. It closes a connection that does not reply in time, so that the caller
// uses another.
func (s *Server) isUnsound(ctx context.Context, p stdlib.ShouldPingParams) bool {
	return p.IdleDuration > time.Second && s.ping(ctx, p.Conn.PgConn()) != nil
}

// parseURL parses the URL. Its errors contain no part of it.
func parseURL(o Options) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return nil, &history.SetupError{Message: "history.url is not the URL of a PostgreSQL database"}
	}
	if o.Password != "" {
		config.Password = o.Password
	}
	if err := checkPassfile(); o.Password == "" && err != nil {
		return nil, err
	}
	config.ConnectTimeout = connectTimeout
	// Statements are sent with their parameters and never prepared by name, so that a pooler may send each to another
	// server.
	config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	return config, nil
}

// checkPassfile refuses a password file that others may read, as libpq does.
func checkPassfile() error {
	path := os.Getenv("PGPASSFILE")
	if path == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil
		}
		path = home + "/.pgpass"
	}
	if info, err := os.Stat(path); err == nil && fileio.OthersMay(0o077, info) {
		return &history.SetupError{Message: "the file of passwords ~/.pgpass can be read by others on this machine: " +
			"run chmod 600 on it, and think about new passwords"}
	}
	return nil
}

// check checks the program's role and the tables.
func (s *Server) check(ctx context.Context) error {
	var mayBypass, ownsTables bool
	var hasSchema bool
	err := s.db.QueryRowContext(ctx, `select current_setting('server_version'),
			exists (select 1 from pg_roles r where (r.rolsuper or r.rolbypassrls) and pg_has_role(r.oid, 'member')),
			exists (select 1 from pg_class c where c.relnamespace = to_regnamespace('confab_data')
				and pg_has_role(c.relowner, 'member')),
			exists (select 1 from pg_class c where c.relnamespace = to_regnamespace('confab_data')
				and c.relname = 'migrations')`).Scan(&s.version, &mayBypass, &ownsTables, &hasSchema)
	switch {
	case err != nil:
		return err
	case mayBypass:
		return &history.SetupError{Message: "the role of the history's URL can bypass row-level security, so that " +
			"nothing would keep users apart; use a role without SUPERUSER and BYPASSRLS, and not a member of one"}
	case !hasSchema:
		return &history.SetupError{Message: "the database has no tables for a history yet; " + runMigrate}
	case ownsTables:
		return &history.SetupError{Message: "the role of the history's URL owns the tables, so that row-level " +
			"security does not bind it; use another role than the one of confab history migrate"}
	}
	var unguarded int
	err = s.db.QueryRowContext(ctx, `select coalesce((select max(version) from confab_data.migrations), 0),
		(select count(*) from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner'
			where c.relnamespace = to_regnamespace('confab_data') and c.relkind = 'r'
				and not c.relrowsecurity)`).Scan(&s.schema, &unguarded)
	switch newest := len(migrationNames()); {
	case err != nil:
		return err
	case s.schema > newest:
		return history.ErrNewer
	case s.schema < newest:
		return &history.SetupError{Message: "the tables of the history are of an older confab; " + runMigrate}
	case unguarded > 0:
		return &history.SetupError{Message: "row-level security is switched off for tables of the history, so that " +
			"nothing would keep users apart; switch it on again"}
	}
	return nil
}

const runMigrate = "run confab history migrate with the URL of the role that owns them"

// Store returns the history of a user. Several stores of one user behave like several processes.
func (s *Server) Store(user string, o StoreOptions) (*Store, error) {
	if user == "" {
		return nil, &history.SetupError{Message: "there is no name for the user of the history; set history.user"}
	}
	if o.Process == (history.Process{}) {
		o.Process = s.o.Process
	}
	d := &database{server: s, owner: user, scope: scopeOf(user), token: rand.Text(),
		topics: map[string]bool{topicOf(user): true}}
	hasEnded := s.hasEnded
	if o.Alive != nil {
		hasEnded = sqlstore.HasEnded(o.Process, o.Now, o.Alive)
	}
	store := &Store{db: d, Store: sqlstore.New(d, sqlstore.Options{Process: o.Process, Now: o.Now, Wait: lockWait,
		HasEnded: hasEnded})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stores[store] = true
	return store, nil
}

// Close disconnects from the database. Close the stores first.
func (s *Server) Close() error {
	s.end()
	s.waitGroup.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return errors.Join(s.dropLease(ctx), s.db.Close())
}

// openStores returns the open stores.
func (s *Server) openStores() []*Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*Store
	for store := range s.stores {
		all = append(all, store)
	}
	return all
}
