package compare_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/ui/action"
	"confab/ui/compare"
)

func TestTheFirstFailedCheckIsNamed(t *testing.T) {
	v := show(t, 120, 38, runCase())
	v.shows("1 alpha ★  1.9 s  61 words  2/3 ?", "1 check skipped")
	v.lacks("3/3", "check 2 failed")
	v.press("2")
	v.shows("2 beta  2.2 s  37 words  1/3 ✗", "✗ check 2 failed: icontains sorry: the answer does not hold “sorry”")
	v.press("t", "t")
	v.shows("only check failed", "2 beta", "4 delta", "10 kappa", "14 xi")
	v.lacks("1 alpha", "6 zeta", "9 iota")
	w := show(t, 120, 38, caseOf(3))
	w.press("3", "t") // none failed or is rated: all of them differ
	w.shows("only different", "┏━ 3 gamma")
}

func TestAnswersThatAreNotThereYet(t *testing.T) {
	v := show(t, 80, 22, runCase())
	v.press("8")
	v.shows("8 theta  queued", "not sent yet")
	for _, key := range []string{"r", "y", "*", "m", "+", "i", "s"} {
		v.press(key)
		if got := noticesOf(v); got != "theta was not sent this prompt yet." {
			t.Errorf("%s says %q", key, got)
		}
	}
	v.press("d")
	if got := noticesOf(v); !strings.Contains(got, "Two finished texts are needed") {
		t.Errorf("d says %q", got)
	}
	// It comes: the cell is filled, and the focus stays.
	of := v.shownCase()
	of.Named[compare.Asked{Turn: 8, Model: "theta"}] = "theta"
	a := done(108, "theta", brief, 800)
	a.Turn = 8
	of.Turns = append(slices.Clone(of.Turns), history.Turn{ID: 8, Answers: []history.Answer{a}})
	v.set(of)
	v.settle()
	v.shows("┏━ 8 theta  0.8 s  28 words", "Hi, so sorry about the wait!")
}

func TestACaseOfARunActsOnItsTurns(t *testing.T) {
	v := show(t, 120, 38, runCase())
	v.press("2", "r")
	if got := wished[action.Again](v); len(got) != 1 || got[0].Answer != 102 {
		t.Errorf("r wishes %+v", got)
	}
	v.press("R")
	if got := wished[action.Resume](v); len(got) != 1 || !slices.Equal(got[0].Turns, []int64{9}) {
		t.Errorf("R wishes %+v, want the turn of the failed answer", got)
	}
	v.press("S")
	if got := wished[action.Stop](v); len(got) != 1 || !slices.Equal(got[0].Answers, []int64{106, 107}) {
		t.Errorf("S wishes %+v, want what runs of the case", got)
	}
	v.press("6", "s")
	if got := wished[action.Stop](v); len(got) != 1 || !slices.Equal(got[0].Answers, []int64{106}) {
		t.Errorf("s wishes %+v", got)
	}
	v.press("3", "s")
	if got := noticesOf(v); got != "This answer is not running." {
		t.Errorf("s on what has ended says %q", got)
	}
	v.press("*")
	best := wished[action.ToggleBest](v)
	if len(best) != 1 || best[0].Answer != 103 || !slices.Equal(best[0].Others, []int64{101}) {
		t.Errorf("* wishes %+v: one answer of the row is the best", best)
	}
	// A further sample of a call comes back as its turn, with an answer more.
	turn := v.CaseTurns()[1]
	more := done(202, "beta", "Hello again, we are sorry.", 900)
	more.Turn, more.Sample = 2, 2
	turn.Answers = append(slices.Clone(turn.Answers), more)
	v.PutTurn(turn)
	v.press("2")
	v.shows("2 beta", "Hello again, we are sorry.", "#2/2")
}

func TestTheBestOfATurnIsOneWish(t *testing.T) {
	v := show(t, 120, 38, withAnswer(caseOf(3), 0, func(a *history.Answer) { a.IsWinner = true }))
	v.press("2", "*")
	if got := wished[action.ToggleBest](v); len(got) != 1 || got[0].Answer != 2 || len(got[0].Others) > 0 {
		t.Errorf("* wishes %+v: that the other one lost is the history's to know", got)
	}
}

// samples is a turn with five samples of one model, one of them reused, and of
// another model one.
func samples() testCase {
	of := caseOf(1)
	t := &of.Turns[0]
	t.Answers = nil
	for i, s := range []struct {
		text string
		ms   int
	}{{brief, 2100}, {warm, 1800}, {brief, 4000}, {brief, 2000}, {stiff, 2500}, {stiff, 9900}} {
		a := done(int64(i+1), "alpha", s.text, s.ms)
		a.Sample, a.IsCached = i+1, i == 5
		t.Answers = append(t.Answers, a)
	}
	t.Answers = append(t.Answers, done(20, "beta", stiff, 3000))
	return of
}

func TestSamplesAreMergedAndSummarised(t *testing.T) {
	v := show(t, 140, 38, samples())
	v.shows("1 alpha  2.1 s (1.8–4.0, n=5)  28 words  #1/3 ×3", "sample 1 of 3, 3 alike", "all 2.1 s (1.8–4.0, n=5)")
	v.press(">")
	v.shows("#2/3", "I am sorry your parcel is late")
	v.lacks("×3")
	v.press(">")
	v.shows("#3/3 ×2", "Dear customer", "same as 1", "same text: 2 of 2")
	v.press(">", "<", "<", "<")
	v.shows("#1/3 ×3")
	// What a person marks stands for the others that say the same.
	of := withAnswer(v.shownCase(), 3, func(a *history.Answer) { a.Rating, a.Version = history.Good, 2 })
	v.set(of)
	v.press("*")
	if got := wished[action.ToggleBest](v); len(got) != 1 || got[0].Answer != 4 {
		t.Errorf("* wishes %+v, want it for the marked one of the equal samples", got)
	}
}

func TestAReusedTimeStandsInBrackets(t *testing.T) {
	of := withAnswer(caseOf(2), 1, func(a *history.Answer) { a.IsCached = true })
	v := show(t, 80, 22, of)
	v.shows("2 beta  (2.6 s cached)")
	v.lacks("quickest") // one time alone is no comparison
	only := samples()
	only.Turns[0].Answers = only.Turns[0].Answers[5:6]
	show(t, 80, 22, only).shows("1 alpha  (9.9 s cached)")
}

func TestARunningSampleKeepsItsPlaceWhenItTurnsOutEqual(t *testing.T) {
	of := caseOf(2)
	asked := done(9, "alpha", "", 0)
	asked.State, asked.Sample, asked.Started = history.Running, 2, now.Add(-3*time.Second)
	v := show(t, 120, 38, of)
	v.Apply(history.Event{Turn: 1, Answer: asked})
	v.settle()
	v.shows("1 alpha  ⠴ 3 s  #2/2")
	came := done(9, "alpha", warm, 1100)
	came.Sample, came.Version = 2, 2
	v.Apply(history.Event{Turn: 1, Answer: came})
	v.settle()
	v.shows("1 alpha  1.5 s (1.1–1.9, n=2)  61 words  ×2", "2 samples alike", "Hi Sam,")
}

func TestLayoutsAreCycledAndRemembered(t *testing.T) {
	v := show(t, 200, 58, runCase())
	v.shows("L grid")
	v.press("L")
	v.shows("L strip")
	if n := strings.Count(v.text(), "╮"); n != 14 { // the focused one of fifteen has heavy lines
		t.Errorf("%d boxes, want 15 with the focused one", n+1)
	}
	v.press("L")
	v.shows("L list")
	v.press("L")
	v.shows("L grid")
	v.press("L")
	kept := v.ChosenLayouts()
	w := show(t, 200, 58, caseOf(2))
	w.SetChosenLayouts(kept + ";nonsense;2 wide=round")
	if got := w.ChosenLayouts(); got != kept {
		t.Errorf("kept %q, want %q", got, kept)
	}
	w.set(runCase())
	w.settle()
	w.shows("L strip")
	w.SetSize(120, 38)
	w.w, w.h = 120, 38
	w.settle()
	w.shows("L strip") // of another size another choice
}

func TestZoomComesBackToTheSameLine(t *testing.T) {
	long := ""
	for i := range 60 {
		long += fmt.Sprintf("Paragraph %d tells a thing or two about parcels that are late, and it takes more than "+
			"a line "+
			"to tell it.\n\n", i)
	}
	of := withAnswer(caseOf(2), 0, func(a *history.Answer) { a.Text = long })
	v := show(t, 80, 22, of)
	for range 25 {
		v.press("j")
	}
	before := v.text()
	v.press("z")
	v.shows("answer 1 of 2")
	if top := regexp.MustCompile(`Paragraph \d+ `).FindString(before); !strings.Contains(v.text(), top) {
		t.Errorf("zoomed, what was read is gone: %q\n%s", top, v.text())
	}
	v.press("pgdown", "l", "h", "pgdown", "esc")
	if after := v.text(); after != before {
		t.Errorf("esc came back to\n%s\nfrom\n%s", after, before)
	}
	v.press("V", "j", "esc", "l", "d", "esc", "h")
	if after := v.text(); after != before {
		t.Errorf("voting and comparing came back to\n%s\nfrom\n%s", after, before)
	}
}

// TestProgressOfAnAnswerKeepsTheView: events of a running answer change its cell alone.
func TestProgressOfAnAnswerKeepsTheView(t *testing.T) {
	of := caseOf(2)
	running := history.Answer{ID: 9, Turn: of.Turns[0].ID, Model: "gamma", State: history.Running, Version: 1,
		Started: now}
	of.Turns[0].Answers = append(slices.Clone(of.Turns[0].Answers), running)
	v := show(t, 120, 38, of)
	v.press("l", "/", "d", "a", "y", "s", "enter")
	v.shows("1 of 1", "┏━ 2 beta", "3 gamma  ⠋ 0 s")
	if n := strings.Count(v.text(), "⠋ 0 s"); n != 1 {
		t.Errorf("the state of a running answer is shown %d times", n)
	}
	running.Version, running.Started = 2, now.Add(-4*time.Second)
	v.Apply(history.Event{Turn: of.Turns[0].ID, Answer: running})
	v.settle()
	v.shows("1 of 1", "┏━ 2 beta", "3 gamma  ⠦ 4 s")
	if got := v.CaseTurns()[0].Answers[2]; got.Version != 2 {
		t.Errorf("the case holds version %d", got.Version)
	}
	running.Version, running.State, running.Text = 3, history.Done, "Two days, at most."
	v.Apply(history.Event{Turn: of.Turns[0].ID, Answer: running})
	v.settle()
	v.shows("1 of 2", "Two days, at most.")
}

// TestARecoveredAnswerIsShown when the comparison is opened later, and not the attempt that failed.
func TestARecoveredAnswerIsShown(t *testing.T) {
	content := caseOf(2)
	turn := &content.Turns[0]
	failed := turn.Answers[0]
	failed.ID, failed.State, failed.Text, failed.Failure = 900, history.Failed, "", &history.Failure{Code: "service"}
	again := turn.Answers[0]
	again.Sample = 2
	turn.Answers = append([]history.Answer{failed}, append(slices.Clone(turn.Answers[1:]), again)...)
	v := show(t, 120, 38, content)
	v.lacks("failed service")
	v.shows("1 alpha", "#2/2")
}

// TestEndingsAreMarked: an answer that is cut or empty is told from others.
func TestEndingsAreMarked(t *testing.T) {
	content := caseOf(2)
	answers := content.Turns[0].Answers
	answers[0].Finish, answers[1].Text = chat.FinishLength, ""
	v := show(t, 120, 38, content)
	v.shows("1 alpha  1.9 s cut", "2 beta  2.6 s empty")
}
