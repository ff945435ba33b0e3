package browse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
		p.styles.Faint.Render(keepEnd(termtext.Line(p.service.Paths().ShortName(r.Path)), max(p.w-2, 1))),
	}
	var models, names []string
	for _, column := range t.Columns {
		models, names = append(models, cmp.Or(column.Model, column.Name)), append(names, termtext.Line(column.Name))
	}
	styles, widest := p.styles.ModelStyles(models), 0
	for _, column := range t.Columns {
		widest = max(widest, min(ansi.StringWidth(termtext.Line(column.Name)), max(p.w-50, 12)))
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
	of := make([]suite.Stats, len(t.Columns))
	for i := range t.Columns {
		of[i] = stats(-1, i)
	}
	heads, counts := p.counts(of)
	if len(t.Columns) > 0 {
		indent := 6 + widest + ansi.StringWidth(p.share(0, 1, styles[0]))
		lines = append(lines, p.styles.Muted.On(strings.Repeat(" ", indent)+heads))
	}
	for i := range t.Columns {
		name := termtext.Fit(termtext.CutName(names[i], widest, names), widest+2)
		lines = append(lines, styles[i].On("  ● "+name)+
			p.share(of[i].Passed, of[i].Passed+of[i].Failed, styles[i])+counts[i])
	}
	unit := "model" // that answered the row, unless a model did several times
	if slices.ContainsFunc(t.Rows, func(r suite.Row) bool {
		return slices.ContainsFunc(r.Cells, func(cells []history.Cell) bool { return len(cells) > 1 })
	}) {
		unit = "answer"
	}
	failures := func(facts func(row, column int) string) []string {
		return p.failures(results, unit, stats, facts)
	}
	detailed := append(slices.Clone(lines), failures(func(i, j int) string {
		return styles[j].On("      ● "+termtext.Fit(termtext.CutName(names[j], widest, names), widest+2)) +
			p.styles.Text.On(results.CellFacts(i, j, suite.CellState{}))
	})...)
	if len(detailed) <= p.h+1 {
		return Preview{Lines: detailed}, nil
	}
	return Preview{Lines: append(lines, failures(nil)...)}, nil
}

// failures draws the rows with failures, and below each the facts of the cells that failed; facts may be nil for none.
func (p previewer) failures(results *suite.Results, unit string, stats func(row, column int) suite.Stats,
	facts func(row, column int) string) (lines []string) {
	for i, row := range results.Rows {
		of := stats(i, -1)
		if of.Failed+of.Errors == 0 {
			continue
		}
		if lines == nil {
			lines = []string{"", p.styles.Strong.Render("Failed")}
		}
		count := fmt.Sprintf("%d of %s  ", of.Failed+of.Errors, format.Count(of.Cells, unit))
		lines = append(lines, p.styles.Danger.Render("  "+count)+
			p.styles.Text.Render(ansi.Truncate(row, max(p.w-len(count)-2, 1), "…")))
		if facts == nil {
			continue
		}
		for j := range results.Run.Columns {
			if failed := stats(i, j); failed.Failed+failed.Errors > 0 {
				lines = append(lines, ansi.Truncate(facts(i, j), p.w, "…"))
			}
		}
		lines = append(lines, "")
	}
	return lines
}

// counts draws, for each model, how many cells have each status that one of them has, and the median time, below heads;
// on narrow screens these are signs.
func (p previewer) counts(all []suite.Stats) (heads string, lines []string) {
	lines = make([]string, len(all))
	add := func(head, sign string, text func(s suite.Stats) string) {
		if p.w < leastWords {
			head = sign
		}
		texts, width := make([]string, len(all)), 0
		for i, s := range all {
			texts[i] = text(s)
			width = max(width, ansi.StringWidth(texts[i]))
		}
		if width == 0 {
			return
		}
		width = max(width, ansi.StringWidth(head)) + 2
		pad := func(text string) string { return strings.Repeat(" ", width-ansi.StringWidth(text)) + text }
		heads += pad(head)
		for i := range lines {
			lines[i] += p.styles.Text.On(pad(texts[i]))
		}
	}
	addCount := func(head, sign string, n func(s suite.Stats) int) {
		if slices.ContainsFunc(all, func(s suite.Stats) bool { return n(s) > 0 }) {
			add(head, sign, func(s suite.Stats) string { return fmt.Sprint(n(s)) })
		}
	}
	addCount("passed", suite.SignPassed, func(s suite.Stats) int { return s.Passed })
	addCount("failed", suite.SignFailed, func(s suite.Stats) int { return s.Failed })
	addCount("incomplete", suite.SignSkipped, func(s suite.Stats) int { return s.Incomplete + s.Skipped })
	addCount("unchecked", suite.SignUnchecked, func(s suite.Stats) int { return s.Unchecked })
	addCount("errors", suite.SignError, func(s suite.Stats) int { return s.Errors })
	addCount("stopped", "stopped", func(s suite.Stats) int { return s.Stopped })
	addCount("missing", "missing", func(s suite.Stats) int { return s.Missing })
	add("median time", "time", func(s suite.Stats) string {
		if len(s.Times) == 0 {
			return ""
		}
		return format.Seconds(s.Time().Median)
	})
	return heads, lines
}

// leastWords is the width of a preview from which columns have words above them, in cells.
const leastWords = 60

// share draws a part of a whole as a bar where there is space.
func (p previewer) share(n, of int, style themes.Style) string {
	const least, most = 12, 20
	cells := min(p.w-60, most) // beside a name and the counts
	switch {
	case cells < least:
		return ""
	case of == 0:
		return strings.Repeat(" ", cells)
	}
	full := cells * n / of
	return widget.Bar(p.styles, style, full, cells)
}
