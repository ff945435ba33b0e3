package markdown

import (
	"strings"
	"unicode/utf8"
)

// Kind is what a block is.
type Kind uint8

// The kinds of block.
const (
	Paragraph Kind = iota
	Heading
	List
	Quote
	Fence // a code block
	Table
	Rule
	Definitions // link reference definitions only: nothing is drawn
	Formula     // a formula of TeX on lines of its own
	Footnotes   // the texts of footnotes
)

// Block is a piece of an answer that can be rendered by itself.
type Block struct {
	Source string // as it came: the sources of all blocks, joined, are the text
	Kind   Kind

	IsPlain        bool // too costly to be parsed: drawn as it is
	IsContinuation bool // continues the block before: no empty line between the two

	head        string       // what goes before Source: the opening line of a fence, the head of a table
	number      int          // the number of the first item of a list, 0 for as it says
	codesBefore int          // blocks of code in the text before this block
	definitions *definitions // of the links in the whole text
}

const (
	// maxBlock is the size in bytes over which a block is cut. The cost of a block
	// is bounded by it, as nothing can stop the parser once it runs.
	maxBlock = 16 << 10
	// maxCostly is the same for code and tables, which cost several times as much to render.
	maxCostly = 8 << 10
	// maxDefinition is the longest definition of a link in bytes.
	maxDefinition = 2 << 10
)

// Split cuts text into its top-level blocks. It looks at the start of each line only and takes time in proportion to
// the text, whatever is in it. A block longer than about 16 KiB (code and tables: 8 KiB) is cut again: a code block at
// lines, with its language; a list at items, keeping their numbers; a table at rows, with its head; anything else into
// plain text. The sources of the blocks, joined, are the text.
func Split(text string) []Block {
	s := splitter{text: text, isWhole: true, definitions: &definitions{}}
	s.split(resumption{})
	numberCode(s.blocks, 0)
	return s.blocks
}

// splitter walks over the lines of a text once.
type splitter struct {
	text        string
	isWhole     bool // nothing follows the text
	blocks      []Block
	definitions *definitions // the first one of a label counts
	resumption  resumption   // the last place from which blocks may change when the text grows
}

// split cuts the text from a place on.
func (s *splitter) split(from resumption) {
	at := from.at
	if s.resumption = from; from.like.IsContinuation {
		at = s.skipBlank(s.endOfPieces(from))
		s.cutPieces(from, at)
	}
	for at < len(s.text) {
		first := s.skipBlank(at)
		if first == len(s.text) { // nothing but empty lines at the end
			s.add(at, first, Paragraph)
			break
		}
		l := lineAt(s.text, first)
		if s.isComplete(l) { // then the blocks before it end where they do
			s.resumption = resumption{at: at, blocks: len(s.blocks)}
		}
		kind, end := s.block(l)
		end = s.skipBlank(end)
		s.cut(at, l, end, kind)
		at = end
	}
}

// block returns the kind of the block that starts with l, and its end.
func (s *splitter) block(l line) (Kind, int) {
	kind, _, _ := l.item()
	run, _ := l.fence()
	switch {
	case l.indent > 3:
		return Fence, s.endOfIndented(l.end)
	case l.heading():
		return Heading, l.end
	case l.rule():
		return Rule, l.end
	case l.quote():
		return Quote, s.endOfParagraph(l.end, true)
	case kind != 0:
		return List, s.endOfList(l)
	case run != "":
		return Fence, s.endOfFence(l.end, run)
	case l.formulaEnd() != "":
		return Formula, s.endOfFormula(l)
	case l.footnote() != "":
		return Footnotes, s.endOfFootnotes(l)
	case l.definition() != "":
		return Definitions, s.endOfDefinitions(l.start)
	case l.end < len(s.text) && strings.Contains(l.rest, "|") && lineAt(s.text, l.end).tableRule():
		return Table, s.endOfParagraph(l.end, false)
	}
	return Paragraph, s.endOfParagraph(l.end, false)
}

// skipBlank returns the start of the first line at or after i that is not empty.
func (s *splitter) skipBlank(i int) int {
	for l := range linesFrom(s.text, i) {
		if !l.blank() {
			return l.start
		}
	}
	return len(s.text)
}

// endOfParagraph ends at an empty line or at what may follow without one. Quote lines go on with quote set.
func (s *splitter) endOfParagraph(i int, quote bool) int {
	for l := range linesFrom(s.text, i) {
		if l.blank() && !quote && s.describes(l.end) {
			continue
		}
		if l.blank() || l.interrupts() && !(quote && l.quote()) {
			if !quote && !l.blank() && l.rest[0] == '-' && l.rule() { // underlines a heading
				return l.end
			}
			return l.start
		}
	}
	return len(s.text)
}

// describes reports whether the first line that is not empty describes the term before it.
func (s *splitter) describes(i int) bool {
	if i = s.skipBlank(i); i == len(s.text) {
		return false
	}
	l := lineAt(s.text, i)
	return l.indent < 4 && strings.HasPrefix(l.rest, ": ")
}

// endOfFormula ends a formula at its delimiter, at an empty line, or where it is too long.
func (s *splitter) endOfFormula(first line) int {
	end := first.end
	if !strings.Contains(first.rest[2:], first.formulaEnd()) {
		for l := range linesFrom(s.text, first.end) {
			if l.blank() || end-first.start > maxFormula {
				break
			}
			if end = l.end; strings.Contains(l.rest, first.formulaEnd()) {
				break
			}
		}
	}
	return end
}

// endOfFootnotes ends footnotes where neither another one follows nor an indented line of the last one.
func (s *splitter) endOfFootnotes(first line) int {
	end, gap := first.end, false
	for l := range linesFrom(s.text, first.start) {
		if l.blank() {
			gap = true
			continue
		}
		if label := l.footnote(); label != "" {
			s.definitions.add(footnoteKey(label), label)
		}
		if l.footnote() == "" && l.indent < 4 && (gap || l.interrupts()) {
			return end
		}
		end, gap = l.end, false
	}
	return end
}

// endOfIndented ends a code block made by indentation.
func (s *splitter) endOfIndented(end int) int {
	for l := range linesFrom(s.text, end) {
		switch {
		case l.blank():
		case l.indent < 4:
			return end
		default:
			end = l.end
		}
	}
	return end
}

func (s *splitter) endOfFence(i int, run string) int {
	for l := range linesFrom(s.text, i) {
		if l.closes(run) {
			return l.end
		}
	}
	return len(s.text)
}

func (s *splitter) endOfDefinitions(i int) int {
	for l := range linesFrom(s.text, i) {
		label := l.definition()
		if label == "" {
			return l.start
		}
		if s.isWhole || s.isComplete(l) {
			s.definitions.add(label, l.rest)
		}
	}
	return len(s.text)
}

// endOfList ends at a line that belongs to no item.
func (s *splitter) endOfList(l line) int {
	kind, _, column := l.item()
	end, gap := l.end, false
	for l := range linesFrom(s.text, end) {
		if l.blank() {
			gap = true
			continue
		}
		if l.indent < column {
			k, _, c := l.item()
			switch {
			case l.rule():
				return end
			case k == kind && l.indent < 4:
				column = c
			case gap || l.interrupts():
				return end
			}
		}
		end, gap = l.end, false
	}
	return end
}

// add appends a block.
func (s *splitter) add(start, end int, kind Kind) *Block {
	s.blocks = append(s.blocks, Block{Source: s.text[start:end], Kind: kind, definitions: s.definitions})
	return &s.blocks[len(s.blocks)-1]
}

// cut appends a block, in pieces when it is too long. Empty lines before and
// after it belong to the first and the last piece, and do not count.
func (s *splitter) cut(start int, l line, end int, kind Kind) {
	from := len(s.blocks)
	body := l.start + len(strings.TrimRight(s.text[l.start:end], " \t\r\n"))
	run, _ := l.fence()
	switch {
	case body-l.start <= limit(kind):
		s.add(l.start, body, kind)
	case kind == List:
		s.cutList(l, body, Block{})
	case kind == Table:
		s.pieces(l.start, body, Block{Kind: kind, head: s.text[l.start:lineAt(s.text, l.end).end]})
	case kind == Fence && run != "":
		s.pieces(l.start, body, Block{Kind: kind, head: s.text[l.start:l.end]})
	default:
		s.pieces(l.start, body, Block{Kind: kind, IsPlain: kind == Paragraph || kind == Heading || kind == Rule})
	}
	last := &s.blocks[len(s.blocks)-1]
	last.Source = s.text[body-len(last.Source) : end]
	first := &s.blocks[from]
	first.Source = s.text[start : l.start+len(first.Source)]
}

// limit returns the size over which a block of a kind is cut.
func limit(kind Kind) int {
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
		b := s.add(at, to, like.Kind)
		if b.IsPlain = like.IsPlain; like.IsContinuation {
			b.head, b.IsContinuation = like.head, true
			b.IsPlain = like.IsPlain || len(like.head) > maxBlock
		}
		at, like.IsContinuation = to, true
		if at < end && like.Kind != List && like.Kind != Heading && like.Kind != Rule {
			s.resumption = resumption{at: at, blocks: len(s.blocks), like: like}
		}
	}
}

// cutPoint returns where to cut a text: after its last line that is not empty,
// else after its last space, else between two characters.
func cutPoint(s string) int {
	if i := strings.LastIndexByte(s, '\n'); i > len(s)/4 {
		written := len(strings.TrimRight(s[:i], " \t\r\n"))
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

// cutList cuts a list between its items. An item that is too long by itself is plain text. The block before is the last
// piece of the same list so far, zero for none.
func (s *splitter) cutList(l line, end int, before Block) {
	listKind, number, column := l.item()
	if before.IsContinuation {
		number = before.number
	}
	starts := []int{l.start}
	for l := range linesFrom(s.text[:end], l.end) {
		if kind, _, c := l.item(); kind != 0 && l.indent < column {
			starts, column = append(starts, l.start), c
		}
	}
	starts = append(starts, end)
	for from := 0; from+1 < len(starts); {
		to := from + 1
		for to+1 < len(starts) && starts[to+1]-starts[from] <= maxBlock {
			to++
		}
		piece := Block{Kind: List, number: number + from, IsContinuation: before.IsContinuation || from > 0}
		first := lineAt(s.text, starts[from])
		if kind, _, _ := first.item(); piece.IsContinuation && kind == listKind && first.indent < 4 &&
			s.isComplete(first) {
			s.resumption = resumption{at: starts[from], blocks: len(s.blocks), like: piece}
		}
		if starts[to]-starts[from] <= maxBlock {
			b := s.add(starts[from], starts[to], List)
			b.IsContinuation, b.number = piece.IsContinuation, piece.number
		} else {
			s.pieces(starts[from], starts[to],
				Block{Kind: List, IsPlain: true, IsContinuation: piece.IsContinuation})
		}
		from = to
	}
}
