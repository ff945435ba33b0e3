package compare_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"confab/history"
	"confab/ui/action"
)

// fifteenWriting is a turn to fifteen models of which none has answered.
func fifteenWriting(now time.Time) history.Turn {
	t := history.Turn{ID: 1, Session: 1, Prompt: "p", Samples: 1}
	for i := range int64(15) {
		t.Answers = append(t.Answers, history.Answer{ID: 100 + i, Turn: 1, Model: fmt.Sprintf("model-%02d", i+1),
			Kind: history.KindText, State: history.Running, Sample: 1, Version: 1, Started: now})
	}
	return t
}

// Fifteen answers are written side by side: the end of each is seen, and none changes its place before all have ended,
// though they end from the last to the first and are in the order of their times.
func TestFifteenAnswersAreWrittenSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		turn := fifteenWriting(now)
		v := show(t, 200, 58, testCase{Turns: []history.Turn{fifteenWriting(now)}})
		v.press("L", "L") // strip, grid
		v.press("o")
		v.clock = now.Add(4 * time.Second)
		apply := func(i int, change func(a *history.Answer)) {
			a := &turn.Answers[i]
			change(a)
			a.Version++
			v.Apply(history.Event{Turn: 1, Answer: *a})
			v.settle()
		}
		before := numbersOf(v.text())
		for round := range 40 {
			for i := range turn.Answers {
				apply(i, func(a *history.Answer) {
					a.Text += fmt.Sprintf("model %02d says line %d\n\n", i+1, round)
					a.Progress.Streams = true
				})
			}
			if got := numbersOf(v.text()); got != before {
				t.Fatalf("in round %d the order is %s, it was %s", round, got, before)
			}
		}
		v.shows("model 01 says line 39", "model 02 says line 39", "200 words")
		v.lacks("model 01 says line 0", ".99", "same text")
		for i := 14; i >= 0; i-- {
			apply(i, func(a *history.Answer) {
				a.State, a.Ended, a.Elapsed = history.Done, now, time.Duration(20-i)*time.Second
			})
			if got := numbersOf(v.text()); i > 0 && got != before {
				t.Fatalf("with %d left the order is %s, it was %s", i, got, before)
			}
		}
		// The first one has the focus and is seen still.
		if got := numbersOf(v.text()); got != "5 4 3 2 1" {
			t.Errorf("once all have ended the order is %s", got)
		}
	})
}

// numbersOf returns the numbers of the answers in the order of their boxes.
func numbersOf(text string) string {
	var numbers []string
	for _, found := range regexp.MustCompile(`[╭┏][─━] (\d+) model`).FindAllStringSubmatch(text, -1) {
		numbers = append(numbers, found[1])
	}
	return strings.Join(numbers, " ")
}

// TestAnAnswerIsAsTheSessionHasIt, which may be newer than an event says.
func TestAnAnswerIsAsTheSessionHasIt(t *testing.T) {
	turn := caseOf(2).Turns[0]
	turn.Answers[1].State, turn.Answers[1].Text = history.Running, ""
	event := history.Event{Turn: 1, Answer: turn.Answers[1]}
	event.Answer.Version, event.Answer.Text = 2, "Two"
	newer := event
	newer.Answer.Version, newer.Answer.Text, newer.Answer.State = 3, "Two days, at most.", history.Done

	v := show(t, 120, 38, testCase{Turns: []history.Turn{turn}})
	v.Apply(newer, event)
	v.settle()
	v.shows("Two days, at most.")
	v.lacks("running")
}

// TestAPairOfRunsShowsItsAnswersAlone, also where the open session has a turn of it with others.
func TestAPairOfRunsShowsItsAnswersAlone(t *testing.T) {
	turn, v := caseOf(2).Turns[0], show(t, 120, 38, caseOf(1))
	v.session.SetTurns([]history.Turn{turn}, false)
	other, a, b := turn, turn.Answers[0], turn.Answers[1]
	other.ID, other.Answers, b.ID, b.Turn = 2, nil, 3, 2
	v.ShowPair([2]history.Turn{turn, other},
		action.ShowDifference{A: a, B: b, NameA: "run 1  alpha", NameB: "run 2  beta"})
	a.Version, a.Rating = 2, history.Good
	v.Apply(history.Event{Turn: 1, Answer: a})
	if got := v.CaseTurns()[0].Answers; len(got) != 1 || got[0].Rating != history.Good {
		t.Errorf("the first run has %d answers, the first rated %v", len(got), got[0].Rating)
	}
}

// TestTabsOfFourWritingAnswersKeepTheirNames, the current one whole, where there is no room for times.
func TestTabsOfFourWritingAnswersKeepTheirNames(t *testing.T) {
	for w, tabs := range map[int]string{
		60: " 1 alpha-large ◐  2 beta… ◐  3 gamm… ◐  4 delt… ◐ ",
		80: " 1 alpha-large ◐  2 beta-large… ◐  3 gamma-larg… ◐  4 delta-larg… ◐ ",
	} {
		of := caseOf(4)
		for i, name := range []string{"alpha-large", "beta-large-2", "gamma-large-3", "delta-large-4"} {
			a := &of.Turns[0].Answers[i]
			a.Model, a.State, a.Started = name, history.Running, now.Add(-2*time.Second)
		}
		show(t, w, 17, of).shows(tabs)
	}
}
