package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"confab/internal/termtext"
)

// maxFormula is the longest formula in bytes, which bounds the search for its end.
const maxFormula = 2 << 10

var kindFormula = ast.NewNodeKind("Formula")

// formula is a formula of TeX within a text.
type formula struct {
	ast.BaseInline
	source string // as it is written, with its delimiters
	body   string // between them
}

// Kind returns the kind of the node.
func (*formula) Kind() ast.NodeKind { return kindFormula }

// Dump prints the node.
func (f *formula) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

// formulaBlockParser finds what begins with a formula and has no other text in its first line: its lines are those of
// one text, though they may look like items of lists.
type formulaBlockParser struct{}

// Trigger returns the bytes with which formulas begin.
func (formulaBlockParser) Trigger() []byte { return formulaParser{}.Trigger() }

// Open begins a text.
func (formulaBlockParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	first := strings.TrimSpace(string(line))
	open, end := formulaDelimiters(first)
	if i := strings.Index(first[len(open):], end); len(end) < 2 || open == `\(` || i >= 0 && i+4 < len(first) {
		return nil, parser.NoChildren
	}
	n := ast.NewTextBlock()
	n.Lines().Append(segment.TrimLeftSpace(reader.Source()))
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

// Continue ends the text after the end of the formula, at an empty line, or where it is too long.
func (formulaBlockParser) Continue(n ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, segment := reader.PeekLine()
	lines := string(n.Lines().Value(reader.Source()))
	_, end := formulaDelimiters(lines)
	if len(bytes.TrimSpace(line)) == 0 || len(lines) > maxFormula || strings.Contains(lines[2:], end) {
		return parser.Close
	}
	n.Lines().Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// Close drops the blanks at the end.
func (formulaBlockParser) Close(n ast.Node, reader text.Reader, _ parser.Context) {
	last := n.Lines().Len() - 1
	segment := n.Lines().At(last)
	n.Lines().Set(last, segment.TrimRightSpace(reader.Source()))
}

// CanInterruptParagraph tells that a formula after a line of a paragraph is part of that.
func (formulaBlockParser) CanInterruptParagraph() bool { return false }

// CanAcceptIndentedLine tells that an indented line is code.
func (formulaBlockParser) CanAcceptIndentedLine() bool { return false }

// formulaEnds are the delimiters of formulas, longer ones before those they begin with.
var formulaEnds = []struct{ open, end string }{{`\(`, `\)`}, {`\[`, `\]`}, {"$$", "$$"}, {"$", "$"}}

// formulaParser finds formulas within a text. One may stand on several lines, except between single dollars.
type formulaParser struct{}

// Trigger returns the bytes with which formulas begin.
func (formulaParser) Trigger() []byte { return []byte{'\\', '$'} }

// Parse returns the formula that begins here, nil for none.
func (formulaParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	first, _ := block.PeekLine()
	open, end := formulaDelimiters(string(first[:min(len(first), 2)]))
	if open == "" {
		return nil
	}
	row, position := block.Position()
	block.Advance(len(open))
	var body strings.Builder
	for body.Len() < maxFormula {
		line, _ := block.PeekLine()
		if line == nil {
			break
		}
		if i := strings.Index(string(line), end); i >= 0 {
			body.Write(line[:i])
			if s := body.String(); isFormula(open, s, string(line[i+len(end):])) {
				block.Advance(i + len(end))
				return &formula{source: open + s + end, body: s}
			}
			break
		}
		if open == "$" {
			break
		}
		body.Write(line)
		block.AdvanceLine()
	}
	block.SetPosition(row, position)
	return nil
}

// formulaDelimiters returns the delimiter with which a text begins, and the one that ends it; empty for none.
func formulaDelimiters(s string) (open, end string) {
	for _, d := range formulaEnds {
		if strings.HasPrefix(s, d.open) {
			return d.open, d.end
		}
	}
	return "", ""
}

// isFormula reports whether what stands between delimiters is a formula, and no price, variable of a shell or bracket
// with a backslash before it.
func isFormula(open, body, after string) bool {
	trimmed := strings.TrimSpace(body)
	switch {
	case trimmed == "" || len(body) > maxFormula:
		return false
	case open == `\[`:
		return strings.ContainsAny(body, "\\^_=+-*/<>")
	case open == "$":
		isWord := after != "" && (after[0] >= '0' && after[0] <= '9' || after[0]|0x20 >= 'a' && after[0]|0x20 <= 'z')
		isLetter := len(body) == 1 && body[0]|0x20 >= 'a' && body[0]|0x20 <= 'z'
		return trimmed == body && !isWord && (isLetter || strings.ContainsAny(body, "\\^_=")) && !isVariable(body)
	}
	return true
}

// isVariable reports whether a text that follows a dollar begins with the name of a variable of a shell.
func isVariable(s string) bool {
	return len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && (s[1] >= 'A' && s[1] <= 'Z' || s[1] == '_' && len(s) > 2)
}

// copyFormula copies a formula as text, or as code as it is written where it has what is not known.
func (c *inlineBuilder) copyFormula(parent ast.Node, f *formula) {
	drawn, ok := texText(f.body)
	if !ok {
		span := ast.NewCodeSpan()
		parent.AppendChild(parent, span)
		c.addText(span, f.source)
		return
	}
	for i, line := range strings.Split(drawn, "\n") {
		if i > 0 {
			c.add(parent, run{text: "\n"})
		}
		c.addText(parent, line)
	}
}

// formula draws a formula that stands alone, as code where it has what is not known.
func (l *layout) formula(f *formula, width int) []string {
	drawn, ok := texText(f.body)
	if !ok {
		lines, _ := l.codeLines("tex", f.source, width)
		return lines
	}
	lines := termtext.Wrap(termtext.Clean(drawn), width-2)
	for i, line := range lines {
		lines[i] = "  " + l.styles.Text.Render(line)
	}
	return lines
}
