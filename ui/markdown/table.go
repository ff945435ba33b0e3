package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"confab/internal/termtext"
)

// maxWord is the longest word for which a column is made wide enough; longer ones, mostly addresses, are broken.
const maxWord = 12

type cell struct {
	inlineBuilder
	from  ast.Node // the parsed cell
	lines []string
}

// table draws a table of cells that are leaves: glamour's tables cut heads with an ellipsis, break Chinese before
// punctuation, and are wider than allowed when they have many columns. A table whose words do not fit is drawn row by
// row.
func (l *layout) table(n *east.Table, width int) (lines []string) {
	var rows [][]cell
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []cell
		for from := row.FirstChild(); from != nil; from = from.NextSibling() {
			cells = append(cells, cell{inlineBuilder: l.inline(from, row.Kind() == east.KindTableHeader), from: from})
		}
		rows = append(rows, cells)
	}
	if l.isPlain {
		return plainTable(rows)
	}
	widths := columnWidths(rows, len(n.Alignments), width)
	if widths == nil {
		return l.cards(rows, width)
	}
	used, rule := make([]int, len(widths)), make([]string, len(widths))
	for _, row := range rows {
		for i := range row[:min(len(row), len(widths))] {
			row[i].lines = l.leafLines(&row[i].inlineBuilder, widths[i])
			for _, line := range row[i].lines {
				used[i] = max(used[i], ansi.StringWidth(line))
			}
			rule[i] = strings.Repeat("─", used[i])
		}
	}
	for i, row := range rows {
		if i == 1 {
			lines = append(lines, l.styles.Faint.Render(strings.Join(rule, "─┼─")))
		}
		lines = append(lines, l.rowLines(row, used, n.Alignments)...)
	}
	return lines
}

// rowLines draws a row of a table, as many lines as its highest cell has.
func (l *layout) rowLines(row []cell, widths []int, alignments []east.Alignment) []string {
	height := 1
	for _, c := range row {
		height = max(height, len(c.lines))
	}
	lines := make([]string, height)
	for y := range lines {
		for i, c := range row[:min(len(row), len(widths))] {
			text, left := "", 0
			if y < len(c.lines) {
				text = c.lines[y]
			}
			switch free := widths[i] - ansi.StringWidth(text); alignments[i] {
			case east.AlignRight:
				left = free
			case east.AlignCenter:
				left = free / 2
			}
			if i > 0 {
				lines[y] += " " + l.styles.Faint.Render("│") + " "
			}
			lines[y] += termtext.Fit(strings.Repeat(" ", max(left, 0))+text, widths[i])
		}
	}
	return lines
}

func plainTable(rows [][]cell) (lines []string) {
	for _, row := range rows {
		var texts []string
		for _, c := range row {
			texts = append(texts, strings.ReplaceAll(textOf(c.runs), "\n", " "))
		}
		lines = append(lines, strings.Join(texts, " │ "))
	}
	return lines
}

// columnWidths divides width among the columns. Each gets the width of its longest word, up to maxWord; the rest goes
// in fair shares to those that need more. It returns nil when there is too little.
func columnWidths(rows [][]cell, columns, width int) []int {
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
func (l *layout) cards(rows [][]cell, width int) []string {
	head := rows[0]
	if len(rows) == 1 {
		rows = append(rows, nil)
	}
	var lines []string
	for _, row := range rows[1:] {
		for i := range max(len(row), len(head)) {
			c := inlineBuilder{emoji: l.styles.Emoji, source: l.source, leaf: ast.NewTextBlock(), indent: -1}
			if i < len(head) {
				c.copyChildren(c.leaf, head[i].from)
				if textOf(c.runs) != "" {
					c.addText(c.leaf, ": ")
				}
			}
			content := c.leaf
			if i == 0 {
				content = ast.NewEmphasis(2)
				c.leaf.AppendChild(c.leaf, content)
			}
			if i < len(row) {
				c.copyChildren(content, row[i].from)
			}
			lines = append(lines, l.cardLines(&c, i == 0, width)...)
		}
	}
	return lines
}

// cardLines draws a cell of a card behind the line at its left.
func (l *layout) cardLines(c *inlineBuilder, isTitle bool, width int) []string {
	edge := "│ "
	if isTitle {
		edge = "╭ "
	}
	lines := l.leafLines(c, width-2)
	for i := range lines {
		lines[i] = l.styles.Faint.Render(edge) + lines[i]
		edge = "│ "
	}
	return lines
}
