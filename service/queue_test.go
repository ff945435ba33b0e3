package service_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"confab/service"
	"confab/service/api"
)

// TestWaitingIsNoTimeOfTheModel queues an answer in confab, and then at the service.
func TestWaitingIsNoTimeOfTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, inMemory, func(o *service.Options) { o.Limits.Concurrency = 1 })
		w.client.do = func(_ context.Context, r api.Request, observe func(api.Progress)) (api.Response, api.Exchange,
			error) {
			const queued = 2 * time.Second
			observe(api.Progress{Attempt: 1})
			time.Sleep(queued + time.Second)
			observe(api.Progress{Attempt: 1, Received: 10, Text: "x", QueueWait: queued})
			time.Sleep(4 * time.Second)
			a := answerTo(r)
			a.QueueWait = queued
			return a, api.Exchange{Total: 7 * time.Second}, nil
		}
		turn := w.send(t, service.Prompt{Text: "x", Models: textModels()[:2]})
		for i, wait := range []time.Duration{2 * time.Second, 9 * time.Second} {
			a := w.stored(t, turn.ID).Answers[i]
			if a.Elapsed != 5*time.Second || a.FirstToken != time.Second || a.QueueWait != wait {
				t.Errorf("answer %d took %v, %v to first, after %v in the queue", i, a.Elapsed,
					a.FirstToken, a.QueueWait)
			}
		}
	})
}

// TestTextThatIsTakenBack streams a text that turns out to be reasoning.
func TestTextThatIsTakenBack(t *testing.T) {
	w := newWorld(t, inMemory)
	w.client.do = func(_ context.Context, _ api.Request, observe func(api.Progress)) (api.Response, api.Exchange,
		error) {
		observe(api.Progress{Attempt: 1})
		observe(api.Progress{Attempt: 1, Received: 3, Text: "Hm."})
		observe(api.Progress{Attempt: 1, Received: 9, DropsText: true, Reasoning: "Hm.", Text: "Y"})
		return api.Response{}, api.Exchange{}, &api.Error{Code: api.CodeBadResponse, Message: "It broke off."}
	}
	turn := w.send(t, service.Prompt{Text: "x", Models: textModels()[:1]})
	if a := w.stored(t, turn.ID).Answers[0]; a.Text != "Y" || a.Reasoning != "Hm." {
		t.Errorf("stored %q after %q", a.Text, a.Reasoning)
	}
}
