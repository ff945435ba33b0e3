package diffview

import (
	"strings"

	"confab/internal/termtext"
	"confab/service/diff"
	"confab/themes"
)

// gutter is how many cells stand before a text: for the sign of the hunk that
// is being looked at, or for the line between two columns.
const gutter = 2

// least is the narrowest text, the room of one wide character.
const least = 2

// View is a drawn difference.
type View struct {
	Lines []string // of exactly the cells asked for, styled
	Hunks []int    // the line on which each hunk starts, in order

	sign string
}

// Line returns a line with a sign before it where the hunk that is looked at
// starts. It returns nothing for a line that is not there.
func (v View) Line(i, hunk int) string {
	if i < 0 || i >= len(v.Lines) {
		return ""
	}
	if hunk >= 0 && hunk < len(v.Hunks) && v.Hunks[hunk] == i && strings.HasPrefix(v.Lines[i], " ") {
		return v.sign + v.Lines[i][1:]
	}
	return v.Lines[i]
}

// HunkAt returns the number of the last hunk that starts on or above a line,
// -1 when none does: where n and N go on from after scrolling.
func (v View) HunkAt(line int) int {
	at := -1
	for i, l := range v.Hunks {
		if l > line {
			break
		}
		at = i
	}
	return at
}

// Inline draws a difference in one column of w cells.
func Inline(d diff.Result, w int, styles *themes.Styles) View {
	p := newPainter(d, styles)
	p.view(func() {
		one := &column{w: max(w-gutter, least)}
		p.walk(one, one)
		p.endLine(one)
	})
	return p.finish(w)
}

// Columns draws a difference in two columns of the given cells: the first text
// on the left, the second on the right, and what is in both at the same height.
func Columns(d diff.Result, left, right int, styles *themes.Styles) View {
	p := newPainter(d, styles)
	p.view(func() {
		l, r := &column{w: max(left-gutter, least)}, &column{w: max(right-gutter, least)}
		p.walk(l, r)
		p.endLine(l, r)
	})
	return p.finish(left, right)
}

// painter draws one difference.
type painter struct {
	d     diff.Result
	inks  [3]themes.Style // by operation
	rule  string          // between two columns
	v     View
	hunks map[int]int // the number of the hunk that starts with a part
}

func newPainter(d diff.Result, s *themes.Styles) *painter {
	p := &painter{d: d, hunks: make(map[int]int, len(d.Hunks))}
	p.inks[diff.Same] = s.Text
	p.inks[diff.Removed] = s.Danger
	p.inks[diff.Added] = s.Success
	p.rule = s.Faint.On("│") + " "
	p.v.sign = s.Marked.On(">")
	for i, h := range d.Hunks {
		p.hunks[h.From] = i
	}
	return p
}

// view draws, and makes sure that every hunk has a line.
func (p *painter) view(draw func()) {
	p.v.Hunks = make([]int, len(p.d.Hunks))
	for i := range p.v.Hunks {
		p.v.Hunks[i] = -1
	}
	draw()
	for i := range p.v.Hunks {
		if p.v.Hunks[i] < 0 && i > 0 {
			p.v.Hunks[i] = p.v.Hunks[i-1]
		}
		p.v.Hunks[i] = max(p.v.Hunks[i], 0)
	}
}

// finish cuts lines that are wider than there is room, as the narrowest text is.
func (p *painter) finish(widths ...int) View {
	total, forced := 0, false
	for _, w := range widths {
		total += w
		forced = forced || w < gutter+least
	}
	if forced {
		for i, l := range p.v.Lines {
			p.v.Lines[i] = termtext.Fit(l, total)
		}
	}
	return p.v
}

// walk writes the parts to the columns; they are one and the same for inline.
func (p *painter) walk(left, right *column) {
	for i, part := range p.d.Parts {
		hunk, starts := p.hunks[i]
		if starts {
			left.start(hunk)
			if right != left {
				right.start(hunk)
			}
		}
		text := termtext.Clean(part.Text)
		switch part.Op {
		case diff.Removed:
			left.changed(text, part.Op)
		case diff.Added:
			right.changed(text, part.Op)
		default:
			p.same(text, left, right)
		}
	}
}

// same writes a text that is in both. Each of its line ends brings two columns
// to the same height, and so does its start where both begin a line with it.
func (p *painter) same(text string, left, right *column) {
	columns := []*column{left, right}
	if right == left {
		columns = columns[:1]
	} else if left.blank() && right.blank() {
		p.flush(columns...)
	}
	for {
		line, rest, more := strings.Cut(text, "\n")
		for _, c := range columns {
			c.write(line, diff.Same, false)
		}
		if !more {
			return
		}
		text = rest
		p.endLine(columns...)
	}
}

// endLine ends the line of each column and draws them.
func (p *painter) endLine(columns ...*column) {
	for _, c := range columns {
		c.end()
	}
	p.flush(columns...)
}

// flush draws the ended lines of the columns beside each other.
func (p *painter) flush(columns ...*column) {
	top, height := len(p.v.Lines), 0
	var drawn [2][]string
	for i, c := range columns {
		var hunks []place
		drawn[i], hunks = c.draw(&p.inks)
		height = max(height, len(drawn[i]))
		for _, h := range hunks {
			if have := p.v.Hunks[h.hunk]; have < 0 || top+h.line < have {
				p.v.Hunks[h.hunk] = top + h.line
			}
		}
	}
	for y := range height {
		var line strings.Builder
		for i, c := range columns {
			if i == 0 {
				line.WriteString("  ")
			} else {
				line.WriteString(p.rule)
			}
			if y < len(drawn[i]) {
				line.WriteString(drawn[i][y])
			} else {
				line.WriteString(strings.Repeat(" ", c.w))
			}
		}
		p.v.Lines = append(p.v.Lines, line.String())
	}
}
