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

// cell is one model of the turn with its samples, of which one is shown.
type cell struct {
	place   int // from 1, in the order of the turn
	model   string
	samples []service.Answer
	at      int
	reader  *pane.Conversation
}

// cells groups the answers of a turn by model, in their order; the readers and
// the chosen samples of the cells there were are kept.
func cells(t service.Turn, old []*cell, reader func() *pane.Conversation) []*cell {
	var out []*cell
	for _, a := range t.Answers {
		i := slices.IndexFunc(out, func(c *cell) bool { return c.model == a.Model })
		if i < 0 {
			i = len(out)
			out = append(out, &cell{place: i + 1, model: a.Model})
		}
		out[i].samples = append(out[i].samples, a)
	}
	for _, c := range out {
		before := slices.IndexFunc(old, func(o *cell) bool { return o.model == c.model })
		if before < 0 {
			c.reader = reader()
		} else {
			c.reader, c.at = old[before].reader, old[before].at
			if more := len(c.samples) - len(old[before].samples); more > 0 {
				c.at = len(c.samples) - 1 // a sample that was just asked for is looked at
			}
		}
		c.at = min(c.at, len(c.samples)-1)
		c.reader.ReadOnly(t, c.answer().ID)
	}
	return out
}

// answer is the sample that is shown.
func (c *cell) answer() service.Answer { return c.samples[c.at] }

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
	name := fmt.Sprintf("%d %s", c.place, terminal.Line(c.model))
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
