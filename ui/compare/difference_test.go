package compare_test

import (
	"slices"
	"strings"
	"testing"

	"confab/history"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
)

// revisedCase is a case of which the texts differ in three places.
func revisedCase(n int) testCase {
	of := caseOf(n)
	for i, text := range []string{
		"Hi Sam,\n\nI am sorry your parcel is late.\n\nIt is due tomorrow before noon.",
		"Hi Alex,\n\nWe regret your parcel is late.\n\nIt is due on Friday before noon.",
		"Hi Kim,\n\nSadly your parcel is late.\n\nIt is due soon before noon."}[:n] {
		of = withAnswer(of, i, func(a *history.Answer) { a.Text = text })
	}
	return of
}

func TestADifference(t *testing.T) {
	v := show(t, 120, 38, revisedCase(3))
	v.press("P", "l", "d")
	v.shows("━ Difference   66 % same wording   change 1 of 3 ━", " −  1 alpha pinned", "│  +  2 beta",
		"w without marks", "n next change", "Hi Sam,", "│ Hi Alex,")
	v.lacks("by words")
	v.press("n", "n")
	v.shows("3 of 3")
	v.press("n")
	v.shows("1 of 3")
	v.press("N")
	v.shows("3 of 3")
	v.press("D")
	v.shows(" −  1 alpha pinned    +  2 beta", "Hi Sam Alex,")
	v.press("y")
	got := wished[action.Copy](v)
	if len(got) != 1 || !strings.HasPrefix(got[0].Text, "Hi [-Sam-]{+Alex+},\n\n[-I am") {
		t.Fatalf("y copies %+v", got)
	}
	v.press("x")
	v.shows(" −  2 beta    +  1 alpha pinned", "Hi Alex Sam,")
	v.press("x", "l") // against the next one
	v.shows(" −  1 alpha pinned    +  3 gamma")
	v.press("P") // the other one is pinned from now on
	v.shows(" −  3 gamma pinned    +  1 alpha")
	v.press("esc")
	v.shows("3 gamma pinned", "┏━ 2 beta") // from which the difference was opened
}

// TestADifferenceIsMarkedFirst: texts that have little in common are marked as well, and a key shows them without.
func TestADifferenceIsMarkedFirst(t *testing.T) {
	v := show(t, 120, 38, caseOf(2))
	v.press("d")
	v.shows("━ Difference   8 % same wording   change 1 of 1 ━", " −  1 alpha", "│  +  2 beta", "w without marks",
		"│ Dear")
	if rows := strings.Split(strings.TrimSpace(v.text()), "\n"); !strings.Contains(rows[len(rows)-2], "│") {
		t.Errorf("the line between the columns ends above the frame:\n%s", v.text())
	}
	v.press("w")
	v.shows("━ Difference   8 % same wording   without marks ━", "w mark changes", "│ 2 beta", "│ Dear customer")
	v.lacks(" −  1 alpha")
	v.press("w")
	v.shows(" −  1 alpha")
}

// TestNamesStandAboveTheirTexts where both stand below each other.
func TestNamesStandAboveTheirTexts(t *testing.T) {
	v := show(t, 60, 40, caseOf(2))
	v.press("d", "w")
	lines := strings.Split(v.text(), "\n")
	row := func(text string) int {
		return slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, text) })
	}
	order := []int{row("1 alpha"), row("Hi Sam,"), row("2 beta"), row("Dear customer")}
	if order[0] != 1 || order[1] != 2 || order[2] < 4 || order[3] != order[2]+1 {
		t.Errorf("rows %v:\n%s", order, v.text())
	}
}

// TestBothTextsAreOnTheScreen below each other, and are scrolled together.
func TestBothTextsAreOnTheScreen(t *testing.T) {
	v := show(t, 60, 18, caseOf(2))
	v.press("d")
	v.shows("w without marks ━") // whole at 60 columns
	v.press("w")
	v.shows("1 alpha", "Hi Sam,", "2 beta ──", "Dear customer", "w mark changes", "1–7 of")
	v.press("end")
	v.shows("1 alpha", "Ana", "2 beta ──", "Support")
	v.lacks("Hi Sam,", "Dear customer")
}

// TestTheHeadOfADifferenceFits: how many places there are is said on every screen.
func TestTheHeadOfADifferenceFits(t *testing.T) {
	of := revisedCase(2)
	for i, name := range []string{"beta-3-235b-a22b-instruct-2507", "alpha-4-scout-17b-16e-instruct"} {
		of.Turns[0].Answers[i].Model = name
	}
	v := show(t, 120, 38, of)
	v.press("P", "l", "d", "n")
	for _, w := range []int{60, 66, 72, 80, 90, 100, 120, 140, 200} {
		v.SetSize(w, 24)
		v.w, v.h = w, 24
		v.settle()
		lines := strings.SplitN(v.text(), "\n", 3)
		head := lines[0] + "\n" + lines[1]
		if !strings.Contains(head, "1 beta-") || !strings.Contains(head, "2 alpha") ||
			!strings.Contains(head, "66 % same wording   change 2 of 3") {
			t.Errorf("in %d cells: %q", w, head)
		}
	}
}

// TestADifferenceFollowsTheScreen: another size or theme draws it anew and does
// not close it.
func TestADifferenceFollowsTheScreen(t *testing.T) {
	v := show(t, 120, 38, revisedCase(2))
	v.press("l", "d")
	v.SetStyles(themes.New(themes.Default(false)))
	v.SetSize(50, 20)
	v.w, v.h = 50, 20
	v.settle()
	v.shows(" −  1 alpha", "Alex,")
	v.SetSize(160, 38)
	v.w, v.h = 160, 38
	v.settle()
	v.shows("│ Hi Alex,")
}

// TestADifferenceIsReadAloud: signs say what was taken out and put in, and the strip names all answers.
func TestADifferenceIsReadAloud(t *testing.T) {
	v := show(t, 120, 38, runCase())
	styles := *themes.New(themes.Default(true))
	styles.ScreenReader = true
	v.SetStyles(&styles)
	v.SetSize(120, 38)
	v.settle()
	v.shows("2 beta", "3 gamma")
	v.press("2", "d")
	v.shows("[-…-] 2 beta", "{+…+} 3 gamma", "[-", "{+")
}

func TestKeysOfADifferenceWithoutOne(t *testing.T) {
	v := show(t, 120, 38, caseOf(2))
	for _, key := range []string{"x", "D"} {
		v.press(key)
		if got := noticesOf(v); !strings.Contains(got, "d shows one") {
			t.Errorf("%s says %q", key, got)
		}
	}
	v.press("w")
	if got := wished[action.ShowWrite](v); len(got) != 1 {
		t.Errorf("w without a difference wishes %+v", got)
	}
}

func TestSimilarityOrdersTheList(t *testing.T) {
	v := show(t, 120, 38, runCase())
	v.press("3", "P", "o", "o", "o")
	v.shows("order: similarity")
	text := v.text()
	if a, b := strings.Index(text, "11   lambda"), strings.Index(text, "2   beta"); a < 0 || b < a {
		t.Errorf("what says the same does not come first:\n%s", text)
	}
	v.press("P")
	v.shows("order: number")
	v.lacks("sim ")
}

// What differs is what the answers read like; a key shows how they are marked up.
func TestADifferenceIsOfWhatIsDrawn(t *testing.T) {
	of := withAnswer(caseOf(2), 0, func(a *history.Answer) { a.Text = "It is **very** late.\n\n- one" })
	of = withAnswer(of, 1, func(a *history.Answer) { a.Text = "It is _quite_ late.\n\n* one" })
	v := show(t, 120, 38, of)
	v.press("d", "D")
	v.shows("It is very quite late.", "• one")
	v.lacks("**", "_quite_")
	v.press("u")
	v.shows("**very** _quite_")
}

// TestOnlyTheMarkupDiffers: the source shows how, where what is drawn is the same.
func TestOnlyTheMarkupDiffers(t *testing.T) {
	of := withAnswer(caseOf(2), 0, func(a *history.Answer) { a.Text = "It is **late**." })
	v := show(t, 120, 38, withAnswer(of, 1, func(a *history.Answer) { a.Text = "It is _late_." }))
	v.press("d", "D")
	v.shows("**late** _late_")
	v.lacks("the same text")
}

// TestWithoutAPinTheNextAnswerIsOnTheRight: what stands before another answer is on the left, whatever is focused.
func TestWithoutAPinTheNextAnswerIsOnTheRight(t *testing.T) {
	v := show(t, 120, 38, caseOf(3))
	v.press("1", "d", "D")
	v.shows(" −  1 alpha    +  2 beta")
	v.press("l")
	v.shows(" −  1 alpha    +  3 gamma")
	v.press("h")
	v.shows(" −  1 alpha    +  2 beta")
	v.press("l", "esc")
	v.shows("┏━ 1 alpha") // the focus is where it was
	v.press("2", "d", "D")
	v.shows(" −  2 beta    +  3 gamma")
	v.press("esc", "3", "d", "D") // none stands after it
	v.shows(" −  2 beta    +  3 gamma")
	failed := withAnswer(caseOf(3), 1, func(a *history.Answer) { a.State = history.Failed })
	v = show(t, 120, 38, failed)
	v.press("1", "d", "D")
	v.shows(" −  1 alpha    +  3 gamma")
}

func TestTheNextTextIsNotTheOneOnTheLeft(t *testing.T) {
	v := show(t, 120, 38, caseOf(3))
	v.press("2", "P", "1", "d", "D")
	v.shows(" −  2 beta pinned    +  1 alpha")
	v.press("l")
	v.shows(" −  2 beta pinned    +  3 gamma")
}

// TestADifferenceIsScrolledToItsEnd and not beyond; the place that is named is one on the screen.
func TestADifferenceIsScrolledToItsEnd(t *testing.T) {
	v := show(t, 60, 6, revisedCase(2))
	v.press("d")
	v.shows("1 of 3")
	for range 9 {
		v.press("pgdown")
	}
	v.shows("3 of 3", "before noon.")
	if last := strings.Split(strings.TrimRight(v.text(), "\n"), "\n"); strings.TrimSpace(last[len(last)-1]) == "" {
		t.Errorf("there are empty lines below the end:\n%s", v.text())
	}
}

// TestALateDifferenceIsDropped: another one was asked for meanwhile.
func TestALateDifferenceIsDropped(t *testing.T) {
	v := show(t, 120, 38, caseOf(2))
	v.Run(keys.Difference)
	_, late := v.Work()
	v.Run(keys.DiffColumns)
	_, cmd := v.Work()
	for _, msg := range append(run(cmd), run(late)...) {
		deliver(v, msg)
	}
	v.shows(" −  1 alpha    +  2 beta", "Dear customer,")
}

// TestSamplesOfOneModelAreCompared: two samples of one model are two finished texts.
func TestSamplesOfOneModelAreCompared(t *testing.T) {
	of := revisedCase(2)
	for i := range 2 {
		of = withAnswer(of, i, func(a *history.Answer) { a.Model, a.Sample = "alpha", i+1 })
	}
	of.Turns[0].Samples = 2
	v := show(t, 120, 38, of)
	v.press("d")
	v.shows("━ Difference   66 % same wording", " −  1 alpha #1", "│  +  1 alpha #2", "Hi Sam,", "│ Hi Alex,")
	v.press("y")
	if got := wished[action.Copy](v); len(got) != 1 || !strings.HasSuffix(got[0].What, "alpha #1 and alpha #2") {
		t.Errorf("y copies %+v", got)
	}
	v.press("esc", ">", "d")
	v.shows(" −  1 alpha #1", "│  +  1 alpha #2")
}

// TestAlikeSamplesHaveNoDifference says what is so of the samples of one model with one text.
func TestAlikeSamplesHaveNoDifference(t *testing.T) {
	of := caseOf(1)
	again := of.Turns[0].Answers[0]
	again.ID, again.Sample = 9, 2
	of.Turns[0].Answers = append(slices.Clone(of.Turns[0].Answers[:1]), again)
	v := show(t, 120, 38, of)
	v.press("d")
	if got := noticesOf(v); got != "Both answers are the same text." {
		t.Errorf("d says %q", got)
	}
}

// TestMarksComeBackAtTheSameChange after the texts were read without them.
func TestMarksComeBackAtTheSameChange(t *testing.T) {
	v := show(t, 60, 12, revisedCase(2))
	v.press("d", "n", "n")
	v.shows("change 3 of 3")
	v.press("w")
	v.shows("without marks", "Hi Sam,")
	v.press("w")
	v.shows("change 3 of 3")
}

// TestNoNextChangeWithoutMarks: whole texts that are both on the screen have none.
func TestNoNextChangeWithoutMarks(t *testing.T) {
	v := show(t, 60, 40, revisedCase(2))
	v.press("d", "w")
	for _, h := range v.Hints() {
		if h.Text == "next change" {
			t.Error("the next change is offered without marks")
		}
	}
}

// TestAShortTextLeavesItsLinesToTheOther, and stays on the screen when that is scrolled.
func TestAShortTextLeavesItsLinesToTheOther(t *testing.T) {
	for _, short := range []int{0, 1} {
		of := caseOf(2)
		of.Turns[0].Answers[short].Text = "so short"
		of.Turns[0].Answers[1-short].Text = strings.Repeat("a line\n\n", 9) + "the end"
		v := show(t, 60, 18, of)
		v.press("d", "w")
		v.shows("so short", "1–13 of 19")
		v.press("G")
		v.shows("so short", "the end", "7–19 of 19")
	}
}
