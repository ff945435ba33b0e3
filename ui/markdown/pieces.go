package markdown

import (
	"strings"
	"unicode/utf8"
)

const (
	// maxBlock is the size in bytes over which a block is cut. The cost of a block
	// is bounded by it, as nothing can stop the parser once it runs.
	maxBlock = 16 << 10
	// maxCostly is the same for code and tables, which cost several times as much to render.
	maxCostly = 8 << 10
)

// cut appends a block, in pieces when it is too long. Empty lines before and
// after it belong to the first and the last piece, and do not count.
func (s *splitter) cut(start int, l line, end int, kind BlockKind) {
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

// endOfPieces returns the end of a block of which all before a place is cut into pieces.
func (s *splitter) endOfPieces(from resumption) int {
	at := from.at
	if from.like.Kind == List {
		return s.endOfList(lineAt(s.text, at))
	}
	if s.text[at-1] != '\n' { // cut within a line
		at = lineAt(s.text, at).end
	}
	switch from.like.Kind {
	case Fence:
		run, _ := lineAt(from.like.head, 0).fence()
		if run == "" {
			return s.endOfIndented(at)
		}
		return s.endOfFence(at, run)
	case Definitions:
		return s.endOfDefinitions(at)
	}
	return s.endOfParagraph(at, from.like.Kind == Quote)
}

// cutPieces cuts the rest of a block that is in pieces, up to its end and the empty lines after it.
func (s *splitter) cutPieces(from resumption, end int) {
	body := from.at + len(strings.TrimRight(s.text[from.at:end], " \t\r\n"))
	if from.like.Kind == List {
		s.cutList(lineAt(s.text, from.at), body, from.like)
	} else {
		s.pieces(from.at, body, from.like)
	}
	last := &s.blocks[len(s.blocks)-1]
	last.Source = s.text[body-len(last.Source) : end]
}
