package ui_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
)

// sends types a prompt, sends it and waits for its answer.
func (s *screen) sends(prompt string) {
	s.t.Helper()
	s.typed(prompt)
	s.press("enter")
	s.pass(5 * time.Second)
}

// openTeam starts the screens of two users, of whom anna has sent a prompt.
func openTeam(t *testing.T) (anna, bob *screen) {
	t.Helper()
	m := newTeam(t)
	anna, bob = m.open(t, "anna", 120, 40), m.open(t, "bob", 120, 40)
	anna.sends("plan the summer party")
	return anna, bob
}

// TestASessionIsSharedWithTheTeam shares a session, which another user finds, reads and copies.
func TestASessionIsSharedWithTheTeam(t *testing.T) {
	run(t, func(t *testing.T) {
		anna, bob := openTeam(t)
		bob.press("ctrl+s")
		bob.shows("‹yours› team", "No sessions yet.")
		bob.press("tab")
		bob.shows("yours ‹team›", "Nobody has shared a session with you.")
		anna.press("alt+h")
		anna.shows("Shared: all users of this database can read the session.", "shared   1 turn")
		bob.pass(time.Second)
		bob.shows("plan the summer party", "anna   1 turn", "1 turn · 1 answer") // the list follows, and its preview
		bob.typed("winter")
		bob.shows("Nothing matches “winter”.")
		bob.press("esc", "ctrl+s", "tab")
		bob.typed("summer")
		bob.press("enter")
		bob.pass(time.Second)
		bob.shows("About plan the summer party", "of anna   1 turn", "read only: anna shared this session",
			"enter send in a copy")
		anna.press("ctrl+s")
		anna.shows("‹yours› team", "shared   1 turn")
		anna.press("tab")
		anna.shows("Nobody has shared a session with you.") // one's own is not among those of others
		anna.press("esc")

		bob.typed("and the cake")
		bob.press("enter")
		bob.shows("A shared session", "anna shared this session, read-only.")
		bob.press("y")
		bob.pass(time.Second)
		bob.shows("plan the summer party (fork)", "and the cake", "About plan the summer party")
		bob.lacks("read only", "of anna")
		bob.press("enter")
		bob.pass(5 * time.Second)
		bob.shows("About and the cake", "2 turns")
		anna.pass(time.Second)
		anna.lacks("and the cake")
		anna.press("alt+h")
		anna.shows("The session is no longer shared.")
		bob.pass(time.Second)
		bob.shows("About and the cake") // copies stay
		bob.press("ctrl+s", "tab")
		bob.shows("Nobody has shared a session with you.")
		bob.click(teamTab(bob, "yours"))
		bob.shows("‹yours› team", "2 turns")
	})
}

// teamTab returns the cell of a tab of the open list.
func teamTab(s *screen, name string) (x, y int) {
	y = lineOf(s, "team")
	line, _, _ := strings.Cut(strings.Split(s.text(), "\n")[y], name)
	return len([]rune(line)) + 1, y
}

// TestOthersChangeNothing tries to change and to delete what another user shares, in the list and where it is open.
func TestOthersChangeNothing(t *testing.T) {
	run(t, func(t *testing.T) {
		anna, bob := openTeam(t)
		anna.press("alt+h")
		bob.press("ctrl+s")
		bob.click(teamTab(bob, "team"))
		bob.shows("plan the summer party", "alt+f fork", "alt+w export")
		bob.lacks("alt+x", "alt+r", "alt+h")
		for key, name := range map[string]string{"alt+x": "delete", "alt+r": "rename", "alt+h": "share"} {
			bob.press(key)
			bob.shows(key + " (" + name + ") does nothing in this list.")
		}
		bob.press("enter", "alt+2")
		for _, key := range []string{"x", "+", "r"} {
			bob.press(key)
			bob.shows("It belongs to another user, who shares it to be read")
		}
		bob.press("alt+h")
		bob.shows("This session is shared by anna.")
		bob.press("alt+4", "ctrl+s", "tab", "alt+f")
		bob.pass(time.Second)
		bob.shows("Forked: you are in the copy.", "About plan the summer party")
		bob.lacks("of anna")
		anna.pass(time.Second)
		anna.shows("About plan the summer party", "1 turn")
	})
}

// TestUnsharingClosesTheSession ends sharing while another user has the session open, then while it is in the list.
func TestUnsharingClosesTheSession(t *testing.T) {
	run(t, func(t *testing.T) {
		anna, bob := openTeam(t)
		anna.press("alt+h")
		bob.press("ctrl+s", "tab", "enter")
		bob.pass(time.Second)
		bob.shows("About plan the summer party")
		anna.press("alt+h")
		bob.pass(time.Second)
		bob.shows("anna no longer shares this session.", "Nothing sent yet")
		bob.lacks("plan the summer party")
		anna.press("alt+h")
		bob.press("ctrl+s", "tab")
		bob.shows("plan the summer party")
		anna.press("ctrl+s", "alt+h") // in the list
		bob.pass(time.Second)
		bob.shows("Nobody has shared a session with you.")
		bob.lacks("plan the summer party")
	})
}

// TestARunIsSharedWithTheTeam shares a run, which another user opens, votes on and runs again.
func TestARunIsSharedWithTheTeam(t *testing.T) {
	run(t, func(t *testing.T) {
		anna, bob := openTeam(t)
		anna.press("ctrl+n")
		anna.runs(suiteFolder(t, refunds))
		anna.pass(5 * time.Second)
		anna.press("alt+h")
		anna.shows("Run 1 is shared: all users of this database can read it.", "shared")
		bob.press("f3", "tab")
		bob.pass(time.Second)
		bob.shows("yours ‹team›", "refund · run 1", "anna", "4 of 4 answered")
		bob.press("alt+h", "alt+x")
		bob.shows("alt+x (delete) does nothing in this list.")
		bob.press("enter")
		bob.pass(time.Second)
		bob.shows("2 of 4 passed", "of anna", "esc back")
		bob.press("alt+h")
		bob.shows("This run is shared by anna.")

		bob.press("enter", "V", "a")
		bob.pass(time.Second)
		bob.press("esc", "esc", "W")
		bob.shows("Votes on run 1", "you on 1 pair")
		anna.press("W")
		anna.shows("1 vote of others are hidden until you have voted on the same answers.")
		anna.press("esc", "enter", "V", "a")
		anna.pass(time.Second)
		anna.press("esc", "esc", "W")
		anna.shows("you on 1 pair", "bob on 1 pair")
		anna.press("esc")

		bob.press("esc", "R")
		bob.pass(time.Second)
		bob.shows("Run refund-of-anna.yaml", "4 calls")
		bob.press("enter")
		bob.pass(10 * time.Second)
		bob.shows("run 2", "unchecked") // the checks stay with anna
		bob.press("esc", "f3")
		bob.shows("‹yours› team", "run 2")
		bob.press("tab", "enter")
		bob.pass(time.Second)
		bob.shows("2 of 4 passed", "of anna")
		anna.press("alt+h")
		bob.pass(time.Second)
		bob.shows("anna no longer shares this run.")
		bob.lacks("2 of 4 passed")
	})
}

// TestTeamScreens draws what another user shares: in the lists, and open.
func TestTeamScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
		drawn := map[string]string{}
		run(t, func(t *testing.T) {
			m := newTeam(t)
			anna, bob := m.open(t, "anna", 120, 40), m.open(t, "bob", size[0], size[1])
			for _, prompt := range []string{"plan the summer party", "a name for the boat"} {
				anna.sends(prompt)
				anna.press("alt+h", "ctrl+n")
			}
			anna.runs(suiteFolder(t, refunds))
			anna.pass(5 * time.Second)
			anna.press("alt+h")
			bob.sends("what nobody else reads")
			for _, view := range []struct {
				name string
				keys []string
			}{{"sessions", []string{"ctrl+s", "tab"}}, {"session", []string{"down", "enter"}},
				{"runs", []string{"f3", "tab"}}, {"run", []string{"enter"}}} {
				bob.press(view.keys...)
				bob.pass(10 * time.Second)
				drawn[view.name] = bob.text()
			}
		})
		for name, text := range drawn {
			t.Run(fmt.Sprintf("%s %dx%d", name, size[0], size[1]), func(t *testing.T) {
				golden.RequireEqual(t, text)
			})
		}
	}
}
