package markdown

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"confab/internal/termtext"
)

const (
	maxNesting = 16   // containers within one another
	maxColumn  = 48   // the column after which nothing is a container any more
	maxMarks   = 6000 // characters of a block that may start something inline

	maxDefinition = 2 << 10 // bytes of the definition of a link
)

// newParser returns a parser of blocks. HTML blocks and link reference definitions
// are not parsed, so that they are seen as text: nothing of an answer is hidden.
func newParser() parser.Parser {
	blockParsers := slices.DeleteFunc(parser.DefaultBlockParsers(), func(v util.PrioritizedValue) bool {
		p, ok := v.Value.(parser.BlockParser)
		return ok && string(p.Trigger()) == "<" // the parser of HTML
	})
	blockParsers = append(blockParsers, util.Prioritized(extension.NewDefinitionListParser(), 101),
		util.Prioritized(extension.NewDefinitionDescriptionParser(), 102))
	return parser.NewParser(
		parser.WithBlockParsers(blockParsers...),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(formulaParser{}, 90),
			util.Prioritized(footnoteParser{}, 95),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		),
		parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

// parse parses the cleaned source of a block.
func (b Block) parse(p parser.Parser, source string) ast.Node {
	pc := linkContext{parser.NewContext(), b.definitions}
	return p.Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
}

// definitions are the lines that define links, by their labels, and the labels of footnotes by their keys. Blocks of a
// text that grows are rendered while more are found.
type definitions struct {
	mu    sync.RWMutex
	lines map[string]string
}

// add keeps a definition unless the label has one.
func (d *definitions) add(label, line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, isKnown := d.lines[label]; !isKnown && len(line) <= maxDefinition {
		if d.lines == nil {
			d.lines = map[string]string{}
		}
		d.lines[label] = line
	}
}

// DependsOnRest reports whether a block may be drawn in another way once the whole text is known: with the definitions
// of links elsewhere in it, or as its only code.
func (b Block) DependsOnRest() bool {
	if b.hasOnlyCode {
		return true
	}
	if b.definitions == nil || !strings.Contains(b.Source, "[") {
		return false
	}
	b.definitions.mu.RLock()
	defer b.definitions.mu.RUnlock()
	return len(b.definitions.lines) > 0
}

// line returns the definition of a label, empty for none. There may be no definitions at all.
func (d *definitions) line(label string) string {
	if d == nil {
		return ""
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.lines[label]
}

// linkContext finds the links that are defined elsewhere in the text.
type linkContext struct {
	parser.Context
	definitions *definitions
}

// Reference returns what a label leads to.
func (c linkContext) Reference(label string) (parser.Reference, bool) {
	known, ok := c.Context.Reference(label)
	if definition := c.definitions.line(label); !ok && definition != "" {
		p := parser.NewParser(
			parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
			parser.WithParagraphTransformers(util.Prioritized(parser.LinkReferenceParagraphTransformer, 100)),
		)
		p.Parse(text.NewReader([]byte(termtext.Clean(definition))), parser.WithContext(c.Context))
		return c.Context.Reference(label)
	}
	return known, ok
}

// limitNesting makes a cleaned block safe to parse: the marks of containers nested too deeply are escaped, and so are
// seen. The time grows with the square of the depth, for the parser as for what draws: 16 KiB of "> - " took half a
// second (goldmark v1.8.7), and 200 bytes of it 20 s in Glamour.
func limitNesting(source string) string {
	if !strings.ContainsAny(source, ">-+*.)") {
		return source
	}
	var b strings.Builder
	for l := range linesFrom(source, 0) {
		text := source[l.start:l.end]
		if at := firstExcessMark(text); at >= 0 {
			text = text[:at] + `\` + text[at:]
		}
		b.WriteString(text)
	}
	return b.String()
}

// containerMark matches the mark of a container at the start of a line, or after the mark before it.
var containerMark = regexp.MustCompile(`^ *(?:(>)|([-+*])(?:[ \n]|$)|[0-9]+([.)])(?:[ \n]|$))`)

// firstExcessMark returns the position in a line of the first mark of a container that is one too many, or -1. Of a
// numbered item it is the dot.
func firstExcessMark(s string) int {
	start := 0
	for depth := 1; ; depth++ {
		m := containerMark.FindStringSubmatchIndex(s[start:])
		if m == nil {
			return -1
		}
		mark := start + max(m[2], m[4], m[6])
		if depth > maxNesting || mark > maxColumn {
			return mark
		}
		start = mark + 1
	}
}

// isCostly reports whether parsing a block would take too long for what it shows.
func isCostly(source string) bool {
	if len(source) > 4*maxBlock {
		return true
	}
	marks := 0
	for _, mark := range []string{"*", "_", "~", "[", "]", "<", "`", "!"} {
		marks += strings.Count(source, mark)
	}
	return marks > maxMarks
}
