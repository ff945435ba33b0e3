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
)

func TestWhoEndsAnAnswerDecidesItsState(t *testing.T) {
	tests := []struct {
		name string
		end  func(w *world, cancel context.CancelCauseFunc, ids []int64)
		want string
	}{
		{"stopped", func(w *world, _ context.CancelCauseFunc, ids []int64) { w.Stop(ids...) }, "cancelled"},
		{"context cancelled", func(_ *world, cancel context.CancelCauseFunc, _ []int64) { cancel(nil) }, "cancelled"},
		{"context cancelled for a reason",
			func(_ *world, cancel context.CancelCauseFunc, _ []int64) { cancel(errors.New("why not")) }, "cancelled"},
		{
			"told that the program ends",
			func(_ *world, cancel context.CancelCauseFunc, _ []int64) { cancel(service.ErrClosing) },
			"interrupted",
		},
		{"closed", func(w *world, _ context.CancelCauseFunc, _ []int64) {
			if err := w.Close(context.Background()); err != nil {
				panic(err)
			}
		}, "interrupted"},
		{"deadline", func(*world, context.CancelCauseFunc, []int64) { time.Sleep(time.Hour) }, "failed timeout"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := worldIn(t, dir, func(o *service.Options) { o.Limits.Concurrency = 2 })
				w.client.do = func(ctx context.Context, r api.Request, _ func(api.Progress)) (api.Response,
					api.Exchange, error) {
					return api.Response{}, api.Exchange{}, sleep(ctx, 100*time.Hour)
				}
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				limited, done := context.WithTimeout(ctx, 10*time.Minute)
				defer done()
				turn, events, err := w.Send(limited,
					service.Prompt{Text: "x", Models: []string{"delta", "zeta", "phi-2", "oss-20b"}})
				must(t, err)
				synctest.Wait()
				var ids []int64
				for _, a := range turn.Answers {
					ids = append(ids, a.ID)
				}
				begun := time.Now()
				tt.end(w, cancel, ids)
				turn = follow(turn, events)
				if took := time.Since(begun); took > time.Hour {
					t.Errorf("took %s", took)
				}
				want := map[string]string{"delta": tt.want, "zeta": tt.want, "phi-2": tt.want, "oss-20b": tt.want}
				if got := states(turn); !maps.Equal(got, want) {
					t.Errorf("got %v, want %v", got, want)
				}
				must(t, w.Close(context.Background()))
				again := worldIn(t, dir)
				stored := again.stored(t, turn.ID)
				if got := states(stored); !maps.Equal(got, want) {
					t.Errorf("stored %v, want %v", got, want)
				}
				if _, _, err := w.Send(t.Context(), service.Prompt{Text: "x", Models: []string{"delta"}}); err == nil {
					t.Error("a closed service sends")
				}
			})
		})
	}
}

func TestStopOfOneLeavesOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory, func(o *service.Options) { o.Limits.Concurrency = 1 })
		w.client.takes(time.Minute)
		turn, events := w.begin(t, service.Prompt{Text: "x", Models: []string{"delta", "zeta", "phi-2"}})
		synctest.Wait()
		w.Stop(turn.Answers[2].ID, 4711) // the last queued one, and a missing one
		synctest.Wait()
		now, err := w.Turn(t.Context(), turn.ID)
		if err != nil || now.Answers[2].State != history.Cancelled {
			t.Errorf("at once it is %s (%v), want cancelled", now.Answers[2].State, err)
		}
		got := states(follow(turn, events))
		if want := map[string]string{"delta": "done", "zeta": "done", "phi-2": "cancelled"}; !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if n := len(w.client.requests()); n != 2 {
			t.Errorf("%d requests were made, want 2", n)
		}
	})
}
