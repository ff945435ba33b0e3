package config

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"confab/internal/termtext"
)

// The bounds of a file. go-toml takes time with the square of the number of keys, above all for unknown ones.
const (
	maxBytes     = 256 << 10
	maxKeys      = 2_000 // and tables, and tables and lists in lists
	maxPathParts = 32    // of a key, without its table
	maxPathBytes = 512   // of a key with its table
	maxDepth     = 64    // of lists and inline tables within each other
)

// lineReader finds the lines of keys, which go-toml does not report.
type lineReader struct {
	path   string // of the file
	data   []byte
	lines  map[string]int // by path, such as "service.base_url" or "routes[0].models"
	counts map[string]int // tables of each list of tables, by path
	err    error
}

// readLines returns the lines of all keys and tables by their paths. It stops at a syntax error, which go-toml
// reports later; its own error is that of a bound.
func readLines(path string, data []byte) (map[string]int, error) {
	r := &lineReader{path: path, data: data, lines: map[string]int{}, counts: map[string]int{}}
	var parser unstable.Parser
	parser.Reset(data)
	table := ""
	for r.err == nil && parser.NextExpression() {
		switch node := parser.Expression(); node.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = r.key(node, "")
		case unstable.KeyValue:
			r.value(node.Value(), r.key(node, table), 0)
		}
	}
	return r.lines, r.err
}

// key returns the path of a key below a table and records its line.
func (r *lineReader) key(node *unstable.Node, path string) string {
	line, parts := 0, 0
	for it := node.Key(); it.Next(); parts++ {
		name := string(it.Node().Data)
		if line == 0 {
			line = 1 + bytes.Count(r.data[:it.Node().Raw.Offset], []byte{'\n'})
		}
		isFree := strings.HasPrefix(path, "keys") || path == "suite.providers" || strings.Contains(path, ".params")
		path = strings.TrimPrefix(path+"."+quoteKey(name), ".")
		switch {
		case len(path) > maxPathBytes || parts == maxPathParts:
			r.fail(line, "the key has more than %d parts or %d bytes", maxPathParts, maxPathBytes)
			return path
		case name != strings.ToLower(name) && !isFree: // go-toml would take it
			r.fail(line, "%s must be written in small letters", termtext.Escape(path))
		case node.Kind == unstable.Table && it.IsLast() && isListOfTables(path): // the same
			r.fail(line, "%s stands in [%s]; write [[%s]], with double brackets", path, path, path)
		case node.Kind == unstable.ArrayTable && it.IsLast():
			r.counts[path]++
		}
		if n := r.counts[path]; n > 0 {
			path += fmt.Sprintf("[%d]", n-1)
		}
	}
	r.note(path, line)
	return path
}

func isListOfTables(path string) bool {
	return path == "models.custom" || path == "routes" || path == "prices"
}

// value reads the keys within a value.
func (r *lineReader) value(node *unstable.Node, path string, depth int) {
	if depth > maxDepth {
		r.fail(r.lines[path], "brackets nest too deeply")
	}
	if node.Kind != unstable.Array && node.Kind != unstable.InlineTable {
		return
	}
	children := node.Children()
	for i := 0; r.err == nil && children.Next(); i++ {
		switch child := children.Node(); child.Kind {
		case unstable.KeyValue:
			r.value(child.Value(), r.key(child, path), depth+1)
		case unstable.Array, unstable.InlineTable:
			element := fmt.Sprintf("%s[%d]", path, i)
			r.note(element, r.lines[path])
			r.value(child, element, depth+1)
		}
	}
}

func (r *lineReader) note(path string, line int) {
	if r.lines[path] = line; len(r.lines) > maxKeys {
		r.fail(line, "the file has more than %d keys", maxKeys)
	}
}

func (r *lineReader) fail(line int, format string, args ...any) {
	if r.err == nil {
		r.err = failure("%s%s.", at(r.path, line), clean(fmt.Sprintf(format, args...)))
	}
}
