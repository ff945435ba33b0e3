package suite

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// editor collects changes to the lines of a text. Every method that returns
// false has changed nothing that counts: what contains the place is written
// anew instead.
type editor struct {
	lines []string // with their ends
	eol   string
	edits []edit
}

// edit puts lines in the place of the lines from..to-1, counted from 0.
type edit struct {
	from, to int
	lines    []string
}

func newEditor(text []byte) *editor {
	e := &editor{lines: strings.SplitAfter(string(text), "\n"), eol: "\n"}
	if e.lines[len(e.lines)-1] == "" {
		e.lines = e.lines[:len(e.lines)-1]
	}
	if bytes.Contains(text, []byte("\r\n")) {
		e.eol = "\r\n"
	}
	return e
}

// text returns the text with the edits made.
func (e *editor) text() []byte {
	slices.SortStableFunc(e.edits, func(a, b edit) int { return a.from - b.from })
	var out strings.Builder
	next := 0
	for _, ed := range e.edits {
		for ; next < ed.from; next++ {
			e.line(&out, e.lines[next])
		}
		for _, line := range ed.lines {
			e.line(&out, line)
		}
		next = max(next, ed.to)
	}
	for ; next < len(e.lines); next++ {
		out.WriteString(e.lines[next])
	}
	return []byte(out.String())
}

// line writes a line with an end.
func (e *editor) line(out *strings.Builder, line string) {
	out.WriteString(line)
	if !strings.HasSuffix(line, "\n") {
		out.WriteString(e.eol)
	}
}

// value changes what was read from old to want. The text of the node ends
// before the line end, counted from 0.
func (e *editor) value(raw, old, want *yaml.Node, end int) bool {
	switch {
	case same(old, want):
		return true
	case raw.Kind != old.Kind || old.Kind != want.Kind || raw.Anchor != "" ||
		raw.Style&(yaml.FlowStyle|yaml.TaggedStyle) != 0:
		return false
	case raw.Kind == yaml.MappingNode:
		return e.mapping(raw, old, want, end)
	case raw.Kind == yaml.SequenceNode:
		return e.sequence(raw, old, want, end)
	case raw.Kind == yaml.ScalarNode:
		return e.scalar(raw, want)
	}
	return false
}

func (e *editor) mapping(raw, old, want *yaml.Node, end int) bool {
	if len(raw.Content) == 0 {
		return false
	}
	for i := 0; i < len(raw.Content); i += 2 {
		if raw.Content[i].Column != raw.Column {
			return false
		}
	}
	mark := len(e.edits)
	left := len(raw.Content) / 2
	for i := 0; i+1 < len(raw.Content); i += 2 {
		key, value := raw.Content[i], raw.Content[i+1]
		before, _ := at(old, key.Value)
		after, _ := at(want, key.Value)
		if before == nil || after != nil && same(before, after) {
			continue
		}
		from, stop := key.Line-1, end
		if i+2 < len(raw.Content) {
			stop = raw.Content[i+2].Line - 1
		}
		switch {
		case after == nil:
			if left--; left == 0 || !e.alone(from, raw.Column) {
				e.edits = e.edits[:mark]
				return false
			}
			e.replace(from, e.trimmed(from, stop, raw.Column), nil)
		case !e.value(value, before, after, stop):
			lines, ok := e.entry(key.Value, merged(value, before, after), raw.Column)
			if !ok {
				e.edits = e.edits[:mark]
				return false
			}
			lines[0] = e.before(from, raw.Column) + lines[0]
			e.replace(from, e.trimmed(from, stop, raw.Column), lines)
		}
	}
	last := e.trimmed(raw.Content[len(raw.Content)-2].Line-1, end, raw.Column)
	for i := 0; i+1 < len(want.Content); i += 2 {
		name := want.Content[i].Value
		if _, have := at(raw, name); have >= 0 {
			continue
		}
		if before, _ := at(old, name); before != nil && same(before, want.Content[i+1]) {
			continue // it comes from a merge key
		}
		lines, ok := e.entry(name, want.Content[i+1], raw.Column)
		if !ok {
			e.edits = e.edits[:mark]
			return false
		}
		lines[0] = strings.Repeat(" ", raw.Column-1) + lines[0]
		e.replace(last, last, lines)
	}
	return true
}

func (e *editor) sequence(raw, old, want *yaml.Node, end int) bool {
	if len(raw.Content) == 0 || len(raw.Content) != len(old.Content) || len(want.Content) == 0 {
		return false
	}
	dash := raw.Column
	for _, item := range raw.Content {
		if line := e.lines[item.Line-1]; item.Column <= dash || !strings.HasPrefix(cutColumns(line, dash-1), "-") {
			return false
		}
	}
	mark := len(e.edits)
	head, oldEnd, newEnd := aligned(old.Content, want.Content)
	place := func(i int) (from, stop int) {
		stop = end
		if i+1 < len(raw.Content) {
			stop = raw.Content[i+1].Line - 1
		}
		return raw.Content[i].Line - 1, stop
	}
	for i := head; i < max(oldEnd, newEnd); i++ {
		var lines []string
		ok := true
		switch {
		case i < oldEnd && i < newEnd:
			from, stop := place(i)
			if e.value(raw.Content[i], old.Content[i], want.Content[i], stop) {
				continue
			}
			if lines, ok = e.item(merged(raw.Content[i], old.Content[i], want.Content[i]), dash); ok {
				lines[0] = e.before(from, dash) + lines[0]
				e.replace(from, e.trimmed(from, stop, dash), lines)
			}
		case i < oldEnd:
			from, stop := place(i)
			if ok = e.alone(from, dash); ok {
				e.replace(from, e.trimmed(from, stop, dash), nil)
			}
		default:
			if lines, ok = e.item(want.Content[i], dash); !ok {
				break
			}
			lines[0] = strings.Repeat(" ", dash-1) + lines[0]
			if oldEnd == 0 {
				if ok = e.alone(raw.Content[0].Line-1, dash); ok {
					e.replace(raw.Content[0].Line-1, raw.Content[0].Line-1, lines)
				}
				break
			}
			from, stop := place(oldEnd - 1)
			after := e.trimmed(from, stop, dash)
			e.replace(after, after, lines)
		}
		if !ok {
			e.edits = e.edits[:mark]
			return false
		}
	}
	return true
}

// scalar changes a text that stands on one line, in its place.
func (e *editor) scalar(raw, want *yaml.Node) bool {
	if raw.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return false
	}
	node := *want
	node.Style = raw.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle)
	b, err := write(&node)
	now := strings.TrimSuffix(string(b), "\n")
	if err != nil || strings.Contains(now, "\n") {
		return false
	}
	line := e.lines[raw.Line-1]
	rest := cutColumns(line, raw.Column-1)
	size := len(raw.Value)
	switch {
	case node.Style == yaml.DoubleQuotedStyle:
		size = quotedSize(rest, '"', '\\')
	case node.Style == yaml.SingleQuotedStyle:
		size = quotedSize(rest, '\'', '\'')
	case raw.Value == "" || !strings.HasPrefix(rest, raw.Value):
		return false
	}
	if size <= 0 || size > len(rest) {
		return false
	}
	begin := line[:len(line)-len(rest)]
	e.replace(raw.Line-1, raw.Line, []string{begin + now + rest[size:]})
	return true
}

// quotedSize returns how long a quoted text on this line is, 0 when it does
// not end on it.
func quotedSize(s string, quote, escape byte) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == escape && i+1 < len(s) && (escape == '\\' || s[i+1] == quote):
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return 0
}

func (e *editor) replace(from, to int, lines []string) {
	e.edits = append(e.edits, edit{from, to, lines})
}

// before returns what stands on a line before a column, counted from 1.
func (e *editor) before(line, column int) string {
	text := e.lines[line]
	return text[:len(text)-len(cutColumns(text, column-1))]
}

// alone tells whether nothing stands on a line before a column.
func (e *editor) alone(line, column int) bool { return blank(e.before(line, column)) }

// trimmed returns where the lines from..stop-1 end without the blank lines and
// comments at their end that belong to what follows.
func (e *editor) trimmed(from, stop, column int) int {
	stop = min(stop, len(e.lines))
	for stop > from+1 {
		line := e.lines[stop-1]
		text := strings.TrimLeft(line, " ")
		if !blank(line) && (text[0] != '#' || len(line)-len(text) >= column) {
			break
		}
		stop--
	}
	return stop
}

// entry returns the lines of an entry of a mapping at a column; the first has
// no indentation yet.
func (e *editor) entry(name string, value *yaml.Node, column int) ([]string, bool) {
	n := mapNode()
	put(n, name, value)
	return e.rendered(n, column)
}

// item returns the lines of an item of a list, the same way.
func (e *editor) item(value *yaml.Node, column int) ([]string, bool) {
	return e.rendered(listNode(value), column)
}

func (e *editor) rendered(n *yaml.Node, column int) ([]string, bool) {
	b, err := write(n)
	if err != nil {
		return nil, false
	}
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	for i := range lines {
		if i > 0 && lines[i] != "" {
			lines[i] = strings.Repeat(" ", column-1) + lines[i]
		}
		lines[i] += e.eol
	}
	return lines, true
}

// cutColumns returns a line without its first n characters.
func cutColumns(line string, n int) string {
	for i := range line {
		if n == 0 {
			return line[i:]
		}
		n--
	}
	return ""
}
