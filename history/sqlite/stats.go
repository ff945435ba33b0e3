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
	all := map[string]history.ModelStats{}
	err := s.read(ctx, "read the statistics", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `select name, answers, failures from models`)
		err = forEachRow(rows, err, func() error {
			var name string
			var m history.ModelStats
			if err := rows.Scan(&name, &m.Answers, &m.Failures); err != nil {
				return err
			}
			all[name] = m
			return nil
		})
		if err != nil {
			return err
		}
		for name, m := range all {
			if m.Typical, err = typicalTime(ctx, tx, name); err != nil {
				return err
			}
			all[name] = m
		}
		return nil
	})
	return all, err
}

func typicalTime(ctx context.Context, tx *sql.Tx, model string) (time.Duration, error) {
	var times []time.Duration
	rows, err := tx.QueryContext(ctx, `select elapsed
		from answers
		where model = ? and state = 'done' and cached = 0 and copied = 0
		order by id desc
		limit ?`, model, typicalTimeSamples)
	err = forEachRow(rows, err, func() error {
		var d time.Duration
		if err := rows.Scan(&d); err != nil {
			return err
		}
		times = append(times, d)
		return nil
	})
	if err != nil || len(times) == 0 {
		return 0, err
	}
	slices.Sort(times)
	if n := len(times); n%2 == 0 {
		return (times[n/2-1] + times[n/2]) / 2, nil
	}
	return times[len(times)/2], nil
}

// statisticsOf tells what an answer adds to the statistics of its model.
func statisticsOf(s history.State) (answers, failures int) {
	switch s {
	case history.Done:
		return 1, 0
	case history.Failed:
		return 1, 1
	default:
		return 0, 0
	}
}

// countAnswer adds an answer to the statistics, and its model even when the answer
// does not count.
func countAnswer(ctx context.Context, tx *sql.Tx, a history.Answer, counts bool) error {
	answers, failures := statisticsOf(a.State)
	if !counts {
		answers, failures = 0, 0
	}
	_, err := tx.ExecContext(ctx, `insert into models (name, answers, failures) values (?, ?, ?)
		on conflict (name) do update set answers = answers + excluded.answers, failures = failures + excluded.failures`,
		a.Model, answers, failures)
	return err
}

// uncountAnswer takes an answer out of the statistics.
func uncountAnswer(ctx context.Context, tx *sql.Tx, a history.Answer) error {
	answers, failures := statisticsOf(a.State)
	if answers == 0 {
		return nil
	}
	_, err := tx.ExecContext(ctx,
		`update models set answers = max(0, answers - ?), failures = max(0, failures - ?) where name = ?`,
		answers, failures, a.Model)
	return err
}
