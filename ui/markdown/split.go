package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// splitter walks over the lines of a text once.
type splitter struct {
	text   string
	blocks []Block
	defs   map[string]string // label to its definition, the first one counts
}

func (s *splitter) run() {
	for at := 0; at < len(s.text); {
		first := s.skipBlank(at)
		if first == len(s.text) { // nothing but empty lines at the end
			s.add(at, first, Paragraph)
			return
		}
		l := lineAt(s.text, first)
		kind, end := s.block(l)
		end = s.skipBlank(end)
		s.cut(at, l, end, kind)
		at = end
	}
}

// block returns the kind of the block that starts with l, and its end.
func (s *splitter) block(l line) (Kind, int) {
	switch kind, _, _ := l.item(); {
	case l.indent > 3:
		return Fence, s.endOfIndented(l)
	case l.heading():
		return Heading, l.end
	case l.rule():
		return Rule, l.end
	case l.quote():
		return Quote, s.endOfParagraph(l.end, true)
	case kind != 0:
		return List, s.endOfList(l)
	}
	if run, _ := l.fence(); run != "" {
		return Fence, s.endOfFence(l, run)
	}
	if label, ok := l.definition(); ok {
		return Definitions, s.endOfDefinitions(l, label)
	}
	if l.end < len(s.text) && strings.Contains(l.rest, "|") && lineAt(s.text, l.end).tableRule() {
		return Table, s.endOfParagraph(l.end, false)
	}
	return Paragraph, s.endOfParagraph(l.end, false)
}

// skipBlank returns the start of the first line at or after i that is not empty.
func (s *splitter) skipBlank(i int) int {
	for i < len(s.text) {
		if s.text[i] == '\n' {
			i++
			continue
		}
		l := lineAt(s.text, i)
		if !l.blank() {
			return i
		}
		i = l.end
	}
	return i
}

// endOfParagraph ends at an empty line or at what may follow without one. Quote
// lines go on with quote set.
func (s *splitter) endOfParagraph(i int, quote bool) int {
	for i < len(s.text) {
		l := lineAt(s.text, i)
		if l.blank() || l.interrupts() && !(quote && l.quote()) {
			if !quote && !l.blank() && l.rest[0] == '-' && l.rule() { // underlines a heading
				return l.end
			}
			return i
		}
		i = l.end
	}
	return i
}

// endOfIndented ends a code block made by indentation.
func (s *splitter) endOfIndented(l line) int {
	end := l.end
	for i := end; i < len(s.text); {
		l := lineAt(s.text, i)
		i = l.end
		if l.blank() {
			continue
		}
		if l.indent < 4 {
			break
		}
		end = i
	}
	return end
}

func (s *splitter) endOfFence(l line, run string) int {
	i := l.end
	for i < len(s.text) {
		l := lineAt(s.text, i)
		i = l.end
		if l.closes(run) {
			break
		}
	}
	return i
}

func (s *splitter) endOfDefinitions(l line, label string) int {
	if s.defs == nil {
		s.defs = map[string]string{}
	}
	for ok := true; ok; label, ok = l.definition() {
		if _, dup := s.defs[label]; !dup && len(l.rest) <= 2048 {
			s.defs[label] = l.rest
		}
		if l.end == len(s.text) {
			return l.end
		}
		l = lineAt(s.text, l.end)
	}
	return l.start
}

// endOfList ends at a line that belongs to no item.
func (s *splitter) endOfList(l line) int {
	kind, _, column := l.item()
	end, gap := l.end, false
	for i := end; i < len(s.text); {
		l := lineAt(s.text, i)
		i = l.end
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
		end, gap = i, false
	}
	return end
}

// add appends a block.
func (s *splitter) add(start, end int, kind Kind) *Block {
	s.blocks = append(s.blocks, Block{Source: s.text[start:end], Kind: kind})
	return &s.blocks[len(s.blocks)-1]
}

// cut appends a block, in pieces when it is too long. Empty lines before and
// after it belong to the first and the last piece, and do not count.
func (s *splitter) cut(start int, l line, end int, kind Kind) {
	from := len(s.blocks)
	body := l.start + len(strings.TrimRight(s.text[l.start:end], " \t\r\n"))
	if body-l.start <= limit(kind) {
		s.add(l.start, body, kind)
	} else {
		s.cutBody(l, body, kind)
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

// cutBody appends the pieces of a block that is too long.
func (s *splitter) cutBody(l line, end int, kind Kind) {
	run, _ := l.fence()
	switch {
	case kind == Fence && run != "":
		s.pieces(l.start, end, kind, &blockContext{head: s.text[l.start:l.end]})
	case kind == Fence || kind == Quote || kind == Definitions:
		s.pieces(l.start, end, kind, nil)
	case kind == Table:
		rule := lineAt(s.text, l.end)
		s.pieces(l.start, end, kind, &blockContext{head: s.text[l.start:rule.end]})
	case kind == List:
		s.items(l, end)
	default:
		for i := range s.pieces(l.start, end, kind, nil) {
			s.blocks[len(s.blocks)-1-i].IsPlain = true
		}
	}
}

// pieces cuts at lines, or inside a line that is too long, and returns how many
// pieces there are. All but the first get m.
func (s *splitter) pieces(start, end int, kind Kind, m *blockContext) int {
	n := 0
	for at := start; at < end; n++ {
		to := end
		if size := limit(kind); end-at > size {
			to = at + cutPoint(s.text[at:at+size])
		}
		b := s.add(at, to, kind)
		if n > 0 {
			b.IsContinuation, b.context = true, m
			b.IsPlain = m != nil && len(m.head) > maxBlock
		}
		at = to
	}
	return n
}

// cutPoint returns where to cut a text: after its last line that is not empty,
// else after its last space, else between two characters.
func cutPoint(s string) int {
	if i := strings.LastIndexByte(s, '\n'); i > len(s)/4 {
		if n := strings.IndexByte(s[len(strings.TrimRight(s[:i], " \t\r\n")):], '\n'); n >= 0 {
			if cut := len(strings.TrimRight(s[:i], " \t\r\n")) + n + 1; cut > len(s)/2 {
				return cut
			}
		}
		return i + 1
	}
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		return i + 1
	}
	n := len(s)
	for i := 0; i < utf8.UTFMax && n > 1; i++ {
		if r, size := utf8.DecodeLastRuneInString(s[:n]); r != utf8.RuneError || size != 1 {
			return n
		}
		n--
	}
	return len(s)
}

// items cuts a list between its items. An item that is too long by itself is
// plain text.
func (s *splitter) items(l line, end int) {
	_, number, column := l.item()
	starts := []int{l.start}
	for i := l.end; i < end; {
		l := lineAt(s.text, i)
		if kind, _, c := l.item(); kind != 0 && l.indent < column {
			starts, column = append(starts, i), c
		}
		i = l.end
	}
	starts = append(starts, end)
	for from := 0; from+1 < len(starts); {
		to := from + 1
		for to+1 < len(starts) && starts[to+1]-starts[from] <= maxBlock {
			to++
		}
		joined := from > 0
		if starts[to]-starts[from] <= maxBlock {
			b := s.add(starts[from], starts[to], List)
			b.IsContinuation, b.context = joined, &blockContext{number: number + from}
		} else {
			for i := range s.pieces(starts[from], starts[to], List, nil) {
				b := &s.blocks[len(s.blocks)-1-i]
				b.IsPlain, b.IsContinuation = true, b.IsContinuation || joined
			}
		}
		from = to
	}
}

// addDefinitions gives each block the definitions of the labels it names.
func (s *splitter) addDefinitions() {
	for i := range s.blocks {
		b := &s.blocks[i]
		if b.IsPlain || b.Kind == Fence || b.Kind == Definitions || b.Kind == Rule {
			continue
		}
		defs := s.definitionsFor(b.Source)
		if defs == "" {
			continue
		}
		m := blockContext{}
		if b.context != nil {
			m = *b.context
		}
		m.defs = defs
		b.context = &m
	}
}

// definitionsFor finds the labels in brackets, at most 64 different ones.
func (s *splitter) definitionsFor(source string) string {
	var out []string
	for len(out) < 64 {
		open := strings.IndexByte(source, '[')
		if open < 0 {
			break
		}
		source = source[open+1:]
		end := strings.IndexAny(source[:min(len(source), 200)], "[]")
		if end < 0 || source[end] == '[' {
			continue
		}
		if def, ok := s.defs[foldLabel(source[:end])]; ok && !slices.Contains(out, def) {
			out = append(out, def)
		}
	}
	return strings.Join(out, "\n")
}
