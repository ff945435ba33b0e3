package markdown

import "strings"

// line is one line of the text as the splitter sees it.
type line struct {
	start, end int    // bytes, end after the line feed
	indent     int    // columns of leading blanks, tabs to multiples of four
	rest       string // from the first character that is not blank, without the line's end
}

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

// blank reports whether the line holds nothing to see.
func (l line) blank() bool { return l.rest == "" }

// heading reports whether the line is an ATX heading.
func (l line) heading() bool {
	n := 0
	for n < len(l.rest) && l.rest[n] == '#' {
		n++
	}
	return l.indent < 4 && n >= 1 && n <= 6 && (n == len(l.rest) || l.rest[n] == ' ' || l.rest[n] == '\t')
}

// rule reports whether the line is a thematic break.
func (l line) rule() bool {
	if l.indent > 3 || l.rest == "" {
		return false
	}
	c, n := l.rest[0], 0
	if c != '-' && c != '*' && c != '_' {
		return false
	}
	for i := range len(l.rest) {
		switch l.rest[i] {
		case c:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// quote reports whether the line starts or continues a quote.
func (l line) quote() bool { return l.indent < 4 && strings.HasPrefix(l.rest, ">") }

// fence returns the run of backquotes or tildes that opens a code block, and
// what follows it, the language first.
func (l line) fence() (run, info string) {
	if l.indent > 3 || l.rest == "" || l.rest[0] != '`' && l.rest[0] != '~' {
		return "", ""
	}
	n := 0
	for n < len(l.rest) && l.rest[n] == l.rest[0] {
		n++
	}
	info = strings.TrimSpace(l.rest[n:])
	if n < 3 || l.rest[0] == '`' && strings.Contains(info, "`") {
		return "", ""
	}
	return l.rest[:n], info
}

// closes reports whether the line ends the code block that run opened.
func (l line) closes(run string) bool {
	r, info := l.fence()
	return r != "" && info == "" && r[0] == run[0] && len(r) >= len(run)
}

// item returns the mark of a list item: its kind ('-', '+', '*', '.' or ')'), its
// number, and the column its text starts in. Kind 0 means no item.
func (l line) item() (kind byte, number, column int) {
	if l.rest == "" {
		return 0, 0, 0
	}
	n := 0
	switch c := l.rest[0]; {
	case c == '-' || c == '+' || c == '*':
		kind, n = c, 1
	case c >= '0' && c <= '9':
		for n < len(l.rest) && n < 9 && l.rest[n] >= '0' && l.rest[n] <= '9' {
			number = number*10 + int(l.rest[n]-'0')
			n++
		}
		if n == len(l.rest) || l.rest[n] != '.' && l.rest[n] != ')' {
			return 0, 0, 0
		}
		kind = l.rest[n]
		n++
	default:
		return 0, 0, 0
	}
	blanks := 0
	for n+blanks < len(l.rest) && (l.rest[n+blanks] == ' ' || l.rest[n+blanks] == '\t') {
		blanks++
	}
	if blanks == 0 && n < len(l.rest) {
		return 0, 0, 0
	}
	if blanks == 0 || blanks > 4 || l.rest[n] == '\t' {
		blanks = 1
	}
	return kind, number, l.indent + n + blanks
}

// interrupts reports whether the line ends a paragraph without an empty line
// between.
func (l line) interrupts() bool {
	if l.indent > 3 {
		return false
	}
	if l.heading() || l.rule() || l.quote() {
		return true
	}
	if run, _ := l.fence(); run != "" {
		return true
	}
	kind, number, _ := l.item()
	if kind == 0 || (kind == '.' || kind == ')') && number != 1 {
		return false
	}
	return strings.TrimLeft(l.rest, "0123456789.)-+* \t") != "" || strings.ContainsAny(l.rest, " \t")
}

// tableRule reports whether the line is the one under the head of a table.
func (l line) tableRule() bool {
	if l.indent > 3 || !strings.Contains(l.rest, "-") || !strings.ContainsAny(l.rest, "|:") {
		return false
	}
	return strings.Trim(l.rest, "|:- \t") == ""
}

// definition returns the label of a link reference definition that fits on the
// line.
func (l line) definition() (label string, ok bool) {
	if l.indent > 3 || !strings.HasPrefix(l.rest, "[") || strings.HasPrefix(l.rest, "[^") {
		return "", false
	}
	end := strings.IndexByte(l.rest, ']')
	if end < 2 || end > 200 || !strings.HasPrefix(l.rest[end:], "]:") {
		return "", false
	}
	if strings.TrimSpace(l.rest[end+2:]) == "" || strings.Contains(l.rest[1:end], "[") {
		return "", false
	}
	return foldLabel(l.rest[1:end]), true
}

// foldLabel makes labels that mean the same equal.
func foldLabel(s string) string {
	if strings.ContainsAny(s, " \t\n") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return strings.ToLower(s)
}
