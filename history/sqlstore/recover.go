package sqlstore

import (
	"context"
	"time"

	"confab/history"
)

// Recover implements [history.Maintainer].
func (s *Store) Recover(ctx context.Context) (int, error) {
	const step = "recover interrupted answers"
	type owned struct {
		processRow
		newest time.Time
	}
	// Outside of a write, since asking whether a process lives may take its time.
	owners, err := inRead(ctx, s, step, func(tx *Tx) []owned {
		return SelectRows(tx, func(row Scanner) (o owned) {
			row(append(fieldsOf(o.columns()), millis{&o.newest})...)
			return o
		}, `select `+columnList("", new(processRow).columns())+`, max(queued)
			from answers
			where state in ('queued', 'running')
			group by 1, 2, 3, 4`)
	})
	if err != nil {
		return 0, err
	}
	var dead []processRow
	for _, o := range owners {
		if o.processRow != s.processRow() && s.processHasEnded(ctx, o.processRow, o.newest) {
			dead = append(dead, o.processRow)
		}
	}
	if len(dead) == 0 {
		return 0, nil
	}
	return inWrite(ctx, s, step, func(tx *Tx) (recovered int) {
		for _, o := range dead {
			for _, a := range SelectRows(tx, tx.scanAnswer, `select `+answerColumns()+` from answers a
				where state in ('queued', 'running')
					and owner_pid is not distinct from ? and owner_started is not distinct from ?
					and owner_boot is not distinct from ? and owner_host is not distinct from ?`,
				fieldsOf(o.columns())...) {
				tx.interrupt(a)
				recovered++
			}
		}
		return recovered
	})
}

// interrupt ends an answer whose process is gone. What had come of it stays and can be searched.
func (tx *Tx) interrupt(a history.Answer) {
	old := answerEntry(a)
	a.State, a.Ended = history.Interrupted, tx.store.now()
	a = history.StoredAnswer(a)
	tx.Execute(`update answers
		set state = 'interrupted', version = version + 1, owner_pid = null, owner_started = null,
			owner_boot = null, owner_host = null, ended = ?
		where id = ?`, millis{&a.Ended}, a.ID)
	tx.updateIndex(old, answerEntry(a))
}

// processRow is a process as it is stored: null where it is not set, as that of an answer that has ended.
type processRow struct {
	history.Process
	isSet bool
}

// columns are the columns of a process, which answers and trash have.
func (r *processRow) columns() []column {
	return []column{{"owner_pid", nullable[int]{&r.PID, &r.isSet}}, {"owner_started", millis{&r.Started}},
		{"owner_boot", nullable[string]{&r.Boot, &r.isSet}}, {"owner_host", nullable[string]{&r.Host, &r.isSet}}}
}

func (s *Store) processRow() processRow { return processRow{s.process, true} }

// processHasEnded tells whether the process of a row no longer runs; newest is when the newest of its rows was made.
func (s *Store) processHasEnded(ctx context.Context, o processRow, newest time.Time) bool {
	return !o.isSet || s.hasEnded(ctx, o.Process, newest)
}
