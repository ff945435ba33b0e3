package tomldoc

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// The bounds of a document's keys. The cost of reading a document is about the number of its keys times the
// length of their paths, and a file of 40 KB with dotted keys of thousands of parts took gigabytes.
const (
	maxKeys      = 5_000 // and tables, and elements of arrays of tables
	maxPathParts = 32    // of a key with the tables that it stands in
	maxPathBytes = 512
)

// lineIndex notes the line of every key and table of a document.
type lineIndex struct {
	parser unstable.Parser
	data   []byte
	offset int // up to where newlines are counted: keys come in order
	line   int // at offset
	lines  map[string]int
	counts map[string]int // elements seen of each array of tables
	keys   int
	err    *Error // the first bound that the document breaks
}

// indexLines returns the line of every place of the document, see [place], or an [*Error] when its keys are too
// many or too long. It stops at a syntax error without saying so: the library words those better when it decodes.
func indexLines(data []byte) (map[string]int, error) {
	l := &lineIndex{data: data, line: 1, lines: map[string]int{}, counts: map[string]int{}}
	l.parser.Reset(data)
	var path []string
	var index []int
	for l.err == nil && l.parser.NextExpression() {
		e := l.parser.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			path, index = l.header(e)
		case unstable.KeyValue:
			l.keyValue(e, path, index)
		}
	}
	if l.err != nil {
		return nil, l.err
	}
	return l.lines, nil
}

// header notes a [table] or the next element of a [[table]].
func (l *lineIndex) header(e *unstable.Node) ([]string, []int) {
	keys, line := l.key(e, nil)
	if l.err != nil {
		return nil, nil
	}
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
func (l *lineIndex) indexes(keys []string) []int {
	index := make([]int, 0, len(keys))
	for i := range keys {
		index = append(index, -1)
		if n := l.counts[place(keys[:i+1], index)]; n > 0 {
			index[i] = n - 1
		}
	}
	return index
}

func (l *lineIndex) keyValue(e *unstable.Node, path []string, index []int) {
	keys, line := l.key(e, path)
	if l.err != nil {
		return
	}
	path = append(slices.Clip(path), keys...)
	index = slices.Clip(index)
	for range keys {
		index = append(index, -1)
	}
	l.note(path, index, line)
	l.value(e.Value(), path, index, line)
}

func (l *lineIndex) value(v *unstable.Node, path []string, index []int, line int) {
	children := v.Children()
	switch v.Kind {
	case unstable.InlineTable:
		for l.err == nil && children.Next() {
			l.keyValue(children.Node(), path, index)
		}
	case unstable.Array:
		for i := 0; l.err == nil && children.Next(); i++ {
			if k := children.Node().Kind; k != unstable.InlineTable && k != unstable.Array {
				continue // nobody asks for the line of a plain element
			}
			if l.count(line); l.err != nil {
				return
			}
			at := slices.Clone(index)
			at[len(at)-1] = i
			l.note(path, at, line)
			l.value(children.Node(), path, at, line)
		}
	}
}

// key returns the parts of a node's key and the line of the first. It judges them together with the path of the
// tables around them.
func (l *lineIndex) key(e *unstable.Node, around []string) (keys []string, line int) {
	size := 0
	for _, part := range around {
		size += len(part)
	}
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if line == 0 {
			line = l.lineAt(int(n.Raw.Offset))
		}
		size += len(n.Data)
		if len(around)+len(keys) == maxPathParts || size > maxPathBytes {
			l.err = &Error{Line: line,
				Message: fmt.Sprintf("the key has more than %d parts or %d bytes", maxPathParts, maxPathBytes)}
			return nil, line
		}
		keys = append(keys, string(n.Data))
	}
	l.count(line)
	return keys, line
}

// count bounds how many keys, tables and elements there are.
func (l *lineIndex) count(line int) {
	if l.keys++; l.keys > maxKeys && l.err == nil {
		l.err = &Error{Line: line, Message: fmt.Sprintf("the file has more than %d keys", maxKeys)}
	}
}

func (l *lineIndex) lineAt(offset int) int {
	if offset < l.offset {
		l.offset, l.line = 0, 1
	}
	l.line += bytes.Count(l.data[l.offset:offset], []byte{'\n'})
	l.offset = offset
	return l.line
}

// note keeps the first line of a place and of the tables around it.
func (l *lineIndex) note(path []string, index []int, line int) {
	for n := len(path); n > 0; n-- {
		at := place(path[:n], index[:n])
		if _, known := l.lines[at]; known {
			return // and with it what is around it
		}
		l.lines[at] = line
	}
}
