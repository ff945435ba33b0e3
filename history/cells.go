package history

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

// ErrTaken says that another process was quicker: it has put the cell into the
// run, or has asked for it again.
var ErrTaken = errors.New("the cell is taken")

// Cell is one call of a run: a turn with one model, and what the checks said.
type Cell struct {
	ID     int64
	Run    int64
	Turn   int64
	Answer int64 // the newest one asked for
	Number int   // place in the suite, from 1
	Test   int   // of the suite, from 0
	Repeat int   // from 1
	// Row and Column are the place in the table of the run: which combination of
	// test, values and prompt, and which provider, from 1. They are 0 for what is
	// not in the suite any more, and in runs of before they were kept.
	Row, Column int
	Key         string
	Provider    string // as the suite names the model
	Prompt      string // the id or label of the prompt
	Description string // of the test
	Vars        map[string]string
	Judged      bool // Checks are what was found, and not just missing yet
	Checks      []CheckResult

	// Of the answer. Only reading fills these in.
	Model       string
	Kind        Kind
	State       State
	Elapsed     time.Duration // request written to body read
	Cached      bool
	FailureCode string // empty unless it failed
}

// CheckResult is what one check said of an answer.
type CheckResult struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"` // passed, failed or skipped
	Reason  string `json:"reason,omitempty"`
}

// CellVerdict is what came of a cell: of its answer and its checks.
type CellVerdict string

// The verdicts of cells. Only [CellPassed] says that an answer is as the suite wants it.
const (
	CellPassed    CellVerdict = "passed"    // it has checks, and all of them passed
	CellFailed    CellVerdict = "failed"    // a check failed
	CellSkipped   CellVerdict = "skipped"   // no check failed, but one at least was not judged
	CellUnchecked CellVerdict = "unchecked" // it was answered, and has no check or none was judged yet
	CellError     CellVerdict = "error"     // the answer failed
	CellMissing   CellVerdict = "missing"   // there is no answer: not asked for, on its way, cancelled or interrupted
)

// VerdictOf returns what came of an answer by its state and its checks.
func VerdictOf(state State, checks []CheckResult) CellVerdict {
	switch {
	case state == Failed:
		return CellError
	case state != Done:
		return CellMissing
	case len(checks) == 0:
		return CellUnchecked
	}
	verdict := CellPassed
	for _, c := range checks {
		switch c.Verdict {
		case "failed":
			return CellFailed
		case "passed":
		default:
			verdict = CellSkipped
		}
	}
	return verdict
}

// Verdict returns what came of the cell.
func (c Cell) Verdict() CellVerdict { return VerdictOf(c.State, c.Checks) }

// AddCell records a turn and the cell of a run that it is, in one step and
// before anything is sent. The turn has one answer. It returns [ErrTaken] when
// the run has a cell with that key already; one that was deleted does not count.
func (s *Store) AddCell(ctx context.Context, c Cell, t Turn) (Cell, Turn, error) {
	err := s.write(ctx, "record the cell", func(tx *sql.Tx) (err error) {
		c, t, err = s.addCell(ctx, tx, c, t)
		return err
	})
	if err != nil {
		return Cell{}, Turn{}, err
	}
	return c, t, nil
}

func (s *Store) addCell(ctx context.Context, tx *sql.Tx, c Cell, t Turn) (Cell, Turn, error) {
	const step = "record the cell"
	if len(t.Answers) != 1 {
		return c, t, &storeError{step: step, kind: ErrIO, cause: errors.New("a cell is a turn with one answer")}
	}
	var shown bool
	err := tx.QueryRowContext(ctx, `select exists (select 1 from cells c `+cellsShown+` and c.run = ? and c.key = ?)`,
		c.Run, c.Key).Scan(&shown)
	if err != nil {
		return c, t, err
	}
	if shown {
		return c, t, &storeError{step: step, kind: ErrTaken}
	}
	if t, err = s.addTurn(ctx, tx, t); err != nil {
		return c, t, err
	}
	c.Turn, c.Answer = t.ID, t.Answers[0].ID
	row, err := rowOfCell(c)
	if err != nil {
		return c, t, err
	}
	inserted := row.inserted()
	var updates []string
	for _, column := range inserted {
		updates = append(updates, column.name+" = excluded."+column.name)
	}
	err = tx.QueryRowContext(ctx, insertInto("cells", inserted)+`
		on conflict (run, key) do update set `+strings.Join(updates, ", ")+`
		returning id`, fieldsOf(inserted)...).Scan(&c.ID)
	return c, t, err
}

// RenewCell adds a further sample to the turn of a cell and makes it the cell's
// answer, in one step. It returns [ErrTaken] when the cell's answer is not
// c.Answer any more.
func (s *Store) RenewCell(ctx context.Context, c Cell, a Answer) (Cell, Answer, error) {
	err := s.write(ctx, "renew the cell", func(tx *sql.Tx) error {
		var now int64
		if err := tx.QueryRowContext(ctx, `select answer from cells where id = ?`, c.ID).Scan(&now); err != nil {
			return err
		}
		if now != c.Answer {
			return &storeError{step: "renew the cell", kind: ErrTaken}
		}
		added, err := s.addAnswers(ctx, tx, c.Turn, []Answer{a})
		if err != nil {
			return err
		}
		a = added[0]
		c.Answer, c.Judged, c.Checks = a.ID, false, nil
		_, err = tx.ExecContext(ctx, `update cells set answer = ?, checks = null where id = ?`, a.ID, c.ID)
		return err
	})
	if err != nil {
		return Cell{}, Answer{}, err
	}
	return c, a, nil
}

// PutCell stores the place of a cell in the suite, its names and what the checks
// said.
func (s *Store) PutCell(ctx context.Context, c Cell) error {
	row, err := rowOfCell(c)
	if err != nil {
		return asStoreError(ctx, "store the cell", err)
	}
	return s.write(ctx, "store the cell", func(tx *sql.Tx) error {
		changing := row.changing()
		res, err := tx.ExecContext(ctx,
			`update cells set (`+columnList("", changing)+`) = (`+placeholders(len(changing))+`) where id = ?`,
			append(fieldsOf(changing), c.ID)...)
		return requireRowChanged(res, err)
	})
}

// Cells returns the cells of a run in the order in which they were first asked
// for: those after the one with the id "after", at most limit; zero stands for
// 500. What was deleted is left out.
func (s *Store) Cells(ctx context.Context, run, after int64, limit int) ([]Cell, error) {
	if limit <= 0 {
		limit = 500
	}
	var cells []Cell
	err := s.read(ctx, "read the cells", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `select `+cellColumns()+`
			from cells c `+cellsShown+` and c.run = ? and c.id > ?
			order by c.id
			limit ?`, run, after, limit)
		return forEachRow(rows, err, func() error {
			c, err := scanCell(rows)
			cells = append(cells, c)
			return err
		})
	})
	return cells, err
}
