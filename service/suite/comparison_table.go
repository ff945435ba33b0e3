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

// Comparison is the table of two runs, cell by cell.
type Comparison struct {
	TableText
	Total  ChangeCounts
	Checks []CheckPairs // of each check that has another verdict
	Flaky  []string     // questions of the second run whose samples have different verdicts

	rows  []Row
	cells [][]*ComparedCell // by row and column
	stats []ChangeCounts    // by column
}

// NewComparison returns the table of the changes between two runs.
func NewComparison(all []Change) *Comparison {
	t := changeTable(all)
	c := &Comparison{rows: t.Rows, stats: make([]ChangeCounts, len(t.Columns)), Checks: checkPairs(all)}
	c.nameColumns(t.Columns)
	for _, row := range t.Rows {
		var compared []*ComparedCell
		for j, cells := range row.Cells {
			cell := &ComparedCell{}
			for _, numbered := range cells {
				if numbered.Number == 0 {
					continue // neither run has this repetition
				}
				change := &all[numbered.Number-1]
				cell.add(change)
				c.stats[j].add(change)
				c.Total.add(change)
			}
			if cell.a.Cells > 0 {
				for _, pairs := range []*Pairs{&cell.Pairs, &c.stats[j].Pairs, &c.Total.Pairs} {
					pairs.add(cell.a.Passed, cell.a.Passed+cell.a.Failed, cell.b.Passed, cell.b.Passed+cell.b.Failed)
					if cell.a.Unchecked == cell.a.Cells || cell.b.Unchecked == cell.b.Cells {
						pairs.unchecked++
					}
				}
			}
			compared = append(compared, cell)
		}
		c.cells = append(c.cells, compared)
	}
	c.sortRows()
	c.nameRows(c.rows)
	for i, row := range c.cells {
		for j, cell := range row {
			if text := flakyText(cell.b); text != "" {
				c.Flaky = append(c.Flaky, c.Rows[i]+", "+c.Columns[j]+": "+text)
			}
		}
	}
	c.CellAt = func(row, column int) CellText { return c.cells[row][column] }
	c.GoodCell, c.FullCell, c.MaxCell = 12, 40, 0 // of all it says
	c.Totals = []TotalsRow{{[]string{"verdicts"}, c.totalVerdicts}, {[]string{"answers"}, c.totalAnswers},
		{[]string{"median time", "time"}, c.totalTimes}}
	return c
}

// sortRows puts the rows with a worse verdict first, then those with a better one, then those with other checks.
func (c *Comparison) sortRows() {
	rank := func(row []*ComparedCell) int {
		kinds := []func(cell *ComparedCell) bool{
			func(cell *ComparedCell) bool { return cell.Worse > 0 },
			func(cell *ComparedCell) bool { return cell.Better > 0 },
			func(cell *ComparedCell) bool { return cell.worseChecks+cell.betterChecks+cell.changedStatuses > 0 },
		}
		for i, isKind := range kinds {
			if slices.ContainsFunc(row, isKind) {
				return i
			}
		}
		return len(kinds)
	}
	order := make([]int, len(c.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rank(c.cells[i]), rank(c.cells[j])) })
	rows, cells := slices.Clone(c.rows), slices.Clone(c.cells)
	for to, from := range order {
		c.rows[to], c.cells[to] = rows[from], cells[from]
	}
}

// Report describes the comparison in lines: all verdicts, those of each check that changed, and flaky questions.
func (c *Comparison) Report() []string {
	lines := []string{c.Total.Summary()}
	for _, check := range c.Checks {
		lines = append(lines, "check "+check.label+": "+check.Pairs.String())
	}
	for _, text := range c.Flaky {
		lines = append(lines, "flaky: "+text)
	}
	return lines
}

// Cell returns a cell of the table.
func (c *Comparison) Cell(row, column int) *ComparedCell { return c.cells[row][column] }

// RowFacts describes a row: its prompt with the beginning of its text, and all its values.
func (c *Comparison) RowFacts(row int) string {
	return fmt.Sprintf("row %d  %s", row+1, c.labels.facts(c.rows[row].Point))
}

// changeTable arranges changes as a table whose cells have the numbers of their changes, from 1. It ignores positions
// in the suite, which may have been edited between the runs, and uses prompts, values and models.
func changeTable(changes []Change) Table {
	tests := map[string][]int{} // of the second run, by prompt and values
	var cells []history.Cell
	for i, c := range changes {
		cell := *cmp.Or(c.B, c.A)
		cell.ID, cell.Number, cell.Row, cell.Column = int64(i+1), i+1, 0, 0
		values := fmt.Sprintf("%q %q", cell.Prompt, cell.Vars)
		switch same := tests[values]; {
		case c.B != nil && !slices.Contains(same, cell.TestIndex):
			tests[values] = append(same, cell.TestIndex)
		case c.B == nil && len(same) == 1:
			cell.TestIndex = same[0] // the second run may number the test differently
		}
		cells = append(cells, cell)
	}
	return NewTable(history.Run{}, cells)
}

func (c *Comparison) totalAnswers(column, w int) (string, Tone) {
	d, tone := c.stats[column], ToneFaint
	if d.changedAnswers+d.addedCells+d.removedCells > 0 {
		tone = ToneWarning
	}
	changed := fmt.Sprintf("%d changed", d.changedAnswers)
	if d.sameCells+d.editedCells+d.changedCells == 0 {
		changed = ""
	}
	others := joinCounts(", ", signCount{d.addedCells, " new"}, signCount{d.removedCells, " gone"})
	text := joinNonEmpty(", ", changed, others)
	return firstFitting(w, text, cmp.Or(changed, text)), tone
}

func (c *Comparison) totalVerdicts(column, w int) (string, Tone) {
	d, tone := c.stats[column].Pairs, TonePlain
	switch p := d.PValue(); {
	case d.Better+d.Worse+d.Same == 0:
		return "", ToneFaint
	case d.Better+d.Worse == 0:
		return firstFitting(w, "all the same", "same"), ToneFaint
	case d.Worse > d.Better:
		tone = ToneBad
	case p < 0.05:
		tone = ToneGood
	}
	counts := joinCounts(", ", signCount{d.Worse, " worse"}, signCount{d.Better, " better"})
	return firstFitting(w, counts, joinCounts(" ", signCount{d.Worse, " ↓"},
		signCount{d.Better, " ↑"})), tone
}

func (c *Comparison) totalTimes(column, w int) (string, Tone) {
	a, b, ok := c.stats[column].medians()
	if !ok {
		return "", ToneFaint
	}
	from, to := format.Seconds(a), format.Seconds(b)
	return firstFitting(w, from+" → "+to, strings.TrimSuffix(from, " s")+" → "+to), TonePlain
}

// ComparedCell is a cell of the table of two runs: the samples of one prompt and one model in both.
type ComparedCell struct {
	ChangeCounts
	changes []*Change // by repetition
	a, b    Stats     // of the samples that both runs have

	changedStatuses int // of the samples that both runs have
}

// add adds a sample.
func (d *ComparedCell) add(c *Change) {
	d.changes = append(d.changes, c)
	d.ChangeCounts.add(c)
	if c.A != nil && c.B != nil {
		d.a.add(c.A)
		d.b.add(c.B)
		if c.A.Status() != c.B.Status() {
			d.changedStatuses++
		}
	}
}

// Text implements [CellText].
func (d *ComparedCell) Text(w int, _ CellState) string {
	var texts []string
	switch len(d.changes) {
	case 0:
		return firstFitting(w, signNone)
	case 1:
		texts = d.sampleTexts(d.changes[0])
	default:
		texts = d.samplesTexts()
	}
	if a, b, ok := d.medians(); ok {
		texts = append([]string{joinNonEmpty(", ", texts[0], timeDifference(b-a))}, texts...)
	}
	return firstFitting(w, texts...)
}

// Tone implements [CellText].
func (d *ComparedCell) Tone() Tone {
	switch {
	case d.Worse > 0:
		return ToneBad
	case d.Better > 0:
		return ToneGood
	case d.NeedsAttention():
		return ToneWarning
	}
	return ToneFaint
}

// NeedsAttention implements [CellText].
func (d *ComparedCell) NeedsAttention() bool { return d.changedCells+d.addedCells+d.removedCells > 0 }

// sampleTexts returns the texts for a single sample, the longest first.
func (d *ComparedCell) sampleTexts(c *Change) []string {
	switch {
	case c.A == nil:
		return []string{"new " + statusSign(c.B.Status()), "new"}
	case c.B == nil:
		return []string{"gone " + statusSign(c.A.Status()), "gone"}
	}
	verdict, signs := d.verdict(), ""
	switch {
	case c.IsSame():
		return []string{wordSame, signSame}
	case verdict != "":
		signs = statusSign(c.A.Status()) + "→" + statusSign(c.B.Status())
	case d.editedCells > 0:
		return []string{wordSame + ", checks edited", wordSame, signSame}
	default:
		verdict = d.checksText()
	}
	what := "text"
	if c.hasPicture() {
		what = "picture"
	}
	answer := ""
	switch isDone := c.A.State == history.Done && c.B.State == history.Done; {
	case isDone && c.HasAnswerChanged:
		answer, what = what+" changed", "changed"
	case c.A.State != history.Done && !c.HasAnswerChanged:
		answer = "same " + statusSign(c.A.Status())
	}
	return []string{joinNonEmpty(", ", joinNonEmpty(" ", verdict, signs), answer), joinNonEmpty(", ", verdict, answer),
		joinNonEmpty(", ", verdict, what), cmp.Or(verdict, answer), cmp.Or(verdict, what)}
}

// verdict says in a word how the verdict on the question has changed, as totals count it; "" where it has not.
func (d *ComparedCell) verdict() string {
	switch {
	case d.Worse > 0:
		return "worse"
	case d.Better > 0:
		return "better"
	case d.changedStatuses == 0 || d.Unjudged == 0:
		return ""
	case d.unchecked > 0:
		return "unchecked"
	}
	return "inconclusive"
}

// checksText counts the checks with another verdict, where that of the question is the same.
func (d *ComparedCell) checksText() string {
	return joinCounts(", ", signCount{d.worseChecks, format.Plural(d.worseChecks, " check", " checks") + " worse"},
		signCount{d.betterChecks, format.Plural(d.betterChecks, " check", " checks") + " better"})
}

func (c *Change) hasPicture() bool { return c.AnswerA.Picture != nil || c.AnswerB.Picture != nil }

// samplesTexts returns the texts for several samples, the longest first.
func (d *ComparedCell) samplesTexts() (texts []string) {
	verdict := d.verdict()
	if verdict == "" {
		verdict = d.checksText()
	} else {
		rate := func(s Stats) string { return fmt.Sprintf("%d/%d", s.Passed, s.Cells) }
		texts = append(texts, verdict)
		verdict += " " + rate(d.a) + "→" + rate(d.b)
	}
	counts := []signCount{{d.changedAnswers, " changed"}, {d.addedCells, " new"}, {d.removedCells, " gone"},
		{d.editedCells, " edited"}, {d.sameCells, " same"}}
	counts = slices.DeleteFunc(counts, func(c signCount) bool { return c.n == 0 })
	if verdict == "" && len(counts) == 1 && d.sameCells > 0 {
		return []string{wordSame, signSame}
	}
	for n := range len(counts) + 1 {
		if text := joinNonEmpty(", ", verdict, joinCounts(", ", counts[:n]...)); text != "" {
			texts = append(texts, text)
		}
	}
	slices.Reverse(texts)
	return texts
}

// First returns the first sample that differs, or else the first one, and its number; nil if there is none.
func (d *ComparedCell) First() (change *Change, number int) {
	if len(d.changes) == 0 {
		return nil, 0
	}
	i := max(slices.IndexFunc(d.changes, func(c *Change) bool { return !c.IsSame() }), 0)
	return d.changes[i], i + 1
}

// HasSamples reports whether a run has several samples of the cell.
func (d *ComparedCell) HasSamples() bool { return len(d.changes) > 1 }

// Facts describes the changes between the runs a and b.
func (d *ComparedCell) Facts(a, b int64) string {
	c, number := d.First()
	switch {
	case c == nil:
		return "in neither run"
	case !d.HasSamples():
		return joinNonEmpty("; ", d.verdict(), c.facts(a, b))
	}
	samples := format.Count(len(d.changes), "sample") + ": " + d.Changes(Long)
	return joinNonEmpty("; ", d.verdict(), samples, fmt.Sprintf("sample %d: %s", number, c.facts(a, b)))
}

// timeDifference formats a difference of times: "+0.2 s", "−1.4 s"; empty for hardly any.
func timeDifference(d time.Duration) string {
	switch {
	case d >= 50*time.Millisecond:
		return "+" + format.Seconds(d)
	case d <= -50*time.Millisecond:
		return "−" + format.Seconds(-d)
	}
	return ""
}
