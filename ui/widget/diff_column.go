package widget

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/service/diff"
	"confab/themes"
)

// diffColumn gathers lines of text until they are drawn.
type diffColumn struct {
	w        int
	isTinted bool // backgrounds say what was removed and added, else marks
	ended    []diffLine
	line     diffLine // not ended
	hunk     int      // of the changes that are written
}

// diffStyles are the styles of texts by operation, and those of the current hunk.
type diffStyles struct{ usual, current [3]themes.Style }

// newDiffStyles returns the styles of a difference. In one column a line goes through what was removed where no
// background tells it.
func newDiffStyles(s *themes.Styles, isOneColumn bool) diffStyles {
	all := diffStyles{
		usual:   [3]themes.Style{diff.Same: s.Text, diff.Removed: s.Removed, diff.Added: s.Added},
		current: [3]themes.Style{diff.Same: s.Text, diff.Removed: s.RemovedCurrent, diff.Added: s.AddedCurrent},
	}
	if isOneColumn && !s.HasTints() && !s.ScreenReader {
		all.usual[diff.Removed] = s.Removed.Struck()
		all.current[diff.Removed] = s.RemovedCurrent.Struck()
	}
	return all
}

// drawnLine is a line of a column, with its changes.
type drawnLine struct {
	text    string
	changes []drawnChange
}

// diffLine is a line before it is broken to the width.
type diffLine struct {
	text   []byte
	shape  []byte // the same cells, where marks cannot be torn apart
	pieces []diffPiece
	hunks  []hunkStart
}

type diffPiece struct {
	end   int
	op    diff.Op
	hunk  int    // of a change
	color string // instead of that of the operation; "" for none
}

type hunkStart struct{ hunk, byte int }

func (c *diffColumn) isBlank() bool { return len(c.line.text) == 0 }

func (c *diffColumn) endLine() {
	c.ended = append(c.ended, c.line)
	c.line = diffLine{}
}

// write adds a text of one line. A mark is written so that no break comes between it and its text: a hyphen would allow
// one.
func (c *diffColumn) write(s string, op diff.Op, isMark bool) {
	if s == "" {
		return
	}
	c.line.text = append(c.line.text, s...)
	if isMark {
		s = map[string]string{"[-": "((", "{+": "((", "-]": "))", "+}": "))"}[s]
	}
	c.line.shape = append(c.line.shape, s...)
	c.line.pieces = append(c.line.pieces, diffPiece{end: len(c.line.text), op: op, hunk: c.hunk})
}

// writeColored adds a text of one line that is in both texts, in a color of its own.
func (c *diffColumn) writeColored(s, color string) {
	if c.write(s, diff.Same, false); s != "" {
		c.line.pieces[len(c.line.pieces)-1].color = color
	}
}

// writeChange adds a text that is not in the other one. Marks or tints are on its words, on each of its lines. Where
// nothing but blanks changed, signs stand for them, as nothing could be seen otherwise.
func (c *diffColumn) writeChange(text string, op diff.Op) {
	open, shut := diffMarks(op)
	isBlank := strings.TrimSpace(text) == ""
	for s := range strings.Lines(text) {
		s, hasEnd := strings.CutSuffix(s, "\n")
		if isBlank {
			s = strings.ReplaceAll(s, " ", "·")
			if hasEnd {
				s += "↵"
			}
		}
		inner := strings.TrimLeft(s, " ")
		c.write(s[:len(s)-len(inner)], diff.Same, false)
		words := strings.TrimRight(inner, " ")
		switch {
		case words == "":
		case c.isTinted:
			c.partFromChange()
			c.write(words, op, false)
		default:
			c.write(open, op, true)
			c.write(words, op, false)
			c.write(shut, op, true)
		}
		c.write(inner[len(words):], diff.Same, false)
		if hasEnd {
			c.endLine()
		}
	}
}

// partFromChange puts a blank between what was removed and what was added in its place.
func (c *diffColumn) partFromChange() {
	if n := len(c.line.pieces); n > 0 && c.line.pieces[n-1].op != diff.Same {
		c.write(" ", diff.Same, false)
	}
}

// draw breaks the lines that ended to the width, and returns on which of the drawn lines hunks start. One that starts
// with nothing on this side, where the other side has lines of its own, starts below them.
func (c *diffColumn) draw(styles *diffStyles) (lines []drawnLine, hunks map[int]int) {
	hunks = map[int]int{}
	for _, l := range c.ended {
		text := string(l.text)
		for _, span := range termtext.Breaks(string(l.shape), c.w) {
			for _, h := range l.hunks {
				if h.byte >= span.Start {
					hunks[h.hunk] = len(lines)
				}
			}
			if piece, ok := l.wholeChange(); ok && c.isTinted {
				lines = append(lines, piece.filled(text[span.Start:span.End], styles, c.w))
				continue
			}
			lines = append(lines, l.styled(text, span, styles, c.w))
		}
	}
	c.ended = nil
	if c.isBlank() {
		for _, h := range c.line.hunks {
			hunks[h.hunk] = len(lines)
		}
		c.line.hunks = nil
	}
	return lines, hunks
}

// wholeChange returns the change that is all of the line but blanks.
func (l *diffLine) wholeChange() (change diffPiece, ok bool) {
	start := 0
	for _, p := range l.pieces {
		text := l.text[start:p.end]
		start = p.end
		switch {
		case p.op == diff.Same && len(bytes.TrimSpace(text)) == 0:
		case p.op == diff.Same || ok && (p.op != change.op || p.hunk != change.hunk):
			return change, false
		default:
			change, ok = p, true
		}
	}
	return change, ok
}

// filled returns a stretch of a line that is all changed in the style of the change up to the end of its w cells.
func (p diffPiece) filled(text string, styles *diffStyles, w int) drawnLine {
	style := styles.usual[p.op]
	return drawnLine{text: style.On(text + strings.Repeat(" ", max(w-ansi.StringWidth(text), 0))),
		changes: []drawnChange{{p.hunk, 0, style.Prefix, styles.current[p.op].Prefix}}}
}

// styled returns a stretch of the line in its styles, w cells wide.
func (l *diffLine) styled(text string, span termtext.Span, styles *diffStyles, w int) (drawn drawnLine) {
	var s strings.Builder
	start := span.Start
	for _, p := range l.pieces {
		if end := min(p.end, span.End); end > start {
			style := styles.usual[p.op]
			if p.op != diff.Same && style.Suffix != "" {
				drawn.changes = append(drawn.changes,
					drawnChange{p.hunk, s.Len(), style.Prefix, styles.current[p.op].Prefix})
			}
			if p.color != "" {
				style = themes.Style{Prefix: p.color, Suffix: ansi.ResetStyle}
			}
			s.WriteString(style.On(text[start:end]))
			start = end
		}
	}
	s.WriteString(strings.Repeat(" ", max(w-ansi.StringWidth(text[span.Start:span.End]), 0)))
	drawn.text = s.String()
	return drawn
}

// DiffText returns a difference as plain text, what was removed in [- -] and what was added in {+ +}. The texts are as
// they came, to be copied and not to be drawn.
func DiffText(d diff.Result) string {
	var out strings.Builder
	for _, part := range d.Segments {
		if part.Op == diff.Same {
			out.WriteString(part.Text)
			continue
		}
		// The marks stand close to the words: the line end that a changed line ends with is behind them.
		inner := strings.TrimRight(part.Text, "\n")
		if inner == "" {
			inner = part.Text
		}
		open, shut := diffMarks(part.Op)
		out.WriteString(open + inner + shut + part.Text[len(inner):])
	}
	return out.String()
}

func diffMarks(op diff.Op) (open, shut string) {
	if op == diff.Removed {
		return "[-", "-]"
	}
	return "{+", "+}"
}
