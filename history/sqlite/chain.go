package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"confab/history"
)

// maxLinks bounds a chain, maxAbove how far back its start is looked for.
const (
	maxLinks     = 500
	maxAncestors = 250
)

// lineage is who was made from whom.
type lineage struct {
	parent   map[int64]int64
	children map[int64][]int64
}

// EditChain returns the chain of edits that the answer's picture belongs to. It looks at every edit there is once:
// 13 ms for 10,000 of them.
func (s *Store) EditChain(ctx context.Context, answer int64) (history.Chain, error) {
	var c history.Chain
	err := s.read(ctx, "read the chain of edits", func(tx *sql.Tx) error {
		of, err := readPictureHits(ctx, tx, []int64{answer}, "")
		if err != nil {
			return err
		}
		if len(of) == 0 {
			return history.ErrNotFound
		}
		l, err := readLineage(ctx, tx)
		if err != nil {
			return err
		}
		if a := of[answer]; a.Answer.Picture == nil && a.Answer.Kind == history.KindEdit && a.Turn.Source != nil {
			l.add(answer, a.Turn.Source.Answer) // it has none yet, or never will
		}
		above, start, err := l.ancestors(ctx, tx, answer)
		if err != nil {
			return err
		}
		roots := above[len(above)-1:]
		if start != nil {
			if roots, err = l.siblings(ctx, tx, *start, roots[0]); err != nil {
				return err
			}
			c.Links = append(c.Links, history.Link{Source: start})
		}
		chosen, cut := l.chooseLinks(above, roots, maxLinks-len(c.Links))
		read, err := readPictureHits(ctx, tx, chosen, "")
		if err != nil {
			return err
		}
		c.Cut = cut || len(above) == maxAncestors
		c.Links = l.appendInOrder(c.Links, roots, read)
		return nil
	})
	return c, err
}

// readLineage reads the edits that are not hidden and the answers whose
// pictures they were made from, hidden or not.
func readLineage(ctx context.Context, tx *sql.Tx) (lineage, error) {
	l := lineage{map[int64]int64{}, map[int64][]int64{}}
	rows, err := tx.QueryContext(ctx, `select a.id, a.picture_parent
		from answers a cross join turns t on t.id = a.turn cross join sessions s on s.id = t.session
		where a.picture_path is not null and a.picture_parent > 0 and a.trash = 0 and t.trash = 0 and s.trash = 0
		order by a.id`)
	err = forEachRow(rows, err, func() error {
		var id, parent int64
		if err := rows.Scan(&id, &parent); err != nil {
			return err
		}
		l.add(id, parent)
		return nil
	})
	return l, err
}

func (l lineage) add(id, parent int64) {
	if parent > 0 {
		l.parent[id] = parent
		l.children[parent] = append(l.children[parent], id)
	}
}

// ancestors returns the answer and what it was made from, the start of the chain
// last, and what that was made from where it is no answer that can be shown. A
// chain that bites its tail starts where it would begin anew.
func (l lineage) ancestors(ctx context.Context, tx *sql.Tx, answer int64) ([]int64, *history.Source, error) {
	out := []int64{answer}
	for len(out) < maxAncestors {
		at := out[len(out)-1]
		parent := l.parent[at]
		if slices.Contains(out, parent) {
			return out, nil, nil
		}
		if parent == 0 {
			return externalStart(ctx, tx, out)
		}
		if _, err := readVisibleAnswer(ctx, tx, parent); errors.Is(err, sql.ErrNoRows) {
			return externalStart(ctx, tx, out)
		} else if err != nil {
			return nil, nil, err
		}
		out = append(out, parent)
	}
	return out, nil, nil
}

// externalStart returns what the last of the answers was made from, when it is an
// edit at all.
func externalStart(ctx context.Context, tx *sql.Tx, above []int64) ([]int64, *history.Source, error) {
	last := above[len(above)-1]
	read, err := readPictureHits(ctx, tx, []int64{last}, "")
	if err != nil {
		return nil, nil, err
	}
	of := read[last]
	if of.Answer.Kind != history.KindEdit {
		return above, nil, nil
	}
	var start history.Source
	if of.Turn.Source != nil {
		start = *of.Turn.Source
	}
	if p := of.Answer.Picture; p != nil && p.Parent > 0 {
		start.Answer = p.Parent
	}
	if start == (history.Source{}) {
		return above, nil, nil
	}
	return above, &start, nil
}

// siblings returns the edits that were made from a start, the known one among them.
func (l lineage) siblings(ctx context.Context, tx *sql.Tx, start history.Source, known int64) ([]int64, error) {
	if start.Answer != 0 {
		return l.children[start.Answer], nil
	}
	column, value := "t.source_path", start.Path
	if start.URL != "" {
		column, value = "t.source_url", start.URL
	}
	// SQLite uses the index on paths only where its condition is spelled out.
	ids, err := selectColumn[int64](ctx, tx, `select a.id
		from turns t cross join sessions s on s.id = t.session cross join answers a on a.turn = t.id
		where `+column+` = ? and `+column+` <> '' and t.source_answer = 0 and t.trash = 0 and s.trash = 0
			and a.trash = 0 and (a.id = ? or a.kind = 'edit' and a.picture_path is not null)
		order by a.id`, value, known)
	if !slices.Contains(ids, known) {
		ids = append(ids, known)
	}
	return ids, err
}

// chooseLinks returns at most so many answers of the tree, and whether there are
// more: first the ones above, then what was made from the first of them, then
// the others, from the roots on.
func (l lineage) chooseLinks(above, roots []int64, most int) (chosen []int64, cut bool) {
	seen := map[int64]bool{}
	take := func(ids []int64) {
		for _, id := range ids {
			switch {
			case seen[id]:
			case len(chosen) == most:
				cut = true
			default:
				seen[id] = true
				chosen = append(chosen, id)
			}
		}
	}
	take(above)
	for _, from := range [][]int64{above[:1], roots} {
		take(from)
		done := map[int64]bool{}
		for level := from; len(level) > 0; {
			var next []int64
			for _, id := range level {
				if !done[id] && seen[id] {
					done[id] = true
					take(l.children[id])
					next = append(next, l.children[id]...)
				}
			}
			level = next
		}
	}
	return chosen, cut
}

// appendInOrder puts what was read behind what it was made from.
func (l lineage) appendInOrder(out []history.Link, roots []int64, read map[int64]history.PictureHit) []history.Link {
	var put func(ids []int64, depth int)
	put = func(ids []int64, depth int) {
		for _, id := range ids {
			if of, ok := read[id]; ok {
				delete(read, id)
				out = append(out,
					history.Link{Answer: of.Answer, Turn: of.Turn, SessionName: of.SessionName, Depth: depth})
				put(l.children[id], depth+1)
			}
		}
	}
	put(roots, len(out))
	return out
}
