package sqlstore

import (
	"context"
	"slices"
	"time"

	"confab/history"
)

// DeleteSession implements [history.TrashStore].
func (s *Store) DeleteSession(ctx context.Context, id int64) (history.Trash, error) {
	return s.softDelete(ctx, "delete the session", func(tx *Tx) history.Trash {
		return tx.hide("session", id, tx.readSession(id).ID)
	})
}

// DeleteTurn implements [history.TrashStore].
func (s *Store) DeleteTurn(ctx context.Context, id int64) (trash history.Trash, err error) {
	return s.softDelete(ctx, "delete the turn", func(tx *Tx) history.Trash {
		t := tx.readTurn(id)
		in := t.Session
		if SelectValue[int](tx, `select count(*) from turns where session = ? and trash = 0`, in) == 1 {
			return tx.hide("session", in, in)
		}
		if !t.IsHidden && tx.hasBranches(in) {
			tx.leaveBranch(in, id)
		}
		trash := tx.hide("turn", id, in)
		tx.nameByTurns(in)
		return trash
	})
}

// DeleteAnswer implements [history.TrashStore].
func (s *Store) DeleteAnswer(ctx context.Context, id int64) (history.Trash, error) {
	return s.softDelete(ctx, "delete the answer", func(tx *Tx) history.Trash {
		return tx.hide("answer", id, tx.readTurn(tx.readAnswer(id).Turn).Session)
	})
}

// softDelete runs hide in a transaction and remembers the deletion.
func (s *Store) softDelete(ctx context.Context, step string, hide func(*Tx) history.Trash) (trash history.Trash,
	err error) {
	err = s.writePatiently(ctx, step, func(tx *Tx) { trash = hide(tx) })
	if err != nil {
		return 0, err
	}
	s.noteDeletions(trash)
	return trash, nil
}

// hide marks a row of a table (session, turn or answer) of a session as deleted.
func (tx *Tx) hide(what string, id, session int64) history.Trash {
	s := tx.store
	d := deletion{what: what, ref: id, session: session, created: s.now().UnixMilli(), process: s.processRow()}
	row := tx.insertRow("trash", d.columns())
	tx.Execute(`update `+what+`s set trash = ? where id = ?`, row, id)
	tx.recountSession(session)
	return history.Trash(row)
}

func (s *Store) noteDeletions(all ...history.Trash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range all {
		s.deleted[t] = true
	}
}

// Undelete implements [history.TrashStore].
func (s *Store) Undelete(ctx context.Context, t history.Trash) error {
	err := s.Write(ctx, "undo the deletion", func(tx *Tx) {
		all := tx.readDeletions(` where purging = 0 and id` + InList([]int64{int64(t)}))
		if len(all) == 0 {
			tx.Fail(history.ErrNotFound)
			return
		}
		d := all[0]
		tx.Execute(`update `+d.what+`s set trash = 0 where id = ? and trash = ?`, d.ref, t)
		tx.changeRow(`delete from trash where id = ?`, t)
		if d.what == "turn" && tx.hasBranches(d.session) {
			tx.showBranch(d.session, d.ref)
		}
		tx.recountSession(d.session)
		tx.nameByTurns(d.session)
	})
	if err == nil {
		s.forgetDeletion(t)
	}
	return err
}

func (s *Store) forgetDeletion(t history.Trash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.deleted, t)
}

// deletion is a row of trash.
type deletion struct {
	id, ref, session int64
	what             string // session, turn or answer
	created          int64
	isPurging        bool // the purge has begun, so that it can no longer be undone
	process          processRow
}

// columns returns the columns of a deletion except its id.
func (d *deletion) columns() []column {
	return append(d.process.columns(), column{"what", &d.what}, column{"ref", &d.ref}, column{"session", &d.session},
		column{"created", &d.created}, column{"purging", &d.isPurging})
}

// Purge implements [history.TrashStore]. It purges large sessions in steps, between which others can write. Rows that
// another process purges at the same time count as purged.
func (s *Store) Purge(ctx context.Context, olderThan time.Duration, remove func(files []string)) error {
	const step = "purge what was deleted"
	due, err := s.markDue(ctx, step, olderThan)
	if err != nil {
		return err
	}
	if len(due) > 0 {
		s.db.BeginPurge()
	}
	p := &purger{store: s, ctx: ctx, step: step, deleteFiles: remove, tried: map[string]bool{}}
	for _, d := range due {
		if err := p.purge(d); err != nil {
			return err
		}
		s.forgetDeletion(history.Trash(d.id))
	}
	return s.Error(ctx, step, s.db.EndPurge(ctx))
}

// markDue marks and returns the deletions to purge, so that none is undeleted when half of it is gone. A deletion
// with a future time, from a clock that went back, counts from now on.
func (s *Store) markDue(ctx context.Context, step string, olderThan time.Duration) ([]deletion, error) {
	now := s.now().UnixMilli()
	// Mostly there is nothing to purge. Reading finds that without blocking other writers, and checking processes may
	// take time.
	all, err := inTx(ctx, s, reading, step, func(tx *Tx) []deletion { return tx.readDeletions("") })
	if err != nil {
		return nil, err
	}
	var due []int64
	future := false
	for _, d := range all {
		future = future || d.created > now
		if s.isDue(ctx, d, now, olderThan) {
			due = append(due, d.id)
		}
	}
	if len(due) == 0 && !future {
		return nil, nil
	}
	var marked []deletion
	err = s.writePatiently(ctx, step, func(tx *Tx) {
		marked = nil
		tx.Execute(`update trash set created = ?1 where created > ?1`, now)
		for chunk := range slices.Chunk(due, 500) {
			tx.Execute(`update trash set purging = 1 where id` + InList(chunk))
			marked = append(marked, tx.readDeletions(` where id`+InList(chunk))...)
		}
	})
	return marked, err
}

// isDue reports whether this store purges a deletion now.
func (s *Store) isDue(ctx context.Context, d deletion, now int64, olderThan time.Duration) bool {
	age := time.Duration(now-d.created) * time.Millisecond
	isOld := d.isPurging || olderThan <= 0 || age >= olderThan
	s.mu.Lock()
	isOwn := s.deleted[history.Trash(d.id)] // other stores of the same process have the same process
	s.mu.Unlock()
	switch {
	case isOwn:
		return isOld
	case d.process == s.processRow():
		// Another store of this process made it; a closed store never purges its own.
		return d.isPurging || age > foreignOwnerTimeout
	}
	return isOld && s.processHasEnded(ctx, d.process, time.UnixMilli(d.created))
}

// readDeletions returns deletions that were not purged.
func (tx *Tx) readDeletions(where string) []deletion {
	return selectRows(tx, func(row Scanner) (d deletion) {
		row(append([]any{&d.id}, fieldsOf(d.columns())...)...)
		return d
	}, `select id, `+columnList("", new(deletion).columns())+` from trash`+where+` order by id`)
}

// DeletedSessions implements [history.Maintainer].
func (s *Store) DeletedSessions(ctx context.Context) ([]int64, error) {
	return inTx(ctx, s, reading, "list the deleted sessions", func(tx *Tx) []int64 {
		return SelectColumn[int64](tx, `select ref from trash where what = 'session' order by ref`)
	})
}

// PicturePaths implements [history.PictureFinder].
func (s *Store) PicturePaths(ctx context.Context) (map[string]bool, error) {
	return inTx(ctx, s, reading, "list the picture files", func(tx *Tx) map[string]bool {
		set := map[string]bool{}
		for row := range tx.Rows(`select picture_path, 1 from answers where picture_path is not null
			union select source_path, case when source_answer <> 0 then 1 else 0 end from turns where source_path <> ''
			union select path, 1 from turn_files where path <> ''`) {
			var path string
			var isPicture bool
			row(&path, &isPicture)
			set[path] = set[path] || isPicture
		}
		return set
	})
}

// PictureBytes implements [history.PictureFinder].
func (s *Store) PictureBytes(ctx context.Context) (int64, error) {
	return inTx(ctx, s, reading, "measure the pictures", func(tx *Tx) int64 {
		return SelectValue[int64](tx, `select cast(coalesce(sum(n), 0) as bigint) from (
			select max(picture_bytes) n from answers where picture_path is not null group by picture_path
			union all select max(bytes) from turn_files where path <> '' group by path) files`)
	})
}

// Count sets the numbers of entries that are not deleted.
func (tx *Tx) Count(f *history.StoreInfo) {
	for row := range tx.Rows(`select count(*), coalesce(sum(turns), 0), coalesce(sum(answers), 0),
			coalesce(sum(pictures), 0), (select count(*) from trash)
		from sessions
		where trash = 0`) {
		row(&f.Sessions, &f.Turns, &f.Answers, &f.Pictures, &f.Deleted)
	}
}
