package runs

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/format"
	"confab/internal/termtext"
	"confab/ui/frame"
)

// View implements [part.Pane].
func (v *View) View() []string {
	s := v.sheet()
	if s == nil {
		return v.fill([]string{"", v.inks.muted.On("  No run is open.")})
	}
	p := v.plan
	body := v.tableLines(s)
	if p.boxed {
		body = frame.Lines(frame.Box{W: v.w, H: len(body) + 2, Title: v.title(s), Right: v.place(s), Focused: v.focused,
			Styles: v.styles}, body)
	}
	lines := append(append(v.headLines(), body...), v.statusLines()...)
	if !p.boxed {
		return v.fill(lines)
	}
	// The box is as wide as the view; only what is around it must be made so.
	from, to := p.head, p.head+len(body)
	out := v.fill(append(append(make([]string, 0, v.h), lines[:from]...), lines[to:]...))
	return append(append(append(make([]string, 0, v.h), out[:from]...), body...), out[from:v.h-len(body)]...)
}

// fill makes the lines exactly as many and as wide as the view.
func (v *View) fill(lines []string) []string {
	out := make([]string, v.h)
	for i := range out {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		out[i] = termtext.Fit(line, v.w)
	}
	return out
}

// title says how large the table is.
func (v *View) title(s *sheet) string {
	text := format.Count(len(s.rows), "prompt") + " × " + format.Count(len(s.heads), "model")
	if s.only {
		what := "with a failure"
		if v.changes != nil {
			what = "that differ"
		}
		text = fmt.Sprintf("only the %d of %s %s", len(s.listed), format.Count(len(s.rows), "prompt"), what)
	}
	return text
}

// place says which part of the table is seen, where that is not all of it.
func (v *View) place(s *sheet) string {
	var parts []string
	if v.plan.shown < len(s.heads) {
		parts = append(parts, fmt.Sprintf("models %d–%d", s.left+1, s.left+v.plan.shown))
	}
	if n := len(s.listed); n > v.plan.rows {
		parts = append(parts, fmt.Sprintf("rows %d–%d of %d", s.top+1, s.top+v.plan.rows, n))
	}
	return strings.Join(parts, "  ")
}

// tableLines draws the names of the columns, the visible rows and the totals.
func (v *View) tableLines(s *sheet) []string {
	p := v.plan
	lines := make([]string, 0, p.rows+p.feet+2)
	lines = append(lines, v.columnLine(s))
	m := v.moment()
	for i := s.top; i < len(s.listed) && i < s.top+p.rows; i++ {
		lines = append(lines, v.rowLine(s, i, m))
	}
	if len(s.listed) == 0 {
		lines = append(lines, strings.Repeat(" ", p.lead())+v.inks.muted.On("nothing to show"))
	}
	feet := make([]string, 0, p.feet+1)
	if p.rule > 0 {
		feet = append(feet, v.inks.faint.On(strings.Repeat("─", max(v.w-p.border(), 0))))
	}
	for _, f := range s.feet[:min(p.feet, len(s.feet))] {
		feet = append(feet, v.footLine(s, f))
	}
	// The totals follow the last row; on a table that fills the view they are
	// at its end either way.
	lines = append(lines, feet...)
	for len(lines) < p.rows+p.rule+p.feet+1 {
		lines = append(lines, "")
	}
	return lines
}

// columnLine names the columns; ‹ and › say how many are beyond.
func (v *View) columnLine(s *sheet) string {
	p := v.plan
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", p.lead()))
	mark := ""
	if s.left > 0 {
		mark = fmt.Sprintf("‹%d", s.left)
	}
	room := max(p.name-utf8.RuneCountInString(mark), 0)
	b.WriteString(v.inks.muted.On(termtext.Fit(s.heading, room)) + v.inks.accent.On(mark))
	for i := range p.shown {
		col, mark := s.left+i, ""
		if more := len(s.heads) - s.left - p.shown; i == p.shown-1 && more > 0 {
			mark = fmt.Sprintf(" %d›", more)
		}
		ink := v.inks.muted
		if col == s.col {
			ink = v.inks.strong
		}
		number, room := strconv.Itoa(col+1)+" ", p.cell-utf8.RuneCountInString(mark)
		text := termtext.Fit(number+s.head.cut(s.heads[col], room-len(number)), room)
		b.WriteString(" " + ink.On(text) + v.inks.accent.On(mark))
	}
	return b.String()
}

// rowLine draws the i-th of the listed rows.
func (v *View) rowLine(s *sheet, i int, m moment) string {
	p, row := v.plan, s.rows[s.listed[i]]
	var b strings.Builder
	b.Grow(2 * v.w)
	bar, ink := " ", v.inks.text
	if i == s.at {
		bar, ink = v.inks.accent.On("▌"), v.inks.strong
	}
	b.WriteString(bar)
	b.WriteString(v.inks.faint.On(fmt.Sprintf("%*d ", p.number, s.listed[i]+1)))
	b.WriteString(ink.On(termtext.Fit(s.name.cut(row.name, p.name), p.name)))
	for col := s.left; col < s.left+p.shown && col < len(row.faces); col++ {
		f := row.faces[col]
		text := padded(f.text(p.cell, m), p.cell)
		if i == s.at && col == s.col {
			b.WriteString(v.inks.accent.On("▌") + v.inks.selected.On(text))
			continue
		}
		b.WriteByte(' ')
		b.WriteString(v.inks.cells[f.tone()].On(text))
	}
	return b.String()
}

// footLine draws a row of totals.
func (v *View) footLine(s *sheet, f foot) string {
	p := v.plan
	var b strings.Builder
	b.WriteString(v.inks.muted.On(termtext.Fit(fitting(p.lead()+p.name, f.labels...), p.lead()+p.name)))
	for col := s.left; col < s.left+p.shown && col < len(s.heads); col++ {
		text, look := f.text(col, p.cell)
		b.WriteString(" " + v.inks.cells[look].On(padded(text, p.cell)))
	}
	return b.String()
}

// padded makes a text of the program's own, whose characters are all one cell
// wide, exactly w cells wide.
func padded(text string, w int) string {
	n := utf8.RuneCountInString(text)
	if n > w {
		return ansi.Truncate(text, w, "…")
	}
	return text + strings.Repeat(" ", w-n)
}

// statusLines say all there is to say of the focused cell: what came of it,
// then what was asked.
func (v *View) statusLines() []string {
	var cell, row string
	if v.changes != nil {
		cell, row = v.changes.facts(v.moment())
	} else {
		cell, row = v.table.facts(v.moment())
	}
	w := max(v.w-2, 1)
	if v.plan.status < 2 {
		return []string{" " + v.inks.text.On(ansi.Truncate(cell, w, "…"))}
	}
	lines := wrapped(cell, w, v.plan.status-1)
	out := make([]string, 0, v.plan.status)
	for _, l := range lines {
		out = append(out, " "+v.inks.text.On(l))
	}
	for _, l := range wrapped(row, w, v.plan.status-len(lines)) {
		out = append(out, " "+v.inks.muted.On(l))
	}
	return out
}

// wrapped breaks a text into at most n lines, the last one cut.
func wrapped(text string, w, n int) []string {
	lines := termtext.Wrap(text, w)
	if len(lines) > n {
		rest := strings.Join(lines[n-1:], " ")
		lines = append(lines[:n-1:n-1], ansi.Truncate(rest, w, "…"))
	}
	return lines
}
