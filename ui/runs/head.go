package runs

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/ui/keys"
)

// headLines are the lines above the table: what is shown, and how it stands.
func (v *View) headLines() []string {
	head := v.runHead
	if v.changes != nil {
		head = v.changesHead
	}
	name, right, state := head()
	if v.plan.head < 2 {
		return []string{v.sides(name, right)}
	}
	if v.changes != nil || !v.goes() {
		right = ""
	}
	return []string{v.sides(name, right), " " + state}
}

// sides puts one text on the left and one on the right of a line. The right
// one has the room first.
func (v *View) sides(left, right string) string {
	bar := v.inks.accent.On(" ▌ ")
	room := v.w - 3
	if right != "" {
		right = ansi.Truncate(right, max(room-2, 0), "…")
		room -= ansi.StringWidth(right) + 2
	}
	left = ansi.Truncate(left, max(room, 0), "…")
	gap := max(room-ansi.StringWidth(left), 0)
	if right != "" {
		gap++
	}
	return bar + left + strings.Repeat(" ", gap) + v.inks.muted.On(right)
}

// named is a run in a few words.
func (v *View) named(f history.Run) string {
	return v.inks.strong.On(tidy(f.Suite)) + "  " + v.inks.text.On(fmt.Sprintf("run %d", f.ID))
}

// runHead says which run is shown, how it stands in a few words, and in all.
func (v *View) runHead() (name, short, state string) {
	f, c := v.table.run.Facts, v.table.total
	name = v.named(f)
	if at := span(f.Started, f.Ended, v.now); at != "" {
		name += v.inks.muted.On("  " + at)
	}
	if f.How.AtOnce > 0 {
		name += v.inks.muted.On(fmt.Sprintf("  %d at once", f.How.AtOnce))
	}
	if said := freshness(c); said != "" {
		name += v.inks.muted.On("  " + said)
	}
	if f.Note != "" {
		name += v.inks.muted.On("  note: " + tidy(f.Note))
	}
	short = fmt.Sprintf("%d/%d", c.ended(), c.all)
	if bad := c.failed + c.errors; bad > 0 {
		short += fmt.Sprintf(" %d%s", bad, signFailed)
	} else if c.skipped > 0 {
		short += fmt.Sprintf(" %d%s", c.skipped, signSkipped)
	}
	if began := v.beganAt(f); v.goes() && !began.IsZero() && !v.now.IsZero() {
		if v.plan.head > 1 {
			short = "running"
		}
		short += " " + since(began, v.now)
	}
	// The longest that fits: the bar is shortened before the words.
	for _, bar := range []int{30, 20, 12, 6} {
		for _, how := range []length{whole, middle, terse} {
			state = v.standing(c, bar, how)
			if fits := ansi.StringWidth(state) < v.w-1; fits && (how < terse || bar == 6) {
				return name, short, state
			}
		}
	}
	return name, short, state
}

// freshness says whether the answers of a run are its own.
func freshness(c counts) string {
	switch {
	case c.reused > 0:
		return fmt.Sprintf("%d reused", c.reused)
	case c.answered() > 0:
		return "fresh"
	}
	return ""
}

// length is how long something is said.
type length int

const (
	whole length = iota
	middle
	terse
)

// standing says how the samples of a run stand. A bar of so many cells is drawn
// while it is not whole.
func (v *View) standing(c counts, bar int, how length) string {
	live := v.goes()
	if !live && c.ended() == c.all {
		parts := []string{v.inks.text.On(fmt.Sprintf("%d of %d passed", c.passed, c.all))}
		c.passed = 0
		return strings.Join(append(parts, v.parts(c, how)...), "  ")
	}
	parts := []string{v.bar(c, bar) + " " + v.inks.text.On(fmt.Sprintf("%d/%d done", c.ended(), c.all))}
	return strings.Join(append(parts, v.parts(c, how)...), "  ")
}

// parts say how many samples stand where, and what can be done about it.
func (v *View) parts(c counts, how length) []string {
	var out []string
	add := func(n int, what string, look tone) {
		if n > 0 {
			out = append(out, v.inks.cells[look].On(fmt.Sprintf("%d %s", n, what)))
		}
	}
	failed, errors := "failed", "errors"
	if how == whole {
		failed += " (" + format.Count(c.checksBroken, "check") + ")"
	}
	if c.errors == 1 {
		errors = "error"
	}
	if how == terse {
		text, look := marks(c)
		text = strings.TrimPrefix(text, "0"+signPassed+" ")
		out = append(out, v.inks.cells[look].On(text))
	} else {
		add(c.passed, "passed", good)
		add(c.failed, failed, bad)
		add(c.skipped, "skipped", trouble)
		add(c.unchecked, "unchecked", plain)
		add(c.errors, errors, trouble)
	}
	add(c.running, "running", busy)
	add(c.stopped, "stopped", quiet)
	if v.goes() {
		add(c.open, "waiting", quiet)
		return out
	}
	add(c.open, "missing", trouble)
	if h, n := v.keys.Hints(keys.Runs, keys.ResumeRun), c.errors+c.stopped+c.open; n > 0 && len(h) > 0 {
		text := fmt.Sprintf("%s asks for the %d without an answer", h[0].Key, n)
		if how != whole {
			text = fmt.Sprintf("%s asks for %d", h[0].Key, n)
		}
		out = append(out, v.inks.muted.On(text))
	}
	return out
}

// beganAt is when what goes on began. Of a run that is gone on with, the first
// beginning says nothing.
func (v *View) beganAt(f history.Run) time.Time {
	if v.here() && !v.began.IsZero() {
		return v.began
	}
	return f.Started
}

// bar draws how much of a run is done.
func (v *View) bar(c counts, w int) string {
	full := 0
	if c.all > 0 {
		full = w * c.ended() / c.all
	}
	return v.inks.progress.On(strings.Repeat("█", full)) + v.inks.faint.On(strings.Repeat("░", w-full))
}

// changesHead says which runs are compared, and what changed in all.
func (v *View) changesHead() (name, short, state string) {
	c := v.changes
	a, b := c.a, c.b
	name = v.inks.strong.On(tidy(a.Suite)) + "  " + v.inks.text.On(fmt.Sprintf("run %d → run %d", a.ID, b.ID))
	if a.Suite != b.Suite {
		name = v.named(a) + " → " + v.named(b)
	}
	name += v.inks.muted.On("  " + format.Moment(a.Started.Local(),
		v.now.Local()) + " → " + format.Moment(b.Started.Local(), v.now.Local()))
	for _, f := range []history.Run{a, b} {
		if f.Note != "" {
			name += v.inks.muted.On(fmt.Sprintf("  note of run %d: %s", f.ID, tidy(f.Note)))
		}
	}
	short = fmt.Sprintf("%d= %d≠", c.total.same, c.total.differ)
	state = c.total.summary(whole)
	if ansi.StringWidth(state) > v.w-2 {
		state = c.total.summary(terse)
	}
	return name, short, v.inks.text.On(state)
}
