package screen

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/keys"
)

// list is a layer with a selection that can be searched.
type list struct {
	action.Layer
	selected    string
	isNewSearch bool
}

func (l *list) State() action.LayerState {
	return action.LayerState{Target: l.selected, IsNewSearch: l.isNewSearch}
}

// TestEnterDoesNotChooseWhatHasJustComeUnderTheCursor changes what is selected in a list by itself: enter chooses it
// only once it was seen, or where it is the first that a search has found.
func TestEnterDoesNotChooseWhatHasJustComeUnderTheCursor(t *testing.T) {
	now := time.Now()
	enter := keys.Press{KeyPressMsg: tea.KeyPressMsg{Code: tea.KeyEnter}, Scope: keys.Browser, Command: keys.Choose}
	l := &list{selected: "first"}
	g := KeyGuard{Now: func() time.Time { return now },
		Keys: keys.New([]keys.Entry{{Scope: keys.Browser, Command: keys.Choose, Keys: []string{"enter"}, Acts: true}})}
	g.Follow(l, true)
	l.selected = "another"
	g.Follow(l, false)
	now = now.Add(lockTime / 2)
	if g.Refusal(enter) == nil {
		t.Error("enter chooses what nobody has seen")
	}
	l.isNewSearch = true
	if g.Refusal(enter) != nil {
		t.Error("enter does not choose the first that was found")
	}
	l.isNewSearch = false
	now = now.Add(lockTime)
	if g.Refusal(enter) != nil {
		t.Error("enter does not choose what was on screen for long enough")
	}
}
