package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/history/sqlstore"
)

func TestEveryConnectionHasItsSettings(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		network bool
		journal string
	}{"local": {false, "wal"}, "network": {true, "delete"}} {
		t.Run(name, func(t *testing.T) {
			s := open(t, filepath.Join(t.TempDir(), "odd ?%20# name", "history.db"),
				sqlite.OnNetwork(test.network))
			var conns []*sql.Conn
			for _, pool := range []*sql.DB{s.Writer(), s.Reader(), s.Reader(), s.Reader()} {
				c, err := pool.Conn(t.Context())
				must(t, err)
				conns = append(conns, c)
			}
			for i, c := range conns {
				busy := "5000"
				if i == 0 && !test.network {
					busy = "20" // writePatiently waits for the rest
				}
				for pragma, want := range map[string]string{"journal_mode": test.journal, "synchronous": "2",
					"foreign_keys":  "1",
					"secure_delete": "1",
					"busy_timeout":  busy, "temp_store": "2", "auto_vacuum": "2", "query_only": fmt.Sprint(min(i, 1))} {
					var got string
					if err := c.QueryRowContext(t.Context(), "pragma "+pragma).Scan(&got); err != nil || got != want {
						t.Errorf("connection %d: %s is %s, %v, want %s", i, pragma, got, err, want)
					}
				}
				c.Close()
			}
			f, err := s.Info(t.Context())
			if err != nil || f.Journal != test.journal || f.IsOnNetwork != test.network || f.Bytes == 0 ||
				f.Schema != sqlite.NewestSchema() {
				t.Errorf("facts %+v, %v", f, err)
			}
		})
	}
}

// Before 3.51.3 two processes could lose commits, and before 3.54.0 "secure-delete" could write out of bounds with a
// damaged index.
func TestSQLiteIsNewEnough(t *testing.T) {
	t.Parallel()
	s := open(t, sqlite.Memory, sqlite.Options{})
	f, err := s.Info(t.Context())
	must(t, err)
	var major, minor, patch int
	must(t, errorOf(fmt.Sscanf(f.Version, "%d.%d.%d", &major, &minor, &patch)))
	if got := major*1_000_000 + minor*1_000 + patch; got < 3_054_000 {
		t.Errorf("got SQLite %s, want 3.54.0 or later", f.Version)
	}
}

func TestPurgeGivesSpaceBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s := open(t, path, sqlite.Options{})
	gone := fillSession(t, s, 500)
	before := pages(t, s)
	must(t, errorOf(s.DeleteSession(t.Context(), gone.ID)))
	must(t, s.Purge(t.Context(), 0, nil))
	info, err := os.Stat(path)
	if err != nil || pages(t, s) > before/4 || info.Size() != int64(pages(t, s))*4096 {
		t.Errorf("%d pages after %d, the file has %d bytes, %v", pages(t, s), before, info.Size(), err)
	}
}

// pages counts the pages of the database.
func pages(t *testing.T, s *sqlite.Store) (n int) {
	t.Helper()
	must(t, s.Writer().QueryRow(`pragma page_count`).Scan(&n))
	return n
}

// The next purge continues one that was killed, and partly purged entries cannot be restored.
func TestPurgeGoesOn(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"), sqlite.Options{})
	in := fillSession(t, s, 60)
	addEdit(t, s, in.ID)
	trash, err := s.DeleteSession(t.Context(), in.ID)
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	if err := s.Purge(ctx, 0, func([]string) { stop() }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if answers, turns := count(t, s, "answers"), count(t, s, "turns"); answers != 0 || turns == 0 {
		t.Fatalf("%d answers and %d turns are left, want turns only", answers, turns)
	}
	if err := s.Undelete(t.Context(), trash); !errors.Is(err, history.ErrNotFound) {
		t.Errorf("undelete: got %v, want %v", err, history.ErrNotFound)
	}
	must(t, s.Purge(t.Context(), 1<<40, nil))
	var left int
	if err := s.Reader().QueryRow(
		`select (select count(*) from sessions) + (select count(*) from turns) + (select count(*) from answers) + (select count(*) from trash)`,
	).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows left, %v", left, err)
	}
	must(t, s.Check(t.Context()))
}

// Two processes purge the same deletions of a dead one; both succeed.
func TestPurgedTwice(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	dead := open(t, path, sqlite.Options{Process: history.Process{PID: 1, Host: "here"}})
	for range 3 {
		in := fillSession(t, dead, 3)
		addEdit(t, dead, in.ID)
		must(t, errorOf(dead.DeleteSession(t.Context(), in.ID)))
	}
	later := func() time.Time { return time.Now().Add(time.Hour) }
	none := func(history.Process) bool { return false }
	one := open(t, path, sqlite.Options{Process: history.Process{PID: 2, Host: "here"}, Now: later, Alive: none})
	other := open(t, path, sqlite.Options{Process: history.Process{PID: 3, Host: "here"}, Now: later, Alive: none})
	err := other.Purge(t.Context(), 0, func([]string) {
		if err := one.Purge(t.Context(), 0, nil); err != nil {
			t.Error(err)
		}
	})
	if err != nil || count(t, other, "trash") > 0 {
		t.Errorf("%d deletions left, %v", count(t, other, "trash"), err)
	}
	must(t, other.Check(t.Context()))
}

// addEdit adds a turn with the only reference to a picture, so that a purge deletes the picture between answers and
// turns.
func addEdit(t *testing.T, s *sqlite.Store, session int64) {
	t.Helper()
	_, err := s.AddTurn(t.Context(), history.Turn{Session: session, Prompt: "warmer",
		Source: &history.Source{Answer: 1, Path: fmt.Sprintf("/p/%d.png", session)}})
	must(t, err)
}

// count counts the rows of a table.
func count(t *testing.T, s *sqlite.Store, table string) (n int) {
	t.Helper()
	must(t, s.Reader().QueryRow(`select count(*) from `+table).Scan(&n))
	return n
}

func TestStoreFull(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := open(t, filepath.Join(t.TempDir(), "history.db"), sqlite.Options{})
	in := fillSession(t, s, 10)
	must(t, errorOf(s.Writer().Exec(fmt.Sprintf(`pragma max_page_count = %d`, pages(t, s)))))
	big := history.Turn{Session: in.ID, Prompt: strings.Repeat("word ", 10000)}
	if _, err := s.AddTurn(ctx, big); !errors.Is(err, history.ErrFull) {
		t.Errorf("got %v, want %v", err, history.ErrFull)
	}
	must(t, s.Check(ctx))
	must(t, errorOf(s.Writer().Exec(`pragma max_page_count = 1000000`)))
	if _, err := s.AddTurn(ctx, big); err != nil {
		t.Errorf("once there is space: %v", err)
	}
	if got, err := s.Session(ctx, in.ID); err != nil || got.Turns != 11 {
		t.Errorf("got %d turns, %v, want 11", got.Turns, err)
	}
}

// Search covers several partitions.
func TestSearchOverShelves(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := open(t, sqlite.Memory, sqlite.Options{})
	in := fillSession(t, s, 1)
	var want []int64
	for i := range int64(4) {
		at := (i+1)<<sqlite.FTSPartitionBits - 2
		err := s.Write(ctx, "skip ids", func(tx *sqlstore.Tx) {
			tx.Execute(`update sqlite_sequence set seq = ? where name in ('turns', 'answers')`, at)
		})
		must(t, err)
		for range 4 { // two on each side of the border of a partition
			tu, err := s.AddTurn(ctx,
				history.Turn{Session: in.ID, Prompt: "zebra prompt",
					Answers: []history.Answer{{Model: "alpha", State: history.Done, Text: "zebra answer"}}})
			must(t, err)
			want = append([]int64{tu.ID}, want...)
		}
	}
	for _, q := range []history.Query{{Text: "zebra"}, {Text: "zebra", Limit: 7}} {
		hits, err := s.Search(ctx, q)
		must(t, err)
		var got []int64
		for _, h := range hits {
			if len(got) == 0 || got[len(got)-1] != h.Turn {
				got = append(got, h.Turn)
			}
		}
		if w := want[:(min(q.MaxResults(), 32)+1)/2]; fmt.Sprint(got) != fmt.Sprint(w) {
			t.Errorf("%+v\n got %v\nwant %v", q, got, w)
		}
	}
	must(t, errorOf(s.DeleteSession(ctx, in.ID)))
	must(t, s.Purge(context.WithoutCancel(ctx), 0, nil))
	must(t, s.Check(ctx))
}

func TestOwnerOfThisProcess(t *testing.T) {
	t.Parallel()
	if history.CurrentProcess().Started.IsZero() {
		t.Skip("when a process started is not known here")
	}
	for name, test := range map[string]struct {
		change  func(*history.Process)
		isAlive bool
	}{
		"this process":                  {func(*history.Process) {}, true},
		"one of another machine":        {func(o *history.Process) { o.Host, o.PID = "another machine", 1<<30 }, true},
		"no such process":               {func(o *history.Process) { o.PID = 1 << 30 }, false},
		"no process":                    {func(o *history.Process) { o.PID = 0 }, false},
		"a later process of its number": {func(o *history.Process) { o.Started = o.Started.Add(-1e9) }, false},
		"before the machine started":    {func(o *history.Process) { o.Boot = "another" }, false},
	} {
		o := history.CurrentProcess()
		test.change(&o)
		if got := history.IsAlive(o); got != test.isAlive {
			t.Errorf("%s, %+v: alive is %t", name, o, got)
		}
	}
}
