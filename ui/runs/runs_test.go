package runs_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/service/suite"
	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/part"
	"confab/ui/runs"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// bodies are what is left for the table on screens of 60x20, 80x24, 120x40, 200x60 and on the smallest one.
var bodies = [][2]int{{60, 18}, {80, 22}, {120, 38}, {200, 58}, {20, 6}}

// opened returns a view that draws without styles.
func opened(w, h int) *runs.View { return openedAt(w, h, func() time.Time { return at(14, 5, 0) }) }

// openedAt is opened with a clock.
func openedAt(w, h int, now func() time.Time) *runs.View {
	v := runs.New(env(&themes.Styles{}, now), nil)
	v.SetSize(w, h)
	v.SetFocused(true)
	return v
}

// host draws with styles.
type host struct {
	part.Host
	styles *themes.Styles
}

func (h host) Styles() *themes.Styles { return h.styles }

func (host) IsCovered() bool { return false }

// env is what a view is made with that asks no service.
func env(s *themes.Styles, now func() time.Time) part.Env {
	return part.Env{Keys: ui.Keys(), Now: now, Host: host{styles: s}}
}

// text draws the view and holds it to its size.
func text(t testing.TB, v *runs.View, w, h int) string {
	t.Helper()
	lines := v.View()
	if len(lines) != h {
		t.Fatalf("%dx%d: %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if got := ansi.StringWidth(l); got != w {
			t.Fatalf("%dx%d: line %d is %d cells wide: %q", w, h, i, got, l)
		}
	}
	return ansi.Strip(strings.Join(lines, "\n")) + "\n"
}

func press(v *runs.View, names ...string) action.Action {
	var last action.Action
	for _, name := range names {
		last, _ = v.Update(ui.Keys().Find(key(name), v.State().Lookups))
	}
	return last
}

func key(name string) tea.KeyPressMsg {
	named := map[string]rune{"enter": tea.KeyEnter, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight,
		"home":  tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown}
	if code, ok := named[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// liveRun is a run of three models in its midst: a cell in every state.
func liveRun(v *runs.View) suite.Table {
	s := refunds(10, 3)
	t := s.table(history.Run{ID: 12, Started: at(14, 4, 12)}, nil)
	v.SetLive(12, at(14, 4, 12))
	v.SetTable(t)
	for n := range 21 {
		c := s.cell(n/3, n%3, 0)
		switch {
		case n >= 17:
			state(&c, history.Running)
			c.Started = at(14, 4, 57)
		case n == 16:
			state(&c, history.Cancelled)
		default:
			endMixed(&c, n/3, n%3, 0)
		}
		t = t.With(c)
	}
	v.SetTable(t)
	return t
}

// TestGolden draws what there is to see on every screen.
func TestGolden(t *testing.T) {
	shows := map[string]func(v *runs.View){
		"empty":   func(*runs.View) {},
		"planned": func(v *runs.View) { v.SetTable(refunds(4, 2).table(history.Run{ID: 3}, nil)) },
		"live":    func(v *runs.View) { liveRun(v); press(v, "down", "right") },
		"finished": func(v *runs.View) {
			v.SetTable(refunds(40, 4).table(ended(12), endMixed))
			press(v, "f")
		},
		"failures alone": func(v *runs.View) {
			v.SetTable(refunds(40, 4).table(ended(12), endMixed))
			press(v, "t", "f", "f")
		},
		"stopped": func(v *runs.View) {
			v.SetTable(refunds(12, 3).table(history.Run{ID: 7, Started: at(9, 0, 0).AddDate(0, -1, 0)},
				func(c *history.Cell, row, column, repeat int) {
					switch {
					case row < 4:
						endMixed(c, row, column, repeat)
					case row == 4:
						state(c, history.Interrupted)
					}
				}))
			press(v, "down", "down", "down", "down")
		},
		"samples": func(v *runs.View) {
			s := refunds(12, 3)
			s.repeat = 3
			s.prompts = []string{"refund-tone", "refund-short"}
			v.SetTable(s.table(ended(13), endMixed))
			press(v, "f")
		},
		"15 models": func(v *runs.View) {
			v.SetTable(refunds(200, 15).table(ended(12), endMixed))
			press(v, "]", "down", "right", "right", "right", "right")
		},
		"turned": func(v *runs.View) {
			v.SetTable(refunds(12, 3).table(ended(12), endMixed))
			press(v, "j", "l", "x")
		},
		"totals": func(v *runs.View) {
			s := refunds(12, 3)
			s.prompts = []string{"refund-tone", "refund-short"}
			v.SetTable(s.table(ended(12), endMixed))
			press(v, "a", "j")
		},
		"turns": func(v *runs.View) {
			v.SetTable(suite.TurnTable(variants()))
			press(v, "P", "l", "j")
		},
		"totals of turns": func(v *runs.View) {
			v.SetTable(suite.TurnTable(variants()))
			press(v, "a")
		},
		"changes": func(v *runs.View) {
			a, b, changes := changed()
			v.SetChanges(a, b, changes)
			press(v, "f")
		},
		"changed alone": func(v *runs.View) {
			a, b, changes := changed()
			v.SetChanges(a, b, changes)
			press(v, "t", "f", "f")
		},
	}
	for name, show := range shows {
		for _, size := range bodies {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				v := opened(size[0], size[1])
				show(v)
				golden.RequireEqual(t, text(t, v, size[0], size[1]))
			})
		}
	}
}

// changed is a run of a changed suite against the one before: same and other
// texts, verdicts that fell and rose, errors, a model and a prompt that came
// and went.
func changed() (a, b history.Run, changes []suite.Change) {
	s := refunds(9, 4)
	a, b = ended(11), ended(12)
	a.Suite, b.Suite, a.Started, a.Note = "refunds", "refunds", at(9, 30, 0).AddDate(0, 0, -1), ""
	for n := range s.rows * s.columns {
		row, column := n/s.columns, n%s.columns
		x, y := s.cell(row, column, 0), s.cell(row, column, 0)
		answered(&x, 1900*time.Millisecond, "passed", "passed", "failed")
		answered(&y, time.Duration(1500+n*40)*time.Millisecond, "passed", "passed", "failed")
		c := suite.Change{A: &x, B: &y, AnswerA: answer(x, "Hi Sam"), AnswerB: answer(y, "Hi Sam")}
		switch {
		case row == 8:
			c = suite.Change{B: &y, AnswerB: answer(y, "new"), HasAnswerChanged: true}
		case column == 3:
			c = suite.Change{A: &x, AnswerA: answer(x, "gone"), HasAnswerChanged: true}
		case n%5 == 0:
			c.AnswerB, c.HasAnswerChanged, c.Similarity = answer(y, "Dear Sam"), true, 0.83
		case n%7 == 3:
			y.Checks[0].Verdict, y.Checks[0].Reason = "failed", "the answer does not contain “sorry”, in any case"
			y.Checks[2].Verdict = "failed"
			x.Checks[2].Verdict, x.Checks[2].Reason = "passed", ""
			c.AnswerB, c.HasAnswerChanged, c.Similarity, c.HasPromptChanged = answer(y, "Regards"), true, 0.33, true
			c.Checks = []suite.CheckChange{{Name: "icontains sorry", A: "passed", B: "failed"},
				{Name: "not-icontains refund policy", A: "passed", B: "failed"}}
		case n%7 == 4:
			y.Checks[2].Verdict, y.Checks[2].Reason = "passed", ""
			c.AnswerB, c.HasAnswerChanged, c.Similarity = answer(y, "Sorry"), true, 0.999
			c.Checks = []suite.CheckChange{{Name: "not-icontains refund policy", A: "failed", B: "passed"}}
		case n%11 == 9:
			y = s.cell(row, column, 0)
			failed(&y, "timeout")
			c.AnswerB, c.HasAnswerChanged = answer(y, ""), true
			c.AnswerB.Failure = &history.Failure{Code: "timeout", Message: "No answer came within 30 s."}
		}
		changes = append(changes, c)
	}
	return a, b, changes
}

func answer(c history.Cell, text string) history.Answer {
	return history.Answer{ID: c.Answer, Turn: c.Turn, Model: c.Model, State: c.State, Text: text, Elapsed: c.Elapsed}
}
