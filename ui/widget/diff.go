package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/service/diff"
	"confab/themes"
)

const (
	diffGutter   = 2 // cells before a text: for the sign of a line, or the line between two columns
	diffMargin   = 1 // cells after a column of two
	minDiffWidth = 2 // cells of the narrowest text: one wide character
)

// DiffView is a drawn difference.
type DiffView struct {
	Lines []string // of exactly the cells asked for, styled
	Hunks []int    // the line on which each hunk starts, in order

	current themes.Style    // of the signs of the current hunk
	signs   []string        // of lines in one column, " " for none; none where marks are read aloud
	changes [][]drawnChange // of each line, in order
}

// drawnChange is a stretch of a line that is of a hunk: its style starts at a byte and is replaced where the hunk is
// the current one.
type drawnChange struct {
	hunk, byte     int
	style, current string
}

// Line returns a line, with a sign before it that says what changed. Of the current hunk of several it shows the
// changes stronger and the signs in the color of the focus, or a bar where a line has no sign. It returns nothing for a
// line that is not there.
func (v DiffView) Line(i, hunk int) string {
	if i < 0 || i >= len(v.Lines) {
		return ""
	}
	line, sign, isCurrent := v.Lines[i], " ", false
	if i < len(v.changes) && len(v.Hunks) > 1 {
		isCurrent = hunk >= 0 && hunk < len(v.Hunks) && v.Hunks[hunk] == i
		for _, c := range slices.Backward(v.changes[i]) {
			if c.hunk == hunk {
				isCurrent = true
				line = line[:c.byte] + c.current + line[c.byte+len(c.style):]
			}
		}
	}
	if i < len(v.signs) {
		sign = v.signs[i]
	}
	if isCurrent {
		sign = v.current.On(strings.ReplaceAll(sign, " ", "▌"))
	}
	if after, hasGutter := strings.CutPrefix(line, " "); hasGutter {
		return sign + after
	}
	return line
}

// HunkAt returns the number of the last hunk that starts on or above a line, -1 when none does.
func (v DiffView) HunkAt(line int) int {
	below := slices.IndexFunc(v.Hunks, func(start int) bool { return start > line })
	if below < 0 {
		below = len(v.Hunks)
	}
	return below - 1
}

// InlineDiff draws a difference in one column of w cells. The texts have the styles in which they are drawn, where
// those are the same texts: what is in both has the colors of the first one, and changes have what is not a color.
func InlineDiff(d diff.Result, drawn [2]string, w int, styles *themes.Styles) DiffView {
	return drawDiff(d, drawn, styles, w)
}

// DiffColumns draws a difference in two columns of the given cells: the first text on the left, the second on the
// right, and what is in both at the same height, styled as by [InlineDiff].
func DiffColumns(d diff.Result, drawn [2]string, left, right int, styles *themes.Styles) DiffView {
	return drawDiff(d, drawn, styles, left, right)
}

// hole draws a line of w cells opposite lines that the other text has alone: few dots in a pattern. Beside marks it is
// blank, as there dots stand for blanks.
func (p *diffPainter) hole(line, w int) string {
	const apart = 6 // cells
	if !p.columns[0].isTinted {
		return strings.Repeat(" ", w)
	}
	cells := strings.Repeat(" ", line%2*apart/2) + strings.Repeat("·"+strings.Repeat(" ", apart-1), w/apart+1)
	return p.dots.On(ansi.Truncate(cells, w, ""))
}

// WholeWidth returns the cells of the texts of [WholeTexts] in a column of w cells.
func WholeWidth(w int) int { return max(w-diffGutter-diffMargin, minDiffWidth) }

// WholeTexts puts the drawn lines of one text into one column, or those of two into two.
func WholeTexts(texts [][]string, styles *themes.Styles, widths ...int) (v DiffView) {
	if len(widths) == 1 {
		for _, line := range texts[0] {
			v.Lines = append(v.Lines, termtext.Fit("  "+line, widths[0]))
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
	styles  diffStyles
	rule    string        // between two columns
	margin  string        // after each of them
	dots    themes.Style  // of a hole in one of them
	isRead  bool          // aloud
	drawn   [2]textStyles // of the two texts
}

func drawDiff(d diff.Result, drawn [2]string, s *themes.Styles, widths ...int) DiffView {
	p := diffPainter{styles: newDiffStyles(s),
		rule: s.Faint.On("│") + " ", dots: s.Rule, isRead: s.ScreenReader,
		view: DiffView{current: s.Marked, Hunks: slices.Repeat([]int{-1}, len(d.Hunks))}}
	for _, w := range widths {
		if w -= diffGutter; len(widths) > 1 {
			w -= diffMargin
			p.margin = strings.Repeat(" ", diffMargin)
		}
		p.columns = append(p.columns, &diffColumn{w: max(w, minDiffWidth), isTinted: s.HasTints()})
	}
	p.drawn = [2]textStyles{stylesOf(drawn[0], d, diff.Added), stylesOf(drawn[1], d, diff.Removed)}
	hunk, at := 0, [2]int{} // the bytes of the texts
	for i, part := range d.Segments {
		if hunk < len(d.Hunks) && d.Hunks[hunk].From == i {
			for _, c := range p.columns {
				c.line.hunks = append(c.line.hunks, hunkStart{hunk, len(c.line.text)})
				c.hunk = hunk
			}
			hunk++
		}
		switch text := termtext.Clean(part.Text); part.Op {
		case diff.Removed:
			p.columns[0].writeChange(text, part.Op, p.drawn[0], at[0])
			if len(p.columns) == 1 && isWholeLines(d.Segments, i) {
				p.columns[0].endLine()
				if strings.Contains(text, "\n\n") { // as between its own paragraphs
					p.columns[0].endLine()
				}
			}
		case diff.Added:
			p.columns[len(p.columns)-1].writeChange(text, part.Op, p.drawn[1], at[1])
		default:
			p.writeSame(text, at[0])
		}
		if part.Op != diff.Added {
			at[0] += len(part.Text)
		}
		if part.Op != diff.Removed {
			at[1] += len(part.Text)
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
		p.view.changes = nil
		for i, l := range p.view.Lines {
			p.view.Lines[i] = termtext.Fit(l, widths[0]+widths[len(widths)-1]*(len(widths)-1))
		}
	}
	return p.view
}

// isWholeLines reports whether a removed segment and the added one after it replace whole lines, or end as lines do and
// have several of them: the new ones then stand below the old ones.
func isWholeLines(segments []diff.Segment, removed int) bool {
	if removed+1 >= len(segments) || segments[removed+1].Op != diff.Added {
		return false
	}
	old, added := segments[removed].Text, segments[removed+1].Text
	if strings.TrimSpace(old) == "" || strings.TrimSpace(added) == "" || strings.HasPrefix(added, "\n") ||
		strings.HasSuffix(old, "\n") {
		return false
	}
	startsLine := removed == 0 || strings.HasSuffix(segments[removed-1].Text, "\n")
	endsLine := removed+2 == len(segments) || strings.HasPrefix(segments[removed+2].Text, "\n")
	return endsLine && (startsLine || strings.Contains(old, "\n"))
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
		for _, c := range p.columns {
			c.writeStyled(line, diff.Same, p.drawn[0], at)
		}
		at += len(line)
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
	drawn := make([][]drawnLine, len(p.columns))
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
		var changes []drawnChange
		line.WriteString("  ")
		for i, c := range p.columns {
			if i > 0 {
				line.WriteString(p.rule)
			}
			if y < len(drawn[i]) {
				for _, change := range drawn[i][y].changes {
					change.byte += line.Len()
					changes = append(changes, change)
				}
				line.WriteString(drawn[i][y].text)
			} else {
				line.WriteString(p.hole(top+y, c.w))
			}
			line.WriteString(p.margin)
		}
		if len(drawn) == 1 && !p.isRead {
			p.view.signs = append(p.view.signs, changeSign(drawn[0][y].ops))
		}
		p.view.Lines = append(p.view.Lines, line.String())
		p.view.changes = append(p.view.changes, changes)
	}
}
