package sqlite

import (
	"context"
	"database/sql"
	"time"

	"confab/history"
)

// foreignOwnerTimeout is how long a row of another machine, whose processes cannot
// be seen, is believed to be alive.
const foreignOwnerTimeout = 24 * time.Hour

// Recover makes every queued or running answer whose owner is gone interrupted and counts them.
func (s *Store) Recover(ctx context.Context) (int, error) {
	const step = "recover interrupted answers"
	dead, err := s.deadOwners(ctx, step)
	if err != nil || len(dead) == 0 {
		return 0, err
	}
	return inWrite(ctx, s, step, func(tx *sql.Tx) (int, error) {
		recovered := 0
		for _, o := range dead {
			res, err := tx.ExecContext(ctx, `update answers
				set state = 'interrupted', version = version + 1, owner_pid = null, owner_started = null,
					owner_boot = null, owner_host = null, ended = max(?, coalesce(started, queued, 0))
				where state in ('queued', 'running')
					and owner_pid is ? and owner_started is ? and owner_boot is ? and owner_host is ?`,
				s.now().UnixMilli(), o.pid, o.started, o.boot, o.host)
			if err != nil {
				return 0, err
			}
			n, err := res.RowsAffected()
			if err != nil {
				return 0, err
			}
			recovered += int(n)
		}
		return recovered, nil
	})
}

// ownerRow is an owner as it is stored.
type ownerRow struct {
	pid, started sql.NullInt64
	boot, host   sql.NullString
}

// columns are the columns of an owner, which answers and trash have.
func (r *ownerRow) columns() []column {
	return []column{{"owner_pid", &r.pid}, {"owner_started", &r.started}, {"owner_boot", &r.boot},
		{"owner_host", &r.host}}
}

func (s *Store) ownerRow() ownerRow { return rowOfOwner(s.owner) }

func rowOfOwner(o history.Owner) ownerRow {
	r := ownerRow{
		pid:  sql.NullInt64{Int64: int64(o.PID), Valid: true},
		boot: sql.NullString{String: o.Boot, Valid: true},
		host: sql.NullString{String: o.Host, Valid: true},
	}
	if !o.Started.IsZero() {
		r.started = sql.NullInt64{Int64: o.Started.UnixMilli(), Valid: true}
	}
	return r
}

func (r ownerRow) owner() history.Owner {
	o := history.Owner{PID: int(r.pid.Int64), Boot: r.boot.String, Host: r.host.String}
	if r.started.Valid {
		o.Started = time.UnixMilli(r.started.Int64).UTC()
	}
	return o
}

// deadOwners asks outside of a write whether each owner lives, since asking
// may take its time.
func (s *Store) deadOwners(ctx context.Context, step string) ([]ownerRow, error) {
	type owned struct {
		ownerRow
		newest sql.NullInt64
	}
	all, err := inRead(ctx, s, step, func(tx *sql.Tx) ([]owned, error) {
		return selectRows(ctx, tx, func(r rowScanner) (o owned, err error) {
			err = r.Scan(append(fieldsOf(o.columns()), &o.newest)...)
			return o, err
		}, `select owner_pid, owner_started, owner_boot, owner_host, max(queued)
			from answers
			where state in ('queued', 'running')
			group by 1, 2, 3, 4`)
	})
	if err != nil {
		return nil, err
	}
	var dead []ownerRow
	for _, o := range all {
		if o.ownerRow != s.ownerRow() && s.ownerHasEnded(o.ownerRow, o.newest.Int64) {
			dead = append(dead, o.ownerRow)
		}
	}
	return dead, nil
}

// ownerHasEnded tells whether the process of a row no longer runs. A process of
// another machine cannot be asked; it counts as ended when the newest of its
// rows is older than [foreignOwnerTimeout].
func (s *Store) ownerHasEnded(o ownerRow, newest int64) bool {
	if !o.pid.Valid {
		return true
	}
	if o.host.String != s.owner.Host && s.now().Sub(time.UnixMilli(newest)).Abs() > foreignOwnerTimeout {
		return true
	}
	return !s.alive(o.owner())
}
