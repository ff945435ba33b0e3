package sqlstore

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// purger removes hidden rows in transactions of a few rows. It deletes picture files before the rows that name them.
type purger struct {
	store *Store
	ctx   context.Context
	step  string
	// deleteFiles deletes picture files; nil keeps them.
	deleteFiles func(files []string)
	tried       map[string]bool // files passed to deleteFiles, whether or not it could delete them
}

// purge removes what a deletion hid.
func (p *purger) purge(d deletion) error {
	answers, turns := `id = ?`, ""
	switch d.what {
	case "session":
		answers, turns = `turn in (select id from turns where session = ?)`, `session = ?`
	case "turn":
		answers, turns = `turn = ?`, `id = ?`
	}
	err := p.purgeRows(AnswerRows, answers, d.ref)
	if err == nil && d.what == "turn" {
		err = p.write(func(tx *Tx) { // what followed the turn follows the turn before it
			tx.Execute(`update turns set parent = coalesce((select p.parent from turns p where p.id = ?1), 0)
				where session = ?2 and parent = ?1`, d.ref, d.session)
		})
	}
	if err == nil && turns != "" {
		err = p.purgeRows(TurnRows, turns, d.ref)
	}
	if err != nil {
		return err
	}
	return p.write(func(tx *Tx) {
		if d.what == "session" {
			// Another process may have removed the session.
			for _, name := range SelectColumn[string](tx, `select name from sessions where id = ?`, d.ref) {
				tx.RemoveFromIndex(sessionEntry(d.ref, name))
			}
			tx.Execute(`delete from sessions where id = ?`, d.ref)
			tx.Execute(`delete from trash where session = ?`, d.ref)
		}
		tx.Execute(`delete from trash where id = ?`, d.id)
		tx.Execute(`delete from models where answers = 0 and not exists (select 1 from answers where model = name)`)
	})
}

func (p *purger) write(work func(tx *Tx)) error {
	return p.store.writePatiently(p.ctx, p.step, work)
}

// purgeRows removes the rows of a kind that match the condition, and the files that only they name.
func (p *purger) purgeRows(kind, where string, ref int64) error {
	for {
		// Reading first blocks no other writer when there is nothing to do.
		some, err := inTx(p.ctx, p.store, reading, p.step, func(tx *Tx) bool {
			return SelectValue[bool](tx, `select exists (select 1 from `+kind+`s where `+where+`)`, ref)
		})
		if err != nil || !some {
			return err
		}
		free, err := p.purgeSome(kind, where, ref)
		if err != nil {
			return err
		}
		if len(free) == 0 {
			continue
		}
		for _, path := range free {
			p.tried[path] = true
		}
		if p.deleteFiles != nil {
			p.deleteFiles(free)
		}
		if p.ctx.Err() != nil { // deleteFiles may have stopped early
			return p.store.Error(p.ctx, p.step, context.Cause(p.ctx))
		}
	}
}

// purgeSome removes some of the rows in a transaction. If only these rows name files that were not tried yet, it
// returns the files and removes no row.
func (p *purger) purgeSome(kind, where string, ref int64) (free []string, err error) {
	err = p.write(func(tx *Tx) {
		batch := tx.store.db.PurgeBatch(tx, kind, where, ref)
		if len(batch.IDs) == 0 {
			return
		}
		if free = tx.onlyNamedBy(kind, batch.IDs, p.tried); len(free) > 0 {
			return
		}
		batch.BeforeDelete()
		for chunk := range slices.Chunk(batch.IDs, 500) {
			tx.deleteRows(kind, chunk)
		}
		batch.AfterDelete()
	})
	return free, err
}

// onlyNamedBy returns the files that only the rows to purge name, without those that were tried.
func (tx *Tx) onlyNamedBy(kind string, ids []int64, tried map[string]bool) (free []string) {
	in := InList(ids)
	query := `select source_path from turns where source_answer <> 0 and source_path <> '' and id` + in + `
		union select path from turn_files where path <> '' and turn` + in
	if kind == AnswerRows {
		query = `select distinct picture_path from answers where picture_path is not null and id` + in
	}
	for _, path := range SelectColumn[string](tx, query) {
		if tried[path] {
			continue
		}
		kept := SelectValue[bool](tx, `select
			exists (select 1 from answers as a join turns as t on t.id = a.turn join sessions as s on s.id = t.session
				where a.picture_path = ?1 and not exists (
					select 1 from trash where purging = 1 and id in (a.trash, t.trash, s.trash)))
			or exists (select 1 from turns as t join sessions as s on s.id = t.session
				where t.source_path <> '' and t.source_path = ?1 and not exists (
					select 1 from trash where purging = 1 and id in (t.trash, s.trash)))
			or exists (select 1 from turn_files as f join turns as t on t.id = f.turn
					join sessions as s on s.id = t.session
				where f.path <> '' and f.path = ?1 and not exists (
					select 1 from trash where purging = 1 and id in (t.trash, s.trash)))`, path)
		if !kept {
			free = append(free, path)
		}
	}
	return free
}

// InList returns an SQL list of ids, in which 0 stands for none.
func InList(ids []int64) string {
	if len(ids) == 0 {
		return " in (0)"
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return " in (" + strings.Join(texts, ",") + ")"
}

// deleteRows deletes rows that are not in the index any more.
func (tx *Tx) deleteRows(kind string, ids []int64) {
	in := InList(ids)
	if kind == TurnRows {
		tx.Execute(`delete from turns where id` + in)
		return
	}
	tx.Execute(`update models set answers = answers - gone.ended, failures = failures - gone.failed
		from (select model, count(*) as ended, count(*) filter (where state = 'failed') as failed from answers
			where copied = 0 and state in ('done', 'failed') and id` + in + ` group by model) as gone
		where models.name = gone.model`)
	tx.Execute(`delete from exchanges where answer` + in)
	tx.Execute(`delete from trash where what = 'answer' and ref` + in)
	tx.Execute(`delete from answers where id` + in)
}
