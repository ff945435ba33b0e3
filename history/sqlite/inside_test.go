package sqlite

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
	"confab/history/sqlstore"
)

func openInside(t *testing.T, path string, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestEveryConnectionHasItsSettings(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		network bool
		journal string
	}{"local": {false, "wal"}, "network": {true, "delete"}} {
		t.Run(name, func(t *testing.T) {
			s := openInside(t, filepath.Join(t.TempDir(), "odd ?%20# name", "history.db"),
				Options{isOnNetwork: func(string) bool { return test.network }})
			var conns []*sql.Conn
			for _, pool := range []*sql.DB{s.db.w, s.db.r, s.db.r, s.db.r} {
				c, err := pool.Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				conns = append(conns, c)
			}
			for i, c := range conns {
				busy := "5000"
				if i == 0 && !test.network {
					busy = "20" // the rest of the wait is patiently's
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
				f.Schema != newestSchema() {
				t.Errorf("facts %+v, %v", f, err)
			}
		})
	}
}

// Before 3.51.3 two processes could lose what was committed, and before 3.54.0 a
// damaged index could make "secure-delete" write past its memory.
func TestSQLiteIsNewEnough(t *testing.T) {
	t.Parallel()
	s := openInside(t, Memory, Options{})
	f, err := s.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var major, minor, patch int
	if _, err := fmt.Sscanf(f.Version, "%d.%d.%d", &major, &minor, &patch); err != nil {
		t.Fatal(err)
	}
	if got := major*1_000_000 + minor*1_000 + patch; got < 3_054_000 {
		t.Errorf("got SQLite %s, want 3.54.0 or later", f.Version)
	}
}

// TestPurgedWordsAreGone looks for deleted words in every byte of every file,
// while the store is open, and while another connection has it open too.
func TestPurgedWordsAreGone(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dir := t.TempDir()
	path := filepath.Join(dir, "history.db")
	s := openInside(t, path, Options{})
	other := openInside(t, path, Options{})
	secrets := strings.Fields("sessionsecret promptsecret systemsecret answersecret notesecret modelsecret " +
		"exchangesecret personasecret sentsecret failuresecret changedsecret")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	add := func(name, prompt, system, text, model string) history.Turn {
		in, err := s.CreateSession(ctx, name)
		must(err)
		tu, err := s.AddTurn(ctx,
			history.Turn{Session: in.ID, Prompt: prompt, System: system,
				Answers: []history.Answer{{Model: model, Kind: history.KindText}}})
		must(err)
		a := tu.Answers[0]
		a.Version, a.State, a.Text = 1, history.Done, text
		must(s.SaveAnswer(ctx, a))
		return tu
	}
	long := strings.Repeat(" filler", 3000)
	for i := range 30 {
		add(fmt.Sprintf("kept %d", i), "common prompt", "common system", fmt.Sprintf("common answer %d%s", i, long),
			"alpha")
	}
	tu := add("sessionsecret", "common promptsecret", "common systemsecret", "common answersecret"+long+" answersecret",
		"modelsecret")
	tu.Answers[0].Version, tu.Answers[0].State, tu.Answers[0].Text = 9, history.Failed, "common answersecret"+long
	tu.Answers[0].Failure, tu.Answers[0].SentPrompt = &history.Failure{Code: "service",
		Message: "failuresecret"}, "sentsecret"+long
	must(s.SaveAnswer(ctx, tu.Answers[0]))
	_, err := s.Judge(ctx, tu.Answers[0].ID, history.Good, false, "changedsecret")
	must(err)
	_, err = s.Judge(ctx, tu.Answers[0].ID, history.Good, false, "notesecret")
	must(err)
	must(s.SaveExchange(ctx, tu.Answers[0].ID, history.Exchange{URL: "exchangesecret"}))
	persona, err := s.SavePersona(ctx, history.Persona{Name: "x", Text: "personasecret"})
	must(err)
	for _, secret := range secrets {
		if !isInAnyFile(t, dir, secret) {
			t.Errorf("%q is nowhere before it is deleted: the test sees nothing", secret)
		}
	}
	if _, err := other.Search(ctx, history.Query{Text: "common"}); err != nil {
		t.Fatal(err)
	}
	must(s.DeletePersona(ctx, persona.ID))
	if isInAnyFile(t, dir, "personasecret") {
		t.Error("a deleted persona can still be read")
	}
	_, err = s.DeleteSession(ctx, tu.Session)
	must(err)
	err = s.Purge(ctx, 0, nil)
	must(err)
	for _, secret := range secrets {
		// The index splits words into a common beginning and the rest.
		for _, piece := range []string{secret, secret[3:]} {
			if isInAnyFile(t, dir, piece) {
				t.Errorf("%q can still be read", piece)
			}
		}
	}
	if hits, err := other.Search(ctx, history.Query{Text: "common answer ", Limit: 100}); err != nil ||
		len(hits) != 30 {
		t.Errorf("got %d hits, %v, want what was kept", len(hits), err)
	}
	must(s.Check(ctx))
	must(other.Check(ctx))
}

// isInAnyFile tells whether a word is in a file of a folder. The folder's files are
// read as a whole: closing one takes SQLite's locks away, which is of no harm
// while nothing else is running.
func isInAnyFile(t *testing.T, dir, word string) bool {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), word) {
			return true
		}
	}
	return false
}

func TestPurgeGivesSpaceBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s := openInside(t, path, Options{})
	gone := fillSession(t, s, 500)
	before := pages(t, s)
	if _, err := s.DeleteSession(t.Context(), gone.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(t.Context(), 0, nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || pages(t, s) > before/4 || info.Size() != int64(pages(t, s))*4096 {
		t.Errorf("%d pages after %d, the file has %d bytes, %v", pages(t, s), before, info.Size(), err)
	}
}

// pages counts the pages of the database.
func pages(t *testing.T, s *Store) (n int) {
	t.Helper()
	if err := s.db.w.QueryRow(`pragma page_count`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A purge that was killed between two steps goes on with the next one, and what
// is half gone cannot come back.
func TestPurgeGoesOn(t *testing.T) {
	t.Parallel()
	s := openInside(t, filepath.Join(t.TempDir(), "history.db"), Options{})
	in := fillSession(t, s, 60)
	addEdit(t, s, in.ID)
	trash, err := s.DeleteSession(t.Context(), in.ID)
	if err != nil {
		t.Fatal(err)
	}
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
	if err := s.Purge(t.Context(), 1<<40, nil); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := s.db.r.QueryRow(
		`select (select count(*) from sessions) + (select count(*) from turns) + (select count(*) from answers) + (select count(*) from trash)`,
	).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d rows left, %v", left, err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// Two processes that purge what a dead one left are both done, although each
// finds some of it gone.
func TestPurgedTwice(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	dead := openInside(t, path, Options{Process: history.Process{PID: 1, Host: "here"}})
	for range 3 {
		in := fillSession(t, dead, 3)
		addEdit(t, dead, in.ID)
		if _, err := dead.DeleteSession(t.Context(), in.ID); err != nil {
			t.Fatal(err)
		}
	}
	later := func() time.Time { return time.Now().Add(time.Hour) }
	none := func(history.Process) bool { return false }
	one := openInside(t, path, Options{Process: history.Process{PID: 2, Host: "here"}, Now: later, Alive: none})
	other := openInside(t, path, Options{Process: history.Process{PID: 3, Host: "here"}, Now: later, Alive: none})
	err := other.Purge(t.Context(), 0, func([]string) {
		if err := one.Purge(t.Context(), 0, nil); err != nil {
			t.Error(err)
		}
	})
	if err != nil || count(t, other, "trash") > 0 {
		t.Errorf("%d deletions left, %v", count(t, other, "trash"), err)
	}
	if err := other.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// addEdit adds a turn that is the only one to name a picture, so that a purge of its session deletes the picture
// between the answers and the turns.
func addEdit(t *testing.T, s *Store, session int64) {
	t.Helper()
	_, err := s.AddTurn(t.Context(), history.Turn{Session: session, Prompt: "warmer",
		Source: &history.Source{Answer: 1, Path: fmt.Sprintf("/p/%d.png", session)}})
	if err != nil {
		t.Fatal(err)
	}
}

// count counts the rows of a table.
func count(t *testing.T, s *Store, table string) (n int) {
	t.Helper()
	if err := s.db.r.QueryRow(`select count(*) from ` + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestStoreFull(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := openInside(t, filepath.Join(t.TempDir(), "history.db"), Options{})
	in := fillSession(t, s, 10)
	if _, err := s.db.w.Exec(fmt.Sprintf(`pragma max_page_count = %d`, pages(t, s))); err != nil {
		t.Fatal(err)
	}
	big := history.Turn{Session: in.ID, Prompt: strings.Repeat("word ", 10000)}
	if _, err := s.AddTurn(ctx, big); !errors.Is(err, history.ErrFull) {
		t.Errorf("got %v, want %v", err, history.ErrFull)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
	if _, err := s.db.w.Exec(`pragma max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddTurn(ctx, big); err != nil {
		t.Errorf("once there is space: %v", err)
	}
	if got, err := s.Session(ctx, in.ID); err != nil || got.Turns != 11 {
		t.Errorf("got %d turns, %v, want 11", got.Turns, err)
	}
}

// Search goes over several partitions as over one.
func TestSearchOverShelves(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := openInside(t, Memory, Options{})
	in := fillSession(t, s, 1)
	var want []int64
	for i := range int64(4) {
		at := (i+1)<<ftsPartitionBits - 2
		err := s.Write(ctx, "skip ids", func(tx *sqlstore.Tx) {
			tx.Execute(`update sqlite_sequence set seq = ? where name in ('turns', 'answers')`, at)
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 4 { // two on each side of where a partition begins
			tu, err := s.AddTurn(ctx,
				history.Turn{Session: in.ID, Prompt: "zebra prompt",
					Answers: []history.Answer{{Model: "alpha", State: history.Done, Text: "zebra answer"}}})
			if err != nil {
				t.Fatal(err)
			}
			want = append([]int64{tu.ID}, want...)
		}
	}
	for _, q := range []history.Query{{Text: "zebra"}, {Text: "zebra", Limit: 7}} {
		hits, err := s.Search(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
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
	if _, err := s.DeleteSession(ctx, in.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(context.WithoutCancel(ctx), 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

func TestOwnerOfThisProcess(t *testing.T) {
	t.Parallel()
	o := history.CurrentProcess()
	if !history.IsAlive(o) {
		t.Errorf("this process is not alive: %+v", o)
	}
	foreign := o
	foreign.Host, foreign.PID = "another machine", 1<<30
	if !history.IsAlive(foreign) {
		t.Error("a process of another machine is taken for dead")
	}
	for name, change := range map[string]func(*history.Process){
		"no such process": func(o *history.Process) { o.PID = 1 << 30 },
		"no process":      func(o *history.Process) { o.PID = 0 },
	} {
		gone := o
		change(&gone)
		if history.IsAlive(gone) {
			t.Errorf("%s: taken for alive: %+v", name, gone)
		}
	}
	if o.Started.IsZero() {
		t.Skip("when a process started is not known here")
	}
	for name, change := range map[string]func(*history.Process){
		"a later process of its number": func(o *history.Process) { o.Started = o.Started.Add(-1e9) },
		"before the machine started":    func(o *history.Process) { o.Boot = "another" },
	} {
		gone := o
		change(&gone)
		if history.IsAlive(gone) {
			t.Errorf("%s: taken for alive: %+v", name, gone)
		}
	}
}
