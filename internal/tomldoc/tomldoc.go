// Package tomldoc reads a TOML document into a flat list of entries, each with its line, so that readers of settings
// can name the line of what is wrong in their own words.
package tomldoc

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"confab/internal/termtext"
)

// MaxBytes is the size of the largest document read.
const MaxBytes = 256 << 10

// Error is what is wrong with a document: a line, counted from 1 (0 when no
// line is to blame), and a clause for people that never repeats a value.
type Error struct {
	Line    int
	Message string
}

// Error returns "line N: message".
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Message)
}

// Entry is one value of a document, or a table without any value.
type Entry struct {
	Path    []string // the parts of its key, tables first
	Index   []int    // beside Path: the element's number in an array of tables, -1 elsewhere
	Line    int      // from 1
	Value   any      // string, int64, float64, bool, []any, or a time; nil for an empty table
	IsTable bool     // whether it is a table without values
}

// Label returns [Entry.Key] for an error sentence: cut, and with everything invisible escaped.
func (e Entry) Label() string { return termtext.Escape(e.Key()) }

// Key returns the path as TOML writes it: parts joined by dots, quoted where
// they must be, without the numbers of array elements.
func (e Entry) Key() string {
	parts := make([]string, len(e.Path))
	for i, p := range e.Path {
		parts[i] = p
		if p == "" || strings.ContainsFunc(p, needsQuotes) {
			parts[i] = strconv.Quote(p)
		}
	}
	return strings.Join(parts, ".")
}

func needsQuotes(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
}

// byteOrderMark begins the files of some Windows editors. TOML 1.0 does not name it, later drafts skip it.
const byteOrderMark = "\uFEFF"

// Parse reads a document and returns its entries in their order. A byte order mark at its start is skipped. A
// failure is an [*Error].
func Parse(data []byte) ([]Entry, error) {
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	if len(data) > MaxBytes {
		return nil, &Error{Message: fmt.Sprintf("the file is larger than %d KiB", MaxBytes>>10)}
	}
	entries, err := readKeys(data) // before the library decodes, whose memory grows with what is judged here
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	if err := toml.Unmarshal(data, &values); err != nil {
		return nil, describe(err)
	}
	var whole []Entry
	for _, e := range entries {
		if e, ok := e.withValue(values); ok {
			whole = append(whole, e)
		}
	}
	return whole, nil
}

// Embedded decodes a document that is a part of the program. It panics where the document is malformed, which only a
// faulty build can cause.
func Embedded[T any](name string, document []byte) (v T) {
	if err := toml.Unmarshal(document, &v); err != nil {
		panic(name + ": " + err.Error())
	}
	return v
}

// withValue returns the entry with its value in the decoded document. ok is false for a table with values, whose values
// are entries of their own.
func (e Entry) withValue(document map[string]any) (_ Entry, ok bool) {
	var value any = document
	for i, part := range e.Path {
		table, ok := value.(map[string]any)
		if !ok {
			return e, false
		}
		value = table[part]
		if list, isList := value.([]any); isList && e.Index[i] >= 0 && e.Index[i] < len(list) {
			value = list[e.Index[i]]
		}
	}
	if table, isTable := value.(map[string]any); isTable || e.IsTable {
		return e, isTable && len(table) == 0
	}
	e.Value = value
	return e, value != nil
}

// describe turns the library's error into one of ours. Its text may quote a
// character or a key of the document, never a value.
func describe(err error) *Error {
	e := &Error{Message: strings.TrimPrefix(err.Error(), "toml: ")}
	var d *toml.DecodeError
	if errors.As(err, &d) {
		e.Line, _ = d.Position()
	}
	const most = 2 * termtext.MaxQuoted // the message may quote a whole key
	if len(e.Message) > most {
		e.Message = strings.ToValidUTF8(e.Message[:most], "") + "…"
	}
	return e
}

// The bounds of a document's keys. The cost of reading a document is about the number of its keys times the
// length of their paths, and a file of 40 KB with dotted keys of thousands of parts took gigabytes.
const (
	maxKeys      = 5_000 // and tables, and elements of arrays of tables
	maxPathParts = 32    // of a key with the tables that it stands in
	maxPathBytes = 512
	maxDepth     = 64 // of arrays and inline tables within each other; the library parses at most 10,000
)

// keyReader finds the keys and tables of a document.
type keyReader struct {
	parser  unstable.Parser
	data    []byte
	offset  int // up to where newlines are counted: keys come in order
	line    int // at offset
	entries []Entry
	counts  map[string]int // elements seen of each array of tables, by path
	keys    int
	depth   int    // of the value that is read
	err     *Error // the first bound that the document breaks
}

// readKeys returns an entry without its value for every key and table of the document, or an [*Error] when its keys
// are too many or too long. It stops at a syntax error without saying so: the library words those better when it
// decodes.
func readKeys(data []byte) ([]Entry, error) {
	r := &keyReader{data: data, line: 1, counts: map[string]int{}}
	r.parser.Reset(data)
	var table Entry
	for r.err == nil && r.parser.NextExpression() {
		node := r.parser.Expression()
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = r.header(node)
			r.entries = append(r.entries, table)
		case unstable.KeyValue:
			r.keyValue(node, table, true)
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return r.entries, nil
}

// header reads a [table] or the next element of a [[table]].
func (r *keyReader) header(node *unstable.Node) Entry {
	e := r.key(node, Entry{})
	e.IsTable = true
	name := ""
	for i, part := range e.Path {
		name += part + "\x00"
		if node.Kind == unstable.ArrayTable && i == len(e.Path)-1 {
			r.counts[name]++
		}
		e.Index[i] = r.counts[name] - 1 // the newest element, -1 where that part is no array of tables
		name += fmt.Sprint(e.Index[i], "\x00")
	}
	return e
}

// keyValue reads a key of a table with its value. Without keeps its entries are counted only.
func (r *keyReader) keyValue(node *unstable.Node, table Entry, keeps bool) {
	if e := r.key(node, table); r.err == nil {
		r.value(node.Value(), e, keeps)
	}
}

func (r *keyReader) value(v *unstable.Node, e Entry, keeps bool) {
	if r.depth++; r.depth > maxDepth && r.err == nil {
		r.err = &Error{Line: e.Line, Message: "brackets nest too deeply"}
	}
	defer func() { r.depth-- }()
	isFlat := true // the entry stands for the whole value
	children := v.Children()
	switch v.Kind {
	case unstable.InlineTable:
		for r.err == nil && children.Next() {
			isFlat = false
			r.keyValue(children.Node(), e, keeps)
		}
	case unstable.Array:
		isFlat = !isArrayOfTables(v)
		for i := 0; r.err == nil && children.Next(); i++ {
			if k := children.Node().Kind; k == unstable.InlineTable || k == unstable.Array {
				r.count(e.Line)
				element := e
				element.Index = slices.Clone(e.Index)
				element.Index[len(e.Index)-1] = i
				r.value(children.Node(), element, keeps && !isFlat)
			}
		}
	}
	if keeps && isFlat {
		e.IsTable = v.Kind == unstable.InlineTable
		r.entries = append(r.entries, e)
	}
}

// isArrayOfTables reports whether an array has elements, and all of them are tables.
func isArrayOfTables(array *unstable.Node) bool {
	n := 0
	for children := array.Children(); children.Next(); n++ {
		if children.Node().Kind != unstable.InlineTable {
			return false
		}
	}
	return n > 0
}

// key returns an entry for a node's key below a table, with the line of its first part.
func (r *keyReader) key(node *unstable.Node, table Entry) Entry {
	e := Entry{Path: slices.Clone(table.Path), Index: slices.Clone(table.Index)}
	size := len(strings.Join(e.Path, ""))
	for it := node.Key(); it.Next(); {
		part := it.Node()
		if e.Line == 0 {
			e.Line = r.lineAt(int(part.Raw.Offset))
		}
		size += len(part.Data)
		if len(e.Path) == maxPathParts || size > maxPathBytes {
			r.err = &Error{Line: e.Line,
				Message: fmt.Sprintf("the key has more than %d parts or %d bytes", maxPathParts, maxPathBytes)}
			return e
		}
		e.Path, e.Index = append(e.Path, string(part.Data)), append(e.Index, -1)
	}
	r.count(e.Line)
	return e
}

// count bounds how many keys, tables and elements there are.
func (r *keyReader) count(line int) {
	if r.keys++; r.keys > maxKeys && r.err == nil {
		r.err = &Error{Line: line, Message: fmt.Sprintf("the file has more than %d keys", maxKeys)}
	}
}

func (r *keyReader) lineAt(offset int) int {
	if offset < r.offset {
		r.offset, r.line = 0, 1
	}
	r.line += bytes.Count(r.data[r.offset:offset], []byte{'\n'})
	r.offset = offset
	return r.line
}
