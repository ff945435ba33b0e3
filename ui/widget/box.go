package widget

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/themes"
)

// Box says how a box looks. Its texts are of one line and already cleaned; each may carry its own styles, and is drawn
// in the title's style (Title, Right) or the faint one (Bottom) when it carries none; BottomRight must carry them.
type Box struct {
	Title       string // in the top border, on the left; cut with … when too long
	Right       string // in the top border, on the right; left out when there is no room
	Bottom      string // in the bottom border, on the left; cut with … when too long
	BottomRight string // in the bottom border, on the right; left out when there is no room
	Focused     bool   // heavy lines and the focused styles
	W, H        int    // cells of the whole box, border included
	Pad         int    // blank cells between the border and the text, left and right
	Styles      *themes.Styles
}

// TitleColumn is the column of a box at which its title begins.
const TitleColumn = 3

// DrawBox returns the box around the lines as one string; see [BoxLines].
func DrawBox(b Box, lines []string) string { return strings.Join(BoxLines(b, lines), "\n") }

// BoxLines returns the box around the lines, as exactly H lines of exactly W cells. Lines too many are left out,
// long ones are cut with …. A box too small for a border is drawn without one; without any room there are none.
func BoxLines(b Box, lines []string) []string {
	if b.W < 1 || b.H < 1 {
		return nil
	}
	if b.W < 2 || b.H < 2 {
		return FillLines(lines, b.W, b.H)
	}
	d := boxBorder{"╭", "╮", "╰", "╯", "─", "│", b.Styles.Border}
	title := b.Styles.Title
	if b.Focused {
		d = boxBorder{"┏", "┓", "┗", "┛", "━", "┃", b.Styles.BorderFocused}
		title = b.Styles.TitleFocused
		if b.Title != "" {
			b.Title += b.Styles.Sign("", ", focused")
		}
	}
	pad := ""
	if b.Pad > 0 && 2*b.Pad < b.W-2 { // otherwise it would take all the room
		pad = strings.Repeat(" ", b.Pad)
	}
	out := append(make([]string, 0, b.H), d.edge(b.W, d.topLeft, d.topRight, title.On(b.Title), title.On(b.Right)))
	for _, line := range FillLines(lines, b.W-2-2*len(pad), b.H-2) {
		out = append(out, d.row(pad+closeStyles(line)+pad))
	}
	return append(out, d.edge(b.W, d.bottomLeft, d.bottomRight, b.Styles.Faint.On(b.Bottom), b.BottomRight))
}

// boxBorder is the characters and the style that a border is drawn with.
type boxBorder struct {
	topLeft, topRight, bottomLeft, bottomRight, level, side string
	style                                                   themes.Style
}

// row returns a line between the sides of the border. Its last blanks have the border's color, which does not show and
// spares the terminal a change of style in every line.
func (d boxBorder) row(line string) string {
	text := strings.TrimRight(line, " ")
	blanks := line[len(text):]
	if text == "" {
		return d.style.Prefix + d.side + blanks + d.side + d.style.Suffix
	}
	return d.style.Prefix + d.side + d.style.Suffix + text + d.style.Prefix + blanks + d.side + d.style.Suffix
}

// edge returns the top or bottom border with a text on its left and one on its right: ┏━ left ━━━━ right ━┓.
func (d boxBorder) edge(w int, from, to, left, right string) string {
	room := w - 6 // corners, one line and one blank beside each text
	if room < 1 {
		left, right = "", ""
	}
	leftWidth, rightWidth := termtext.Width(left), termtext.Width(right)
	level := w - 2
	if right != "" && rightWidth+2 <= room-min(leftWidth, room/2) {
		room -= rightWidth + 3
		level -= rightWidth + 3
		to = d.style.Suffix + " " + closeStyles(right) + " " + d.style.Prefix + d.level + to
	}
	if leftWidth > room {
		left = ansi.Truncate(left, max(room, 0), "…")
		leftWidth = termtext.Width(left)
	}
	if leftWidth > 0 {
		level -= leftWidth + 3
		from += d.level + d.style.Suffix + " " + closeStyles(left) + " " + d.style.Prefix
	}
	return d.style.Prefix + from + strings.Repeat(d.level, max(level, 0)) + to + d.style.Suffix
}

// closeStyles ends the styles of a line that leaves them open, which would color the border and all that follows it.
func closeStyles(line string) string {
	last := strings.LastIndexByte(line, 0x1b)
	if last < 0 || strings.HasPrefix(line[last:], "\x1b[m") || strings.HasPrefix(line[last:], "\x1b[0m") {
		return line
	}
	return line + ansi.ResetStyle
}

// FillLines returns the lines as exactly h lines of exactly w cells.
func FillLines(lines []string, w, h int) []string {
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

// IsBorder tells whether a line of plain text begins with a corner or a rule of a box.
func IsBorder(line string) bool { return strings.IndexAny(line, "╭╰┏┗─") == 0 }

// JoinBlocks puts blocks of lines next to each other, which are as high as each other and whose lines are as wide as
// each other.
func JoinBlocks(blocks ...[]string) string {
	if len(blocks) == 0 {
		return ""
	}
	rows := make([]string, len(blocks[0]))
	for i := range rows {
		for _, b := range blocks {
			rows[i] += b[i]
		}
	}
	return strings.Join(rows, "\n")
}

// ScrollPosition says how far h lines from the one at top reach into all of them, and nothing when all are seen.
func ScrollPosition(top, h, all int) string {
	switch {
	case all <= h:
		return ""
	case top+h < all:
		return Range(top, h, all) + " ↓"
	}
	return Range(top, h, all)
}

// Range says which n items from the one at first are meant, of all: "2–4 of 9", or "2 of 9" for one.
func Range(first, n, all int) string {
	end := min(first+n, all)
	if end == first+1 {
		return fmt.Sprintf("%d of %d", end, all)
	}
	return fmt.Sprintf("%d–%d of %d", first+1, end, all)
}

// WindowStart returns the first of the items in a window of a size that is moved as little as shows one of them.
func WindowStart(start, item, size, items int) int {
	start = max(min(start, item), item-size+1)
	return max(min(start, items-size), 0)
}
