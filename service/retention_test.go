package service

import (
	"context"
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
