package markdown

import (
	"iter"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/util"
)

// line is one line of the text as the splitter sees it.
type line struct {
	start, end int    // bytes, end after the line feed
	indent     int    // columns of leading blanks, tabs to multiples of four
	rest       string // from the first character that is not blank, without the line's end
}

// maxItemDigits is how many digits the number of a list item may have.
const maxItemDigits = 9

// lineAt reads the line that starts at i.
func lineAt(text string, i int) line {
	l := line{start: i, end: len(text)}
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		l.end = i + n + 1
	}
	for i < l.end {
		switch text[i] {
		case ' ':
			l.indent++
		case '\t':
			l.indent += 4 - l.indent%4
		default:
			l.rest = strings.TrimRight(text[i:l.end], "\r\n")
			return l
		}
		i++
	}
	return l
}

// linesFrom returns the lines from the one that starts at i.
func linesFrom(text string, i int) iter.Seq[line] {
	return func(yield func(line) bool) {
		for i < len(text) {
			l := lineAt(text, i)
			if !yield(l) {
				return
			}
			i = l.end
		}
	}
}

// What the lines that begin blocks look like after their indentation.
var (
	headingLine    = regexp.MustCompile(`^#{1,6}(?:[ \t]|$)`)
	ruleLine       = regexp.MustCompile(`^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	fenceLine      = regexp.MustCompile("^(?:(`{3,})([^`]*)|(~{3,})(.*))$")
	footnoteLine   = regexp.MustCompile(`^\[\^([^\[\]\s^]{1,40})\]:[ \t]*`)
	definitionLine = regexp.MustCompile(`^\[([^\[\]]{1,199})\]:[ \t]*[^ \t]`)
)

// matches returns the parts of a line that looks like expression. The first bytes save most lines the search.
func (l line) matches(expression *regexp.Regexp, first string) []string {
	if l.indent > 3 || l.rest == "" || strings.IndexByte(first, l.rest[0]) < 0 {
		return nil
	}
	return expression.FindStringSubmatch(l.rest)
}

// isBlank reports whether the line holds nothing to see.
func (l line) isBlank() bool { return l.rest == "" }

// isHeading reports whether the line is an ATX heading.
func (l line) isHeading() bool { return l.matches(headingLine, "#") != nil }

// isRule reports whether the line is a thematic break.
func (l line) isRule() bool { return l.matches(ruleLine, "-*_") != nil }

// isQuote reports whether the line starts or continues a quote.
func (l line) isQuote() bool { return l.indent < 4 && strings.HasPrefix(l.rest, ">") }

// fence returns the run of backquotes or tildes that opens a code block, and what follows it, the language first.
func (l line) fence() (run, info string) {
	if m := l.matches(fenceLine, "`~"); m != nil {
		return m[1] + m[3], strings.TrimSpace(m[2] + m[4])
	}
	return "", ""
}

// closes reports whether the line ends the code block that run opened.
func (l line) closes(run string) bool {
	r, info := l.fence()
	return r != "" && info == "" && r[0] == run[0] && len(r) >= len(run)
}

// item returns the mark of a list item, which may be indented: its kind ('-', '+', '*', '.' or ')'), its
// number, and the column its text starts in. Kind 0 means no item.
func (l line) item() (kind byte, number, column int) {
	after := strings.TrimLeft(l.rest, "0123456789")
	digits := len(l.rest) - len(after)
	if after == "" || digits > maxItemDigits || digits == 0 && strings.IndexByte("-+*", after[0]) < 0 ||
		digits > 0 && after[0] != '.' && after[0] != ')' {
		return 0, 0, 0
	}
	text := strings.TrimLeft(after[1:], " \t")
	blanks := len(after) - 1 - len(text)
	if blanks == 0 && text != "" {
		return 0, 0, 0
	}
	if blanks == 0 || blanks > 4 || after[1] == '\t' {
		blanks = 1
	}
	number, _ = strconv.Atoi(l.rest[:digits])
	return after[0], number, l.indent + digits + 1 + blanks
}

// interruptsParagraph reports whether the line ends a paragraph without an empty line between.
func (l line) interruptsParagraph() bool {
	if l.indent > 3 {
		return false
	}
	run, _ := l.fence()
	if run != "" || l.isHeading() || l.isRule() || l.isQuote() {
		return true
	}
	kind, number, _ := l.item()
	if kind == 0 || (kind == '.' || kind == ')') && number != 1 {
		return false
	}
	return strings.TrimLeft(l.rest, "0123456789.)-+* \t") != "" || strings.ContainsAny(l.rest, " \t")
}

// isTableRule reports whether the line is the one under the head of a table.
func (l line) isTableRule() bool {
	return l.indent < 4 && strings.Contains(l.rest, "-") && strings.ContainsAny(l.rest, "|:") &&
		strings.Trim(l.rest, "|:- \t") == ""
}

// formulaEnd returns what ends the formula that begins with the line, empty for none. One that ends within the line is
// part of a paragraph.
func (l line) formulaEnd() string {
	if l.indent > 3 || !strings.HasPrefix(l.rest, "$$") && !strings.HasPrefix(l.rest, `\[`) {
		return ""
	}
	_, end := formulaDelimiters(l.rest)
	if i := strings.Index(l.rest[2:], end); i >= 0 && strings.TrimSpace(l.rest[2+i+2:]) != "" {
		return ""
	}
	return end
}

// footnote returns the label of the footnote whose text begins with the line, empty for none.
func (l line) footnote() string {
	if m := l.matches(footnoteLine, "["); m != nil {
		return m[1]
	}
	return ""
}

// definition returns the label of a link reference definition that fits on the line, as links name it; empty for none.
func (l line) definition() string {
	if m := l.matches(definitionLine, "["); m != nil && m[1][0] != '^' {
		return util.ToLinkReference([]byte(m[1]))
	}
	return ""
}
