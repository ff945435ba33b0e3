package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"confab/history"
)

// AddCell records a turn and the cell of a run that it is, in one step.
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

func (s *Store) addCell(ctx context.Context, tx *sql.Tx, c history.Cell, t history.Turn) (history.Cell, history.Turn,
	error) {
	const step = "record the cell"
	if len(t.Answers) != 1 {
		return c, t,
			&history.StoreError{Step: step, Kind: history.ErrIO, Cause: errors.New("a cell is a turn with one answer")}
	}
	taken, err := selectValue[bool](ctx, tx,
		`select exists (select 1 from cells c `+cellsShown+` and c.run = ? and c.key = ?)`, c.Run, c.Key)
	if err != nil {
		return c, t, err
	}
	if taken {
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
	c.ID, err = selectValue[int64](ctx, tx, insertInto("cells", inserted)+`
		on conflict (run, key) do update set `+strings.Join(updates, ", ")+`
		returning id`, fieldsOf(inserted)...)
	return c, t, err
}

// RenewCell adds a further sample to the turn of a cell and makes it the cell's answer, in one step.
func (s *Store) RenewCell(ctx context.Context, c history.Cell, a history.Answer) (history.Cell, history.Answer, error) {
	err := s.write(ctx, "renew the cell", func(tx *sql.Tx) error {
		now, err := selectValue[int64](ctx, tx, `select answer from cells where id = ?`, c.ID)
		if err != nil {
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
		return execute(ctx, tx, `update cells set answer = ?, checks = null where id = ?`, a.ID, c.ID)
	})
	if err != nil {
		return history.Cell{}, history.Answer{}, err
	}
	return c, a, nil
}

// PutCell stores the place of a cell in the suite, its names and what the checks said.
func (s *Store) PutCell(ctx context.Context, c history.Cell) error {
	const step = "store the cell"
	row, err := rowOfCell(c)
	if err != nil {
		return storeError(ctx, step, err)
	}
	return s.write(ctx, step, func(tx *sql.Tx) error { return updateRow(ctx, tx, "cells", row.changing(), c.ID) })
}

// Cells returns a page of the cells of a run.
func (s *Store) Cells(ctx context.Context, run, after int64, limit int) ([]history.Cell, error) {
	if limit <= 0 {
		limit = 500
	}
	return inRead(ctx, s, "read the cells", func(tx *sql.Tx) ([]history.Cell, error) {
		return selectRows(ctx, tx, scanCell, `select `+cellColumns()+`
			from cells c `+cellsShown+` and c.run = ? and c.id > ?
			order by c.id
			limit ?`, run, after, limit)
	})
}
