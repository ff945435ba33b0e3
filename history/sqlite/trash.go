package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"confab/history"
)

// DeleteSession hides a session at once. [Store.Purge] makes it gone.
func (s *Store) DeleteSession(ctx context.Context, id int64) (history.Trash, error) {
	return s.softDelete(ctx, "delete the session", "session", id, func(tx *sql.Tx) (int64, error) {
		_, err := readSession(ctx, tx, id)
		return id, err
	})
}

// DeleteTurn hides a turn with its answers at once. [Store.Purge] makes them
// gone.
func (s *Store) DeleteTurn(ctx context.Context, id int64) (history.Trash, error) {
	return s.softDelete(ctx, "delete the turn", "turn", id, func(tx *sql.Tx) (int64, error) {
		t, err := readTurn(ctx, tx, id)
		return t.Session, err
	})
}

// DeleteAnswer hides an answer at once. [Store.Purge] makes it gone.
func (s *Store) DeleteAnswer(ctx context.Context, id int64) (history.Trash, error) {
	return s.softDelete(ctx, "delete the answer", "answer", id, func(tx *sql.Tx) (int64, error) {
		a, err := readVisibleAnswer(ctx, tx, id)
		if err != nil {
			return 0, err
		}
		t, err := readTurn(ctx, tx, a.Turn)
		return t.Session, err
	})
}

// deleteTimeout is how long deleting and purging wait for other programs. It is
// longer than for other writes: a hundred processes may delete at once, nobody
// waits for a purge as for an answer, and what a purge gives up on stays readable.
func (s *Store) deleteTimeout() time.Duration { return 6 * s.busy }

// softDelete marks a row of the table of "what" after sessionOf has found it.
func (s *Store) softDelete(ctx context.Context, step, what string, id int64,
	sessionOf func(*sql.Tx) (int64, error)) (history.Trash, error) {
	var t int64
	err := s.writeWithin(ctx, s.deleteTimeout(), step, func(tx *sql.Tx) error {
		in, err := sessionOf(tx)
		if err != nil {
			return err
		}
		o := s.ownerRow()
		res, err := tx.ExecContext(ctx,
			`insert into trash (what, ref, session, created, owner_pid, owner_started, owner_boot, owner_host)
			values (?, ?, ?, ?, ?, ?, ?, ?)`, what, id, in, s.now().UnixMilli(), o.pid, o.started, o.boot, o.host)
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
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	s.deleted[history.Trash(t)] = true
	s.mu.Unlock()
	return history.Trash(t), nil
}

// Undelete shows again what a deletion hid. It returns [history.ErrNotFound] once that
// was purged.
func (s *Store) Undelete(ctx context.Context, t history.Trash) error {
	err := s.write(ctx, "undo the deletion", func(tx *sql.Tx) error {
		var d deletion
		err := tx.QueryRowContext(ctx, `select what, ref, session from trash where id = ? and purging = 0`,
			int64(t)).Scan(&d.what, &d.ref, &d.session)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `update `+d.what+`s set trash = 0 where id = ? and trash = ?`, d.ref,
			int64(t)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `delete from trash where id = ?`, int64(t)); err != nil {
			return err
		}
		return recount(ctx, tx, d.session)
	})
	if err == nil {
		s.forgetDeletion(t)
	}
	return err
}

// forgetDeletion notes that a deletion was undone or purged.
func (s *Store) forgetDeletion(t history.Trash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.deleted, t)
}

// deletedHere tells whether this store made the deletion. Another store of the
// same process has the same owner.
func (s *Store) deletedHere(t history.Trash) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.deleted[t]
}

// deletion is a row of trash.
type deletion struct {
	id, ref, session int64
	what             string // session, turn or answer
	created          int64
	purging          bool // its purge began, so it can no longer be undone
	owner            ownerRow
}

// Purge makes really gone, from the rows, the search and the files of the store,
// what was deleted longer ago than olderThan (whenever it was, when that is 0 or
// less) by this store or by a process that has ended without purging it. What
// another living process deleted can still be undone there and is left alone.
//
// Before the rows that name a picture file go, remove is called with the files
// that nothing else names, to delete them: were it the other way round, a process
// that is killed between the two would leave files that nothing knows of. It may
// be called several times, and in a later Purge again with files that are gone;
// a nil remove leaves them. Large sessions go in steps, between which others can
// write; what an error, the context or the end of the process stopped goes on
// with the next Purge. What another process purges at the same time counts as
// purged.
func (s *Store) Purge(ctx context.Context, olderThan time.Duration, remove func(files []string)) error {
	const step = "purge what was deleted"
	due, err := s.markDue(ctx, step, olderThan)
	if err != nil {
		return err
	}
	if len(due) == 0 && !s.residue.Load() {
		return nil
	}
	s.residue.Store(true)
	files := &pictureRemover{remove: remove, tried: map[string]bool{}}
	for _, d := range due {
		if err := s.purge(ctx, step, d, files); err != nil {
			return err
		}
		s.forgetDeletion(history.Trash(d.id))
	}
	return s.truncateWAL(ctx, step)
}

// markDue lists what is to be purged and marks it, so that it cannot be undeleted
// half gone. A deletion dated later than now, by a clock that went back since,
// counts from now on.
func (s *Store) markDue(ctx context.Context, step string, olderThan time.Duration) ([]deletion, error) {
	now := s.now().UnixMilli()
	// Mostly there is nothing; that is found without keeping others from writing,
	// and asking whether a process runs may take its time.
	all, err := s.deletions(ctx, step)
	if err != nil {
		return nil, err
	}
	var due []int64
	future := false
	for _, d := range all {
		future = future || d.created > now
		if s.isDue(d, now, olderThan) {
			due = append(due, d.id)
		}
	}
	if len(due) == 0 && !future {
		return nil, nil
	}
	var marked []deletion
	err = s.writeWithin(ctx, s.deleteTimeout(), step, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `update trash set created = ? where created > ?`, now, now); err != nil {
			return err
		}
		for chunk := range slices.Chunk(due, 500) {
			if _, err := tx.ExecContext(ctx, `update trash set purging = 1 where id`+inList(chunk)); err != nil {
				return err
			}
			some, err := readDeletions(ctx, tx, ` where id`+inList(chunk))
			if err != nil {
				return err
			}
			marked = append(marked, some...)
		}
		return nil
	})
	return marked, err
}

// isDue tells whether a deletion is to be purged by this store.
func (s *Store) isDue(d deletion, now int64, olderThan time.Duration) bool {
	age := time.Duration(now-d.created) * time.Millisecond
	isOld := d.purging || olderThan <= 0 || age >= olderThan
	switch {
	case s.deletedHere(history.Trash(d.id)):
		return isOld
	case d.owner == s.ownerRow():
		// Another store of this process made it, and one that is closed does not
		// come back for it.
		return d.purging || age > foreignOwnerTimeout
	}
	return isOld && s.ownerHasEnded(d.owner, d.created)
}

// deletions lists everything that was deleted and not purged.
func (s *Store) deletions(ctx context.Context, step string) (all []deletion, err error) {
	err = s.read(ctx, step, func(tx *sql.Tx) (err error) {
		all, err = readDeletions(ctx, tx, "")
		return err
	})
	return all, err
}

func readDeletions(ctx context.Context, tx *sql.Tx, where string) ([]deletion, error) {
	var all []deletion
	rows, err := tx.QueryContext(ctx,
		`select id, what, ref, session, created, purging, owner_pid, owner_started, owner_boot, owner_host
		from trash`+where+` order by id`)
	err = forEachRow(rows, err, func() error {
		var d deletion
		err := rows.Scan(&d.id, &d.what, &d.ref, &d.session, &d.created, &d.purging, &d.owner.pid, &d.owner.started,
			&d.owner.boot, &d.owner.host)
		all = append(all, d)
		return err
	})
	return all, err
}

// truncateWAL gives the freed pages back and moves the -wal file, where deleted text
// still can be read, into the database.
func (s *Store) truncateWAL(ctx context.Context, step string) error {
	if err := s.checkFileUnchanged(); err != nil {
		return storeError(ctx, step, err)
	}
	for {
		free, err := s.freePages(ctx)
		if err != nil {
			return storeError(ctx, step, err)
		}
		if free == 0 {
			break
		}
		err = s.retryWhileBusy(ctx, s.deleteTimeout(), func() error {
			_, err := s.w.ExecContext(ctx, `pragma incremental_vacuum(2000)`)
			return err
		})
		if err != nil {
			return storeError(ctx, step, err)
		}
		left, err := s.freePages(ctx)
		if err != nil {
			return storeError(ctx, step, err)
		}
		if left >= free { // a store that cannot shrink, or others are quicker
			break
		}
	}
	err := s.retryWhileBusy(ctx, s.deleteTimeout(), func() error {
		var busy, log, done int
		err := s.w.QueryRowContext(ctx, `pragma wal_checkpoint(truncate)`).Scan(&busy, &log, &done)
		if err != nil || busy == 0 {
			return err
		}
		return history.ErrBusy
	})
	if err == nil {
		s.residue.Store(false)
	}
	return storeError(ctx, step, err)
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
		return forEachRow(rows, err, func() error {
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
