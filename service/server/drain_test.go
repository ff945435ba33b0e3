package server_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/internal/netaddr"
	"confab/service/engine"
	"confab/service/server"
)

// drained is a server in memory with one stream on it, and what a client got of that.
type drained struct {
	client *http.Client
	stop   func() // tells the server to end
	ended  chan error
	stream chan string
}

// drain starts a server whose engine writes for a time, and asks it for a stream.
func drain(t *testing.T, writes time.Duration) *drained {
	t.Helper()
	f := writer()
	f.text = func(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
		if r.Emit == nil {
			return engine.Text{Text: "whole"}, nil
		}
		r.Emit(engine.Part{Text: "One "})
		select {
		case <-time.After(writes):
			return engine.Text{Text: "One two."}, nil
		case <-ctx.Done():
			return engine.Text{}, ctx.Err()
		}
	}
	s, err := server.New(withKey(server.Options{Engine: f,
		Limits: limitsWith(func(l *server.Limits) { l.Drain, l.Shutdown = 4*time.Second, 30*time.Second })}))
	must(t, err)
	l := netaddr.ListenPipe()
	ctx, stop := context.WithCancel(context.Background())
	d := &drained{stop: stop, ended: make(chan error, 1), stream: make(chan string, 1)}
	go func() { d.ended <- s.Serve(ctx, l) }()
	d.client = &http.Client{Transport: &http.Transport{DialContext: l.Dial}}
	go func() {
		r := request(t, asStream)
		res, err := d.client.Do(r)
		if err != nil {
			d.stream <- err.Error()
			return
		}
		defer func() { _ = res.Body.Close() }()
		var out bytes.Buffer
		_, err = out.ReadFrom(res.Body)
		all := events(out.String())
		last, _, _ := strings.Cut(all[len(all)-1], `"sha256"`)
		d.stream <- textsOf(all, "delta") + "|" + last
		if err != nil {
			t.Errorf("the stream broke: %v", err)
		}
	}()
	synctest.Wait()
	return d
}

// request returns a request for a text.
func request(t *testing.T, change ...func(*http.Request)) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/api/llm/delta",
		strings.NewReader(ask))
	must(t, err)
	r.Header.Set("Content-Type", "application/json")
	for _, f := range change {
		f(r)
	}
	return r
}

// status sends a request and returns the status of the answer.
func (d *drained) status(r *http.Request) (int, error) {
	res, err := d.client.Do(r)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	return res.StatusCode, err
}

// TestStreamsEndWholeWhileAServerDrains tells a server to end in the middle of a stream: while
// it drains it answers everything, after that nothing new, and the stream comes whole, or says why not.
func TestStreamsEndWholeWhileAServerDrains(t *testing.T) {
	for _, tt := range []struct {
		name   string
		writes time.Duration
		took   time.Duration // until the server has ended
		stream string
	}{
		{"in time", 20 * time.Second, 20 * time.Second, `One two.|done {"status":200,"data":{"model":"delta","length":8,`},
		{"too long", time.Hour, 34 * time.Second,
			`One |error {"status":503,"error":{"code":"service","message":"The service is going down."}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				d := drain(t, tt.writes)
				d.stop()
				synctest.Wait()
				if got, err := d.status(request(t)); got != http.StatusOK {
					t.Errorf("a new request while it drains: got %d, %v", got, err)
				}
				ready := request(t, func(r *http.Request) {
					r.Method, r.URL.Path, r.Body, r.ContentLength = http.MethodGet, "/readyz", nil, 0
				})
				if got, err := d.status(ready); got != http.StatusServiceUnavailable {
					t.Errorf("/readyz while it drains: got %d, %v", got, err)
				}
				time.Sleep(5 * time.Second)
				if got, err := d.status(request(t)); !errors.Is(err, net.ErrClosed) {
					t.Errorf("a new request after that: got %d, %v", got, err)
				}
				if got := <-d.stream; got != tt.stream {
					t.Errorf("the stream got %s, want %s", got, tt.stream)
				}
				if err := <-d.ended; err != nil {
					t.Errorf("ended with %v", err)
				}
				if took := time.Since(begun); took < tt.took || took > tt.took+2*time.Second {
					t.Errorf("ended after %v, want %v", took, tt.took)
				}
				d.client.CloseIdleConnections()
			})
		})
	}
}
