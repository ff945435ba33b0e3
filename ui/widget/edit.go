package widget

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Press gives a key to the text area. What people see as one character is one for every key, and so is a tab.
func (a *Area) Press(msg tea.KeyPressMsg) tea.Cmd {
	if encode(msg.Text) != msg.Text {
		a.Insert(msg.Text)
		return nil
	}
	cmd := a.press(msg)
	a.repairTabs()
	return cmd
}

func (a *Area) press(msg tea.KeyPressMsg) tea.Cmd {
	k := a.KeyMap
	times := 1
	switch {
	case a.HasSelection():
	case key.Matches(msg, k.CharacterBackward, k.DeleteCharacterBackward):
		before, _ := a.cursorLine()
		times = codePoints(lastCluster(before))
	case key.Matches(msg, k.CharacterForward, k.DeleteCharacterForward):
		_, after := a.cursorLine()
		times = codePoints(firstCluster(after))
	}
	if times == 1 {
		return a.Update(msg)
	}
	// The text area works on all of its text for every key, so that a key for each code point could take minutes.
	before, after := a.split()
	switch {
	case key.Matches(msg, k.DeleteCharacterBackward):
		a.Join(decode(strings.TrimSuffix(before, lastCluster(before))), decode(after))
		return nil
	case key.Matches(msg, k.DeleteCharacterForward):
		a.Join(decode(before), decode(after[len(firstCluster(after)):]))
		return nil
	case key.Matches(msg, k.CharacterBackward):
		a.SetCursorColumn(a.Column() - times)
	default:
		a.SetCursorColumn(a.Column() + times)
	}
	return a.Update(nil) // scrolls to the cursor
}

// repairTabs moves the cursor out of a tab, and makes whole what is left of one that was deleted in part.
func (a *Area) repairTabs() {
	value := a.Value()
	if a.HasSelection() || !strings.ContainsFunc(value, isTabPart) {
		return
	}
	before, after := a.split()
	if r, _ := utf8.DecodeRuneInString(after); r == tabFiller {
		if tab := lastCluster(before); strings.ContainsFunc(tab, isTabPart) {
			a.SetCursorColumn(a.Column() - codePoints(tab))
			before, after = a.split()
		}
	}
	if encode(decode(value)) != value {
		a.Join(decode(before), decode(after))
	}
}

// cursorLine returns the text of the cursor's line before and after the cursor, with stand-ins.
func (a *Area) cursorLine() (before, after string) {
	before, after = a.split()
	after, _, _ = strings.Cut(after, "\n")
	return before[strings.LastIndexByte(before, '\n')+1:], after
}

// codePoints returns how often a key has to be given for a cluster; once where there is none, as at the start of a
// line.
func codePoints(cluster string) int { return max(utf8.RuneCountInString(cluster), 1) }

// firstCluster returns the first grapheme cluster of a text with stand-ins, or its tab.
func firstCluster(s string) string {
	if strings.HasPrefix(s, string(tabStandIn)) {
		rest := strings.TrimLeft(s[len(string(tabStandIn)):], string(tabFiller))
		return s[:len(s)-len(rest)]
	}
	if r, size := utf8.DecodeRuneInString(s); r == quoteStandIn {
		_, quoted := utf8.DecodeRuneInString(s[size:])
		return s[:size+quoted]
	}
	if g := graphemes.FromString(s); g.Next() {
		return g.Value()
	}
	return ""
}

// lastCluster returns the last grapheme cluster of a text with stand-ins, or its tab.
func lastCluster(s string) string {
	if tab := strings.TrimRight(s, string(tabFiller)); strings.HasSuffix(tab, string(tabStandIn)) {
		return s[len(tab)-len(string(tabStandIn)):]
	}
	const quote = string(rune(quoteStandIn))
	_, size := utf8.DecodeLastRuneInString(s)
	before := s[:len(s)-size]
	if quotes := len(before) - len(strings.TrimRight(before, quote)); quotes/len(quote)%2 == 1 {
		return s[len(before)-len(quote):]
	}
	last := ""
	for g := graphemes.FromString(s); g.Next(); {
		last = g.Value()
	}
	return last
}

// Edits tells whether a key types into the text area, edits its text or moves in it.
func (a *Area) Edits(msg tea.KeyPressMsg) bool {
	k := a.KeyMap
	return msg.Text != "" ||
		key.Matches(msg, k.CharacterBackward, k.CharacterForward, k.DeleteAfterCursor, k.DeleteBeforeCursor,
			k.DeleteCharacterBackward, k.DeleteCharacterForward, k.DeleteWordBackward, k.DeleteWordForward,
			k.InsertNewline,
			k.LineEnd, k.LineNext, k.LinePrevious, k.LineStart, k.PageUp, k.PageDown, k.WordBackward, k.WordForward,
			k.InputBegin, k.InputEnd, k.UppercaseWordForward, k.LowercaseWordForward, k.CapitalizeWordForward,
			k.TransposeCharacterBackward, k.SelectCharacterForward, k.SelectCharacterBackward, k.SelectWordForward,
			k.SelectWordBackward,
			k.SelectLineUp, k.SelectLineDown, k.SelectAll)
}
