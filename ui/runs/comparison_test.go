package runs_test

import (
	"strings"
	"testing"

	"confab/history"
	"confab/service/suite"
	"confab/ui/action"
)

// TestChangedCells looks at what the cells of two runs say, and at what is said
// of the focused one.
func TestChangedCells(t *testing.T) {
	a, b, changes := changed()
	v := opened(200, 58)
	v.SetChanges(a, b, changes)
	for _, tt := range []struct {
		keys  string
		cell  string
		facts []string
	}{
		{"g h h h j j j j", "▌≠ still fails",
			[]string{"other text, 83 % same wording; 1.9 s → 1.5 s", "prompt refund-tone",
				"mail = My parcel is late"}},
		{"l", "▌= still fails", []string{"same text; 1.9 s → 1.5 s"}},
		{"l l", "▌− gone failed", []string{"gone: only run 11 has it, 2 of 3 checks passed"}},
		{"G", "▌+ new failed", []string{"new: only run 12 has it, 2 of 3 checks passed"}},
		{"g h h h j j", "▌≠ now passes 2/3 → 3/3",
			[]string{"now passes: ✓ forbids refund policy; other text, 99 % same wording"}},
		{"g l j j j", "▌≠ inconclusive failed → error", []string{
			"inconclusive; 2 of 3 checks passed → error timeout, No answer came within 30 s."}},
		{"g h h h l", "▌≠ now fails", []string{
			"now fails: ✗ needs sorry, the answer does not contain “sorry”, in any case; " +
				"✗ forbids refund policy",
			"other text, 33 % same wording; other prompt; 1.9 s → 2.2 s"}},
	} {
		press(v, strings.Fields(tt.keys)...)
		got := text(t, v, 200, 58)
		for _, want := range append(tt.facts, tt.cell) {
			if !strings.Contains(flat(got), flat(want)) {
				t.Errorf("%s: there is no %q in\n%s", tt.keys, want, got)
			}
		}
	}
	if got := text(t, v, 200, 58); !strings.Contains(got,
		"verdicts: 2 now fail, 2 now pass (could be chance, p = 1.00), 19 as before, 1 inconclusive   "+
			"11 of 24 texts differ, 4 new, 8 gone, "+
			"4 checks now fail, 2 checks now pass, median time 1.9 s → 2.2 s") {
		t.Errorf("there is no summary:\n%s", got)
	}
}

// TestSameRows lists only what changed.
func TestSameRows(t *testing.T) {
	a, b, all := changed()
	var changes []suite.Change
	for _, c := range all { // the model that is gone changes every row
		if c.B != nil {
			changes = append(changes, c)
		}
	}
	for i := range changes[3:6] {
		c := &changes[3+i]
		c.HasAnswerChanged, c.Checks, c.B.State, c.B.Checks = false, nil, c.A.State, c.A.Checks
	}
	v := opened(80, 22)
	v.SetChanges(a, b, changes)
	press(v, "j", "t")
	got := text(t, v, 80, 22)
	if !strings.Contains(got, "Only the 7 of 9 rows that differ") || strings.Contains(got, "┃  2 ") ||
		!strings.Contains(got, "▌ 7 English") {
		t.Errorf("the row that is the same is listed:\n%s", got)
	}
	press(v, "f", "f")
	if got := text(t, v, 80, 22); !strings.Contains(got, "▌ 3 French") {
		t.Errorf("f does not go to the next that differs:\n%s", got)
	}
}

// TestOtherChecks compares runs of a suite whose checks were edited.
func TestOtherChecks(t *testing.T) {
	s := refunds(1, 1)
	x, y := s.cell(0, 0, 0), s.cell(0, 0, 0)
	answered(&x, 1000e6, "failed")
	answered(&y, 1000e6, "passed")
	y.Checks[0].Name = "icontains late"
	v := opened(80, 22)
	v.SetChanges(ended(1), ended(2), []suite.Change{{A: &x, B: &y, AnswerA: answer(x, "x"), AnswerB: answer(y, "x"),
		Checks: []suite.CheckChange{{Name: "icontains sorry", A: "failed"}, {Name: "icontains late", B: "passed"}}}})
	got := text(t, v, 80, 22)
	for _, want := range []string{"verdicts: 1 now passes (p = 1.00) 0 of 1 text differs, checks edited",
		"▌= now passes",
		" 1 now passes ",
		"check needs sorry: failed → none; check needs late: none → passed"} {
		if !strings.Contains(flat(got), want) {
			t.Errorf("there is no %q:\n%s", want, got)
		}
	}
}

// TestEditedChecksAreNoChange compares runs that differ in nothing but the checks of the suite.
func TestEditedChecksAreNoChange(t *testing.T) {
	s := refunds(1, 1)
	x, y := s.cell(0, 0, 0), s.cell(0, 0, 0)
	answered(&x, 1000e6, "passed")
	answered(&y, 1000e6, "passed")
	v := opened(80, 22)
	v.SetChanges(ended(1), ended(2), []suite.Change{{A: &x, B: &y, AnswerA: answer(x, "x"), AnswerB: answer(y, "x"),
		Checks: []suite.CheckChange{{Name: "icontains sorry", A: "passed"}, {Name: "icontains late", B: "passed"}}}})
	press(v, "t")
	got := text(t, v, 80, 22)
	for _, want := range []string{"verdicts: 1 as before", "0 of 1 text differs, checks edited", "No cell differs"} {
		if !strings.Contains(flat(got), want) {
			t.Errorf("there is no %q:\n%s", want, got)
		}
	}
}

// TestDifference opens the two answers of a cell.
func TestDifference(t *testing.T) {
	a, b, changes := changed()
	v := opened(120, 38)
	v.SetChanges(a, b, changes)
	got, ok := press(v, "g", "h", "j", "j", "j", "j", "enter").(action.ShowDifference)
	if !ok || got.A.Text != "Hi Sam" || got.B.Text != "Dear Sam" || got.NameA != "run 11  alpha3.1-8b" ||
		got.NameB != "run 12  alpha3.1-8b" {
		t.Errorf("got %#v", got)
	}
	for keys, want := range map[string]string{
		"g end enter":           "Run 11 does not have this cell: nothing to compare.",
		"g j l l l enter":       "Run 12 does not have this cell: nothing to compare.",
		"g h h h j j j l enter": "Run 12 has no answer here: error timeout, No answer came within 30 s.",
	} {
		if n, ok := press(v, strings.Fields(keys)...).(action.Notify); !ok || n.Text != want {
			t.Errorf("%s: got %#v", keys, n)
		}
		press(v, "h", "h", "h")
	}
	changes[0].AnswerA.Picture, changes[0].AnswerB.Picture = &history.Picture{}, &history.Picture{SHA256: "x"}
	v.SetChanges(a, b, changes)
	shown := press(v, strings.Fields("g h h j j j j enter")...)
	if got, ok := shown.(action.ShowDifference); !ok || got.B.Picture == nil ||
		!strings.Contains(text(t, v, 120, 38), "other picture") {
		t.Errorf("two pictures are not shown: %#v", got)
	}
	for _, k := range []string{"w", "R"} {
		if u, ok := press(v, k).(action.Unused); !ok || u.Why == "" {
			t.Errorf("%s does not say that these are two runs", k)
		}
	}
}

// TestBack goes from two runs back to the table, at its place.
func TestBack(t *testing.T) {
	a, b, changes := changed()
	v := opened(80, 22)
	v.SetChanges(a, b, changes)
	if v.Back() {
		t.Error("there is nothing to go back to")
	}
	v.SetTable(refunds(40, 4).table(ended(12), endMixed))
	if v.ShowsComparison() {
		t.Error("a table does not take the place of two runs")
	}
	press(v, "f")
	before := text(t, v, 80, 22)
	v.SetChanges(a, b, changes)
	press(v, "j", "j", "t")
	if v.Row() != 1 || !v.ShowsComparison() || !v.Back() || v.Back() {
		t.Error("the way back is wrong")
	}
	if got := text(t, v, 80, 22); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}
}

// TestSamples puts the samples of a cell together.
func TestSamples(t *testing.T) {
	s := refunds(1, 1)
	s.repeat = 3
	var changes []suite.Change
	for k := range 3 {
		x, y := s.cell(0, 0, k), s.cell(0, 0, k)
		answered(&x, 1000e6, "passed")
		answered(&y, 3000e6, "passed")
		c := suite.Change{A: &x, B: &y, AnswerA: answer(x, "x"), AnswerB: answer(y, "x")}
		if k == 1 {
			y.Checks[0].Verdict = "failed"
			c.AnswerB, c.HasAnswerChanged, c.Similarity = answer(y, "y"), true, 0.4
			c.Checks = []suite.CheckChange{{Name: "icontains sorry", A: "passed", B: "failed"}}
		}
		changes = append(changes, c)
	}
	v := opened(80, 22)
	v.SetChanges(ended(1), ended(2), changes)
	got := text(t, v, 80, 22)
	for _, want := range []string{"3/3 → 2/3 passed, 1 other, 2 same",
		"3 samples: 1 of 3 texts differ, 1 check now fails",
		"sample 2: ✗ needs sorry"} {
		if !strings.Contains(flat(got), want) {
			t.Errorf("there is no %q:\n%s", want, got)
		}
	}
	if d, ok := press(v, "enter").(action.ShowDifference); !ok || d.B.Text != "y" || !strings.HasSuffix(d.NameB, "#2") {
		t.Errorf("got %#v", d)
	}
}

// flat is a view with single blanks and no line ends.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }
