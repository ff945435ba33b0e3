package api

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"confab/internal/redact"
)

// call is one run of [Client.Do].
type call struct {
	*Client
	request  Request
	limits   Limits // those of the model
	body     []byte
	url      string
	observe  func(Progress)
	exchange *Exchange
}

// Do calls the model of r and judges what comes back. The error is always an [Error]; the [Exchange] is filled in as
// far as the call got, also with an error, and holds the key nowhere. When ctx is cancelled the connection is closed at
// once and the code is cancelled; when its deadline passes, timeout.
//
// With an error the [Response] holds what came before it: the Text, Reasoning and Usage of a stream, and the Extensions
// that the header of the last answer names. What may be the beginning of the key is not in such a text.
//
// A call is made again by itself only after 429 and 503 and after a connection that failed before anything was sent on
// it, never after a stream began. observe, unless it is nil, is called for every try, for bytes received, for the parts
// of a stream and for the time a wait ends; it is called from the goroutine of Do and must return at once. The parts
// that one read brings are reported together, before the next read waits.
func (c *Client) Do(ctx context.Context, r Request, observe func(Progress)) (Response, Exchange, error) {
	if observe == nil {
		observe = func(Progress) {}
	}
	e := Exchange{Method: http.MethodPost, URL: c.mask.String(c.url(r))}
	body, err := r.Body(c.key())
	if err != nil {
		return Response{}, e, err
	}
	if shown, err := r.RecordedBody(redact.Dots); err == nil {
		e.RequestBody = c.mask.String(string(shown))
	}
	k := &call{Client: c, request: r, limits: c.limits.forModel(r.Model), body: body, url: c.url(r), observe: observe,
		exchange: &e}
	response, failure := k.run(ctx)
	if failure != nil {
		return response, e, failure
	}
	return response, e, nil
}

// run tries until there is an answer, or a failure that another try would not mend or would not be right.
func (k *call) run(ctx context.Context) (Response, *Error) {
	var waited time.Duration
	backoff := k.limits.Backoff
	for n := 1; ; n++ {
		k.exchange.Attempts = n
		k.observe(Progress{Attempt: n})
		response, failure, again := k.try(ctx)
		if failure == nil || !again || n >= k.limits.Attempts {
			return response, failure
		}
		wait := failure.RetryAfter
		if wait == 0 {
			wait = backoff + rand.N(backoff/4+1) // calls of one turn should not return all at once
			backoff *= 2
		}
		if wait > k.limits.MaxWait-waited {
			return response, failure
		}
		waited += wait
		k.observe(Progress{Attempt: n, RetryAt: k.now().Add(wait), Failure: failure.Code})
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return response, contextError(ctx)
		}
	}
}
