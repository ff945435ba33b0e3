package sqlstore

import (
	"context"
	"encoding/json"
	"errors"

	"confab/history"
)

// runColumns lists the columns of a run "r", as scanRun reads them. The last are the numbers of cells by verdict,
// computed as in [history.StatusOf]. Quotes in stored checks are escaped, so that no name or reason is mistaken for a
// verdict.
const runColumns = `r.id, r.session, r.started, r.suite, r.path, r.ended, r.sha256, r.planned, r.note, r.how, r.shared,
		(select '[' || count(*)
			|| ',' || count(*) filter (where a.state = 'done')
			|| ',' || count(*) filter (where a.state = 'done' and c.checks like ` + anyPassed + ` and c.checks not like ` + anyFailed + ` and c.checks not like ` + anySkipped + `
				and (a.finish = 'refusal' or ` + isWhole + `))
			|| ',' || count(*) filter (where a.state = 'done' and c.checks like ` + anyFailed + `)
			|| ',' || count(*) filter (where a.state not in ('queued', 'running'))
			|| ',' || count(*) filter (where a.state = 'done' and ` + isWhole + ` and coalesce(c.checks, '') not like ` + anyPassed + `
				and coalesce(c.checks, '') not like ` + anyFailed + ` and coalesce(c.checks, '') not like ` + anySkipped + `)
			|| ']'
		from cells c ` + shownCells + ` and c.run = r.id)`

// selectRuns begins a select of runs.
const selectRuns = `select ` + runColumns + ` from runs r cross join sessions in_s on in_s.id = r.session
	where in_s.trash = 0`

const (
	anyFailed  = `'%"verdict":"failed"%'`
	anyPassed  = `'%"verdict":"passed"%'`
	anySkipped = `'%"verdict":"skipped"%'`
	isWhole    = `a.finish in ('', 'stop') and (a.kind <> 'text' or ` + hasText + `)`
	hasText    = "trim(substr(a.answer, 1, 1000), ' \n\r\t') <> ''"
)

// shownCells joins cells with the rows that can hide them, starting from the cell.
const shownCells = `cross join answers a on a.id = c.answer cross join turns t on t.id = c.turn cross join sessions s on s.id = t.session
	where a.trash = 0 and t.trash = 0 and s.trash = 0`

func (tx *Tx) scanRun(row Scanner) (n history.Run) {
	n = scanRun(row)
	tx.markIDs(&n.ID, &n.Session)
	n.Owner = tx.owner
	return n
}

// scanRun reads a run and the columns that follow it.
func scanRun(row Scanner, further ...any) (n history.Run) {
	var counts json.RawMessage
	fields := append([]any{&n.ID}, fieldsOf(append(fixedRunColumns(&n), changingRunColumns(&n)...))...)
	row(append(append(fields, &n.IsShared, jsonText{value: &counts}), further...)...)
	// The database itself built this array of numbers.
	_ = json.Unmarshal(counts, &[]*int{&n.Cells, &n.Done, &n.Passed, &n.Failed, &n.Inconclusive, &n.Unchecked})
	n.Inconclusive -= n.Passed + n.Failed // the column counts all ended cells
	return n
}

// StartRun implements [history.RunStore].
func (s *Store) StartRun(ctx context.Context, started history.Run, first history.Cell, asked history.Turn) (
	r history.Run, c history.Cell, t history.Turn, err error) {
	err = s.Write(ctx, "start the run", func(tx *Tx) {
		r, c, t = started, first, asked
		if r.Session == 0 {
			r.Session = tx.AddSession(r.Suite, 0)
		} else {
			tx.readSession(r.Session)
		}
		if r.Started.IsZero() {
			r.Started = s.now()
		}
		r.Started = history.StoredTime(r.Started)
		r.ID = tx.insertRow("runs", append(fixedRunColumns(&r), changingRunColumns(&r)...))
		c.Run, t.Session = r.ID, r.Session
		c, t = tx.addCell(c, t)
	})
	if err != nil {
		return history.Run{}, history.Cell{}, history.Turn{}, err
	}
	return r, c, t, nil
}

// PutRun implements [history.RunStore].
func (s *Store) PutRun(ctx context.Context, r history.Run) error {
	return s.Write(ctx, "store the run", func(tx *Tx) {
		tx.updateRow("runs", changingRunColumns(&r), r.ID)
	})
}

// Run implements [history.RunStore].
func (s *Store) Run(ctx context.Context, id int64) (history.Run, error) {
	return inTx(ctx, s, reading, "read the run", func(tx *Tx) history.Run {
		return selectRow(tx, tx.scanRun, selectRuns+` and r.id = ?`, tx.lookInto(id))
	})
}

// LastRun implements [history.RunStore].
func (s *Store) LastRun(ctx context.Context, path string) (history.Run, error) {
	return inTx(ctx, s, reading, "read the last run", func(tx *Tx) history.Run {
		return selectRow(tx, tx.scanRun, newestRuns, path, 1)
	})
}

const newestRuns = selectRuns + ` and (?1 = '' or r.path = ?1) order by r.id desc limit ?2`

// Runs implements [history.RunStore].
func (s *Store) Runs(ctx context.Context, path string, limit int) ([]history.Run, error) {
	if limit <= 0 {
		limit = 50
	}
	return inTx(ctx, s, reading, "read the runs", func(tx *Tx) []history.Run {
		return selectRows(tx, tx.scanRun, newestRuns, path, limit)
	})
}

// AddCell implements [history.CellStore].
func (s *Store) AddCell(ctx context.Context, wanted history.Cell, asked history.Turn) (c history.Cell, t history.Turn,
	err error) {
	err = s.Write(ctx, "record the cell", func(tx *Tx) { c, t = tx.addCell(wanted, asked) })
	if err != nil {
		return history.Cell{}, history.Turn{}, err
	}
	return c, t, nil
}

func (tx *Tx) addCell(c history.Cell, t history.Turn) (history.Cell, history.Turn) {
	const step = "record the cell"
	if len(t.Answers) != 1 {
		tx.Fail(&history.StoreError{Step: step, Kind: history.ErrIO,
			Cause: errors.New("a cell is a turn with one answer")})
		return c, t
	}
	if SelectValue[bool](tx, `select exists (select 1 from cells c `+shownCells+` and c.run = ? and c.key = ?)`,
		c.Run, c.Key) {
		tx.Fail(&history.StoreError{Step: step, Kind: history.ErrTaken})
	}
	t = tx.AddTurn(t)
	c.Turn, c.Answer = t.ID, t.Answers[0].ID
	// A hidden cell may have the key.
	hidden := SelectColumn[int64](tx, `select id from cells where run = ? and key = ?`, c.Run, c.Key)
	if len(hidden) > 0 {
		c.ID = hidden[0]
		tx.updateRow("cells", cellColumns(&c), c.ID)
	} else {
		c.ID = tx.insertRow("cells", cellColumns(&c))
	}
	return c, t
}

// RenewCell implements [history.CellStore].
func (s *Store) RenewCell(ctx context.Context, old history.Cell, asked history.Answer) (c history.Cell,
	a history.Answer, err error) {
	const step = "renew the cell"
	err = s.Write(ctx, step, func(tx *Tx) {
		c = old
		if SelectValue[int64](tx, `select answer from cells where id = ?`, c.ID) != c.Answer {
			tx.Fail(&history.StoreError{Step: step, Kind: history.ErrTaken})
		}
		a = tx.addAnswers(c.Turn, []history.Answer{asked})[0]
		c.Answer, c.IsJudged, c.Checks = a.ID, false, nil
		tx.Execute(`update cells set answer = ?, checks = null where id = ?`, a.ID, c.ID)
	})
	if err != nil {
		return history.Cell{}, history.Answer{}, err
	}
	return c, a, nil
}

// PutCell implements [history.CellStore].
func (s *Store) PutCell(ctx context.Context, c history.Cell) error {
	return s.Write(ctx, "store the cell", func(tx *Tx) {
		tx.updateRow("cells", changingCellColumns(&c), c.ID)
	})
}

// Cells implements [history.CellStore].
func (s *Store) Cells(ctx context.Context, run, after int64, limit int) ([]history.Cell, error) {
	if limit <= 0 {
		limit = 500
	}
	return inTx(ctx, s, reading, "read the cells", func(tx *Tx) []history.Cell {
		run := tx.lookInto(run)
		return selectRows(tx, tx.scanCell, `select `+selectedCellColumns()+`
			from cells c `+shownCells+` and c.run = ? and c.id > ?
			order by c.id
			limit ?`, run, tx.ownID(after), limit)
	})
}
