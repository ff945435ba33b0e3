package turns_test

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"confab/history"
	"confab/ui/action"
	"confab/ui/part"
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

// next runs the command that waits for events and gives the turns its message. ok is false for none.
func next(held *turns.Turns, cmd tea.Cmd) (then action.Action, wait tea.Cmd, ok bool) {
	result, ok := cmd().(part.Result)
	if !ok {
		return nil, nil, false
	}
	then, wait = held.Update(result.Msg)
	return then, wait, true
}

func TestATurnIsFollowedUntilItsAnswersHaveEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := turns.New(part.Env{Ctx: t.Context(), Now: time.Now})
		events := make(chan history.Event, 2)
		wait := held.Follow(turn(1, 2), events)
		for i, state := range []history.State{history.Running, history.Done} {
			e := history.Event{Turn: 5, Answer: history.Answer{ID: 1, Turn: 5, State: state, Version: i + 1}}
			events <- e
			then, again, _ := next(held, wait)
			want := action.Join(action.NoteConnection{Answer: e.Answer})
			if state.HasEnded() {
				want = action.Join(want, action.AnswersEnded{})
			}
			if !reflect.DeepEqual(then, want) {
				t.Fatalf("got %+v, want %+v", then, want)
			}
			if ended, all := held.Progress(); ended != i || all != 2 || held.Running() != 2-i {
				t.Errorf("%s: %d of %d have ended, %d run", state, ended, all, held.Running())
			}
			wait = again
		}
		events <- history.Event{Turn: 5, Answer: history.Answer{ID: 2, Turn: 5, State: history.Failed, Version: 1}}
		_, wait, _ = next(held, wait)
		if !held.HasFailed() {
			t.Error("no answer has failed")
		}
		close(events)
		then, _, _ := next(held, wait)
		ended, _ := then.(action.Sequence)
		if len(ended) != 2 || ended[0] != (action.TurnEnded{Turn: 5}) {
			t.Fatalf("after the last event: %+v", then)
		}
		if alert, _ := ended[1].(action.Alert); alert.Text != "1 answer arrived, 1 failed" || !alert.Failed {
			t.Errorf("got %+v", alert)
		}
		if _, all := held.Progress(); all != 0 {
			t.Errorf("%d answers are still followed", all)
		}
	})
}

// Several answers that grow are drawn less often; one that ends is drawn as soon as anything else.
func TestHowSoonEventsAreDrawn(t *testing.T) {
	for state, want := range map[history.State]part.Draws{history.Running: part.DrawsGrowth,
		history.Done: part.DrawsAny} {
		held := turns.New(part.Env{Ctx: t.Context(), Now: time.Now})
		events := make(chan history.Event, 2)
		events <- history.Event{Turn: 5, Answer: history.Answer{ID: 1, State: state}}
		if got, _ := held.Follow(turn(1, 2), events)().(part.Result); got.Draws != want {
			t.Errorf("%s: drawn as %v, want %v", state, got.Draws, want)
		}
	}
}

func TestFurtherSamplesJoinTheTurn(t *testing.T) {
	held := turns.New(part.Env{Ctx: t.Context(), Now: time.Now})
	held.Follow(turn(1), nil)
	held.Follow(turn(1, 2), nil)
	if held.Running() != 2 {
		t.Errorf("%d run", held.Running())
	}
	var here []int64
	for a := range held.AnswersIn(1) {
		here = append(here, a.ID)
	}
	for range held.AnswersIn(2) {
		t.Error("an answer is in another session")
	}
	if len(here) != 2 {
		t.Errorf("in the session: %v", here)
	}
}

func TestStopWithoutAnswersSaysSo(t *testing.T) {
	held := turns.New(part.Env{Ctx: t.Context(), Now: time.Now})
	if then, cmd := held.Stop(action.Stop{}); cmd != nil || then.(action.Notify).Text != "Nothing is running." {
		t.Errorf("got %+v", then)
	}
}

// ids returns the ids of turns.
func ids(list []history.Turn) (all []int64) {
	for _, t := range list {
		all = append(all, t.ID)
	}
	return all
}

// page returns turns of session 1 from one id to another, each with an answer that is done.
func page(from, to int64) (list []history.Turn) {
	for id := from; id <= to; id++ {
		list = append(list, history.Turn{ID: id, Session: 1,
			Answers: []history.Answer{{ID: 1000 + id, Turn: id, State: history.Done, Version: 1}}})
	}
	return list
}

// A long session is held as a window that moves with its reader.
func TestTheWindowIsBounded(t *testing.T) {
	held := turns.New(part.Env{})
	held.SetWindow(page(401, 440), true, false)
	for from := int64(361); from > 1; from -= 40 {
		held.AddOlder(page(from, from+39), true)
	}
	window := ids(held.Window())
	if len(window) != 240 || window[0] != 41 || !held.HasNewer() || !held.HasOlder() {
		t.Errorf("%d turns from %d on, newer %v, older %v", len(window), window[0], held.HasNewer(), held.HasOlder())
	}
	held.AddNewer(page(281, 320), false)
	if window = ids(held.Window()); len(window) != 240 || window[239] != 320 || held.HasNewer() || !held.HasOlder() {
		t.Errorf("%d turns up to %d, newer %v", len(window), window[239], held.HasNewer())
	}
}

// An answer in flight stays known when another session is opened, and is newer than the history when its own is opened
// again.
func TestAnswersInFlightOutliveTheWindow(t *testing.T) {
	held := turns.New(part.Env{Ctx: t.Context(), Now: time.Now})
	asked := turn(1)
	held.SetWindow([]history.Turn{asked}, false, false)
	held.Follow(asked, nil)
	held.SetWindow(page(20, 21), false, false)
	held.Apply(history.Event{Turn: 5, Answer: history.Answer{ID: 1, Turn: 5, State: history.Running, Version: 7,
		Text: "Two days"}})
	if n := held.Running(); n != 1 {
		t.Errorf("%d answers run", n)
	}
	held.SetWindow([]history.Turn{asked}, false, false)
	if a, _ := held.Window()[0].Answer(1); a.Text != "Two days" {
		t.Errorf("the window has the answer as it was stored: %+v", a)
	}
	held.SetWindow(nil, false, false)
	if _, isHeld := held.Turn(20); isHeld {
		t.Error("a turn that nothing needs is held")
	}
}

// What a pane shows is held until it shows something else, and events reach it as they reach the window.
func TestAPaneShowsTurnsOutsideTheWindow(t *testing.T) {
	held := turns.New(part.Env{})
	one, other := new(int), new(int)
	held.Show(one, page(7, 8))
	held.Show(other, page(8, 8))
	held.Apply(history.Event{Turn: 8, Answer: history.Answer{ID: 1008, Turn: 8, State: history.Done, Version: 2}},
		history.Event{Turn: 8, Answer: history.Answer{ID: 1008, Turn: 8, State: history.Running, Version: 1}})
	held.Show(one, nil)
	if _, isHeld := held.Turn(7); isHeld {
		t.Error("turn 7 is held, which nothing shows")
	}
	shown, _ := held.Turn(8)
	if a, _ := shown.Answer(1008); a.Version != 2 || a.State != history.Done {
		t.Errorf("turn 8 has %+v", a)
	}
}
