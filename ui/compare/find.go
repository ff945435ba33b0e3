package compare

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/conversation"
	"confab/ui/keys"
	"confab/ui/widget"
)

// finder is the search in all listed answers.
type finder struct {
	widget.Finder
	matches []match // in the order of the list
	index   int     // of the current match; -1 for none yet
}

// match is the n-th match of a cell, from 0.
type match struct {
	cell string
	n    int
}

// typeFind passes a key or a paste to the line of the search.
func (v *View) typeFind(msg tea.Msg) action.Action {
	switch v.find.Update(msg) {
	case widget.FindChanged:
		v.find.index = -1
		v.findMatches()
		v.relayout()
	case widget.FindAccepted:
		return v.goToMatch(0)
	case widget.FindClosed:
		v.closeFind()
		v.relayout()
	case widget.FindIgnored:
		return action.Unused{Key: msg.(keys.Press).String()}
	}
	return nil
}

func (v *View) closeFind() { v.find = finder{index: -1} }

// findMatches searches the listed answers and keeps the current match.
func (v *View) findMatches() {
	f := &v.find
	var current match
	if f.index >= 0 && f.index < len(f.matches) {
		current = f.matches[f.index]
	}
	f.matches = nil
	for _, x := range v.listed {
		if !x.isText() {
			continue
		}
		for n := range conversation.CountMatches(x.answer().Text, f.Text) {
			f.matches = append(f.matches, match{x.name, n})
		}
	}
	f.index = slices.Index(f.matches, current)
}

// goToMatch goes n matches forward or back. It starts at the focused answer.
func (v *View) goToMatch(n int) action.Action {
	f := &v.find
	switch {
	case f.Text == "":
		starts := v.env.Keys.Phrase(keys.Compare, keys.Find, ": %s starts a search")
		return notifyInfo("No search yet" + starts + ".")
	case len(f.matches) == 0:
		return action.Notify{Severity: action.Warn,
			Text: fmt.Sprintf("%q is in none of these answers.", termtext.Line(f.Text))}
	case f.index < 0:
		f.index = max(slices.IndexFunc(f.matches, func(m match) bool { return v.indexOf(m.cell) >= v.focusIndex }), 0)
		if n < 0 {
			f.index--
		}
	default:
		f.index += n
	}
	f.index = (f.index%len(f.matches) + len(f.matches)) % len(f.matches)
	to := f.matches[f.index]
	v.focus(v.indexOf(to.cell))
	for _, x := range v.listed {
		place := -1
		if x.name == to.cell {
			place = to.n
		}
		v.readerOf(x).SetFind(f.Text)
		v.readerOf(x).GoFound(place)
	}
	return nil
}

// findPieces draws the search text and the number of matches.
func (v *View) findPieces() widget.Pieces {
	s, f := v.styles, &v.find
	out := widget.Pieces{{Text: f.View(s)}}
	if f.Text != "" {
		count := format.Several(len(f.matches), "match", "matches")
		if f.index >= 0 && len(f.matches) > 0 {
			count = fmt.Sprintf("%d of %d", f.index+1, len(f.matches))
		}
		out = append(out, piece(count, s.Muted))
	}
	if f.IsTyping {
		return append(out, piece(v.env.Keys.Phrase(keys.Form, keys.Accept, "%s goes to the first")+
			v.env.Keys.Phrase(keys.Form, keys.Close, ", %s closes"), s.Faint))
	}
	return append(out, piece(joinTexts(" ", v.env.Keys.Key(keys.Compare, keys.FindNext),
		v.env.Keys.Key(keys.Compare, keys.FindPrevious)), s.Key))
}
