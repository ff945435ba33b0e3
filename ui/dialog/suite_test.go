package dialog_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"confab/history"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/dialog"
	"confab/ui/overlay/overlaytest"

	tea "charm.land/bubbletea/v2"
)

func refunds() action.AskSuite {
	return action.AskSuite{
		Path: "/home/ana/suites/refunds.yaml", Name: "refunds.yaml", Description: "Refund mails in three " +
			"languages:\nwarm, short, and without a promise that nobody can keep.",
		Prompts: 10, Models: 4, Checks: 7, Calls: 120, Repeat: 3, Concurrency: 4,
	}
}

// suites are what the form is opened for.
func suites() map[string]action.AskSuite {
	bare := action.AskSuite{Path: "/s.yaml", Name: "s.yaml", Prompts: 1, Models: 1, Calls: 1}
	again := refunds()
	again.LastRun, again.Missing = 12, 9
	full := again
	for i := range 40 {
		full.Notes = append(full.Notes, fmt.Sprintf("line %d: assert type llm-rubric needs a second model and is "+
			"skipped; "+
			"its verdict would not be confab's to give", 10+i))
	}
	full.Publish = []string{"fox.png will be served at https://pictures.example.org/q7f3… until its calls have ended.",
		"boat.png is sent to the upload command."}
	full.Description = "\x1b[31m" + strings.Repeat("日本語の説明 ", 80)
	return map[string]action.AskSuite{"bare": bare, "again": again, "full": full}
}

func TestSuiteGolden(t *testing.T) { overlaytest.Golden(t, suiteForms()) }

func TestSuiteSize(t *testing.T) { overlaytest.Sizes(t, suiteForms()) }

// suiteForms are forms by the name of their suite, each as a function that opens it.
func suiteForms() map[string]func(s *overlaytest.Screen) {
	forms := map[string]func(s *overlaytest.Screen){}
	for name, subject := range suites() {
		forms[name] = func(s *overlaytest.Screen) { s.Open(dialog.NewSuite(subject, ui.Keys(), s.Styles)) }
	}
	forms["problem"] = func(s *overlaytest.Screen) {
		forms["full"](s)
		s.Press("right", "tab", "tab")
		s.Type("00")
		s.Press("enter")
	}
	return forms
}

// calls is the number of calls that the form stated.
func calls(n int) action.RunCost { return action.RunCost{Calls: n} }

func TestSuite(t *testing.T) {
	path := refunds().Path
	for _, tt := range []struct {
		name string
		do   func(s *overlaytest.Screen)
		want action.RunSuite
	}{
		{"as it is", func(*overlaytest.Screen) {}, action.RunSuite{Path: path, Confirmed: calls(120)}},
		{"continued", func(s *overlaytest.Screen) { s.Press("right") },
			action.RunSuite{Path: path, Resume: true, Run: 12, Confirmed: calls(9)}},
		{"models", func(s *overlaytest.Screen) { s.Press("tab"); s.Type("alpha*, beta ,,gamma") },
			action.RunSuite{Path: path, Models: []string{"alpha*", "beta", "gamma"}}},
		{"samples", func(s *overlaytest.Screen) { s.Press("tab", "tab", "backspace"); s.Type(" 100 ") },
			action.RunSuite{Path: path, Repeat: 100, Confirmed: calls(4000)}},
		{"at once", func(s *overlaytest.Screen) { s.Press("shift+tab", "backspace"); s.Type("64") },
			action.RunSuite{Path: path, Concurrency: 64, Confirmed: calls(120)}},
		{"all", func(s *overlaytest.Screen) {
			s.Type("c")
			s.Press("down")
			s.Type("x")
			s.Press("down", "backspace")
			s.Type("1")
			s.Press("down", "backspace")
			s.Type("1")
		}, action.RunSuite{Path: path, Models: []string{"x"}, Repeat: 1, Concurrency: 1, Resume: true, Run: 12}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := overlaytest.New(t, 80, 24)
			s.Open(dialog.NewSuite(suites()["again"], ui.Keys(), s.Styles))
			tt.do(s)
			s.Press("enter")
			if len(s.Asked) != 2 || s.Asked[0] != (action.CloseDialog{}) {
				t.Fatalf("asked for %#v", s.Asked)
			}
			if !reflect.DeepEqual(s.Asked[1], tt.want) {
				t.Errorf("got %#v, want %#v", s.Asked[1], tt.want)
			}
		})
	}
}

// TestSuiteNumbers refuses what is no number of the range, and says why even
// where fields have no notes.
func TestSuiteNumbers(t *testing.T) {
	for _, height := range []int{24, 12} {
		for field, most := range map[string]string{"samples": "1000", "at once": "64"} {
			for _, value := range []string{"0", "-1", "x", "1.5", "1001", "99999999999999999999"} {
				t.Run(fmt.Sprintf("%s %q on %d lines", field, value, height), func(t *testing.T) {
					s := overlaytest.New(t, 80, height)
					s.Open(dialog.NewSuite(refunds(), ui.Keys(), s.Styles))
					s.Press("tab")
					if field == "at once" {
						s.Press("tab")
					}
					s.Press("backspace")
					s.Type(value)
					s.Press("enter")
					s.Wants()
					s.Shows("whole number from 1 to " + most)
					s.Press("backspace")
					s.Hides("whole number from")
				})
			}
		}
	}
}

// TestSuiteCost says how many calls are made while the fields change.
func TestSuiteCost(t *testing.T) {
	s := overlaytest.New(t, 80, 24)
	s.Open(dialog.NewSuite(suites()["again"], ui.Keys(), s.Styles))
	s.Shows("10 prompts × 4 models × 3 samples, 7 checks")
	s.Shows("This makes 120 calls.")
	s.Press("tab", "tab")
	s.Type("1x")
	s.Hides("This makes")
	s.Press("backspace")
	s.Shows("This makes 40 calls.")
	s.Shows("10 prompts × 4 models, 7 checks")
	s.Press("shift+tab")
	s.Type("alpha*")
	s.Shows("This makes at most 10 calls to each of the models.")
	s.Press("shift+tab", "right")
	s.Shows("This makes the calls that are missing in run 12.")
	s.Press("tab", "tab", "backspace")
	s.Type("3")
	s.Press("shift+tab", "backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
	s.Shows("This makes 9 calls, unless the file has changed.")
}

// TestSuiteSizeIsAProduct: where tests are for some prompts or models only, nothing is multiplied.
func TestSuiteSizeIsAProduct(t *testing.T) {
	subject := refunds()
	subject.Calls = 90
	s := overlaytest.New(t, 80, 24)
	s.Open(dialog.NewSuite(subject, ui.Keys(), s.Styles))
	s.Shows("10 prompts, 4 models (some prompts are for some models only), 7 checks")
	s.Shows("This makes 90 calls.")
}

// TestSuiteGoesOnAsTheRunWasAskedFor fills in what a run was asked for with; what
// was edited stays.
func TestSuiteGoesOnAsTheRunWasAskedFor(t *testing.T) {
	subject := suites()["again"]
	subject.LastOptions = history.RunOptions{Models: []string{"alpha", "beta"}, Repeat: 5, EffectiveConcurrency: 8}
	s := overlaytest.New(t, 80, 24)
	s.Open(dialog.NewSuite(subject, ui.Keys(), s.Styles))
	s.Shows("the suite's own")
	s.Press("right")
	s.Shows("alpha, beta")
	s.Shows("This makes 9 calls")
	s.Press("tab", "tab", "tab", "backspace")
	s.Type("2")
	s.Press("shift+tab", "shift+tab", "shift+tab", "left")
	s.Shows("the suite's own")
	s.Shows("This makes 120 calls.")
	s.Hides("alpha, beta")
	s.Press("right", "enter")
	want := action.RunSuite{Path: subject.Path, Concurrency: 2, Resume: true, Run: 12, Confirmed: calls(9)}
	if len(s.Asked) != 2 || !reflect.DeepEqual(s.Asked[1], want) {
		t.Errorf("asked for %#v, want %#v", s.Asked, want)
	}
}

// TestSuiteMouse clicks on a choice below what is said.
func TestSuiteMouse(t *testing.T) {
	s := overlaytest.New(t, 120, 40)
	s.Open(dialog.NewSuite(suites()["again"], ui.Keys(), s.Styles))
	for y, line := range strings.Split(s.View(), "\n") {
		if before, _, ok := strings.Cut(line, "continue run"); ok {
			s.Send(tea.MouseClickMsg{X: len([]rune(before)) + 2, Y: y, Button: tea.MouseLeft})
		}
	}
	s.Shows("● continue run 12")
}
