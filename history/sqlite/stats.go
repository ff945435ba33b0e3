package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"confab/history"
)

// typicalTimeSamples is how many answers the typical time of a model is taken from.
const typicalTimeSamples = 50

// Stats returns what the history knows of every model that was ever asked.
func (s *Store) Stats(ctx context.Context) (map[string]history.ModelStats, error) {
	return inRead(ctx, s, "read the statistics", func(tx *sql.Tx) (map[string]history.ModelStats, error) {
		all := map[string]history.ModelStats{}
		names, err := selectRows(ctx, tx, func(r rowScanner) (name string, err error) {
			var m history.ModelStats
			err = r.Scan(&name, &m.Answers, &m.Failures)
			all[name] = m
			return name, err
		}, `select name, answers, failures from models`)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			m := all[name]
			if m.Typical, err = typicalTime(ctx, tx, name); err != nil {
				return nil, err
			}
			all[name] = m
		}
		return all, nil
	})
}

func typicalTime(ctx context.Context, tx *sql.Tx, model string) (time.Duration, error) {
	times, err := selectColumn[time.Duration](ctx, tx, `select elapsed
		from answers
		where model = ? and state = 'done' and cached = 0 and copied = 0
		order by id desc
		limit ?`, model, typicalTimeSamples)
	if err != nil || len(times) == 0 {
		return 0, err
	}
	slices.Sort(times)
	return (times[(len(times)-1)/2] + times[len(times)/2]) / 2, nil
}

// countAnswer adds an answer to the statistics of its model, or takes it out where sign is -1. A model is added even
// when the answer does not count: where sign is 0, or the answer is neither done nor failed.
func countAnswer(ctx context.Context, tx *sql.Tx, a history.Answer, sign int) error {
	answers, failures := 0, 0
	if a.State == history.Done || a.State == history.Failed {
		answers = sign
	}
	if a.State == history.Failed {
		failures = sign
	}
	return execute(ctx, tx, `insert into models (name, answers, failures) values (?1, max(0, ?2), max(0, ?3))
		on conflict (name) do update set answers = max(0, answers + ?2), failures = max(0, failures + ?3)`,
		a.Model, answers, failures)
}
