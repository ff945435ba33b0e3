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

// TestWhatIsInMemoryGoesIntoTheHistory starts with a read-only history, reads it, sends turns in an old and a new
// session, and finds all of it in the history once that is writable.
func TestWhatIsInMemoryGoesIntoTheHistory(t *testing.T) {
	for name, canRead := range map[string]bool{"a copy": true, "nothing": false} {
		t.Run(name, func(t *testing.T) { testReopen(t, canRead) })
	}
}

// refusingStore stores turns, but can refuse exchanges.
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

// withFullDisk opens the history in a folder unless the disk is full; then the store may still refuse.
func withFullDisk(dir string, isFull, isRefusing *bool) func(*service.Options) {
	return func(o *service.Options) {
		o.History.Open = func(ctx context.Context) (history.Store, error) {
			if *isFull {
				return nil, &history.StoreError{Step: "open", Kind: history.ErrFull, Cause: errors.New("no space")}
			}
			store, err := sqlite.Open(ctx, filepath.Join(dir, "history.db"), sqlite.Options{})
			return refusingStore{store, isRefusing}, err
		}
	}
}

func testReopen(t *testing.T, canRead bool) {
	ctx, dir := t.Context(), t.TempDir()
	before := worldIn(t, dir)
	old := before.send(t, service.Prompt{Text: "old", Models: []string{"delta"}})
	must(t, before.Close(ctx))
	isFull, isRefusing := true, false
	w := worldIn(t, dir, withFullDisk(dir, &isFull, &isRefusing), func(o *service.Options) {
		o.History.OpenCopy = func(ctx context.Context, folder string) (history.Store, error) {
			if !canRead {
				return nil, errors.New("no space")
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
	must(t, errorOf(w.Judge(ctx, first.Answers[0].ID, history.Good, false, "fine")))
	w.send(t, service.Prompt{Session: first.Session, Text: "newer", Models: []string{"delta"}, HasContext: true})
	if r, err := w.Reopen(ctx); err == nil || r.IsSaving || w.UnsavedTurns() != unsaved {
		t.Errorf("still full: %+v, %v, %d turns", r, err, w.UnsavedTurns())
	}

	// Another process has used the ids.
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

// TestClosingSavesWhatIsInMemory closes the service after there is space again.
func TestClosingSavesWhatIsInMemory(t *testing.T) {
	dir := t.TempDir()
	isFull, isRefusing := true, false
	w := worldIn(t, dir, withFullDisk(dir, &isFull, &isRefusing))
	w.send(t, service.Prompt{Text: "late", Models: []string{"delta"}})
	isFull = false
	must(t, w.Close(t.Context()))
	if last, err := worldIn(t, dir).LastSession(t.Context()); err != nil || last.Name != "late" {
		t.Errorf("the last session is %+v, %v", last, err)
	}
}

// TestRunsInMemoryGoIntoTheHistory runs a suite on a full disk, in its own session and with a repeated answer. The
// first attempt to move it fails half-way.
func TestRunsInMemoryGoIntoTheHistory(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	isFull, isRefusing := true, false
	w := worldIn(t, dir, withFullDisk(dir, &isFull, &isRefusing))
	fails := "zeta"
	w.client.fails(func(r api.Request) bool { return r.Model.Slug == fails })
	o := w.suiteIn(t, "tones.yaml", tones)
	o.Note = "in memory"
	r, _ := w.run(t, ctx, o)
	fails, o.IsResumed = "", true
	w.run(t, ctx, o)
	run := r.Record().ID
	must(t, w.SetSetting(ctx, "theme", "dusk"))
	before := w.cellsOf(t, run)

	other := worldIn(t, dir) // takes the ids
	other.run(t, ctx, other.suiteIn(t, "other.yaml", tones))
	isFull, isRefusing = false, true
	if r, err := w.Reopen(ctx); err == nil || r.IsSaving {
		t.Errorf("moved what was refused: %+v, %v", r, err)
	}
	isRefusing = false
	report, err := w.Reopen(ctx)
	if err != nil || report.Runs[run] == 0 || report.Runs[run] == run {
		t.Fatalf("reopened: %+v, %v", report, err)
	}
	moved, err := other.Runner().Run(ctx, report.Runs[run])
	if err != nil || moved.Suite != "tones" || moved.Note != "in memory" || moved.Ended.IsZero() || moved.Cells != 8 ||
		moved.Session != report.Sessions[r.Record().Session] {
		t.Errorf("the run is %+v, %v", moved, err)
	}
	after := other.cellsOf(t, moved.ID)
	if len(after) != len(before) {
		t.Fatalf("%d cells, want %d", len(after), len(before))
	}
	for i, c := range after {
		b := before[i]
		turn := other.stored(t, c.Turn)
		if c.Key != b.Key || c.Row != b.Row || c.Column != b.Column || c.State != history.Done ||
			verdictsOf(c.Checks) != verdictsOf(b.Checks) || turn.Session != moved.Session ||
			turn.Answers[len(turn.Answers)-1].ID != c.Answer {
			t.Errorf("cell %d is %+v of %+v, want %+v", i, c, turn, b)
		}
		if want := map[string]int{"delta": 1, "zeta": 2}[c.Model]; len(turn.Answers) != want {
			t.Errorf("%d answers of %s, want %d", len(turn.Answers), c.Model, want)
		}
	}
	if theme, err := other.Setting(ctx, "theme"); err != nil || theme != "dusk" {
		t.Errorf("the theme is %q, %v", theme, err)
	}
}
