package sqlite_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver, for doing to a store what others may do

	"confab/history"
	"confab/history/sqlite"
)

// rawOpen opens the file of a store past this package.
func rawOpen(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+path)
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

func sum(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// fillStore makes a store with some turns at path and closes it.
func fillStore(t *testing.T, path string, turns int) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	must(t, err)
	in, err := s.CreateSession(t.Context(), "")
	must(t, err)
	for i := range turns {
		_, err := s.AddTurn(t.Context(),
			history.Turn{Session: in.ID, Prompt: fmt.Sprintf("prompt %d %s", i, strings.Repeat("word ", 500)),
				Answers: []history.Answer{{Model: "alpha", Kind: history.KindText, State: history.Done,
					Text: "answer"}}})
		must(t, err)
	}
	must(t, s.Close())
}

func do(t *testing.T, path, script string) {
	t.Helper()
	db, err := rawOpen(path)
	must(t, err)
	must(t, errorOf(db.ExecContext(t.Context(), script)))
	must(t, db.Close())
}

func TestNewerStoreIsLeftAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	fillStore(t, path, 3)
	refused := func(path string, ends ...string) {
		t.Helper()
		before := map[string]string{}
		for _, end := range ends {
			before[end] = sum(t, path+end)
		}
		if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, history.ErrNewer) {
			t.Fatalf("got %v, want %v", err, history.ErrNewer)
		}
		for _, end := range ends {
			if sum(t, path+end) != before[end] {
				t.Errorf("the file %s was changed", path+end)
			}
		}
	}
	do(t, path, `pragma user_version = 99`)
	refused(path, "")

	// While the newer release runs, or after it was killed, its version is in
	// the -wal file only.
	do(t, path, `pragma user_version = 1`)
	db, err := rawOpen(path)
	must(t, err)
	defer db.Close()
	must(t, errorOf(db.Exec(`pragma user_version = 99; insert into settings values ('a', 'b')`)))
	refused(path, "", "-wal")
	left := filepath.Join(t.TempDir(), "history.db") // as a killed process leaves it
	for _, end := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + end)
		must(t, err)
		write(t, left+end, b)
	}
	refused(left, "", "-wal")
}

func TestWhatIsNotAStore(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path string){
		"text":      func(path string) { write(t, path, []byte(strings.Repeat("this is not a database\n", 1000))) },
		"short":     func(path string) { write(t, path, []byte("x")) },
		"truncated": func(path string) { fillStore(t, path, 50); truncate(t, path, 3*4096+100) },
		"half a page": func(path string) {
			fillStore(t, path, 50)
			truncate(t, path, 1000)
		},
		"another program's": func(path string) { do(t, path, `create table t (a); pragma user_version = 1`) },
		"another program's, no version": func(path string) {
			do(t, path, `create table sessions (a); pragma application_id = 7`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.db")
			spoil(path)
			before := sum(t, path)
			_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if !errors.Is(err, history.ErrCorrupt) {
				t.Fatalf("got %v, want %v", err, history.ErrCorrupt)
			}
			if got, want := err.Error(), ": "+history.ErrCorrupt.Error(); !strings.HasSuffix(got, want) ||
				strings.Contains(got, "SQL") {
				t.Errorf("message %q", got)
			}
			if sum(t, path) != before {
				t.Error("the file was changed")
			}
		})
	}
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	must(t, os.WriteFile(path, b, 0o600))
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	must(t, os.Truncate(path, size))
}

func TestEmptyFileIsANewStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	write(t, path, nil)
	s := open(t, path, sqlite.Options{})
	must(t, errorOf(s.CreateSession(t.Context(), "x")))
}

func TestStrayFilesBeside(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	fillStore(t, path, 3)
	write(t, path+"-wal", bytes.Repeat([]byte("stray"), 5000))
	write(t, path+"-shm", bytes.Repeat([]byte("stray"), 5000))
	s := open(t, path, sqlite.Options{})
	if f, err := s.Info(t.Context()); err != nil || f.Turns != 3 {
		t.Errorf("got %d turns, %v, want 3", f.Turns, err)
	}
	must(t, s.Check(t.Context()))
}

func TestFlippedPageIsFoundByCheck(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	fillStore(t, path, 50)
	b, err := os.ReadFile(path)
	must(t, err)
	// A page that begins a leaf of a table and holds prompts.
	at := bytes.LastIndex(b, []byte("prompt 20 word")) / 4096 * 4096
	for i := range 512 {
		b[at+i] ^= 0xff
	}
	write(t, path, b)
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatalf("opening does not notice: %v", err)
	}
	defer s.Close()
	if err := s.Check(t.Context()); !errors.Is(err, history.ErrCorrupt) {
		t.Errorf("check: got %v, want %v", err, history.ErrCorrupt)
	}
	_, err = s.Turns(t.Context(), 1, history.Page{Limit: 1000})
	if !errors.Is(err, history.ErrCorrupt) {
		t.Errorf("reading the page: got %v, want %v", err, history.ErrCorrupt)
	}
}

func TestDeletedWhileOpen(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, nil, 0o600))
		},
		"folder removed": func(path string) error {
			return os.RemoveAll(filepath.Dir(path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "in", "history.db")
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			must(t, err)
			defer s.Close()
			must(t, act(path))
			if _, err := s.CreateSession(t.Context(), "lost"); !errors.Is(err, history.ErrGone) {
				t.Errorf("got %v, want %v", err, history.ErrGone)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	for _, path := range []string{sqlite.Memory, filepath.Join(t.TempDir(), "history.db")} {
		s := open(t, path, sqlite.Options{})
		must(t, errorOf(s.CreateSession(t.Context(), "kept")))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.CreateSession(ctx, "never"); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
		if _, err := s.Search(ctx, history.Query{Text: "x"}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
		hits, _, err := s.Sessions(t.Context(), history.Query{})
		if err != nil || len(hits) != 1 || hits[0].Name != "kept" {
			t.Errorf("got %v %v, want what was there", hits, err)
		}
	}
}

// A process that is killed within a transaction of a store without a -wal file leaves a journal, by which the next one
// undoes the transaction.
func TestAKilledTransactionIsUndone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	fillStore(t, path, 3)
	db, err := rawOpen(path)
	must(t, err)
	defer db.Close() //nolint:errcheck // its transaction is not committed
	for _, statement := range []string{`pragma journal_mode = delete`, `pragma cache_size = 2`, `begin immediate`,
		`with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000)
			insert into settings (name, value) select 'x' || i, hex(randomblob(200)) from n`} {
		_, err := db.ExecContext(t.Context(), statement)
		must(t, err)
	}
	for name, use := range map[string]func(killed, other string) (string, error){
		"opened": func(killed, _ string) (string, error) { return killed, nil },
		"backed up": func(killed, other string) (string, error) {
			return other, sqlite.Backup(t.Context(), killed, other)
		},
		"restored": func(killed, other string) (string, error) {
			_, err := sqlite.Restore(t.Context(), killed, other)
			return other, err
		},
	} {
		killed, other := filepath.Join(t.TempDir(), "history.db"), filepath.Join(t.TempDir(), "new", "history.db")
		for _, end := range []string{"", "-journal"} {
			b, err := os.ReadFile(path + end)
			must(t, err)
			must(t, os.WriteFile(killed+end, b, 0o600))
		}
		got, err := use(killed, other)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, err := sqlite.Open(t.Context(), got, sqlite.Options{})
		must(t, err)
		if value, err := s.Setting(t.Context(), "x1"); value != "" || err != nil {
			t.Errorf("%s: the transaction left %q, %v", name, value, err)
		}
		must(t, s.Check(t.Context()))
		must(t, s.Close())
	}
}
