package sqlite_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"confab/history"
	"confab/history/sqlite"
)

// childDeletes deletes its session for good, beginning when all children do.
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
	const processes = 8
	release := make(chan struct{})
	results := make(chan error, processes)
	ready := make(chan string, processes)
	for range processes {
		c := child(t, "delete", path)
		in, err := c.StdinPipe()
		must(t, err)
		out, err := c.StdoutPipe()
		must(t, err)
		must(t, c.Start())
		go func() {
			said := lines(t, out)
			ready <- <-said
			<-release
			in.Close()
			rest := ""
			for line := range said {
				rest += line
			}
			if err := c.Wait(); err != nil {
				results <- fmt.Errorf("%w: %s", err, rest)
				return
			}
			results <- nil
		}()
	}
	for range processes {
		if got := <-ready; got != "ready" {
			t.Errorf("a process said %q", got)
		}
	}
	close(release)
	for range processes {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if err := s.Undelete(t.Context(), undoable); err != nil {
		t.Errorf("what the screen deleted cannot be undone: %v", err)
	}
	if f, err := s.Info(t.Context()); err != nil || f.Sessions != 1 || f.Turns != 0 {
		t.Errorf("got %d sessions and %d turns, %v, want only the one of the screen", f.Sessions, f.Turns, err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}
