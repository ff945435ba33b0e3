// Package accounts keeps what the operator of confab ssh and confab serve knows of users and keys: what each has used
// in every day and month, the quotas on that, the group and legal hold of users, and who is kept out. All of it is in
// the tables of one database: PostgreSQL, where several hosts count together, or a file of SQLite.
package accounts

import (
	"context"
	"database/sql"
)

// Schema makes the tables in a file of SQLite. In PostgreSQL they are made by its migrations.
const Schema = `
create table if not exists counts (
  kind text not null,                     -- user or key
  name text not null,
  period text not null,                   -- a day such as 2026-11-23 or a month such as 2026-11, UTC
  answers bigint not null,
  tokens bigint not null,
  bytes bigint not null,
  cost double precision not null,
  primary key (kind, name, period)
);
create table if not exists accounts (
  name text primary key,                  -- of a user
  member text not null,                   -- the group with which the user asked last; empty for none, ? unknown
  held smallint not null                  -- a legal hold: nothing may be deleted
);`

// Database is where the tables are. Statements have their parameters as $1, $2 and so on.
type Database interface {
	// Transact runs do in a transaction and commits it. It may run do again when nothing came of the time before.
	Transact(ctx context.Context, do func(*sql.Tx) error) error
}

// Account is what is kept of a user besides the counts.
type Account struct {
	Name   string
	Group  string // with which the user has last asked something; empty for none
	IsHeld bool   // nothing of the user may be deleted
	// IsGroupKnown tells that the user has asked something, so that an empty group is none.
	IsGroupKnown bool
}

// unknownGroup stands for the group of a user who has not asked anything yet.
const unknownGroup = "?"

// Accounts returns the accounts of users by their names: that of one, or with an empty name all.
func Accounts(ctx context.Context, db Database, name string) (map[string]Account, error) {
	var all map[string]Account
	err := db.Transact(ctx, func(tx *sql.Tx) error {
		all = map[string]Account{}
		return eachRow(ctx, tx, func(scan func(...any) error) error {
			var a Account
			err := scan(&a.Name, &a.Group, &a.IsHeld)
			if a.IsGroupKnown = a.Group != unknownGroup; !a.IsGroupKnown {
				a.Group = ""
			}
			all[a.Name] = a
			return err
		}, `select name, member, held <> 0 from accounts where $1 = '' or name = $1`, name)
	})
	return all, err
}

// SetGroup keeps the group with which a user has asked something.
func SetGroup(ctx context.Context, db Database, name, group string) error {
	return execute(ctx, db, `insert into accounts (name, member, held) values ($1, $2, 0)
		on conflict (name) do update set member = excluded.member`, name, group)
}

// SetHold puts a user on legal hold, or ends it.
func SetHold(ctx context.Context, db Database, name string, isHeld bool) error {
	held := 0
	if isHeld {
		held = 1
	}
	return execute(ctx, db, `insert into accounts (name, member, held) values ($1, $2, $3)
		on conflict (name) do update set held = excluded.held`, name, unknownGroup, held)
}

// Disabled returns the users who are kept out of every host. Only PostgreSQL has a table of them.
func Disabled(ctx context.Context, db Database) (map[string]bool, error) {
	var all map[string]bool
	err := db.Transact(ctx, func(tx *sql.Tx) error {
		all = map[string]bool{}
		return eachRow(ctx, tx, func(scan func(...any) error) error {
			var name string
			err := scan(&name)
			all[name] = true
			return err
		}, `select name from disabled_users`)
	})
	return all, err
}

// SetDisabled keeps a user out of every host, or lets the user in again.
func SetDisabled(ctx context.Context, db Database, name string, isDisabled bool) error {
	statement := `delete from disabled_users where name = $1`
	if isDisabled {
		statement = `insert into disabled_users (name) values ($1) on conflict do nothing`
	}
	return execute(ctx, db, statement, name)
}

// Forget removes the account and the counts of a user.
func Forget(ctx context.Context, db Database, name string) error {
	return db.Transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `delete from accounts where name = $1`, name)
		if err == nil {
			_, err = tx.ExecContext(ctx, `delete from counts where kind = $1 and name = $2`, User, name)
		}
		return err
	})
}

func execute(ctx context.Context, db Database, statement string, args ...any) error {
	return db.Transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
}

// eachRow calls visit with a function that reads the columns of each row of a query.
func eachRow(ctx context.Context, tx *sql.Tx, visit func(scan func(...any) error) error, query string,
	args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells what matters
	for rows.Next() {
		if err := visit(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
