package postgres

import (
	"context"
	"database/sql"
	"time"

	"confab/history"
)

// leftDraft is a draft whose process may have ended.
type leftDraft struct {
	name    string
	saved   time.Time
	process history.Process // zero when the process released it
}

// drafts runs a step on the drafts of the user. It sends no notice to other processes.
func (s *Store) drafts(ctx context.Context, step string, do func(*sql.Tx) error) error {
	return s.Error(ctx, step, s.db.server.try(ctx, func(ctx context.Context) error {
		tx, err := s.db.begin(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
		if err := do(tx); err != nil {
			return err
		}
		return tx.Commit()
	}))
}

// Draft implements [history.DraftStore].
func (s *Store) Draft(ctx context.Context, name string) (text string, err error) {
	err = s.drafts(ctx, "read the draft", func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `select coalesce((select text from drafts where name = $1), '')`, name).Scan(&text)
	})
	return decodeText(text), err
}

// SaveDraft implements [history.DraftStore].
func (s *Store) SaveDraft(ctx context.Context, name, text string) error {
	return s.drafts(ctx, "save the draft", func(tx *sql.Tx) error {
		if text == "" {
			_, err := tx.ExecContext(ctx, `delete from drafts where name = $1`, name)
			return err
		}
		_, err := tx.ExecContext(ctx, `insert into drafts (name, text, saved, pid, started, boot, host)
			values ($1, $2, clock_timestamp(), $3, $4, $5, $6)
			on conflict (owner, name) do update set text = excluded.text, saved = excluded.saved, pid = excluded.pid,
				started = excluded.started, boot = excluded.boot, host = excluded.host`,
			append([]any{name, encodeText(text)}, leaseKey(s.db.server.o.Process)...)...)
		return err
	})
}

// RenameDraft implements [history.DraftStore].
func (s *Store) RenameDraft(ctx context.Context, from, to string) error {
	return s.drafts(ctx, "rename the draft", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `delete from drafts where name = $2 and exists (select 1 from drafts where name = $1)`,
			from, to)
		if err == nil {
			_, err = tx.ExecContext(ctx, `update drafts set name = $2, pid = null, host = null where name = $1`, from, to)
		}
		return err
	})
}

// TakeDraft implements [history.DraftStore].
func (s *Store) TakeDraft(ctx context.Context, prefix, name string) (text string, err error) {
	const step = "take over a draft"
	var left []leftDraft
	err = s.drafts(ctx, step, func(tx *sql.Tx) error {
		left, err = selectLeft(ctx, tx, prefix, name)
		return err
	})
	for _, l := range left {
		if l.process != (history.Process{}) && !s.db.server.hasLeft(ctx, l.process) {
			continue
		}
		err = s.drafts(ctx, step, func(tx *sql.Tx) error { // only one process finds it unchanged
			return tx.QueryRowContext(ctx, `with taken as (update drafts set name = $2, pid = $4, started = $5, boot = $6,
					host = $7 where name = $1 and saved = $3 returning text)
				select coalesce((select text from taken), '')`,
				append([]any{l.name, name, l.saved}, leaseKey(s.db.server.o.Process)...)...).Scan(&text)
		})
		if err != nil || text != "" {
			break
		}
	}
	return decodeText(text), err
}

// selectLeft returns the newest drafts whose name has a prefix; none if there is a draft named own.
func selectLeft(ctx context.Context, tx *sql.Tx, prefix, own string) (left []leftDraft, err error) {
	rows, err := tx.QueryContext(ctx, `select name, saved, coalesce(pid, 0), coalesce(started, 0), coalesce(boot, ''),
			coalesce(host, '') from drafts
		where starts_with(name, $1) and not exists (select 1 from drafts where name = $2)
		order by saved desc limit 50`, prefix, own)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells what matters
	for rows.Next() {
		var l leftDraft
		var started int64
		if err := rows.Scan(&l.name, &l.saved, &l.process.PID, &started, &l.process.Boot, &l.process.Host); err != nil {
			return nil, err
		}
		switch {
		case l.process.PID == 0:
			l.process = history.Process{}
		case started != 0:
			l.process.Started = time.UnixMilli(started).UTC()
		}
		left = append(left, l)
	}
	return left, rows.Err()
}
