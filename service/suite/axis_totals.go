package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/history"
)

// AxisTotals is the table of the figures of every point on the axes of a table: by prompt, by parameters, by model and
// by values.
type AxisTotals struct {
	TableText
	Axes   []Axis   // of the rows
	Points []string // their labels
	Groups []Stats
	Failed [][]Failure // by row, the most frequent first

	HasBest bool // a figure has the mark of the best

	figures []figure          // by column
	best    []map[int]bool    // by column, [AxisTotals.bestRows]
	index   map[[2]string]int // rows by axis and position
	values  string            // the name of what differs among the values
	votes   AnswerVotes
}

// Failure is a check that failed, or an error.
type Failure struct {
	Label   string
	N, All  int            // cells that failed, and those with the check
	Answers []FailedAnswer // in the order of the table
}

// FailedAnswer is an answer that failed a check, or an error. Its texts are sanitised and on one line.
type FailedAnswer struct {
	Row, Column string // their names; that of the row without what the point of the totals has
	Model       string
	Words       string // the beginning of the answer
}

// Count returns "2 of 9" for a check, "2" for an error.
func (f Failure) Count() string {
	if f.All == 0 {
		return fmt.Sprint(f.N)
	}
	return fmt.Sprintf("%d of %d", f.N, f.All)
}

// AxisTotals returns the totals of all axes with several points, and the votes that count on each.
func (t *Results) AxisTotals(votes AnswerVotes) *AxisTotals {
	a := &AxisTotals{index: map[[2]string]int{}, votes: votes}
	columns, slugs := make([]Point, len(t.Run.Columns)), make([]string, len(t.Run.Columns))
	for i, c := range t.Run.Columns {
		columns[i], slugs[i] = Point{Model: fmt.Sprint(i), Params: c.Params}, cmp.Or(c.Model, c.Name)
	}
	models := NewLabels(columns)
	labels := map[Axis]*Labels{AxisPrompt: t.labels, AxisParams: t.labels, AxisValues: t.labels}
	if len(models.Positions(AxisParams)) > 1 {
		labels[AxisParams] = models
	}
	for _, axis := range []Axis{AxisPrompt, AxisParams} {
		for _, position := range labels[axis].Positions(axis) {
			a.addRow(axis, position, labels[axis].Label(axis, position))
		}
	}
	names := t.Columns
	if t.IsTransposed {
		names = t.Rows
	}
	a.RowModels = make([]string, len(a.Points), len(a.Points)+len(columns))
	for i, c := range columns {
		a.addRow(AxisModel, c.Model, names[i])
		a.RowModels = append(a.RowModels, slugs[i])
	}
	for _, position := range t.labels.Positions(AxisValues) {
		a.addRow(AxisValues, position, t.labels.labels[AxisValues][position].short)
	}
	a.RowModels = append(a.RowModels, make([]string, len(a.Points)-len(a.RowModels))...)
	for _, row := range t.Run.Rows {
		positions := map[Axis]string{}
		for axis := range labels {
			positions[axis] = row.On(axis)
		}
		for j, cells := range row.Cells[:min(len(row.Cells), len(columns))] {
			if positions[AxisModel] = columns[j].Model; labels[AxisParams] == models {
				positions[AxisParams] = columns[j].On(AxisParams)
			}
			for axis, position := range positions {
				a.add(axis, position, cells, FailedAnswer{Row: t.labels.nameWithout(axis, row.Point), Column: names[j],
					Model: slugs[j]})
			}
		}
	}
	for i, all := range a.Failed {
		all = slices.DeleteFunc(all, func(f Failure) bool { return f.N == 0 })
		slices.SortStableFunc(all, func(x, y Failure) int { return cmp.Compare(y.N, x.N) })
		a.Failed[i] = all
	}
	a.values = string(AxisValues)
	if len(t.labels.fields) == 1 {
		a.values = t.labels.fields[0]
	}
	a.figures = t.figures()
	if len(votes) > 0 {
		votes := figure{labels: []string{"votes won"}, forms: votesForms}
		a.figures = slices.Insert(a.figures, 1, votes)
	}
	a.draw()
	return a
}

// addRow adds a point unless it is the only one on its axis, which has no label.
func (a *AxisTotals) addRow(axis Axis, position, label string) {
	if label != "" {
		a.index[[2]string{string(axis), position}] = len(a.Groups)
		a.Axes, a.Points, a.Groups = append(a.Axes, axis), append(a.Points, label), append(a.Groups, Stats{})
		a.Failed = append(a.Failed, nil)
	}
}

// add adds the cells of a row and a column, which an answer that failed is named by.
func (a *AxisTotals) add(axis Axis, position string, cells []history.Cell, named FailedAnswer) {
	if i, ok := a.index[[2]string{string(axis), position}]; ok {
		a.Groups[i].Add(cells)
		for _, c := range cells {
			a.Groups[i].Votes = a.Groups[i].Votes.Plus(a.votes[axis][c.Answer])
			named.Words = cellWords(c)
			a.countChecks(i, c, named)
		}
	}
}

// countChecks counts what was judged of a cell in a group.
func (a *AxisTotals) countChecks(group int, c history.Cell, named FailedAnswer) {
	count := func(label string, failed, all int) {
		failures := a.Failed[group]
		i := slices.IndexFunc(failures, func(f Failure) bool { return f.Label == label })
		if i < 0 {
			i, failures = len(failures), append(failures, Failure{Label: label})
		}
		failures[i].N, failures[i].All = failures[i].N+failed, failures[i].All+all
		if failed > 0 {
			failures[i].Answers = append(failures[i].Answers, named)
		}
		a.Failed[group] = failures
	}
	if c.State == history.Failed {
		count(SignError+" "+codeWords(c.FailureCode), 1, 0)
	}
	for _, r := range c.Checks {
		switch r.Verdict {
		case history.CheckFailed:
			count(CheckLabel(r), 1, 1)
		case history.CheckPassed:
			count(CheckLabel(r), 0, 1)
		}
	}
}

// votesForms returns how many pairs were won, without ties; [Votes] says how sure that is.
func votesForms(s *Stats) []string {
	if s.Votes.N == 0 {
		return []string{""}
	}
	return []string{fmt.Sprintf("%d of %d", s.Votes.Wins, s.Votes.N)}
}

// draw names the rows, each axis once, and the columns after the figures.
func (a *AxisTotals) draw() {
	a.Heading, a.FieldNames, a.IsPlain = "totals by", []string{"by", ""}, true
	for i, label := range a.Points {
		axis := ""
		if i == 0 || a.Axes[i] != a.Axes[i-1] {
			axis = a.axisName(a.Axes[i])
		}
		a.Rows, a.RowFields = append(a.Rows, axis+" "+label), append(a.RowFields, []string{axis, a.marked(i) + label})
	}
	widths := a.FieldWidths()
	a.RowWidth, a.LeastRow = widths[0]+fieldGap+widths[1], widths[0]+1
	for i, label := range a.Points {
		if a.Axes[i] == AxisModel {
			a.LeastRow = max(a.LeastRow, widths[0]+1+cellWidth(a.marked(i)+label))
		}
	}
	for i := range a.figures {
		a.figures[i].measure(a.Groups)
		a.Columns = append(a.Columns, a.figures[i].labels[len(a.figures[i].labels)-1])
	}
	hasBest := make([]bool, len(a.figures)) // by column
	for column, f := range a.figures {
		a.best = append(a.best, a.bestRows(f))
		for _, isSure := range a.best[column] {
			hasBest[column] = hasBest[column] || isSure
		}
		a.HasBest = a.HasBest || hasBest[column]
	}
	a.HeadAt = func(column, w int) string {
		head := firstFitting(w, a.figures[column].headsIn(w)...)
		if hasBest[column] { // above the figures, not above their mark
			head = firstFitting(w-cellWidth(bestMark), a.figures[column].headsIn(w-cellWidth(bestMark))...) + noMark
		}
		return head
	}
	if a.HasBest {
		a.Heading += ", " + BestSign + " best"
	}
	a.CellAt = func(row, column int) CellText {
		return figureCell{a.figures[column], &a.Groups[row], a.best[column][row], hasBest[column]}
	}
	for row := range a.Points {
		for column := range a.figures {
			text := func(w int) int {
				if hasBest[column] {
					w += cellWidth(bestMark)
				}
				return cellWidth(a.CellAt(row, column).Text(w, CellState{}))
			}
			a.GoodCell, a.FullCell = max(a.GoodCell, text(12)), max(a.FullCell, text(42))
		}
	}
}

// axisName returns the name of an axis; that of values is the variable's, where there is one only.
func (a *AxisTotals) axisName(axis Axis) string {
	if axis == AxisValues {
		return ansi.Truncate(a.values, len("parameters"), "…")
	}
	return string(axis)
}

// marked returns the mark of a model before its name, or blanks before the name of another point.
func (a *AxisTotals) marked(row int) string {
	if a.Axes[row] == AxisModel {
		return modelMark
	}
	if !slices.Contains(a.Axes, AxisModel) {
		return ""
	}
	return strings.Repeat(" ", cellWidth(modelMark))
}

// Name returns the axis and the label of a row: "prompt short".
func (a *AxisTotals) Name(row int) string { return a.axisName(a.Axes[row]) + " " + a.Points[row] }

// PassRate returns which part of the judged cells of a row passed; isKnown is false where none was judged.
func (a *AxisTotals) PassRate(row int) (rate float64, isKnown bool) {
	rate, _, _, isKnown = passRate(&a.Groups[row])
	return rate, isKnown
}

// bestRows returns the rows whose score no other point on the axis reaches, of several that have one, and whether that
// is hardly chance: their intervals overlap with none of the others.
func (a *AxisTotals) bestRows(f figure) (best map[int]bool) {
	best = map[int]bool{}
	for row := 0; row < len(a.Groups) && f.score != nil; row++ {
		score, low, _, isKnown := f.score(&a.Groups[row])
		isHighest, isSure, others := isKnown, true, 0
		for other := range a.Groups {
			if other == row || a.Axes[other] != a.Axes[row] {
				continue
			}
			if theirs, _, high, isKnown := f.score(&a.Groups[other]); isKnown {
				others++
				isHighest, isSure = isHighest && score > theirs, isSure && low > high
			}
		}
		if isHighest && others > 0 {
			best[row] = isSure
		}
	}
	return best
}

// Facts returns what the shown texts of the columns leave out of the figures of a point.
func (a *AxisTotals) Facts(row int, shown func(column int) string) string {
	var texts []string
	for column, f := range a.figures {
		text, here := f.longest(&a.Groups[row]), strings.TrimSpace(strings.TrimSuffix(shown(column), bestMark))
		if rest, isPart := strings.CutPrefix(text, here+", "); isPart && here != "" {
			texts = append(texts, rest)
		} else if text != "" && text != here && f.forms(&a.Groups[row])[0] != here {
			texts = append(texts, f.labels[0]+" "+text)
		}
		if isSure, isHighest := a.best[column][row]; isHighest && !isSure {
			texts = append(texts, f.highest+" (may be chance)")
		}
	}
	return strings.Join(texts, "; ")
}

// figureCell is a figure of a point.
type figureCell struct {
	figure figure
	stats  *Stats
	isBest bool
	// hasBest reports whether one of the column is the best: all leave space for the mark.
	hasBest bool
}

const (
	// BestSign marks the best point of an axis.
	BestSign  = signWinner
	bestMark  = " " + BestSign
	noMark    = "  " // in the place of the mark
	modelMark = "● "
)

// Text marks the point that is the best of its axis.
func (c figureCell) Text(w int, _ CellState) string {
	if !c.hasBest {
		return firstFitting(w, c.figure.fitting(c.stats, w)...)
	}
	w -= cellWidth(bestMark)
	text := firstFitting(w, c.figure.fitting(c.stats, w)...)
	if c.isBest {
		return text + bestMark
	}
	return text + noMark
}

func (c figureCell) Tone() Tone {
	if c.isBest {
		return ToneGood
	}
	return c.figure.tone(c.stats)
}

func (c figureCell) NeedsAttention() bool { return c.stats.Failed+c.stats.Errors > 0 }
