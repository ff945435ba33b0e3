package service

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"confab/service/api"
)

// RunTable is a run as a table: a row for each prompt with its values, a column
// for each provider.
type RunTable struct {
	Facts   RunFacts
	Columns []RunColumn // in the order of the suite
	Rows    []RunRow    // in the order of the suite
}

// RunColumn is a provider. Two providers of the same model, with different
// configurations, are two columns.
type RunColumn struct {
	Name     string // what the suite calls it, without the prefix llm:, image: or edit:
	Provider string // what the suite calls it
	Model    string
	Kind     Kind
}

// RunRow is a prompt with the values of its variables.
type RunRow struct {
	Prompt string            // its id or label
	Test   int               // of the suite, from 0
	Vars   map[string]string // shared: not to be changed
	// Cells are by column, then by repetition. One that was not asked for has no
	// Turn and the state "". A column that the suite does not ask for the row
	// has none.
	Cells [][]RunCell
}

// Name says the row in a few words: the prompt and its values, cleaned of line
// ends.
func (r RunRow) Name() string {
	words := []string{oneLine(r.Prompt)}
	for _, name := range slices.Sorted(maps.Keys(r.Vars)) {
		words = append(words, oneLine(name)+"="+oneLine(r.Vars[name]))
	}
	return strings.Join(words, " ")
}

// Table returns the table of what the plan would do, with what a resumed run
// has already.
func (p *RunPlan) Table() RunTable {
	t := tabulator{}
	for i, c := range p.Cells {
		cell := p.s.cellOf(p, i)
		if had, ok := p.had[c.Key]; ok {
			cell = taken(cell, had)
		}
		t.add(cell)
	}
	return t.table(p.facts())
}

// Put returns the table with what became of a cell. The table it is called on
// is not changed.
func (t RunTable) Put(c RunCell) RunTable {
	for i, row := range t.Rows {
		for j, cells := range row.Cells {
			for k, cell := range cells {
				if cell.Number != c.Number || cell.Key != c.Key {
					continue
				}
				cells = slices.Clone(cells)
				cells[k] = c
				row.Cells = slices.Clone(row.Cells)
				row.Cells[j] = cells
				t.Rows = slices.Clone(t.Rows)
				t.Rows[i] = row
				return t
			}
		}
	}
	return t
}

// RunTable reads a run as a table from its cells alone, so that a suite that
// was changed or deleted since does not matter. What was not asked for is not in
// it; Planned of the facts tells how much there would be. No texts are read.
func (s *Service) RunTable(ctx context.Context, run int64) (RunTable, error) {
	facts, err := s.RunFacts(ctx, run)
	if api.CodeOf(err) == api.CodeUsage {
		return RunTable{}, usage("there is no run %d; confab run --list shows them", run)
	}
	if err != nil {
		return RunTable{}, err
	}
	cells, err := s.runCells(ctx, run)
	if err != nil {
		return RunTable{}, err
	}
	t := tabulator{}
	for _, c := range cells {
		t.add(c)
	}
	return t.table(facts), nil
}

// RowTurns reads the turns of a row with their answers, in the order of its
// cells. What was deleted is left out.
func (s *Service) RowTurns(ctx context.Context, r RunRow) ([]Turn, error) {
	var turns []Turn
	seen := map[int64]bool{}
	for _, cells := range r.Cells {
		for _, c := range cells {
			if c.Turn == 0 || seen[c.Turn] {
				continue
			}
			seen[c.Turn] = true
			t, err := s.Turn(ctx, c.Turn)
			if api.CodeOf(err) == api.CodeUsage { // deleted meanwhile
				continue
			}
			if err != nil {
				return nil, err
			}
			turns = append(turns, t)
		}
	}
	return turns, nil
}

// tabulator makes a table of cells that come in the order of their numbers.
type tabulator struct {
	rows    []*tableRow
	row     map[string]*tableRow
	columns []tableColumn
}

// tableColumn is what a column is known by.
type tableColumn struct {
	provider, model string
	nth             int // of the providers with the same name, from 0
	kind            Kind
}

type tableRow struct {
	first RunCell
	cells map[tableColumn][]RunCell // by repetition
}

// add puts a cell into its place. A later one with the same number stands for
// an earlier one, which was asked for before the suite was edited.
func (t *tabulator) add(c RunCell) {
	vars, err := json.Marshal(c.Vars)
	if err != nil {
		vars = nil // texts always marshal
	}
	key, err := json.Marshal([]any{c.Test, c.Prompt, string(vars)})
	if err != nil {
		key = vars
	}
	row := t.row[string(key)]
	if row == nil {
		row = &tableRow{first: c, cells: map[tableColumn][]RunCell{}}
		t.rows = append(t.rows, row)
		if t.row == nil {
			t.row = map[string]*tableRow{}
		}
		t.row[string(key)] = row
	}
	at := max(c.Repeat, 1) - 1
	col := tableColumn{provider: c.Provider, model: c.Model, kind: c.Kind}
	for {
		cells := row.cells[col]
		for len(cells) <= at {
			cells = append(cells, RunCell{Repeat: len(cells) + 1})
		}
		if known := cells[at]; known.Number == 0 || known.Number == c.Number {
			cells[at] = c
			row.cells[col] = cells
			break
		}
		col.nth++
	}
	if !slices.Contains(t.columns, col) {
		t.columns = append(t.columns, col)
	}
}

// table returns the table.
func (t *tabulator) table(facts RunFacts) RunTable {
	made := RunTable{Facts: facts}
	for _, c := range t.columns {
		name := c.provider
		for _, prefix := range []string{"llm:", "image:", "edit:"} {
			name = strings.TrimPrefix(name, prefix)
		}
		made.Columns = append(made.Columns, RunColumn{Name: cmp.Or(name, c.model), Provider: c.provider, Model: c.model, Kind: c.kind})
	}
	for _, r := range t.rows {
		row := RunRow{Prompt: r.first.Prompt, Test: r.first.Test, Vars: r.first.Vars, Cells: make([][]RunCell, len(t.columns))}
		for i, c := range t.columns {
			row.Cells[i] = r.cells[c]
		}
		made.Rows = append(made.Rows, row)
	}
	return made
}
