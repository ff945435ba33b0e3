package compare

import (
	"fmt"
	"image"
	"slices"

	"confab/history"
	"confab/service/suite"
)

// showPreviewedRow shows the answers of a row of a table.
func (v *View) showPreviewedRow(msg pairMsg) {
	content := Case{Name: fmt.Sprint("row of ", msg.shows.Row[0].Answer.ID), Named: map[Asked]string{},
		Checks: map[int64][]history.CheckResult{}}
	for _, x := range msg.shows.Row {
		content.Columns, content.Only = append(content.Columns, x.Name), append(content.Only, x.Answer.ID)
		content.Named[Asked{x.Answer.Turn, x.Answer.Model}] = x.Name
		content.Checks[x.Answer.ID] = x.Checks
	}
	for _, t := range msg.row {
		if !slices.Contains(content.Turns, t.ID) {
			content.Turns = append(content.Turns, t.ID)
		}
	}
	v.mode = nil
	v.turns.Show(v, msg.row)
	v.SetCase(content, msg.shows.B.ID)
}

// previewsRow reports whether the view shows the answers of a row of a table below it.
func (v *View) previewsRow() bool { return v.isPreview && len(v.pair.Row) > 0 }

// withChecks puts the checks of an answer below its text, which has n lines, if all of them fit.
func (v *View) withChecks(x *cell, lines []string, n int) []string {
	s, checks := v.styles, x.checks()
	if len(checks) == 0 || n+1+len(checks) > len(lines) {
		return lines
	}
	lines = slices.Clone(lines)
	for i, r := range checks {
		text := s.Warning.On(suite.SignSkipped+" "+suite.CheckLabel(r)) + s.Muted.On("  "+r.VerdictText())
		switch r.Verdict {
		case history.CheckPassed:
			text = s.Success.On(suite.SignPassed) + s.Text.On(" "+suite.CheckLabel(r))
		case history.CheckFailed:
			text = s.Danger.On(suite.SignFailed + " " + suite.FailureText(r))
		}
		lines[n+1+i] = " " + text
	}
	return lines
}

// arrangePreview makes as many boxes beside each other as fit; on narrow screens the focused answer, if there
// is one, has all the width.
func arrangePreview(in layoutInput, hasFocused bool) viewLayout {
	columns := 1
	if in.w >= minPairWidth && !in.isLinear {
		columns = min(columnsIn(in.w), in.n)
	}
	if columns == 1 && !hasFocused {
		return viewLayout{layout: Columns}
	}
	return viewLayout{layout: Columns, boxes: divide(image.Rect(0, 0, in.w, in.h), columns)}
}
