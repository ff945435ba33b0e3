package ui_test

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"confab/service"
	"confab/ui"
)

// publisher counts how often a picture left the machine.
type publisher struct{ published atomic.Int64 }

func (p *publisher) Plan(string) string { return "The fox will be published for all to see." }

func (p *publisher) Publish(_ context.Context, path string) (string, func(), error) {
	if _, err := os.Stat(path); err != nil {
		return "", nil, err
	}
	p.published.Add(1)
	return "https://public.example/x.png", func() {}, nil
}

// withPublisher makes the service of a screen a remote one.
func withPublisher(p *publisher) option {
	return func(_ *ui.Options, so *service.Options) {
		so.Backend.Endpoint = func() service.Endpoint { return service.Endpoint{Host: "models.example"} }
		so.Pictures.Publisher = p
		so.Backend.Connect = func(context.Context) (service.Connection, error) {
			return service.Connection{Client: &client{say: answerAll}}, nil
		}
	}
}

// Whatever sends a local picture to a remote service asks first, also when it
// is sent again; without a yes nothing leaves.
func TestAPersonIsToldBeforeAPictureIsPublished(t *testing.T) {
	run(t, func(t *testing.T) {
		p := &publisher{}
		s := open(t, 120, 40, withPublishing(nil), withPublisher(p))
		s.typed("a fox")
		s.press("enter")
		s.pass(8 * time.Second)
		s.lacks("published for all")
		s.press("alt+2", "E")
		s.typed("warmer")
		step := func(what string, published int64, key string) {
			t.Helper()
			for _, answer := range []string{"esc", "n", "y"} {
				s.press(key)
				s.shows("Before anything leaves this machine", "The fox will be published for all to see.")
				s.press(answer)
				s.pass(8 * time.Second)
				s.lacks("Before anything leaves")
				want := published
				if answer == "y" {
					want++
				}
				if got := p.published.Load(); got != want {
					t.Fatalf("%s: published %d times after %s, want %d", what, got, answer, want)
				}
			}
		}
		step("the first time", 0, "enter")
		s.press("alt+2")
		step("again", 1, "r")
		step("the newest with a fresh nonce", 2, "f12")
		s.press("[", "[", "r") // the fox itself is no edit
		s.pass(8 * time.Second)
		s.lacks("Before anything leaves")
		s.shows("sim-image #2")
	})
}

// The question about many calls does not stand in for the one about the
// picture.
func TestManyCallsDoNotHideThePublishing(t *testing.T) {
	run(t, func(t *testing.T) {
		p := &publisher{}
		s := open(t, 120, 40, withPublishing(nil), withPublisher(p))
		s.typed("a fox")
		s.press("enter")
		s.pass(8 * time.Second)
		s.press("alt+2", "E")
		s.typed("make it {{how}}")
		s.press("enter")
		s.typed("a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r|s|t|u")
		s.press("enter")
		s.shows("The fox will be published for all to see.", "This makes 21 calls.")
		if got := p.published.Load(); got != 0 {
			t.Fatalf("published %d times before the yes", got)
		}
		s.press("esc")
	})
}
