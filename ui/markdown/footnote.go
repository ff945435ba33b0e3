package markdown

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// kindFootnoteMark is the kind of [footnoteMark].
var kindFootnoteMark = ast.NewNodeKind("FootnoteMark")

// footnoteMark is where a text refers to a footnote.
type footnoteMark struct {
	ast.BaseInline
	label string
}

// Kind returns the kind of the node.
func (*footnoteMark) Kind() ast.NodeKind { return kindFootnoteMark }

// Dump prints the node.
func (m *footnoteMark) Dump(source []byte, level int) { ast.DumpHelper(m, source, level, nil, nil) }

// sign draws a number with small digits, a name between brackets.
func (m *footnoteMark) sign() string { return footnoteSign(m.label) }

func footnoteSign(label string) string {
	if isNumber(label) {
		return script(label, "superscript", '^')
	}
	return "[" + label + "]"
}

// footnoteLabel matches the mark of a footnote.
var footnoteLabel = regexp.MustCompile(`^\[\^([^\[\]\s^]{1,40})\]`)

// isNumber tells whether a label is a number. Other marks look like classes of characters: they are marks only where
// the text has a footnote of that name, and are drawn as they are written elsewhere.
func isNumber(label string) bool { return strings.Trim(label, "0123456789") == "" }

// footnoteKey names a footnote among the definitions of a text. No link has such a label.
func footnoteKey(label string) string { return "[^" + label + "]" }

// footnoteParser finds the marks of footnotes.
type footnoteParser struct{}

// Trigger returns the byte with which marks begin.
func (footnoteParser) Trigger() []byte { return []byte{'['} }

// Parse returns the mark that begins here, nil for none.
func (footnoteParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	m := footnoteLabel.FindSubmatch(line)
	if m == nil {
		return nil
	}
	label := string(m[1])
	links, ok := pc.(linkContext)
	if !isNumber(label) && (!ok || links.definitions.line(footnoteKey(label)) == "") {
		return nil
	}
	block.Advance(len(m[0]))
	return &footnoteMark{label: label}
}

// footnotes renders the texts of footnotes, each after its mark.
func (l *layout) footnotes(source string) []string {
	var lines []string
	for source != "" {
		first := lineAt(source, 0)
		label, end := first.footnote(), first.end
		for end < len(source) && lineAt(source, end).footnote() == "" {
			end = lineAt(source, end).end
		}
		note := strings.TrimSpace(source[:end])
		source = source[end:]
		marker := ""
		if label != "" {
			note = footnoteLine.ReplaceAllString(note, "")
			marker = footnoteSign(label) + " "
		}
		lines = append(lines, l.footnote(marker, note)...)
	}
	return lines
}

// footnote renders the text of one footnote with a hanging indent.
func (l *layout) footnote(marker, note string) []string {
	inner := *l
	inner.source, inner.leaves = []byte(limitNesting(dedent(note))), l.Renderer.quote
	indent := ansi.StringWidth(marker)
	if l.width-indent < minInner {
		marker, indent = "", 0
	}
	doc := l.parsed.parse(l.parser, string(inner.source))
	lines := inner.blocks(doc, l.width-indent, true)
	for i := range lines {
		if i == 0 {
			lines[i] = l.styles.Accent.Render(marker) + lines[i]
		} else {
			lines[i] = strings.Repeat(" ", indent) + lines[i]
		}
	}
	return lines
}

// dedent removes the indentation of the lines of a footnote.
func dedent(s string) string { return strings.ReplaceAll(s, "\n    ", "\n") }
