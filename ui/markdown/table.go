package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// maxWord is the longest word for which a column is made wide enough; longer ones, mostly addresses, are broken.
const maxWord = 12

// cell is the content of one cell of a table.
type cell struct {
	inlineBuilder
	from ast.Node // the parsed cell
}

// table renders a table with glamour. The widths of the columns are decided and the cells broken here: glamour's tables
// cut heads with an ellipsis, break Chinese before punctuation, and are wider than allowed when they have many columns.
// A table whose words do not fit is drawn row by row.
func (l *layout) table(n *east.Table, width int) []string {
	table := east.NewTable()
	table.Alignments = n.Alignments
	var rows [][]*cell
	for from := n.FirstChild(); from != nil; from = from.NextSibling() {
		row, cells := ast.Node(east.NewTableRow(n.Alignments)), []*cell{}
		isHead := from.Kind() == east.KindTableHeader
		if isHead {
			row = east.NewTableHeader(east.NewTableRow(n.Alignments))
		}
		for c := from.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, l.cell(row, c, isHead))
		}
		table.AppendChild(table, row)
		rows = append(rows, cells)
	}
	if len(rows) == 0 {
		return nil
	}
	if l.isPlain {
		return plainTable(rows)
	}
	widths := columnWidths(rows, len(n.Alignments), width)
	if widths == nil {
		return l.cards(rows, width)
	}
	var source []byte
	for _, row := range rows {
		for i, c := range row {
			source = c.write(source, widths[min(i, len(widths)-1)])
		}
	}
	out, err := l.leaves.render(table, source)
	if err != nil {
		return l.cards(rows, width)
	}
	return l.tableLines(out, width)
}

// plainTable returns the rows of a table as they read.
func plainTable(rows [][]*cell) (lines []string) {
	for _, row := range rows {
		var texts []string
		for _, c := range row {
			texts = append(texts, strings.ReplaceAll(textOf(c.runs), "\n", " "))
		}
		lines = append(lines, strings.Join(texts, " │ "))
	}
	return lines
}

// cell copies a cell of a parsed table to row.
func (l *layout) cell(row, from ast.Node, isHead bool) *cell {
	c := &cell{inlineBuilder{source: l.source}, from}
	content := ast.Node(east.NewTableCell())
	row.AppendChild(row, content)
	if isHead {
		bold := ast.NewEmphasis(2)
		content.AppendChild(content, bold)
		content = bold
	}
	c.copyChildren(content, from)
	if n := len(c.runs); n > 0 {
		c.runs[0].text = strings.TrimLeft(c.runs[0].text, " ")
		c.runs[n-1].text = strings.TrimRight(c.runs[n-1].text, " ")
	}
	return c
}

// tableLines colors the lines between the cells, and removes the margin around them.
func (l *layout) tableLines(out string, width int) []string {
	faint := l.styles.Faint
	borders := strings.NewReplacer(string(column), faint.Render("│"), string(crossing), faint.Render("┼"),
		string(dash), faint.Render("─"))
	lines := strings.Split(restore.Replace(out), "\n")
	for i, line := range lines {
		line = ansi.Cut(line, 1, max(ansi.StringWidth(line)-1, 1))
		lines[i] = ansi.Truncate(borders.Replace(line), width, "…")
	}
	return lines
}

// columnWidths divides width among the columns. Each gets the width of its longest word, up to maxWord; the rest goes
// in fair shares to those that need more. It returns nil when there is too little.
func columnWidths(rows [][]*cell, columns, width int) []int {
	need, word := make([]int, columns), make([]int, columns)
	for _, row := range rows {
		for i, c := range row[:min(len(row), columns)] {
			for line := range strings.SplitSeq(textOf(c.runs), "\n") {
				need[i] = max(need[i], ansi.StringWidth(line))
				word[i] = max(word[i], longestWord(line))
			}
		}
	}
	free := width - 3*(columns-1)
	widths, order := make([]int, columns), make([]int, columns)
	for i := range widths {
		order[i] = i
		widths[i] = max(min(need[i], word[i]), 1)
		free -= widths[i]
	}
	if free < 0 {
		return nil
	}
	slices.SortStableFunc(order, func(a, b int) int { return (need[a] - widths[a]) - (need[b] - widths[b]) })
	for i, c := range order {
		extra := max(min(need[c]-widths[c], free/(columns-i)), 0)
		widths[c] += extra
		free -= extra
	}
	return widths
}

// longestWord returns the width of the longest word of a line, at most maxWord.
func longestWord(line string) int {
	longest := 0
	for w := range strings.FieldsSeq(line) {
		n := min(ansi.StringWidth(w), maxWord)
		if r, _ := utf8.DecodeRuneInString(w); r >= 0x2e80 { // can be broken anywhere
			n = min(n, 4)
		}
		longest = max(longest, n)
	}
	return longest
}

// cards draws a table that is too wide row by row: the cells of the first column as titles, the others each after the
// head of its column.
func (l *layout) cards(rows [][]*cell, width int) []string {
	head := rows[0]
	if len(rows) == 1 {
		rows = append(rows, nil)
	}
	var lines []string
	for _, row := range rows[1:] {
		for i := range max(len(row), len(head)) {
			paragraph, c := ast.NewTextBlock(), inlineBuilder{source: l.source}
			if i < len(head) {
				c.copyChildren(paragraph, head[i].from)
				if textOf(c.runs) != "" {
					c.addText(paragraph, ": ")
				}
			}
			content := ast.Node(paragraph)
			if i == 0 {
				content = ast.NewEmphasis(2)
				paragraph.AppendChild(paragraph, content)
			}
			if i < len(row) {
				c.copyChildren(content, row[i].from)
			}
			lines = append(lines, l.cardLines(paragraph, c, i == 0, width)...)
		}
	}
	return lines
}

// cardLines draws a cell of a card behind the line at its left.
func (l *layout) cardLines(n ast.Node, c inlineBuilder, isTitle bool, width int) []string {
	edge := "│ "
	if isTitle {
		edge = "╭ "
	}
	lines := l.leafLines(n, &c, width-2)
	for i := range lines {
		lines[i] = l.styles.Faint.Render(edge) + lines[i]
		edge = "│ "
	}
	return lines
}
