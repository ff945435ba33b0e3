package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	east "github.com/yuin/goldmark/extension/ast"
)

// maxWord is the longest word a column makes room for; longer ones, addresses
// most of all, are broken.
const maxWord = 12

// cell is one cell of a table.
type cell []span

// table renders a table: in columns as wide as what they hold, broken to fit, or
// row by row where the words do not. Lip Gloss's table (v2.0.6) cuts heads with …
// instead of breaking them, breaks Chinese before punctuation, and is wider than
// it was told when it has many columns.
func (l *layout) table(n *east.Table, width int, k ink) []string {
	var rows [][]cell
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		look := k
		if row.Kind() == east.KindTableHeader {
			look.bold = true
		}
		var cells []cell
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cells = append(cells, trimCell(l.inline(c, l.source, look)))
		}
		rows = append(rows, cells)
	}
	if len(rows) == 0 {
		return nil
	}
	columns := len(n.Alignments)
	widths := columnWidths(rows, columns, width-3*(columns-1))
	if widths == nil {
		return l.records(rows, width)
	}
	var lines []string
	for i, row := range rows {
		lines = append(lines, l.row(row, widths, n.Alignments)...)
		if i == 0 {
			lines = append(lines, l.draw([]span{{text: tableRule(widths), ink: l.inks.faint}}))
		}
	}
	return lines
}

// trimCell drops blanks at both ends of a cell.
func trimCell(c cell) cell {
	if len(c) > 0 {
		c[0].text = strings.TrimLeft(c[0].text, " ")
		c[len(c)-1].text = strings.TrimRight(c[len(c)-1].text, " ")
	}
	return c
}

// columnWidths shares room between the columns. Each gets room for its longest
// word, up to maxWord; the rest goes to those that need more, in fair shares. It
// returns nil when there is too little room.
func columnWidths(rows [][]cell, columns, room int) []int {
	need, word := make([]int, columns), make([]int, columns)
	for _, row := range rows {
		for i, c := range row[:min(len(row), columns)] {
			for _, line := range wrap(c, 1<<20) {
				need[i] = max(need[i], spansWidth(line))
				word[i] = max(word[i], longestWord(line))
			}
		}
	}
	widths := make([]int, columns)
	order := make([]int, columns)
	for i := range widths {
		order[i] = i
		widths[i] = max(min(need[i], word[i]), 1)
		room -= widths[i]
	}
	if room < 0 {
		return nil
	}
	slices.SortStableFunc(order, func(a, b int) int { return (need[a] - widths[a]) - (need[b] - widths[b]) })
	for i, c := range order {
		extra := min(need[c]-widths[c], room/(columns-i))
		widths[c] += max(extra, 0)
		room -= max(extra, 0)
	}
	return widths
}

// longestWord returns the cells of the longest word of a line, at most maxWord.
func longestWord(line []span) int {
	var b strings.Builder
	for _, s := range line {
		b.WriteString(s.text)
	}
	longest := 0
	for w := range strings.FieldsSeq(b.String()) {
		n := min(ansi.StringWidth(w), maxWord)
		if r, _ := utf8.DecodeRuneInString(w); r >= 0x2e80 { // may be broken anywhere
			n = min(n, 4)
		}
		longest = max(longest, n)
	}
	return longest
}

// row draws one row, as many lines high as its highest cell.
func (l *layout) row(cells []cell, widths []int, align []east.Alignment) []string {
	broken := make([][][]span, len(widths))
	height := 1
	for i := range widths {
		if i < len(cells) {
			broken[i] = wrap(cells[i], widths[i])
			height = max(height, len(broken[i]))
		}
	}
	bar := l.draw([]span{{text: " │ ", ink: l.inks.faint}})
	lines := make([]string, height)
	for y := range lines {
		var b strings.Builder
		for i, w := range widths {
			if i > 0 {
				b.WriteString(bar)
			}
			var content []span
			if y < len(broken[i]) {
				content = broken[i][y]
			}
			gap := w - spansWidth(content)
			left := 0
			switch align[i] {
			case east.AlignRight:
				left = gap
			case east.AlignCenter:
				left = gap / 2
			}
			b.WriteString(strings.Repeat(" ", max(left, 0)))
			b.WriteString(l.draw(content))
			b.WriteString(strings.Repeat(" ", max(gap-left, 0)))
		}
		lines[y] = b.String()
	}
	return lines
}

func tableRule(widths []int) string {
	parts := make([]string, len(widths))
	for i, w := range widths {
		parts[i] = strings.Repeat("─", w)
	}
	return strings.Join(parts, "─┼─")
}

// records draws a table that is too wide row by row, each cell after the head of
// its column.
func (l *layout) records(rows [][]cell, width int) []string {
	var lines []string
	head := rows[0]
	if len(rows) == 1 {
		rows = append(rows, nil)
	}
	for _, row := range rows[1:] {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		for i := range max(len(row), len(head)) {
			var spans []span
			if i < len(head) {
				spans = append(spans, head[i]...)
				spans = append(spans, span{text: ": ", ink: l.inks.muted})
			}
			if i < len(row) {
				spans = append(spans, row[i]...)
			}
			for _, line := range wrap(spans, width) {
				lines = append(lines, l.draw(line))
			}
		}
	}
	return lines
}

func spansWidth(spans []span) int {
	n := 0
	for _, s := range spans {
		n += ansi.StringWidth(s.text)
	}
	return n
}
