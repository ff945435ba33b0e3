package browse_test

import (
	"strings"
	"testing"

	"confab/ui"
	"confab/ui/action"
	"confab/ui/browse"
	"confab/ui/keys"
	"confab/ui/overlay/overlaytest"
)

// TestHeight has a list as high as what it holds, and one that stands still while a filter is typed.
func TestHeight(t *testing.T) {
	s := list(overlaytest.New(t, 120, 40), action.ListPersonas)
	height := func() int { return strings.Count(strings.TrimSpace(s.View()), "\n") + 1 }
	s.found(nil, 0, "")
	if height() != 6 {
		t.Errorf("an empty list is %d lines high, want 6", height())
	}
	s.Shows("alt+n makes one.")

	s = list(overlaytest.New(t, 80, 18), action.ListRuns) // too low for a preview
	s.found(sessions(), 3, "")
	full := height()
	if full != 10 {
		t.Errorf("a list of three is %d lines high, want 10", full)
	}
	s.Type("zz")
	s.found(nil, 0, "")
	if s.Shows("Nothing matches"); height() != full {
		t.Errorf("the filtered list is %d lines high, want still %d", height(), full)
	}
}

// TestFirstPersona leads to the editor of the system prompt where none is written.
func TestFirstPersona(t *testing.T) {
	create, _ := browse.ListConfig(action.ListPersonas, ui.Keys()).Keys[keys.Create].(action.Sequence)
	edit := action.RunCommand{Scope: keys.Everywhere, Command: keys.Personas}
	if len(create) != 2 || create[0] != (action.CloseDialog{}) || create[1] != edit {
		t.Errorf("the key that makes one does %#v", create)
	}
}

// TestFilterHelp says what the value of a filter is, and how a day is searched for.
func TestFilterHelp(t *testing.T) {
	s := list(overlaytest.New(t, 80, 24), action.ListSessions)
	s.found(sessions(), 3, "")
	s.Type("refund after:")
	s.Shows("today, yesterday")
	s.Type("y")
	s.Hides("today, yesterday")
	s.found(nil, 3, "")
	s.Shows("as in after:yesterday")
}
