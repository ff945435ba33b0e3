package compare

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/keys"
)

// counts says how many answers stand where, in short words where there is little
// room.
func (c *Compare) counts(short bool) string {
	states := map[history.State]int{}
	all, reused := 0, 0
	for _, x := range c.cells {
		for _, s := range x.samples {
			states[s.answer.State]++
			all++
			if s.answer.State == history.Done && s.answer.Cached {
				reused++
			}
		}
	}
	text := fmt.Sprintf("%d/%d done", states[history.Done], all)
	gap := "  "
	words := map[history.State]string{history.Running: "running", history.Queued: "queued", history.Failed: "failed",
		history.Cancelled: "cancelled", history.Interrupted: "interrupted"}
	if short {
		gap, words = " ", map[history.State]string{history.Running: "run", history.Queued: "wait", history.Failed: "err",
			history.Cancelled: "off", history.Interrupted: "lost"}
	}
	text = c.onlyText() + text
	for _, s := range []history.State{history.Running, history.Queued, history.Failed, history.Cancelled,
		history.Interrupted} {
		if n := states[s]; n > 0 {
			text += fmt.Sprintf("%s%d %s", gap, n, words[s])
		}
	}
	switch {
	case short:
	case reused > 0:
		text += fmt.Sprintf("%s%d cached", gap, reused)
	case states[history.Done] > 0:
		text += gap + "fresh"
	}
	return text
}

// onlyText says which answers are listed when not all are.
func (c *Compare) onlyText() string {
	if c.show == showAll {
		return ""
	}
	return "only " + c.show.String() + between
}

// statusLine says more of the focused answer, and which is best in what.
func (c *Compare) statusLine() string {
	s, x := c.styles, c.current()
	var out []piece
	if c.find.typing || c.find.text != "" {
		out = append(out, c.findPieces()...)
	}
	switch {
	case c.find.typing:
	case c.jumping:
		out = append(out, piece{"go to answer " + c.jump + "…", s.Text}, piece{c.keys.Key(keys.Form, keys.Accept), s.Key})
	case x == nil:
		out = append(out,
			piece{"nothing to show" + c.keys.Phrase(keys.Compare, keys.ShowAnswers, ": %s shows other ones"), s.Faint})
	default:
		out = append(out, c.aboutFocused(x)...)
		for _, text := range append([]string{c.twinText()}, c.best()...) {
			out = append(out, piece{text, s.Faint})
		}
		if c.anyCached() && !c.plan.list.Empty() {
			out = append(out, piece{"c = cached", s.Faint})
		}
	}
	return " " + ansi.Truncate(joinedBy(between, out), max(c.w-2, 1), "…")
}

func (c *Compare) anyCached() bool {
	for _, x := range c.listed {
		if listMark(x) == "c" {
			return true
		}
	}
	return false
}

// aboutFocused says what the line above the focused answer has no room for.
func (c *Compare) aboutFocused(x *cell) []piece {
	s, a := c.styles, x.answer()
	if a.State == history.Failed && a.Failure != nil {
		return []piece{{termtext.Line(x.name) + ": " + termtext.Line(a.Failure.Message), s.Danger}}
	}
	if !x.asked() {
		return []piece{{"not asked for yet", s.Muted}}
	}
	var out []piece
	v := verdictOf(x.checks())
	if v.first != "" {
		out = append(out, piece{crossed + " " + v.first, s.Danger})
	}
	add := func(text string) { out = append(out, piece{text, s.Muted}) }
	if by := a.AnsweredBy(); by != "" {
		add(termtext.Line(by))
	}
	if a.ServiceNote != "" && (c.zoom || a.Picture != nil) {
		add("service says: " + termtext.Line(a.ServiceNote))
	}
	add(c.aboutSamples(x))
	if v.skipped > 0 {
		add(format.Count(v.skipped, "check") + " skipped")
	}
	if a.Note != "" && !c.zoom {
		add("note: " + termtext.Line(a.Note))
	}
	if c.zoom || c.w >= 120 {
		add(c.sizeText(x))
	}
	return out
}

// aboutSamples says which sample is shown, its own time, and the median and the
// range of all.
func (c *Compare) aboutSamples(x *cell) string {
	if len(x.samples) < 2 {
		return ""
	}
	parts := []string{fmt.Sprintf("sample %d of %d", x.at+1, len(x.distinct))}
	switch d := x.distinct[x.at]; {
	case len(x.distinct) == 1:
		parts[0] = fmt.Sprintf("%d samples alike", d.n)
	case d.n > 1:
		parts[0] += fmt.Sprintf(", %d alike", d.n)
	}
	if x.done() {
		parts = append(parts, x.state(c.now))
	}
	if t := x.times(); t.N > 0 {
		parts = append(parts, "all "+t.String())
	}
	return strings.Join(parts, ", ")
}
