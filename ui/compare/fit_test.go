package compare_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/themes"
)

// longText has n paragraphs of one line.
func longText(n int) string {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("line %02d", i+1))
	}
	return strings.Join(lines, "\n\n")
}

// lineOf returns the line of the screen that has a text, -1 for none.
func lineOf(v *view, text string) int {
	for i, line := range strings.Split(v.text(), "\n") {
		if strings.Contains(line, text) {
			return i
		}
	}
	return -1
}

// TestBoxesReachTheBottom in a vote, a difference and a zoomed answer, though their texts are short.
func TestBoxesReachTheBottom(t *testing.T) {
	for key, border := range map[string]string{"V": "is better", "d": "without marks", "z": "again"} {
		v := show(t, 120, 58, caseOf(2))
		v.press(key)
		v.settle()
		if at := lineOf(v, border); at != 57 {
			t.Errorf("after %s %q is in line %d:\n%s", key, border, at, v.text())
		}
	}
}

// fourAnswers are a turn whose answers have that many paragraphs.
func fourAnswers(state history.State, paragraphs ...int) history.Turn {
	turn := history.Turn{ID: 1, Session: 1, Prompt: "p", Samples: 1}
	for i, n := range paragraphs {
		turn.Answers = append(turn.Answers, history.Answer{ID: int64(i) + 1, Turn: 1,
			Model: fmt.Sprintf("model-%d", i+1), Kind: history.KindText, State: state, Sample: 1, Version: 1,
			Text: longText(n), Elapsed: time.Second})
	}
	return turn
}

// TestARowOfShortAnswersLeavesItsLines to the other row.
func TestARowOfShortAnswersLeavesItsLines(t *testing.T) {
	v := show(t, 120, 40, testCase{Turns: []history.Turn{fourAnswers(history.Done, 13, 2, 3, 1)}})
	v.shows("line 13", "3 model-3")
	v = show(t, 120, 40, testCase{Turns: []history.Turn{fourAnswers(history.Done, 1, 2, 3, 13)}})
	v.shows("line 13", "1 model-1")
}

// TestNoBoxMovesWhenTheLastAnswerEnds, as its box has followed its text.
func TestNoBoxMovesWhenTheLastAnswerEnds(t *testing.T) {
	for _, paragraphs := range [][]int{{13, 2, 3, 1}, {1, 2, 3, 4}, {3, 5}, {30, 5}} {
		turn := fourAnswers(history.Done, paragraphs...)
		turn.Answers[0].State = history.Running
		v := show(t, 120, 40, testCase{Turns: []history.Turn{turn}})
		var before []int
		for i := range paragraphs {
			before = append(before, lineOf(v, fmt.Sprintf("%d model-%d", i+1, i+1)))
		}
		before = append(before, strings.Count(v.text(), "│"))
		last := turn.Answers[0]
		last.State, last.Version = history.Done, 2
		v.Apply(history.Event{Turn: 1, Answer: last})
		v.settle()
		for i := range paragraphs {
			if at := lineOf(v, fmt.Sprintf("%d model-%d", i+1, i+1)); at != before[i] {
				t.Errorf("%v: box %d moves from line %d to %d", paragraphs, i+1, before[i], at)
			}
		}
		if got := strings.Count(v.text(), "│"); got != before[len(before)-1] {
			t.Errorf("%v: the boxes get other heights:\n%s", paragraphs, v.text())
		}
	}
}

// TestTheTabOfTheCurrentAnswerIsFilled, more quietly without the focus, and alone has its name.
func TestTheTabOfTheCurrentAnswerIsFilled(t *testing.T) {
	s := themes.New(themes.Default(true))
	v := show(t, 60, 30, caseOf(3))
	selected := s.Selected.On(" 1 alpha 1.9 s ")
	idle := s.SelectedIdle.Behind(s.ModelStyle("alpha").Inherit(s.Strong).On(" 1 alpha 1.9 s "))
	if all := strings.Join(v.View(), "\n"); !strings.Contains(all, selected) {
		t.Errorf("with the focus the tab is not selected: %q", all)
	}
	v.SetFocused(false)
	all := strings.Join(v.View(), "\n")
	if strings.Contains(all, selected) {
		t.Error("the tab looks as if it had the focus")
	}
	if !strings.Contains(all, idle) {
		t.Errorf("%q is not in %q", idle, all)
	}
	if strings.Count(all, "1 alpha") != 1 {
		t.Errorf("the only box names the answer again:\n%s", v.text())
	}
}

// TestATabSaysItsState beside the name of its answer, whole or by a sign.
func TestATabSaysItsState(t *testing.T) {
	turn := fourAnswers(history.Done, 3, 3, 3, 3)
	for i, state := range []history.State{history.Running, history.Failed, history.Queued} {
		turn.Answers[i+1].State = state
	}
	v := show(t, 70, 15, testCase{Turns: []history.Turn{turn}})
	v.shows("1 model-1 ✓ ", " s  3 model-3 ✗  4 model-4 ○ ")
}
