package api

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"time"
)

// attempt is one request on one connection.
type attempt struct {
	mu          sync.Mutex
	conn        *conn
	unsent      int64 // bytes that had been written when the connection stood: TLS
	started     time.Time
	connectedAt time.Time
	sent        time.Time
	first       time.Time
}

// connected takes the connection that was dialled, and closes it where the attempt has ended meanwhile.
func (a *attempt) connected(ctx context.Context, inner net.Conn) net.Conn {
	c := &conn{Conn: inner, asked: make(chan struct{})}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conn = c; ctx.Err() != nil {
		c.drop()
	}
	return c
}

// drop closes the connection.
func (a *attempt) drop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conn != nil {
		a.conn.drop()
	}
}

// hasSentNothing tells whether no byte of the request reached the network.
func (a *attempt) hasSentNothing() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.connectedAt.IsZero() || a.conn == nil || a.conn.written.Load() <= a.unsent
}

// hasSpokenHTTP tells whether what came first is how HTTP begins; for TLS, whose bytes are not seen here, and where
// nothing came, it is true.
func (a *attempt) hasSpokenHTTP() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.conn == nil || a.unsent > 0 {
		return true
	}
	a.conn.mu.Lock()
	defer a.conn.mu.Unlock()
	return strings.HasPrefix(httpPrefix, string(a.conn.head))
}

func (a *attempt) trace(w *watch, l Limits) *httptrace.ClientTrace {
	mark := func(t *time.Time) {
		a.mu.Lock()
		defer a.mu.Unlock()
		*t = time.Now()
	}
	return &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			mark(&a.connectedAt)
			a.mu.Lock()
			defer a.mu.Unlock()
			if a.conn != nil {
				a.unsent = a.conn.written.Load()
			}
			w.enter(phaseHeader, l.FirstByte)
		},
		WroteRequest:         func(httptrace.WroteRequestInfo) { mark(&a.sent) },
		GotFirstResponseByte: func() { mark(&a.first) },
	}
}

// record writes the times of the attempt into the exchange.
func (a *attempt) record(e *Exchange) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.connectedAt.IsZero() {
		e.Connect = a.connectedAt.Sub(a.started)
	}
	from := a.sent
	if from.IsZero() || !a.first.IsZero() && a.first.Before(from) {
		from = a.connectedAt // the answer came before the request was written
	}
	if from.IsZero() {
		return
	}
	if !a.first.IsZero() {
		e.FirstByte = a.first.Sub(from)
	}
	e.Total = time.Since(from)
}

// try makes one attempt. With a failure, the response holds what came until then, and the last result tells whether
// another attempt is in order.
func (k *call) try(parent context.Context) (Response, *Error, bool) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	late := timeoutError{phaseWhole, k.limits.Whole}
	ctx, stop := context.WithTimeoutCause(ctx, k.limits.Whole, &late)
	defer stop()
	w := &watch{cancel: cancel}
	w.enter(phaseConnect, k.limits.Connect)
	defer w.stop()
	at := &attempt{started: time.Now()}
	defer context.AfterFunc(ctx, at.drop)()

	e := k.exchange
	*e = Exchange{Method: e.Method, URL: e.URL, RequestBody: e.RequestBody, Attempts: e.Attempts}
	request, err := k.build(httptrace.WithClientTrace(ctx, at.trace(w, k.limits)))
	if err != nil {
		return Response{}, k.fail(CodeUsage, fmt.Errorf("build request: %w", err),
			"The request could not be made: check base_url and the prompt."), false
	}
	answer, err := k.transportFor(ctx, at).RoundTrip(request)
	if err != nil {
		at.record(e)
		failure, again := k.noAnswer(parent, ctx, at, err)
		return Response{}, failure, again
	}
	defer func() { _ = answer.Body.Close() }()
	e.Status, e.Proto, e.Header = answer.StatusCode, answer.Proto, k.maskedHeader(answer.Header)

	response, failure := k.read(parent, ctx, w, at, answer)
	response.Extensions = extensionsOf(answer.Header)
	response.QueueWait = min(cmp.Or(response.QueueWait, queueWaitOf(answer.Header)), e.Total)
	isBusy := answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusServiceUnavailable
	return response, failure, failure != nil && isBusy && parent.Err() == nil
}

// read reads the body of an answer and judges it.
func (k *call) read(parent, ctx context.Context, w *watch, at *attempt, answer *http.Response) (Response, *Error) {
	defer at.record(k.exchange)
	if k.isStream(answer) {
		return k.receiveStream(parent, ctx, w, answer)
	}
	body, failure := k.receive(parent, ctx, w, answer)
	if failure != nil {
		return Response{}, failure
	}
	return k.judge(parent, answer.StatusCode, answer.Header, body)
}

// build returns the request. Its body is of a type that net/http cannot rewind, so that nothing sends it a second time.
func (k *call) build(ctx context.Context) (*http.Request, error) {
	body := io.NopCloser(bytes.NewReader(k.body))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, k.url, body)
	if err != nil {
		return nil, err
	}
	r.ContentLength = int64(len(k.body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "confab")
	r.Header.Set("Accept", k.request.accept())
	return r, nil
}

func (c *Client) maskedHeader(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for name, values := range h {
		name = c.mask.String(name)
		for _, v := range values {
			out[name] = append(out[name], c.mask.String(v))
		}
	}
	return out
}
