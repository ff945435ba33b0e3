package suite

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
)

// Tone is the color of a cell. The cell's text says the same without color.
type Tone int

// The tones.
const (
	TonePlain Tone = iota
	ToneGood
	ToneBad
	ToneWarning
	ToneRunning
	ToneFaint
)

// CellState is the state of the run that the text of a cell depends on.
type CellState struct {
	Now    time.Time
	IsLive bool // the run is in progress: a cell that was not asked for is waiting
}

// CellText is what a cell of the table shows.
type CellText interface {
	// Text describes the cell, in w terminal cells where that is possible.
	Text(w int, s CellState) string
	Tone() Tone
	// NeedsAttention reports whether the cell has failed, or differs between two runs.
	NeedsAttention() bool
}

// TotalsRow is a row of totals below the table.
type TotalsRow struct {
	Labels []string // the longest first
	Text   func(column, w int) (string, Tone)
}

// Label returns the longest label that fits into w terminal cells.
func (t TotalsRow) Label(w int) string { return firstFitting(w, t.Labels...) }

// TableText is what the tables of one run and of two have in common. All texts are cleaned and of one line.
type TableText struct {
	Columns  []string // names
	Models   []string // of the columns
	Heading  string   // above the names of the rows
	Rows     []string // names
	RowWidth int      // terminal cells of the longest name
	Values   []string // of the rows: the description of the test, and the values that differ
	CellAt   func(row, column int) CellText
	Totals   []TotalsRow
	GoodCell int // terminal cells of a column that is easy to read
	FullCell int // terminal cells of a column that omits nothing
}

// nameColumns names the columns of a table.
func (t *TableText) nameColumns(columns []Column) {
	for _, c := range columns {
		t.Columns = append(t.Columns, OneLine(cmp.Or(c.Name, c.Model)))
		t.Models = append(t.Models, cmp.Or(c.Model, c.Name))
	}
}

// nameRows names the rows of a table.
func (t *TableText) nameRows(rows []Row) {
	names := newRowNamer(rows)
	t.Heading = names.heading()
	for _, r := range rows {
		name := names.name(r)
		t.Rows, t.Values = append(t.Rows, name), append(t.Values, names.values(r))
		t.RowWidth = max(t.RowWidth, min(ansi.StringWidth(name), maxNameWidth))
	}
}

// The signs of a cell.
const (
	SignPassed    = "✓"
	SignFailed    = "✗"
	signError     = "!"
	SignSkipped   = "?" // a check was skipped
	signUnchecked = "○" // there is no check
	signReused    = "≈"
	signNone      = "·" // the suite does not ask it, or it has no answer
)

// problemStatuses returns the statuses of cells that have not passed, the worst first. A sample that was not judged
// has not passed.
func problemStatuses() []history.CellStatus {
	return []history.CellStatus{history.CellFailed, history.CellError, history.CellSkipped, history.CellUnchecked}
}

// statusSign returns the sign of a status.
func statusSign(v history.CellStatus) string {
	signs := map[history.CellStatus]string{history.CellPassed: SignPassed, history.CellFailed: SignFailed,
		history.CellSkipped: SignSkipped, history.CellUnchecked: signUnchecked, history.CellError: signError}
	return cmp.Or(signs[v], signNone)
}

// StatusSigns returns the statuses of cells in signs: "3 ✓ 1 ✗".
func StatusSigns(s Stats) (string, Tone) {
	text, tone := fmt.Sprintf("%d %s", s.Passed, SignPassed), TonePlain
	for _, v := range problemStatuses() {
		if n := s.Count(v); n > 0 {
			text += fmt.Sprintf(" %d %s", n, statusSign(v))
		}
	}
	switch {
	case s.Failed > 0:
		tone = ToneBad
	case s.Errors+s.Skipped > 0:
		tone = ToneWarning
	}
	return text, tone
}

// shortTime formats a time for a cell, without a blank: "1.9s", "12s", "2m05s".
func shortTime(d time.Duration) string { return strings.ReplaceAll(format.Seconds(d), " ", "") }

// firstFitting returns the first of the texts that fits into w cells, else the last one, cut.
func firstFitting(w int, texts ...string) string {
	for _, t := range texts {
		if utf8.RuneCountInString(t) <= w {
			return t
		}
	}
	return ansi.Truncate(texts[len(texts)-1], w, "…")
}

// maxLineBytes bounds how much of a foreign text is used for one line.
const maxLineBytes = 4000

// OneLine cleans a foreign text and joins its lines.
func OneLine(s string) string {
	if len(s) > maxLineBytes {
		s = strings.ToValidUTF8(s[:maxLineBytes], "") + "…"
	}
	return termtext.Line(s)
}

// signCount is a number with the sign or the word that follows it.
type signCount struct {
	n    int
	sign string
}

// joinCounts joins the counts that are not 0.
func joinCounts(separator string, counts ...signCount) string {
	var parts []string
	for _, c := range counts {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d%s", c.n, c.sign))
		}
	}
	return strings.Join(parts, separator)
}
