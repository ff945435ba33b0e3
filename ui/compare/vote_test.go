package compare_test

import (
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/action"
)

func TestABlindVoteGivesNothingAway(t *testing.T) {
	of := withAnswer(caseOf(3), 0, func(a *history.Answer) {
		a.Note, a.Rating, a.IsWinner = "alpha as ever", history.Good,
			true
	})
	v := show(t, 120, 38, of)
	v.press("V")
	v.shows("pair 1 of 3", "─ Answer A ─", "─ Answer B ─")
	v.lacks("alpha", "beta", "gamma", "1.9 s", "2.6 s", "3.3 s", "61 w", "28 w", "18/18", "13/13", "/1", "as ever", "★",
		"quickest")
	v.press("1", "l", "z", "d", "t") // nothing of this is voting
	v.shows("pair 1 of 3")
	v.wishes = nil
	v.press("a")
	got := wished[action.Vote](v)
	if len(got) != 1 || got[0].Vote.Preference != history.VoteA || !got[0].Vote.IsBlind ||
		got[0].Vote.AnswerA == got[0].Vote.AnswerB {
		t.Fatalf("a wishes %+v", got)
	}
	v.shows("pair 2 of 3")
	v.press("u")
	if got := wished[action.UndoVote](v); len(got) != 1 {
		t.Errorf("u wishes %+v", got)
	}
	v.shows("pair 1 of 3")
	v.press("u")
	if got := noticesOf(v); got != "No vote to undo." {
		t.Errorf("u again says %q", got)
	}
	v.press("b", "x", "s")
	v.lacks("pair 1", "pair 3 of", "─ Answer A ─")
	v.shows("3 of 3 pairs", "better than", "as bad as", "not judged against", "alpha", "No votes yet")
	v.lacks("worse than", "1.9 s")
	v.press("esc")
	v.shows("1 alpha + ★")
}

func TestANoteOnThePairIsKeptWithBoth(t *testing.T) {
	of := withAnswer(caseOf(2), 0, func(a *history.Answer) { a.Note, a.Rating = "first", history.Good })
	v := show(t, 120, 38, of)
	v.press("V", "m")
	asks := wished[action.AskText](v)
	if len(asks) != 1 || asks[0].Value != "" || strings.Contains(asks[0].Title, "alpha") {
		t.Fatalf("m asks %+v", asks)
	}
	v.take(asks[0].Then("A is warmer"))
	got := wished[action.Judge](v)
	slices.SortFunc(got, func(a, b action.Judge) int { return int(a.Answer - b.Answer) })
	want := []action.Judge{{Answer: 1, Rating: history.Good, Note: "first\nA is warmer"},
		{Answer: 2, Note: "A is warmer"}}
	if !slices.Equal(got, want) {
		t.Errorf("the note makes %+v, want %+v", got, want)
	}
	v.shows("note: A is warmer")
	v.press("m")
	if again := wished[action.AskText](v); len(again) != 1 || again[0].Value != "A is warmer" {
		t.Errorf("m again asks %+v", again)
	}
}

func TestAnAnswerThatNamesItsMakerIsFlagged(t *testing.T) {
	for text, leaks := range map[string]bool{"I am Beta, made to help.": true, "As beta-3-235b I cannot.": true,
		"An alphabet of betas.": false, "Hello.": false} {
		of := withAnswer(caseOf(2), 0, func(a *history.Answer) { a.Text = text })
		of = withAnswer(of, 1, func(a *history.Answer) { a.Model, a.ServedModel = "beta-3-235b", "beta-3-235b" })
		v := show(t, 120, 38, of)
		v.press("V")
		if got := strings.Contains(v.text(), "names a model: this vote is not blind."); got != leaks {
			t.Errorf("%q is flagged: %v, want %v", text, got, leaks)
		}
		v.wishes = nil
		v.press("e")
		if got := wished[action.Vote](v); len(got) != 1 || got[0].Vote.IsBlind == leaks {
			t.Errorf("%q: the vote is %+v", text, got)
		}
	}
}

func TestEqualAnswersMakeNoPair(t *testing.T) {
	v := show(t, 120, 38, withAnswer(caseOf(2), 1, func(a *history.Answer) { a.Text = warm }))
	v.shows("same as 1", "same text: 2 of 2")
	v.press("V")
	if got := noticesOf(v); !strings.Contains(got, "are the same") {
		t.Errorf("V says %q", got)
	}
}

func TestAPictureVoteHidesFiles(t *testing.T) {
	of := caseOf(2)
	for i := range of.Turns[0].Answers {
		a := &of.Turns[0].Answers[i]
		a.Kind, a.Text = history.KindImage, ""
		a.Picture = &history.Picture{Path: "/pictures/0001-" + a.Model + "-fox.png", ContentType: "image/png",
			Width:  64 + i,
			Height: 32, Bytes: 900, SHA256: a.Model}
	}
	v := show(t, 120, 38, of)
	v.press("V")
	v.shows("pair 1 of 1")
	v.lacks("alpha", "beta", ".png", "64×32", "65×32", "900 B")
}

// TestAVoteIsForTheAnswerThatWasShown with the sides as they are, and tossed.
func TestAVoteIsForTheAnswerThatWasShown(t *testing.T) {
	for toss, want := range []history.Vote{{AnswerA: 1, AnswerB: 2}, {AnswerA: 2, AnswerB: 1}} {
		v := show(t, 120, 38, caseOf(2))
		v.SetToss(func(n int) int { return min(toss, n-1) })
		v.press("V")
		shown := map[bool]int64{true: 1, false: 2}[strings.Index(v.text(), "Hi Sam") < strings.Index(v.text(), "Dear")]
		v.wishes = nil
		v.press("a")
		got := wished[action.Vote](v)
		if len(got) != 1 || got[0].Vote.AnswerA != want.AnswerA || got[0].Vote.AnswerB != want.AnswerB ||
			got[0].Vote.AnswerA != shown {
			t.Fatalf("toss %d: A shows answer %d, and the vote is %+v", toss, shown, got)
		}
		names := map[int64]string{1: "alpha", 2: "beta"}
		if !isInOrder(v, names[got[0].Vote.AnswerA]+" ", "better than  "+names[got[0].Vote.AnswerB]) {
			t.Errorf("the result is another one:\n%s", v.text())
		}
	}
}

func TestASkippedPairHasNoVoteToUndo(t *testing.T) {
	v := show(t, 120, 38, caseOf(3))
	v.press("V", "s")
	v.shows("pair 2 of 3")
	v.press("u")
	v.shows("pair 1 of 3")
	if got := wished[action.UndoVote](v); len(got) != 0 {
		t.Errorf("u wishes %+v", got)
	}
}

// TestAVoteIsBetweenAnswersOfOneKind: a picture is no better than a text.
func TestAVoteIsBetweenAnswersOfOneKind(t *testing.T) {
	v := show(t, 120, 38, withAnswer(caseOf(3), 2, func(a *history.Answer) {
		a.Kind, a.Text = history.KindImage, ""
		a.Picture = &history.Picture{Path: "/p/0001-fox.png", ContentType: "image/png", Width: 64, Height: 64}
	}))
	v.press("V")
	v.shows("pair 1 of 1")
}

// TestOneAnswerAtATime is shown where there is little room for two, and a key shows the other one.
func TestOneAnswerAtATime(t *testing.T) {
	v := show(t, 60, 18, caseOf(2))
	v.press("V")
	v.shows("─ Answer A ─", "tab show answer B, not seen yet", "a is better", "b is better")
	v.lacks("─ Answer B ─")
	v.press("tab")
	v.shows("─ Answer B ─", "tab show answer A ─", "a is better", "b is better")
	v.lacks("─ Answer A ─")
	v.press("tab")
	v.shows("tab show answer B ─")
	v = show(t, 60, 40, caseOf(2))
	v.press("V")
	v.shows("─ Answer A ─", "─ Answer B ─", "a is better", "b is better")
	v.press("tab")
	if got := noticesOf(v); got != "Both answers are shown." {
		t.Errorf("tab says %q", got)
	}
}

// TestKeysThatVoteStandOut from the other hints.
func TestKeysThatVoteStandOut(t *testing.T) {
	v := show(t, 120, 38, caseOf(2))
	v.press("V")
	bar := themes.New(themes.Default(true)).Selected.On(" a is better ")
	if lines := strings.Join(v.View(), "\n"); !strings.Contains(lines, bar) {
		t.Errorf("%q is not shown:\n%s", bar, v.text())
	}
}

// TestTheWinnerComesFirst in the votes, which have a box of their own down to the last line where there is room for it,
// with the first words of the winner.
func TestTheWinnerComesFirst(t *testing.T) {
	for h, isOwn := range map[int]bool{6: false, 18: true, 38: true} {
		v := show(t, 80, h, caseOf(2))
		v.SetToss(func(int) int { return 0 })
		v.SetWins(suite.Votes{Voters: []suite.Voter{{}}})
		v.press("V", "b")
		v.shows("beta   better than  alpha")
		v.lacks("worse than")
		lines := strings.Split(strings.TrimSpace(v.text()), "\n")
		first := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "Your votes") })
		if got := strings.HasPrefix(lines[first], "┏━ Your votes"); got != isOwn {
			t.Errorf("in %d lines the votes have a box of their own: %v\n%s", h, got, v.text())
		}
		if last := lines[h-1]; !strings.HasPrefix(last, "┗━") {
			t.Errorf("the last of %d lines is %q", h, last)
		}
		if isOwn {
			v.shows("▎ ")
		}
		v.press("u", "e") // no winner
		v.shows("as good as")
		v.lacks("▎")
	}
}

// TestTheResultSaysWhoIsAheadFirst in a frame that fills the view, and names the key for more where it is cut.
func TestTheResultSaysWhoIsAheadFirst(t *testing.T) {
	for h, want := range map[int]string{38: "┗━", 8: "┗━ j more ↓ ━"} {
		v := show(t, 60, h, caseOf(2))
		v.SetWins(suite.Votes{Voters: []suite.Voter{{}}, Axes: []suite.AxisVotes{
			{Axis: suite.AxisModel, Contestants: []suite.Contestant{{}, {}}}}})
		v.press("V", "b")
		lines := strings.Split(strings.TrimSpace(v.text()), "\n")
		if first := strings.Join(lines[1:3], ""); !strings.Contains(first, "None is clearly best") {
			t.Errorf("the result begins with %q", first)
		}
		end := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, want) })
		if end != h-1 {
			t.Errorf("line %d begins with %q:\n%s", end, want, v.text())
		}
	}
}
