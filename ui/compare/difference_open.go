package compare

import (
	"fmt"

	"confab/history"
	"confab/ui/action"
	"confab/ui/keys"
)

// comparedAnswer is one of the two answers at the time when the difference was opened.
type comparedAnswer struct {
	sample
	cell   string // its name
	number int
	which  int // of the samples of its cell, from 1, where both answers are of one cell
}

// label returns the name of an answer as it is drawn, without its number.
func (x comparedAnswer) label() string {
	if x.which > 0 {
		return fmt.Sprintf("%s #%d", x.cell, x.which)
	}
	return x.cell
}

func newComparedAnswer(x *cell) comparedAnswer {
	return comparedAnswer{sample: x.distinct[x.sampleIndex].sample, cell: x.name, number: x.number}
}

// sampleTexts returns the shown sample of a cell and the next finished text, or the last one before it and the shown
// one; ok is false without another text.
func sampleTexts(x *cell) (a, b comparedAnswer, ok bool) {
	isText := func(i int) bool {
		s := x.distinct[i].answer()
		return s.State == history.Done && s.Picture == nil
	}
	at := func(i int) comparedAnswer { return comparedAnswer{x.distinct[i].sample, x.name, x.number, i + 1} }
	shown := x.sampleIndex
	for i := shown + 1; i < len(x.distinct) && isText(shown); i++ {
		if isText(i) {
			return at(shown), at(i), true
		}
	}
	for i := shown - 1; i >= 0 && isText(shown); i-- {
		if isText(i) {
			return at(i), at(shown), true
		}
	}
	return a, b, false
}

// openDifference compares the pinned answer with the focused one. Without another one that is pinned, it compares the
// focused answer with the next one, or the last with the one before, or two samples of one model.
func (v *View) openDifference() action.Action {
	a, b := v.pinned(), v.current()
	if a == nil || a == b {
		a = b
		if i := v.textFrom(v.focusIndex, 1, v.Column()); i >= 0 {
			b = v.listed[i]
		} else if i := v.textFrom(v.focusIndex, -1, v.Column()); i >= 0 {
			a = v.listed[i]
		}
	}
	if a != nil && a == b && a.isText() && len(a.samples) > 1 && len(a.distinct) == 1 {
		text := "Both answers are the same text."
		if len(a.samples) > 2 {
			text = "All these answers are the same text."
		}
		return notifyInfo(text)
	}
	if a != nil && a == b {
		if first, second, ok := sampleTexts(a); ok {
			return v.compareTexts(first, second)
		}
	}
	if a == nil || a == b || !a.isText() || !b.isText() {
		return action.Notify{Severity: action.Warn,
			Text: "Two finished texts are needed" + v.env.Keys.Phrase(keys.Compare, keys.Pin, ": %s pins one") +
				v.env.Keys.Phrase(keys.Compare, keys.Difference, ", %s compares another with it") + "."}
	}
	return v.compareTexts(newComparedAnswer(a), newComparedAnswer(b))
}

func (v *View) compareTexts(a, b comparedAnswer) action.Action {
	d := &difference{shown: v, a: a, b: b}
	d.Commands = differing.For(d, v.env.Keys)
	v.mode = d
	v.relayout()
	return nil
}

// textFrom returns the index in listed of the first text from i on that is not the named one, -1 for none.
func (v *View) textFrom(i, by int, except string) int {
	for i += by; i >= 0 && i < len(v.listed); i += by {
		if x := v.listed[i]; x.isText() && x.name != except {
			return i
		}
	}
	return -1
}
