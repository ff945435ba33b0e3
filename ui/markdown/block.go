package markdown

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
)

// Block is a piece of an answer that can be rendered by itself.
type Block struct {
	Source string // as it came: the sources of all blocks, joined, are the text
	Kind   Kind

	IsPlain        bool // too costly to be parsed: drawn as it is
	IsContinuation bool // continues the block before: no empty line between the two

	context *blockContext
}

// blockContext is what a block needs from elsewhere in the text. Few blocks have any.
type blockContext struct {
	head   string // what goes before Source: the opening line of a fence, the head of a table
	number int    // the number of the first item of a list, 0 for as it says
	defs   string // definitions of the links it names
}

// maxBlock is the size in bytes over which a block is cut. The cost of a block
// is bounded by it, as nothing can stop the parser once it runs.
const maxBlock = 16 << 10

// maxCostly is the same for code and tables, which cost several times as much to render.
const maxCostly = 8 << 10

// Split cuts text into its top-level blocks. It looks at the start of each line
// only and takes time in proportion to the text, whatever is in it. A block
// longer than about 16 KiB (code and tables: 8 KiB) is cut again: a code block at lines, with its
// language; a list at items, keeping their numbers; a table at rows, with its
// head; anything else into plain text. The sources of the blocks, joined, are
// the text.
func Split(text string) []Block {
	if text == "" {
		return nil
	}
	s := splitter{text: text, blocks: make([]Block, 0, len(text)/256+1)}
	s.run()
	if len(s.defs) > 0 {
		s.addDefinitions()
	}
	return s.blocks
}
