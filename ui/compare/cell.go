package compare

import (
	"fmt"
	"slices"
	"time"

	"confab/history"
	"confab/internal/format"
	"confab/service"
	"confab/ui/conversation"
	"confab/ui/turns"
)

// cellList is the cells of the case and which of them are listed.
type cellList struct {
	cells      []*cell
	listed     []*cell // the filtered cells in order
	focusIndex int     // in listed
	order      sortOrder
	filter     filter
	pin        string                // name of the pinned cell
	figures    map[int64]textFigures // by answer
}

func (l *cellList) isRunning() bool { return slices.ContainsFunc(l.cells, (*cell).isRunning) }

// Column returns the name of the focused cell, "" for none.
func (l *cellList) Column() string {
	if x := l.current(); x != nil {
		return x.name
	}
	return ""
}

// indexOf returns the index in listed of the cell with a name, -1 for none.
func (l *cellList) indexOf(name string) int {
	return slices.IndexFunc(l.listed, func(x *cell) bool { return x.name == name })
}

// current returns the focused cell; nil while nothing is listed.
func (l *cellList) current() *cell {
	if l.focusIndex < 0 || l.focusIndex >= len(l.listed) {
		return nil
	}
	return l.listed[l.focusIndex]
}

// pinned returns the pinned cell, nil for none.
func (l *cellList) pinned() *cell {
	if i := slices.IndexFunc(l.cells, func(x *cell) bool { return x.name == l.pin }); i >= 0 && l.pin != "" {
		return l.cells[i]
	}
	return nil
}

// cell is one model of the case with its samples, of which one is shown.
type cell struct {
	number      int    // from 1, in the order of the case
	name        string // the model, or its name in the run
	model       string
	samples     []sample
	distinct    []mergedSamples
	sampleIndex int // of the shown one in distinct
	reader      *conversation.Pane
}

// sample is an answer with its turn and the results of its checks.
type sample struct {
	turns      *turns.Turns
	turnID, id int64
	column     string // of a run that has not come to its answer
	checks     []history.CheckResult
}

func (s sample) turn() history.Turn {
	t, _ := s.turns.Turn(s.turnID)
	return t
}

func (s sample) answer() history.Answer {
	if s.id == 0 {
		return history.Answer{Model: s.column, State: history.Queued}
	}
	a, _ := s.turn().Answer(s.id)
	return a
}

// mergedSamples is one of several identical samples.
type mergedSamples struct {
	sample
	answers []int64 // of all of them
}

// makeCells groups the answers of a case by name, in their order. Readers and chosen samples of the old cells are kept.
func makeCells(content Case, samples []sample, old []*cell, makeReader func() *conversation.Pane) []*cell {
	var out []*cell
	for _, s := range samples {
		name := content.cellName(s, out)
		i := slices.IndexFunc(out, func(c *cell) bool { return c.name == name })
		if i < 0 {
			i = len(out)
			out = append(out, &cell{number: i + 1, name: name, model: s.answer().Model})
		}
		out[i].samples = append(out[i].samples, s)
	}
	for _, c := range out {
		c.distinct = merge(c.samples)
		i := slices.IndexFunc(old, func(o *cell) bool { return o.name == c.name })
		if i < 0 {
			c.reader, c.sampleIndex = makeReader(), c.firstToShow()
			continue
		}
		o := old[i]
		c.reader = o.reader
		shown := o.distinct[o.sampleIndex].id
		if len(c.samples) > len(o.samples) || shown == 0 {
			shown = c.samples[len(c.samples)-1].id // the newest sample was just asked for
		}
		c.sampleIndex = max(c.indexOf(shown), 0)
	}
	return out
}

// missing returns how many of the answers that were asked for neither came nor are to come.
func (x *cell) missing() int {
	asked := map[int64]int{}
	missing := 0
	for _, s := range x.samples {
		a := s.answer()
		if asked[s.turnID] = max(s.turn().Samples, 1); isPictureKind(a.Kind) {
			asked[s.turnID] = 1 // each has a cell
		}
		if a.State == history.Done || !a.State.HasEnded() {
			missing--
		}
	}
	for _, n := range asked {
		missing += n
	}
	return missing
}

// merge merges identical samples and keeps a judged one of them.
func merge(samples []sample) []mergedSamples {
	var out []mergedSamples
	for _, s := range samples {
		i := slices.IndexFunc(out, func(o mergedSamples) bool { return isIdentical(o.answer(), s.answer()) })
		if i < 0 {
			out = append(out, mergedSamples{s, []int64{s.id}})
			continue
		}
		if !isJudged(out[i].answer()) && isJudged(s.answer()) {
			out[i].sample = s
		}
		out[i].answers = append(out[i].answers, s.id)
	}
	return out
}

// isIdentical reports whether two answers are done and have the same text or picture.
func isIdentical(a, b history.Answer) bool {
	if a.State != history.Done || b.State != history.Done || (a.Picture == nil) != (b.Picture == nil) {
		return false
	}
	if a.Picture != nil {
		return a.Picture.SHA256 != "" && a.Picture.SHA256 == b.Picture.SHA256
	}
	return a.Text == b.Text
}

func isJudged(a history.Answer) bool {
	return a.IsWinner || a.Rating != history.Unrated || a.Note != ""
}

// indexOf returns the index in distinct of an answer, -1 for none.
func (c *cell) indexOf(answer int64) int {
	return slices.IndexFunc(c.distinct, func(d mergedSamples) bool { return slices.Contains(d.answers, answer) })
}

// hadFailedBefore reports whether the last sample had failed before another one was requested.
func (c *cell) hadFailedBefore(again history.Answer) bool {
	a := c.samples[len(c.samples)-1].answer()
	return a.State.HasEnded() && a.State != history.Done && !again.Queued.Before(a.Ended) && !again.Queued.IsZero()
}

// firstToShow returns the index in distinct of the first finished sample, or of the last one.
func (c *cell) firstToShow() int {
	i := slices.IndexFunc(c.distinct, func(d mergedSamples) bool { return d.answer().State == history.Done })
	if i < 0 {
		return len(c.distinct) - 1
	}
	return i
}

// answer returns the answer of the shown sample.
func (c *cell) answer() history.Answer        { return c.distinct[c.sampleIndex].answer() }
func (c *cell) turn() history.Turn            { return c.distinct[c.sampleIndex].turn() }
func (c *cell) checks() []history.CheckResult { return c.distinct[c.sampleIndex].checks }

// wasAsked reports whether there is an answer; a run may not have reached it.
func (c *cell) wasAsked() bool { return c.answer().ID != 0 }
func (c *cell) isDone() bool   { return c.answer().State == history.Done }

func (c *cell) isRunning() bool {
	return slices.ContainsFunc(c.samples, func(s sample) bool { return s.id != 0 && !s.answer().State.HasEnded() })
}

func (c *cell) isText() bool { return c.isDone() && c.answer().Picture == nil }

// times summarizes the times of the samples without reused answers.
func (c *cell) times() format.Summary {
	var out []time.Duration
	for _, s := range c.samples {
		if a := s.answer(); a.State == history.Done && !a.IsCached {
			out = append(out, a.Elapsed)
		}
	}
	return format.Summarize(out)
}

func timeText(d time.Duration) string { return format.Seconds(max(d, 0)) }

// stateText returns the state of the answer, or the time of a finished one.
func (c *cell) stateText(now time.Time) string {
	a := c.answer()
	switch {
	case a.State == history.Running && service.RetryWait(a, now) > 0:
		return fmt.Sprintf("again in %d s", service.RetrySeconds(service.RetryWait(a, now)))
	case a.State == history.Running:
		return c.reader.RunningTime(a)
	case a.State == history.Failed && a.Failure != nil:
		return "failed " + a.Failure.Code
	case a.State != history.Done:
		return a.State.Word()
	}
	return doneText(a)
}

// doneText returns the time of a finished answer.
func doneText(a history.Answer) string {
	if a.IsCached {
		return "(" + timeText(a.Elapsed) + " cached)"
	}
	return timeText(a.Elapsed)
}

// shortTime returns the time of a finished cell, the median of several samples, that of a reused answer in brackets.
func (c *cell) shortTime() string {
	t, a := c.times(), c.answer()
	switch {
	case t.N > 0 && (t.N > 1 || a.IsCached):
		return timeText(t.Median)
	case a.IsCached:
		return "(" + timeText(a.Elapsed) + ")"
	}
	return timeText(a.Elapsed)
}

// longTime returns the time of a finished cell, with the range of several samples.
func (c *cell) longTime(now time.Time) string {
	if t := c.times(); t.N > 1 && !c.answer().IsCached {
		return t.String()
	}
	return c.stateText(now)
}

// sampleMark returns which sample is shown, and how many are identical: "#2/3 ×2".
func (c *cell) sampleMark() string {
	if len(c.samples) < 2 {
		return ""
	}
	which, times := "", ""
	if len(c.distinct) > 1 {
		which = fmt.Sprintf("#%d/%d", c.sampleIndex+1, len(c.distinct))
	}
	if n := len(c.distinct[c.sampleIndex].answers); n > 1 {
		times = fmt.Sprintf("×%d", n)
	}
	return joinTexts(" ", which, times)
}

// sampleFacts returns which sample is shown, its time, and the median and range of all.
func (c *cell) sampleFacts(now time.Time) string {
	if len(c.samples) < 2 {
		return ""
	}
	which, took, all := fmt.Sprintf("sample %d of %d", c.sampleIndex+1, len(c.distinct)), "", ""
	switch n := len(c.distinct[c.sampleIndex].answers); {
	case len(c.distinct) == 1:
		which = format.Count(n, "sample") + " alike"
	case n > 1:
		which += fmt.Sprintf(", %d alike", n)
	}
	if c.isDone() {
		took = c.stateText(now)
	}
	if t := c.times(); t.N > 0 {
		all = "all " + t.String()
	}
	return joinTexts(", ", which, took, all)
}
