package postgres_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"confab/history"
	"confab/history/postgres"
	"confab/history/postgres/pgtest"
	"confab/history/sqlite"
	"confab/history/storetest"
	"confab/internal/testflags"
)

// server is shared by all tests; nil if PostgreSQL is not installed.
var server *pgtest.Server

func TestMain(m *testing.M) {
	s, err := pgtest.Start()
	if err != nil && !errors.Is(err, pgtest.ErrMissing) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	server = s
	code := m.Run()
	if s != nil {
		s.Remove()
	}
	os.Exit(code)
}

// connect connects the program's role to the shared database until the end of the test.
func connect(t *testing.T, o postgres.Options) *postgres.Server {
	t.Helper()
	pgtest.SkipWithout(t)
	_, err := postgres.Migrate(t.Context(), postgres.Options{URL: server.URL(pgtest.Owner, "confab")}, pgtest.Program,
		false)
	must(t, err)
	if o.URL == "" {
		o.URL = server.URL(pgtest.Program, "confab")
	}
	s, err := postgres.Connect(t.Context(), o)
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestStore runs the common tests. Every place is the history of another user in one database.
func TestStore(t *testing.T) { testStore(t, connect(t, postgres.Options{})) }

// TestThroughPooler runs them through a pooler in transaction mode, where transactions use different connections.
func TestThroughPooler(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("runs all tests of stores once more")
	}
	pgtest.SkipWithout(t)
	testStore(t, connect(t, postgres.Options{URL: server.StartPooler(t, pgtest.Program, "confab")}))
}

func testStore(t *testing.T, s *postgres.Server) {
	t.Run("all", func(t *testing.T) { storetest.Run(t, openOn(s)) })
}

// openOn opens the history of the user named like the place.
func openOn(s *postgres.Server) storetest.OpenFunc {
	return func(t *testing.T, place string, o storetest.Options) history.Store {
		return storeOf(t, s, place, postgres.StoreOptions{Process: o.Process, Now: o.Now, Alive: o.Alive})
	}
}

// TestCopies copies from a file to the database and back. An existing history of another user does not change.
func TestCopies(t *testing.T) {
	s := connect(t, postgres.Options{})
	bystander := openOn(s)(t, t.TempDir(), storetest.Options{})
	storetest.Fill(t, bystander)
	before := storetest.Describe(t, bystander)
	t.Run("all", func(t *testing.T) {
		storetest.RunCopies(t, func(t *testing.T, place string, o storetest.Options) history.Store {
			store, err := sqlite.Open(t.Context(), filepath.Join(place, "history.db"),
				sqlite.Options{Process: o.Process, Now: o.Now, Alive: o.Alive})
			must(t, err)
			t.Cleanup(func() { store.Close() })
			return store
		}, openOn(s))
	})
	if !reflect.DeepEqual(storetest.Describe(t, bystander), before) {
		t.Error("the history of another user was changed")
	}
}

func errorOf[T any](_ T, err error) error { return err }
