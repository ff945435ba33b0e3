package runs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

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
	head, body, status := []string{v.headLine(c)}, v.tableLines(t), v.statusLines(c)
	if !v.layout.hasBox {
		return widget.FillLines(slices.Concat(head, body, status), v.w, v.h)
	}
	// The lines of the box are as wide as the view already.
	title, position := v.boxTitle(t)
	body = widget.BoxLines(widget.Box{W: v.w, H: len(body) + 2, Title: title, Right: position,
		Bottom: v.inTones(c.legend()), Focused: v.focused && !v.env.IsCovered(), Styles: v.styles}, body)
	if v.totals != nil {
		if box := v.totals.failedBox(v.h - headLines - len(body) - 1); box != nil {
			status = append(status[:1:1], box...)
		}
	}
	return slices.Concat(widget.FillLines(head, v.w, headLines), body,
		widget.FillLines(status, v.w, v.h-headLines-len(body)))
}

func (v *View) toneStyle(t suite.Tone) themes.Style {
	s := v.styles
	return *[...]*themes.Style{suite.TonePlain: &s.Text, suite.ToneGood: &s.Success, suite.ToneBad: &s.Danger,
		suite.ToneWarning: &s.Warning, suite.ToneRunning: &s.Info, suite.ToneMuted: &s.Muted,
		suite.ToneFaint: &s.Faint}[t]
}

// headLine draws the state of the table on the left, and as many facts as fit on the right.
func (v *View) headLine(c tableContent) string {
	state, facts := c.header(v)
	if !v.layout.hasBox { // whose border would have it
		_, position := v.boxTitle(c.table())
		facts = slices.Insert(facts, 0, position)
	}
	left := " " + ansi.Truncate(state, max(v.w-2, 0), "…")
	right := ""
	for _, fact := range facts {
		if more := strings.TrimPrefix(right+" · "+fact, " · "); ansi.StringWidth(left+more)+3 <= v.w {
			right = more
		}
	}
	return left + strings.Repeat(" ", max(v.w-1-ansi.StringWidth(left+right), 0)) + v.styles.Muted.On(right)
}

// boxTitle returns what the table has, and which part of it is visible if it does not fit, in the longest words that
// have space.
func (v *View) boxTitle(t *runTable) (title, position string) {
	rows := format.Count(len(t.Rows), "row")
	titles := []string{rows}
	switch {
	case t.isFiltered:
		only := fmt.Sprintf("Only the %d of %s", len(t.listed), rows)
		titles = []string{only + " " + t.words.attention, only}
	case v.totals != nil:
		titles = []string{"Totals"}
	case v.comparison != nil:
		extent := v.comparison.changes.Extent()
		titles = []string{extent + ", changed rows first", extent, rows}
	case v.showsResults():
		titles = []string{v.results.results.Extent(), rows}
	}
	var long, short []string
	if down := widget.ScrollPosition(t.firstRow, v.layout.rows, len(t.listed)); down != "" {
		long, short = append(long, "rows "+down), append(short, down)
	}
	if n := v.layout.columns(); n < len(t.Columns) {
		right := widget.Range(t.firstColumn, n, len(t.Columns)) + " →"
		long, short = append(long, "columns "+right), append(short, right)
	}
	const borders = 9 // cells beside two texts in the border
	for _, title = range titles {
		for _, parts := range [][]string{long, short} {
			if position = strings.Join(parts, "  "); ansi.StringWidth(title+position)+borders <= v.w {
				return title, position
			}
		}
	}
	return title, position
}

// tableLines draws the names of the columns, the visible rows, and the totals below the last row.
func (v *View) tableLines(t *runTable) []string {
	l, state := v.layout, v.state()
	height := l.heads + l.rows + l.rules + l.totals
	lines := make([]string, 0, height)
	for field := range l.heads {
		lines = append(lines, v.columnLine(t, field))
	}
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

// columnLine names the columns, with their numbers unless names are whole only without. Where their names have several
// lines, a field is on each.
func (v *View) columnLine(t *runTable, field int) string {
	l, s := v.layout, v.styles
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", l.nameStart()))
	columns, heading := t.Columns, t.rowName(-1, l.nameWidth, l)
	if l.heads > 1 {
		heading, columns = t.FieldNames[field], fieldTexts(t.ColumnFields, field)
	}
	b.WriteString(s.Muted.On(termtext.Fit(strings.TrimRight(heading, " "), l.namesEnd()-l.nameStart())))
	models := s.ModelStyles(t.Models)
	if t.Models == nil {
		models = slices.Repeat([]themes.Style{s.Text}, len(t.Columns))
	}
	head, cell := t.widestHead(), slices.Min(append(l.cellWidths, v.w))
	hasNumbers := t.ColumnFields != nil || head <= cell || head-t.numberWidth() > cell
	for i, width := range l.cellWidths {
		col := t.firstColumn + i
		style := models[col]
		if col == t.column {
			style = style.Inherit(s.Strong)
		}
		number := strconv.Itoa(col+1) + " "
		switch {
		case t.IsPlain, !hasNumbers:
			number = ""
		case field > 0:
			number = strings.Repeat(" ", len(number))
		}
		name := termtext.CutName(columns[col], width-len(number), columns)
		if t.HeadAt != nil {
			name = t.HeadAt(col, width)
		}
		text := t.fit(number+name, width)
		b.WriteString("  " + style.On(text))
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
		b.WriteString(s.Faint.On(fmt.Sprintf("%*d ", l.numberWidth-1, t.Number(row))))
	}
	if model, ok := v.rowModel(t, row); ok {
		style = model.Inherit(style)
	}
	b.WriteString(v.rowName(t, row, style))
	if l.barWidth > 0 {
		b.WriteString(strings.Repeat(" ", gutter) + v.totals.bar(row, l.barWidth))
	}
	isPadded := false // the selected cell has taken a cell of the gap after it
	for at, w := range l.cellWidths {
		col := t.firstColumn + at
		c := t.CellAt(row, col)
		text := t.fit(c.Text(w, state), w)
		mark := "  "
		if v.isPinned(row, col) {
			mark = s.Accent.On(pinnedSign) + " "
		}
		if isPadded {
			mark = " "
		}
		if isPadded = i == t.focusIndex() && col == t.column; isPadded {
			isPadded = l.hasBox && !v.isPinned(row, col+1)
			if isPadded {
				text += " "
			}
			b.WriteString(mark[:len(mark)-1] + s.SelectedMark.On("▌") + s.Selected.On(text))
			continue
		}
		b.WriteString(mark)
		b.WriteString(v.cellText(t, c, w, state))
	}
	if i == t.focusIndex() {
		return s.Surface.Behind(termtext.Fit(b.String(), v.w-l.border()))
	}
	return b.String()
}

// cellText draws the text of a cell in its tone, or its parts in theirs, w cells wide.
func (v *View) cellText(t *runTable, c suite.CellText, w int, state suite.CellState) string {
	parted, isParted := c.(suite.PartedText)
	if !isParted {
		return v.toneStyle(c.Tone()).On(t.fit(c.Text(w, state), w))
	}
	return t.fit(v.inTones(parted.Parts(w, state)), w)
}

// inTones draws parts of a text, each in its tone.
func (v *View) inTones(parts []suite.TextPart) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(v.toneStyle(p.Tone).On(p.Text))
	}
	return b.String()
}

// rowModel returns the style of the model of a row, and whether it is one.
func (v *View) rowModel(t *runTable, row int) (style themes.Style, ok bool) {
	if t.RowModels == nil || t.RowModels[row] == "" {
		return style, false
	}
	models := slices.DeleteFunc(slices.Clone(t.RowModels), func(slug string) bool { return slug == "" })
	return v.styles.ModelStyles(models)[slices.Index(models, t.RowModels[row])], true
}

// rowName draws the name of a row; the name of a group stands back.
func (v *View) rowName(t *runTable, row int, style themes.Style) string {
	l := v.layout
	name := termtext.Fit(t.rowName(row, l.nameWidth, l), l.nameWidth)
	if t.IsPlain && l.fields != nil {
		group := ansi.Truncate(name, l.fields[0], "")
		return v.styles.Muted.On(group) + style.On(strings.TrimPrefix(name, group))
	}
	return style.On(name)
}

func (v *View) totalLine(t *runTable, total suite.TotalsRow) string {
	l := v.layout
	width := l.namesEnd()
	var b strings.Builder
	b.WriteString(v.styles.Muted.On(termtext.Fit(" "+total.Label(width-3), width)))
	for i, w := range l.cellWidths {
		text, tone := total.Text(t.firstColumn+i, w)
		b.WriteString("  " + v.toneStyle(tone).On(termtext.Fit(text, w)))
	}
	return b.String()
}

// statusLines draws the facts of the focused cell, with its column where there is space, then those of its row.
func (v *View) statusLines(c tableContent) []string {
	column, cell, row := c.facts(v.state())
	w, height := max(v.w-2, 1), v.layout.status
	lines := max(height-1, 1)
	named, isCut := column+"  "+cell, v.cutsColumnName(c.table())
	if isCut && column != "" && len(termtext.Wrap(named, w)) <= lines {
		cell = named
	}
	out, cut := make([]string, 0, height), cutReason
	if v.comparison != nil { // the difference below says the rest
		cut = cutParts
	}
	if v.totals != nil {
		lines, cut = 1, cutClauses
	}
	if cell == "" {
		lines = 0
	}
	for _, line := range wrapped(cell, w, lines, cut) {
		out = append(out, " "+v.styles.Text.On(line))
	}
	if row == "" {
		return out
	}
	for _, line := range wrapped(row, w, height-len(out), cutEnd) {
		out = append(out, " "+v.styles.Muted.On(line))
	}
	return out
}

// cutsColumnName reports whether the name of the focused column is not whole above it.
func (v *View) cutsColumnName(t *runTable) bool {
	at := t.column - t.firstColumn
	return at < 0 || at >= v.layout.columns() || ansi.StringWidth(t.columnName()) > v.layout.cellWidths[at]
}
