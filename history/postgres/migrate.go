package postgres

import (
	"context"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5"

	"confab/history"
	"confab/history/sqlstore"
)

// migrations are the schema: files named 0001_what.sql and on, without a gap, run in order. A file is never edited once
// it was in a release.
//
//go:embed migrations/*.sql
var migrations embed.FS

func migrationNames() []string {
	files, err := migrations.ReadDir("migrations")
	if err != nil {
		return nil // cannot happen: the folder is embedded
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// Migrate creates or updates the tables and grants their use to the role of the program. It connects as the role that
// owns the tables. It returns the names of the migrations that it ran, or with isDryRun would run. A database of a
// newer release is an error [history.ErrNewer].
func Migrate(ctx context.Context, o Options, program string, isDryRun bool) (ran []string, err error) {
	const step = "migrate the history"
	config, err := parseURL(o)
	if err != nil {
		return nil, err
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // allows several statements at once
	conn, err := pgx.ConnectConfig(ctx, config)
	if err == nil {
		defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // the commit returned its error
		ran, err = migrate(ctx, conn, program, isDryRun)
	}
	return ran, sqlstore.ErrorOf(ctx, step, err, errorKind)
}

// migrate runs the missing migrations in one transaction that excludes other processes.
func migrate(ctx context.Context, conn *pgx.Conn, program string, isDryRun bool) (ran []string, err error) {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) //nolint:errcheck // after a commit there is nothing to undo
	var version int
	_, err = tx.Exec(ctx, `select pg_advisory_xact_lock(1668247142)`)
	if err == nil {
		version, err = schemaVersion(ctx, tx)
	}
	names := migrationNames()
	switch {
	case err != nil:
		return nil, err
	case version > len(names):
		return nil, history.ErrNewer
	case isDryRun:
		return names[version:], nil
	}
	ran = names[version:]
	for _, name := range ran {
		version++
		script, err := migrations.ReadFile("migrations/" + name)
		if err == nil {
			_, err = tx.Exec(ctx, string(script))
		}
		if err == nil {
			_, err = tx.Exec(ctx, `insert into confab_data.migrations (version, name) values ($1, $2)`, version, name)
		}
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", name, err)
		}
	}
	var isThere bool
	if err := tx.QueryRow(ctx, `select to_regrole($1) is not null`, pgx.Identifier{program}.Sanitize()).
		Scan(&isThere); err != nil {
		return nil, err
	}
	if !isThere {
		return nil, &history.SetupError{Message: "the role of the program does not exist in the database; make it " +
			"with createuser, or name another with --role"}
	}
	role := pgx.Identifier{program}.Sanitize()
	_, err = tx.Exec(ctx, fmt.Sprintf(`grant usage on schema confab, confab_data to %[1]s;
		grant select, insert, update, delete on all tables in schema confab, confab_data to %[1]s;
		revoke insert, update, delete on confab_data.migrations from %[1]s;
		grant execute on all functions in schema confab to %[1]s`, role))
	if err == nil {
		err = tx.Commit(ctx)
	}
	return ran, err
}

// schemaVersion returns the number of migrations that have run.
func schemaVersion(ctx context.Context, tx pgx.Tx) (version int, err error) {
	var exists bool
	err = tx.QueryRow(ctx, `select to_regclass('confab_data.migrations') is not null`).Scan(&exists)
	if err == nil && exists {
		err = tx.QueryRow(ctx, `select coalesce(max(version), 0) from confab_data.migrations`).Scan(&version)
	}
	return version, err
}
