package widget

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// UpdateArea gives a key to a text area.
func UpdateArea(area textarea.Model, msg tea.KeyPressMsg) (textarea.Model, tea.Cmd) {
	k := area.KeyMap
	times := 1
	switch {
	case area.HasSelection():
	case key.Matches(msg, k.CharacterBackward, k.DeleteCharacterBackward):
		before, _ := areaLine(area)
		times = codePoints(lastCluster(before))
	case key.Matches(msg, k.CharacterForward, k.DeleteCharacterForward):
		_, after := areaLine(area)
		times = codePoints(firstCluster(after))
	}
	if times == 1 {
		return area.Update(msg)
	}
	// The text area works on all of its text for every key, so that a key for each code point could take minutes.
	before, after := SplitArea(area)
	switch {
	case key.Matches(msg, k.DeleteCharacterBackward):
		return JoinArea(area, strings.TrimSuffix(before, lastCluster(before)), after), nil
	case key.Matches(msg, k.DeleteCharacterForward):
		return JoinArea(area, before, after[len(firstCluster(after)):]), nil
	case key.Matches(msg, k.CharacterBackward):
		area.SetCursorColumn(area.Column() - times)
	default:
		area.SetCursorColumn(area.Column() + times)
	}
	return area.Update(nil) // scrolls to the cursor
}

// areaLine returns the text of the cursor's line before and after the cursor.
func areaLine(area textarea.Model) (before, after string) {
	before, after = SplitArea(area)
	after, _, _ = strings.Cut(after, "\n")
	return before[strings.LastIndexByte(before, '\n')+1:], after
}

// codePoints returns how often a key has to be given for a cluster; once where there is none, as at the start of a
// line.
func codePoints(cluster string) int { return max(utf8.RuneCountInString(cluster), 1) }

func firstCluster(s string) string {
	if g := graphemes.FromString(s); g.Next() {
		return g.Value()
	}
	return ""
}

func lastCluster(s string) string {
	last := ""
	for g := graphemes.FromString(s); g.Next(); {
		last = g.Value()
	}
	return last
}

// EditsArea tells whether a key types into a text area, edits its text or moves in it.
func EditsArea(area textarea.Model, msg tea.KeyPressMsg) bool {
	k := area.KeyMap
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
