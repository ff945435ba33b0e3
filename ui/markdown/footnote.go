package markdown

import (
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// footnoteBlockParser parses the texts of footnotes as goldmark does, and leaves them where they are.
type footnoteBlockParser struct{ container }

// Close ends a footnote.
func (footnoteBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

// footnoteLabel matches the mark of a footnote.
var footnoteLabel = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[\^([^\[\]\s^]{1,40})\]`)
})

// footnoteKey names a footnote among the definitions of a text. No link has such a label.
func footnoteKey(label string) string { return "[^" + label + "]" }

// footnoteParser finds the marks of footnotes. Those of goldmark need the text of the footnote in the same block.
type footnoteParser struct{}

// Trigger returns the byte with which marks begin.
func (footnoteParser) Trigger() []byte { return []byte{'['} }

// Parse returns what the mark that begins here is drawn as, nil for none. Marks that are no numbers look like classes
// of characters: they are marks only where the text has a footnote of that name.
func (footnoteParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	m := footnoteLabel().FindSubmatch(line)
	if m == nil {
		return nil
	}
	label := string(m[1])
	links, ok := pc.(linkContext)
	if !isNumber(label) && (!ok || links.definitions.line(footnoteKey(label)) == "") {
		return nil
	}
	block.Advance(len(m[0]))
	return ast.NewString([]byte(footnoteSign(label)))
}

// footnoteSign draws a number with small digits, a name between brackets.
func footnoteSign(label string) string {
	if isNumber(label) {
		return script(label, "superscript", '^')
	}
	return "[" + label + "]"
}

func isNumber(label string) bool { return strings.Trim(label, "0123456789") == "" }
