package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"confab/internal/termtext"
)

// maxFormula is the longest formula in bytes, which bounds the search for its end.
const maxFormula = 2 << 10

// kindFormula is the kind of [formula].
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

// formulaEnds are the delimiters of formulas, longer ones before those they begin with.
var formulaEnds = []struct{ open, end string }{{`\(`, `\)`}, {`\[`, `\]`}, {"$$", "$$"}, {"$", "$"}}

// formulaParser finds formulas. One may stand on several lines, except between single dollars.
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

// formulaLines draws a formula that stands alone, as code where it has what is not known; nil when it is none.
func (r *Renderer) formulaLines(source string) []string {
	open, end := formulaDelimiters(source)
	body, ok := strings.CutSuffix(source[len(open):], end)
	if !ok || !isFormula(open, body, "") {
		return nil
	}
	drawn, ok := texText(body)
	if !ok {
		lines, _ := r.codeLines("tex", source, r.width)
		return lines
	}
	var lines []string
	for _, line := range termtext.Wrap(termtext.Clean(drawn), r.width-2) {
		lines = append(lines, "  "+r.styles.Text.Render(line))
	}
	return lines
}
