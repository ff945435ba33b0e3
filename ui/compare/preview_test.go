package compare_test

import (
	"strings"
	"testing"
	"time"

	"confab/history"
	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/compare"
	"confab/ui/conversation"
	"confab/ui/part"
	"confab/ui/turns"
)

// TestAPreviewOfARowHasTheChecks shows below an answer which of its checks passed, and what each requires.
func TestAPreviewOfARowHasTheChecks(t *testing.T) {
	styles := themes.New(themes.Default(true))
	held := turns.New(part.Env{})
	v := &view{t: t, w: 100, h: 20, comparison: compare.NewPreview(env(styles, time.Now), held,
		conversation.New(held, ui.Keys(), styles, time.Now, func(string) time.Duration { return 0 }), nil)}
	v.SetSize(v.w, v.h)
	a := caseOf(1).Turns[0].Answers[0]
	a.Turn = 1
	checks := []history.CheckResult{{Name: `icontains "sorry"`, Verdict: history.CheckFailed},
		{Name: `not-icontains "done"`, Verdict: history.CheckPassed}}
	v.PreviewRow([]history.Turn{{ID: 1, Answers: []history.Answer{a}}}, action.ShowDifference{B: a, NameB: "alpha",
		Row: []action.NamedAnswer{{Answer: a, Name: "alpha", Checks: checks}}})
	v.settle()
	v.shows("1/2 checks ✗", `✗ needs "sorry"`, `✓ forbids "done"`)
	if lines := strings.Split(v.text(), "\n"); !strings.HasPrefix(lines[v.h-1], "╰") {
		t.Errorf("the box does not fill the view:\n%s", v.text())
	}
}

// TestAPreviewOfTwoRuns shows how two texts differ, and side by side what is not two texts.
func TestAPreviewOfTwoRuns(t *testing.T) {
	styles := themes.New(themes.Default(true))
	held := turns.New(part.Env{})
	v := &view{t: t, w: 100, h: 12, comparison: compare.NewPreview(env(styles, time.Now), held,
		conversation.New(held, ui.Keys(), styles, time.Now, func(string) time.Duration { return 0 }), nil)}
	v.SetSize(v.w, v.h)
	texts := caseOf(2).Turns[0].Answers
	preview := func(a, b history.Answer) {
		a.Turn, b.Turn = 1, 2
		v.ShowPair([2]history.Turn{{ID: min(a.ID, 1)}, {ID: 2 * min(b.ID, 1)}},
			action.ShowDifference{A: a, B: b, NameA: "run 1  alpha", NameB: "run 2  alpha"})
		v.settle()
	}
	failed := texts[1]
	failed.State, failed.Text = history.Failed, ""
	failed.Failure = &history.Failure{Code: "timeout", Message: "No answer came within 30 s."}

	preview(texts[0], texts[1])
	v.shows("─ Difference   8 % same wording",
		" −  run 1  alpha", "│  +  run 2  alpha", "Hi Sam,", "│ Dear customer,", "↓ ")
	if n := strings.Count(v.text(), "╮"); n != 1 {
		t.Errorf("%d boxes, want one:\n%s", n, v.text())
	}
	preview(texts[0], failed)
	v.shows("─ run 1  alpha  1.9 s", "Hi Sam,", "─ run 2  alpha  failed timeout", "No answer came within 30 s.")
	v.lacks("diff", "again", "done")
	preview(history.Answer{}, texts[1])
	v.shows("─ run 2  alpha", "Dear customer,")
	v.lacks("run 1", "Hi Sam")
	preview(texts[1], texts[1])
	v.shows("same text")
	preview(history.Answer{}, history.Answer{})
	v.lacks("run", "Dear customer")
}
