package service

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/testserver"
	"confab/service/api"
)

// TestPurgingChild is not a test: it is the process that is killed. It draws
// pictures, says so, and deletes most of them for good.
func TestPurgingChild(t *testing.T) {
	dir, url := os.Getenv("CONFAB_TEST_PURGE_DIR"), os.Getenv("CONFAB_TEST_CHILD_URL")
	if dir == "" {
		t.Skip("only as a child of TestKilledWhileItPurges")
	}
	s := serviceAt(dir, url, time.Now)
	draw := func(samples int) history.Turn {
		turn, events, err := s.Send(t.Context(),
			Prompt{SessionName: "kills", Text: "draw", Models: []string{"sim-image", "diffusion-xl"}, Samples: samples})
		if err != nil {
			t.Fatal(err)
		}
		for range events {
		}
		return turn
	}
	draw(1)
	many, one := draw(8), draw(1).Answers[0]
	fmt.Println("drawn")
	if _, err := s.DeleteTurn(t.Context(), many.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.DeleteAnswer(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Purge(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	fmt.Println("purged")
	time.Sleep(time.Hour) // to be killed; without C, "select {}" alone is reported as a deadlock
}

// A process that is killed while it deletes pictures for good leaves none that
// the next start does not delete.
func TestKilledWhileItPurges(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := t.TempDir()
	server := httptest.NewServer(testserver.Strict(t, &slowService{seen: map[string]int{}}))
	defer server.Close()
	n := kills()
	purged := 0
	for range n {
		c := startProcess(t, "TestPurgingChild", "CONFAB_TEST_PURGE_DIR="+dir, server.URL)
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

	after := serviceAt(dir, server.URL, func() time.Time { return time.Now().Add(2 * time.Minute) })
	found, err := after.Start(t.Context())
	if err != nil || found.Problem != nil {
		t.Fatalf("start: %+v, %v", found, err)
	}
	// What was hidden when the process died waits a minute for an undo that no
	// longer comes, and goes then.
	if _, err := after.Purge(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	session, err := after.SessionNamed(t.Context(), "kills")
	if err != nil {
		t.Fatal(err)
	}
	var turns []history.Turn
	pictureStore := 0
	if err := after.EachTurn(t.Context(), session.ID, func(turn history.Turn) error {
		turns = append(turns, turn)
		pictureStore += len(turn.Answers)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if pictureStore < 3*n {
		t.Errorf("%d pictures are left of %d processes, want 3 of each", pictureStore, n)
	}
	checkFiles(t, dir, turns)
	if err := after.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A deletion that goes on after its process was killed does not take a picture
// that was given the name of one that had gone by then.
func TestANameGivenAgainIsNotPurged(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.NameTemplate = "{slug}" })
	gone := w.send(t, Prompt{Text: "fox", Models: []string{"sim-image"}})
	path := gone.Answers[0].Picture.Path
	if _, err := w.DeleteTurn(t.Context(), gone.ID); err != nil {
		t.Fatal(err)
	}
	facts := strings.TrimSuffix(path, ".png") + ".json"
	if err := errors.Join(os.Remove(path), os.Remove(facts)); err != nil {
		t.Fatal(err)
	}
	store := newFailingStore(t, w)
	w.client.do = func(_ context.Context, r api.Request, _ func(api.Progress)) (api.Response, api.Exchange, error) {
		store.set(history.ErrFull) // from here on: the file is saved, its row is not yet
		return answerTo(r), api.Exchange{}, nil
	}
	now := w.send(t, Prompt{Text: "fox", Models: []string{"sim-image"}}).Answers[0]
	if _, err := os.Stat(path); err != nil || now.Picture == nil || w.Unsaved() != 1 {
		t.Fatalf("the name was not given again: %v, %+v", err, now)
	}
	if _, err := w.Purge(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	store.set(nil)
	if _, err := w.SaveAgain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a, err := w.Answer(t.Context(), now.ID); err != nil || a.State != history.Done || a.Picture == nil ||
		a.Picture.Path != path {
		t.Errorf("stored %+v, %v", a, err)
	}
	if names := w.files(t); !slices.Equal(names, []string{"fox.json", "fox.png"}) {
		t.Errorf("left %q", names)
	}
}
