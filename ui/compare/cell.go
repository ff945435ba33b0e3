package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/service"
	"confab/ui/pane"
	"confab/ui/terminal"
)

// cell is one model of the case with its samples, of which one is shown.
type cell struct {
	place   int    // from 1, in the order of the case
	name    string // the model, or what the run calls it
	model   string
	samples []sample
	at      int
	reader  *pane.Conversation
}

// sample is an answer with the turn it belongs to and what its checks said.
type sample struct {
	turn   service.Turn
	answer service.Answer
	checks []service.CheckResult
}

// cells groups the answers of a case by name, in their order; the readers and
// the chosen samples of the cells there were are kept.
func cells(of Case, old []*cell, reader func() *pane.Conversation) []*cell {
	var out []*cell
	for _, s := range of.samples() {
		name := of.column(s)
		i := slices.IndexFunc(out, func(c *cell) bool { return c.name == name })
		if i < 0 {
			i = len(out)
			out = append(out, &cell{place: i + 1, name: name, model: s.answer.Model})
		}
		out[i].samples = append(out[i].samples, s)
	}
	for _, c := range out {
		before := slices.IndexFunc(old, func(o *cell) bool { return o.name == c.name })
		if before < 0 {
			c.reader = reader()
		} else {
			c.reader, c.at = old[before].reader, old[before].at
			if more := len(c.samples) - len(old[before].samples); more > 0 {
				c.at = len(c.samples) - 1 // a sample that was just asked for is looked at
			}
		}
		c.choose(min(c.at, len(c.samples)-1))
	}
	return out
}

// choose shows a sample.
func (c *cell) choose(at int) {
	c.at = at
	c.reader.ReadOnly(c.turn(), c.answer().ID)
}

// answer is the sample that is shown, turn the turn it belongs to.
func (c *cell) answer() service.Answer { return c.samples[c.at].answer }
func (c *cell) turn() service.Turn     { return c.samples[c.at].turn }

func (c *cell) done() bool { return c.answer().State == service.Done }

// words counts the words of a text answer.
func (c *cell) words() int { return len(strings.Fields(c.answer().Text)) }

// state says where the answer stands, in few words.
func (c *cell) state(now time.Time) string {
	a := c.answer()
	switch a.State {
	case service.Queued, service.Cancelled, service.Interrupted:
		return string(a.State)
	case service.Running:
		return fmt.Sprintf("running %d s", max(int(now.Sub(a.Started).Seconds()), 0))
	case service.Failed:
		if a.Failure != nil {
			return "failed " + a.Failure.Code
		}
		return "failed"
	}
	text := pane.Seconds(a.Elapsed)
	if a.Cached {
		return "(" + text + " cached)"
	}
	return text
}

// marks are what a person thought of the answer.
func (c *cell) marks() string {
	a, out := c.answer(), ""
	switch a.Rating {
	case service.Good:
		out += "+"
	case service.Bad:
		out += "−"
	}
	if a.Winner {
		out += "★"
	}
	return out
}

// title is the line above a cell: number, model, mark, time, words, samples.
func (c *cell) title(now time.Time) string {
	name := fmt.Sprintf("%d %s", c.place, terminal.Line(c.name))
	if m := c.marks(); m != "" {
		name += " " + m
	}
	parts := []string{name, c.state(now)}
	if c.done() && c.answer().Picture == nil {
		parts = append(parts, fmt.Sprintf("%dw", c.words()))
	}
	if n := len(c.samples); n > 1 {
		parts = append(parts, fmt.Sprintf("#%d of %d", c.at+1, n))
	}
	return strings.Join(parts, "  ")
}
