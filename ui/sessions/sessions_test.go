package sessions_test

import (
	"context"
	"iter"
	"reflect"
	"testing"
	"testing/synctest"
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
)

// turn returns a turn of session 1 whose answers have these ids and are queued.
func turn(answers ...int64) history.Turn {
	t := history.Turn{ID: 5, Session: 1}
	for _, id := range answers {
		t.Answers = append(t.Answers, history.Answer{ID: id, Turn: 5, State: history.Queued})
	}
	return t
}

// next runs the command that waits for events and gives the turns its message. ok is false for none.
func next(turns *sessions.ActiveTurns, cmd tea.Cmd) (then action.Action, wait tea.Cmd, ok bool) {
	result, ok := cmd().(part.Result)
	if !ok {
		return nil, nil, false
	}
	then, wait = turns.Update(result.Msg)
	return then, wait, true
}

func TestATurnIsFollowedUntilItsAnswersHaveEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := sessions.NewActiveTurns(part.Env{Ctx: t.Context(), Now: time.Now})
		events := make(chan history.Event, 2)
		wait := turns.Follow(turn(1, 2), events)
		for i, state := range []history.State{history.Running, history.Done} {
			e := history.Event{Turn: 5, Answer: history.Answer{ID: 1, Turn: 5, State: state}}
			events <- e
			then, again, _ := next(turns, wait)
			if want := (action.ApplyEvents{Events: []history.Event{e}}); !reflect.DeepEqual(then, want) {
				t.Fatalf("got %+v, want %+v", then, want)
			}
			if ended, all := turns.Progress(); ended != i || all != 2 || turns.Running() != 2-i {
				t.Errorf("%s: %d of %d have ended, %d run", state, ended, all, turns.Running())
			}
			wait = again
		}
		events <- history.Event{Turn: 5, Answer: history.Answer{ID: 2, Turn: 5, State: history.Failed}}
		_, wait, _ = next(turns, wait)
		if !turns.HasFailed() {
			t.Error("no answer has failed")
		}
		close(events)
		then, _, _ := next(turns, wait)
		ended, _ := then.(action.Sequence)
		if len(ended) != 2 || ended[0] != (action.TurnEnded{}) {
			t.Fatalf("after the last event: %+v", then)
		}
		if alert, _ := ended[1].(action.Alert); alert.Text != "1 answer arrived, 1 failed" || !alert.Failed {
			t.Errorf("got %+v", alert)
		}
		if _, all := turns.Progress(); all != 0 {
			t.Errorf("%d answers are still followed", all)
		}
	})
}

// Several answers that grow are drawn less often; one that ends is drawn as soon as anything else.
func TestHowSoonEventsAreDrawn(t *testing.T) {
	for state, want := range map[history.State]part.Draws{history.Running: part.DrawsGrowth,
		history.Done: part.DrawsAny} {
		turns := sessions.NewActiveTurns(part.Env{Ctx: t.Context(), Now: time.Now})
		events := make(chan history.Event, 2)
		events <- history.Event{Turn: 5, Answer: history.Answer{ID: 1, State: state}}
		if got, _ := turns.Follow(turn(1, 2), events)().(part.Result); got.Draws != want {
			t.Errorf("%s: drawn as %v, want %v", state, got.Draws, want)
		}
	}
}

func TestFurtherSamplesJoinTheTurn(t *testing.T) {
	turns := sessions.NewActiveTurns(part.Env{Ctx: t.Context(), Now: time.Now})
	turns.Follow(turn(1), nil)
	turns.Follow(turn(2), nil)
	if turns.Running() != 2 {
		t.Errorf("%d run", turns.Running())
	}
	var here []int64
	for a := range turns.AnswersIn(1) {
		here = append(here, a.ID)
	}
	for range turns.AnswersIn(2) {
		t.Error("an answer is in another session")
	}
	if len(here) != 2 {
		t.Errorf("in the session: %v", here)
	}
}

func TestStopWithoutAnswersSaysSo(t *testing.T) {
	turns := sessions.NewActiveTurns(part.Env{Ctx: t.Context(), Now: time.Now})
	if then, cmd := turns.Stop(action.Stop{}); cmd != nil || then.(action.Notify).Text != "Nothing is running." {
		t.Errorf("got %+v", then)
	}
}

// fixture is the part of sessions on a store in memory.
type fixture struct {
	*sessions.Part
	pane  *conversation.Pane
	asked []action.Action
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	styles := themes.New(themes.Default(true))
	f := &fixture{}
	svc := service.New(service.Options{Backend: service.BackendOptions{Catalogue: api.Default()},
		History: service.HistoryOptions{OpenMemory: func(ctx context.Context) (history.Store, error) {
			return sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
		}}})
	env := part.Env{Ctx: t.Context(), Service: svc, Keys: ui.Keys(), Now: time.Now,
		Styles:  func() *themes.Styles { return styles },
		Session: func() history.Session { return f.Open() }}
	f.pane = conversation.New(env.Keys, styles, time.Now, func(string) time.Duration { return 0 })
	f.Part = sessions.New(env, f.pane, compose.New(compose.Options{Env: env, Turns: f.pane.Turns,
		Asked:    func() iter.Seq[history.Answer] { return func(func(history.Answer) bool) {} },
		IsSaving: func() bool { return false }}))
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
		if msg.To == part.Receiver(f.Part) {
			then, cmd := f.Update(msg.Msg)
			f.asked = append(f.asked, then)
			f.run(cmd)
		}
	}
}

func TestUndoWithoutADeletionSaysSo(t *testing.T) {
	f := newFixture(t)
	if then, cmd := f.Undo(action.Undo{}); cmd != nil || then.(action.Notify).Text != "There is nothing to undo." {
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
		then.(action.Notify).Text != "The deletion before this one is not done yet." {
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
	if held := f.Release(); held != nil {
		t.Errorf("%v is let go before the session is there", held)
	}
}

func TestRemovedAnswersAreReadAgain(t *testing.T) {
	f := newFixture(t)
	f.pane.SetTurns([]history.Turn{turn(1, 2)}, false)
	then, _ := f.RemoveDeleted(action.Deleted{Answers: []int64{2}})
	if want := (action.RereadTurns{Turns: []int64{5}}); !reflect.DeepEqual(then, want) {
		t.Errorf("got %+v, want %+v", then, want)
	}
	f.RemoveDeleted(action.Deleted{Turn: 5})
	if n := len(f.pane.Turns()); n != 0 {
		t.Errorf("%d turns are shown", n)
	}
}
