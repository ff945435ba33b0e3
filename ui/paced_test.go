package ui_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui"
)

// counter shows how many messages it got and counts how often it was drawn.
type counter struct{ got, drawn int }

func (c *counter) Init() tea.Cmd                       { return nil }
func (c *counter) Update(tea.Msg) (tea.Model, tea.Cmd) { c.got++; return c, nil }
func (c *counter) View() tea.View                      { c.drawn++; return tea.NewView(fmt.Sprint(c.got)) }

func TestAPacedViewIsDrawnAtOnceAndInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &counter{}
		p := ui.NewPaced(c, 33*time.Millisecond, time.Now)
		p.View()
		time.Sleep(time.Second)
		p.Update("key")
		if got := p.View().Content; got != "1" {
			t.Fatalf("after a rest %q is shown", got)
		}
		before := c.drawn
		var last tea.Cmd
		for range 50 {
			_, cmd := p.Update("burst")
			if p.View(); cmd != nil {
				last = cmd
			}
		}
		if c.drawn != before {
			t.Errorf("drawn %d times within the interval", c.drawn-before)
		}
		if last == nil {
			t.Fatal("nothing brings the end of the burst")
		}
		p.Update(last())
		if got := p.View().Content; got != "51" {
			t.Errorf("the end of the burst shows %q", got)
		}
	})
}
