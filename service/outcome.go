package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/problem"
)

// finish ends the answer: it saves the picture and the records and emits the last event. Only the first call has an
// effect.
func (c *call) finish(response api.Response, exchange api.Exchange, err error) {
	a, isFirst := c.beginEnd()
	if !isFirst {
		return
	}
	defer c.end()
	defer safego.Recover(c.s.o.Log, "end of an answer", func(err error) {
		c.loseEnd(faultOf(err))
	})
	a = c.timed(a, response, exchange)
	if err != nil {
		a = c.failed(c.withPart(a, response), err)
	} else {
		a = c.done(a, response)
	}
	c.setAnswer(a)
	e := exchangeOf(exchange)
	if isRebuilt(c.b.turn, a) {
		e.RequestBody = nil
	}
	e.QueueWait = a.QueueWait
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), saveTimeout)
	defer cancel()
	c.setAnswer(c.s.keep(ctx, c.b.turn, a, e, response))
}

// beginEnd stops what happens while the answer runs, and returns what has come. Only the first call is told to go on.
func (c *call) beginEnd() (a history.Answer, isFirst bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isEnding {
		return history.Answer{}, false
	}
	c.isEnding = true
	c.stopReminder()
	if c.saveTimer != nil {
		c.saveTimer.Stop()
	}
	return c.answer, true
}

// timed returns the answer with its times at its end. Once it is ending, nothing else changes begun.
func (c *call) timed(a history.Answer, response api.Response, exchange api.Exchange) history.Answer {
	a.Progress = history.Progress{}
	a.Version++
	a.Ended = c.s.o.Now()
	a.QueueWait = response.QueueWait
	if !c.begun.IsZero() {
		a.Elapsed = time.Since(c.begun)
		a.QueueWait += max(0, c.begun.Sub(c.queued)) // max guards against a clock that went back
	}
	if exchange.Total > 0 {
		a.Elapsed = max(exchange.Total-response.QueueWait, 0)
	}
	a.HTTPStatus = cmp.Or(response.Status, exchange.Status)
	return a
}

func (c *call) setAnswer(a history.Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = a
}

// loseEnd fails the answer after a panic while its end was saved, so that its turn ends.
func (c *call) loseEnd(err error) {
	a := c.failed(c.current(), err)
	a.Progress, a.Ended = history.Progress{}, c.s.o.Now()
	a.Version += 2 // more than the version that was being saved
	c.setAnswer(a)
	c.s.saveEnd(context.WithoutCancel(c.ctx), a)
}

// end takes the answer off the list of those in flight and emits its last event.
func (c *call) end() {
	a := c.current()
	c.s.mu.Lock()
	delete(c.s.live, a.ID)
	c.s.mu.Unlock()
	c.b.events.put(a)
	c.cancel(nil)
	close(c.ended)
}

// failed returns the answer with the failure or end that err stands for.
func (c *call) failed(a history.Answer, err error) history.Answer {
	cause := cmp.Or(context.Cause(c.ctx), err)
	code := api.CodeOf(err)
	stopped := c.ctx.Err() != nil &&
		(code == "" || code == api.CodeCancelled || code == api.CodeNetwork || code == api.CodeTimeout)
	switch {
	case errors.Is(cause, ErrClosing) && (stopped || errors.Is(err, ErrClosing)):
		a.State = history.Interrupted
	case stopped && errors.Is(cause, context.DeadlineExceeded):
		a.State = history.Failed
		a.Failure = &history.Failure{Code: string(api.CodeTimeout),
			Message: "No answer came within the time that was given for the whole turn; give it more or ask again."}
	case stopped, code == api.CodeCancelled, errors.Is(err, context.Canceled):
		a.State = history.Cancelled
	default:
		a.State = history.Failed
		a.Failure = c.s.failureOf(err)
	}
	return a
}

// withPart returns an incomplete answer with the part of the response that arrived.
func (c *call) withPart(a history.Answer, r api.Response) history.Answer {
	if len(c.prefix)+len(r.Text) >= len(a.Text) && r.Text != "" {
		a.Text = c.prefix + r.Text
	}
	if len(r.Reasoning) >= len(a.Reasoning) {
		a.Reasoning = r.Reasoning
	}
	c.s.setUsage(&a, r.Usage)
	a.FirstToken = min(a.FirstToken, a.Elapsed)
	return a
}

// done returns the answer with its response. The picture is saved later.
func (c *call) done(a history.Answer, r api.Response) history.Answer {
	a.State = history.Done
	a.IsCached = r.IsCached
	a.IsMasked = r.IsMasked
	if r.ServedModel != "" && r.ServedModel != a.Model {
		a.ServedModel = c.s.o.Mask.String(r.ServedModel)
	}
	mask := c.s.o.Mask.String
	a.Engine, a.EngineModel, a.ServiceNote = mask(r.Engine), mask(r.EngineModel), mask(r.Note)
	if c.model.Kind == api.Text {
		a.Kind = history.KindText
		a.Text, a.Reasoning, a.Finish = c.prefix+r.Text, r.Reasoning, r.Finish
		a.FirstToken = min(max(c.firstToken+c.queueWait-r.QueueWait, 0), a.Elapsed)
		c.s.setUsage(&a, r.Usage)
		if r.Image == nil {
			if r.IsMasked {
				a.SHA256 = r.SHA256
			}
			return a
		}
		// A picture determines the kind of the answer; accompanying text becomes its note.
		a.Kind = history.KindImage
		a.ServiceNote = strings.TrimSpace(a.ServiceNote + " " + strings.Join(strings.Fields(r.Text), " "))
	}
	a.Picture = &history.Picture{
		ContentType: r.ContentType, Width: r.Width, Height: r.Height,
		Bytes: int64(len(r.Image)), SHA256: r.SHA256, IsTooLarge: r.IsTooLarge,
	}
	if c.b.turn.Source != nil && c.model.Kind == api.Edit {
		a.Picture.Parent = c.b.turn.Source.Answer
	}
	return a
}

// failureOf returns the code and sentence of an error with the key masked.
func (s *Service) failureOf(err error) *history.Failure {
	var known *api.Error
	if !errors.As(err, &known) {
		s.o.Log.Error("Met an error without a code", "error", err)
		known = problem.New(api.CodeService, err, "the answer could not be fetched, the log says more; run it again")
	}
	return &history.Failure{Code: string(known.Code), Message: s.o.Mask.String(known.Message)}
}

// maxRequestBody is the maximum stored size of a request's body in bytes; the turn holds the whole prompt.
const maxRequestBody = 256 << 10

// exchangeOf returns a call's record in the form that the store keeps.
func exchangeOf(e api.Exchange) history.Exchange {
	body := e.RequestBody
	if len(body) > maxRequestBody {
		body = fmt.Sprintf("%s… (%s in all)", body[:maxRequestBody], format.Count(len(e.RequestBody), "byte"))
	}
	header := make(map[string][][]byte, len(e.Header))
	for name, values := range e.Header {
		for _, v := range values {
			header[name] = append(header[name], []byte(v))
		}
	}
	return history.Exchange{
		Method: e.Method, URL: e.URL, RequestBody: []byte(body), Status: e.Status, Proto: e.Proto, Header: header,
		Head: []byte(e.Head), Received: e.Received, Attempts: e.Attempts,
		Connect: e.Connect, FirstByte: e.FirstByte, Total: e.Total,
	}
}

// LacksConnection reports whether an answer failed, or waits for a retry, because the service was unreachable.
func LacksConnection(a history.Answer) bool {
	return a.Progress.Failure == string(api.CodeNetwork) || a.Failure != nil &&
		a.Failure.Code == string(api.CodeNetwork)
}

// RetryWait returns the time until the next attempt of a running answer; 0 if none is planned.
func RetryWait(a history.Answer, now time.Time) time.Duration {
	if a.State != history.Running || a.Progress.RetryAt.IsZero() {
		return 0
	}
	return max(a.Progress.RetryAt.Sub(now), 0)
}

// RetrySeconds returns a wait in whole seconds for display, at least one.
func RetrySeconds(wait time.Duration) int { return max(int(wait.Round(time.Second)/time.Second), 1) }

// RetryText returns why and how long a running answer waits for its next attempt, such as "rate limited, trying again
// in 2 s"; empty if none is planned.
func RetryText(a history.Answer, now time.Time) string {
	wait := RetryWait(a, now)
	if wait == 0 {
		return ""
	}
	why := "rate limited"
	switch {
	case LacksConnection(a):
		why = "no connection"
	case a.Progress.Failure == string(api.CodeService):
		why = "service unavailable"
	}
	return fmt.Sprintf("%s, trying again in %d s", why, RetrySeconds(wait))
}
