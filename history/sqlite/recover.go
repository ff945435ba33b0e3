package sqlite

import (
	"context"
	"time"

	"confab/history"
)

// foreignOwnerTimeout is how long a row of another machine, whose processes cannot be seen, is believed to be alive.
const foreignOwnerTimeout = 24 * time.Hour

// Recover implements [history.Maintainer].
func (s *Store) Recover(ctx context.Context) (int, error) {
	const step = "recover interrupted answers"
	type owned struct {
		ownerRow
		newest time.Time
	}
	// Outside of a write, since asking whether a process lives may take its time.
	owners, err := inRead(ctx, s, step, func(tx *transaction) []owned {
		return selectRows(tx, func(row scanner) (o owned) {
			row(append(fieldsOf(o.columns()), millis{&o.newest})...)
			return o
		}, `select `+columnList("", new(ownerRow).columns())+`, max(queued)
			from answers
			where state in ('queued', 'running')
			group by 1, 2, 3, 4`)
	})
	if err != nil {
		return 0, err
	}
	var dead []ownerRow
	for _, o := range owners {
		if o.ownerRow != s.ownerRow() && s.ownerHasEnded(o.ownerRow, o.newest) {
			dead = append(dead, o.ownerRow)
		}
	}
	if len(dead) == 0 {
		return 0, nil
	}
	return inWrite(ctx, s, step, func(tx *transaction) (recovered int) {
		for _, o := range dead {
			for _, a := range selectRows(tx, scanAnswer, `select `+answerColumns()+` from answers a
				where state in ('queued', 'running')
					and owner_pid is ? and owner_started is ? and owner_boot is ? and owner_host is ?`,
				fieldsOf(o.columns())...) {
				tx.interrupt(a)
				recovered++
			}
		}
		return recovered
	})
}

// interrupt ends an answer whose process is gone. What had come of it stays and can be searched.
func (tx *transaction) interrupt(a history.Answer) {
	old := answerFTSEntry(a)
	a.State = history.Interrupted
	tx.execute(`update answers
		set state = 'interrupted', version = version + 1, owner_pid = null, owner_started = null,
			owner_boot = null, owner_host = null, ended = max(?, coalesce(started, queued, 0))
		where id = ?`, tx.store.now().UnixMilli(), a.ID)
	tx.updateIndex(old, answerFTSEntry(a))
}

// ownerRow is an owner as it is stored: null where it is not set, as that of an answer that has ended.
type ownerRow struct {
	history.Owner
	isSet bool
}

// columns are the columns of an owner, which answers and trash have.
func (r *ownerRow) columns() []column {
	return []column{{"owner_pid", nullable[int]{&r.PID, &r.isSet}}, {"owner_started", millis{&r.Started}},
		{"owner_boot", nullable[string]{&r.Boot, &r.isSet}}, {"owner_host", nullable[string]{&r.Host, &r.isSet}}}
}

func (s *Store) ownerRow() ownerRow { return ownerRow{s.owner, true} }

// ownerHasEnded tells whether the process of a row no longer runs. A process of another machine cannot be asked; it
// counts as ended when the newest of its rows is older than [foreignOwnerTimeout].
func (s *Store) ownerHasEnded(o ownerRow, newest time.Time) bool {
	return !o.isSet || o.Host != s.owner.Host && s.now().Sub(newest).Abs() > foreignOwnerTimeout || !s.alive(o.Owner)
}
