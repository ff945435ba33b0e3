package markdown

import (
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"confab/internal/mdsyntax"
	"confab/internal/termtext"
)

const (
	maxNesting = 16   // containers within one another
	maxMarks   = 6000 // characters of a block that may start something inline
	maxCells   = 9000 // of a table, as far as its lines tell

	maxDefinition = 2 << 10 // bytes of the definition of a link
)

// blockParser parses blocks only, in time in proportion to the text. HTML blocks and link
// reference definitions are not parsed, so that they are seen as text: nothing of an answer is hidden.
var blockParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(blockParsers()...))
})

// fullParser parses tables and what is within a line as well.
var fullParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(blockParsers()...),
		parser.WithInlineParsers(append(mdsyntax.InlineParsers(),
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(formulaParser{}, 90),
			util.Prioritized(footnoteParser{}, 95),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		)...),
		parser.WithParagraphTransformers(mdsyntax.ParagraphTransformers()...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
})

func blockParsers() (parsers []util.PrioritizedValue) {
	for _, v := range parser.DefaultBlockParsers() {
		p, _ := v.Value.(parser.BlockParser)
		switch {
		case string(p.Trigger()) == "<": // HTML
			continue
		case p == parser.NewBlockquoteParser(), p == parser.NewListParser():
			p = container{p}
		}
		parsers = append(parsers, util.Prioritized(p, v.Priority))
	}
	return append(parsers, util.Prioritized(container{extension.NewDefinitionListParser()}, 101),
		util.Prioritized(extension.NewDefinitionDescriptionParser(), 102),
		util.Prioritized(formulaBlockParser{}, 800),
		util.Prioritized(footnoteBlockParser{container{extension.NewFootnoteBlockParser()}}, 999))
}

// container parses containers, but none that is nested too deeply: its mark is text. The time grows with the square of
// the depth, for the parser as for what draws: 16 KiB of "> - " took half a second (goldmark v1.8.7), and 200 bytes of
// it 20 s in Glamour.
type container struct{ parser.BlockParser }

// Open begins a container. An indented > within a paragraph is text, as in drawings made of characters.
func (c container) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if last := pc.LastOpenedBlock().Node; c.BlockParser == parser.NewBlockquoteParser() && pc.BlockIndent() > 0 &&
		last != nil && last.Kind() == ast.KindParagraph {
		return nil, parser.NoChildren
	}
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if k := n.Kind(); k != ast.KindList && k != east.KindDefinitionList {
			depth++ // the document counts as well
		}
	}
	if depth > maxNesting {
		return nil, parser.NoChildren
	}
	return c.BlockParser.Open(parent, reader, pc)
}

func parseBlocks(source string) ast.Node { return blockParser().Parse(text.NewReader([]byte(source))) }

// parse parses the cleaned source of a block. Nothing stands within the lines of code.
func (b Block) parse(source string) ast.Node {
	if b.Kind == Fence {
		return parseBlocks(source)
	}
	pc := linkContext{parser.NewContext(), b.definitions}
	return fullParser().Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
}

// definitionLine matches a link reference definition that fits on a line.
var definitionLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[([^\[\]^][^\[\]]{0,198})\]:[ \t]*[^ \t\r\n]`)
})

// definitionLabel returns the label of a link reference definition, as links name it; empty for none.
func definitionLabel(line string) string {
	if line[0] != '[' {
		return ""
	}
	if m := definitionLine().FindStringSubmatch(line); m != nil {
		return util.ToLinkReference([]byte(m[1]))
	}
	return ""
}

// paragraphKind tells a table, by its first two lines, from a paragraph.
func paragraphKind(source string) BlockKind {
	head := lineAt(source, 0)
	rule := strings.TrimSpace(lineAt(source, len(head)))
	if strings.Contains(head, "|") && strings.Contains(rule, "-") && strings.ContainsAny(rule, "|:") &&
		strings.Trim(rule, "|:- \t") == "" {
		return Table
	}
	return Paragraph
}

// definitions are the lines that define links, by their labels, and the labels of footnotes by their keys. Blocks of a
// text that grows are rendered while more are found.
type definitions struct{ lines sync.Map }

// add keeps a definition unless the label has one.
func (d *definitions) add(label, line string) {
	if len(line) <= maxDefinition {
		d.lines.LoadOrStore(label, line)
	}
}

// line returns the definition of a label, empty for none. There may be no definitions at all.
func (d *definitions) line(label string) string {
	if d == nil {
		return ""
	}
	found, _ := d.lines.Load(label)
	line, _ := found.(string)
	return line
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

// isCostly reports whether parsing a block would take too long for what it shows.
func isCostly(source string) bool {
	if len(source) > 4*maxBlock {
		return true
	}
	marks := 0
	for _, mark := range []string{"*", "_", "~", "[", "]", "<", "`", "!"} {
		marks += strings.Count(source, mark)
	}
	return marks > maxMarks || cells(source) > maxCells
}

// cells returns how many cells a table in the source may have: each row has as many as the longest one.
func cells(source string) int {
	columns, rows := 0, 0
	for line := range strings.Lines(source) {
		columns, rows = max(columns, strings.Count(line, "|")), rows+1
	}
	return columns * rows
}

// footnoteBlockParser parses the texts of footnotes as goldmark does, and leaves them where they are.
type footnoteBlockParser struct{ container }

// Close ends a footnote.
func (footnoteBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

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
