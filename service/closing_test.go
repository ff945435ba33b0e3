package service_test

import (
	"context"
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/service/problem"
	"confab/service/suite"
)

// closingStore is a store after each recording of which the service begins to close.
type closingStore struct {
	history.Store
	close func()
}

func (l closingStore) AddTurn(ctx context.Context, t history.Turn) (history.Turn, error) {
	t, err := l.Store.AddTurn(ctx, t)
	l.close()
	return t, err
}

func (l closingStore) AddAnswers(ctx context.Context, turn int64, a []history.Answer) ([]history.Answer, error) {
	a, err := l.Store.AddAnswers(ctx, turn, a)
	l.close()
	return a, err
}

func (l closingStore) AddTurnToSession(ctx context.Context, name string, t history.Turn) (history.Turn, error) {
	t, err := l.Store.AddTurnToSession(ctx, name, t)
	l.close()
	return t, err
}

func (l closingStore) StartRun(ctx context.Context, r history.Run, c history.Cell, t history.Turn) (history.Run,
	history.Cell, history.Turn, error) {
	r, c, t, err := l.Store.StartRun(ctx, r, c, t)
	l.close()
	return r, c, t, err
}

// An answer recorded while the service closes is neither requested nor shown as requested.
func TestRecordedAsTheServiceCloses(t *testing.T) {
	for _, tt := range []struct {
		name        string
		do          func(w *world, turn history.Turn, o suite.Request) error
		interrupted int // answers
	}{
		{"sent", func(w *world, _ history.Turn, _ suite.Request) error {
			_, _, err := w.Send(context.Background(), service.Prompt{Text: "late", Models: []string{"delta", "zeta"}})
			return err
		}, 2},
		{"sent again", func(w *world, turn history.Turn, _ suite.Request) error {
			_, _, err := w.Again(context.Background(), turn.Answers[0].ID, false)
			return err
		}, 1},
		{"of a run", func(w *world, _ history.Turn, o suite.Request) error {
			r, events, err := startRun(context.Background(), w.Runner(), o)
			if err != nil {
				return err
			}
			for e := range events {
				return problem.New(api.CodeService, nil, "cell %d was told", e.Index)
			}
			if r.Err() != nil {
				return r.Err()
			}
			return &api.Error{Code: api.CodeCancelled, Err: service.ErrClosing}
		}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			w := worldIn(t, dir)
			turn := w.send(t, service.Prompt{Text: "early", Models: []string{"delta"}})
			o := w.suiteIn(t, "s.yaml", "prompts: [late]\nproviders: [llm:delta]\n")
			closed := make(chan error, 1)
			w.wrapStore(t, func(store history.Store) history.Store {
				return closingStore{store, func() {
					go func() { closed <- w.Close(context.Background()) }()
					for { // until the service refuses calls
						_, _, err := w.Send(t.Context(), service.Prompt{})
						if errors.Is(err, service.ErrClosing) {
							return
						}
					}
				}}
			})
			asked := len(w.client.requests())
			if err := tt.do(w, turn, o); api.CodeOf(err) != api.CodeCancelled {
				t.Errorf("got %v, want that the service closes", err)
			}
			must(t, <-closed)
			if n := len(w.client.requests()) - asked; n != 0 {
				t.Errorf("%d requests were made", n)
			}
			again := worldIn(t, dir)
			sessions, _, err := again.Sessions(t.Context(), "", 0)
			must(t, err)
			counts := map[history.State]int{}
			for _, in := range sessions {
				turns, err := again.Turns(t.Context(), in.ID, history.Page{})
				must(t, err)
				for _, turn := range turns {
					for _, a := range turn.Answers {
						counts[a.State]++
					}
				}
			}
			if want := map[history.State]int{history.Done: 1, history.Interrupted: tt.interrupted}; !maps.Equal(counts,
				want) {
				t.Errorf("kept %v, want %v", counts, want)
			}
		})
	}
}

// Another process sees that an answer runs, and since when.
func TestOthersSeeThatAnAnswerRuns(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w, other := worldIn(t, dir, func(o *service.Options) { o.Limits.Concurrency = 1 }), worldIn(t, dir)
		w.client.takes(time.Minute)
		turn, events := w.begin(t, service.Prompt{Text: "x", Models: []string{"delta", "zeta"}})
		seen := func() (history.State, history.State) {
			synctest.Wait()
			stored := other.stored(t, turn.ID)
			return stored.Answers[0].State, stored.Answers[1].State
		}
		if one, two := seen(); one != history.Queued || two != history.Queued {
			t.Errorf("at once %s and %s", one, two)
		}
		began := time.Now()
		time.Sleep(service.RunningMarkDelay)
		if one, two := seen(); one != history.Running || two != history.Queued {
			t.Errorf("after a second %s and %s, want running and queued", one, two)
		}
		if at := other.stored(t, turn.ID).Answers[0]; !at.Started.Equal(began.UTC().Truncate(time.Millisecond)) ||
			!at.Ended.IsZero() {
			t.Errorf("it runs since %v, want %v", at.Started, began)
		}
		if j := other.Exporter().AnswerRecord(turn, other.stored(t, turn.ID).Answers[0]); j.State != history.Running ||
			j.Started == nil || j.ElapsedMS != nil {
			t.Errorf("scripts see %+v", j)
		}
		turn = follow(turn, events)
		if one, two := seen(); one != history.Done || two != history.Done {
			t.Errorf("at the end %s and %s", one, two)
		}
	})
}
