package diffview

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/service/diff"
	"confab/themes"
)

// column gathers lines of text until they are drawn.
type column struct {
	w     int
	above []line // ended
	line  line   // not ended
}

// line is a line before it is broken to the width.
type line struct {
	text  []byte
	shape []byte // the same cells, where marks cannot be torn apart
	runs  []run
	hunks []place
}

// run is a stretch of a line in one style, up to a byte.
type run struct {
	end int
	op  diff.Op
}

// place is where a hunk starts: at a byte of a line, or on a line.
type place struct{ hunk, byte, line int }

// start says that a hunk starts here.
func (c *column) start(hunk int) {
	c.line.hunks = append(c.line.hunks, place{hunk: hunk, byte: len(c.line.text)})
}

// write adds a text of one line. A mark is written so that no break comes
// between it and its text: a hyphen would allow one.
func (c *column) write(s string, op diff.Op, mark bool) {
	if s == "" {
		return
	}
	c.line.text = append(c.line.text, s...)
	if mark {
		s = map[string]string{"[-": "((", "{+": "((", "-]": "))", "+}": "))"}[s]
	}
	c.line.shape = append(c.line.shape, s...)
	c.line.runs = append(c.line.runs, run{len(c.line.text), op})
}

// end ends a line.
func (c *column) end() {
	c.above = append(c.above, c.line)
	c.line = line{}
}

// changed adds a text that is not in the other one. Marks stand close to its
// words, on each of its lines. Where nothing but blanks changed, signs stand
// for them, as nothing could be seen otherwise.
func (c *column) changed(text string, op diff.Op) {
	open, shut := "[-", "-]"
	if op == diff.Added {
		open, shut = "{+", "+}"
	}
	blanks := strings.TrimSpace(text) == ""
	for text != "" {
		s, rest, more := strings.Cut(text, "\n")
		text = rest
		if blanks {
			s = strings.ReplaceAll(s, " ", "·")
			if more {
				s += "↵"
			}
		}
		inner := strings.TrimLeft(s, " ")
		lead := s[:len(s)-len(inner)]
		inner = strings.TrimRight(inner, " ")
		c.write(lead, diff.Same, false)
		if inner != "" {
			c.write(open, op, true)
			c.write(inner, op, false)
			c.write(shut, op, true)
		}
		c.write(s[len(lead)+len(inner):], diff.Same, false)
		if more {
			c.end()
		}
	}
}

// blank tells whether the line that has not ended holds nothing yet.
func (c *column) blank() bool { return len(c.line.text) == 0 }

// draw breaks the lines that ended to the width, and says on which of the drawn
// lines the hunks start. A hunk that starts with nothing on this side, where
// the other side has lines of its own, starts below them.
func (c *column) draw(inks *[3]themes.Style) (lines []string, hunks []place) {
	defer func() {
		if c.blank() {
			for _, h := range c.line.hunks {
				hunks = append(hunks, place{hunk: h.hunk, line: len(lines)})
			}
			c.line.hunks = nil
		}
	}()
	for i := range c.above {
		l := &c.above[i]
		text := string(l.text)
		spans := termtext.Breaks(string(l.shape), c.w)
		for k, span := range spans {
			next := len(text) + 1
			if k+1 < len(spans) {
				next = spans[k+1].Start
			}
			for len(l.hunks) > 0 && l.hunks[0].byte < next {
				hunks = append(hunks, place{hunk: l.hunks[0].hunk, line: len(lines)})
				l.hunks = l.hunks[1:]
			}
			lines = append(lines, l.styled(text, span, inks, c.w))
		}
	}
	c.above = nil
	return lines, hunks
}

// styled returns a stretch of the line in its styles, w cells wide.
func (l *line) styled(text string, span termtext.Span, inks *[3]themes.Style, w int) string {
	var s strings.Builder
	at := span.Start
	for _, r := range l.runs {
		if r.end <= at {
			continue
		}
		end := min(r.end, span.End)
		if at >= end {
			break
		}
		s.WriteString(inks[r.op].On(text[at:end]))
		at = end
	}
	if n := ansi.StringWidth(text[span.Start:span.End]); n < w {
		s.WriteString(strings.Repeat(" ", w-n))
	}
	return s.String()
}
