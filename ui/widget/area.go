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
	return area
}

// NormalizeLines turns the line ends of other systems into line feeds: a text area makes two lines of CRLF.
func NormalizeLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}
