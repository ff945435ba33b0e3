package sqlite_test

import (
	"path/filepath"
	"testing"

	"confab/history"
	"confab/history/sqlite"
	"confab/history/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, openIn)
}

// open opens a store that the test closes.
func open(t *testing.T, path string, o sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, o)
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestCopies(t *testing.T) {
	t.Parallel()
	storetest.RunCopies(t, openIn, openIn)
}

// openIn opens the store in a folder.
func openIn(t *testing.T, place string, o storetest.Options) history.Store {
	return open(t, filepath.Join(place, "history.db"), sqlite.Options{Process: o.Process, Now: o.Now, Alive: o.Alive})
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func errorOf[T any](_ T, err error) error { return err }
