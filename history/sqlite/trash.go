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
		t, err = insertRow(ctx, tx, "trash", append(o.columns(), column{"what", what}, column{"ref", id},
			column{"session", in}, column{"created", s.now().UnixMilli()}))
		if err != nil {
			return err
		}
		if err := execute(ctx, tx, `update `+what+`s set trash = ? where id = ?`, t, id); err != nil {
			return err
		}
		return recountSession(ctx, tx, in)
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
			t).Scan(&d.what, &d.ref, &d.session)
		if err != nil {
			return err
		}
		err = execute(ctx, tx, `update `+d.what+`s set trash = 0 where id = ? and trash = ?`, d.ref, t)
		if err == nil {
			err = execute(ctx, tx, `delete from trash where id = ?`, t)
		}
		if err != nil {
			return err
		}
		return recountSession(ctx, tx, d.session)
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

// Purge removes for good what was deleted. Large sessions go in steps, between which others can write. What another
// process purges at the same time counts as purged.
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
	all, err := inRead(ctx, s, step, func(tx *sql.Tx) ([]deletion, error) { return readDeletions(ctx, tx, "") })
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
		if err := execute(ctx, tx, `update trash set created = ?1 where created > ?1`, now); err != nil {
			return err
		}
		for chunk := range slices.Chunk(due, 500) {
			if err := execute(ctx, tx, `update trash set purging = 1 where id`+inList(chunk)); err != nil {
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

// readDeletions lists deletions that were not purged.
func readDeletions(ctx context.Context, tx *sql.Tx, where string) ([]deletion, error) {
	return selectRows(ctx, tx, func(r rowScanner) (d deletion, err error) {
		err = r.Scan(&d.id, &d.what, &d.ref, &d.session, &d.created, &d.purging, &d.owner.pid, &d.owner.started,
			&d.owner.boot, &d.owner.host)
		return d, err
	}, `select id, what, ref, session, created, purging, owner_pid, owner_started, owner_boot, owner_host
		from trash`+where+` order by id`)
}

// DeletedSessions returns the sessions that were deleted and not purged yet.
func (s *Store) DeletedSessions(ctx context.Context) ([]int64, error) {
	return inRead(ctx, s, "list the deleted sessions", func(tx *sql.Tx) ([]int64, error) {
		return selectRows(ctx, tx, func(r rowScanner) (id int64, err error) { return id, r.Scan(&id) },
			`select ref from trash where what = 'session' order by ref`)
	})
}

// truncateWAL gives the freed pages back and moves the -wal file, where deleted text still can be read, into the
// database.
func (s *Store) truncateWAL(ctx context.Context, step string) error {
	err := s.checkFileUnchanged()
	if err == nil {
		err = s.vacuum(ctx)
	}
	if err == nil {
		err = s.retryWhileBusy(ctx, s.deleteTimeout(), func() error {
			var busy, log, done int
			err := s.w.QueryRowContext(ctx, `pragma wal_checkpoint(truncate)`).Scan(&busy, &log, &done)
			if err == nil && busy != 0 {
				err = history.ErrBusy
			}
			return err
		})
	}
	if err == nil {
		s.residue.Store(false)
	}
	return storeError(ctx, step, err)
}

// vacuum gives the freed pages back in steps, between which others can write.
func (s *Store) vacuum(ctx context.Context) error {
	free, err := s.freePages(ctx)
	for err == nil && free > 0 {
		err = s.retryWhileBusy(ctx, s.deleteTimeout(), func() error {
			_, err := s.w.ExecContext(ctx, `pragma incremental_vacuum(2000)`)
			return err
		})
		if err != nil {
			return err
		}
		before := free
		if free, err = s.freePages(ctx); free >= before { // a store that cannot shrink, or others are quicker
			break
		}
	}
	return err
}

// freePages counts the pages of the file that nothing is in.
func (s *Store) freePages(ctx context.Context) (n int, err error) {
	err = s.w.QueryRowContext(ctx, `pragma freelist_count`).Scan(&n)
	return n, err
}

// PicturePaths returns every file that an answer names as its picture or a turn as its source, hidden ones too.
func (s *Store) PicturePaths(ctx context.Context) (map[string]bool, error) {
	paths, err := inRead(ctx, s, "list the picture files", func(tx *sql.Tx) ([]string, error) {
		return selectColumn[string](ctx, tx, `select picture_path from answers where picture_path is not null
			union select source_path from turns where source_path <> ''`)
	})
	set := make(map[string]bool, len(paths))
	for _, p := range paths {
		set[p] = true
	}
	return set, err
}
