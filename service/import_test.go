package service_test

import (
	"errors"
	"path/filepath"
	"testing"

	"confab/internal/redact"
	"confab/service"
)

// An import that ends after its first session, as by a signal, is continued by the next one.
func TestImportIsResumed(t *testing.T) {
	w := newWorld(t)
	stopped := errors.New("stopped")
	path, err := filepath.Abs("../internal/cli/testdata/import/claude.json")
	must(t, err)
	var names []string
	_, err = w.Import(t.Context(), path, false, func(i service.Imported) error {
		names = append(names, i.Name)
		return stopped
	})
	if !errors.Is(err, stopped) || len(names) != 1 {
		t.Fatalf("stopped after %q: %v", names, err)
	}
	var added []bool
	_, err = w.Import(t.Context(), path, false, func(i service.Imported) error {
		added = append(added, !i.IsNothing())
		return nil
	})
	must(t, err)
	if len(added) != 2 || added[0] || !added[1] {
		t.Errorf("added the second time: %v, want only the second session", added)
	}
}

// An API key in a conversation is masked as one that is sent.
func TestImportMasksKeys(t *testing.T) {
	w := newWorld(t, func(o *service.Options) { o.Mask = redact.NewMasker("What makes tides?") })
	path, err := filepath.Abs("../internal/cli/testdata/import/claude.json")
	must(t, err)
	for range 2 { // the second time nothing is new
		_, err = w.Import(t.Context(), path, false, func(service.Imported) error { return nil })
		must(t, err)
	}
	hits, err := w.Search(t.Context(), "tides", 10)
	must(t, err)
	if len(hits) != 0 {
		t.Errorf("found %+v", hits)
	}
}
