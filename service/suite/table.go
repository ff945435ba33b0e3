package suite

import (
	"cmp"
	"context"
	"math"
	"slices"

	"confab/history"
	"confab/service/api"
)

// Table is a run, or turns that were sent together, as a table: a row for each prompt with its values, a
// column for each model.
type Table struct {
	Run     history.Run // the zero value for turns
	Turn    int64       // the first of the turns; 0 for a run
	Columns []Column    // in the order of the suite
	Rows    []Row       // in the order of the suite
}

// Column is a model. Providers of one model with different configurations have separate columns.
type Column struct {
	Name     string // the suite's name without the prefix llm:, image: or edit:; empty for turns
	Provider string // the suite's name
	Model    string
	Kind     history.ModelKind
	Params   history.Params // of the provider; those of turns are in the rows
}

// Row is a prompt with the values of its variables.
type Row struct {
	Point         // without a model
	TestIndex int // of the suite, from 0
	// Cells are by column, then by repetition. A cell that was not requested has no Turn and the state "". A column
	// that the suite does not use for the row has none.
	Cells [][]history.Cell
}

// Table returns the table of the planned cells, with the answers of a continued run.
func (p *Plan) Table() Table {
	cells := make([]history.Cell, len(p.Calls))
	for i, c := range p.Calls {
		cells[i] = p.Cell(i)
		if earlier, ok := p.earlier[c.Key]; ok {
			cells[i] = withResult(cells[i], earlier)
		}
	}
	return NewTable(p.record(), cells)
}

// Table returns the table of a run from its stored cells alone, since its suite may have been changed or deleted. The
// table lacks cells that were not requested; the run's Planned is the number of all cells.
func (r *Runner) Table(ctx context.Context, id int64) (Table, error) {
	run, err := r.Run(ctx, id)
	if err != nil {
		return Table{}, err
	}
	cells, err := r.Cells(ctx, id)
	return NewTable(run, cells), err
}

// TurnTable returns the table of turns that were sent together: a row for each prompt with its values and
// parameters.
func TurnTable(turns []history.Turn) Table {
	if len(turns) == 0 {
		return Table{}
	}
	var cells []history.Cell
	rows, columns, repeats := map[[3]string]int{}, map[string]int{}, map[[2]int]int{}
	number := func(known, next int) int { return cmp.Or(known, next+1) }
	for _, t := range turns {
		point := PointOf(t, "")
		key := [3]string{point.On(AxisPrompt), point.On(AxisValues), point.On(AxisParams)}
		rows[key] = number(rows[key], len(rows))
		for _, model := range t.Models() {
			columns[model] = number(columns[model], len(columns))
			for _, a := range samples(t, model) {
				position := [2]int{rows[key], columns[model]}
				repeats[position]++
				c := history.Cell{Turn: t.ID, Number: len(cells) + 1, Row: position[0], Column: position[1],
					Repeat: repeats[position], Template: point.Prompt, System: point.System, Vars: point.Vars,
					Params: point.Params}
				c.SetAnswer(a)
				cells = append(cells, c)
			}
		}
	}
	table := NewTable(history.Run{}, cells)
	table.Turn = turns[0].ID
	return table
}

// samples returns the answers of a turn by a model, without those that failed and were asked for again.
func samples(t history.Turn, model string) (all []history.Answer) {
	for _, a := range t.Answers {
		if a.Model == model {
			all = append(all, a)
		}
	}
	for i := 0; len(all) > max(t.Samples, 1) && i < len(all); {
		if all[i].State.HasEnded() && all[i].State != history.Done {
			all = slices.Delete(all, i, i+1)
		} else {
			i++
		}
	}
	return all
}

// RowTurns returns the turns of the cells of a row with their answers, in their order, without deleted ones.
func (r *Runner) RowTurns(ctx context.Context, row [][]history.Cell) ([]history.Turn, error) {
	var turns []history.Turn
	seen := map[int64]bool{0: true}
	for _, c := range slices.Concat(row...) {
		if seen[c.Turn] {
			continue
		}
		seen[c.Turn] = true
		t, err := r.o.Service.Turn(ctx, c.Turn)
		switch {
		case err == nil:
			turns = append(turns, t)
		case api.CodeOf(err) != api.CodeUsage: // otherwise the turn was deleted
			return nil, err
		}
	}
	return turns, nil
}

// With returns the table with a new state of one of its cells, found by its number. It does not change t.
func (t Table) With(c history.Cell) Table {
	last := len(t.Rows)
	if c.Row > 0 { // rows of the suite may be missing, but none is added
		last = min(c.Row, last)
	}
	for i := last - 1; i >= 0; i-- {
		for j, cells := range t.Rows[i].Cells {
			k := slices.IndexFunc(cells, func(known history.Cell) bool { return known.Number == c.Number })
			if k < 0 {
				continue
			}
			t.Rows = slices.Clone(t.Rows)
			row := &t.Rows[i]
			row.Cells = slices.Clone(row.Cells)
			row.Cells[j] = slices.Clone(cells)
			row.Cells[j][k] = c
			return t
		}
	}
	return t
}

// NewTable returns the table of cells in the order of their numbers. Cells without a position in the suite are in the
// last rows.
func NewTable(run history.Run, cells []history.Cell) Table {
	b := tableBuilder{index: map[rowKey]int{}}
	for _, isInSuite := range []bool{true, false} {
		for _, c := range cells {
			if isInSuite == (c.Row != 0) {
				b.add(c)
			}
		}
	}
	return b.table(run)
}

// tableBuilder builds a table cell by cell.
type tableBuilder struct {
	rows    []Row // with cells by column index
	index   map[rowKey]int
	columns []suiteColumn
}

// rowKey identifies a row.
type rowKey struct {
	row, test    int
	prompt, vars string
}

// suiteColumn is a column with its number in the suite, 0 if unknown, and its index in the cells of rows.
type suiteColumn struct {
	Column
	number, index int
}

// add adds a cell at its position. The newest of several cells for one position replaces the others, which precede an
// edit of the suite.
func (b *tableBuilder) add(c history.Cell) {
	key := rowKey{c.Row, c.TestIndex, c.Prompt, ""}
	if c.Provider != "" || c.Row == 0 { // the number of a row of turns stands for its values
		key.vars = variablesKey(c.Vars)
	}
	i, ok := b.index[key]
	if !ok {
		i = len(b.rows)
		b.index[key] = i
		row := Row{TestIndex: c.TestIndex, Point: Point{Name: c.Prompt, Prompt: c.Template, System: c.System,
			Test: c.Description, Vars: c.Vars}}
		if c.Provider == "" {
			row.Params = c.Params
		}
		b.rows = append(b.rows, row)
	}
	row, repeat := &b.rows[i], max(c.Repeat, 1)-1
	column := b.columnOf(c, *row, repeat)
	for len(row.Cells) <= column {
		row.Cells = append(row.Cells, nil)
	}
	cells := &row.Cells[column]
	for len(*cells) <= repeat {
		*cells = append(*cells, history.Cell{Repeat: len(*cells) + 1})
	}
	if (*cells)[repeat].ID <= c.ID {
		(*cells)[repeat] = c
	}
}

// columnOf returns the column index of a cell. A cell without a position in the suite belongs to the first column of
// its provider without another cell in the row.
func (b *tableBuilder) columnOf(c history.Cell, row Row, repeat int) int {
	for i, known := range b.columns {
		if known.Provider != c.Provider || known.Model != c.Model {
			continue
		}
		if c.Column != 0 {
			if known.number == c.Column {
				return i
			}
			continue
		}
		if i >= len(row.Cells) || repeat >= len(row.Cells[i]) {
			return i
		}
		if other := row.Cells[i][repeat].Number; other == 0 || other == c.Number {
			return i
		}
	}
	column := Column{Name: ProviderName(c.Provider), Provider: c.Provider, Model: c.Model, Kind: c.Kind}
	if c.Provider != "" {
		column.Params = c.Params
	}
	b.columns = append(b.columns, suiteColumn{number: c.Column, index: len(b.columns), Column: column})
	return len(b.columns) - 1
}

// table returns the table with its columns in the order of the suite, followed by columns that the suite lacks.
func (b *tableBuilder) table(run history.Run) Table {
	slices.SortStableFunc(b.columns, func(x, y suiteColumn) int {
		return cmp.Compare(cmp.Or(x.number, math.MaxInt), cmp.Or(y.number, math.MaxInt))
	})
	t := Table{Run: run, Rows: b.rows}
	for _, c := range b.columns {
		t.Columns = append(t.Columns, c.Column)
	}
	for i, row := range t.Rows {
		t.Rows[i].Cells = make([][]history.Cell, len(b.columns))
		for j, c := range b.columns {
			if c.index < len(row.Cells) {
				t.Rows[i].Cells[j] = row.Cells[c.index]
			}
		}
	}
	return t
}
