package sqlite

import (
	"context"
	"database/sql"
	"slices"

	"confab/history"
)

// ForkSession copies a session up to and with a turn, or whole when uptoTurn is
// 0, into a new one, which becomes the one used last. Copies share the picture
// files. An answer still running is copied as interrupted: nobody will end the
// copy. An empty name stands for the old one with "(fork)" after it.
func (s *Store) ForkSession(ctx context.Context, id, uptoTurn int64, name string) (history.Session, error) {
	var made history.Session
	err := s.write(ctx, "fork the session", func(tx *sql.Tx) error {
		from, err := readSession(ctx, tx, id)
		if err != nil {
			return err
		}
		if uptoTurn == 0 {
			uptoTurn = 1 << 62
		} else if t, err := readTurn(ctx, tx, uptoTurn); err != nil || t.Session != id {
			return &history.StoreError{Step: "find the turn to fork at", Kind: history.ErrNotFound, Cause: err}
		}
		if name == "" {
			name = from.Name + " (fork)"
		}
		to, err := s.insertSession(ctx, tx, name, id)
		if err != nil {
			return err
		}
		if err := s.copyTurns(ctx, tx, id, uptoTurn, to); err != nil {
			return err
		}
		if err := recountSession(ctx, tx, to); err != nil {
			return err
		}
		made, err = readSession(ctx, tx, to)
		return err
	})
	return made, err
}

// copyTurns copies turn by turn, so that a long session is never held in
// memory. Where a copy names an answer that was copied too, it names the copy.
func (s *Store) copyTurns(ctx context.Context, tx *sql.Tx, from, upto, to int64) error {
	copies := map[int64]int64{}
	for last := int64(0); ; {
		page, err := selectTurns(ctx, tx, `t.session = ? and t.id > ? and t.id <= ?`, `t.id`, 100, from, last, upto)
		if err != nil || len(page) == 0 {
			return err
		}
		last = page[len(page)-1].ID
		for _, t := range page {
			if err := s.copyTurn(ctx, tx, t, to, copies); err != nil {
				return err
			}
		}
	}
}

func (s *Store) copyTurn(ctx context.Context, tx *sql.Tx, t history.Turn, to int64, copies map[int64]int64) error {
	var answers []history.Answer
	var laters []bool
	rows, err := tx.QueryContext(ctx,
		`select `+answerColumns()+`, a.later from answers a where a.turn = ? and a.trash = 0 order by a.id`, t.ID)
	err = forEachRow(rows, err, func() error {
		var later bool
		a, err := scanAnswer(rows, &later)
		answers, laters = append(answers, a), append(laters, later)
		return err
	})
	if err != nil {
		return err
	}
	if t.Source != nil {
		t.Source.Answer = copiedID(copies, t.Source.Answer)
	}
	t.Session = to
	t, err = s.insertTurn(ctx, tx, t, filterTokens(answers))
	if err != nil {
		return err
	}
	for i, a := range slices.Clone(answers) {
		if !a.State.Ended() {
			a.State = history.Interrupted
			a.Version++
		}
		if a.Picture != nil {
			p := *a.Picture
			p.Parent = copiedID(copies, p.Parent)
			a.Picture = &p
		}
		a.Turn = t.ID
		made, err := s.insertAnswer(ctx, tx, a, answerOrigin{later: laters[i], copied: true})
		if err != nil {
			return err
		}
		copies[answers[i].ID] = made.ID
		if err := execute(ctx, tx,
			`insert into exchanges (answer, body) select ?, body from exchanges where answer = ?`, made.ID, answers[i].ID); err != nil {
			return err
		}
	}
	return nil
}

func copiedID(copies map[int64]int64, id int64) int64 {
	if c, ok := copies[id]; ok {
		return c
	}
	return id
}
