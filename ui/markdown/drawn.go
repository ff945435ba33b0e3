package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"confab/internal/termtext"
)

// PlainText returns a text as it reads when it is drawn, without its markup and without styles or lines broken to a
// width.
func PlainText(text string) string {
	p := newParser()
	var out []string
	for _, b := range Split(text) {
		source := termtext.Clean(b.head + trimBlank(b.Source, b.IsContinuation))
		d := drawnText{source: []byte(source), number: b.number}
		isText := b.IsPlain || b.Kind == Definitions || b.Kind == Footnotes
		if isText || !b.isFenced() && (limitNesting(source) != source || isCostly(source)) {
			out = append(out, strings.Trim(termtext.Clean(b.Source), "\n"))
			continue
		}
		lines := d.blocks(b.parse(p, source), true)
		if b.IsContinuation && len(out) > 0 {
			lines = append([]string{out[len(out)-1]}, lines...)
			out = out[:len(out)-1]
		}
		out = append(out, strings.Join(lines, "\n"))
	}
	return strings.Join(out, "\n\n")
}

// drawnText reads the text of one parsed block.
type drawnText struct {
	source []byte
	number int // of the first item of a list, 0 for as it says
}

// blocks returns the lines of the children of n, with an empty line between them when loose.
func (d *drawnText) blocks(n ast.Node, loose bool) (lines []string) {
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if loose && len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, d.block(child)...)
	}
	return lines
}

func (d *drawnText) block(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.ThematicBreak:
		return []string{"───"}
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return strings.Split(strings.TrimRight(linesOf(n, d.source), "\n"), "\n")
	case *ast.Blockquote:
		return indented(d.blocks(n, true), "│ ", "│ ")
	case *ast.List:
		return d.list(n)
	case *east.Table:
		return d.table(n)
	case *east.DefinitionList:
		return d.blocks(n, false)
	case *east.DefinitionDescription:
		return indented(d.blocks(n, false), "    ", "    ")
	}
	return strings.Split(d.inline(n), "\n")
}

// inline returns the text within n.
func (d *drawnText) inline(n ast.Node) string {
	c := inlineBuilder{source: d.source}
	c.copyChildren(ast.NewParagraph(), n)
	return strings.TrimSpace(textOf(c.runs))
}

func (d *drawnText) list(n *ast.List) (lines []string) {
	number := n.Start
	if d.number > 0 && n.Parent().Kind() == ast.KindDocument && n.PreviousSibling() == nil {
		number = d.number
	}
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "• "
		if n.IsOrdered() {
			marker = strconv.Itoa(number) + string(n.Marker) + " "
			number++
		}
		if box := taskBox(item); box != nil {
			if marker = "☐ "; box.IsChecked {
				marker = "☑ "
			}
		}
		if len(lines) > 0 && !n.IsTight {
			lines = append(lines, "")
		}
		lines = append(lines, indented(d.blocks(item, !n.IsTight), marker, strings.Repeat(" ", len([]rune(marker))))...)
	}
	return lines
}

func (d *drawnText) table(n *east.Table) (lines []string) {
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, strings.ReplaceAll(d.inline(cell), "\n", " "))
		}
		lines = append(lines, strings.Join(cells, " │ "))
	}
	return lines
}

// indented puts one text before the first line, and another before those after it.
func indented(lines []string, first, others string) []string {
	if len(lines) == 0 {
		lines = []string{""}
	}
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = first + line
		case line != "":
			lines[i] = others + line
		}
	}
	return lines
}
