package markdown

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	gmtext "github.com/yuin/goldmark/text"

	"confab/internal/termtext"
)

// maxColored is the longest line of code that is colored, in bytes.
const maxColored = 2000

// fence renders a top-level block of code, which needs no parser.
func (r *Renderer) fence(b Block) []string {
	info, text := codeOf(b)
	if b.IsContinuation {
		return r.codeLines(language(termtext.Line(info)), termtext.Clean(text), r.width)
	}
	return r.codeBlock(termtext.Line(info), termtext.Clean(text), r.width)
}

// codeBlock draws code under what its fence says, unless that is only the name
// of a language whose colours tell it.
func (r *Renderer) codeBlock(info, text string, width int) []string {
	lang := language(info)
	lines := r.codeLines(lang, text, width)
	if info == "" || info == lang && hasLexer(lang) {
		return lines
	}
	if len(info) > maxTarget {
		info = termtext.Clean(info[:maxTarget]) + "…"
	}
	said := termtext.Wrap(info, width)
	for i, line := range said {
		said[i] = r.styles.Faint.Render(line)
	}
	return append(said, lines...)
}

// openingLine returns the line that opens a block of code, and where its text
// starts in the block. A piece of a longer one is all text.
func openingLine(b Block) (l line, start int) {
	if b.IsContinuation && b.context != nil {
		return lineAt(b.context.head, 0), 0
	}
	for start < len(b.Source) {
		l = lineAt(b.Source, start)
		start = l.end
		if !l.blank() {
			break
		}
	}
	return l, start
}

// codeOf returns what the fence says and the text of a block of code, or of a
// piece of one.
func codeOf(b Block) (info, text string) {
	l, start := openingLine(b)
	run, info := l.fence()
	return info, trimFence(b.Source[start:], run, l.indent)
}

// trimFence cuts the text at the line that closes the fence, and takes the fence's
// own indentation off each line.
func trimFence(source, run string, indent int) string {
	if indent == 0 && !strings.Contains(source, run) {
		return source
	}
	var b strings.Builder
	for i := 0; i < len(source); {
		l := lineAt(source, i)
		if l.closes(run) {
			break
		}
		text := source[l.start:l.end]
		for n := 0; n < indent && strings.HasPrefix(text, " "); n++ {
			text = text[1:]
		}
		b.WriteString(text)
		i = l.end
	}
	return b.String()
}

// maxLanguage is the longest name of a language, in bytes. Chroma compares a name with the file patterns of all lexers.
const maxLanguage = 40

// language returns the first word of what follows a fence.
func language(info string) string {
	if i := strings.IndexAny(info, " \t,{"); i >= 0 {
		info = info[:i]
	}
	return info
}

// hasLexer reports whether code in a language can be colored.
func hasLexer(lang string) bool {
	return lang != "" && len(lang) <= maxLanguage && lexers.Get(lang) != nil
}

// codeLines draws code, cleaned, with a margin of two cells. A line that is too
// long goes on under ↳, nothing of it is lost.
func (r *Renderer) codeLines(lang, text string, width int) []string {
	text = strings.TrimRight(text, "\n ")
	if text == "" {
		return nil
	}
	margin, more := "  ", r.styles.Faint.Render("↳ ")
	if width-2 < minInner {
		margin, more = "", ""
	}
	room := width - len(margin)
	var lines []string
	for _, line := range r.coloredLines(lang, text) {
		if ansi.StringWidth(line) <= room {
			lines = append(lines, margin+line)
			continue
		}
		for i, part := range strings.Split(termtext.Allow(ansi.Hardwrap(line, room, true)), "\n") {
			if i == 0 {
				lines = append(lines, margin+part)
			} else {
				lines = append(lines, more+part)
			}
		}
	}
	return lines
}

// coloredLines returns the lines of code in colors, or in one when the language is unknown or takes too long.
func (r *Renderer) coloredLines(lang, text string) []string {
	lines := r.code.Lines(r.tokens(lang, text))
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// tokens cuts code into tokens with glamour's highlighting. Code whose text the lexer would change is one token.
func (r *Renderer) tokens(lang, text string) []chroma.Token {
	whole := []chroma.Token{{Type: chroma.Text, Value: text}}
	if !hasLexer(lang) || len(text) > 2*maxCostly || longestLine(text) > maxColored {
		return whole
	}
	source := []byte(lang + "\n" + text)
	code := ast.NewFencedCodeBlock(ast.NewTextSegment(gmtext.NewSegment(0, len(lang))))
	code.Lines().Append(gmtext.NewSegment(len(lang)+1, len(source)))
	out, err := r.leaves.render(code, source)
	if err != nil {
		return whole
	}
	tokens, seen := readTokens(out), strings.Builder{}
	for _, t := range tokens {
		seen.WriteString(t.Value)
	}
	if strings.Trim(seen.String(), "\n") != strings.Trim(text, "\n") {
		return whole
	}
	return tokens
}

func longestLine(s string) int {
	longest := 0
	for line := range strings.SplitSeq(s, "\n") {
		longest = max(longest, len(line))
	}
	return longest
}
