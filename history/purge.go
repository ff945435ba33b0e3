package history

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
)

// Taking a row out of a shelf for good costs FTS5 tens of milliseconds, because
// every word of it is looked up and its page written; putting one in costs a
// fraction of one. So a shelf that loses many rows is filled anew.
const (
	purgeStep  = 20  // rows that go in one transaction, to let others write between
	refillFrom = 8   // rows from which filling anew is thought of
	refillGain = 300 // rows that are put in at the cost of taking one out
)

// purge removes what a deletion hid and returns the pictures that were named.
func (s *Store) purge(ctx context.Context, step string, d deletion) ([]string, error) {
	var paths []string
	remove := func(kind, where string, args ...any) error {
		for {
			gone, more, err := s.purgeSome(ctx, step, kind, where, args)
			paths = append(paths, gone...)
			if err != nil || !more {
				return err
			}
		}
	}
	var err error
	switch d.what {
	case "session":
		if err = remove(answerShelf, `turn in (select id from turns where session = ?)`, d.ref); err == nil {
			err = remove(turnShelf, `session = ?`, d.ref)
		}
	case "turn":
		if err = remove(answerShelf, `turn = ?`, d.ref); err == nil {
			err = remove(turnShelf, `id = ?`, d.ref)
		}
	case "answer":
		err = remove(answerShelf, `id = ?`, d.ref)
	}
	if err != nil {
		return paths, err
	}
	return paths, s.write(ctx, step, func(tx *sql.Tx) error {
		if d.what == "session" {
			if err := purgeSession(ctx, tx, d.ref); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `delete from trash where id = ?;
			delete from models where answers = 0 and not exists (select 1 from answers where model = name)`, d.id)
		return err
	})
}

func purgeSession(ctx context.Context, tx *sql.Tx, id int64) error {
	var name string
	if err := tx.QueryRowContext(ctx, `select name from sessions where id = ?`, id).Scan(&name); err != nil {
		return err
	}
	if err := unshelve(ctx, tx, sessionEntry(id, name)); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `delete from sessions where id = ?; delete from trash where session = ?`, id, id)
	return err
}

// purgeSome removes the rows of one shelf, or some of them, in a transaction.
func (s *Store) purgeSome(ctx context.Context, step, kind, where string, args []any) (paths []string, more bool, err error) {
	err = s.write(ctx, step, func(tx *sql.Tx) error {
		ids, err := firstShelfOf(ctx, tx, kind, where, args)
		if err != nil || len(ids) == 0 {
			return err
		}
		more = true
		refill := false
		if len(ids) >= refillFrom {
			kept, err := keptOn(ctx, tx, kind, ids[0]>>shelfBits)
			if err != nil {
				return err
			}
			refill = kept-len(ids) < len(ids)*refillGain
		}
		if !refill {
			ids = ids[:min(len(ids), purgeStep)]
			for _, id := range ids {
				es, err := entries(ctx, tx, kind, id, id, 1)
				if err != nil {
					return err
				}
				for _, e := range es {
					if err := unshelve(ctx, tx, e); err != nil {
						return err
					}
				}
			}
		}
		for chunk := range slices.Chunk(ids, 500) {
			gone, err := deleteRows(ctx, tx, kind, chunk)
			if err != nil {
				return err
			}
			paths = append(paths, gone...)
		}
		if refill {
			return refillShelf(ctx, tx, kind, ids[0]>>shelfBits)
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return paths, more, nil
}

// firstShelfOf returns the rows that lie on the same shelf as the first one.
func firstShelfOf(ctx context.Context, tx *sql.Tx, kind, where string, args []any) ([]int64, error) {
	var ids []int64
	rows, err := tx.QueryContext(ctx, `select id from `+kind+`s where `+where+` order by id`, args...)
	err = each(rows, err, func() error {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if len(ids) > 0 && id>>shelfBits != ids[0]>>shelfBits {
			return errEnough
		}
		ids = append(ids, id)
		return nil
	})
	return ids, err
}

// keptOn counts the rows of a shelf.
func keptOn(ctx context.Context, tx *sql.Tx, kind string, number int64) (n int, err error) {
	from, to := shelfRange(number)
	err = tx.QueryRowContext(ctx, `select count(*) from `+kind+`s where id between ? and ?`, from, to).Scan(&n)
	return n, err
}

func shelfRange(number int64) (from, to int64) {
	return number << shelfBits, (number+1)<<shelfBits - 1
}

// deleteRows deletes rows that are no longer in the index and returns the
// pictures they named.
func deleteRows(ctx context.Context, tx *sql.Tx, kind string, ids []int64) ([]string, error) {
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(id, 10))
	}
	in := " in (" + b.String() + ")"
	named := `select source_path from turns where source_answer <> 0 and source_path <> '' and id` + in
	script := `delete from turns where id` + in
	if kind == answerShelf {
		named = `select picture_path from answers where picture_path is not null and id` + in
		script = `update models set answers = answers - gone.ended, failures = failures - gone.failed
			from (select model, count(*) as ended, sum(state = 'failed') as failed from answers
				where copied = 0 and state in ('done', 'failed') and id` + in + ` group by model) as gone
			where models.name = gone.model;
			delete from exchanges where answer` + in + `;
			delete from trash where what = 'answer' and ref` + in + `;
			delete from answers where id` + in
	}
	var paths []string
	rows, err := tx.QueryContext(ctx, named)
	err = each(rows, err, func() error {
		var p string
		if err := rows.Scan(&p); err != nil {
			return err
		}
		paths = append(paths, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	_, err = tx.ExecContext(ctx, script)
	return paths, err
}

// refillShelf empties a shelf and puts in again what is to be found on it.
func refillShelf(ctx context.Context, tx *sql.Tx, kind string, number int64) error {
	// Rows without a text need no shelf.
	var any bool
	err := tx.QueryRowContext(ctx, `select exists (select 1 from shelves where kind = ? and number = ?)`, kind, number).Scan(&any)
	if err != nil || !any {
		return err
	}
	name := shelfName(kind, number)
	if _, err := tx.ExecContext(ctx, `insert into `+name+` (`+name+`) values ('delete-all')`); err != nil {
		return err
	}
	from, to := shelfRange(number)
	for {
		es, err := entries(ctx, tx, kind, from, to, 200)
		if err != nil || len(es) == 0 {
			return err
		}
		for _, e := range es {
			if err := shelve(ctx, tx, e); err != nil {
				return err
			}
		}
		from = es[len(es)-1].id + 1
	}
}

// entries reads what the index holds of the rows in a range of ids.
func entries(ctx context.Context, tx *sql.Tx, kind string, from, to int64, limit int) ([]entry, error) {
	query := `select id, prompt, system, facts, '' from turns where id between ? and ? order by id limit ?`
	if kind == answerShelf {
		query = `select id, answer, note, model, kind from answers where id between ? and ? order by id limit ?`
	}
	var es []entry
	rows, err := tx.QueryContext(ctx, query, from, to, limit)
	err = each(rows, err, func() error {
		var id int64
		var one, other, facts string
		var k Kind
		if err := rows.Scan(&id, &one, &other, &facts, &k); err != nil {
			return err
		}
		if kind == answerShelf {
			es = append(es, answerEntry(Answer{ID: id, Text: one, Note: other, Model: facts, Kind: k}))
		} else {
			es = append(es, turnEntry(id, one, other, facts))
		}
		return nil
	})
	return es, err
}
