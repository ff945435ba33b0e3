package markdown

import (
	"fmt"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"

	"confab/internal/termtext"
)

// codeBlock draws code between fences under what its fence says.
func (l *layout) codeBlock(n *ast.FencedCodeBlock, width int) []string {
	info := infoOf(n, l.source)
	lines := l.codeLines(language(info), linesOf(n, l.source), width)
	return l.underHeader(info, lines, width)
}

// underHeader puts the header of a block of code above its lines: what it is written in, and the key that copies it. A
// piece of a block that was cut has none.
func (l *layout) underHeader(info string, lines []string, width int) []string {
	if l.parsed.Kind == Fence && l.parsed.IsContinuation {
		return lines
	}
	*l.codes++
	key := ""
	if l.CopyKey != "" && len(lines) > 0 {
		key = fmt.Sprintf("%s %d", l.CopyKey, *l.codes)
	}
	if info == "" && key == "" {
		return lines
	}
	if len(info) > maxTarget {
		info = info[:maxTarget] + "…"
	}
	var header []string
	if info != "" {
		header = termtext.Wrap(termtext.Clean(info), max(width-codeMargin, minInner))
	}
	if free := width - codeMargin - len(key) - 1; len(header) == 0 || ansi.StringWidth(header[len(header)-1]) >= free {
		header = append(header, "")
	}
	for i, text := range header {
		if i == len(header)-1 {
			text = ruled(text, key, width-codeMargin)
		}
		header[i] = l.onSurface("  "+l.styles.Faint.Render(text), width)
	}
	return append(header, lines...)
}

// ruled returns a text of w cells with another one at its end, and a line between the two.
func ruled(left, right string, w int) string {
	if left != "" {
		left += " "
	}
	if right != "" {
		right = " " + right
	}
	return left + strings.Repeat("─", max(w-1-ansi.StringWidth(left)-ansi.StringWidth(right), 0)) + right
}

// onSurface draws a line of code in front of the background of code, as wide as the block.
func (r *Renderer) onSurface(line string, width int) string {
	return r.styles.Surface.Behind(termtext.Fit(line, width))
}

// codeMargin is the cells before a line of code.
const codeMargin = 2

// codeLines draws code, cleaned, with a margin. A line that is too long goes on under ↳, nothing of it is lost.
func (r *Renderer) codeLines(lang, text string, width int) []string {
	text = strings.TrimRight(text, "\n ")
	if text == "" {
		return nil
	}
	margin, more := "  ", r.styles.Faint.Render("↳ ")
	if width-codeMargin < minInner {
		margin, more = "", ""
	}
	tokens, isMore := wrapTokens(r.tokens(lang, text), width-ansi.StringWidth(margin))
	var lines []string
	for i, line := range r.code.Lines(tokens) {
		if isMore[i] {
			line = more + line
		} else {
			line = margin + line
		}
		lines = append(lines, r.onSurface(line, width))
	}
	for len(lines) > 0 && strings.TrimSpace(ansi.Strip(lines[len(lines)-1])) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// wrapTokens breaks the lines of tokens to a width with line feeds. isMore tells of each line whether it continues the
// one before.
func wrapTokens(tokens []chroma.Token, width int) (wrapped []chroma.Token, isMore []bool) {
	var text strings.Builder
	for _, t := range tokens {
		text.WriteString(t.Value)
	}
	at, start := 0, 0 // the current token, and where it begins in the text
	for i, row := range codeRows(text.String(), max(width, 2)) {
		if i > 0 {
			wrapped = append(wrapped, chroma.Token{Type: chroma.Text, Value: "\n"})
		}
		isMore = append(isMore, row.isMore)
		for ; at < len(tokens); at++ {
			end := start + len(tokens[at].Value)
			if from, to := max(start, row.Start), min(end, row.End); from < to {
				piece := chroma.Token{Type: tokens[at].Type, Value: text.String()[from:to]}
				wrapped = append(wrapped, piece)
			}
			if end > row.End {
				break
			}
			start = end
		}
	}
	return wrapped, isMore
}

// codeRow is a stretch of code that is drawn on one line.
type codeRow struct {
	termtext.Span
	isMore bool // continues the line before
}

// codeRows breaks the lines of code at blanks only, and within words that are longer than a line. An indentation that
// leaves no room for the first word is drawn shorter.
func codeRows(text string, width int) (rows []codeRow) {
	at := 0
	for line := range strings.SplitSeq(text, "\n") {
		word := strings.TrimLeft(line, " ")
		indent := len(line) - len(word)
		if end := strings.IndexByte(word, ' '); end >= 0 {
			word = word[:end]
		}
		drop := 0
		if n := ansi.StringWidth(word); n <= width {
			drop = max(indent+n-width, 0)
		}
		shape := strings.ReplaceAll(line[drop:], "-", "_") // Breaks would break at a hyphen
		for i, span := range termtext.Breaks(shape, width) {
			rows = append(rows, codeRow{termtext.Span{Start: at + drop + span.Start, End: at + drop + span.End}, i > 0})
		}
		at += len(line) + 1
	}
	return rows
}
