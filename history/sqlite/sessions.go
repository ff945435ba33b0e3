package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"confab/history"
)

const sessionColumns = `s.id, s.name, s.created, s.updated, s.turns, s.answers, s.pictures, s.forked_from`

func scanSession(r rowScanner) (history.Session, error) {
	var s history.Session
	var created, updated sql.NullInt64
	err := r.Scan(&s.ID, &s.Name, &created, &updated, &s.Turns, &s.Answers, &s.Pictures, &s.ForkedFrom)
	s.Created, s.Updated = fromMillis(created), fromMillis(updated)
	return s, err
}

func (s *Store) insertSession(ctx context.Context, tx *sql.Tx, name string, forkedFrom int64) (int64, error) {
	last, err := selectValue[int64](ctx, tx, `select coalesce(max(touched), 0) from sessions`)
	if err != nil {
		return 0, err
	}
	now := s.now().UnixMilli()
	id, err := insertRow(ctx, tx, "sessions", []column{
		{"created", now}, {"updated", now}, {"touched", last + 1}, {"forked_from", forkedFrom}, {"name", name},
	})
	if err != nil {
		return 0, err
	}
	return id, addToIndex(ctx, tx, sessionFTSEntry(id, name))
}

func sessionFTSEntry(id int64, name string) ftsEntry {
	return ftsEntry{kind: ftsSessions, id: id, texts: []string{name}}
}

// Session returns a session by its id.
func (s *Store) Session(ctx context.Context, id int64) (history.Session, error) {
	return inRead(ctx, s, "read the session", func(tx *sql.Tx) (history.Session, error) {
		return readSession(ctx, tx, id)
	})
}

func readSession(ctx context.Context, tx *sql.Tx, id int64) (history.Session, error) {
	return scanSession(tx.QueryRowContext(ctx,
		`select `+sessionColumns+` from sessions s where s.id = ? and s.trash = 0`,
		id))
}

// SessionNamed returns the session with exactly this name.
func (s *Store) SessionNamed(ctx context.Context, name string) (history.Session, error) {
	return inRead(ctx, s, "read the session", func(tx *sql.Tx) (history.Session, error) {
		return sessionNamed(ctx, tx, name)
	})
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
	ids, err := selectColumn[int64](ctx, tx,
		`select id from sessions where name = ? and trash = 0 order by touched desc limit 20`, name)
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

// LastSession returns the session that was used last.
func (s *Store) LastSession(ctx context.Context) (history.Session, error) {
	return inRead(ctx, s, "read the last session", func(tx *sql.Tx) (history.Session, error) {
		return scanSession(tx.QueryRowContext(ctx, `select `+sessionColumns+`
			from sessions s
			where s.trash = 0
			order by s.touched desc
			limit 1`))
	})
}

// RenameSession gives a session another name.
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
	if err := execute(ctx, tx, `update sessions set name = ? where id = ?`, name, old.ID); err != nil {
		return err
	}
	return updateIndex(ctx, tx, sessionFTSEntry(old.ID, old.Name), sessionFTSEntry(old.ID, name))
}

// countAdded counts what was added to a session and makes it the one used last.
func (s *Store) countAdded(ctx context.Context, tx *sql.Tx, id int64, turns int, answers []history.Answer) error {
	pictures := 0
	for _, a := range answers {
		if a.Picture != nil {
			pictures++
		}
	}
	return execute(ctx, tx, `update sessions
		set turns = turns + ?, answers = answers + ?, pictures = pictures + ?,
			touched = (select max(touched) + 1 from sessions), updated = max(updated, ?)
		where id = ?`, turns, len(answers), pictures, s.now().UnixMilli(), id)
}

// recountSession counts what a session holds, after something was hidden or shown.
func recountSession(ctx context.Context, tx *sql.Tx, id int64) error {
	return execute(ctx, tx, `update sessions
		set (turns, answers, pictures) = (
			select count(distinct t.id), count(a.id), count(a.picture_path)
			from turns t left join answers a on a.turn = t.id and a.trash = 0
			where t.session = sessions.id and t.trash = 0)
		where id = ?`, id)
}
