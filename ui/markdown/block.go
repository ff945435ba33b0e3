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

// DependsOnRest reports whether a block may be drawn in another way once the whole text is known: with the definitions
// of links elsewhere in it, or as its only code.
func (b Block) DependsOnRest() bool {
	isKnown := b.hasOnlyCode
	if b.definitions != nil && strings.Contains(b.Source, "[") {
		b.definitions.lines.Range(func(any, any) bool { isKnown = true; return false })
	}
	return isKnown
}

// Split cuts text into its top-level blocks in time in proportion to the text, whatever is in it. A block longer than
// about 16 KiB (code and tables: 8 KiB) is cut again: a code block at lines, with its language; a list at items,
// keeping their numbers; a table at rows, with its head; anything else into plain text. The sources of the blocks,
// joined, are the text.
func Split(text string) []Block { return splitWhole(text).blocks }

func splitWhole(text string) splitter {
	s := splitter{text: text, isWhole: true, definitions: &definitions{}}
	s.split(resumption{})
	return s
}

// Document is a text that was cut into blocks and may grow at its end. Only what follows the last block that is sure to
// stay as it is gets cut again. The zero value is an empty text.
type Document struct {
	text        string
	isWhole     bool
	blocks      []Block // that stay, however the text goes on
	tail        []Block // that may change
	resumption  resumption
	definitions *definitions
}

// NewDocument returns the document of a text that does not grow.
func NewDocument(text string) Document {
	s := splitWhole(text)
	for i := range s.blocks {
		s.blocks[i].hasOnlyCode = len(s.codes) == 1
	}
	return Document{text: text, isWhole: true, blocks: s.blocks}
}

// Grow returns the document of a longer text that begins with the one before; of any other text it is a new document.
// A document grows once: the one it was made from is only to be read afterwards.
func (d Document) Grow(text string) Document { return d.grow(text, false) }

// End is like Grow for a text that nothing follows. The stable blocks stay the first ones.
func (d Document) End(text string) Document { return d.grow(text, true) }

func (d Document) grow(text string, isWhole bool) Document {
	if !strings.HasPrefix(text, d.text) || d.definitions == nil {
		d = Document{definitions: &definitions{}}
	}
	s := splitter{text: text, isWhole: isWhole, definitions: d.definitions}
	s.split(d.resumption)
	stays := s.resumption.blocks
	d.text, d.blocks, d.tail = text, append(d.blocks, s.blocks[:stays]...), s.blocks[stays:]
	d.resumption, d.isWhole = s.resumption, isWhole
	return d
}

// Text returns the text that was cut.
func (d Document) Text() string { return d.text }

// IsWhole tells that nothing follows the text.
func (d Document) IsWhole() bool { return d.isWhole }

// Len returns the number of blocks.
func (d Document) Len() int { return len(d.blocks) + len(d.tail) }

// Block returns the block with a number from 0.
func (d Document) Block(i int) *Block {
	if i < len(d.blocks) {
		return &d.blocks[i]
	}
	return &d.tail[i-len(d.blocks)]
}

// Stable returns the blocks that stay as they are when the text grows.
func (d Document) Stable() []Block { return d.blocks }

// Tail returns the blocks after the stable ones.
func (d Document) Tail() []Block { return d.tail }
