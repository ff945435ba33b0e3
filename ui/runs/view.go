package runs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
	"confab/service/suite"
	"confab/themes"
	"confab/ui/widget"
)

// View implements [part.Pane].
func (v *View) View() []string {
	c := v.content()
	if !v.isOpen() {
		return widget.FillLines([]string{"", v.styles.Muted.On("  No table is open.")}, v.w, v.h)
	}
	t := c.table()
	head, body, status := v.headLines(c), v.tableLines(t), v.statusLines(c)
	if !v.layout.hasBox {
		return widget.FillLines(slices.Concat(head, body, status), v.w, v.h)
	}
	// The lines of the box are as wide as the view already.
	body = widget.BoxLines(widget.Box{W: v.w, H: len(body) + 2, Title: v.boxTitle(t), Right: v.boxPosition(t),
		Focused: v.focused, Styles: v.styles}, body)
	above, below := v.layout.headLines, v.h-v.layout.headLines-len(body)
	return slices.Concat(widget.FillLines(head, v.w, above), body, widget.FillLines(status, v.w, below))
}

func (v *View) toneStyle(t suite.Tone) themes.Style {
	s := v.styles
	return *[...]*themes.Style{suite.TonePlain: &s.Text, suite.ToneGood: &s.Success, suite.ToneBad: &s.Danger,
		suite.ToneWarning: &s.Warning, suite.ToneRunning: &s.Info, suite.ToneFaint: &s.Faint}[t]
}

func (v *View) headLines(c tableContent) []string {
	name, right, state := c.header(v)
	if v.layout.headLines < 2 {
		return []string{v.justified(name, right)}
	}
	if v.comparison != nil || !v.isLive() {
		right = ""
	}
	return []string{v.justified(name, right), " " + state}
}

// justified puts one text on the left and one on the right of a line. The left one is cut first.
func (v *View) justified(left, right string) string {
	width := v.w - 3
	if right != "" {
		right = ansi.Truncate(right, max(width-2, 0), "…")
		width -= ansi.StringWidth(right) + 2
	}
	left = ansi.Truncate(left, max(width, 0), "…")
	gap := max(width-ansi.StringWidth(left), 0)
	if right != "" {
		gap++
	}
	return v.styles.Accent.On(" ▌ ") + left + strings.Repeat(" ", gap) + v.styles.Muted.On(right)
}

func (v *View) runName(f history.Run) string {
	return v.styles.Strong.On(suite.OneLine(f.Suite)) + "  " + v.styles.Text.On(fmt.Sprintf("run %d", f.ID))
}

func (v *View) boxTitle(t *runTable) string {
	rows := format.Count(len(t.Rows), "row")
	switch {
	case t.isFiltered:
		return fmt.Sprintf("only the %d of %s %s", len(t.listed), rows, t.words.attention)
	case v.totals != nil:
		return "totals"
	case v.showsResults() && v.isRun():
		return v.results.results.Extent()
	}
	return rows // the extent of turns is above the box
}

// boxPosition describes the visible part of a table that does not fit.
func (v *View) boxPosition(t *runTable) string {
	var parts []string
	if v.layout.columns < len(t.Columns) {
		parts = append(parts, fmt.Sprintf("columns %d–%d", t.firstColumn+1, t.firstColumn+v.layout.columns))
	}
	if n := len(t.listed); n > v.layout.rows {
		parts = append(parts, fmt.Sprintf("rows %d–%d of %d", t.firstRow+1, t.firstRow+v.layout.rows, n))
	}
	return strings.Join(parts, "  ")
}

// tableLines draws the names of the columns, the visible rows, and the totals below the last row.
func (v *View) tableLines(t *runTable) []string {
	l, state := v.layout, v.state()
	height := l.rows + l.rules + l.totals + 1
	lines := append(make([]string, 0, height), v.columnLine(t))
	for i := t.firstRow; i < len(t.listed) && i < t.firstRow+l.rows; i++ {
		if l.hasGaps && i > 0 && t.startsGroup(t.listed[i]) {
			lines = append(lines, "")
		}
		lines = append(lines, v.rowLine(t, i, state))
	}
	if len(t.listed) == 0 {
		lines = append(lines, strings.Repeat(" ", l.nameStart())+v.styles.Muted.On("nothing to show"))
	}
	if l.rules > 0 {
		lines = append(lines, v.styles.Faint.On(strings.Repeat("─", max(v.w-l.border(), 0))))
	}
	for _, total := range t.Totals[:min(l.totals, len(t.Totals))] {
		lines = append(lines, v.totalLine(t, total))
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines
}

// columnLine names the columns; ‹ and › count those outside the window.
func (v *View) columnLine(t *runTable) string {
	l, s := v.layout, v.styles
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", l.nameStart()))
	mark := ""
	if t.firstColumn > 0 {
		mark = fmt.Sprintf("‹ %d", t.firstColumn)
	}
	width := max(l.nameWidth-utf8.RuneCountInString(mark), 0)
	b.WriteString(s.Muted.On(termtext.Fit(t.Heading, width)) + s.Accent.On(mark))
	models := s.ModelStyles(t.Models)
	if t.Models == nil {
		models = slices.Repeat([]themes.Style{s.Text}, len(t.Columns))
	}
	for i := range l.columns {
		col, mark := t.firstColumn+i, ""
		if more := len(t.Columns) - t.firstColumn - l.columns; i == l.columns-1 && more > 0 {
			mark = fmt.Sprintf(" %d ›", more)
		}
		style := models[col]
		if col == t.column {
			style = style.Inherit(s.Strong)
		}
		number, width := strconv.Itoa(col+1)+" ", l.cellWidth-utf8.RuneCountInString(mark)
		if t.IsPlain {
			number = ""
		}
		text := t.fit(number+termtext.CutName(t.Columns[col], width-len(number), t.Columns), width)
		b.WriteString("  " + style.On(text) + s.Accent.On(mark))
	}
	return b.String()
}

// fit makes the text of a cell w cells wide; figures end below each other.
func (t *runTable) fit(text string, w int) string {
	if t.IsPlain {
		text = strings.Repeat(" ", max(w-ansi.StringWidth(text), 0)) + text
	}
	return termtext.Fit(text, w)
}

func (v *View) rowLine(t *runTable, i int, state suite.CellState) string {
	l, s, row := v.layout, v.styles, t.listed[i]
	var b strings.Builder
	b.Grow(2 * v.w)
	bar, style := " ", s.Text
	if i == t.focusIndex() {
		bar, style = s.Accent.On("▌"), s.Strong
	}
	b.WriteString(bar + " ")
	if l.numberWidth > 0 {
		b.WriteString(s.Faint.On(fmt.Sprintf("%*d ", l.numberWidth-1, row+1)))
	}
	if t.RowModels != nil {
		style = s.ModelStyles(t.RowModels)[row].Inherit(style)
	}
	name := t.Rows[row]
	if !t.IsPlain {
		name = termtext.CutName(name, l.nameWidth, t.Rows)
	}
	b.WriteString(style.On(termtext.Fit(name, l.nameWidth)))
	for col := t.firstColumn; col < t.firstColumn+l.columns && col < len(t.Columns); col++ {
		c := t.CellAt(row, col)
		text := t.fit(c.Text(l.cellWidth, state), l.cellWidth)
		mark := "  "
		if v.isPinned(row, col) {
			mark = s.Accent.On(pinnedSign) + " "
		}
		if i == t.focusIndex() && col == t.column {
			b.WriteString(mark[:len(mark)-1] + s.SelectedMark.On("▌") + s.Selected.On(text))
			continue
		}
		b.WriteString(mark)
		b.WriteString(v.toneStyle(c.Tone()).On(text))
	}
	if i == t.focusIndex() {
		return s.Surface.Behind(termtext.Fit(b.String(), v.w-l.border()))
	}
	return b.String()
}

func (v *View) totalLine(t *runTable, total suite.TotalsRow) string {
	l := v.layout
	width := l.nameStart() + l.nameWidth
	var b strings.Builder
	b.WriteString(v.styles.Muted.On(termtext.Fit(" "+total.Label(width-3), width)))
	for col := t.firstColumn; col < t.firstColumn+l.columns && col < len(t.Columns); col++ {
		text, tone := total.Text(col, l.cellWidth)
		b.WriteString("  " + v.toneStyle(tone).On(termtext.Fit(text, l.cellWidth)))
	}
	return b.String()
}

// statusLines draws the facts of the focused cell, then those of its row.
func (v *View) statusLines(c tableContent) []string {
	cell, row := c.facts(v.state())
	w, height := max(v.w-2, 1), v.layout.status
	if height < 2 {
		return []string{" " + v.styles.Text.On(ansi.Truncate(cell, w, "…"))}
	}
	out := make([]string, 0, height)
	for _, line := range wrapped(cell, w, height-1) {
		out = append(out, " "+v.styles.Text.On(line))
	}
	for _, line := range wrapped(row, w, height-len(out)) {
		out = append(out, " "+v.styles.Muted.On(line))
	}
	return out
}

// wrapped breaks a text into at most n lines and cuts the last one.
func wrapped(text string, w, n int) []string {
	lines := termtext.Wrap(text, w)
	if len(lines) > n {
		rest := strings.Join(lines[n-1:], " ")
		lines = append(lines[:n-1:n-1], ansi.Truncate(rest, w, "…"))
	}
	return lines
}
