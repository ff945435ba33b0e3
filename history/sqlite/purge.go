package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"

	"confab/history"
)

// Taking a row out of a partition for good costs FTS5 tens of milliseconds, because
// every word of it is looked up and its page written; putting one in costs a
// fraction of one. So a partition that loses many rows is filled anew.
const (
	purgeStep  = 20  // rows that go in one transaction, to let others write between
	refillFrom = 8   // rows from which filling anew is thought of
	refillGain = 300 // rows that are put in at the cost of taking one out
)

// pictureRemover deletes picture files before the rows that name them.
type pictureRemover struct {
	remove func(files []string)
	tried  map[string]bool // deleted, or left because that could not be done
}

// removeFiles deletes files.
func (f *pictureRemover) removeFiles(files []string) {
	for _, path := range files {
		f.tried[path] = true
	}
	if f.remove != nil {
		f.remove(files)
	}
}

// purge removes what a deletion hid.
func (s *Store) purge(ctx context.Context, step string, d deletion, files *pictureRemover) error {
	remove := func(kind, where string, args ...any) error {
		for {
			// Looking first keeps nobody from writing when there is nothing to do.
			some, err := inRead(ctx, s, step, func(tx *sql.Tx) (bool, error) {
				return selectValue[bool](ctx, tx, `select exists (select 1 from `+kind+`s where `+where+`)`, args...)
			})
			if err != nil || !some {
				return err
			}
			free, err := s.purgeSome(ctx, step, kind, where, args, files.tried)
			if err != nil {
				return err
			}
			if len(free) > 0 {
				files.removeFiles(free)
				if ctx.Err() != nil { // not all of them may have gone
					return storeError(ctx, step, context.Cause(ctx))
				}
			}
		}
	}
	var err error
	switch d.what {
	case "session":
		if err = remove(ftsAnswers, `turn in (select id from turns where session = ?)`, d.ref); err == nil {
			err = remove(ftsTurns, `session = ?`, d.ref)
		}
	case "turn":
		if err = remove(ftsAnswers, `turn = ?`, d.ref); err == nil {
			err = remove(ftsTurns, `id = ?`, d.ref)
		}
	case "answer":
		err = remove(ftsAnswers, `id = ?`, d.ref)
	}
	if err != nil {
		return err
	}
	return s.writeWithin(ctx, s.deleteTimeout(), step, func(tx *sql.Tx) error {
		if d.what == "session" {
			if err := purgeSession(ctx, tx, d.ref); err != nil {
				return err
			}
		}
		return execute(ctx, tx, `delete from trash where id = ?;
			delete from models where answers = 0 and not exists (select 1 from answers where model = name)`, d.id)
	})
}

// purgeSession removes a session without turns, unless another process has.
func purgeSession(ctx context.Context, tx *sql.Tx, id int64) error {
	name, err := selectValue[string](ctx, tx, `select name from sessions where id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := removeFromIndex(ctx, tx, sessionFTSEntry(id, name)); err != nil {
		return err
	}
	return execute(ctx, tx, `delete from sessions where id = ?; delete from trash where session = ?`, id, id)
}

// purgeSome removes the rows of one partition, or some of them, in a transaction.
// Where some of them name files that nothing else does and that were not tried
// yet, it returns those and removes no row.
func (s *Store) purgeSome(ctx context.Context, step, kind, where string, args []any,
	tried map[string]bool) (free []string, err error) {
	err = s.writeWithin(ctx, s.deleteTimeout(), step, func(tx *sql.Tx) error {
		ids, err := idsInFirstPartition(ctx, tx, kind, where, args)
		if err != nil || len(ids) == 0 {
			return err
		}
		refill := false
		if len(ids) >= refillFrom {
			kept, err := countInPartition(ctx, tx, kind, ids[0]>>ftsPartitionBits)
			if err != nil {
				return err
			}
			refill = kept-len(ids) < len(ids)*refillGain
		}
		if !refill {
			ids = ids[:min(len(ids), purgeStep)]
		}
		if free, err = onlyNamedBy(ctx, tx, kind, ids, tried); err != nil || len(free) > 0 {
			return err
		}
		if !refill {
			for _, id := range ids {
				es, err := readFTSEntries(ctx, tx, kind, id, id, 1)
				if err != nil {
					return err
				}
				for _, e := range es {
					if err := removeFromIndex(ctx, tx, e); err != nil {
						return err
					}
				}
			}
		}
		for chunk := range slices.Chunk(ids, 500) {
			if err := deleteRows(ctx, tx, kind, chunk); err != nil {
				return err
			}
		}
		if refill {
			return refillPartition(ctx, tx, kind, ids[0]>>ftsPartitionBits)
		}
		return nil
	})
	return free, err
}

// onlyNamedBy returns the files that rows name and that only rows name that are being purged, without those that were
// tried.
func onlyNamedBy(ctx context.Context, tx *sql.Tx, kind string, ids []int64, tried map[string]bool) ([]string, error) {
	query := `select source_path from turns where source_answer <> 0 and source_path <> '' and id`
	if kind == ftsAnswers {
		query = `select picture_path from answers where picture_path is not null and id`
	}
	named, err := selectColumn[string](ctx, tx, query+inList(ids))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	named = slices.DeleteFunc(named, func(path string) bool {
		known := tried[path] || seen[path]
		seen[path] = true
		return known
	})
	var free []string
	for _, p := range named {
		kept, err := selectValue[bool](ctx, tx, `select
			exists (select 1 from answers as a join turns as t on t.id = a.turn join sessions as s on s.id = t.session
				where a.picture_path = ?1 and not exists (select 1 from trash where purging = 1 and id in (a.trash, t.trash, s.trash)))
			or exists (select 1 from turns as t join sessions as s on s.id = t.session
				where t.source_path <> '' and t.source_path = ?1 and not exists (select 1 from trash where purging = 1 and id in (t.trash, s.trash)))`, p)
		if err != nil {
			return nil, err
		}
		if !kept {
			free = append(free, p)
		}
	}
	return free, nil
}

// inList is the part of a statement that asks for one of these numbers.
func inList(ids []int64) string {
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(id, 10))
	}
	return " in (" + b.String() + ")"
}

// idsInFirstPartition returns the rows that lie in the same partition as the first one.
func idsInFirstPartition(ctx context.Context, tx *sql.Tx, kind, where string, args []any) ([]int64, error) {
	var ids []int64
	rows, err := tx.QueryContext(ctx, `select id from `+kind+`s where `+where+` order by id`, args...)
	err = forEachRow(rows, err, func() error {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if len(ids) > 0 && id>>ftsPartitionBits != ids[0]>>ftsPartitionBits {
			return errStopRows
		}
		ids = append(ids, id)
		return nil
	})
	return ids, err
}

// countInPartition counts the rows of a partition.
func countInPartition(ctx context.Context, tx *sql.Tx, kind string, number int64) (int, error) {
	from, to := idsOfPartition(number)
	return selectValue[int](ctx, tx, `select count(*) from `+kind+`s where id between ? and ?`, from, to)
}

func idsOfPartition(number int64) (from, to int64) {
	return number << ftsPartitionBits, (number+1)<<ftsPartitionBits - 1
}

// deleteRows deletes rows that are no longer in the index.
func deleteRows(ctx context.Context, tx *sql.Tx, kind string, ids []int64) error {
	in := inList(ids)
	script := `delete from turns where id` + in
	if kind == ftsAnswers {
		script = `update models set answers = answers - gone.ended, failures = failures - gone.failed
			from (select model, count(*) as ended, sum(state = 'failed') as failed from answers
				where copied = 0 and state in ('done', 'failed') and id` + in + ` group by model) as gone
			where models.name = gone.model;
			delete from exchanges where answer` + in + `;
			delete from trash where what = 'answer' and ref` + in + `;
			delete from answers where id` + in
	}
	return execute(ctx, tx, script)
}

// refillPartition empties a partition and puts in again what is to be found in it.
func refillPartition(ctx context.Context, tx *sql.Tx, kind string, number int64) error {
	// Rows without a text need no partition.
	exists, err := selectValue[bool](ctx, tx, `select exists (select 1 from shelves where kind = ? and number = ?)`,
		kind, number)
	if err != nil || !exists {
		return err
	}
	name := ftsTable(kind, number)
	if err := execute(ctx, tx, `insert into `+name+` (`+name+`) values ('delete-all')`); err != nil {
		return err
	}
	from, to := idsOfPartition(number)
	for {
		es, err := readFTSEntries(ctx, tx, kind, from, to, 200)
		if err != nil || len(es) == 0 {
			return err
		}
		for _, e := range es {
			if err := addToIndex(ctx, tx, e); err != nil {
				return err
			}
		}
		from = es[len(es)-1].id + 1
	}
}

// readFTSEntries reads what the index holds of the rows in a range of ids.
func readFTSEntries(ctx context.Context, tx *sql.Tx, kind string, from, to int64, limit int) ([]ftsEntry, error) {
	query := `select id, prompt, system, facts, '' from turns where id between ? and ? order by id limit ?`
	if kind == ftsAnswers {
		query = `select id, answer, note, model, kind from answers where id between ? and ? order by id limit ?`
	}
	return selectRows(ctx, tx, func(r rowScanner) (ftsEntry, error) {
		var id int64
		var one, other, facts string
		var k history.Kind
		err := r.Scan(&id, &one, &other, &facts, &k)
		if kind == ftsAnswers {
			return answerFTSEntry(history.Answer{ID: id, Text: one, Note: other, Model: facts, Kind: k}), err
		}
		return turnFTSEntry(id, one, other, facts), err
	}, query, from, to, limit)
}
