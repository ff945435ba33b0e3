package widget

import (
	"strings"

	"charm.land/bubbles/v2/textarea"

	"confab/ui/keys"
)

// NewArea returns an empty text area without a limit of its text. The keys for a new line are those of the prompt.
func NewArea(m keys.Map) textarea.Model {
	area := textarea.New()
	area.Prompt = ""
	area.ShowLineNumbers = false
	area.CharLimit = 0
	area.MaxHeight = 0 // would refuse further lines as well (bubbles v2.2.1)
	area.SetVirtualCursor(false)
	// These two use the clipboard of the machine confab runs on, which over SSH is not the user's.
	area.KeyMap.Paste.SetEnabled(false)
	area.KeyMap.CopySelection.SetEnabled(false)
	if e, ok := m.Entry(keys.Prompt, keys.NewLine); ok {
		area.KeyMap.InsertNewline.SetKeys(e.Keys...)
	}
	SetAreaText(&area, "")
	return area
}

// SetAreaText replaces the text and leaves the cursor at its end. SetValue alone reserves 10,000 lines, 240 KB, however
// short the text is (bubbles v2.2.1), of which a server of many screens would hold some for each. Deleting what two
// selected lines have between them makes room for the lines there are.
func SetAreaText(area *textarea.Model, text string) {
	area.SetValue("\n")
	area.MoveToBegin()
	area.BeginSelection(0, 0)
	area.ExtendSelection(0, 1)
	area.EndSelection()
	area.DeleteSelection()
	area.InsertString(text)
}

// NormalizeLines turns the line ends of other systems into line feeds: a text area makes two lines of CRLF.
func NormalizeLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// SplitArea returns the text of a text area before and after the cursor.
func SplitArea(area textarea.Model) (before, after string) {
	value := area.Value()
	start := 0
	for range area.Line() {
		n := strings.IndexByte(value[start:], '\n')
		if n < 0 {
			break
		}
		start += n + 1
	}
	at, column := start, area.Column()
	for i, r := range value[start:] {
		if column == 0 || r == '\n' {
			at = start + i
			return value[:at], value[at:]
		}
		column--
	}
	return value, ""
}

// JoinArea returns the text area with another text, and the cursor between its two parts.
func JoinArea(area textarea.Model, before, after string) textarea.Model {
	SetAreaText(&area, after)
	area.MoveToBegin()
	area.InsertString(before)
	if area.Focused() {
		area, _ = area.Update(nil) // scrolls to the cursor
	}
	return area
}
