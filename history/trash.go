package history

import (
	"context"
	"database/sql"
	"time"
)

// Trash names one deletion, for undoing it.
type Trash int64

// DeleteSession hides a session at once. [Store.Purge] makes it gone.
func (s *Store) DeleteSession(ctx context.Context, id int64) (Trash, error) {
	return s.hide(ctx, "delete the session", "session", id, func(tx *sql.Tx) (int64, error) {
		_, err := session(ctx, tx, id)
		return id, err
	})
}

// DeleteTurn hides a turn with its answers at once. [Store.Purge] makes them
// gone.
func (s *Store) DeleteTurn(ctx context.Context, id int64) (Trash, error) {
	return s.hide(ctx, "delete the turn", "turn", id, func(tx *sql.Tx) (int64, error) {
		t, err := turn(ctx, tx, id)
		return t.Session, err
	})
}

// DeleteAnswer hides an answer at once. [Store.Purge] makes it gone.
func (s *Store) DeleteAnswer(ctx context.Context, id int64) (Trash, error) {
	return s.hide(ctx, "delete the answer", "answer", id, func(tx *sql.Tx) (int64, error) {
		a, err := visibleAnswer(ctx, tx, id)
		if err != nil {
			return 0, err
		}
		t, err := turn(ctx, tx, a.Turn)
		return t.Session, err
	})
}

// hide marks a row of the table of "what" after sessionOf has found it.
func (s *Store) hide(ctx context.Context, step, what string, id int64, sessionOf func(*sql.Tx) (int64, error)) (Trash, error) {
	var t int64
	err := s.write(ctx, step, func(tx *sql.Tx) error {
		in, err := sessionOf(tx)
		if err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `insert into trash (what, ref, session, created) values (?, ?, ?, ?)`, what, id, in, s.now().UnixMilli())
		if err != nil {
			return err
		}
		if t, err = res.LastInsertId(); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `update `+what+`s set trash = ? where id = ?`, t, id); err != nil {
			return err
		}
		return recount(ctx, tx, in)
	})
	return Trash(t), err
}

// Undelete shows again what a deletion hid. It returns [ErrNotFound] once that
// was purged.
func (s *Store) Undelete(ctx context.Context, t Trash) error {
	return s.write(ctx, "undo the deletion", func(tx *sql.Tx) error {
		var d deletion
		err := tx.QueryRowContext(ctx, `select what, ref, session from trash where id = ? and purging = 0`, int64(t)).Scan(&d.what, &d.ref, &d.session)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `update `+d.what+`s set trash = 0 where id = ? and trash = ?`, d.ref, int64(t)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `delete from trash where id = ?`, int64(t)); err != nil {
			return err
		}
		return recount(ctx, tx, d.session)
	})
}

// deletion is a row of trash.
type deletion struct {
	id, ref, session int64
	what             string // session, turn or answer
}

// Purge makes what was deleted longer ago than olderThan really gone, everything
// that was deleted when that is 0 or less: from the rows, the search and the
// files of the store. Before the rows that name a picture file go, remove is
// called with the files that nothing else names, to delete them: were it the
// other way round, a process that is killed between the two would leave files
// that nothing knows of. It may be called several times, and in a later Purge
// again with files that are gone; a nil remove leaves them. Large sessions go in
// steps, between which others can write; what an error, the context or the end
// of the process stopped goes on with the next Purge.
func (s *Store) Purge(ctx context.Context, olderThan time.Duration, remove func(files []string)) error {
	const step = "purge what was deleted"
	due, err := s.due(ctx, step, olderThan)
	if err != nil {
		return err
	}
	if len(due) == 0 && !s.residue.Load() {
		return nil
	}
	s.residue.Store(true)
	files := &filesFirst{remove: remove, tried: map[string]bool{}}
	for _, d := range due {
		if err := s.purge(ctx, step, d, files); err != nil {
			return err
		}
	}
	return s.scrub(ctx, step)
}

// due lists what is to be purged and marks it, so that it cannot be undeleted
// half gone. A deletion dated later than now, by a clock that went back since,
// counts from now on.
func (s *Store) due(ctx context.Context, step string, olderThan time.Duration) ([]deletion, error) {
	now := s.now().UnixMilli()
	until := now - olderThan.Milliseconds()
	if olderThan <= 0 {
		until = 1 << 62
	}
	var all []deletion
	// Mostly there is nothing; that is found without keeping others from writing.
	var any int
	err := s.read(ctx, step, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `select count(*) from trash`).Scan(&any)
	})
	if err != nil || any == 0 {
		return nil, err
	}
	err = s.write(ctx, step, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `update trash set purging = 1 where created <= ?;
			update trash set created = ? where created > ?`, until, now, now)
		if err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, `select id, what, ref, session from trash where purging = 1 order by id`)
		return each(rows, err, func() error {
			var d deletion
			if err := rows.Scan(&d.id, &d.what, &d.ref, &d.session); err != nil {
				return err
			}
			all = append(all, d)
			return nil
		})
	})
	return all, err
}

// scrub gives the freed pages back and moves the -wal file, where deleted text
// still can be read, into the database.
func (s *Store) scrub(ctx context.Context, step string) error {
	if err := s.present(); err != nil {
		return explain(ctx, step, err)
	}
	for {
		free, err := s.freePages(ctx)
		if err != nil {
			return explain(ctx, step, err)
		}
		if free == 0 {
			break
		}
		err = s.patiently(ctx, func() error {
			_, err := s.w.ExecContext(ctx, `pragma incremental_vacuum(2000)`)
			return err
		})
		if err != nil {
			return explain(ctx, step, err)
		}
		left, err := s.freePages(ctx)
		if err != nil {
			return explain(ctx, step, err)
		}
		if left >= free { // a store that cannot shrink, or others are quicker
			break
		}
	}
	err := s.patiently(ctx, func() error {
		var busy, log, done int
		err := s.w.QueryRowContext(ctx, `pragma wal_checkpoint(truncate)`).Scan(&busy, &log, &done)
		if err == nil && busy != 0 {
			err = ErrBusy
		}
		return err
	})
	if err == nil {
		s.residue.Store(false)
	}
	return explain(ctx, step, err)
}

// freePages counts the pages of the file that nothing is in.
func (s *Store) freePages(ctx context.Context) (n int, err error) {
	err = s.w.QueryRowContext(ctx, `pragma freelist_count`).Scan(&n)
	return n, err
}

// PicturePaths returns every file that an answer names as its picture or a turn
// as its source, hidden ones too, for sweeping away what nothing names.
func (s *Store) PicturePaths(ctx context.Context) (map[string]bool, error) {
	paths := map[string]bool{}
	err := s.read(ctx, "list the picture files", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `select picture_path from answers where picture_path is not null
			union select source_path from turns where source_path <> ''`)
		return each(rows, err, func() error {
			var p string
			if err := rows.Scan(&p); err != nil {
				return err
			}
			paths[p] = true
			return nil
		})
	})
	return paths, err
}
