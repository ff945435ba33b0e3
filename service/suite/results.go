package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/format"
)

// Results is the table of one run, or of turns.
type Results struct {
	TableText
	Run          Table
	Total        Stats
	IsTransposed bool     // models are rows
	Flaky        []string // questions whose samples have different verdicts

	stats []Stats // by column of the text
}

// NewResults returns the table of a run or of turns. If earlier, which may be nil, has the same rows, they keep their
// names, and the table is transposed as that one.
func NewResults(run Table, earlier *Results) *Results {
	t := &Results{Run: run}
	if earlier != nil && t.hasRowsOf(earlier) {
		return newResults(run, earlier, earlier.IsTransposed)
	}
	return newResults(run, nil, false)
}

// Transposed returns the table with rows and columns swapped.
func (t *Results) Transposed() *Results { return newResults(t.Run, nil, !t.IsTransposed) }

// newResults returns a table with the names of an earlier one that has the same rows, unless that is nil.
func newResults(run Table, earlier *Results, isTransposed bool) *Results {
	t := &Results{Run: run, IsTransposed: isTransposed}
	t.nameColumns(run.Columns)
	if earlier == nil {
		t.nameRows(run.Rows)
	} else {
		t.labels, t.Values, t.Heading, t.RowWidth = earlier.labels, earlier.Values, earlier.Heading, earlier.RowWidth
		t.Rows, t.FieldNames, t.RowFields = earlier.Rows, earlier.FieldNames, earlier.RowFields
		if isTransposed {
			t.Rows, t.RowFields = earlier.Columns, earlier.ColumnFields
		}
	}
	if isTransposed {
		t.transposeNames()
	}
	t.fill()
	return t
}

// transposeNames makes the models rows.
func (t *Results) transposeNames() {
	t.Columns, t.Rows, t.Models, t.RowModels = t.Rows, t.Columns, nil, t.Models
	t.ColumnFields, t.RowFields = t.RowFields, nil
	t.Heading, t.RowWidth = string(AxisModel), 0
	for _, name := range t.Rows {
		t.RowWidth = max(t.RowWidth, cellWidth(name))
	}
}

// fill sets what depends on the cells.
func (t *Results) fill() {
	t.CellAt = func(row, column int) CellText { return t.summary(row, column) }
	t.GoodCell, t.FullCell, t.MaxCell = 11, 30, 80
	if slices.ContainsFunc(t.Run.Rows, hasRepeats) {
		t.GoodCell, t.FullCell = 14, 34
		t.findFlaky()
	}
	t.stats = make([]Stats, len(t.Columns))
	for i, row := range t.Run.Rows {
		for j, cells := range row.Cells[:min(len(row.Cells), len(t.Run.Columns))] {
			column := j
			if t.IsTransposed {
				column = i
			}
			t.stats[column].Add(cells)
			t.Total.Add(cells)
		}
	}
	// Runs read from the store have no cells for calls that were not made.
	if more := t.Run.Run.Planned - t.Total.Cells; more > 0 {
		t.Total.Cells += more
		t.Total.Missing += more
	}
	for _, f := range t.figures() {
		f.measure(t.stats)
		t.Totals = append(t.Totals, TotalsRow{f.labels, func(column, w int) (string, Tone) {
			return firstFitting(w, f.fitting(&t.stats[column], w)...), f.tone(&t.stats[column])
		}})
	}
}

// figure is a figure of a group of cells.
type figure struct {
	labels []string                                     // the longest first
	forms  func(s *Stats) []string                      // the longest first; as many for each group
	score  func(s *Stats) (score float64, isKnown bool) // the best group has the highest; nil where none is best
	heads  []string                                     // above a column, the longest first; nil for the labels
	facts  func(s *Stats) string                        // in a sentence of its own; nil for the longest form
	widths []int                                        // of the forms, the widest of all groups
}

// longest returns the text of a group for a sentence of its own.
func (f figure) longest(s *Stats) string {
	if f.facts != nil {
		return f.facts(s)
	}
	return f.forms(s)[0]
}

// headsIn returns the heads of a column of w terminal cells. One that names all parts stands above these only.
func (f figure) headsIn(w int) []string {
	switch {
	case f.heads == nil:
		return f.labels
	case f.widths[len(f.widths)-2]+cellWidth(bestMark) > w:
		return f.heads[len(f.heads)-len(f.labels):]
	}
	return f.heads
}

// isRate reports whether the figure is the one of cells that passed, or were answered.
func (f figure) isRate() bool { return f.labels[0] == "passed" || f.labels[0] == "answered" }

// tone returns the color of the figure of a group.
func (f figure) tone(s *Stats) Tone {
	if f.isRate() {
		return s.Tone()
	}
	return TonePlain
}

// measure sets the widths of the forms in groups that stand beside or below each other.
func (f *figure) measure(groups []Stats) {
	for i := range groups {
		for form, text := range f.forms(&groups[i]) {
			if form == len(f.widths) {
				f.widths = append(f.widths, 0)
			}
			f.widths[form] = max(f.widths[form], cellWidth(text))
		}
	}
}

// fitting returns the forms of the figure of a group from the one on in which all groups fit into w terminal cells.
func (f figure) fitting(s *Stats, w int) []string {
	fits := slices.IndexFunc(f.widths, func(width int) bool { return width <= w })
	if fits < 0 {
		fits = len(f.widths) - 1
	}
	return f.forms(s)[fits:]
}

func passRate(s *Stats) (rate float64, isKnown bool) {
	return float64(s.Passed) / float64(max(s.Passed+s.Failed, 1)), s.Passed+s.Failed > 0
}

// figures returns the figures that the cells of the table have.
func (t *Results) figures() []figure {
	speed := func(s *Stats) (float64, bool) { // as it is shown, so that none of two equal times is the best
		return -s.Time().Median.Round(100 * time.Millisecond).Seconds(), s.Time().N > 0
	}
	ranged := []string{"median time (range)", "median time", "time"}
	figures := []figure{
		{labels: []string{"passed"}, forms: passedForms, facts: passedFacts, score: passRate,
			heads: []string{"passed (95 % interval)", "passed"}},
		{labels: ranged[1:], forms: timesForms, score: speed, heads: ranged}}
	if t.Total.Checks.All() == 0 {
		figures[0] = figure{labels: []string{"answered"}, forms: answeredForms}
	}
	if t.Total.Wins > 0 {
		figures = append(figures, figure{labels: []string{"best"}, forms: func(s *Stats) []string {
			return []string{fmt.Sprint(s.Wins)}
		}, score: func(s *Stats) (float64, bool) { return float64(s.Wins), true }})
	}
	if labels := []string{"tokens in → out", "tokens"}; t.Total.UsageText() != "" {
		if len(t.Total.Costs) > 0 {
			labels = []string{"tokens and cost", "tokens"}
		}
		figures = append(figures, figure{labels: labels, forms: usageForms})
	}
	return figures
}

// passedForms returns how many of the judged cells passed, and what became of the others.
func passedForms(s *Stats) []string {
	passed := fmt.Sprintf("%d of %d", s.Passed, s.Passed+s.Failed)
	rate := passed + ", " + Rate(s.Passed, s.Passed+s.Failed)
	if s.Passed+s.Failed == 0 {
		passed = "none judged" // with the reason in place of a rate
		return []string{joinNonEmpty(", ", passed, s.problems("")), joinNonEmpty(", ", passed, s.problems("")), "–"}
	}
	return []string{joinNonEmpty(", ", rate, s.problems("")), rate, passed}
}

// passedFacts is the longest of the forms, where no column says that answers are counted.
func passedFacts(s *Stats) string {
	forms := passedForms(s)
	if s.Passed+s.Failed == 0 {
		return joinNonEmpty(", ", "none judged", s.problems(" answer"))
	}
	return joinNonEmpty(", ", forms[1], s.problems(" answer"))
}

// answeredForms returns how many cells were answered, where nothing is checked.
func answeredForms(s *Stats) []string {
	answered := fmt.Sprintf("%d of %d", s.Answered(), s.Cells)
	return []string{joinNonEmpty(", ", answered, s.problems("")), answered}
}

// problems returns the numbers of cells that were checked and have not passed: "4 failed, 1 error", or with a noun
// "4 answers failed, 1 error".
func (s *Stats) problems(noun string) string {
	unchecked := s.Unchecked
	if s.Checks.All() == 0 {
		unchecked = 0
	}
	errors := format.Plural(s.Errors, " error", " errors")
	if noun != "" {
		noun = format.Plural(s.Failed, noun, noun+"s")
	}
	return joinCounts(", ", signCount{s.Failed, noun + " failed"}, signCount{s.Errors, errors},
		signCount{s.Incomplete, " incomplete"}, signCount{s.Skipped, " skipped"}, signCount{unchecked, " unchecked"})
}

// Tone returns the color of a pass rate: that of a failed cell where none has passed, that of a passed one where all
// have.
func (s *Stats) Tone() Tone {
	switch {
	case s.Failed > 0 && s.Passed == 0:
		return ToneBad
	case s.Failed > 0:
		return TonePlain
	case s.Errors+s.Skipped+s.Incomplete > 0:
		return ToneWarning
	case s.Passed > 0 && s.Passed == s.Cells:
		return ToneGood
	}
	return TonePlain
}

func timesForms(s *Stats) []string {
	times := s.Time()
	switch text := format.Seconds(times.Median); times.N {
	case 0:
		return []string{"", ""}
	case 1:
		return []string{text, text}
	default:
		return []string{text + " " + timeRange(times), text}
	}
}

func usageForms(s *Stats) []string {
	costs, tokens := CostsText(s.Costs), strings.TrimSuffix(s.Usage.String(), " tokens")
	both := s.UsageText()
	if costs == "" {
		both = tokens // the label tells what is counted
	}
	return []string{both, cmp.Or(costs, tokens)}
}

// Extent returns how many points there are on the axes that differ: "3 prompts × 4 values × 2 models".
func (t *Results) Extent() string { return t.extent(len(t.Run.Columns)) }

// findFlaky sets the flaky questions.
func (t *Results) findFlaky() {
	for i := range t.Rows {
		for j := range t.Columns {
			if text := flakyText(t.summary(i, j).Stats); text != "" {
				t.Flaky = append(t.Flaky, t.Rows[i]+", "+t.Columns[j]+": "+text)
			}
		}
	}
}

// hasRowsOf reports whether two tables have the same rows.
func (t *Results) hasRowsOf(other *Results) bool {
	return slices.EqualFunc(t.Run.Rows, other.Run.Rows, func(a, b Row) bool {
		return a.Name == b.Name && a.Prompt == b.Prompt && a.TestIndex == b.TestIndex
	})
}

func hasRepeats(r Row) bool {
	return slices.ContainsFunc(r.Cells, func(cells []history.Cell) bool { return len(cells) > 1 })
}

// inRun returns the row and the column of the table that are drawn at a row and a column.
func (t *Results) inRun(row, column int) (int, int) {
	if t.IsTransposed {
		return column, row
	}
	return row, column
}

// Cells returns the samples of a cell of the table.
func (t *Results) Cells(row, column int) []history.Cell {
	row, column = t.inRun(row, column)
	if all := t.Run.Rows[row].Cells; column < len(all) {
		return all[column]
	}
	return nil
}

// RowCells returns the cells of a row by column.
func (t *Results) RowCells(row int) (cells [][]history.Cell) {
	for column := range t.Columns {
		cells = append(cells, t.Cells(row, column))
	}
	return cells
}

// summary summarizes a cell of the table.
func (t *Results) summary(row, column int) *resultCell {
	cells := t.Cells(row, column)
	return &resultCell{cells: cells, Stats: StatsOf(cells...)}
}

// CellFacts describes a cell in a few sentences.
func (t *Results) CellFacts(row, column int, s CellState) string {
	if len(t.Columns) == 0 {
		return ""
	}
	return t.summary(row, column).facts(s)
}

// RowFacts describes a row: its prompt with the beginning of its text, and all its values.
func (t *Results) RowFacts(row, column int) string {
	runRow, _ := t.inRun(row, column)
	return fmt.Sprintf("row %d  %s", row+1, t.labels.facts(t.Run.Rows[runRow].Point))
}

// Unanswered returns how many cells have no answer and are not running.
func (t *Results) Unanswered() int { return t.Total.Errors + t.Total.Stopped + t.Total.Missing }
