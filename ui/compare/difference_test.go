package compare_test

import (
	"strings"
	"testing"

	"confab/history"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/keys"
)

func TestADifference(t *testing.T) {
	v := show(t, 120, 38, caseOf(3))
	v.press("P", "l", "d")
	v.shows("━ Difference   8 % same wording   shown whole ━", "1 alpha pinned", "│ 2 beta",
		"w mark changes", "│ Dear customer")
	v.lacks(" −  1 alpha")
	v.press("w")
	v.shows("━ Difference   8 % same wording   change 1 of 3   by words ━", "n next change",
		" −  1 alpha pinned    +  2 beta",
		"Hi Sam Dear customer,")
	v.press("n", "n")
	v.shows("3 of 3")
	v.press("n")
	v.shows("1 of 3")
	v.press("N")
	v.shows("3 of 3")
	v.press("D")
	v.shows("Hi Sam,", "│ Dear customer,")
	v.press("w")
	v.shows("by line", "Hi Sam,")
	v.press("D", "y")
	got := wished[action.Copy](v)
	if len(got) != 1 || !strings.HasPrefix(got[0].Text, "[-Hi Sam,-]\n{+Dear customer,+}\n\n[-I am") {
		t.Fatalf("y copies %+v", got)
	}
	v.press("w", "x")
	v.shows(" −  2 beta    +  1 alpha pinned", "Dear customer Hi Sam,")
	v.press("x", "l") // against the next one
	v.shows(" −  1 alpha pinned    +  3 gamma")
	v.press("P") // the other one is pinned from now on
	v.shows(" −  3 gamma pinned    +  1 alpha")
	v.press("esc")
	v.shows("3 gamma pinned", "┏━ 1 alpha")
}

// TestTheHeadOfADifferenceFits: how many places there are is said on every screen.
func TestTheHeadOfADifferenceFits(t *testing.T) {
	of := caseOf(2)
	for i, name := range []string{"beta-3-235b-a22b-instruct-2507", "alpha-4-scout-17b-16e-instruct"} {
		of.Turns[0].Answers[i].Model = name
	}
	v := show(t, 120, 38, of)
	v.press("P", "l", "d", "w", "n")
	for _, w := range []int{60, 66, 72, 80, 90, 100, 120, 140, 200} {
		v.SetSize(w, 24)
		v.w, v.h = w, 24
		v.settle()
		lines := strings.SplitN(v.text(), "\n", 3)
		head := lines[0] + "\n" + lines[1]
		if !strings.Contains(head, "1 beta-") || !strings.Contains(head, "2 alpha") ||
			!strings.Contains(head, "8 % same wording   change 2 of 3") {
			t.Errorf("in %d cells: %q", w, head)
		}
	}
}

// TestADifferenceFollowsTheScreen: another size or theme draws it anew and does
// not close it.
func TestADifferenceFollowsTheScreen(t *testing.T) {
	v := show(t, 120, 38, caseOf(2))
	v.press("l", "d", "w", "D")
	v.SetStyles(themes.New(themes.Default(false)))
	v.SetSize(50, 20)
	v.w, v.h = 50, 20
	v.settle()
	v.shows(" −  1 alpha", "Dear customer")
	v.SetSize(160, 38)
	v.w, v.h = 160, 38
	v.settle()
	v.shows("│ Dear customer")
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
	v.press("2", "d", "w")
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
	v.press("d")
	v.shows("It is very quite late.", "• one")
	v.lacks("**", "_quite_")
	v.press("u")
	v.shows("**very** _quite_")
}

// TestOnlyTheMarkupDiffers: the source shows how, where what is drawn is the same.
func TestOnlyTheMarkupDiffers(t *testing.T) {
	of := withAnswer(caseOf(2), 0, func(a *history.Answer) { a.Text = "It is **late**." })
	v := show(t, 120, 38, withAnswer(of, 1, func(a *history.Answer) { a.Text = "It is _late_." }))
	v.press("d")
	v.shows("**late** _late_")
	v.lacks("the same text")
}

// TestWithoutAPinTheNextAnswerIsOnTheRight: what stands before another answer is on the left, whatever is focused.
func TestWithoutAPinTheNextAnswerIsOnTheRight(t *testing.T) {
	v := show(t, 120, 38, caseOf(3))
	v.press("1", "d", "w")
	v.shows(" −  1 alpha    +  2 beta")
	v.press("l")
	v.shows(" −  1 alpha    +  3 gamma")
	v.press("h")
	v.shows(" −  1 alpha    +  2 beta")
	v.press("esc", "d", "w")
	v.shows(" −  2 beta    +  3 gamma")
	v.press("esc", "3", "d", "w") // none stands after it
	v.shows(" −  2 beta    +  3 gamma")
	failed := withAnswer(caseOf(3), 1, func(a *history.Answer) { a.State = history.Failed })
	v = show(t, 120, 38, failed)
	v.press("1", "d", "w")
	v.shows(" −  1 alpha    +  3 gamma")
}

func TestTheNextTextIsNotTheOneOnTheLeft(t *testing.T) {
	v := show(t, 120, 38, caseOf(3))
	v.press("2", "P", "1", "d", "w")
	v.shows(" −  2 beta pinned    +  1 alpha")
	v.press("l")
	v.shows(" −  2 beta pinned    +  3 gamma")
}

// TestADifferenceIsScrolledToItsEnd and not beyond; the place that is named is one on the screen.
func TestADifferenceIsScrolledToItsEnd(t *testing.T) {
	v := show(t, 60, 8, caseOf(2))
	v.press("d", "w")
	v.shows("1 of 3")
	for range 9 {
		v.press("pgdown")
	}
	v.shows("3 of 3", "Support")
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
	v.shows("│ Dear customer,")
}
