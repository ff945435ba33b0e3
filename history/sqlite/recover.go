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

// Recover makes every queued or running answer whose owner is gone interrupted
// and returns how many there were. Answers of living owners are left alone.
func (s *Store) Recover(ctx context.Context) (int, error) {
	const step = "recover interrupted answers"
	dead, err := s.deadOwners(ctx, step)
	if err != nil || len(dead) == 0 {
		return 0, err
	}
	var recovered int64
	err = s.write(ctx, step, func(tx *sql.Tx) error {
		for _, o := range dead {
			res, err := tx.ExecContext(ctx, `update answers
				set state = 'interrupted', version = version + 1, owner_pid = null, owner_started = null, owner_boot = null, owner_host = null,
					ended = max(?, coalesce(started, queued, 0))
				where state in ('queued', 'running')
					and owner_pid is ? and owner_started is ? and owner_boot is ? and owner_host is ?`,
				s.now().UnixMilli(), o.pid, o.started, o.boot, o.host)
			if err != nil {
				return err
			}
			n, err := res.RowsAffected()
			if err != nil {
				return err
			}
			recovered += n
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return int(recovered), nil
}

// ownerRow is an owner as it is stored.
type ownerRow struct {
	pid, started sql.NullInt64
	boot, host   sql.NullString
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
	type seen struct {
		ownerRow
		newest sql.NullInt64
	}
	var all []seen
	err := s.read(ctx, step, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `select owner_pid, owner_started, owner_boot, owner_host, max(queued)
			from answers
			where state in ('queued', 'running')
			group by 1, 2, 3, 4`)
		return forEachRow(rows, err, func() error {
			var o seen
			if err := rows.Scan(&o.pid, &o.started, &o.boot, &o.host, &o.newest); err != nil {
				return err
			}
			all = append(all, o)
			return nil
		})
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
