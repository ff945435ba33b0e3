package compare

import (
	"fmt"
	"slices"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/ui/conversation"
)

// cell is one model of the case with its samples, of which one is shown.
type cell struct {
	place    int    // from 1, in the order of the case
	name     string // the model, or what the run calls it
	model    string
	samples  []sample
	distinct []alike // the samples, those that say the same as one
	at       int     // of distinct, what is shown
	reader   *conversation.Pane
	wide     *conversation.Pane // of the zoomed view, so that the reader keeps its place; nil for none
}

// sample is an answer with the turn it belongs to and what its checks said.
type sample struct {
	turn   history.Turn
	answer history.Answer
	checks []history.CheckResult
}

// alike is a sample that stands for all that say the same.
type alike struct {
	sample
	n   int     // how many
	ids []int64 // of their answers
}

// cells groups the answers of a case by name, in their order; the readers and
// the chosen samples of the cells there were are kept.
func cells(of Case, old []*cell, reader func() *conversation.Pane) []*cell {
	var out []*cell
	for _, s := range of.samples() {
		name := ownName(of.column(s), s.answer, out)
		i := slices.IndexFunc(out, func(c *cell) bool { return c.name == name })
		if i < 0 {
			i = len(out)
			out = append(out, &cell{place: i + 1, name: name, model: s.answer.Model})
		}
		out[i].samples = append(out[i].samples, s)
	}
	for _, c := range out {
		c.distinct = merge(c.samples)
		before := slices.IndexFunc(old, func(o *cell) bool { return o.name == c.name })
		if before < 0 {
			c.reader = reader()
			c.choose(0)
			continue
		}
		o := old[before]
		c.reader, c.wide = o.reader, o.wide
		shown := o.answer().ID
		if len(c.samples) > len(o.samples) || shown == 0 {
			shown = c.samples[len(c.samples)-1].answer.ID // one that was just asked for is looked at
		}
		c.choose(max(c.holding(shown), 0))
	}
	return out
}

// merge puts samples that say the same together. What a person marked stands for
// the others.
func merge(samples []sample) []alike {
	var out []alike
	for _, s := range samples {
		i := slices.IndexFunc(out, func(o alike) bool { return same(o.answer, s.answer) })
		if i < 0 {
			out = append(out, alike{sample: s, n: 1, ids: []int64{s.answer.ID}})
			continue
		}
		o := &out[i]
		if !judged(o.answer) && judged(s.answer) {
			o.sample = s
		}
		o.n++
		o.ids = append(o.ids, s.answer.ID)
	}
	return out
}

// same tells whether two answers are done and hold the same text, or the same
// bytes of a picture.
func same(a, b history.Answer) bool {
	if a.State != history.Done || b.State != history.Done || (a.Picture == nil) != (b.Picture == nil) {
		return false
	}
	if a.Picture != nil {
		return a.Picture.SHA256 != "" && a.Picture.SHA256 == b.Picture.SHA256
	}
	return a.Text == b.Text
}

func judged(a history.Answer) bool { return a.Winner || a.Rating != history.Unrated || a.Note != "" }

// holding returns which of the distinct samples an answer is part of, -1 for none.
func (c *cell) holding(answer int64) int {
	return slices.IndexFunc(c.distinct, func(d alike) bool { return slices.Contains(d.ids, answer) })
}

// choose shows a sample.
func (c *cell) choose(at int) {
	c.at = max(min(at, len(c.distinct)-1), 0)
	c.reader.ReadOnly(c.turn(), c.answer().ID)
	if c.wide != nil {
		c.wide.ReadOnly(c.turn(), c.answer().ID)
	}
}

// answer is the sample that is shown, turn the turn it belongs to.
func (c *cell) answer() history.Answer        { return c.distinct[c.at].answer }
func (c *cell) turn() history.Turn            { return c.distinct[c.at].turn }
func (c *cell) checks() []history.CheckResult { return c.distinct[c.at].checks }

// asked tells whether there is an answer at all: a run may not have come to it.
func (c *cell) asked() bool { return c.answer().ID != 0 }
func (c *cell) done() bool  { return c.answer().State == history.Done }

// isText tells whether there is a text to measure and compare.
func (c *cell) isText() bool { return c.done() && c.answer().Picture == nil }

// times returns the times that were taken; those of reused answers are old ones
// and left out.
func (c *cell) times() format.Summary {
	var out []time.Duration
	for _, s := range c.samples {
		if a := s.answer; a.State == history.Done && !a.Cached {
			out = append(out, a.Elapsed)
		}
	}
	return format.Summarize(out)
}

// say says a time as all times are said here: "1.9 s".
func say(d time.Duration) string { return format.Summarize([]time.Duration{max(d, 0)}).String() }

// state says where the answer stands, in few words; of one that is done its time.
func (c *cell) state(now time.Time) string {
	a := c.answer()
	switch a.State {
	case history.Queued, history.Cancelled, history.Interrupted:
		return string(a.State)
	case history.Running:
		if wait := service.RetryWait(a, now); wait > 0 {
			return fmt.Sprintf("again in %d s", service.RetrySeconds(wait))
		}
		return fmt.Sprintf("running %d s", max(int(now.Sub(a.Started).Seconds()), 0))
	case history.Failed:
		if a.Failure != nil {
			return "failed " + a.Failure.Code
		}
		return "failed"
	}
	if a.Cached {
		return "(" + say(a.Elapsed) + " cached)"
	}
	return say(a.Elapsed)
}

// marks are what a person thought of the answer.
func (c *cell) marks() string {
	a, out := c.answer(), ""
	switch a.Rating {
	case history.Good:
		out += "+"
	case history.Bad:
		out += "−"
	}
	if a.Winner {
		out += "★"
	}
	return out
}
