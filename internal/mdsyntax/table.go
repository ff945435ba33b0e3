package mdsyntax

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// ParagraphTransformers returns the parser of tables, with precedence over goldmark's.
func ParagraphTransformers() []util.PrioritizedValue {
	return []util.PrioritizedValue{util.Prioritized(tableTransformer{extension.NewTableParagraphTransformer()}, 190)}
}

// tableTransformer keeps the surplus cells of rows, which goldmark drops: a | within code separates no cells, and
// other surplus cells become part of the last one.
type tableTransformer struct{ parser.ParagraphTransformer }

// Transform converts a paragraph with a table to one.
func (t tableTransformer) Transform(n *ast.Paragraph, reader text.Reader, pc parser.Context) {
	parent, before := n.Parent(), n.PreviousSibling()
	t.ParagraphTransformer.Transform(n, reader, pc)
	found := parent.FirstChild()
	if before != nil {
		found = before.NextSibling()
	}
	if found == n {
		found = n.NextSibling()
	}
	table, ok := found.(*east.Table)
	if !ok {
		return
	}
	for row := table.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
		restoreCells(row, reader.Source())
	}
}

// restoreCells adds surplus text to the last cell of a row.
func restoreCells(row ast.Node, source []byte) {
	last := row.LastChild()
	if last == nil || last.Lines().Len() == 0 {
		return
	}
	line := source[row.Pos():]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	content := trimmed(row.Pos(), row.Pos()+len(line), source)
	if content.Start < content.Stop && source[content.Start] == '|' {
		content.Start++
	}
	if content.Start < content.Stop && source[content.Stop-1] == '|' {
		content.Stop--
	}
	content = content.TrimRightSpace(source)
	end := last.Lines().At(0)
	if end.Stop >= content.Stop {
		return
	}
	cells := splitCells(content, source)
	if len(cells) > row.ChildCount() {
		last.Lines().Set(0, end.WithStop(content.Stop))
		return
	}
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		cell.SetLines(text.NewSegments())
		if len(cells) > 0 {
			cell.Lines().Append(cells[0])
			cells = cells[1:]
		}
	}
}

// splitCells splits a row at each | that is neither within code nor escaped.
func splitCells(row text.Segment, source []byte) (cells []text.Segment) {
	start := row.Start
	for at := row.Start; at < row.Stop; at++ {
		switch source[at] {
		case '\\':
			at++
		case '`':
			rest := source[at:row.Stop]
			marks := rest[:len(rest)-len(bytes.TrimLeft(rest, "`"))]
			at += len(marks) - 1
			if end := bytes.Index(rest[len(marks):], marks); end >= 0 {
				at += end + len(marks)
			}
		case '|':
			cells = append(cells, trimmed(start, at, source))
			start = at + 1
		}
	}
	return append(cells, trimmed(start, row.Stop, source))
}

// trimmed returns a segment without blanks at either end.
func trimmed(start, stop int, source []byte) text.Segment {
	s := text.NewSegment(start, stop)
	s = s.TrimLeftSpace(source)
	return s.TrimRightSpace(source)
}
