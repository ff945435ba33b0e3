package tomldoc

import (
	"bytes"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// liner notes the line of every key and table of a document that is known to
// be valid.
type liner struct {
	parser unstable.Parser
	data   []byte
	offset int // up to where newlines are counted: keys come in order
	line   int // at offset
	lines  map[string]int
	counts map[string]int // elements seen of each array of tables
}

// lines returns the line of every place of the document, see [place].
func lines(data []byte) map[string]int {
	l := &liner{data: data, line: 1, lines: map[string]int{}, counts: map[string]int{}}
	l.parser.Reset(data)
	var path []string
	var index []int
	for l.parser.NextExpression() {
		e := l.parser.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			path, index = l.header(e)
		case unstable.KeyValue:
			l.keyValue(e, path, index)
		}
	}
	return l.lines
}

// header notes a [table] or the next element of a [[table]].
func (l *liner) header(e *unstable.Node) ([]string, []int) {
	keys, line := l.key(e)
	index := l.indexes(keys)
	if e.Kind == unstable.ArrayTable {
		last := len(index) - 1
		index[last] = -1
		at := place(keys, index)
		l.counts[at]++
		index[last] = l.counts[at] - 1
	}
	l.note(keys, index, line)
	return keys, index
}

// indexes returns, for each part of a header, the newest element where that
// part is an array of tables.
func (l *liner) indexes(keys []string) []int {
	index := make([]int, 0, len(keys))
	for i := range keys {
		index = append(index, -1)
		if n := l.counts[place(keys[:i+1], index)]; n > 0 {
			index[i] = n - 1
		}
	}
	return index
}

func (l *liner) keyValue(e *unstable.Node, path []string, index []int) {
	keys, line := l.key(e)
	path = append(slices.Clip(path), keys...)
	index = slices.Clip(index)
	for range keys {
		index = append(index, -1)
	}
	l.note(path, index, line)
	l.value(e.Value(), path, index, line)
}

func (l *liner) value(v *unstable.Node, path []string, index []int, line int) {
	children := v.Children()
	switch v.Kind {
	case unstable.InlineTable:
		for children.Next() {
			l.keyValue(children.Node(), path, index)
		}
	case unstable.Array:
		for i := 0; children.Next(); i++ {
			at := slices.Clone(index)
			at[len(at)-1] = i
			l.note(path, at, line)
			l.value(children.Node(), path, at, line)
		}
	}
}

// key returns the parts of a node's key and the line of the first.
func (l *liner) key(e *unstable.Node) (keys []string, line int) {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if line == 0 {
			line = l.lineAt(int(n.Raw.Offset))
		}
		keys = append(keys, string(n.Data))
	}
	return keys, line
}

func (l *liner) lineAt(offset int) int {
	if offset < l.offset {
		l.offset, l.line = 0, 1
	}
	l.line += bytes.Count(l.data[l.offset:offset], []byte{'\n'})
	l.offset = offset
	return l.line
}

// note keeps the first line of a place and of the tables around it.
func (l *liner) note(path []string, index []int, line int) {
	for n := len(path); n > 0; n-- {
		at := place(path[:n], index[:n])
		if _, known := l.lines[at]; !known {
			l.lines[at] = line
		}
	}
}
