package service

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

// RunTable is a run as a table: a row for each prompt with its values, a column
// for each provider.
type RunTable struct {
	Facts   history.Run
	Columns []RunColumn // in the order of the suite
	Rows    []RunRow    // in the order of the suite

	places map[int]place // of the cells by their numbers; never changed
}

// RunColumn is a provider. Two providers of the same model, with different
// configurations, are two columns.
type RunColumn struct {
	Name     string // what the suite calls it, without the prefix llm:, image: or edit:
	Provider string // what the suite calls it
	Model    string
	Kind     history.Kind
}

// RunRow is a prompt with the values of its variables.
type RunRow struct {
	Prompt string // its id or label, else its number
	// the prompt before its values were filled in: its beginning, on one line; empty where it is not known
	Text  string
	Test  int               // of the suite, from 0
	About string            // the description of the test; empty where it has none
	Vars  map[string]string // shared: not to be changed
	Gone  bool              // the suite was edited and does not ask this any more
	// Cells are by column, then by repetition. One that was not asked for has no
	// Turn and the state "". A column that the suite does not ask for the row
	// has none.
	Cells [][]history.Cell
}

// Name says the row in a few words: the prompt and its values, cleaned of line
// ends.
func (r RunRow) Name() string {
	words := []string{oneLine(r.Prompt)}
	if r.About != "" {
		words = append([]string{oneLine(r.About) + ":"}, words...)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Vars)) {
		words = append(words, oneLine(name)+"="+oneLine(r.Vars[name]))
	}
	return strings.Join(words, " ")
}

// Table returns the table of what the plan would do, with what a resumed run
// has already.
func (p *RunPlan) Table() RunTable {
	cells := make([]history.Cell, len(p.Cells))
	for i, c := range p.Cells {
		cells[i] = p.s.cellOf(p, i)
		if had, ok := p.had[c.Key]; ok {
			cells[i] = taken(cells[i], had)
		}
	}
	t := tableOf(p.facts(), cells)
	texts := map[string]string{}
	for _, c := range p.Cells {
		if name := p.s.o.Mask.String(c.PromptID); texts[name] == "" {
			texts[name] = p.s.o.Mask.String(beginning(cmp.Or(c.Template, c.Prompt)))
		}
	}
	t.say(texts)
	return t
}

// mostOfPrompt is how much of a prompt names the rows of a table, in bytes.
const mostOfPrompt = 240

// beginning returns the beginning of a text on one line.
func beginning(text string) string {
	if len(text) > mostOfPrompt {
		text = strings.ToValidUTF8(text[:mostOfPrompt], "")
	}
	return oneLine(text)
}

// say sets what the prompts of the rows are, by their names.
func (t *RunTable) say(texts map[string]string) {
	for i := range t.Rows {
		t.Rows[i].Text = texts[t.Rows[i].Prompt]
	}
}

// Put returns the table with what became of a cell of its own, known by its
// number. The table it is called on is not changed.
func (t RunTable) Put(c history.Cell) RunTable {
	places := t.places
	if places == nil { // a table that was made elsewhere
		places = placesOf(t.Rows)
	}
	at, ok := places[c.Number]
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

// RunTable reads a run as a table from its cells alone, so that a suite that
// was changed or deleted since does not matter. What was not asked for is not in
// it; Planned of the facts tells how much there would be. Of texts the prompts
// are read, each once.
func (s *Service) RunTable(ctx context.Context, run int64) (RunTable, error) {
	facts, err := s.runFacts(ctx, run)
	if err != nil {
		return RunTable{}, err
	}
	cells, err := s.runCells(ctx, run)
	if err != nil {
		return RunTable{}, err
	}
	t := tableOf(facts, cells)
	texts := map[string]string{}
	for _, c := range cells {
		if _, ok := texts[c.Prompt]; ok {
			continue
		}
		turn, err := s.Turn(ctx, c.Turn)
		if api.CodeOf(err) == api.CodeUsage { // deleted meanwhile
			continue
		}
		if err != nil {
			return RunTable{}, err
		}
		texts[c.Prompt] = beginning(cmp.Or(turn.Template, turn.Prompt))
	}
	t.say(texts)
	return t, nil
}

// RowTurns reads the turns of a row with their answers, in the order of its
// cells. What was deleted is left out.
func (s *Service) RowTurns(ctx context.Context, r RunRow) ([]history.Turn, error) {
	var turns []history.Turn
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

// tableOf returns the table of cells that are in the order of their numbers.
// What has no place in the suite stands last.
func tableOf(facts history.Run, cells []history.Cell) RunTable {
	t := tabulator{placed: slices.ContainsFunc(cells, func(c history.Cell) bool { return c.Row != 0 })}
	for _, placed := range []bool{true, false} {
		for _, c := range cells {
			if placed == (c.Row != 0) {
				t.add(c)
			}
		}
	}
	return t.table(facts)
}

// tabulator makes a table of cells, one after the other.
type tabulator struct {
	placed  bool // cells of the suite know their places
	rows    []tableRow
	row     map[tableRowKey]int
	columns []tableColumn
}

// tableRowKey is what a row is known by.
type tableRowKey struct {
	row, test    int
	prompt, vars string
}

// tableColumn is what a column is known by, and its kind.
type tableColumn struct {
	place           int // in the suite; 0 when it is not known
	provider, model string
	kind            history.Kind
}

type tableRow struct {
	RunRow
	cells map[int][]history.Cell // by column, then by repetition
}

// add puts a cell into its place. The newest of those that are for one place
// stays: the others were asked for before the suite was edited.
func (t *tabulator) add(c history.Cell) {
	row := t.rowOf(c)
	at := max(c.Repeat, 1) - 1
	column := t.columnOf(c, row, at)
	cells := row.cells[column]
	for len(cells) <= at {
		cells = append(cells, history.Cell{Repeat: len(cells) + 1})
	}
	if cells[at].ID <= c.ID {
		cells[at] = c
	}
	row.cells[column] = cells
}

// rowOf returns the row of a cell.
func (t *tabulator) rowOf(c history.Cell) tableRow {
	key := tableRowKey{c.Row, c.Test, c.Prompt, valuesKey(c.Vars)}
	i, ok := t.row[key]
	if !ok {
		if t.row == nil {
			t.row = map[tableRowKey]int{}
		}
		i = len(t.rows)
		t.row[key] = i
		row := RunRow{Prompt: c.Prompt, Test: c.Test, About: c.Description, Vars: c.Vars, Gone: t.placed && c.Row == 0}
		t.rows = append(t.rows, tableRow{row, map[int][]history.Cell{}})
	}
	return t.rows[i]
}

// columnOf returns the column of a cell. One without a place belongs to the
// first of its name where the row has no other cell yet.
func (t *tabulator) columnOf(c history.Cell, row tableRow, at int) int {
	for i, known := range t.columns {
		if known.provider != c.Provider || known.model != c.Model {
			continue
		}
		if c.Column != 0 {
			if known.place == c.Column {
				return i
			}
			continue
		}
		cells := row.cells[i]
		if at >= len(cells) || cells[at].Number == 0 || cells[at].Number == c.Number {
			return i
		}
	}
	t.columns = append(t.columns, tableColumn{c.Column, c.Provider, c.Model, c.Kind})
	return len(t.columns) - 1
}

// table returns the table.
func (t *tabulator) table(facts history.Run) RunTable {
	made := RunTable{Facts: facts}
	order := make([]int, len(t.columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		const last = math.MaxInt // where what is not in the suite stands
		return cmp.Compare(cmp.Or(t.columns[a].place, last), cmp.Or(t.columns[b].place, last))
	})
	for _, i := range order {
		c := t.columns[i]
		made.Columns = append(made.Columns,
			RunColumn{Name: nameOfProvider(c.provider), Provider: c.provider, Model: c.model, Kind: c.kind})
	}
	for _, r := range t.rows {
		r.Cells = make([][]history.Cell, len(order))
		for to, from := range order {
			r.Cells[to] = r.cells[from]
		}
		made.Rows = append(made.Rows, r.RunRow)
	}
	made.places = placesOf(made.Rows)
	return made
}

// nameOfProvider returns what a suite calls a provider, without the prefix.
func nameOfProvider(provider string) string {
	for _, prefix := range []string{"llm:", "image:", "edit:"} {
		if slug, ok := strings.CutPrefix(provider, prefix); ok && slug != "" {
			return slug
		}
	}
	return provider
}

// place is where a cell stands in a table.
type place struct{ row, column, repeat int }

// placesOf returns where the cells stand by their numbers; the newest of those
// that share one.
func placesOf(rows []RunRow) map[int]place {
	places, newest := map[int]place{}, map[int]int64{}
	for i, row := range rows {
		for j, cells := range row.Cells {
			for k, c := range cells {
				if c.Number != 0 && newest[c.Number] <= c.ID {
					places[c.Number], newest[c.Number] = place{i, j, k}, c.ID
				}
			}
		}
	}
	return places
}
