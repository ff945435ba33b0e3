package sqlite_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"confab/history"
	"confab/history/sqlite"
)

// childDeletes purges its session at the same time as all children.
func childDeletes(ctx context.Context, path string) error {
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	in, err := s.CreateSession(ctx, "")
	if err != nil {
		return err
	}
	if _, err := s.AddTurn(ctx,
		history.Turn{Session: in.ID, Prompt: "deleted by " + strconv.Itoa(os.Getpid())}); err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	if _, err := s.DeleteSession(ctx, in.ID); err != nil {
		return err
	}
	return s.Purge(ctx, 0, nil)
}

func TestManyProcessesDeleteAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s := open(t, path, sqlite.Options{})
	screen, err := s.CreateSession(t.Context(), "of a screen")
	must(t, err)
	undoable, err := s.DeleteSession(t.Context(), screen.ID)
	must(t, err)
	var releases []func() error
	for range 8 {
		releases = append(releases, startHeld(t, "delete", path, "ready"))
	}
	var all sync.WaitGroup
	for _, release := range releases {
		all.Go(func() {
			if err := release(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := s.Undelete(t.Context(), undoable); err != nil {
		t.Errorf("what the screen deleted cannot be undone: %v", err)
	}
	if f, err := s.Info(t.Context()); err != nil || f.Sessions != 1 || f.Turns != 0 {
		t.Errorf("got %d sessions and %d turns, %v, want only the one of the screen", f.Sessions, f.Turns, err)
	}
	must(t, s.Check(t.Context()))
}
