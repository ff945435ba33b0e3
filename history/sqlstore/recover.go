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
	// Checking whether a process runs may take time, so it happens outside the write transaction.
	owners, err := inTx(ctx, s, reading, step, func(tx *Tx) []owned {
		return selectRows(tx, func(row Scanner) (o owned) {
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
	return inTx(ctx, s, s.wait, step, func(tx *Tx) (recovered int) {
		for _, o := range dead {
			for _, a := range selectRows(tx, tx.scanAnswer, `select `+answerColumns()+` from answers a
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

// interrupt ends an answer whose process has ended. Its partial text is kept and indexed.
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

// processRow holds the process columns of answers and trash. They are null where there is no process, as for ended
// answers.
type processRow struct {
	history.Process
	isSet bool
}

func (r *processRow) columns() []column {
	return []column{{"owner_pid", nullable[int]{&r.PID, &r.isSet}}, {"owner_started", millis{&r.Started}},
		{"owner_boot", nullable[string]{&r.Boot, &r.isSet}}, {"owner_host", nullable[string]{&r.Host, &r.isSet}}}
}

func (s *Store) processRow() processRow { return processRow{s.process, true} }

// processHasEnded reports whether the process of a row has ended; newest is the creation time of its newest row.
func (s *Store) processHasEnded(ctx context.Context, o processRow, newest time.Time) bool {
	return !o.isSet || s.hasEnded(ctx, o.Process, newest)
}
