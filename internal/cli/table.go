package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
)

// table is printed in columns on a terminal, cut to its width, and with tabs between its cells elsewhere. Its cells are
// foreign text.
type table struct {
	head  []string // shown on a terminal only
	rows  [][]string
	right []int // columns that are flush right
}

func (t *table) add(cells ...string) {
	for i, c := range cells {
		cells[i] = termtext.Line(c)
	}
	t.rows = append(t.rows, cells)
}

// printTable prints a table; an empty one prints nothing.
func (a *app) printTable(t table) error {
	if len(t.rows) == 0 {
		return nil
	}
	if !a.out.terminal {
		var b strings.Builder
		for _, row := range t.rows {
			b.WriteString(strings.Join(row, "\t") + "\n")
		}
		return a.print(b.String())
	}
	s := a.styles()
	widths := make([]int, len(t.rows[0]))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, c := range row {
			widths[i] = max(widths[i], ansi.StringWidth(c))
		}
	}
	var b strings.Builder
	if len(t.head) > 0 {
		b.WriteString(s.Muted.Render(t.line(t.head, widths, a.out.width())) + "\n")
	}
	for _, row := range t.rows {
		b.WriteString(s.Text.Render(t.line(row, widths, a.out.width())) + "\n")
	}
	if !a.out.styled {
		return a.print(ansi.Strip(b.String()))
	}
	return a.printStyled(b.String())
}

// line lays one row out, cut to the width of the terminal.
func (t *table) line(row []string, widths []int, width int) string {
	var b strings.Builder
	for i, c := range row {
		pad := strings.Repeat(" ", widths[i]-ansi.StringWidth(c))
		switch {
		case slices.Contains(t.right, i):
			c = pad + c
		case i < len(row)-1:
			c += pad
		}
		if i > 0 {
			b.WriteString("  ")
		}
		b.WriteString(c)
	}
	return ansi.Truncate(b.String(), width, "…")
}

// seconds writes a duration as screens do.
func seconds(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1fs", d.Seconds())
}

// short cuts a name that would push other columns off a terminal.
func (a *app) short(s string) string {
	s = termtext.Line(s)
	if a.out.terminal {
		s = ansi.Truncate(s, max(10, a.out.width()-50), "…")
	}
	return s
}
