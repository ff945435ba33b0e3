package history_test

import (
	"path/filepath"
	"testing"

	"confab/history"
	"confab/history/internal/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T, place string, o history.Options) storetest.Store {
		return open(t, filepath.Join(place, "history.db"), o)
	})
}

// open opens a store that the test closes.
func open(t *testing.T, path string, o history.Options) *history.Store {
	t.Helper()
	s, err := history.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
