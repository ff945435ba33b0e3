package service_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/service/api"
)

// TestWhatIsInMemoryGoesIntoTheHistory starts while the history cannot be written, reads it, asks on in an old session
// and in a new one, and finds all of it in the history once that can be written.
func TestWhatIsInMemoryGoesIntoTheHistory(t *testing.T) {
	for name, canRead := range map[string]bool{"a copy": true, "nothing": false} {
		t.Run(name, func(t *testing.T) { testReopen(t, canRead) })
	}
}

// refusingStore takes turns, but at times no request of an answer.
type refusingStore struct {
	history.Store
	isRefusing *bool
}

func (s refusingStore) SaveExchange(ctx context.Context, answer int64, e history.Exchange) error {
	if *s.isRefusing {
		return &history.StoreError{Step: "save a request", Kind: history.ErrFull, Cause: errors.New("no space")}
	}
	return s.Store.SaveExchange(ctx, answer, e)
}

func testReopen(t *testing.T, canRead bool) {
	ctx, dir := t.Context(), t.TempDir()
	before := worldIn(t, dir)
	old := before.send(t, service.Prompt{Text: "old", Models: []string{"delta"}})
	if err := before.Close(ctx); err != nil {
		t.Fatal(err)
	}
	full := &history.StoreError{Step: "open the history", Kind: history.ErrFull, Cause: errors.New("no space")}
	isFull, isRefusing := true, false
	w := worldIn(t, dir, func(o *service.Options) {
		o.History.Open = func(ctx context.Context) (history.Store, error) {
			if isFull {
				return nil, full
			}
			store, err := sqlite.Open(ctx, filepath.Join(dir, "history.db"), sqlite.Options{})
			return refusingStore{store, &isRefusing}, err
		}
		o.History.OpenCopy = func(ctx context.Context, folder string) (history.Store, error) {
			if !canRead {
				return nil, full
			}
			return sqlite.OpenCopy(ctx, filepath.Join(dir, "history.db"), folder)
		}
	})
	found, err := w.Start(ctx)
	if err != nil || found.IsSaving || found.Problem == nil || found.CanRead != canRead {
		t.Fatalf("started %+v, %v", found, err)
	}
	unsaved := 2
	if canRead {
		unsaved = 3
		if got, err := w.Turn(ctx, old.ID); err != nil || got.Prompt != "old" {
			t.Errorf("read %+v, %v", got, err)
		}
		if _, err := w.DeleteTurn(ctx, old.ID); api.CodeOf(err) != api.CodeDisk {
			t.Errorf("deleting in a copy: %v", err)
		}
		if _, err := w.Judge(ctx, old.Answers[0].ID, history.Good, false, ""); api.CodeOf(err) != api.CodeDisk {
			t.Errorf("judging in a copy: %v", err)
		}
		w.send(t, service.Prompt{Session: old.Session, Text: "on", Models: []string{"delta"}, HasContext: true})
		if _, err := w.ForkSession(ctx, old.Session, 0, ""); api.CodeOf(err) != api.CodeDisk {
			t.Errorf("forking a copy: %v", err)
		}
		if _, _, err := w.Again(ctx, old.Answers[0].ID, false); api.CodeOf(err) != api.CodeDisk {
			t.Errorf("asking again in a copy: %v", err)
		}
	}
	first := w.send(t, service.Prompt{Text: "new", Models: []string{"delta", "sim-image"}})
	vote := history.Vote{AnswerA: first.Answers[0].ID, AnswerB: first.Answers[1].ID, Preference: history.VoteA}
	if _, err := w.AddVote(ctx, vote); api.CodeOf(err) != api.CodeDisk {
		t.Errorf("voting in a copy: %v", err)
	}
	if _, err := w.Judge(ctx, first.Answers[0].ID, history.Good, false, "fine"); err != nil {
		t.Error(err)
	}
	w.send(t, service.Prompt{Session: first.Session, Text: "newer", Models: []string{"delta"}, HasContext: true})
	if r, err := w.Reopen(ctx); err == nil || r.IsSaving || w.UnsavedTurns() != unsaved {
		t.Errorf("still full: %+v, %v, %d turns", r, err, w.UnsavedTurns())
	}

	// Another process has written meanwhile, so that the ids are taken.
	isFull = false
	other := worldIn(t, dir)
	other.send(t, service.Prompt{Session: old.Session, Text: "of another process", Models: []string{"delta"}})
	isRefusing = true
	if r, err := w.Reopen(ctx); err == nil || r.IsSaving {
		t.Errorf("moved what was refused: %+v, %v", r, err)
	}
	isRefusing = false
	r, err := w.Reopen(ctx)
	if err != nil || !r.IsSaving || r.Turns != unsaved || w.UnsavedTurns() != 0 || !w.IsSaving() ||
		w.StoreProblem() != nil {
		t.Fatalf("reopened: %+v, %v", r, err)
	}
	if in, err := other.Turns(ctx, old.Session, history.Page{}); err != nil || len(in) != unsaved {
		t.Errorf("the old session has %d turns, %v, want %d: each once", len(in), err, unsaved)
	}
	turns, err := other.Turns(ctx, r.Sessions[first.Session], history.Page{})
	if err != nil || len(turns) != 2 || turns[0].Prompt != "new" || turns[1].Prompt != "newer" {
		t.Fatalf("moved %+v, %v", turns, err)
	}
	moved := turns[0].Answers
	if moved[0].Note != "fine" || moved[0].Rating != history.Good || moved[0].State != history.Done ||
		moved[1].Picture == nil {
		t.Errorf("moved %+v", moved)
	}
	e, isWhole, err := other.Exchange(ctx, turns[1].Answers[0].ID)
	if err != nil || !isWhole || !bytes.Contains(e.RequestBody, []byte("newer")) {
		t.Errorf("what was sent is %s, whole %t, %v", e.RequestBody, isWhole, err)
	}
	if s, err := other.Session(ctx, turns[0].Session); err != nil || s.Name != "new" {
		t.Errorf("the session is %+v, %v", s, err)
	}
	w.send(t, service.Prompt{Session: turns[0].Session, Text: "saved", Models: []string{"delta"}})
	if again, err := w.Reopen(ctx); err != nil || !again.IsSaving || again.Turns != 0 {
		t.Errorf("once more: %+v, %v", again, err)
	}
}

// TestClosingSavesWhatIsInMemory ends the program after there is room again.
func TestClosingSavesWhatIsInMemory(t *testing.T) {
	dir := t.TempDir()
	isFull := true
	w := worldIn(t, dir, func(o *service.Options) {
		o.History.Open = func(ctx context.Context) (history.Store, error) {
			if isFull {
				return nil, &history.StoreError{Step: "open", Kind: history.ErrFull, Cause: errors.New("no space")}
			}
			return sqlite.Open(ctx, filepath.Join(dir, "history.db"), sqlite.Options{})
		}
	})
	w.send(t, service.Prompt{Text: "late", Models: []string{"delta"}})
	isFull = false
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if last, err := worldIn(t, dir).LastSession(t.Context()); err != nil || last.Name != "late" {
		t.Errorf("the last session is %+v, %v", last, err)
	}
}
