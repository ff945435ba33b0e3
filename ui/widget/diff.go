package widget

import (
	"slices"
	"strings"

	"confab/internal/termtext"
	"confab/service/diff"
	"confab/themes"
)

const (
	diffGutter   = 2 // cells before a text: for the sign of the current hunk, or the line between two columns
	diffMargin   = 1 // cells after a column of two
	minDiffWidth = 2 // cells of the narrowest text: one wide character
)

// DiffView is a drawn difference.
type DiffView struct {
	Lines []string // of exactly the cells asked for, styled
	Hunks []int    // the line on which each hunk starts, in order

	sign string
}

// Line returns a line, with a sign before it where the current hunk starts. It returns nothing for a line that is not
// there.
func (v DiffView) Line(i, hunk int) string {
	if i < 0 || i >= len(v.Lines) {
		return ""
	}
	if hunk >= 0 && hunk < len(v.Hunks) && v.Hunks[hunk] == i && strings.HasPrefix(v.Lines[i], " ") {
		return v.sign + v.Lines[i][1:]
	}
	return v.Lines[i]
}

// HunkAt returns the number of the last hunk that starts on or above a line, -1 when none does.
func (v DiffView) HunkAt(line int) int {
	below := slices.IndexFunc(v.Hunks, func(start int) bool { return start > line })
	if below < 0 {
		below = len(v.Hunks)
	}
	return below - 1
}

// InlineDiff draws a difference in one column of w cells. What is in both texts has the colors of the first one as it
// is drawn, if that is the same text.
func InlineDiff(d diff.Result, drawn string, w int, styles *themes.Styles) DiffView {
	return drawDiff(d, drawn, styles, w)
}

// DiffColumns draws a difference in two columns of the given cells: the first text on the left, the second on the
// right, and what is in both at the same height, colored as by [InlineDiff].
func DiffColumns(d diff.Result, drawn string, left, right int, styles *themes.Styles) DiffView {
	return drawDiff(d, drawn, styles, left, right)
}

// WholeWidth returns the cells of the texts of [WholeTexts] in a column of w cells.
func WholeWidth(w int) int { return max(w-diffGutter-diffMargin, minDiffWidth) }

// WholeTexts puts the drawn lines of two texts into two columns, or those of any below each other into one.
func WholeTexts(texts [][]string, styles *themes.Styles, widths ...int) (v DiffView) {
	if len(widths) == 1 {
		rule := styles.Faint.On(strings.Repeat("─", max(widths[0]-diffGutter, 0)))
		for i, lines := range texts {
			if i > 0 {
				lines = slices.Insert(slices.Clone(lines), 0, rule)
			}
			for _, line := range lines {
				v.Lines = append(v.Lines, termtext.Fit("  "+line, widths[0]))
			}
		}
		return v
	}
	for y := range max(len(texts[0]), len(texts[1])) {
		line := func(i int) string {
			if y < len(texts[i]) {
				return texts[i][y]
			}
			return ""
		}
		v.Lines = append(v.Lines, termtext.Fit("  "+line(0), widths[0])+styles.Faint.On("│")+" "+
			termtext.Fit(line(1), widths[1]-diffGutter))
	}
	return v
}

type diffPainter struct {
	view    DiffView
	columns []*diffColumn
	styles  [3]themes.Style // by operation
	rule    string          // between two columns
	margin  string          // after each of them
	colors  textColors      // of the first text
}

func drawDiff(d diff.Result, drawn string, s *themes.Styles, widths ...int) DiffView {
	p := diffPainter{styles: [3]themes.Style{diff.Same: s.Text, diff.Removed: s.Removed, diff.Added: s.Added},
		rule: s.Faint.On("│") + " ",
		view: DiffView{sign: s.Marked.On(">"), Hunks: slices.Repeat([]int{-1}, len(d.Hunks))}}
	for _, w := range widths {
		if w -= diffGutter; len(widths) > 1 {
			w -= diffMargin
			p.margin = strings.Repeat(" ", diffMargin)
		}
		p.columns = append(p.columns, &diffColumn{w: max(w, minDiffWidth), isTinted: s.HasTints()})
	}
	p.colors = colorsOf(drawn, d)
	hunk, at := 0, 0 // the byte of the first text
	for i, part := range d.Segments {
		if hunk < len(d.Hunks) && d.Hunks[hunk].From == i {
			for _, c := range p.columns {
				c.line.hunks = append(c.line.hunks, hunkStart{hunk, len(c.line.text)})
			}
			hunk++
		}
		switch text := termtext.Clean(part.Text); part.Op {
		case diff.Removed:
			p.columns[0].writeChange(text, part.Op)
		case diff.Added:
			p.columns[len(p.columns)-1].writeChange(text, part.Op)
		default:
			p.writeSame(text, at)
		}
		if part.Op != diff.Added {
			at += len(part.Text)
		}
	}
	p.endLines()
	line := 0 // of the hunk before, for a hunk without a line
	for i := range p.view.Hunks {
		if p.view.Hunks[i] < 0 {
			p.view.Hunks[i] = line
		}
		line = p.view.Hunks[i]
	}
	if slices.Min(widths) < diffGutter+minDiffWidth+len(p.margin) { // the lines are wider than there is space
		for i, l := range p.view.Lines {
			p.view.Lines[i] = termtext.Fit(l, widths[0]+widths[len(widths)-1]*(len(widths)-1))
		}
	}
	return p.view
}

// writeSame writes a text that is in both, from a byte of the first one on. Each of its line ends brings two columns to
// the same height, and so does its start where both begin a line with it.
func (p *diffPainter) writeSame(text string, at int) {
	if len(p.columns) == 2 && p.columns[0].isBlank() && p.columns[1].isBlank() {
		p.flush()
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			p.endLines()
			at++
		}
		for line != "" {
			color, end := p.colors.at(at)
			piece := line[:min(end-at, len(line))]
			for _, c := range p.columns {
				c.writeColored(piece, color)
			}
			line, at = line[len(piece):], at+len(piece)
		}
	}
}

func (p *diffPainter) endLines() {
	for _, c := range p.columns {
		c.endLine()
	}
	p.flush()
}

// flush draws the ended lines of the columns beside each other.
func (p *diffPainter) flush() {
	top, height := len(p.view.Lines), 0
	drawn := make([][]string, len(p.columns))
	for i, c := range p.columns {
		lines, hunks := c.draw(&p.styles)
		drawn[i], height = lines, max(height, len(lines))
		for hunk, line := range hunks {
			if before := p.view.Hunks[hunk]; before < 0 || top+line < before {
				p.view.Hunks[hunk] = top + line
			}
		}
	}
	for y := range height {
		var line strings.Builder
		line.WriteString("  ")
		for i, c := range p.columns {
			if i > 0 {
				line.WriteString(p.rule)
			}
			if y < len(drawn[i]) {
				line.WriteString(drawn[i][y])
			} else {
				line.WriteString(strings.Repeat(" ", c.w))
			}
			line.WriteString(p.margin)
		}
		p.view.Lines = append(p.view.Lines, line.String())
	}
}
