package service_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"confab/history"
	"confab/history/sqlite"
	"confab/internal/testserver"
	"confab/service"
)

// childPurges draws pictures, prints them, and purges most of them.
func childPurges(t *testing.T, s *service.Service, _ string) {
	draw := func(samples int) history.Turn {
		turn, events, err := s.Send(t.Context(), service.Prompt{
			SessionName: "kills",
			Text:        "draw",
			Models:      []string{"sim-image", "diffusion-xl"},
			Samples:     samples,
		})
		must(t, err)
		for range events {
		}
		return turn
	}
	draw(1)
	many, one := draw(8), draw(1).Answers[0]
	fmt.Println("drawn")
	must(t, errorOf(s.DeleteTurn(t.Context(), many.ID)))
	must(t, errorOf(s.DeleteAnswer(t.Context(), one.ID)))
	must(t, errorOf(s.Purge(t.Context(), 0)))
	fmt.Println("purged")
	time.Sleep(time.Hour) // until killed; without C, "select {}" is reported as a deadlock
}

// The next start deletes all pictures that a process killed during a purge left.
func TestKilledWhileItPurges(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := t.TempDir()
	server := httptest.NewServer(testserver.Strict(t, &slowService{seen: map[string]int{}}))
	defer server.Close()
	n := kills()
	purged := 0
	for range n {
		c := startChild(t, "purge", dir, server.URL)
		<-c.first
		<-time.After(rand.N(80 * time.Millisecond))
		lines := c.kill(t)
		if slices.Contains(lines, "purged") {
			purged++
		}
		for _, line := range lines {
			if line != "drawn" && line != "purged" {
				t.Errorf("a process said %q", line)
			}
		}
	}
	t.Logf("%d of %d processes were done before they were killed", purged, n)

	after, _ := recoverKilled(t, dir, server.URL, 2*time.Minute)
	// The deletions of the killed process are purged after a minute, since nobody can undo them.
	must(t, errorOf(after.Purge(t.Context(), 0)))
	session, err := after.SessionNamed(t.Context(), "kills")
	must(t, err)
	var turns []history.Turn
	pictureStore := 0
	must(t, after.EachTurn(t.Context(), session.ID, func(turn history.Turn) error {
		turns = append(turns, turn)
		pictureStore += len(turn.Answers)
		return nil
	}))
	if pictureStore < 3*n {
		t.Errorf("%d pictures are left of %d processes, want 3 of each", pictureStore, n)
	}
	checkFiles(t, dir, turns)
	must(t, after.Close(t.Context()))
}

// Purging a picture keeps one with the same name of another host, as earlier releases created.
func TestANameOfAnotherHostIsNotPurged(t *testing.T) {
	shared := t.TempDir()
	w := newWorld(t, func(o *service.Options) {
		o.History.Open = func(ctx context.Context) (history.Store, error) {
			return sqlite.Open(ctx, filepath.Join(shared, "history.db"), sqlite.Options{})
		}
	})
	gone := w.send(t, service.Prompt{Text: "fox", Models: []string{"sim-image"}})
	stays := w.send(t, service.Prompt{Text: "hen", Models: []string{"sim-image"}}).Answers[0]
	path := gone.Answers[0].Picture.Path
	must(t, errorOf(w.DeleteTurn(t.Context(), gone.ID)))
	facts := provenanceOf(path)
	must(t, errors.Join(os.Remove(path), os.Remove(facts)))
	w.giveName(t, shared, stays, filepath.Base(path))
	must(t, errorOf(w.Purge(t.Context(), 0)))
	w.wantPicture(t, stays)
	if names := w.files(t); !slices.Equal(names, []string{filepath.Base(facts), filepath.Base(path)}) {
		t.Errorf("left %q", names)
	}
}
