package browse

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/widget"
)

// run describes what the list does not say of a run: how each model did, and the rows with failures, with each answer
// that failed where all of them fit.
func (p previewer) run(item Item) (Preview, error) {
	t, err := p.service.Runner().Table(p.ctx, item.ID)
	if err != nil {
		return Preview{}, err
	}
	r, results := t.Run, suite.NewResults(t, nil)
	lines := []string{
		p.line(p.styles.Muted, "%s, %d of %d answered", results.Extent(), r.Done, r.Planned),
		p.styles.Faint.Render(keepEnd(termtext.Line(p.service.Paths().ShortName(r.Path)), max(p.w-2, 1))), "",
	}
	var models, names []string
	for _, column := range t.Columns {
		models, names = append(models, cmp.Or(column.Model, column.Name)), append(names, termtext.Line(column.Name))
	}
	styles, widest := p.styles.ModelStyles(models), 0
	for _, column := range t.Columns {
		widest = max(widest, min(ansi.StringWidth(termtext.Line(column.Name)), max(p.w-37, 12)))
	}
	stats := func(row, column int) (s suite.Stats) { // of a row or a column, -1 for all
		for i := range t.Rows {
			for j := range t.Columns {
				if (row < 0 || i == row) && (column < 0 || j == column) {
					s.Add(results.Cells(i, j))
				}
			}
		}
		return s
	}
	for i := range t.Columns {
		name, of := termtext.Fit(termtext.CutName(names[i], widest, names), widest+2), stats(-1, i)
		lines = append(lines, styles[i].On("  ● "+name)+p.share(of.Passed, of.Passed+of.Failed, styles[i])+
			p.line(p.styles.Text, "%s", of)+p.styles.Muted.On(medianText(of)))
	}
	unit := "model" // that answered the row, unless a model did several times
	if slices.ContainsFunc(t.Rows, func(r suite.Row) bool {
		return slices.ContainsFunc(r.Cells, func(cells []history.Cell) bool { return len(cells) > 1 })
	}) {
		unit = "answer"
	}
	hasFailed, detailed := false, slices.Clone(lines)
	for i := range t.Rows {
		of := stats(i, -1)
		if of.Failed+of.Errors == 0 {
			continue
		}
		if !hasFailed {
			title := []string{"", p.styles.Strong.Render("Failed")}
			lines, detailed, hasFailed = append(lines, title...), append(detailed, title...), true
		}
		count := fmt.Sprintf("%d of %s  ", of.Failed+of.Errors, format.Count(of.Cells, unit))
		head := p.styles.Danger.Render("  "+count) +
			p.styles.Text.Render(ansi.Truncate(results.Rows[i], max(p.w-len(count)-2, 1), "…"))
		lines, detailed = append(lines, head), append(detailed, head)
		for j := range t.Columns {
			if failed := stats(i, j); failed.Failed+failed.Errors > 0 {
				facts := styles[j].On("      ● "+termtext.Fit(termtext.CutName(names[j], widest, names), widest+2)) +
					p.styles.Text.On(results.CellFacts(i, j, suite.CellState{}))
				detailed = append(detailed, ansi.Truncate(facts, p.w, "…"))
			}
		}
		detailed = append(detailed, "")
	}
	if len(detailed) <= p.h+1 {
		lines = detailed
	}
	return Preview{Lines: lines}, nil
}

// medianText returns the median time of answers after a gap, "" where none was measured.
func medianText(s suite.Stats) string {
	if len(s.Times) == 0 {
		return ""
	}
	return "   median " + format.Seconds(s.Time().Median)
}

// share draws a part of a whole as a bar with a gap after it, where there is space.
func (p previewer) share(n, of int, style themes.Style) string {
	const least, most = 12, 20
	cells := min(p.w-60, most) // beside a name and the counts
	if of == 0 || cells < least {
		return ""
	}
	full := cells * n / of
	return widget.Bar(p.styles, style, full, cells) + "  "
}
