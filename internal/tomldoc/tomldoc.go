// Package tomldoc reads a TOML document into a flat list of entries, each with its line, so that readers of settings
// can name the line of what is wrong in their own words.
package tomldoc

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"confab/internal/termtext"

	"github.com/pelletier/go-toml/v2"
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
