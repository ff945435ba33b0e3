package service_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/service"
	"confab/service/api"
)

func TestProgressIsCoalesced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory)
		retry := time.Now().Add(time.Hour)
		w.client.do = func(ctx context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange,
			error) {
			for i := range 10000 { // ten seconds
				observe(api.Progress{Received: int64(i), Attempt: 1})
				if err := sleep(ctx, time.Millisecond); err != nil {
					return api.Response{}, api.Exchange{}, err
				}
			}
			observe(api.Progress{Attempt: 1, RetryAt: retry})
			return answerTo(r), api.Exchange{}, sleep(ctx, time.Second)
		}
		turn, events := w.begin(t, service.Prompt{Text: "x", Models: []string{"delta"}})
		n, waited, version := 0, false, turn.Answers[0].Version
		for e := range events {
			n++
			if e.Answer.Version <= version {
				t.Errorf("version %d after %d", e.Answer.Version, version)
			}
			version = e.Answer.Version
			waited = waited || e.Answer.Progress.RetryAt.Equal(retry)
			turn = history.Apply(turn, e)
		}
		if n < 30 || n > 44 {
			t.Errorf("%d events in 11 s, want about 40", n)
		}
		if !waited {
			t.Error("the wait for another attempt was not told")
		}
		if a := turn.Answers[0]; a.State != history.Done || a.Progress != (history.Progress{}) {
			t.Errorf("ended as %+v", a)
		}
	})
}

func TestLastProgressIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory)
		w.client.do = func(ctx context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange,
			error) {
			observe(api.Progress{Received: 1, Attempt: 1})
			observe(api.Progress{Received: 777, Attempt: 1})
			return api.Response{}, api.Exchange{}, sleep(ctx, time.Hour) // stalls
		}
		turn, events := w.begin(t, service.Prompt{Text: "x", Models: []string{"delta"}})
		time.Sleep(time.Second)
		synctest.Wait()
		e := <-events
		if e.Answer.Progress.Received != 777 {
			t.Errorf("told of %d bytes, want 777", e.Answer.Progress.Received)
		}
		w.Stop(turn.Answers[0].ID)
		follow(turn, events)
	})
}

func TestSlowReaderHoldsUpNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory, func(o *service.Options) { o.Limits.Concurrency = 15 })
		w.client.do = func(ctx context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange,
			error) {
			for i := range 100 {
				observe(api.Progress{Received: int64(i), Attempt: i})
			}
			return answerTo(r), api.Exchange{}, sleep(ctx, time.Second)
		}
		turn, events := w.begin(t, service.Prompt{Text: "x", Models: textModels()})
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if stored := w.stored(t, turn.ID); len(stored.Answers) != 15 || stored.Answers[14].State != history.Done {
			t.Error("answers wait for the reader")
		}
		n := 0
		for e := range events {
			n++
			turn = history.Apply(turn, e)
		}
		if n != 15 {
			t.Errorf("%d events were kept, want the newest of each of 15", n)
		}
		for _, a := range turn.Answers {
			if a.State != history.Done {
				t.Errorf("%s: the ending was lost, it is %s", a.Model, a.State)
			}
		}
	})
}
