package runs_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service/suite"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/keys"

	tea "charm.land/bubbletea/v2"
)

// TestKeys presses keys in a run with failures and in two runs.
func TestKeys(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys string
		want action.Action
		row  int // focused afterwards
		col  int
	}{
		{"open", "enter", action.OpenRow{Row: 0, Column: 0, IsZoom: true}, 0, 0},
		{"side by side", "j l v", action.OpenRow{Row: 1, Column: 1}, 1, 1},
		{"turned", "j l l x v", action.OpenRow{Row: 2, Column: 1}, 2, 1},
		{"turned and back", "j l l x x v", action.OpenRow{Row: 1, Column: 2}, 1, 2},
		{"difference with the next answer", "d", action.ShowDifference{
			A:     history.Answer{ID: 1001, Turn: 1, Model: "alpha3.1-8b", State: history.Done},
			B:     history.Answer{ID: 1002, Turn: 2, Model: "beta-large", State: history.Done},
			NameA: "alpha3.1-8b  English · My parcel is late", NameB: "beta-large  English · My parcel is late"}, 0, 0},
		{"none with itself", "P d", action.Notify{Severity: action.Info,
			Text: "This is the pinned answer: go to another cell."}, 0, 0},
		{"difference with the pinned answer", "P j j d", action.ShowDifference{
			A:     history.Answer{ID: 1001, Turn: 1, Model: "alpha3.1-8b", State: history.Done},
			B:     history.Answer{ID: 1009, Turn: 9, Model: "alpha3.1-8b", State: history.Done},
			NameA: "alpha3.1-8b  English · My parcel is late",
			NameB: "alpha3.1-8b  French · 日本語で書いてください"}, 2, 0},
		{"totals and back", "j a j enter v", action.OpenRow{Row: 1, Column: 0}, 1, 0},
		{"nothing is pinned in totals", "a P", action.Unused{Why: "These are totals: a shows the table."}, 0, 0},
		{"down and right", "j l l enter", action.OpenRow{Row: 1, Column: 2, IsZoom: true}, 1, 2},
		{"arrows", "down down up right left right", nil, 1, 1},
		{"not beyond the end", "end down right right right right right", nil, 39, 3},
		{"not before the start", "up left", nil, 0, 0},
		{"a page down", "pgdown", nil, 14, 0},
		{"a page down and up", "pgdown pgdown pgup", nil, 14, 0},
		{"last, first", "G g", nil, 0, 0},
		{"a window of columns", "]", nil, 0, 3},
		{"next failed", "f", nil, 1, 0},
		{"next failed in the row", "f f", nil, 1, 2},
		{"round the end", "end f f f", nil, 1, 2},
		{"only failed keep their numbers", "t enter", action.OpenRow{Row: 1, Column: 0, IsZoom: true}, 1, 0},
		{"only failed and back", "down down t t", nil, 1, 0},
		{"stop", "S", action.StopRun{}, 0, 0},
		{"continue", "R", action.ResumeRun{Run: 12}, 0, 0},
		{"write", "w", action.ShowWrite{Run: 12}, 0, 0},
		{"compare", "c", action.CompareRuns{A: 12}, 0, 0},
		{"help", "?", action.ShowHelp{Scope: keys.Runs}, 0, 0},
		{"nothing", "z", action.Unused{Key: "z"}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := opened(80, 22)
			v.SetTable(refunds(40, 4).table(ended(12), endMixed))
			if got := press(v, strings.Fields(tt.keys)...); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("asked for %#v, want %#v", got, tt.want)
			}
			if v.Row() != tt.row || v.Column() != tt.col {
				t.Errorf("row %d, column %d; want %d, %d", v.Row(), v.Column(), tt.row, tt.col)
			}
			text(t, v, 80, 22)
		})
	}
}

// TestNothingFailed says so instead of doing nothing.
func TestNothingFailed(t *testing.T) {
	v := opened(80, 22)
	v.SetTable(refunds(3, 2).table(ended(12),
		func(c *history.Cell, _, _, _ int) { answered(c, time.Second, "passed") }))
	if n, ok := press(v, "f").(action.Notify); !ok || n.Text != "No cell has failed." {
		t.Errorf("f: %#v", n)
	}
	if got := press(v, "R"); got != (action.Unused{Why: "Every cell of this table has an answer."}) {
		t.Errorf("R: %#v", got)
	}
	press(v, "t")
	if got := text(t, v, 80, 22); !strings.Contains(got, "No row has failed.") {
		t.Errorf("nothing is said:\n%s", got)
	}
	if u, ok := press(v, "enter").(action.Unused); !ok || u.Why == "" || v.Row() != -1 ||
		press(v, "j", "pgdown", "f") == nil {
		t.Error("a row that is not there is focused")
	}
	press(v, "t")
	if v.Row() != 0 {
		t.Errorf("row %d is focused, want 0", v.Row())
	}
}

// TestBeforeThereIsATable presses everything.
func TestBeforeThereIsATable(t *testing.T) {
	v := opened(80, 22)
	for _, e := range ui.Keys().Entries(keys.Runs) {
		then := v.Run(e.Command)
		if u, ok := then.(action.Unused); e.Command != keys.Help && (!ok || u.Why == "") {
			t.Errorf("%s does not say that there is no table, but %#v", e.Command, then)
		}
	}
	v.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	v.Update(tea.MouseClickMsg{X: 3, Y: 3, Button: tea.MouseLeft})
	if v.Row() != -1 || v.Back() || v.ShowsComparison() {
		t.Error("there is something")
	}
}

// spot returns where a text is drawn.
func spot(t *testing.T, view, word string) (x, y int) {
	t.Helper()
	for y, line := range strings.Split(view, "\n") {
		if before, _, ok := strings.Cut(line, word); ok {
			return len([]rune(before)), y
		}
	}
	t.Fatalf("there is no %q:\n%s", word, view)
	return 0, 0
}

func TestMouse(t *testing.T) {
	v := opened(120, 38)
	v.SetTable(refunds(40, 4).table(ended(12), func(c *history.Cell, row, column, _ int) {
		answered(c, time.Duration(row*4+column)*time.Second, "passed")
	}))
	click := func(word string) action.Action {
		x, y := spot(t, text(t, v, 120, 38), word)
		then, _ := v.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		return then
	}
	want := func(row, col int) {
		t.Helper()
		if v.Row() != row || v.Column() != col {
			t.Errorf("row %d, column %d; want %d, %d", v.Row(), v.Column(), row, col)
		}
	}
	if then := click("✓ 22 s"); then != nil {
		t.Errorf("the first click asked for %#v", then)
	}
	want(5, 2)
	if then := click("✓ 22 s"); then != (action.OpenRow{Row: 5, Column: 2, IsZoom: true}) {
		t.Errorf("the second click asked for %#v", then)
	}
	click(" 6 French")
	if then := click("3 gamma"); then != nil || v.Row() != 5 || v.Column() != 2 {
		t.Errorf("the names of the focused row and column asked for %#v", then)
	}
	click(" 8 German")
	want(7, 2)
	click("2 beta-large")
	want(7, 1)
	if then := click("median time"); then != nil {
		t.Errorf("the totals asked for %#v", then)
	}
	want(7, 1)
	for range 5 {
		v.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	}
	want(10, 1) // the first row in the window by now
	if got := text(t, v, 120, 38); !strings.Contains(got, "rows 11–40 of 40") {
		t.Errorf("it was not scrolled to the end:\n%s", got)
	}
	for range 9 {
		v.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	}
	v.Update(tea.MouseWheelMsg{Button: tea.MouseWheelRight})
	want(10, 2)
	if got := text(t, v, 120, 38); !strings.Contains(got, "rows 1–30 of 40") {
		t.Errorf("it was not scrolled to the start:\n%s", got)
	}
}

func TestCopy(t *testing.T) {
	v := opened(80, 22)
	s := refunds(3, 2)
	s.vars = func(row int) map[string]string { return map[string]string{"q": []string{"a|b", "c\nd", `e\`}[row]} }
	v.SetTable(s.table(ended(12), func(c *history.Cell, row, column, _ int) {
		if row == 1 {
			failed(c, "bad_response")
			return
		}
		answered(c, 1500*time.Millisecond, "passed", []string{"passed", "failed"}[column])
	}))
	want := strings.Join([]string{
		"refunds, run 12: 2 of 6 passed", "",
		"| # | q | 1 alpha3.1-8b | 2 beta-large |", "|---|---|---|---|",
		`| 1 | a\|b | ✓ 1.5 s | ✗ 1.5 s  max-words 120 |`,
		"| 2 | c d | ! 30 s bad response | ! 30 s bad response |",
		`| 3 | e\\ | ✓ 1.5 s | ✗ 1.5 s  max-words 120 |`,
		"| | passed | 2 of 2, 100 % (34–100 %), 1 error | 0 of 2, 0 % (0–66 %), 2 failed, 1 error |",
		"| | median time | 1.5 s (1.5–1.5) | 1.5 s (1.5–1.5) |", "",
	}, "\n")
	got := press(v, "y").(action.Copy)
	if got.Text != want || got.What != "the table of run 12" {
		t.Errorf("%s:\ngot\n%s\nwant\n%s", got.What, got.Text, want)
	}
}

func TestHints(t *testing.T) {
	has := func(hints []keys.Hint, short string) bool {
		for _, h := range hints {
			if h.Text == short {
				return true
			}
		}
		return false
	}
	v := opened(80, 22)
	liveRun(v)
	if h := v.Hints(); !has(h, "stop") || has(h, "continue") {
		t.Errorf("while it goes on: %v", h)
	}
	v.SetLive(0, time.Time{})
	v.SetTable(refunds(4, 2).table(ended(12), endMixed))
	if h := v.Hints(); has(h, "stop") || !has(h, "continue") {
		t.Errorf("with errors: %v", h)
	}
}

// TestTheLastWindowIsFull: going right ends with the last columns, as many as fit.
func TestTheLastWindowIsFull(t *testing.T) {
	v := opened(80, 22)
	v.SetTable(refunds(4, 15).table(ended(12), endMixed))
	press(v, "]", "]", "]", "]", "]")
	if got := text(t, v, 80, 22); !strings.Contains(got, "columns 12–15") {
		t.Errorf("the window is another one:\n%s", got)
	}
}

// TestAnotherRunIsInProgress, not the one in the table.
func TestAnotherRunIsInProgress(t *testing.T) {
	v := opened(80, 22)
	v.SetTable(refunds(4, 2).table(ended(12), endMixed))
	v.SetLive(13, at(14, 5, 0))
	for _, h := range v.Hints() {
		if h.Text == "stop" {
			t.Error("a run that has ended can be stopped")
		}
	}
}

// TestTheRunOfSomebodyElseIsAdopted before it is continued.
func TestTheRunOfSomebodyElseIsAdopted(t *testing.T) {
	v := opened(80, 22)
	run := ended(12)
	run.Owner = "ann"
	v.SetTable(refunds(4, 2).table(run, endMixed))
	if got := press(v, "R"); got != (action.AdoptRun{Run: 12}) {
		t.Errorf("R asked for %#v", got)
	}
}

// TestAClickBelowAGap focuses the row that is drawn there.
func TestAClickBelowAGap(t *testing.T) {
	v := opened(80, 22)
	v.SetTable(suite.TurnTable(variants()))
	press(v, "a")
	for word, row := range map[string]int{"temperature 0.7": 4, "alpha3.1-8b": 5, "C Say sorry": 2} {
		x, y := spot(t, text(t, v, 80, 22), word)
		v.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		if v.ShownRow() != row {
			t.Errorf("%s: row %d, want %d", word, v.ShownRow(), row)
		}
	}
}
