package widget

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
)

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
