package markdown

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"

	"confab/internal/termtext"
)

// code draws a block of code below a header: what it is written in, the keys that move lines that are cut, and the key
// that copies it. A piece of a block that was cut has none.
func (l *layout) code(n ast.Node, width int) []string {
	info := infoOf(n, l.source)
	lines, isCut := l.codeLines(language(info), linesOf(n, l.source), width)
	if l.isPlain || l.parsed.Kind == Fence && l.parsed.IsContinuation {
		return lines
	}
	*l.codes++
	key := ""
	switch {
	case l.CopyKey == "" || len(lines) == 0:
	case l.parsed.hasOnlyCode:
		key = l.CopyKey + " copy"
	default:
		key = fmt.Sprintf("%s %d", l.CopyKey, *l.codes)
	}
	if isCut {
		key = strings.TrimSpace(l.SidewaysKeys + " sideways   " + key)
	}
	if info == "" && key == "" {
		return lines
	}
	if len(info) > maxTarget {
		info = info[:maxTarget] + "…"
	}
	var header []string
	if info != "" {
		header = termtext.Wrap(l.styles.Emoji.Clean(info), max(width-codeMargin, minInner))
	}
	free := width - codeMargin - ansi.StringWidth(key) - 1
	if len(header) == 0 || ansi.StringWidth(header[len(header)-1]) >= free {
		header = append(header, "")
	}
	for i, text := range header {
		if i == len(header)-1 {
			text = l.ruled(text, key, width-codeMargin)
		}
		header[i] = l.onSurface("  "+l.styles.Faint.Render(text), width)
	}
	return append(header, lines...)
}

// ruled returns a text of w cells with another one at its end. A line stands between the two where code has no
// background of its own to be told by: it takes 200 bytes whenever it is scrolled into another row, blanks take ten.
func (r *Renderer) ruled(left, right string, w int) string {
	rule := " "
	if r.styles.Surface.Prefix == "" {
		rule = "─"
	}
	if left != "" {
		left += " "
	}
	if right != "" {
		right = " " + right
	}
	return left + strings.Repeat(rule, max(w-1-ansi.StringWidth(left)-ansi.StringWidth(right), 0)) + right
}

// onSurface draws a line of code in front of the background of code, as wide as the block.
func (r *Renderer) onSurface(line string, width int) string {
	return r.styles.Surface.Behind(termtext.Fit(line, width))
}

// codeMargin is the cells before a line of code.
const codeMargin = 2

// codeLines draws code, cleaned, with a margin. A line that is too long goes on under ↳. One that cannot be broken at
// blanks is cut where keys move it; isCut tells that there is one.
func (r *Renderer) codeLines(lang, text string, width int) (lines []string, isCut bool) {
	text = strings.TrimRight(text, "\n ")
	if text == "" {
		return nil, false
	}
	if r.isPlain && r.code != nil {
		return r.code.Lines(codeTokens(lang, text)), false
	} else if r.isPlain {
		return strings.Split(r.styles.Emoji.Clean(text), "\n"), false
	}
	margin, more := "  ", r.styles.Faint.Render("↳ ")
	if width-codeMargin < minInner {
		margin, more = "", ""
	}
	inner := width - ansi.StringWidth(margin)
	plain := strings.Split(text, "\n")
	for i, line := range r.code.Lines(codeTokens(lang, text)) {
		if i >= len(plain) {
			break
		}
		if r.SidewaysKeys != "" && margin != "" && !canWrap(plain[i], inner) {
			lines, isCut = append(lines, r.onSurface(r.cutCode(line, inner), width)), true
			continue
		}
		rows := codeRows(plain[i], inner)
		for j, row := range rows {
			part, before := line, margin
			if len(rows) > 1 || row.Start > 0 {
				at := ansi.StringWidth(plain[i][:row.Start])
				part = ansi.Cut(line, at, at+ansi.StringWidth(plain[i][row.Start:row.End]))
			}
			if j > 0 {
				before = more
			}
			lines = append(lines, r.onSurface(before+part, width))
		}
	}
	return lines, isCut
}

// cutCode draws w cells of a line of code that is longer, after a margin, with signs where more of it is.
func (r *Renderer) cutCode(line string, w int) string {
	left, right := "  ", ""
	from := min(r.Sideways, ansi.StringWidth(line)-w)
	if from > 0 {
		left = r.styles.Accent.On("‹ ")
	}
	if from+w < ansi.StringWidth(line) {
		w--
		right = r.styles.Accent.On("›")
	}
	return left + termtext.Fit(ansi.Cut(line, from, from+w), w) + right
}

// CodeOverflow returns how many cells of the longest line of code in a text do not fit into a width, of the lines that
// cannot be broken at blanks.
func CodeOverflow(text string, width int) int {
	longest := 0
	for _, code := range CodeBlocks(text) {
		for line := range strings.SplitSeq(termtext.Clean(code.Text), "\n") {
			if line = strings.TrimRight(line, " "); !canWrap(line, width-codeMargin) {
				longest = max(longest, ansi.StringWidth(line))
			}
		}
	}
	return max(longest-(width-codeMargin), 0)
}

// canWrap tells whether a line of code can be broken to a width at blanks and between wide characters alone.
func canWrap(line string, width int) bool {
	if len(line) <= width {
		return true
	}
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ' ' || r >= 0x2e80 }) {
		if len(word) > width && ansi.StringWidth(word) > width {
			return false
		}
	}
	return true
}

// codeRows breaks a line of code at blanks only, and within words that are too long. An indentation that leaves no room
// for the first word is drawn shorter.
func codeRows(line string, width int) []termtext.Span {
	word := strings.TrimLeft(line, " ")
	drop, indent := 0, len(line)-len(word)
	word, _, _ = strings.Cut(word, " ")
	if n := ansi.StringWidth(word); n <= width {
		drop = max(indent+n-width, 0)
	}
	rows := termtext.Breaks(strings.ReplaceAll(line[drop:], "-", "_"), width) // Breaks would break at a hyphen
	for i := range rows {
		rows[i].Start += drop
		rows[i].End += drop
	}
	return rows
}
