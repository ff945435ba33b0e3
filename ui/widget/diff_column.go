package widget

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

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

func newDiffStyles(s *themes.Styles) diffStyles {
	return diffStyles{
		usual:   [3]themes.Style{diff.Same: s.Text, diff.Removed: s.Removed, diff.Added: s.Added},
		current: [3]themes.Style{diff.Same: s.Text, diff.Removed: s.RemovedCurrent, diff.Added: s.AddedCurrent},
	}
}

// drawnLine is a line of a column, with its changes.
type drawnLine struct {
	text    string
	ops     [3]bool // of its pieces
	changes []drawnChange
}

// changeSign says what changed in a line, for eyes that do not see its colors.
func changeSign(ops [3]bool) string {
	switch {
	case ops[diff.Removed] && ops[diff.Added]:
		return "±"
	case ops[diff.Removed]:
		return "−"
	case ops[diff.Added]:
		return "+"
	}
	return " "
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
	style string // in which it is drawn, "" for none; of a change without colors, which are those of the operation
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

// writeStyled adds a text of one line, which begins at a byte of a text with styles.
func (c *diffColumn) writeStyled(s string, op diff.Op, styles textStyles, at int) {
	for s != "" {
		style, end := styles.at(at)
		if op != diff.Same {
			style = withoutColors(style)
		}
		piece := s[:min(end-at, len(s))]
		c.write(piece, op, false)
		c.line.pieces[len(c.line.pieces)-1].style = style
		s, at = s[len(piece):], at+len(piece)
	}
}

// writeChange adds a text that is not in the other one, and begins at a byte of its own. Marks or tints are on its
// words, on each of its lines. Where nothing but blanks changed, signs stand for them, as nothing could be seen
// otherwise.
func (c *diffColumn) writeChange(text string, op diff.Op, styles textStyles, at int) {
	open, shut := diffMarks(op)
	isBlank := strings.TrimSpace(text) == ""
	for s := range strings.Lines(text) {
		start := at
		at += len(s)
		s, hasEnd := strings.CutSuffix(s, "\n")
		if isBlank {
			styles = nil
			s = strings.ReplaceAll(s, " ", "·")
			if hasEnd {
				s += "↵"
			}
		}
		inner := strings.TrimLeft(s, " ")
		c.write(s[:len(s)-len(inner)], diff.Same, false)
		words := strings.TrimRight(inner, " ")
		start += len(s) - len(inner)
		switch {
		case words == "":
		case c.isTinted:
			c.partFromChange()
			c.writeStyled(words, op, styles, start)
		default:
			c.write(open, op, true)
			c.writeStyled(words, op, styles, start)
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
		whole, isWhole := l.wholeChange()
		if !isWhole || !c.isTinted {
			whole = diffPiece{}
		}
		hang := hangingIndent(text, c.w)
		for i, span := range l.breaks(hang, c.w) {
			indent := hang
			if i == 0 {
				indent = 0
			}
			for _, h := range l.hunks {
				if h.byte >= span.Start {
					hunks[h.hunk] = len(lines)
				}
			}
			lines = append(lines, l.styled(text, span, indent, whole, styles, c.w))
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

// listMarker matches what an item of a list begins with.
var listMarker = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ *(•|☐|☑|\d{1,3}[.)]) `) })

// hangingIndent returns how many cells the lines of an item of a list after its first are indented by.
func hangingIndent(text string, w int) int {
	indent := ansi.StringWidth(listMarker().FindString(text))
	if indent > w/2 {
		return 0
	}
	return indent
}

// breaks breaks the line to w cells, all but its first line to fewer by an indent.
func (l *diffLine) breaks(indent, w int) []termtext.Span {
	if indent == 0 {
		return termtext.Breaks(string(l.shape), w)
	}
	marker := len(listMarker().FindString(string(l.text)))
	spans := termtext.Breaks(string(l.shape[marker:]), w-indent)
	for i := range spans {
		spans[i].Start, spans[i].End = spans[i].Start+marker, spans[i].End+marker
	}
	spans[0].Start = 0
	return spans
}

// styled returns a stretch of the line in its styles, indented, w cells wide. If the line is a change as a whole, the
// style of that goes from end to end.
func (l *diffLine) styled(text string, span termtext.Span, indent int, whole diffPiece, styles *diffStyles,
	w int) (drawn drawnLine) {
	var s strings.Builder
	put := func(text string, p diffPiece) {
		if p.op == diff.Same && whole.op != diff.Same {
			p = whole
			p.style = ""
		}
		style := styles.usual[p.op]
		switch {
		case text == "":
			return
		case p.op == diff.Same && p.style != "":
			style = themes.Style{Prefix: p.style, Suffix: ansi.ResetStyle}
		case p.op != diff.Same && style.Suffix != "":
			drawn.changes = append(drawn.changes,
				drawnChange{p.hunk, s.Len(), style.Prefix, styles.current[p.op].Prefix})
		}
		if p.op != diff.Same && p.style != "" {
			style.Prefix, style.Suffix = style.Prefix+p.style, ansi.ResetStyle
		}
		drawn.ops[p.op] = true
		s.WriteString(style.On(text))
	}
	blanks := func(n int) {
		if n = max(n, 0); whole.op == diff.Same {
			s.WriteString(strings.Repeat(" ", n))
			return
		}
		put(strings.Repeat(" ", n), diffPiece{})
	}
	blanks(indent)
	start := span.Start
	for _, p := range l.pieces {
		if end := min(p.end, span.End); end > start {
			put(text[start:end], p)
			start = end
		}
	}
	blanks(w - indent - ansi.StringWidth(text[span.Start:span.End]))
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
