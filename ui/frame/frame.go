package frame

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
)

// Box says how a box looks. Its texts are of one line and already cleaned;
// each may carry its own styles, and is drawn in the title's style (Title,
// Right) or the faint one (Bottom) when it carries none.
type Box struct {
	Title   string // in the top border, on the left; cut with … when too long
	Right   string // in the top border, on the right; left out when there is no room
	Bottom  string // in the bottom border, on the left; cut with … when too long
	Focused bool   // heavy lines and the focused styles
	W, H    int    // cells of the whole box, border included
	Pad     int    // blank cells between the border and the text, left and right
	Styles  *themes.Styles
}

// Inner returns the cells that are left for text.
func (b Box) Inner() (w, h int) { return max(b.W-2-2*b.pad(), 0), max(b.H-2, 0) }

// pad is Pad, or nothing where it would take all the room.
func (b Box) pad() int {
	if b.Pad < 0 || 2*b.Pad >= b.W-2 {
		return 0
	}
	return b.Pad
}

// Draw returns the box around the lines as one string; see [Lines].
func Draw(b Box, lines []string) string { return strings.Join(Lines(b, lines), "\n") }

// Lines returns the box around the lines, as exactly H lines of exactly W
// cells. Lines too many are left out, long ones are cut with …. A box too
// small for a border is drawn without one; without any room there are none.
func Lines(b Box, lines []string) []string {
	if b.W < 1 || b.H < 1 {
		return nil
	}
	out := make([]string, 0, b.H)
	if b.W < 2 || b.H < 2 {
		for i := range b.H {
			out = append(out, termtext.Fit(at(lines, i), b.W))
		}
		return out
	}
	p := newPen(b)
	out = append(out, p.edge(p.r.topLeft, p.r.topRight, p.title.On(b.Title), p.title.On(b.Right)))
	side, pad := p.border.Prefix+p.r.side+p.border.Suffix, strings.Repeat(" ", b.pad())
	left, right := side+pad, pad+side
	w, h := b.Inner()
	blank := left + strings.Repeat(" ", w) + right
	for i := range h {
		line := at(lines, i)
		if line == "" {
			out = append(out, blank)
			continue
		}
		out = append(out, left+closed(termtext.Fit(line, w))+right)
	}
	return append(out, p.edge(p.r.bottomLeft, p.r.bottomRight, p.faint.On(b.Bottom), ""))
}

// Beside puts blocks of lines next to each other, which are as high as each
// other and whose lines are as wide as each other.
func Beside(blocks ...[]string) string {
	if len(blocks) == 0 {
		return ""
	}
	var s strings.Builder
	for i := range blocks[0] {
		if i > 0 {
			s.WriteByte('\n')
		}
		for _, b := range blocks {
			s.WriteString(at(b, i))
		}
	}
	return s.String()
}

// ScrollPosition says how far h lines from the one at top reach into all of them, and nothing when all are seen.
func ScrollPosition(top, h, all int) string {
	if all <= h {
		return ""
	}
	return fmt.Sprintf("↓ %d %%", min((top+h)*100/all, 100))
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// closed ends the styles of a line that leaves them open, which would colour
// the border and all that follows it.
func closed(line string) string {
	last := strings.LastIndexByte(line, 0x1b)
	if last < 0 || strings.HasPrefix(line[last:], "\x1b[m") || strings.HasPrefix(line[last:], "\x1b[0m") {
		return line
	}
	return line + ansi.ResetStyle
}

// ruler is a set of line drawing characters.
type ruler struct {
	topLeft, topRight, bottomLeft, bottomRight string
	level, side                                string
}

// pen is everything a box is drawn with.
type pen struct {
	w                    int
	r                    ruler
	border, title, faint themes.Style
}

func newPen(b Box) pen {
	p := pen{w: b.W, r: ruler{"╭", "╮", "╰", "╯", "─", "│"}}
	border, title, faint := b.Styles.Border, b.Styles.Title, b.Styles.Faint
	if b.Focused {
		p.r = ruler{"┏", "┓", "┗", "┛", "━", "┃"}
		border, title = b.Styles.BorderFocused, b.Styles.TitleFocused
	}
	p.border, p.title, p.faint = border, title, faint
	return p
}

// edge returns the top or bottom border with a text on its left and one on its
// right: ┏━ left ━━━━ right ━┓.
func (p pen) edge(from, to, left, right string) string {
	room := p.w - 6 // corners, one line and one blank beside each text
	if room < 1 {
		left, right = "", ""
	}
	wide, far := termtext.Width(left), termtext.Width(right)
	if right != "" && far+2 > room-min(wide, room/2) {
		right, far = "", 0
	}
	if right != "" {
		room -= far + 3
	}
	if wide > room {
		left = ansi.Truncate(left, max(room, 0), "…")
		wide = termtext.Width(left)
	}
	var s strings.Builder
	s.Grow(p.w*3 + len(left) + len(right) + 64)
	fill := p.w - 2
	s.WriteString(p.border.Prefix + from)
	if left != "" && wide > 0 {
		s.WriteString(p.r.level + p.border.Suffix + " " + closed(left) + " " + p.border.Prefix)
		fill -= wide + 3
	}
	if right != "" {
		fill -= far + 3
	}
	s.WriteString(strings.Repeat(p.r.level, max(fill, 0)))
	if right != "" {
		s.WriteString(p.border.Suffix + " " + closed(right) + " " + p.border.Prefix + p.r.level)
	}
	s.WriteString(to + p.border.Suffix)
	return s.String()
}

// Fill returns the lines as exactly h lines of exactly w cells.
func Fill(lines []string, w, h int) []string {
	out := make([]string, max(h, 0))
	for i := range out {
		if i < len(lines) {
			out[i] = termtext.Fit(lines[i], w)
		} else {
			out[i] = strings.Repeat(" ", w)
		}
	}
	return out
}

// Rule returns a title on a line without a box, w cells wide, and a faint text at its end: ── title ──── text ──.
func Rule(s *themes.Styles, w int, title, text string) string {
	if text != "" {
		text = s.Faint.Render(" " + text + " ")
	}
	line := max(w-4-termtext.Width(title)-termtext.Width(text), 0)
	return termtext.Fit(s.Border.Render("──")+title+s.Border.Render(strings.Repeat("─", line))+text+
		s.Border.Render("──"), w)
}

// IsBorder tells whether a line of plain text begins with a corner or a rule of a box.
func IsBorder(line string) bool { return strings.IndexAny(line, "╭╰┏┗─") == 0 }
