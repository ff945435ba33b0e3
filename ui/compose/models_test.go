package compose_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
)

// TestNeededWidth asks for the cells in which no name is cut.
func TestNeededWidth(t *testing.T) {
	p := newComposer().Models
	name := "alpha-4-scout-17b-16e-instruct"
	p.SetModels([]service.ModelInfo{{Model: api.Model{Slug: name, Kind: api.Text},
		ModelStats: history.ModelStats{MedianTime: 9900e6}}})
	p.SetSize(p.NeededWidth(), 20)
	if got := strings.Join(p.View(), "\n"); !strings.Contains(got, name) || !strings.Contains(got, "9.9 s") {
		t.Errorf("got\n%s", got)
	}
}

// TestModelsOutOfSightAreSaid scrolls a list of ten models in a window of five rows, a heading among them.
func TestModelsOutOfSightAreSaid(t *testing.T) {
	p := newComposer().Models
	var models []service.ModelInfo
	for i := range 10 {
		models = append(models, service.ModelInfo{Model: api.Model{Slug: fmt.Sprint("model-", i), Kind: api.Text}})
	}
	p.SetModels(models)
	p.SetSize(30, 5)
	says := func(when, want string) {
		t.Helper()
		if got := p.PositionText(); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	says("at the top", "1–4 of 10 ↓")
	p.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	says("after the wheel", "3–7 of 10 ↓")
	p.Run(keys.Bottom)
	says("at the end", "6–10 of 10")
	p.SetSize(30, 11)
	says("in a window for all", "")
}

// TestHeadingsSayWhatTheyCount marks models: a heading counts those, and else how many there are.
func TestHeadingsSayWhatTheyCount(t *testing.T) {
	p := newComposer().Models
	p.SetSize(30, 9)
	p.SetModels([]service.ModelInfo{{Model: api.Model{Slug: "alpha", Kind: api.Text, IsSlow: true}},
		{Model: api.Model{Slug: "beta", Kind: api.Text}, ModelStats: history.ModelStats{MedianTime: 2 * time.Second}},
		{Model: api.Model{Slug: "gamma", Kind: api.Image}}})
	p.SetMarked([]string{"beta"})
	for _, want := range []string{"TEXT +1 marked +median", "alpha *$", "beta +2.0 s", "IMAGE +1 model *$"} {
		if got := ansi.Strip(strings.Join(p.View(), "\n")); !regexp.MustCompile(`(?m)` + want).MatchString(
			strings.ReplaceAll(got, " \n", "\n")) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// TestEnterKeepsMarks has enter go to the prompt with the models that were marked before, or with the one under the
// cursor where none was.
func TestEnterKeepsMarks(t *testing.T) {
	p := newComposer().Models
	p.SetSize(30, 20)
	p.SetModels([]service.ModelInfo{{Model: api.Model{Slug: "alpha", Kind: api.Text}},
		{Model: api.Model{Slug: "beta", Kind: api.Text}}})
	p.SetFocused(true)
	enter := func() (marked []string) {
		a := p.Run(keys.MarkOneModel)
		return a.(action.Sequence)[0].(action.Mark).Models
	}
	p.SetMarked([]string{"beta"})
	if got := enter(); !reflect.DeepEqual(got, []string{"alpha"}) {
		t.Errorf("enter without a new mark marks %q", got)
	}
	a := p.Run(keys.MarkModel)
	p.SetMarked(a.(action.Mark).Models)
	if got := enter(); !reflect.DeepEqual(got, []string{"beta", "alpha"}) {
		t.Errorf("enter after a mark marks %q", got)
	}
	if hint := p.Hints()[1].Text; hint != "done" {
		t.Errorf("the hint of enter after a mark is %q", hint)
	}
}

// TestEnterUsesWhatAFilterFinds goes to the prompt with the model that a filter finds. It is added to models that were
// marked by hand, whenever that was.
func TestEnterUsesWhatAFilterFinds(t *testing.T) {
	p := newComposer().Models
	p.SetSize(30, 20)
	var models []service.ModelInfo
	for _, slug := range []string{"alpha", "beta", "gamma"} {
		models = append(models, service.ModelInfo{Model: api.Model{Slug: slug, Kind: api.Text}})
	}
	p.SetModels(models)
	p.SetMarked([]string{"alpha"})
	enter := func(filter, hint string, want ...string) {
		t.Helper()
		p.SetFocused(true)
		p.Update(tea.PasteMsg{Content: filter})
		if got := p.Hints()[1].Text; got != hint {
			t.Errorf("the hint of enter with %s is %q, want %q", filter, got, hint)
		}
		done, ok := p.Run(keys.MarkOneModel).(action.Sequence)
		if !ok || !reflect.DeepEqual(done, action.Sequence{action.Mark{Models: want},
			action.Focus{Pane: action.PanePrompt}}) || p.CapturesText() {
			t.Errorf("enter with %s does %+v, want %q marked; filter left: %t", filter, done, want, p.CapturesText())
		}
		p.SetMarked(want)
		p.SetFocused(false)
	}
	enter("bet", "use it", "beta")
	enter("gam", "use it", "gamma")
	p.SetFocused(true)
	p.Update(tea.PasteMsg{Content: "alp"})
	p.SetMarked(p.Run(keys.MarkModel).(action.Mark).Models)
	p.Run(keys.MarkOneModel) // ends the filter
	p.SetFocused(false)
	enter("bet", "add it", "gamma", "alpha", "beta")
	enter("gam", "done", "gamma", "alpha", "beta")
}

// TestTheSelectedModelKeepsItsColor looks at its mark with and without the focus.
func TestTheSelectedModelKeepsItsColor(t *testing.T) {
	p, s := newComposer().Models, themes.New(themes.Default(true))
	p.SetSize(30, 9)
	p.SetModels([]service.ModelInfo{{Model: api.Model{Slug: "alpha", Kind: api.Text}}})
	for _, isFocused := range []bool{true, false} {
		p.SetFocused(isFocused)
		mark := s.ModelStyle("alpha").Prefix
		if isFocused { // of its hue on the bar
			mark = s.OnSelected(s.ModelStyle("alpha")).Prefix
		}
		at := slices.IndexFunc(p.View(), func(l string) bool { return strings.Contains(l, "alpha") })
		line := p.View()[at]
		if bar := s.Selected.Prefix; !strings.Contains(line, mark) || strings.Contains(line, bar) != isFocused {
			t.Errorf("focused %t: %q lacks %q, or %q for the focus", isFocused, line, mark, bar)
		}
	}
}
