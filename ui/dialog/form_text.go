package dialog

import (
	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
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
