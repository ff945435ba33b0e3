package ui_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"confab/service"
	"confab/service/api"
	"confab/ui"
)

// unreliableClient is a client of a service that refuses connections while it is down, and asks to wait while it is
// busy.
type unreliableClient struct {
	client
	down, busy atomic.Bool
}

func (c *unreliableClient) Do(ctx context.Context, r api.Request, observe func(api.Progress)) (api.Response,
	api.Exchange,
	error) {
	code, message := api.CodeNetwork, "Nothing answers at models.example: check base_url, and that the service is "+
		"running."
	if c.busy.Load() {
		code, message = api.CodeRateLimited, "The service is busy."
	}
	if !c.down.Load() && !c.busy.Load() {
		return c.client.Do(ctx, r, observe)
	}
	observe(api.Progress{Attempt: 1, RetryAt: time.Now().Add(2 * time.Second), Failure: code})
	select {
	case <-ctx.Done():
	case <-time.After(2 * time.Second):
	}
	return api.Response{}, api.Exchange{}, &api.Error{Code: code, Message: message}
}

// withClient makes the service of a screen a remote one that is asked by a client.
func withClient(c service.Client) option {
	return func(_ *ui.Options, so *service.Options) {
		so.Backend.Endpoint = func() service.Endpoint { return service.Endpoint{Host: "models.example"} }
		so.Backend.Connect = func(context.Context) (service.Connection, error) {
			return service.Connection{Client: c}, nil
		}
	}
}

// TestARefusedConnectionIsNamed says what is waited for, and marks the service in the header while it cannot be
// reached.
func TestARefusedConnectionIsNamed(t *testing.T) {
	run(t, func(t *testing.T) {
		c := &unreliableClient{client: client{say: answerAll}}
		s := open(t, 120, 40, withClient(c))
		s.shows("◆ models.example")
		c.down.Store(true)
		s.typed("hello")
		s.press("enter")
		s.shows("no connection, trying again in 2 s", "✗ models.example: no connection")
		s.pass(1500 * time.Millisecond)
		s.shows("no connection, trying again in 1 s")
		s.pass(3 * time.Second)
		s.shows("Nothing answers at models.example", "✗ models.example: no connection")
		c.down.Store(false)
		s.press("alt+2", "r")
		s.pass(5 * time.Second)
		s.shows("About hello", "◆ models.example")
		s.lacks("no connection")
		c.busy.Store(true)
		s.press("r")
		s.shows("rate limited, trying again in 2 s", "◆ models.example")
		c.busy.Store(false)
		c.down.Store(true)
		s.pass(5 * time.Second)
		s.press("v", "r")
		s.shows("no connection, trying again in 2 s", "again in 2 s", "✗ models.example: no connection")
	})
}

// TestNoticesEndWithWhatTheySay goes through the notices that tell what a key does now: they are gone as soon as it
// does something else.
func TestNoticesEndWithWhatTheySay(t *testing.T) {
	for _, c := range []struct {
		name, says string
		show, end  func(*screen)
	}{
		{"ctrl+c, another key", "again to quit", func(s *screen) { s.press("ctrl+c") },
			func(s *screen) { s.typed("x") }},
		{"ctrl+c, too late", "again to quit", func(s *screen) { s.press("ctrl+c") },
			func(s *screen) { s.pass(3 * time.Second) }},
		{"cleared", "up restores it", func(s *screen) { s.typed("x"); s.press("ctrl+c") },
			func(s *screen) { s.typed("y") }},
		{"no prompt", "Write a prompt first", func(s *screen) { s.press("enter") }, func(s *screen) { s.typed("y") }},
		{"no model", "Mark a model first",
			func(s *screen) { s.press("ctrl+l", "alt+0", "alt+4"); s.typed("x"); s.press("enter") },
			func(s *screen) { s.press("space") }},
		{"no source", "An edit needs a source",
			func(s *screen) { s.press("ctrl+l", "end", "enter"); s.typed("x"); s.press("enter", "esc") },
			func(s *screen) { s.press("ctrl+l", "home", "enter", "alt+e", "esc") }},
		{"deleted", "deleted.",
			func(s *screen) { s.typed("x"); s.press("enter"); s.pass(3 * time.Second); s.press("alt+2", "x", "y") },
			func(s *screen) { s.press("alt+u") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, func(t *testing.T) {
				s := open(t, 120, 40)
				c.show(s)
				s.shows(c.says)
				c.end(s)
				s.lacks(c.says)
			})
		})
	}
}

// TestAnEngineOnTheMachineLeavesTheKeysTheirRoom offers what was found in the empty conversation only, whatever answers
// and however narrow the screen is, and until it is dismissed.
func TestAnEngineOnTheMachineLeavesTheKeysTheirRoom(t *testing.T) {
	const offer = "ollama runs on this machine: f9"
	var took atomic.Bool
	with := func(o *ui.Options, _ *service.Options) { o.LocalEngines = fakeLocalEngines{&took} }
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
		run(t, func(t *testing.T) {
			s := open(t, size[0], size[1], (&engines{}).apply, with)
			s.shows(offer, "f1 help")
			s.press("esc")
			s.lacks(offer)
		})
		run(t, func(t *testing.T) {
			s := open(t, size[0], size[1], with)
			s.shows(offer, "f1 help")
			s.typed("x")
			s.press("enter")
			s.pass(3 * time.Second)
			s.lacks(offer)
			s.shows("f1 help")
		})
	}
}

// TestAnEngineThatIsDownIsNamedWhereItIsUsed: the header tells of it while a marked model is answered by it.
func TestAnEngineThatIsDownIsNamedWhereItIsUsed(t *testing.T) {
	run(t, func(t *testing.T) {
		e := &engines{}
		e.down.Store(true)
		s := open(t, 120, 40, e.apply, func(o *ui.Options, _ *service.Options) { o.Start.Marked = []string{"delta"} })
		s.shows("✗ lab down  ◆ ollama, paint")
		s.press("ctrl+l", "enter")
		s.shows("◆ ollama, paint")
		s.lacks("✗ lab")
	})
}
