package sessions_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/service/api"
	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/compose"
	"confab/ui/conversation"
	"confab/ui/part"
	"confab/ui/sessions"
	"confab/ui/turns"
)

// turn returns a turn of session 1 whose answers have these ids and are queued.
func turn(answers ...int64) history.Turn {
	t := history.Turn{ID: 5, Session: 1}
	for _, id := range answers {
		t.Answers = append(t.Answers, history.Answer{ID: id, Turn: 5, State: history.Queued})
	}
	return t
}

// fixture is the part of sessions on a store in memory.
type fixture struct {
	*sessions.Controller
	turns *turns.Turns
	asked []action.Action
}

// host has the open session of a fixture.
type host struct {
	part.Host
	fixture *fixture
}

func (host) Styles() *themes.Styles     { return themes.New(themes.Default(true)) }
func (h host) Session() history.Session { return h.fixture.Open() }

func newFixture(t *testing.T) *fixture {
	t.Helper()
	styles := themes.New(themes.Default(true))
	f := &fixture{}
	svc := service.New(service.Options{Backend: service.BackendOptions{Catalogue: api.Default},
		History: service.HistoryOptions{OpenMemory: func(ctx context.Context) (history.Store, error) {
			return sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
		}}})
	env := part.Env{Ctx: t.Context(), Service: svc, Keys: ui.Keys(), Now: time.Now, Host: host{fixture: f}}
	f.turns = turns.New(env)
	pane := conversation.New(f.turns, env.Keys, styles, time.Now, func(string) time.Duration { return 0 })
	composer := compose.New(compose.Options{Env: env, Turns: f.turns})
	composer.IsSaving = false
	f.Controller = sessions.New(env, f.turns, pane, composer)
	return f
}

// run runs a command and keeps what its messages ask for.
func (f *fixture) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			f.run(c)
		}
	case part.ActionMsg:
		f.asked = append(f.asked, msg.Action)
	case part.Result:
		if msg.To == part.Receiver(f.Controller) {
			then, cmd := f.Update(msg.Msg)
			f.asked = append(f.asked, then)
			f.run(cmd)
		}
	}
}

func TestUndoWithoutADeletionSaysSo(t *testing.T) {
	f := newFixture(t)
	if then, cmd := f.Undo(action.Undo{}); cmd != nil || then.(action.Notify).Text != "Nothing to undo." {
		t.Errorf("got %+v", then)
	}
	if f.CanUndo() {
		t.Error("there is something to undo")
	}
}

// What cannot be deleted is said, and nothing is left to undo.
func TestADeletionThatFailsIsSaid(t *testing.T) {
	f := newFixture(t)
	_, cmd := f.Delete(action.Delete{Session: 7})
	if then, second := f.Delete(action.Delete{Session: 8}); second != nil ||
		then.(action.Notify).Text != "The previous deletion is still running." {
		t.Errorf("a second deletion meanwhile: %+v", then)
	}
	f.run(cmd)
	if len(f.asked) != 1 {
		t.Fatalf("got %+v", f.asked)
	}
	if fail, ok := f.asked[0].(action.Fail); !ok || fail.Err == nil || f.CanUndo() {
		t.Errorf("got %+v", f.asked[0])
	}
}

// Keys that are typed before the session of the last screen is shown wait for it; those that end the program do not.
func TestKeysWaitForTheFirstSession(t *testing.T) {
	f := newFixture(t)
	letter := tea.KeyPressMsg{Code: 'a', Text: "a"}
	if f.Hold(letter) {
		t.Error("a key waits for nothing")
	}
	f.Start(sessions.First{ID: 1})
	if !f.Hold(letter) || f.Hold(tea.KeyPressMsg{Code: 'q', Mod: tea.ModCtrl}) || f.Hold(tea.WindowSizeMsg{}) {
		t.Error("letters alone wait while a session is restored")
	}
	f.Update(sessions.SlowStart)
	if f.Hold(letter) {
		t.Error("a key waits for a history that does not answer")
	}
}

func TestRemovedAnswersAreReadAgain(t *testing.T) {
	f := newFixture(t)
	f.turns.SetWindow([]history.Turn{turn(1, 2)}, false, false)
	then, _ := f.RemoveDeleted(action.Deleted{Answers: []int64{2}})
	if want := (action.RereadTurns{Turns: []int64{5}}); !reflect.DeepEqual(then, want) {
		t.Errorf("got %+v, want %+v", then, want)
	}
	f.RemoveDeleted(action.Deleted{Turn: 5})
	if n := len(f.turns.Window()); n != 0 {
		t.Errorf("%d turns are shown", n)
	}
}
