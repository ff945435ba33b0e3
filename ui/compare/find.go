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
	isTyping bool
	line     widget.Field // in which the text is typed
	text     string
	matches  []match // in the order of the list
	index    int     // of the current match; -1 for none yet
}

// match is the n-th match of a cell, from 0.
type match struct {
	cell string
	n    int
}

// typeFind handles a key while the text to search for is typed.
func (v *View) typeFind(msg keys.Press) action.Action {
	switch msg.LineCommand() {
	case keys.Accept:
		v.find.isTyping = false
		if v.find.text == "" {
			v.closeFind()
			return nil
		}
		return v.goToMatch(0)
	case keys.Close:
		v.closeFind()
		return nil
	}
	if !v.find.line.Edits(msg) {
		return action.Unused{Key: msg.String()}
	}
	v.editFind(msg)
	return nil
}

// startFind lets the text to search for be typed, or edited.
func (v *View) startFind() {
	v.find.isTyping, v.find.line = true, widget.NewField(v.find.text, "")
	v.find.line.Styles = v.styles
	v.find.line.SetWidth(max(v.w/2, 1))
}

// editFind gives a key or a paste to the text to search for.
func (v *View) editFind(msg tea.Msg) {
	if v.find.line.Update(msg) {
		v.setFind(v.find.line.Value())
	}
}

func (v *View) setFind(text string) {
	v.find.text, v.find.index = text, -1
	v.findMatches()
}

func (v *View) closeFind() {
	v.find = finder{index: -1}
	v.findMatches()
}

// findMatches finds and highlights the matches in the listed answers, and keeps the current one.
func (v *View) findMatches() {
	f := &v.find
	var current match
	if f.index >= 0 && f.index < len(f.matches) {
		current = f.matches[f.index]
	}
	f.matches = nil
	for _, x := range v.cells {
		for _, r := range x.readers() {
			r.SetFind(f.text)
		}
	}
	for _, x := range v.listed {
		if f.text == "" || !x.isText() {
			continue
		}
		for n := range conversation.CountMatches(x.answer().Text, f.text) {
			f.matches = append(f.matches, match{x.name, n})
		}
	}
	f.index = slices.Index(f.matches, current)
}

// goToMatch goes n matches forward or back. The first time it goes to a match of the focused answer, or the next one.
func (v *View) goToMatch(n int) action.Action {
	f := &v.find
	switch {
	case f.text == "":
		return notifyInfo("Nothing is searched for" + v.keys.Phrase(keys.Compare, keys.Find, ": %s starts a search") +
			".")
	case len(f.matches) == 0:
		return action.Notify{Severity: action.Warn,
			Text: fmt.Sprintf("%q is in none of these answers.", termtext.Line(f.text))}
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
	for i, x := range v.listed {
		if x.name == to.cell {
			v.focus(i)
			x.reader.GoFound(to.n)
			continue
		}
		x.reader.GoFound(-1)
	}
	return nil
}

// findPieces are the text that is searched for and the number of matches.
func (v *View) findPieces() widget.Pieces {
	s, f := v.styles, v.find
	out := widget.Pieces{piece("find", s.Key)}
	text := termtext.Line(f.text)
	if f.isTyping {
		text, _ = f.line.Visible()
	}
	if f.text != "" {
		count := format.Several(len(f.matches), "match", "matches")
		if f.index >= 0 && len(f.matches) > 0 {
			count = fmt.Sprintf("%d of %d", f.index+1, len(f.matches))
		}
		out = append(out, piece(text, s.Text), piece(count, s.Muted))
	}
	if f.isTyping {
		return append(out, piece(v.keys.Phrase(keys.Form, keys.Accept, "%s goes to the first")+
			v.keys.Phrase(keys.Form, keys.Close, ", %s closes"), s.Faint))
	}
	return append(out, piece(joinTexts(" ", v.keys.Key(keys.Compare, keys.FindNext),
		v.keys.Key(keys.Compare, keys.FindPrevious)), s.Key))
}

// findCursor is where the next letter is typed.
func (v *View) findCursor() *tea.Cursor {
	return v.find.line.Cursor(1+len("find")+len(lineGap), v.h-1)
}
