package dialog

import (
	tea "charm.land/bubbletea/v2"

	"confab/internal/termtext"
	"confab/ui/action"
	"confab/ui/widget"
)

func (f *form) edit(r *row, msg tea.Msg) action.Action {
	result := r.edit(msg)
	f.sync()
	if f.typed != nil {
		return action.Join(result.Action(), f.typed())
	}
	return result.Action()
}

// takesKey reports whether a key belongs to vi's mode of the current row.
func (f *form) takesKey(msg tea.KeyPressMsg) bool {
	r := f.current()
	switch {
	case r.choices != nil:
		return false
	case r.area != nil:
		return r.area.Takes(msg)
	}
	return r.text.Takes(msg)
}

// mode names vi's mode of the current row, "" for none.
func (f *form) mode() string {
	r := f.current()
	switch {
	case r.choices != nil:
		return ""
	case r.area != nil:
		return string(r.area.Mode())
	}
	return string(r.text.Mode())
}

func (f *form) copySelection() action.Action {
	r := f.current()
	if r.choices != nil {
		return nil
	}
	if r.area != nil {
		return r.area.CopySelection().Action()
	}
	return r.text.CopySelection().Action()
}

// note draws the note of a row, or its problem.
func (f *form) note(r *row) string {
	if r.problem != "" {
		return f.Styles.Danger.On(r.problem)
	}
	return f.Styles.Faint.On(r.note)
}

// wrappedLines returns how many lines the text of an area needs in w cells, limit or more if it needs that many.
func wrappedLines(area *widget.Area, w, limit int) (n int) {
	for _, line := range area.Lines() {
		if n >= limit {
			break
		}
		n += max(len(termtext.Wrap(line, max(w-1, 1))), 1)
	}
	return n
}

// aboveText wraps what is said above a text in w cells, and leaves a blank line below it where height has room.
func (f *form) aboveText(text string, w, height int) []string {
	const comfortable = 4
	lines := widget.StyleLines(f.Styles.Muted, "", termtext.Wrap(text, max(w, 2)))
	if height >= comfortable+len(lines) {
		return append(lines, "")
	}
	return lines[:max(min(len(lines), height), 1)]
}
