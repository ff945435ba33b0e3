package suite

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"confab/history"
)

// AxisTotals is the table of the figures of every point on the axes of a table: by prompt, by parameters, by model and
// by values.
type AxisTotals struct {
	TableText
	Axes   []Axis   // of the rows
	Points []string // their labels
	Groups []Stats

	figures []figure          // by column
	index   map[[2]string]int // rows by axis and position
	votes   AnswerVotes
}

// axisWidth is the width of the names of axes before the labels.
const axisWidth = len(AxisParams) + 1

// AxisTotals returns the totals of all axes with several points, and the votes that count on each.
func (t *Results) AxisTotals(votes AnswerVotes) *AxisTotals {
	a := &AxisTotals{index: map[[2]string]int{}, votes: votes}
	columns := make([]Point, len(t.Run.Columns))
	for i, c := range t.Run.Columns {
		columns[i] = Point{Model: fmt.Sprint(i), Params: c.Params}
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
	for i, c := range columns {
		a.addRow(AxisModel, c.Model, names[i])
	}
	for _, position := range t.labels.Positions(AxisValues) {
		a.addRow(AxisValues, position, t.labels.labels[AxisValues][position].short)
	}
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
				a.add(axis, position, cells)
			}
		}
	}
	a.figures = t.figures()
	if len(votes) > 0 {
		a.figures = slices.Insert(a.figures, 1, figure{[]string{"votes won", "won"}, votesText, nil})
	}
	a.draw()
	return a
}

// addRow adds a point unless it is the only one on its axis, which has no label.
func (a *AxisTotals) addRow(axis Axis, position, label string) {
	if label != "" {
		a.index[[2]string{string(axis), position}] = len(a.Groups)
		a.Axes, a.Points, a.Groups = append(a.Axes, axis), append(a.Points, label), append(a.Groups, Stats{})
	}
}

func (a *AxisTotals) add(axis Axis, position string, cells []history.Cell) {
	if i, ok := a.index[[2]string{string(axis), position}]; ok {
		a.Groups[i].Add(cells)
		for _, c := range cells {
			a.Groups[i].Votes = a.Groups[i].Votes.Plus(a.votes[axis][c.Answer])
		}
	}
}

// votesText returns how many pairs were won, without ties; [Votes] says how sure that is.
func votesText(s *Stats, _ int) (string, Tone) {
	if s.Votes.N == 0 {
		return "", TonePlain
	}
	return fmt.Sprintf("%d of %d", s.Votes.Wins, s.Votes.N), TonePlain
}

// draw names the rows, each axis once, and the columns after the figures.
func (a *AxisTotals) draw() {
	a.Heading, a.IsPlain = "totals by", true
	for i, label := range a.Points {
		axis := ""
		if i == 0 || a.Axes[i] != a.Axes[i-1] {
			axis = string(a.Axes[i])
		}
		name := axis + strings.Repeat(" ", axisWidth-len(axis)) + label
		a.Rows, a.RowWidth = append(a.Rows, name), max(a.RowWidth, min(cellWidth(name), maxNameWidth))
	}
	for _, f := range a.figures {
		a.Columns = append(a.Columns, f.labels[len(f.labels)-1])
	}
	a.CellAt = func(row, column int) CellText {
		return figureCell{a.figures[column], &a.Groups[row], a.isBest(row, a.figures[column])}
	}
	for row := range a.Points {
		for column := range a.figures {
			text := func(w int) int { return cellWidth(a.CellAt(row, column).Text(w, CellState{})) }
			a.GoodCell, a.FullCell = max(a.GoodCell, text(12)), max(a.FullCell, text(42))
		}
	}
	a.MaxCell = a.FullCell
}

// isBest reports whether no other point on the axis of a row has as high a score, of several that have one.
func (a *AxisTotals) isBest(row int, f figure) bool {
	if f.score == nil {
		return false
	}
	best, isKnown := f.score(&a.Groups[row])
	others := 0
	for i := range a.Groups {
		if score, isKnown := f.score(&a.Groups[i]); i != row && a.Axes[i] == a.Axes[row] && isKnown {
			if others++; score >= best {
				return false
			}
		}
	}
	return isKnown && others > 0
}

// Facts describes a point in full.
func (a *AxisTotals) Facts(row int) string {
	const unlimited = 1000
	var texts []string
	for _, f := range a.figures {
		if text, _ := f.text(&a.Groups[row], unlimited); text != "" {
			texts = append(texts, f.labels[0]+" "+text)
		}
	}
	return string(a.Axes[row]) + " " + a.Points[row] + ": " + strings.Join(texts, "; ")
}

// figureCell is a figure of a point.
type figureCell struct {
	figure figure
	stats  *Stats
	isBest bool
}

// Text says which point is the best of its axis, and draws the rate of what passed, where there is space.
func (c figureCell) Text(w int, _ CellState) string {
	const bar, minWidth, maxWidth, best = 10, 36, 60, "best "
	rate, hasBar := passRate(c.stats)
	isWide := c.figure.labels[0] == "passed" && w >= minWidth && w <= maxWidth
	if isWide {
		w -= bar + 2
	}
	text, _ := c.figure.text(c.stats, w)
	if c.isBest && cellWidth(best+text) <= w {
		text = best + text
	}
	if isWide && hasBar {
		full := int(math.Round(rate * bar))
		gap := strings.Repeat(" ", max(w-cellWidth(text), 0)+2)
		text = strings.Repeat("█", full) + strings.Repeat("░", bar-full) + gap + text
	}
	return text
}

func (c figureCell) Tone() Tone {
	if c.isBest {
		return ToneGood
	}
	_, tone := c.figure.text(c.stats, 1)
	return tone
}

func (c figureCell) NeedsAttention() bool { return c.stats.Failed+c.stats.Errors > 0 }
