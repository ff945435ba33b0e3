package sqlstore

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"confab/history"
)

const (
	maxCopiedRows  = 500     // read and written at a time
	maxCopiedBytes = 4 << 20 // of their texts; one row may exceed it
	maxInserted    = 100     // rows of one insert statement
	maxCopyPasses  = 6       // passes through all rows before giving up on a source that keeps changing
)

// emptying is the prefix of the copy setting while the store is emptied for the copy.
const emptying = "emptying for "

// copier copies a history from one store to another.
type copier struct {
	ctx        context.Context
	from, to   *Store
	o          history.CopyOptions
	progress   history.CopyProgress
	hasChanged bool // the pass found something to copy or to delete
}

// shared returns the store itself, also when another store embeds it.
func (s *Store) shared() *Store { return s }

// CopyFrom implements [history.Copier].
func (s *Store) CopyFrom(ctx context.Context, source history.Store, o history.CopyOptions) ([]history.CopiedRows,
	error) {
	from, ok := source.(interface{ shared() *Store })
	if !ok {
		return nil, fmt.Errorf("copy the history: the rows of a %T cannot be read", source)
	}
	if o.Progress == nil {
		o.Progress = func(history.CopyProgress) {}
	}
	c := &copier{ctx: ctx, from: from.shared(), to: s, o: o}
	if err := c.begin(); err != nil {
		return nil, err
	}
	for c.progress.Pass < maxCopyPasses {
		kinds, err := c.pass()
		if err != nil {
			return nil, err
		}
		if !c.hasChanged {
			return kinds, c.finish()
		}
	}
	return nil, &history.SetupError{Message: "the history is written to while it is copied; end what uses it and " +
		"copy again, which goes on where this stopped"}
}

// begin marks the store as an incomplete copy, and empties it to replace its content.
func (c *copier) begin() error {
	other, err := c.from.Setting(c.ctx, history.CopySetting)
	if err == nil && other != "" {
		err = &history.SetupError{Message: "the history to be copied is an incomplete copy itself"}
	}
	if err != nil {
		return err
	}
	state := ""
	err = c.to.Write(c.ctx, "begin the copy", func(tx *Tx) {
		state = tx.setting(history.CopySetting)
		switch {
		case state == c.o.Name, state == emptying+c.o.Name:
		case c.o.Replaces:
			state = emptying + c.o.Name
		case state == "" && tx.isEmpty():
			state = c.o.Name
		case state == "":
			tx.Fail(&history.SetupError{Message: "the history to copy to holds something already; copy to an empty " +
				"one, or delete that with --replace"})
		default:
			tx.Fail(&history.SetupError{Message: "the history to copy to is an incomplete copy of another one, " +
				strings.TrimPrefix(state, emptying) + "; complete that, or delete it with --replace"})
		}
		tx.setSetting(history.CopySetting, state)
	})
	if err != nil {
		return err
	}
	if other, err = c.from.Setting(c.ctx, history.CopySetting); err == nil && other != "" {
		return errors.Join(&history.SetupError{Message: "the history cannot be copied to itself"},
			c.to.SetSetting(c.ctx, history.CopySetting, ""))
	}
	if err != nil || !strings.HasPrefix(state, emptying) {
		return err
	}
	for _, t := range slices.Backward(tables()) {
		if err := c.deleteRows(t, func(keys []any) ([]any, error) { return keys, nil }); err != nil {
			return err
		}
	}
	return c.to.SetSetting(c.ctx, history.CopySetting, c.o.Name)
}

// isEmpty reports whether the history holds only settings.
func (tx *Tx) isEmpty() bool {
	for _, t := range tables() {
		if t.name != "settings" && SelectValue[bool](tx, `select exists (select 1 from `+t.name+`)`) {
			return false
		}
	}
	return true
}

// pass deletes rows that the source lacks, copies rows that differ, and returns the content of the source.
func (c *copier) pass() (kinds []history.CopiedRows, err error) {
	c.hasChanged = false
	c.progress = history.CopyProgress{Pass: c.progress.Pass + 1}
	err = c.from.Read(c.ctx, "count the rows", func(tx *Tx) {
		for _, t := range tables() {
			c.progress.Total += SelectValue[int](tx, `select count(*) from `+t.name)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, t := range slices.Backward(tables()) {
		if err := c.deleteRows(t, func(keys []any) ([]any, error) { return c.unknown(t, keys) }); err != nil {
			return nil, err
		}
	}
	for _, t := range tables() {
		kind, err := c.copyTable(t)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, kind)
	}
	return kinds, nil
}

// unknown returns the keys that the source lacks, or an error where they may not be deleted.
func (c *copier) unknown(t table, keys []any) ([]any, error) {
	known := map[any]bool{history.CopySetting: t.name == "settings"}
	err := c.from.Read(c.ctx, "compare the "+t.name, func(tx *Tx) {
		for _, key := range tx.selectKeys(t, t.keyIn(keys), keys...) {
			known[key] = true
		}
	})
	keys = slices.DeleteFunc(keys, func(key any) bool { return known[key] })
	if err == nil && len(keys) > 0 && !c.o.Replaces && t.name != "settings" {
		err = &history.SetupError{Message: fmt.Sprintf("the incomplete copy holds %s that its source does not; they "+
			"were added to it, or deleted in the source meanwhile; --replace deletes them", t.name)}
	}
	return keys, err
}

// selectKeys returns the keys of the rows that the end of the statement selects.
func (tx *Tx) selectKeys(t table, end string, args ...any) []any {
	return selectRows(tx, func(scan Scanner) any {
		r := t.newRow()
		scan(r.columns[0].field)
		return r.key()
	}, `select `+t.key()+` from `+t.name+end, args...)
}

// deleteRows deletes the rows whose keys choose returns.
func (c *copier) deleteRows(t table, choose func(keys []any) ([]any, error)) error {
	const step = "delete what is not in the source"
	for end, args := t.pageAfter(nil); ; {
		var keys []any
		err := c.to.Read(c.ctx, step, func(tx *Tx) { keys = tx.selectKeys(t, end, args...) })
		if err != nil || len(keys) == 0 {
			return err
		}
		end, args = t.pageAfter(keys[len(keys)-1])
		if keys, err = choose(keys); err != nil || len(keys) == 0 {
			if err != nil {
				return err
			}
			continue
		}
		c.hasChanged = true
		c.to.db.BeginPurge()
		err = c.to.Write(c.ctx, step, func(tx *Tx) {
			var entries []IndexEntry
			for r := range tx.tableRows(t, t.keyIn(keys), keys...) {
				if r.entry != nil {
					entries = append(entries, r.entry())
				}
			}
			for _, e := range entries {
				tx.RemoveFromIndex(e)
			}
			tx.Execute(`delete from `+t.name+t.keyIn(keys), keys...)
		})
		if err != nil {
			return err
		}
	}
}

// copyTable copies the rows of a table that differ between the stores.
func (c *copier) copyTable(t table) (kind history.CopiedRows, err error) {
	kind.Table = t.name
	sum := make([]byte, sha256.Size)
	for end, args := t.pageAfter(nil); ; {
		var rows []hashedRow
		err := c.from.Read(c.ctx, "read the "+t.name, func(tx *Tx) { rows = tx.selectPage(t, end, args...) })
		if err != nil || len(rows) == 0 {
			kind.SHA256 = hex.EncodeToString(sum)
			return kind, err
		}
		end, args = t.pageAfter(rows[len(rows)-1].key())
		kind.Rows += len(rows)
		for _, r := range rows {
			subtle.XORBytes(sum, sum, r.hash[:])
		}
		if err := c.putRows(t, rows); err != nil {
			return kind, err
		}
		c.progress.Table = t.name
		c.progress.Done += len(rows)
		c.o.Progress(c.progress)
	}
}

// putRows stores the rows, unchanged, that the store lacks or holds differently.
func (c *copier) putRows(t table, rows []hashedRow) error {
	keys := make([]any, len(rows))
	for i, r := range rows {
		keys[i] = r.key()
	}
	there := map[any][sha256.Size]byte{}
	err := c.to.Read(c.ctx, "compare the "+t.name, func(tx *Tx) {
		for r := range tx.tableRows(t, t.keyIn(keys), keys...) {
			there[r.key()] = tx.hash(r).hash
		}
	})
	rows = slices.DeleteFunc(rows, func(r hashedRow) bool { return there[r.key()] == r.hash })
	if err != nil || len(rows) == 0 {
		return err
	}
	c.hasChanged = true
	return c.to.Write(c.ctx, "copy the "+t.name, func(tx *Tx) {
		var added []hashedRow
		for _, r := range rows {
			if _, isThere := there[r.key()]; isThere {
				tx.changeTableRow(t, r.row)
			} else {
				added = append(added, r)
			}
		}
		for some := range slices.Chunk(added, maxInserted) {
			tx.insertTableRows(t, some)
		}
	})
}

func (tx *Tx) changeTableRow(t table, r row) {
	var old IndexEntry
	for there := range tx.tableRows(t, t.keyIn([]any{r.key()}), r.key()) {
		if there.entry != nil {
			old = there.entry()
		}
	}
	if r.entry != nil {
		tx.updateIndex(old, r.entry())
	}
	tx.changeRow(`update `+t.name+` set `+assignments(r.columns)+t.keyIn([]any{r.key()}),
		append(fieldsOf(r.columns), r.key())...)
}

func (tx *Tx) insertTableRows(t table, rows []hashedRow) {
	statement, fields := insertInto(t.name, rows[0].columns), fieldsOf(rows[0].columns)
	for _, r := range rows[1:] {
		statement += ", (" + placeholders(len(r.columns)) + ")"
		fields = append(fields, fieldsOf(r.columns)...)
	}
	tx.Execute(statement, fields...)
	for _, r := range rows {
		if r.entry != nil {
			tx.AddToIndex(r.entry())
		}
	}
}

// finish raises the next ids to those of the source and removes the mark of an incomplete copy.
func (c *copier) finish() error {
	if c.o.Finish != nil {
		if err := c.o.Finish(); err != nil {
			return err
		}
	}
	for _, t := range tables() {
		if t.key() != "id" {
			continue
		}
		const step = "continue the ids"
		last, err := inTx(c.ctx, c.from, reading, step, func(tx *Tx) int64 { return c.from.db.LastID(tx, t.name) })
		if err == nil {
			err = c.to.Write(c.ctx, step, func(tx *Tx) { c.to.db.RaiseLastID(tx, t.name, last) })
		}
		if err != nil {
			return err
		}
	}
	if err := c.to.Error(c.ctx, "free what was deleted", c.to.db.EndPurge(c.ctx)); err != nil {
		return err
	}
	return c.to.SetSetting(c.ctx, history.CopySetting, "")
}
