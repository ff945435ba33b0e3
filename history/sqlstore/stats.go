package sqlstore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"confab/history"
)

// medianSamples is the number of answers of a model whose medians are computed.
const medianSamples = 50

// Stats implements [history.Searcher].
func (s *Store) Stats(ctx context.Context) (map[string]history.ModelStats, error) {
	return inTx(ctx, s, reading, "read the statistics", func(tx *Tx) map[string]history.ModelStats {
		all := map[string]history.ModelStats{}
		for row := range tx.Rows(`select name, answers, failures from models`) {
			var name string
			var m history.ModelStats
			row(&name, &m.Answers, &m.Failures)
			all[name] = m
		}
		for name, m := range all {
			tx.readMedians(name, &m)
			all[name] = m
		}
		return all
	})
}

// readMedians sets the medians of a model and the engine's name of it.
func (tx *Tx) readMedians(model string, m *history.ModelStats) {
	var times, firsts []time.Duration
	var tokens []int
	var speeds []float64
	for row := range tx.Rows(`select elapsed, first_token, thinking, output_tokens, engine_model
		from answers
		where model = ? and state = 'done' and cached = 0 and copied = 0
		order by id desc
		limit ?`, model, medianSamples) {
		var a history.Answer
		row(&a.Elapsed, &a.FirstToken, &a.Thinking, &a.Usage.OutputTokens, &a.EngineModel)
		if len(times) == 0 {
			m.EngineModel = a.EngineModel
		}
		times = append(times, a.Elapsed)
		firsts = appendKnown(firsts, a.FirstToken)
		tokens = appendKnown(tokens, a.Usage.OutputTokens)
		speeds = appendKnown(speeds, a.TokensPerSecond())
	}
	m.MedianTime, m.FirstToken, m.OutputTokens, m.Speed = median(times), median(firsts), median(tokens), median(speeds)
}

// appendKnown appends a value unless it is 0.
func appendKnown[T cmp.Ordered](values []T, v T) []T {
	var zero T
	if v == zero {
		return values
	}
	return append(values, v)
}

func median[T int | time.Duration | float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// usageKey returns the columns that group usage. Days are sums of quarters of an hour, because in every time zone a
// day begins at one.
func usageKey(by history.UsageGroup) string {
	switch by {
	case history.UsageBySession:
		return `'', s.id, s.name, 0`
	case history.UsageByDay:
		return `'', 0, '', coalesce(a.started, a.queued, t.created) / 900000 * 900000`
	}
	return `a.model, 0, '', 0`
}

// Usage implements [history.Searcher].
func (s *Store) Usage(ctx context.Context, q history.UsageQuery) ([]history.UsageSum, error) {
	return inTx(ctx, s, reading, "add up the usage", func(tx *Tx) (sums []history.UsageSum) {
		for row := range tx.Rows(`select `+usageKey(q.By)+`, a.currency, sum(a.cost), count(*),
				count(*) filter (where a.input_tokens + a.output_tokens > 0), sum(a.elapsed), sum(a.input_tokens), sum(a.output_tokens),
				sum(a.reasoning_tokens)
			from answers a join turns t on t.id = a.turn join sessions s on s.id = t.session
			where a.state not in ('queued', 'running') and a.copied = 0 and a.cached = 0
				and a.trash = 0 and t.trash = 0 and s.trash = 0 and (s.id = ?1 or ?1 < 1)
			group by 1, 2, 3, 4, 5
			order by 1, 2, 4, 5`, q.Session) {
			var r history.UsageSum
			var cost history.Cost
			var at time.Time
			row(&r.Model, &r.Session, &r.SessionName, millis{&at}, &cost.Currency, &cost.Amount, &r.Answers,
				&r.Counted, &r.Elapsed, &r.Usage.InputTokens, &r.Usage.OutputTokens, &r.Usage.ReasoningTokens)
			if q.By == history.UsageByDay {
				zone := cmp.Or(q.Location, time.UTC)
				y, m, d := at.In(zone).Date()
				r.Day = time.Date(y, m, d, 0, 0, 0, 0, zone)
			}
			sums = addUsage(sums, r, cost)
		}
		return sums
	})
}

// addUsage adds a row to the last sum if it is of the same group; else it appends a sum.
func addUsage(sums []history.UsageSum, r history.UsageSum, cost history.Cost) []history.UsageSum {
	n := len(sums) - 1
	if n < 0 || sums[n].Model != r.Model || sums[n].Session != r.Session || !sums[n].Day.Equal(r.Day) {
		sums, n = append(sums, r), n+1
	} else {
		sum := &sums[n]
		sum.Answers, sum.Counted, sum.Elapsed = sum.Answers+r.Answers, sum.Counted+r.Counted, sum.Elapsed+r.Elapsed
		sum.Usage = sum.Usage.Plus(r.Usage)
	}
	sums[n].Costs = history.AddCost(sums[n].Costs, cost)
	return sums
}

// countAnswer adds an answer to the statistics of its model, or removes it where sign is -1. It adds the model even
// where sign is 0 or the answer is neither done nor failed.
func (tx *Tx) countAnswer(a history.Answer, sign int) {
	answers, failures := 0, 0
	if a.State == history.Done || a.State == history.Failed {
		answers = sign
	}
	if a.State == history.Failed {
		failures = sign
	}
	if tx.Execute(`update models
		set answers = case when answers + ?1 < 0 then 0 else answers + ?1 end,
			failures = case when failures + ?2 < 0 then 0 else failures + ?2 end
		where name = ?3`, answers, failures, a.Model) == 0 {
		tx.Execute(`insert into models (name, answers, failures) values (?, ?, ?)`, a.Model, max(0, answers),
			max(0, failures))
	}
}
