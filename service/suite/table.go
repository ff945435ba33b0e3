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
}

// Column is a provider. Providers of one model with different configurations have separate columns.
type Column struct {
	Name     string // the suite's name without the prefix llm:, image: or edit:
	Provider string // the suite's name
	Model    string
	Kind     history.ModelKind
}

// Row is a prompt with the values of its variables.
type Row struct {
	Prompt      string            // id or label, or else the number
	Text        string            // beginning of the template on one line; empty if unknown
	TestIndex   int               // of the suite, from 0
	Description string            // of the test; may be empty
	Vars        map[string]string // shared: read-only
	IsObsolete  bool              // the suite was edited and no longer has the row
	// Cells are by column, then by repetition. A cell that was not requested has no Turn and the state "". A column
	// that the suite does not use for the row has none.
	Cells [][]history.Cell
}

// Name returns the prompt of a row and its values on one line.
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

// Table returns the table of the planned cells, with the answers of a continued run.
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

// Table returns the table of a run from its stored cells alone, since its suite may have been changed or deleted. The
// table lacks cells that were not requested; the run's Planned is the number of all cells.
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
		switch {
		case err == nil:
			texts[c.Prompt] = beginning(cmp.Or(turn.Template, turn.Prompt))
		case api.CodeOf(err) != api.CodeUsage: // otherwise the turn was deleted
			return Table{}, err
		}
	}
	return NewTable(run, cells, texts), nil
}

func beginning(text string) string {
	const most = 240 // bytes
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return oneLine(text)
}

// RowTurns returns the turns of a row with their answers in the order of its cells, without deleted ones.
func (r *Runner) RowTurns(ctx context.Context, row Row) ([]history.Turn, error) {
	var turns []history.Turn
	seen := map[int64]bool{0: true}
	for _, c := range slices.Concat(row.Cells...) {
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

// NewTable returns the table of cells in the order of their numbers. Texts holds the beginnings of prompts by name.
// Cells without a position in the suite are in the last rows.
func NewTable(run history.Run, cells []history.Cell, texts map[string]string) Table {
	b := tableBuilder{index: map[rowKey]int{}, texts: texts}
	for _, c := range cells {
		if c.Row != 0 {
			b.add(c)
		}
	}
	b.isObsolete = len(b.rows) > 0
	for _, c := range cells {
		if c.Row == 0 {
			b.add(c)
		}
	}
	return b.table(run)
}

// tableBuilder builds a table cell by cell.
type tableBuilder struct {
	isObsolete bool // the suite no longer has the added rows
	texts      map[string]string
	rows       []Row // with cells by column index
	index      map[rowKey]int
	columns    []suiteColumn
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
	key := rowKey{c.Row, c.TestIndex, c.Prompt, VariablesKey(c.Vars)}
	i, ok := b.index[key]
	if !ok {
		i = len(b.rows)
		b.index[key] = i
		b.rows = append(b.rows, Row{Prompt: c.Prompt, Text: b.texts[c.Prompt], TestIndex: c.TestIndex,
			Description: c.Description, Vars: c.Vars, IsObsolete: b.isObsolete})
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
	b.columns = append(b.columns, suiteColumn{number: c.Column, index: len(b.columns), Column: Column{
		Name: ProviderName(c.Provider), Provider: c.Provider, Model: c.Model, Kind: c.Kind}})
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
