package desktop

import (
	"context"
	"errors"
	"io"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/ui/action"
	"confab/ui/part"
)

// machine has an editor that leaves a text, and a file with what it saves later.
type machine struct {
	Machine
	became, kept string
	err          error
	saved        string
}

func (m *machine) Editor(context.Context, string) (func(io.Reader, io.Writer) (string, string, error), error) {
	return func(io.Reader, io.Writer) (string, string, error) { return m.became, m.kept, m.err }, nil
}

func (m *machine) Saved(string) (string, error) { return m.saved, nil }

// edit opens the editor on "a thought" and returns what is done when it has ended.
func edit(t *testing.T, m *machine) (*Integration, action.Action, tea.Cmd) {
	t.Helper()
	p := New(part.Env{Ctx: t.Context()}, m, "off", nil)
	p.Update(tea.WindowSizeMsg{Width: 200, Height: 40})
	_, cmd := p.Edit(action.Edit{Pane: action.PanePrompt, Text: "a thought"})
	command := cmd().(part.Result).Msg.(editorMsg).command
	then, next := p.Update(editedMsg{command, command.Run()})
	return p, then, next
}

func TestAnEditorThatEnds(t *testing.T) {
	failure := errors.New("exit status 1")
	set := action.SetText{Pane: action.PanePrompt, Text: "a thought, written"}
	warn := func(text string) action.Notify { return action.Notify{Severity: action.Warn, Text: text} }
	for _, c := range []struct {
		machine machine
		want    action.Action
	}{
		{machine{became: "a thought, written\n"}, set},
		{machine{became: "a thought\n\n"}, action.SetText{Pane: action.PanePrompt, Text: "a thought\n"}},
		{machine{err: failure}, warn("The editor failed (exit status 1): the text is unchanged.")},
		{machine{became: "a thought, written\n", err: failure}, action.Sequence{set,
			warn("The editor failed (exit status 1): its text is used.")}},
	} {
		if _, got, next := edit(t, &c.machine); !reflect.DeepEqual(got, c.want) || next != nil {
			t.Errorf("%+v: it does %+v, want %+v", c.machine, got, c.want)
		}
	}
}

// An editor that ends at once, such as code without --wait, goes on in a window: what it saves there is taken, until
// another editor is opened.
func TestAnEditorThatEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &machine{became: "a thought", kept: "/kept/prompt.md", saved: "a thought"}
		p, then, next := edit(t, m)
		want := action.Notify{Severity: action.Warn, Text: "The editor returned at once; what you save in it " +
			"is used. Set it to wait, as with code --wait. The file is /kept/prompt.md"}
		if !reflect.DeepEqual(then, want) {
			t.Errorf("it says %+v", then)
		}
		look := func() (then action.Action) {
			began := time.Now()
			then, next = p.Update(next().(part.Result).Msg)
			if took := time.Since(began); took != saveInterval {
				t.Errorf("it looked after %v", took)
			}
			return then
		}
		for _, c := range []struct{ saved, taken string }{
			{"a thought", ""}, {"", ""}, {"a second thought\n", "a second thought"}, {"a second thought\n", ""},
			{"a third", "a third"},
		} {
			m.saved = c.saved
			var want action.Action
			if c.taken != "" {
				want = action.TakeEdited{Pane: action.PanePrompt, Text: c.taken, File: m.kept}
			}
			if got := look(); !reflect.DeepEqual(got, want) {
				t.Errorf("%q was saved: it does %+v, want %+v", c.saved, got, want)
			}
		}
		m.saved = "too late"
		p.Edit(action.Edit{Pane: action.PanePrompt, Text: "another"})
		if got := look(); got != nil || next != nil {
			t.Errorf("after another editor was opened it does %+v", got)
		}
	})
}
