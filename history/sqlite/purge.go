package sqlite

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"confab/history"
)

// Taking a row out of a partition for good costs FTS5 tens of milliseconds, because every word of it is looked up and
// its page written; putting one in costs a fraction of one. So a partition that loses many rows is filled anew.
const (
	purgeStep  = 20  // rows that go in one transaction, to let others write between
	refillFrom = 8   // rows from which filling anew is thought of
	refillGain = 300 // rows that are put in at the cost of taking one out
)

// purger removes for good what deletions hid, in transactions of a few rows. Picture files go before the rows that name
// them.
type purger struct {
	store *Store
	ctx   context.Context
	step  string
	// deleteFiles deletes picture files; nil leaves them.
	deleteFiles func(files []string)
	tried       map[string]bool // files that were deleted, or left because that could not be done
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
	err := p.purgeRows(ftsAnswers, answers, d.ref)
	if err == nil && turns != "" {
		err = p.purgeRows(ftsTurns, turns, d.ref)
	}
	if err != nil {
		return err
	}
	return p.write(func(tx *transaction) {
		if d.what == "session" {
			// Another process may have removed it.
			for _, name := range selectColumn[string](tx, `select name from sessions where id = ?`, d.ref) {
				tx.removeFromIndex(sessionFTSEntry(d.ref, name))
			}
			tx.execute(`delete from sessions where id = ?; delete from trash where session = ?`, d.ref, d.ref)
		}
		tx.execute(`delete from trash where id = ?;
			delete from models where answers = 0 and not exists (select 1 from answers where model = name)`, d.id)
	})
}

func (p *purger) write(work func(tx *transaction)) error {
	return p.store.writeWithin(p.ctx, p.store.deleteTimeout(), p.step, work)
}

// purgeRows removes the rows of a kind for which the condition holds, and the files that only they name.
func (p *purger) purgeRows(kind, where string, ref int64) error {
	for {
		// Looking first keeps nobody from writing when there is nothing to do.
		some, err := inRead(p.ctx, p.store, p.step, func(tx *transaction) bool {
			return selectValue[bool](tx, `select exists (select 1 from `+kind+`s where `+where+`)`, ref)
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
		if p.ctx.Err() != nil { // not all of them may have gone
			return storeError(p.ctx, p.step, context.Cause(p.ctx))
		}
	}
}

// purgeSome removes the rows of one partition, or some of them, in a transaction. Where some of them name files that
// nothing else does and that were not tried yet, it returns those and removes no row.
func (p *purger) purgeSome(kind, where string, ref int64) (free []string, err error) {
	err = p.write(func(tx *transaction) {
		ids := tx.idsInFirstPartition(kind, where, ref)
		if len(ids) == 0 {
			return
		}
		from, to := idsOfPartition(ids[0] >> ftsPartitionBits)
		refill := false
		if len(ids) >= refillFrom {
			kept := selectValue[int](tx, `select count(*) from `+kind+`s where id between ? and ?`, from, to)
			refill = kept-len(ids) < len(ids)*refillGain
		}
		if !refill {
			ids = ids[:min(len(ids), purgeStep)]
		}
		if free = tx.onlyNamedBy(kind, ids, p.tried); len(free) > 0 {
			return
		}
		if !refill {
			for _, id := range ids {
				for _, e := range tx.readFTSEntries(kind, id, id, 1) {
					tx.removeFromIndex(e)
				}
			}
		}
		for chunk := range slices.Chunk(ids, 500) {
			tx.deleteRows(kind, chunk)
		}
		if refill {
			tx.refillPartition(kind, from, to)
		}
	})
	return free, err
}

// onlyNamedBy returns the files that rows name and that only rows name that are being purged, without those that were
// tried.
func (tx *transaction) onlyNamedBy(kind string, ids []int64, tried map[string]bool) (free []string) {
	query := `select distinct source_path from turns where source_answer <> 0 and source_path <> '' and id`
	if kind == ftsAnswers {
		query = `select distinct picture_path from answers where picture_path is not null and id`
	}
	for _, path := range selectColumn[string](tx, query+inList(ids)) {
		if tried[path] {
			continue
		}
		kept := selectValue[bool](tx, `select
			exists (select 1 from answers as a join turns as t on t.id = a.turn join sessions as s on s.id = t.session
				where a.picture_path = ?1 and not exists (select 1 from trash where purging = 1 and id in (a.trash, t.trash, s.trash)))
			or exists (select 1 from turns as t join sessions as s on s.id = t.session
				where t.source_path <> '' and t.source_path = ?1 and not exists (select 1 from trash where purging = 1 and id in (t.trash, s.trash)))`, path)
		if !kept {
			free = append(free, path)
		}
	}
	return free
}

// inList is the part of a statement that asks for one of these numbers.
func inList(ids []int64) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return " in (" + strings.Join(texts, ",") + ")"
}

// idsInFirstPartition returns the rows that lie in the same partition as the first one.
func (tx *transaction) idsInFirstPartition(kind, where string, ref int64) (ids []int64) {
	tx.eachRow(func(row scanner) bool {
		id := scanValue[int64](row)
		if len(ids) > 0 && id>>ftsPartitionBits != ids[0]>>ftsPartitionBits {
			return false
		}
		ids = append(ids, id)
		return true
	}, `select id from `+kind+`s where `+where+` order by id`, ref)
	return ids
}

func idsOfPartition(number int64) (from, to int64) {
	return number << ftsPartitionBits, (number+1)<<ftsPartitionBits - 1
}

// deleteRows deletes rows that are no longer in the index.
func (tx *transaction) deleteRows(kind string, ids []int64) {
	in := inList(ids)
	if kind == ftsTurns {
		tx.execute(`delete from turns where id` + in)
		return
	}
	tx.execute(`update models set answers = answers - gone.ended, failures = failures - gone.failed
			from (select model, count(*) as ended, sum(state = 'failed') as failed from answers
				where copied = 0 and state in ('done', 'failed') and id` + in + ` group by model) as gone
			where models.name = gone.model;
		delete from exchanges where answer` + in + `;
		delete from trash where what = 'answer' and ref` + in + `;
		delete from answers where id` + in)
}

// refillPartition empties the partition of some ids and puts in again what is to be found in it.
func (tx *transaction) refillPartition(kind string, from, to int64) {
	number := from >> ftsPartitionBits
	if !selectValue[bool](tx, `select exists (select 1 from shelves where kind = ? and number = ?)`, kind, number) {
		return // rows without a text need no partition
	}
	name := ftsTable(kind, number)
	tx.execute(`insert into ` + name + ` (` + name + `) values ('delete-all')`)
	for {
		entries := tx.readFTSEntries(kind, from, to, 200)
		if len(entries) == 0 {
			return
		}
		for _, e := range entries {
			tx.addToIndex(e)
		}
		from = entries[len(entries)-1].id + 1
	}
}

// readFTSEntries reads what the index holds of the rows in a range of ids.
func (tx *transaction) readFTSEntries(kind string, from, to int64, limit int) []ftsEntry {
	query := `select id, prompt, system, facts, '', '' from turns where id between ? and ? order by id limit ?`
	if kind == ftsAnswers {
		query = `select id, answer, note, model, kind, state from answers where id between ? and ? order by id limit ?`
	}
	return selectRows(tx, func(row scanner) ftsEntry {
		var id int64
		var one, other, facts string
		var k history.Kind
		var state history.State
		row(&id, &one, &other, &facts, &k, &state)
		if kind == ftsAnswers {
			return answerFTSEntry(history.Answer{ID: id, Text: one, Note: other, Model: facts, Kind: k, State: state})
		}
		return turnFTSEntry(id, one, other, facts)
	}, query, from, to, limit)
}
