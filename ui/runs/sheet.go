package runs

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
)

// tone is how a cell is coloured. Its text says the same without colours.
type tone int

const (
	plain tone = iota
	good
	bad
	trouble
	busy
	quiet
	tones
)

// moment is what the look of a cell depends on beside the cell.
type moment struct {
	now  time.Time
	live bool // the run goes on: what was not asked for waits
}

// face is what a cell of the table shows.
type face interface {
	// text says where the cell stands, in w terminal cells where that can be.
	text(w int, m moment) string
	tone() tone
	// strikes tells whether the cell is worth going to: it failed, or differs.
	strikes() bool
}

// line is a row of the table.
type line struct {
	name  string // cleaned, of one line
	faces []face // by column
}

func (l line) strikes() bool {
	for _, f := range l.faces {
		if f.strikes() {
			return true
		}
	}
	return false
}

// foot is a row of totals.
type foot struct {
	labels []string // what it says, the longest first
	text   func(col, w int) (string, tone)
}

// sheet is a table with its focus.
type sheet struct {
	heads   []string // names of the columns, cleaned
	heading string   // of the names of the rows
	rows    []line
	feet    []foot
	wide    int // terminal cells of the widest name
	comfy   int // terminal cells that a column is well read in
	ample   int // terminal cells in which a column leaves nothing out

	name, head cutting

	only   bool  // only rows that strike are listed
	listed []int // the rows that are shown
	last   int   // the row that was focused when rows were listed
	at     int   // the focused one of listed
	col    int   // the focused column
	top    int   // the first of listed in the window
	left   int   // the first column in the window
}

// widest bounds the room that a name is measured for, in terminal cells.
const widest = 100

// measure finds how wide the names are.
func (s *sheet) measure() {
	s.wide = min(ansi.StringWidth(s.heading), 24)
	for _, f := range s.feet { // labels begin where the rows' numbers do
		s.wide = max(s.wide, ansi.StringWidth(f.labels[0])-3)
	}
	for _, r := range s.rows {
		s.wide = max(s.wide, min(ansi.StringWidth(r.name), widest))
	}
}

// relist finds what is listed and keeps the focus on its row, or near it.
func (s *sheet) relist() {
	if r := s.row(); r >= 0 {
		s.last = r
	}
	s.listed = s.listed[:0]
	at := 0
	for i := range s.rows {
		if s.only && !s.rows[i].strikes() {
			continue
		}
		if i <= s.last {
			at = len(s.listed)
		}
		s.listed = append(s.listed, i)
	}
	s.at = at
	s.col = max(min(s.col, len(s.heads)-1), 0)
}

// row returns the focused row of the table; -1 while none is listed.
func (s *sheet) row() int {
	if s.at < 0 || s.at >= len(s.listed) {
		return -1
	}
	return s.listed[s.at]
}

// face returns the focused cell; nil for none.
func (s *sheet) face() face {
	if r := s.row(); r >= 0 && s.col < len(s.rows[r].faces) {
		return s.rows[r].faces[s.col]
	}
	return nil
}

// move moves the focus within the table.
func (s *sheet) move(rows, columns int) {
	s.at = max(min(s.at+rows, len(s.listed)-1), 0)
	s.col = max(min(s.col+columns, len(s.heads)-1), 0)
}

// next goes to the next cell that strikes, in reading order and round the
// end; it is false when there is none.
func (s *sheet) next() bool {
	columns := len(s.heads)
	all := len(s.listed) * columns
	for i := 1; i <= all; i++ {
		at := (s.at*columns + s.col + i) % all
		faces := s.rows[s.listed[at/columns]].faces
		if c := at % columns; c < len(faces) && faces[c].strikes() {
			s.at, s.col = at/columns, c
			return true
		}
	}
	return false
}

// window moves the window so that the focus is in it.
func (s *sheet) window(p plan) {
	s.top = max(min(s.top, s.at), s.at-p.rows+1)
	s.top = max(min(s.top, len(s.listed)-p.rows), 0)
	s.left = max(min(s.left, s.col), s.col-p.shown+1)
	s.left = max(min(s.left, len(s.heads)-p.shown), 0)
}

// scroll moves the window, and the focus as far as it must to stay in it.
func (s *sheet) scroll(n int, p plan) {
	s.top = max(min(s.top+n, len(s.listed)-p.rows), 0)
	s.at = max(min(max(s.at, s.top), s.top+p.rows-1, len(s.listed)-1), 0)
}

// slide moves the focus by a window of columns.
func (s *sheet) slide(by int, p plan) {
	s.left = max(min(s.left+by*p.shown, len(s.heads)-p.shown), 0)
	s.move(0, by*p.shown)
}

// markdown returns what is listed as a table in Markdown.
func (s *sheet) markdown(title string, m moment) string {
	var b strings.Builder
	b.WriteString(title + "\n\n| # | " + escape(s.heading) + " |")
	for i, h := range s.heads {
		fmt.Fprintf(&b, " %d %s |", i+1, escape(h))
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(s.heads)) + "\n")
	for _, i := range s.listed {
		fmt.Fprintf(&b, "| %d | %s |", i+1, escape(s.rows[i].name))
		for _, f := range s.rows[i].faces {
			b.WriteString(" " + escape(f.text(1000, m)) + " |")
		}
		b.WriteByte('\n')
	}
	for _, f := range s.feet {
		b.WriteString("| | " + escape(f.labels[0]) + " |")
		for i := range s.heads {
			text, _ := f.text(i, 1000)
			b.WriteString(" " + escape(text) + " |")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// escape keeps a text in its cell of a Markdown table.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(termtext.Line(s))
}
