package markdown

import "strings"

// BlockKind is what a block is.
type BlockKind uint8

// The kinds of block.
const (
	Paragraph BlockKind = iota
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
	Kind   BlockKind

	IsPlain        bool // too costly to be parsed: drawn as it is
	IsContinuation bool // continues the block before: no empty line between the two

	head        string       // what goes before Source: the opening line of a fence, the head of a table
	number      int          // the number of the first item of a list, 0 for as it says
	codesBefore int          // blocks of code in the text before this block
	hasOnlyCode bool         // the whole text has one block of code
	definitions *definitions // of the links in the whole text
}

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
func (s *splitter) block(l line) (BlockKind, int) {
	kind, _, _ := l.item()
	run, _ := l.fence()
	switch {
	case l.indent > 3:
		return Fence, s.endOfIndented(l.end)
	case l.isHeading():
		return Heading, l.end
	case l.isRule():
		return Rule, l.end
	case l.isQuote():
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
	case l.end < len(s.text) && strings.Contains(l.rest, "|") && lineAt(s.text, l.end).isTableRule():
		return Table, s.endOfParagraph(l.end, false)
	}
	return Paragraph, s.endOfParagraph(l.end, false)
}

// skipBlank returns the start of the first line at or after i that is not empty.
func (s *splitter) skipBlank(i int) int {
	for l := range linesFrom(s.text, i) {
		if !l.isBlank() {
			return l.start
		}
	}
	return len(s.text)
}

// endOfParagraph ends at an empty line or at what may follow without one. Quote lines go on with quote set.
func (s *splitter) endOfParagraph(i int, quote bool) int {
	for l := range linesFrom(s.text, i) {
		if l.isBlank() && !quote && s.describes(l.end) {
			continue
		}
		if l.isBlank() || l.interruptsParagraph() && !(quote && l.isQuote()) {
			if !quote && !l.isBlank() && l.rest[0] == '-' && l.isRule() { // underlines a heading
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

// endWhere returns the end of the last line from i on that continues a block. Empty lines belong to the block where one
// that continues it follows; gap tells that some stand before the line.
func (s *splitter) endWhere(i int, continues func(l line, gap bool) bool) int {
	end, gap := i, false
	for l := range linesFrom(s.text, i) {
		if l.isBlank() {
			gap = true
			continue
		}
		if !continues(l, gap) {
			break
		}
		end, gap = l.end, false
	}
	return end
}

// endOfFormula ends a formula at its delimiter, at an empty line, or where it is too long.
func (s *splitter) endOfFormula(first line) int {
	end := first.formulaEnd()
	isOver := strings.Contains(first.rest[2:], end)
	return s.endWhere(first.end, func(l line, gap bool) bool {
		if isOver || gap || l.start-first.start > maxFormula {
			return false
		}
		isOver = strings.Contains(l.rest, end)
		return true
	})
}

// endOfFootnotes ends footnotes where neither another one follows nor an indented line of the last one.
func (s *splitter) endOfFootnotes(first line) int {
	return s.endWhere(first.start, func(l line, gap bool) bool {
		label := l.footnote()
		if label != "" {
			s.definitions.add(footnoteKey(label), label)
		}
		return label != "" || l.indent > 3 || !gap && !l.interruptsParagraph()
	})
}

// endOfIndented ends a code block made by indentation.
func (s *splitter) endOfIndented(i int) int {
	return s.endWhere(i, func(l line, _ bool) bool { return l.indent > 3 })
}

func (s *splitter) endOfFence(i int, run string) int {
	isClosed := false
	return s.endWhere(i, func(l line, _ bool) bool {
		goesOn := !isClosed
		isClosed = isClosed || l.closes(run)
		return goesOn
	})
}

func (s *splitter) endOfDefinitions(i int) int {
	return s.endWhere(i, func(l line, gap bool) bool {
		label := l.definition()
		if label != "" && !gap && (s.isWhole || s.isComplete(l)) {
			s.definitions.add(label, l.rest)
		}
		return label != "" && !gap
	})
}

// endOfList ends at a line that belongs to no item.
func (s *splitter) endOfList(l line) int {
	kind, _, column := l.item()
	return s.endWhere(l.end, func(l line, gap bool) bool {
		if l.indent >= column {
			return true
		}
		k, _, c := l.item()
		switch {
		case l.isRule():
			return false
		case k == kind && l.indent < 4:
			column = c
			return true
		}
		return !gap && !l.interruptsParagraph()
	})
}

// add appends a block.
func (s *splitter) add(start, end int, kind BlockKind) *Block {
	s.blocks = append(s.blocks, Block{Source: s.text[start:end], Kind: kind, definitions: s.definitions})
	return &s.blocks[len(s.blocks)-1]
}
