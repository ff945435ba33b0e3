package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"confab/history"
)

const sessionColumns = `s.id, s.name, s.created, s.updated, s.turns, s.answers, s.pictures, s.forked_from`

// rowScanner is what one result of a query is read from.
type rowScanner interface{ Scan(...any) error }

func scanSession(r rowScanner, more ...any) (history.Session, error) {
	var s history.Session
	var created, updated sql.NullInt64
	err := r.Scan(append([]any{&s.ID, &s.Name, &created, &updated, &s.Turns, &s.Answers, &s.Pictures, &s.ForkedFrom},
		more...)...)
	s.Created, s.Updated = fromMillis(created), fromMillis(updated)
	return s, err
}

func (s *Store) insertSession(ctx context.Context, tx *sql.Tx, name string, forkedFrom int64) (int64, error) {
	now := s.now().UnixMilli()
	res, err := tx.ExecContext(ctx, `insert into sessions (created, updated, touched, forked_from, name)
		values (?, ?, (select coalesce(max(touched), 0) + 1 from sessions), ?, ?)`, now, now, forkedFrom, name)
	if err != nil {
		return 0, err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return 0, err
	}
	return id, addToIndex(ctx, tx, sessionFTSEntry(id, name))
}

func sessionFTSEntry(id int64, name string) ftsEntry {
	return ftsEntry{kind: ftsSessions, id: id, texts: []string{name}}
}

// Session returns a session by its id.
func (s *Store) Session(ctx context.Context, id int64) (found history.Session, err error) {
	err = s.read(ctx, "read the session", func(tx *sql.Tx) error {
		found, err = readSession(ctx, tx, id)
		return err
	})
	return found, err
}

func readSession(ctx context.Context, tx *sql.Tx, id int64) (history.Session, error) {
	return scanSession(tx.QueryRowContext(ctx, `select `+sessionColumns+` from sessions s where s.id = ? and s.trash = 0`,
		id))
}

// SessionNamed returns the session with exactly this name. When several have it,
// the error is an [history.AmbiguousNameError].
func (s *Store) SessionNamed(ctx context.Context, name string) (found history.Session, err error) {
	err = s.read(ctx, "read the session", func(tx *sql.Tx) error {
		found, err = sessionNamed(ctx, tx, name)
		return err
	})
	return found, err
}

// ensureSession returns the session with exactly this name, or a new one when there is none. An empty name always
// makes a new session.
func (s *Store) ensureSession(ctx context.Context, tx *sql.Tx, name string) (int64, error) {
	if name != "" {
		found, err := sessionNamed(ctx, tx, name)
		if !errors.Is(err, sql.ErrNoRows) {
			return found.ID, err
		}
	}
	return s.insertSession(ctx, tx, name, 0)
}

// sessionNamed finds the only session of a name.
func sessionNamed(ctx context.Context, tx *sql.Tx, name string) (history.Session, error) {
	var ids []int64
	rows, err := tx.QueryContext(ctx,
		`select id from sessions where name = ? and trash = 0 order by touched desc limit 20`, name)
	err = forEachRow(rows, err, func() error {
		var id int64
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	switch {
	case err != nil:
		return history.Session{}, err
	case len(ids) == 0:
		return history.Session{}, sql.ErrNoRows
	case len(ids) > 1:
		return history.Session{}, &history.AmbiguousNameError{IDs: ids}
	}
	return readSession(ctx, tx, ids[0])
}

// LastSession returns the session that was used last, [history.ErrNotFound] when there
// is none.
func (s *Store) LastSession(ctx context.Context) (found history.Session, err error) {
	err = s.read(ctx, "read the last session", func(tx *sql.Tx) error {
		found, err = scanSession(tx.QueryRowContext(ctx, `select `+sessionColumns+`
			from sessions s
			where s.trash = 0
			order by s.touched desc
			limit 1`))
		return err
	})
	return found, err
}

// RenameSession gives a session another name. An empty one lets the next prompt
// name it.
func (s *Store) RenameSession(ctx context.Context, id int64, name string) error {
	return s.write(ctx, "rename the session", func(tx *sql.Tx) error {
		old, err := readSession(ctx, tx, id)
		if err != nil {
			return err
		}
		return renameSession(ctx, tx, old, name)
	})
}

func renameSession(ctx context.Context, tx *sql.Tx, old history.Session, name string) error {
	if _, err := tx.ExecContext(ctx, `update sessions set name = ? where id = ?`, name, old.ID); err != nil {
		return err
	}
	return updateIndex(ctx, tx, sessionFTSEntry(old.ID, old.Name), sessionFTSEntry(old.ID, name))
}

// touch makes the session the one used last.
func (s *Store) touch(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, `update sessions
		set touched = (select max(touched) + 1 from sessions), updated = max(updated, ?)
		where id = ?`, s.now().UnixMilli(), id)
	return err
}

// recount brings the counts of a session in line with what it holds, after
// something was hidden or shown.
func recount(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := tx.ExecContext(ctx, `update sessions
		set (turns, answers, pictures) = (
			select count(distinct t.id), count(a.id), count(a.picture_path)
			from turns t left join answers a on a.turn = t.id and a.trash = 0
			where t.session = sessions.id and t.trash = 0)
		where id = ?`, id)
	return err
}
