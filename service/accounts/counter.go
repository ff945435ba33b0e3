package accounts

import (
	"cmp"
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"confab/internal/safego"
)

// syncInterval is how often counts that are only in memory are written: as much a crash forgets, and for as long
// processes that do not count exactly do not know of each other.
const syncInterval = 10 * time.Second

// writeTimeout bounds how long the start, the end and the end of an answer wait for the database.
const writeTimeout = 5 * time.Second

// keptMonths is for how long counts are kept.
const keptMonths = 13

// Options are the choices of [New].
type Options struct {
	Database Database // nil: the counts are in memory only
	// IsExact has each reservation written before it is granted, so that several hosts grant together no more than the
	// limits allow. Without it, reservations are granted from what is known, which is written every ten seconds:
	// servers that share a database then exceed a limit by what they grant in that time.
	IsExact bool
	Log     *slog.Logger // nil discards
}

// Counter counts what subjects use, and grants what their limits allow. It is safe for concurrent use.
type Counter struct {
	o Options

	mu        sync.Mutex
	counts    map[entry]*count
	isFailing bool // the last writing failed, which was logged
}

// entry is the key of a row.
type entry struct{ kind, name, period string }

// count is what is known of a row: what the database had when it was last read, what is being written, and what waits.
type count struct{ stored, writing, pending Amounts }

// New returns a counter. [Counter.Start] has it write what waits.
func New(o Options) *Counter {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.IsExact = o.IsExact && o.Database != nil
	return &Counter{o: o, counts: map[entry]*count{}}
}

// Start writes what waits until stop is called, which writes the rest. One that does not count exactly reads the counts
// before it returns.
func (c *Counter) Start(ctx context.Context) (stop func()) {
	if c.o.Database == nil {
		return func() {}
	}
	ctx = context.WithoutCancel(ctx)
	if !c.o.IsExact {
		c.flush(ctx)
	}
	ended, over := make(chan struct{}), make(chan struct{})
	safego.Go(c.o.Log, "counts of what is used", func() {
		defer close(over)
		c.forgetOld(ctx)
		ticker := time.NewTicker(syncInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				c.flush(ctx)
			case <-ended:
				c.flush(ctx)
				return
			}
		}
	}, nil)
	return func() { close(ended); <-over }
}

// flush writes what waits, for a bounded time, and learns what others have counted where that is needed.
func (c *Counter) flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	if c.o.IsExact {
		c.syncPending(ctx)
	} else {
		c.sync(ctx)
	}
}

// Reserve counts so many answers, or refuses them all with an [*ExceededError]. Any other error is that of the
// database.
func (c *Counter) Reserve(ctx context.Context, s Subject, answers int, l Limits) error {
	return c.grant(ctx, s, int64(answers), l, true)
}

// Check is Reserve, but counts nothing.
func (c *Counter) Check(ctx context.Context, s Subject, answers int, l Limits) error {
	return c.grant(ctx, s, int64(answers), l, false)
}

func (c *Counter) grant(ctx context.Context, s Subject, answers int64, l Limits, counts bool) error {
	now := time.Now()
	periods := periodsAt(now)
	if !c.o.IsExact {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, p := range periods {
			n := c.countOf(entry{s.Kind, s.Name, p.key})
			if err := l.check(s, p, n.stored.plus(n.writing).plus(n.pending), answers, now); err != nil {
				return err
			}
		}
		if counts {
			c.addPending(s, now, Amounts{Answers: answers})
		}
		return nil
	}
	c.syncPending(ctx)
	var exceeded error
	err := c.o.Database.Transact(ctx, func(tx *sql.Tx) error {
		exceeded = nil
		for _, p := range periods {
			want := Amounts{}
			if counts {
				want.Answers = answers
			}
			used, err := addRow(ctx, tx, entry{s.Kind, s.Name, p.key}, want)
			if err != nil {
				return err
			}
			used.Answers -= want.Answers
			if exceeded = l.check(s, p, used, answers, now); exceeded != nil {
				return exceeded
			}
		}
		return nil
	})
	return cmp.Or(exceeded, err)
}

// Add counts what was used without being reserved; negative answers are given back. Where the database cannot take it
// now, it is written later.
func (c *Counter) Add(ctx context.Context, s Subject, used Amounts) {
	c.mu.Lock()
	c.addPending(s, time.Now(), used)
	c.mu.Unlock()
	if c.o.IsExact {
		c.flush(context.WithoutCancel(ctx))
	}
}

// addPending adds to what waits to be written. c.mu is held.
func (c *Counter) addPending(s Subject, now time.Time, used Amounts) {
	for _, p := range periodsAt(now) {
		n := c.countOf(entry{s.Kind, s.Name, p.key})
		n.pending = n.pending.plus(used)
	}
}

// countOf returns what is known of a row. c.mu is held.
func (c *Counter) countOf(e entry) *count {
	n := c.counts[e]
	if n == nil {
		n = &count{}
		c.counts[e] = n // as many as there are users or keys
	}
	return n
}

// syncPending writes what waits, if anything does.
func (c *Counter) syncPending(ctx context.Context) {
	c.mu.Lock()
	waits := slices.ContainsFunc(slices.Collect(maps.Values(c.counts)),
		func(n *count) bool { return n.pending != Amounts{} })
	c.mu.Unlock()
	if waits {
		c.sync(ctx)
	}
}

// sync writes what waits and learns what others have counted. What cannot be written waits on.
func (c *Counter) sync(ctx context.Context) {
	periods := periodsAt(time.Now())
	c.mu.Lock()
	waiting := map[entry]Amounts{}
	for e, n := range c.counts {
		if (n.pending != Amounts{}) {
			waiting[e] = n.pending
			n.writing, n.pending = n.writing.plus(n.pending), Amounts{}
		} else if e.period != periods[0].key && e.period != periods[1].key {
			delete(c.counts, e)
		}
	}
	c.mu.Unlock()
	stored := map[entry]Amounts{}
	err := c.o.Database.Transact(ctx, func(tx *sql.Tx) error {
		for _, e := range slices.SortedFunc(maps.Keys(waiting), compareEntries) {
			if _, err := addRow(ctx, tx, e, waiting[e]); err != nil {
				return err
			}
		}
		if c.o.IsExact {
			return nil
		}
		return eachRow(ctx, tx, func(scan func(...any) error) error {
			e, a, err := scanRow(scan)
			stored[e] = a
			return err
		}, selectRows+` where period in ($1, $2)`, periods[0].key, periods[1].key)
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	for e, a := range waiting {
		n := c.countOf(e)
		n.writing = n.writing.plus(Amounts{-a.Answers, -a.Tokens, -a.Bytes, -a.Cost})
		if err != nil {
			n.pending = n.pending.plus(a)
		}
	}
	for e, a := range stored {
		c.countOf(e).stored = a
	}
	if err != nil && !c.isFailing {
		c.o.Log.Warn("What is used is counted in memory only for now", "error", err)
	}
	c.isFailing = err != nil
}

// compareEntries orders rows as all processes lock them.
func compareEntries(a, b entry) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name), cmp.Compare(a.period, b.period))
}

// addRow adds to a row, and returns what it has then.
func addRow(ctx context.Context, tx *sql.Tx, e entry, a Amounts) (sum Amounts, err error) {
	err = tx.QueryRowContext(ctx, `insert into counts as c (kind, name, period, answers, tokens, bytes, cost)
		values ($1, $2, $3, case when cast($4 as bigint) > 0 then cast($4 as bigint) else 0 end, $5, $6, $7)
		on conflict (kind, name, period) do update set
			answers = case when c.answers + cast($4 as bigint) > 0 then c.answers + cast($4 as bigint) else 0 end,
			tokens = c.tokens + excluded.tokens, bytes = c.bytes + excluded.bytes, cost = c.cost + excluded.cost
		returning answers, tokens, bytes, cost`,
		e.kind, e.name, e.period, a.Answers, a.Tokens, a.Bytes, a.Cost).
		Scan(&sum.Answers, &sum.Tokens, &sum.Bytes, &sum.Cost)
	return sum, err
}

const selectRows = `select kind, name, period, answers, tokens, bytes, cost from counts`

func scanRow(scan func(...any) error) (e entry, a Amounts, err error) {
	err = scan(&e.kind, &e.name, &e.period, &a.Answers, &a.Tokens, &a.Bytes, &a.Cost)
	return e, a, err
}

// forgetOld removes the counts of periods long ago.
func (c *Counter) forgetOld(ctx context.Context) {
	oldest := periodsAt(time.Now().AddDate(0, -keptMonths, 0))[0].key
	if err := execute(ctx, c.o.Database, `delete from counts where period < $1`, oldest); err != nil {
		c.o.Log.Warn("Could not remove old counts", "error", err)
	}
}

// Use is what a subject has used in a day or a month.
type Use struct {
	Name   string `json:"name"`
	Period string `json:"period"` // such as 2026-11-23 or 2026-11
	Amounts
}

// ReadUse returns what the subjects of a kind have used in each day, or month, since a time, ordered by their names. An
// empty name stands for all of them.
func ReadUse(ctx context.Context, db Database, s Subject, isByMonth bool, since time.Time) ([]Use, error) {
	length, first := len(time.DateOnly), periodsAt(since)[1].key
	if isByMonth {
		length, first = len("2006-01"), periodsAt(since)[0].key
	}
	var all []Use
	err := db.Transact(ctx, func(tx *sql.Tx) error {
		all = nil
		return eachRow(ctx, tx, func(scan func(...any) error) error {
			e, a, err := scanRow(scan)
			all = append(all, Use{e.name, e.period, a})
			return err
		}, selectRows+` where kind = $1 and ($2 = '' or name = $2) and period >= $3 and length(period) = $4
			order by name, period`, s.Kind, s.Name, first, length)
	})
	return all, err
}
