package ui_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/themes"
	"confab/ui"
	"confab/ui/part"
	uiscreen "confab/ui/screen"
)

// counter shows how many messages it got and counts how often it was drawn.
type counter struct {
	uiscreen.Throttle
	got, drawn int
}

func (c *counter) update(msg tea.Msg) tea.Cmd { c.got++; return c.Follow(msg) }

func (c *counter) view() tea.View {
	if _, isRecent := c.View(); !isRecent {
		c.drawn++
		c.Keep(tea.NewView(fmt.Sprint(c.got)))
	}
	v, _ := c.View()
	return v
}

func TestAPacedViewIsDrawnAtOnceAndInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &counter{Throttle: uiscreen.Throttle{Every: 33 * time.Millisecond, Now: time.Now}}
		c.view()
		time.Sleep(time.Second)
		c.update("key")
		if got := c.view().Content; got != "1" {
			t.Fatalf("after a rest %q is shown", got)
		}
		before := c.drawn
		var last tea.Cmd
		for range 50 {
			cmd := c.update("burst")
			if c.view(); cmd != nil {
				last = cmd
			}
		}
		if c.drawn != before {
			t.Errorf("drawn %d times within the interval", c.drawn-before)
		}
		if last == nil {
			t.Fatal("nothing brings the end of the burst")
		}
		last()
		if got := c.view().Content; got != "51" {
			t.Errorf("the end of the burst shows %q", got)
		}
	})
}

// What waits for a pause in typing ticks meanwhile: that is no reason to draw a
// screen where hundreds are served.
func TestWaitingForAPauseDrawsNothing(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		p := ui.New(t.Context(), ui.Options{Service: s.service, Desktop: s.desktop, Keys: ui.Keys(),
			Theme: uiscreen.Theme{Palettes: themes.Shipped()}, Start: ui.Start{Models: catalogue(), Remembers: true}})
		c := &counter{Throttle: uiscreen.Throttle{Every: 33 * time.Millisecond, Now: time.Now}}
		r := &sleeper{ended: make(chan tea.Msg, 1000)}
		typed := 0
		for range 25 { // five keys a second
			key := tea.KeyPressMsg{Code: 'a', Text: "a"}
			_, cmd := p.Update(key)
			typed++
			r.run(tea.Batch(cmd, c.update(key)))
			c.view()
			time.Sleep(200 * time.Millisecond)
			synctest.Wait()
			for len(r.ended) > 0 {
				msg := <-r.ended
				_, cmd := p.Update(msg)
				if _, ok := msg.(uiscreen.DrawMsg); !ok {
					cmd = tea.Batch(cmd, c.update(msg))
				}
				r.run(cmd)
				c.view()
			}
		}
		if c.drawn > typed+3 {
			t.Errorf("%d keys were drawn %d times", typed, c.drawn)
		}
	})
}

// sleeper runs commands as a program would, on a clock that the test moves.
type sleeper struct{ ended chan tea.Msg }

func (s *sleeper) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, c := range batch {
				s.run(c)
			}
			return
		}
		s.ended <- msg
	}()
}

// What a person does is drawn soonest, whatever else changes; several texts that grow are drawn least often.
func TestHowOftenViewsAreDrawn(t *testing.T) {
	key, growth := tea.KeyPressMsg{Code: 'a', Text: "a"}, part.Result{Draws: part.DrawsGrowth}
	for _, tt := range []struct {
		name  string
		every time.Duration
		msgs  []tea.Msg // one of each every millisecond for a second
		want  int
	}{
		{"keys at home", time.Second / 120, []tea.Msg{key}, 120},
		{"anything else at home", time.Second / 120, []tea.Msg{"tick"}, 60},
		{"several texts at home", time.Second / 120, []tea.Msg{growth}, 20},
		{"several texts and keys at home", time.Second / 120, []tea.Msg{growth, key}, 120},
		{"keys over SSH", time.Second / 30, []tea.Msg{key}, 30},
		{"anything else over SSH", time.Second / 30, []tea.Msg{"tick"}, 30},
		{"several texts over SSH", time.Second / 30, []tea.Msg{growth}, 15},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &counter{Throttle: uiscreen.Throttle{Every: tt.every, Now: time.Now}}
				c.view()
				began, first := time.Now(), c.drawn
				for time.Since(began) < time.Second {
					time.Sleep(time.Millisecond)
					for _, msg := range tt.msgs {
						c.update(msg)
						c.view()
					}
				}
				if n := c.drawn - first; n < tt.want*8/10 || n > tt.want {
					t.Errorf("drawn %d times in a second, want %d", n, tt.want)
				}
			})
		})
	}
}
