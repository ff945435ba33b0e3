package sqlstore

import (
	"context"
	"slices"
	"time"

	"confab/history"
)

// isAskedFor is the condition that a turn t was asked for again since a time, the first parameter, or is being
// answered.
const isAskedFor = `exists (select 1 from answers a where a.turn = t.id
	and (a.queued >= ?1 or a.state in ('queued', 'running')))`

// hasRecent is the condition that a session s was used since then.
const hasRecent = `(s.updated >= ?1 or exists (select 1 from turns t where t.session = s.id and t.trash = 0
	and (t.created >= ?1 or ` + isAskedFor + `)))`

// isShared is the condition that others may read of a session s.
const isShared = `(s.shared = 1 or exists (select 1 from runs r where r.session = s.id and r.shared = 1))`

// selectOldTurns selects turns made before a time, and not asked for since, of sessions of which something is kept. It
// finds old turns by the index of their age, which the sign before t.session keeps SQLite from passing over, and looks
// into each session once.
const selectOldTurns = `with kept as materialized (select s.id from sessions s
		where s.id in (select t.session from turns t where t.created < ?1 and t.trash = 0)
			and s.trash = 0 and not ` + isShared + ` and ` + hasRecent + `)
	select t.id from turns t
	where t.created < ?1 and t.trash = 0 and +t.session in (select id from kept) and not ` + isAskedFor + `
	order by t.created, t.id
	limit ?2`

// Expired implements [history.RetentionStore].
func (s *Store) Expired(ctx context.Context, before time.Time, limit int) (history.Expired, error) {
	return inRead(ctx, s, "look for what is old", func(tx *Tx) history.Expired { return tx.expired(before, limit) })
}

// DeleteExpired implements [history.RetentionStore].
func (s *Store) DeleteExpired(ctx context.Context, before time.Time, limit int) (e history.Expired, err error) {
	var deleted []history.Trash
	err = s.writeWithin(ctx, s.deleteTimeout(), "delete what is old", func(tx *Tx) {
		e, deleted = tx.expired(before, limit), nil
		for _, id := range e.Sessions {
			deleted = append(deleted, tx.hide("session", id, id))
		}
		for _, id := range e.Turns {
			in := tx.readTurn(id).Session
			deleted = append(deleted, tx.hide("turn", id, in))
			tx.nameByTurns(in)
		}
	})
	if err != nil {
		return history.Expired{}, err
	}
	s.noteDeletions(deleted...)
	return e, nil
}

func (tx *Tx) expired(before time.Time, limit int) (e history.Expired) {
	args := []any{before.Add(tx.store.db.ClockLead(tx)).UnixMilli(), int64(limit)}
	e.Sessions = SelectColumn[int64](tx, `select s.id from sessions s
			where s.trash = 0 and s.updated < ?1 and not `+isShared+` and not `+hasRecent+`
			order by s.id limit ?2`, args...)
	e.Turns = SelectColumn[int64](tx, selectOldTurns, args...)
	slices.Sort(e.Turns)
	for column, ids := range map[string][]int64{"session": e.Sessions, "id": e.Turns} {
		for chunk := range slices.Chunk(ids, 500) {
			e.Add(SelectRow(tx, func(row Scanner) (of history.Expired) {
				row(&of.Answers, &of.Pictures, &of.Bytes)
				return of
			}, `select count(*), count(a.picture_path), cast(coalesce(sum(a.picture_bytes), 0) as bigint)
					from answers a join turns t on t.id = a.turn
					where a.trash = 0 and t.trash = 0 and t.`+column+InList(chunk)))
		}
	}
	return e
}
