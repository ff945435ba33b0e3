package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/internal/format"
	"confab/internal/termtext"
)

// Tone is the color of a cell. The text means the same without it.
type Tone int

const (
	TonePlain Tone = iota
	ToneGood
	ToneBad
	ToneWarning
	ToneRunning
	ToneMuted
	ToneFaint
)

// CellState is the state of the screen that the text of a cell depends on.
type CellState struct {
	Now      time.Time
	IsLive   bool // the run is in progress, so cells that were not requested are waiting
	IsNarrow bool // checks are counted, not named
	HasWords bool // free space shows the beginning of the answer
}

// CellText is the content of a cell.
type CellText interface {
	// Text describes the cell in w terminal cells if possible.
	Text(w int, s CellState) string
	Tone() Tone
	// NeedsAttention reports whether the cell has failed, or differs between two runs.
	NeedsAttention() bool
}

// PartedText is the content of a cell of which only parts have its tone.
type PartedText interface {
	// Parts returns the parts that make up the text.
	Parts(w int, s CellState) []TextPart
}

// TextPart is a part of the text of a cell.
type TextPart struct {
	Text string
	Tone Tone
}

// TotalsRow is a row of totals below the table.
type TotalsRow struct {
	Labels []string // the longest first
	Text   func(column, w int) (string, Tone)
}

// Label returns the longest label that fits into w terminal cells.
func (t TotalsRow) Label(w int) string { return firstFitting(w, t.Labels...) }

// TableText is the common part of the tables of one run and of two. All texts are sanitised and on one line.
type TableText struct {
	Columns  []string // names
	Models   []string // of the columns; nil if they are no models
	Heading  string   // above the names of the rows
	Rows     []string // names
	RowWidth int      // terminal cells of the longest name, or of all fields
	LeastRow int      // terminal cells of the names that are not cut while a column fits; 0 for none
	Numbers  []int    // of the rows; nil for 1, 2, 3 and so on
	Values   []string // of the rows: description of the test, and values that differ

	FieldNames   []string   // of the parts of the names of points, such as variables; nil if there is one part only
	RowFields    [][]string // the parts by row; nil if rows are no points
	ColumnFields [][]string // the same of columns

	RowModels []string // of the rows, "" for a row that is no model; nil if none is
	IsPlain   bool     // rows and columns have no numbers, and rows whose name begins with a blank are of one group

	// HeadAt returns the name of a column in w terminal cells; nil for that of Columns.
	HeadAt   func(column, w int) string
	CellAt   func(row, column int) CellText
	Totals   []TotalsRow
	GoodCell int // terminal cells of a readable column
	FullCell int // terminal cells of a column that omits nothing
	MaxCell  int // terminal cells of the widest column

	labels *Labels // of the rows
}

// Number returns the number of a row.
func (t *TableText) Number(row int) int {
	if t.Numbers == nil {
		return row + 1
	}
	return t.Numbers[row]
}

// extent returns how many points there are on the axes that differ: "3 prompts × 4 values × 2 models".
func (t *TableText) extent(models int) string {
	words := map[Axis][2]string{AxisPrompt: {"prompt", "prompts"}, AxisValues: {"value", "values"},
		AxisParams: {"parameter set", "parameter sets"}}
	var parts []string
	for _, a := range t.labels.Differing() {
		parts = append(parts, format.Several(len(t.labels.Positions(a)), words[a][0], words[a][1]))
	}
	if len(parts) == 0 {
		parts = []string{format.Count(len(t.Values), "prompt")}
	}
	return strings.Join(append(parts, format.Count(models, "model")), " × ")
}

func (t *TableText) nameColumns(columns []Column) {
	points, uses := make([]Point, len(columns)), map[string]int{}
	for i, c := range columns {
		points[i] = Point{Model: OneLine(cmp.Or(c.Name, c.Model)), Params: c.Params}
		uses[points[i].Model]++
	}
	labels := NewLabels(points)
	for i, c := range columns {
		name := points[i].Model
		if uses[name] > 1 {
			name = strings.TrimSpace(name + " " + labels.Label(AxisParams, points[i].On(AxisParams)))
		}
		t.Columns, t.Models = append(t.Columns, name), append(t.Models, cmp.Or(c.Model, c.Name))
	}
}

func (t *TableText) nameRows(rows []Row) {
	points := make([]Point, len(rows))
	for i, r := range rows {
		points[i] = r.Point
	}
	t.labels = NewLabels(points)
	t.Heading = t.labels.heading()
	for _, p := range points {
		name := t.labels.rowName(p)
		t.Rows, t.Values = append(t.Rows, name), append(t.Values, t.labels.Label(AxisValues, p.On(AxisValues)))
		t.RowWidth = max(t.RowWidth, cellWidth(name))
	}
	if names := t.labels.fieldNames(); len(names) > 1 {
		for _, p := range points {
			t.RowFields = append(t.RowFields, t.labels.fieldsOf(p))
		}
		t.FieldNames = names
		t.RowWidth = fieldGap * (len(names) - 1)
		for _, width := range t.FieldWidths() {
			t.RowWidth += width
		}
	}
}

// fieldNames returns the names of what differs among points: axes, and variables in place of that of values.
func (l *Labels) fieldNames() (names []string) {
	for _, a := range l.Differing() {
		if a == AxisValues {
			names = append(names, l.fields...)
		} else {
			names = append(names, string(a))
		}
	}
	return names
}

// fieldsOf returns the texts of a point for the names of its fields.
func (l *Labels) fieldsOf(p Point) (texts []string) {
	for _, a := range l.Differing() {
		label := l.labels[a][p.On(a)]
		if a == AxisValues {
			texts = append(texts, label.fields...)
		} else {
			texts = append(texts, label.text)
		}
	}
	return texts
}

const fieldGap = 2 // terminal cells between two fields

// FieldWidths returns the terminal cells of the fields of rows with their names.
func (t *TableText) FieldWidths() []int {
	widths := make([]int, len(t.FieldNames))
	for i, name := range t.FieldNames {
		widths[i] = min(cellWidth(name), maxValueWidth/2)
		for _, row := range t.RowFields {
			widths[i] = max(widths[i], cellWidth(row[i]))
		}
	}
	return widths
}

const (
	SignPassed    = "✓"
	SignFailed    = "✗"
	SignError     = "!"
	SignSkipped   = "?" // a check was skipped, or the answer is incomplete
	SignUnchecked = "○" // there is no check
	signReused    = "≈"
	signWinner    = "★"
	signSame      = "=" // in both runs
	signNone      = "·" // the suite does not request it, or there is no answer
)

// problemStatuses returns the statuses of cells that have not passed, the worst first. An unjudged sample has not
// passed.
func problemStatuses() []history.CellStatus {
	return []history.CellStatus{history.CellFailed, history.CellError, history.CellCut, history.CellSkipped,
		history.CellUnchecked}
}

// statusSign returns the sign of a status.
func statusSign(v history.CellStatus) string {
	if v.IsIncomplete() {
		return SignSkipped
	}
	signs := map[history.CellStatus]string{history.CellPassed: SignPassed, history.CellFailed: SignFailed,
		history.CellSkipped: SignSkipped, history.CellUnchecked: SignUnchecked, history.CellError: SignError}
	return cmp.Or(signs[v], signNone)
}

// firstFitting returns the first text that fits into w cells, or else the last one, cut.
func firstFitting(w int, texts ...string) string {
	for _, t := range texts {
		if cellWidth(t) <= w {
			return t
		}
	}
	return ansi.Truncate(texts[len(texts)-1], w, "…")
}

func cellWidth(text string) int { return ansi.StringWidth(text) }

// maxLineBytes bounds the part of a text that is used for one line.
const maxLineBytes = 4000

// OneLine sanitises a text and joins its lines.
func OneLine(s string) string {
	if len(s) > maxLineBytes {
		s = strings.ToValidUTF8(s[:maxLineBytes], "") + "…"
	}
	return termtext.Line(s)
}

// signCount is a number with a sign or word after it.
type signCount struct {
	n    int
	sign string
}

// joinCounts joins the counts other than 0.
func joinCounts(separator string, counts ...signCount) string {
	var parts []string
	for _, c := range counts {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d%s", c.n, c.sign))
		}
	}
	return strings.Join(parts, separator)
}

func joinNonEmpty(separator string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(text string) bool { return text == "" }), separator)
}
