package suite

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"confab/history"
	"confab/service/api"
)

// Table is a run as a table: a row for each prompt with its values, a column for each provider.
type Table struct {
	Run     history.Run
	Columns []Column // in the order of the suite
	Rows    []Row    // in the order of the suite

	positions map[int]position // of the cells by their numbers; never changed
}

// Column is a provider. Two providers of the same model with different configurations are two columns.
type Column struct {
	Name     string // what the suite calls it, without the prefix llm:, image: or edit:
	Provider string // what the suite calls it
	Model    string
	Kind     history.ModelKind
}

// Row is a prompt with the values of its variables.
type Row struct {
	Prompt      string            // its id or label, else its number
	Text        string            // the beginning of the template, on one line; empty where it is not known
	TestIndex   int               // of the suite, from 0
	Description string            // of the test; empty where it has none
	Vars        map[string]string // shared: not to be changed
	IsObsolete  bool              // the suite was edited and does not ask this any more
	// Cells are by column, then by repetition. One that was not asked for has no Turn and the state "". A column that
	// the suite does not ask for the row has none.
	Cells [][]history.Cell
}

// Name says in a few words which row it is: the prompt and its values, on one line.
func (r Row) Name() string {
	words := []string{oneLine(r.Prompt)}
	if r.Description != "" {
		words = append([]string{oneLine(r.Description) + ":"}, words...)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Vars)) {
		words = append(words, oneLine(name)+"="+oneLine(r.Vars[name]))
	}
	return strings.Join(words, " ")
}

// Table returns the table of what the plan would do, with what a continued run has already.
func (p *Plan) Table() Table {
	cells := make([]history.Cell, len(p.Cells))
	texts := map[string]string{}
	for i, c := range p.Cells {
		cells[i] = p.Cell(i)
		if earlier, ok := p.earlier[c.Key]; ok {
			cells[i] = withResult(cells[i], earlier)
		}
		if name := cells[i].Prompt; texts[name] == "" {
			texts[name] = p.runner.o.Mask.String(beginning(cmp.Or(c.Template, c.Prompt)))
		}
	}
	return NewTable(p.record(), cells, texts)
}

// Table reads a run as a table from its cells alone, so that it does not matter whether its suite was changed or
// deleted. What was not asked for is not in it; Planned of the run tells how many cells there would be.
func (r *Runner) Table(ctx context.Context, id int64) (Table, error) {
	run, err := r.Run(ctx, id)
	if err != nil {
		return Table{}, err
	}
	cells, err := r.Cells(ctx, id)
	if err != nil {
		return Table{}, err
	}
	texts := map[string]string{}
	for _, c := range cells {
		if _, ok := texts[c.Prompt]; ok {
			continue
		}
		turn, err := r.o.Service.Turn(ctx, c.Turn)
		if api.CodeOf(err) == api.CodeUsage { // deleted meanwhile
			continue
		}
		if err != nil {
			return Table{}, err
		}
		texts[c.Prompt] = beginning(cmp.Or(turn.Template, turn.Prompt))
	}
	return NewTable(run, cells, texts), nil
}

// beginning returns the beginning of a text on one line.
func beginning(text string) string {
	const most = 240 // bytes
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return oneLine(text)
}

// RowTurns reads the turns of a row with their answers, in the order of its cells. Deleted turns are left out.
func (r *Runner) RowTurns(ctx context.Context, row Row) ([]history.Turn, error) {
	var turns []history.Turn
	seen := map[int64]bool{0: true}
	for _, c := range slices.Concat(row.Cells...) {
		if seen[c.Turn] {
			continue
		}
		seen[c.Turn] = true
		t, err := r.o.Service.Turn(ctx, c.Turn)
		if api.CodeOf(err) == api.CodeUsage { // deleted meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		turns = append(turns, t)
	}
	return turns, nil
}

// With returns the table with the new state of one of its cells, known by its number. The table it is called on does
// not change.
func (t Table) With(c history.Cell) Table {
	positions := t.positions
	if positions == nil { // a table that was made elsewhere
		positions = positionsOf(t.Rows)
	}
	at, ok := positions[c.Number]
	if !ok {
		return t
	}
	t.Rows = slices.Clone(t.Rows)
	row := &t.Rows[at.row]
	row.Cells = slices.Clone(row.Cells)
	row.Cells[at.column] = slices.Clone(row.Cells[at.column])
	row.Cells[at.column][at.repeat] = c
	return t
}

// position is where a cell is in a table.
type position struct{ row, column, repeat int }

// positionsOf returns the positions of the cells by their numbers: the newest of those that share one.
func positionsOf(rows []Row) map[int]position {
	positions, newest := map[int]position{}, map[int]int64{}
	for i, row := range rows {
		for j, cells := range row.Cells {
			for k, c := range cells {
				if c.Number != 0 && newest[c.Number] <= c.ID {
					positions[c.Number], newest[c.Number] = position{i, j, k}, c.ID
				}
			}
		}
	}
	return positions
}

// NewTable returns the table of cells that are in the order of their numbers; texts are the beginnings of the prompts
// by their names. Cells without a place in the suite are in the last rows.
func NewTable(run history.Run, cells []history.Cell, texts map[string]string) Table {
	b := tableBuilder{isPlaced: slices.ContainsFunc(cells, func(c history.Cell) bool { return c.Row != 0 }),
		index: map[rowKey]int{}, texts: texts}
	for _, placed := range []bool{true, false} {
		for _, c := range cells {
			if placed == (c.Row != 0) {
				b.add(c)
			}
		}
	}
	return b.table(run)
}

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
	key := rowKey{c.Row, c.TestIndex, c.Prompt, VariablesKey(c.Vars)}
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
			Column{Name: ProviderName(c.provider), Provider: c.provider, Model: c.model, Kind: c.kind})
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
