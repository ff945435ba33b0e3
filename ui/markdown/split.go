package markdown

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

const (
	// maxBlock is the size in bytes over which a block is cut. The cost of a block
	// is bounded by it, as nothing can stop the parser once it runs.
	maxBlock = 16 << 10
	// maxCostly is the same for code and tables, which cost several times as much to render.
	maxCostly = 8 << 10

	blanks = " \t\r\n"
)

// resumption is where a text that has grown is cut again: at the start of a block, or of a later piece of one that is
// too long.
type resumption struct {
	at     int   // byte of the text
	blocks int   // how many stand before it since the resumption before
	codes  int   // blocks of code before it
	like   Block // the piece that begins there; a block begins there unless it is a continuation
}

// splitter cuts a text from a place on.
type splitter struct {
	text        string
	isWhole     bool // nothing follows the text
	blocks      []Block
	codes       []int // where blocks of code begin
	codesBefore int   // the blocks of code before the place from which the text is cut
	shift       int   // from positions of the parser to those in the text
	definitions *definitions
	resumption  resumption // the last place from which blocks may change when the text grows
}

type section struct {
	like  Block
	start int // of its first line
	node  ast.Node
}

// split cuts the text from a place on.
func (s *splitter) split(from resumption) {
	from.blocks = 0
	s.resumption, s.codesBefore = from, from.codes
	sections := s.sections(from)
	for i, sec := range sections {
		start, end := sec.start, len(s.text)
		if i == 0 {
			start = from.at // with the empty lines before it
		}
		if i+1 < len(sections) {
			end = sections[i+1].start
		}
		// A paragraph may still become a heading or a term, with the definitions that it begins with.
		isOpen := i > 0 && sections[i-1].like.Kind == Definitions && sections[i-1].node == sec.node
		if !sec.like.IsContinuation && !isOpen && s.isComplete(sec.start) { // then what is before it is done
			s.resumption = s.resumeAt(start, Block{})
		}
		s.cut(start, end, sec)
	}
	if len(sections) == 0 && from.at < len(s.text) { // nothing but empty lines
		s.add(from.at, len(s.text), Block{})
	}
}

// sections finds the blocks of the text from a place on.
func (s *splitter) sections(from resumption) (found []section) {
	if from.like.IsContinuation && s.text[from.at-1] != '\n' && !strings.Contains(s.text[from.at:], "\n") {
		return []section{{like: from.like, start: from.at}} // still the line that was cut
	}
	opening := s.opening(from)
	source := opening + s.text[from.at:]
	s.shift = from.at - len(opening)
	doc := parseBlocks(source)
	for _, code := range codeNodes(doc) {
		if code.Pos() >= len(opening) {
			s.codes = append(s.codes, code.Pos()+s.shift)
		}
	}
	add := func(kind BlockKind, at int, n ast.Node) {
		sec := section{Block{Kind: kind}, max(lineStart(source, at)+s.shift, from.at), n}
		if last := len(found) - 1; last < 0 && from.like.IsContinuation {
			sec.like = from.like
		} else if last >= 0 && kind == Footnotes && found[last].like.Kind == kind {
			return
		}
		found = append(found, sec)
	}
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *east.DefinitionList:
			for part := n.FirstChild(); part != nil; part = part.NextSibling() {
				before := part.PreviousSibling()
				if part.Kind() == east.KindDefinitionTerm && (before == nil || before.Kind() != part.Kind()) {
					add(Paragraph, part.Lines().At(0).Start, n)
				}
			}
		case *ast.Paragraph:
			at := s.addDefinitions(n, source, len(opening))
			if at > n.Pos() {
				add(Definitions, n.Pos(), n)
			}
			if at < len(source) {
				add(paragraphKind(source[lineStart(source, at):]), at, n)
			}
		case *east.Footnote:
			add(Footnotes, n.Pos(), n)
			if n.Pos() >= len(opening) {
				s.definitions.add(footnoteKey(string(n.Ref)), string(n.Ref))
			}
		default:
			add(kinds[n.Kind()], n.Pos(), n)
		}
	}
	return found
}

// kinds are the kinds of block that are told by their node. Formulas on lines of their own are paragraphs.
var kinds = map[ast.NodeKind]BlockKind{
	ast.KindHeading: Heading, ast.KindThematicBreak: Rule, ast.KindList: List, ast.KindBlockquote: Quote,
	ast.KindFencedCodeBlock: Fence, ast.KindCodeBlock: Fence,
}

// opening returns what makes the parser read a later piece of a block as what it is.
func (s *splitter) opening(from resumption) string {
	if !from.like.IsContinuation || from.like.Kind == List {
		return ""
	}
	opening := "x"
	switch {
	case from.like.Kind == Fence && from.like.head == "":
		opening = "    x"
	case from.like.Kind == Fence:
		opening = from.like.head + "x"
	case from.like.Kind == Quote:
		opening = "> x"
	case from.like.Kind == Footnotes:
		opening = "[^x]: x"
	case from.like.Kind == Definitions:
		opening = "[x]: x"
	}
	if s.text[from.at-1] == '\n' { // else it was cut within a line
		opening += "\n"
	}
	return opening
}

// addDefinitions keeps the definitions of links that a paragraph begins with, but those before a place, and returns the
// place after them.
func (s *splitter) addDefinitions(n *ast.Paragraph, source string, from int) int {
	for i := range n.Lines().Len() {
		at := n.Lines().At(i).Start
		line := lineAt(source, at)
		label := definitionLabel(line)
		if label == "" {
			return at
		}
		if at >= from && (s.isWhole || strings.HasSuffix(line, "\n")) {
			s.definitions.add(label, line)
		}
	}
	return len(source)
}

// cut appends a block, in pieces when it is too long. Empty lines before and
// after it belong to the first and the last piece, and do not count.
func (s *splitter) cut(start, end int, sec section) {
	from, like, first := len(s.blocks), sec.like, sec.start
	body := first + len(strings.TrimRight(s.text[first:end], blanks))
	list, isList := sec.node.(*ast.List)
	switch {
	case body == first, !like.IsContinuation && body-first <= limit(like.Kind):
		s.add(first, body, like)
	case isList && like.Kind == List:
		if !like.IsContinuation {
			like.number = list.Start
		}
		s.cutList(s.items(list, first), body, like)
	default:
		if !like.IsContinuation {
			like.head = headOf(sec, s.text[first:])
			like.IsPlain = like.Kind == Paragraph || like.Kind == Heading || like.Kind == Rule
		}
		s.pieces(first, body, like)
	}
	last := &s.blocks[len(s.blocks)-1]
	last.Source = s.text[body-len(last.Source) : end]
	before := &s.blocks[from]
	before.Source = s.text[start : first+len(before.Source)]
}

func headOf(sec section, text string) string {
	head := lineAt(text, 0)
	switch {
	case sec.like.Kind == Table:
		return head + lineAt(text, len(head))
	case sec.node.Kind() == ast.KindFencedCodeBlock:
		return head
	}
	return ""
}

func limit(kind BlockKind) int {
	if kind == Fence || kind == Table {
		return maxCostly
	}
	return maxBlock
}

// pieces cuts at lines, or inside a line that is too long. The pieces are like the given one; the first of a block has
// no head.
func (s *splitter) pieces(start, end int, like Block) {
	for at := start; at < end; {
		to := end
		if size := limit(like.Kind); end-at > size {
			to = at + cutPoint(s.text[at:at+size])
		}
		piece := like
		if !like.IsContinuation {
			piece.head = ""
		}
		piece.IsPlain = like.IsPlain || len(piece.head) > maxBlock
		s.add(at, to, piece)
		at, like.IsContinuation = to, true
		if k := like.Kind; at < end && k != List && k != Heading && k != Rule {
			s.resumption = s.resumeAt(at, like)
		}
	}
}

// cutPoint returns where to cut a text: after its last line that is not empty,
// else after its last space, else between two characters.
func cutPoint(s string) int {
	if i := strings.LastIndexByte(s, '\n'); i > len(s)/4 {
		written := len(strings.TrimRight(s[:i], blanks))
		if n := written + strings.IndexByte(s[written:], '\n') + 1; n > len(s)/2 {
			return n
		}
		return i + 1
	}
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		return i + 1
	}
	for n := len(s); n > max(len(s)-utf8.UTFMax, 1); n-- {
		if r, size := utf8.DecodeLastRuneInString(s[:n]); r != utf8.RuneError || size != 1 {
			return n
		}
	}
	return len(s)
}

// items returns where the items of a list start, of which the first one starts at first.
func (s *splitter) items(list *ast.List, first int) []int {
	items := []int{first}
	for item := list.FirstChild().NextSibling(); item != nil; item = item.NextSibling() {
		items = append(items, lineStart(s.text, item.Pos()+s.shift))
	}
	return items
}

// cutList cuts a list between its items. An item that is too long by itself is plain text.
func (s *splitter) cutList(items []int, end int, like Block) {
	items = append(items, end)
	for from := 0; from+1 < len(items); {
		to := from + 1
		for to+1 < len(items) && items[to+1]-items[from] <= maxBlock {
			to++
		}
		piece := like
		piece.number, piece.IsContinuation = like.number+from, like.IsContinuation || from > 0
		if piece.IsContinuation && s.isComplete(items[from]) {
			s.resumption = s.resumeAt(items[from], piece)
		}
		if items[to]-items[from] <= maxBlock {
			s.add(items[from], items[to], piece)
		} else {
			piece.IsPlain = true
			s.pieces(items[from], items[to], piece)
		}
		from = to
	}
}

func (s *splitter) add(start, end int, b Block) {
	b.Source, b.definitions, b.codesBefore = s.text[start:end], s.definitions, s.codesAt(start)
	s.blocks = append(s.blocks, b)
}

func (s *splitter) resumeAt(at int, like Block) resumption {
	return resumption{at: at, blocks: len(s.blocks), codes: s.codesAt(at), like: like}
}

func (s *splitter) codesAt(at int) int { return s.codesBefore + sort.SearchInts(s.codes, at) }

// isComplete reports whether the line at a place has its end.
func (s *splitter) isComplete(at int) bool { return strings.HasSuffix(lineAt(s.text, at), "\n") }

// lineStart returns where the line starts that a place is in.
func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

// lineAt returns a line from a place on, with its line feed.
func lineAt(text string, at int) string {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return text[at : at+n+1]
	}
	return text[at:]
}
