package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"confab/history"
)

// AddCell records a turn and the cell of a run that it is, in one step and
// before anything is sent. The turn has one answer. It returns [history.ErrTaken] when
// the run has a cell with that key already; one that was deleted does not count.
func (s *Store) AddCell(ctx context.Context, c history.Cell, t history.Turn) (history.Cell, history.Turn, error) {
	err := s.write(ctx, "record the cell", func(tx *sql.Tx) (err error) {
		c, t, err = s.addCell(ctx, tx, c, t)
		return err
	})
	if err != nil {
		return history.Cell{}, history.Turn{}, err
	}
	return c, t, nil
}

func (s *Store) addCell(ctx context.Context, tx *sql.Tx, c history.Cell, t history.Turn) (history.Cell, history.Turn, error) {
	const step = "record the cell"
	if len(t.Answers) != 1 {
		return c, t, &history.StoreError{Step: step, Kind: history.ErrIO, Cause: errors.New("a cell is a turn with one answer")}
	}
	var shown bool
	err := tx.QueryRowContext(ctx, `select exists (select 1 from cells c `+cellsShown+` and c.run = ? and c.key = ?)`,
		c.Run, c.Key).Scan(&shown)
	if err != nil {
		return c, t, err
	}
	if shown {
		return c, t, &history.StoreError{Step: step, Kind: history.ErrTaken}
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
// answer, in one step. It returns [history.ErrTaken] when the cell's answer is not
// c.Answer any more.
func (s *Store) RenewCell(ctx context.Context, c history.Cell, a history.Answer) (history.Cell, history.Answer, error) {
	err := s.write(ctx, "renew the cell", func(tx *sql.Tx) error {
		var now int64
		if err := tx.QueryRowContext(ctx, `select answer from cells where id = ?`, c.ID).Scan(&now); err != nil {
			return err
		}
		if now != c.Answer {
			return &history.StoreError{Step: "renew the cell", Kind: history.ErrTaken}
		}
		added, err := s.addAnswers(ctx, tx, c.Turn, []history.Answer{a})
		if err != nil {
			return err
		}
		a = added[0]
		c.Answer, c.Judged, c.Checks = a.ID, false, nil
		_, err = tx.ExecContext(ctx, `update cells set answer = ?, checks = null where id = ?`, a.ID, c.ID)
		return err
	})
	if err != nil {
		return history.Cell{}, history.Answer{}, err
	}
	return c, a, nil
}

// PutCell stores the place of a cell in the suite, its names and what the checks
// said.
func (s *Store) PutCell(ctx context.Context, c history.Cell) error {
	row, err := rowOfCell(c)
	if err != nil {
		return storeError(ctx, "store the cell", err)
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
func (s *Store) Cells(ctx context.Context, run, after int64, limit int) ([]history.Cell, error) {
	if limit <= 0 {
		limit = 500
	}
	var cells []history.Cell
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
