package sqlite

import (
	"context"
	"slices"
	"time"

	"confab/history"
)

// typicalTimeSamples is how many answers the typical time of a model is taken from.
const typicalTimeSamples = 50

// Stats implements [history.Searcher].
func (s *Store) Stats(ctx context.Context) (map[string]history.ModelStats, error) {
	return inRead(ctx, s, "read the statistics", func(tx *transaction) map[string]history.ModelStats {
		all := map[string]history.ModelStats{}
		tx.eachRow(func(row scanner) bool {
			var name string
			var m history.ModelStats
			row(&name, &m.Answers, &m.Failures)
			m.Typical = tx.typicalTime(name)
			all[name] = m
			return true
		}, `select name, answers, failures from models`)
		return all
	})
}

func (tx *transaction) typicalTime(model string) time.Duration {
	times := selectColumn[time.Duration](tx, `select elapsed
		from answers
		where model = ? and state = 'done' and cached = 0 and copied = 0
		order by id desc
		limit ?`, model, typicalTimeSamples)
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return (times[(len(times)-1)/2] + times[len(times)/2]) / 2
}

// countAnswer adds an answer to the statistics of its model, or takes it out where sign is -1. A model is added even
// when the answer does not count: where sign is 0, or the answer is neither done nor failed.
func (tx *transaction) countAnswer(a history.Answer, sign int) {
	answers, failures := 0, 0
	if a.State == history.Done || a.State == history.Failed {
		answers = sign
	}
	if a.State == history.Failed {
		failures = sign
	}
	tx.execute(`insert into models (name, answers, failures) values (?1, max(0, ?2), max(0, ?3))
		on conflict (name) do update set answers = max(0, answers + ?2), failures = max(0, failures + ?3)`,
		a.Model, answers, failures)
}
