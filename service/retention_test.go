package service

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"confab/history"
)

// busyStore is a store in which somebody goes on with an old session as soon as it was found.
type busyStore struct {
	history.Store
	session int64
	before  time.Time
	added   history.Turn
}

func (s *busyStore) use(ctx context.Context) (err error) {
	if s.added.ID == 0 {
		s.added, err = s.AddTurn(ctx, history.Turn{Session: s.session, Prompt: "new", Samples: 1,
			Created: s.before.Add(time.Second)})
	}
	return err
}

func (s *busyStore) Expired(ctx context.Context, before time.Time, limit int) (history.Expired, error) {
	found, err := s.Store.Expired(ctx, before, limit)
	if err != nil {
		return found, err
	}
	return found, s.use(ctx)
}

func (s *busyStore) DeleteExpired(ctx context.Context, before time.Time, limit int) (history.Expired, error) {
	if err := s.use(ctx); err != nil {
		return history.Expired{}, err
	}
	return s.Store.DeleteExpired(ctx, before, limit)
}

// TestWhatIsUsedMeanwhileIsNotPruned goes on with an old session while old ones are deleted.
func TestWhatIsUsedMeanwhileIsNotPruned(t *testing.T) {
	w := newWorld(t)
	old := w.send(t, Prompt{Text: "old", Models: []string{"delta"}})
	busy := &busyStore{session: old.Session, before: time.Now().Add(time.Hour)}
	w.wrapStore(t, func(s history.Store) history.Store { busy.Store = s; return busy })
	gone, err := w.Prune(t.Context(), busy.before)
	if err != nil || len(gone.Sessions) != 0 || len(gone.Turns) != 1 || gone.Turns[0] != old.ID {
		t.Errorf("pruned %+v, %v", gone, err)
	}
	if turn := w.stored(t, busy.added.ID); turn.Prompt != "new" {
		t.Errorf("left %+v", turn)
	}
}

// TestAHoldStopsPruning prunes under a legal hold, which hides nothing, and begins a hold while the history is pruned.
func TestAHoldStopsPruning(t *testing.T) {
	held := errors.New("a legal hold")
	var checks, allowed int
	w := newWorld(t)
	for range pruneStep + 1 {
		w.send(t, Prompt{Text: "old", Models: []string{"delta"}})
	}
	w.o.CheckDelete = func(context.Context) error {
		if checks++; checks > allowed {
			return held
		}
		return nil
	}
	left := func() int {
		t.Helper()
		store, err := w.history(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		deleted, err := store.DeletedSessions(t.Context())
		info, infoErr := store.Info(t.Context())
		if len(deleted) > 0 || info.Deleted > 0 || errors.Join(err, infoErr) != nil {
			t.Errorf("%v are hidden: %+v, %v, %v", deleted, info, err, infoErr)
		}
		return info.Sessions
	}
	before := time.Now().Add(time.Hour)
	gone, err := w.Prune(t.Context(), before)
	if n := left(); !errors.Is(err, held) || len(gone.Sessions) > 0 || n != pruneStep+1 {
		t.Errorf("pruned %+v under a hold, %v; %d sessions are left", gone, err, n)
	}
	checks, allowed = 0, 2 // for hiding and purging the first step
	gone, err = w.Prune(t.Context(), before)
	if n := left(); !errors.Is(err, held) || len(gone.Sessions) != pruneStep || n != 1 {
		t.Errorf("pruned %d sessions before the hold, %v; %d are left", len(gone.Sessions), err, n)
	}
}

// sharingStore is a store of several users, which refuses to share what is not there.
type sharingStore struct {
	history.Store
	history.Sharer
}

func (sharingStore) ShareSession(_ context.Context, id int64, _ bool) error {
	if id != 1 {
		return history.ErrNotFound
	}
	return nil
}

func (sharingStore) ShareRun(context.Context, int64, bool) error { return nil }

// TestSharingIsTold shares and ends that. What was done is told for the audit stream, and what failed is not.
func TestSharingIsTold(t *testing.T) {
	w := newWorld(t)
	var told []string
	w.o.OnAction = func(action, what string) { told = append(told, action+" "+what) }
	w.wrapStore(t, func(s history.Store) history.Store { return sharingStore{Store: s} })
	ctx := t.Context()
	if err := errors.Join(w.ShareSession(ctx, 1, true), w.ShareSession(ctx, 1, false), w.ShareRun(ctx, 2, true),
		w.ShareRun(ctx, 2, false)); err != nil {
		t.Fatal(err)
	}
	for _, isShared := range []bool{true, false} {
		if err := w.ShareSession(ctx, 3, isShared); !errors.Is(err, history.ErrNotFound) {
			t.Errorf("what is not there: %v", err)
		}
	}
	want := []string{"sharing session 1", "end_of_sharing session 1", "sharing run 2", "end_of_sharing run 2"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}
