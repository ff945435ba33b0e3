package suiterun

import (
	"cmp"
	"math"
	"slices"

	"confab/history"
	"confab/service/suite"
	"confab/service/variable"
)

// tableBuilder makes a table of cells, one after the other.
type tableBuilder struct {
	isPlaced bool // cells of the suite know their rows and columns
	texts    map[string]string
	rows     []rowBuilder
	index    map[rowKey]int
	columns  []columnKey
}

// rowKey is what a row is known by.
type rowKey struct {
	row, test    int
	prompt, vars string
}

// columnKey is what a column is known by, and its kind.
type columnKey struct {
	index           int // in the cells of the rows
	column          int // in the suite; 0 when it is not known
	provider, model string
	kind            history.ModelKind
}

type rowBuilder struct {
	Row
	cells map[int][]history.Cell // by column, then by repetition
}

// add puts a cell into its position. Of several cells for one position the newest stays: the others were asked for
// before the suite was edited.
func (b *tableBuilder) add(c history.Cell) {
	row := b.rowOf(c)
	repeat := max(c.Repeat, 1) - 1
	column := b.columnOf(c, row, repeat)
	cells := row.cells[column]
	for len(cells) <= repeat {
		cells = append(cells, history.Cell{Repeat: len(cells) + 1})
	}
	if cells[repeat].ID <= c.ID {
		cells[repeat] = c
	}
	row.cells[column] = cells
}

// rowOf returns the row of a cell.
func (b *tableBuilder) rowOf(c history.Cell) rowBuilder {
	key := rowKey{c.Row, c.TestIndex, c.Prompt, variable.Key(c.Vars)}
	i, ok := b.index[key]
	if !ok {
		i = len(b.rows)
		b.index[key] = i
		b.rows = append(b.rows, rowBuilder{cells: map[int][]history.Cell{},
			Row: Row{Prompt: c.Prompt, Text: b.texts[c.Prompt], TestIndex: c.TestIndex, Description: c.Description,
				Vars: c.Vars, IsObsolete: b.isPlaced && c.Row == 0}})
	}
	return b.rows[i]
}

// columnOf returns the column of a cell. One without a place in the suite belongs to the first column of its provider
// where the row has no other cell yet.
func (b *tableBuilder) columnOf(c history.Cell, row rowBuilder, repeat int) int {
	for i, known := range b.columns {
		if known.provider != c.Provider || known.model != c.Model {
			continue
		}
		if c.Column != 0 {
			if known.column == c.Column {
				return i
			}
			continue
		}
		cells := row.cells[i]
		if repeat >= len(cells) || cells[repeat].Number == 0 || cells[repeat].Number == c.Number {
			return i
		}
	}
	b.columns = append(b.columns, columnKey{len(b.columns), c.Column, c.Provider, c.Model, c.Kind})
	return len(b.columns) - 1
}

// table returns the table.
func (b *tableBuilder) table(run history.Run) Table {
	t := Table{Run: run}
	slices.SortStableFunc(b.columns, func(x, y columnKey) int {
		const last = math.MaxInt // columns that are not in the suite are the last ones
		return cmp.Compare(cmp.Or(x.column, last), cmp.Or(y.column, last))
	})
	for _, c := range b.columns {
		t.Columns = append(t.Columns,
			Column{Name: suite.ProviderName(c.provider), Provider: c.provider, Model: c.model, Kind: c.kind})
	}
	for _, r := range b.rows {
		for _, c := range b.columns {
			r.Cells = append(r.Cells, r.cells[c.index])
		}
		t.Rows = append(t.Rows, r.Row)
	}
	t.positions = positionsOf(t.Rows)
	return t
}
