package dialog_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"confab/history"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/keys"
)

func refunds() dialog.SuiteSubject {
	return dialog.SuiteSubject{
		Path: "/home/ana/suites/refunds.yaml", Name: "refunds.yaml", Description: "Refund mails in three " +
			"languages:\nwarm, short, and without a promise that nobody can keep.",
		Prompts: 2, Tests: 5, Providers: 4, Checks: 7, Calls: 120, Repeat: 3, Concurrency: 4,
	}
}

// suites are what the form is opened for.
func suites() map[string]dialog.SuiteSubject {
	bare := dialog.SuiteSubject{Path: "/s.yaml", Name: "s.yaml", Prompts: 1, Tests: 1, Providers: 1, Calls: 1}
	again := refunds()
	again.LastRun, again.Missing = 12, 9
	full := again
	for i := range 40 {
		full.Notes = append(full.Notes, fmt.Sprintf("line %d: assert type llm-rubric needs a second model and is skipped; "+
			"its verdict would not be confab's to give", 10+i))
	}
	full.Publish = []string{"fox.png will be served at https://pictures.example.org/q7f3… until its calls have ended.",
		"boat.png is sent to the upload command."}
	full.Description = "\x1b[31m" + strings.Repeat("日本語の説明 ", 80)
	return map[string]dialog.SuiteSubject{"bare": bare, "again": again, "full": full}
}

func TestSuiteGolden(t *testing.T) {
	for name, subject := range suites() {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				s := newScreen(t, size[0], size[1])
				s.open(dialog.NewSuite(subject, keys.Default(), s.styles))
				golden.RequireEqual(t, s.view())
			})
		}
	}
	for _, size := range sizes {
		t.Run(fmt.Sprintf("problem/%dx%d", size[0], size[1]), func(t *testing.T) {
			s := newScreen(t, size[0], size[1])
			s.open(dialog.NewSuite(suites()["full"], keys.Default(), s.styles))
			s.press("right", "tab", "tab")
			s.typed("00")
			s.press("enter")
			golden.RequireEqual(t, s.view())
		})
	}
}

// TestSuiteSize draws the form on every small screen, see TestSize.
func TestSuiteSize(t *testing.T) {
	for name, subject := range suites() {
		t.Run(name, func(t *testing.T) {
			s := newScreen(t, 120, 40)
			s.open(dialog.NewSuite(subject, keys.Default(), s.styles))
			for _, w := range []int{0, 1, 2, 3, 5, 8, 12, 20, 31, 38, 59, 75, 76, 99, 100, 130} {
				for h := range 44 {
					s.stack.SetSize(w, h)
					s.w, s.h = w, h
					s.view()
				}
			}
		})
	}
}

// calls is the number of calls that the form stated.
func calls(n int) action.RunCost { return action.RunCost{Calls: n} }

func TestSuite(t *testing.T) {
	path := refunds().Path
	for _, tt := range []struct {
		name string
		do   func(s *screen)
		want action.RunSuite
	}{
		{"as it is", func(*screen) {}, action.RunSuite{Path: path, Confirmed: calls(120)}},
		{"go on", func(s *screen) { s.press("right") },
			action.RunSuite{Path: path, Resume: true, Run: 12, Confirmed: calls(9)}},
		{"models", func(s *screen) { s.press("tab"); s.typed("alpha*, beta ,,gamma") },
			action.RunSuite{Path: path, Models: []string{"alpha*", "beta", "gamma"}}},
		{"samples", func(s *screen) { s.press("tab", "tab", "backspace"); s.typed(" 100 ") },
			action.RunSuite{Path: path, Repeat: 100, Confirmed: calls(4000)}},
		{"at once", func(s *screen) { s.press("shift+tab", "backspace"); s.typed("64") },
			action.RunSuite{Path: path, Concurrency: 64, Confirmed: calls(120)}},
		{"all", func(s *screen) {
			s.typed("g")
			s.press("down")
			s.typed("x")
			s.press("down", "backspace")
			s.typed("1")
			s.press("down", "backspace")
			s.typed("1")
		}, action.RunSuite{Path: path, Models: []string{"x"}, Repeat: 1, Concurrency: 1, Resume: true, Run: 12}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScreen(t, 80, 24)
			s.open(dialog.NewSuite(suites()["again"], keys.Default(), s.styles))
			tt.do(s)
			s.press("enter")
			if len(s.asked) != 2 || s.asked[0] != (action.CloseDialog{}) {
				t.Fatalf("asked for %#v", s.asked)
			}
			if !reflect.DeepEqual(s.asked[1], tt.want) {
				t.Errorf("got %#v, want %#v", s.asked[1], tt.want)
			}
		})
	}
}

// TestSuiteNumbers refuses what is no number of the range, and says why even
// where fields have no notes.
func TestSuiteNumbers(t *testing.T) {
	for _, height := range []int{24, 12} {
		for field, most := range map[string]string{"samples": "100", "at once": "64"} {
			for _, value := range []string{"", "0", "-1", "x", "1.5", "101", "99999999999999999999"} {
				t.Run(fmt.Sprintf("%s %q on %d lines", field, value, height), func(t *testing.T) {
					s := newScreen(t, 80, height)
					s.open(dialog.NewSuite(refunds(), keys.Default(), s.styles))
					s.press("tab")
					if field == "at once" {
						s.press("tab")
					}
					s.press("backspace")
					s.typed(value)
					s.press("enter")
					s.wants()
					s.shows("whole number from 1 to " + most)
					s.press("backspace")
					s.hides("whole number from")
				})
			}
		}
	}
}

// TestSuiteCost says how many calls are made while the fields change.
func TestSuiteCost(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.open(dialog.NewSuite(suites()["again"], keys.Default(), s.styles))
	s.shows("2 prompts × 5 tests × 4 models, 7 checks")
	s.shows("This makes 120 calls.")
	s.press("tab", "tab", "backspace")
	s.hides("This makes")
	s.typed("1")
	s.shows("This makes 40 calls.")
	s.press("shift+tab")
	s.typed("alpha*")
	s.shows("This makes about 10 calls to each of the models.")
	s.press("shift+tab", "right")
	s.shows("This makes the calls that run 12 has no answer to.")
	s.press("tab", "tab", "backspace")
	s.typed("3")
	s.press("shift+tab", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
	s.shows("This makes 9 calls, if the file has not changed since.")
}

// TestSuiteGoesOnAsTheRunWasAskedFor fills in what a run was asked for with; what
// was edited stays.
func TestSuiteGoesOnAsTheRunWasAskedFor(t *testing.T) {
	subject := suites()["again"]
	subject.LastHow = history.RunHow{Models: []string{"alpha", "beta"}, Repeat: 5, AtOnce: 8}
	s := newScreen(t, 80, 24)
	s.open(dialog.NewSuite(subject, keys.Default(), s.styles))
	s.shows("the suite's own")
	s.press("right")
	s.shows("alpha, beta")
	s.shows("This makes 9 calls")
	s.press("tab", "tab", "tab", "backspace")
	s.typed("2")
	s.press("shift+tab", "shift+tab", "shift+tab", "left")
	s.shows("the suite's own")
	s.shows("This makes 120 calls.")
	s.hides("alpha, beta")
	s.press("right", "enter")
	want := action.RunSuite{Path: subject.Path, Concurrency: 2, Resume: true, Run: 12, Confirmed: calls(9)}
	if len(s.asked) != 2 || !reflect.DeepEqual(s.asked[1], want) {
		t.Errorf("asked for %#v, want %#v", s.asked, want)
	}
}

// TestSuiteMouse clicks on a choice below what is said.
func TestSuiteMouse(t *testing.T) {
	s := newScreen(t, 120, 40)
	s.open(dialog.NewSuite(suites()["again"], keys.Default(), s.styles))
	for y, line := range strings.Split(s.view(), "\n") {
		if before, _, ok := strings.Cut(line, "go on with"); ok {
			s.send(tea.MouseClickMsg{X: len([]rune(before)) + 2, Y: y, Button: tea.MouseLeft})
		}
	}
	s.shows("[go on with run 12]")
}
