package markdown

import "strings"

// Document is a text that was cut into blocks and grows at its end. Only what follows the last block that is sure to
// stay as it is gets cut again. The zero value is an empty text.
type Document struct {
	text        string
	blocks      []Block // that stay, however the text goes on
	tail        []Block // that may change
	resumption  resumption
	codes       int // blocks of code before the tail
	definitions *definitions
}

// resumption is where a text that has grown is cut again: at the start of a block, or of a later piece of one that is
// too long.
type resumption struct {
	at     int   // byte of the text
	blocks int   // how many stand before it
	like   Block // the piece that begins there; a block begins there unless it is a continuation
}

// Grow returns the document of a longer text that begins with the one before; of any other text it is a new document.
// A document grows once: the one it was made from is only to be read afterwards.
func (d Document) Grow(text string) Document {
	if !strings.HasPrefix(text, d.text) || d.definitions == nil {
		d = Document{definitions: &definitions{}}
	}
	s := splitter{text: text, definitions: d.definitions}
	from := d.resumption
	from.blocks = 0
	s.split(from)
	numberCode(s.blocks, d.codes)
	stays := s.resumption.blocks
	if stays < len(s.blocks) {
		d.codes = s.blocks[stays].codesBefore
	}
	d.text, d.blocks, d.tail = text, append(d.blocks, s.blocks[:stays]...), s.blocks[stays:]
	d.resumption = s.resumption
	return d
}

// NewDocument returns the document of a text that does not grow.
func NewDocument(text string) Document {
	blocks := Split(text)
	if n := len(blocks); n > 0 && blocks[n-1].codesBefore+blocks[n-1].countCodes(newParser) == 1 {
		for i := range blocks {
			blocks[i].hasOnlyCode = true
		}
	}
	return Document{text: text, blocks: blocks}
}

// Text returns the text that was cut.
func (d Document) Text() string { return d.text }

// Stable returns the blocks that stay as they are when the text grows.
func (d Document) Stable() []Block { return d.blocks }

// Tail returns the blocks after the stable ones.
func (d Document) Tail() []Block { return d.tail }

// isComplete reports whether a line has its end.
func (s *splitter) isComplete(l line) bool { return l.end > l.start && s.text[l.end-1] == '\n' }
