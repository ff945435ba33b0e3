package history

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

// mostPictureIDs bounds how many pictures one list of ids holds; older ones are
// found by narrowing the query.
const mostPictureIDs = 1 << 20

// PictureIDs returns the answers whose pictures match, the newest first: all of
// them, or the first [Query.Limit]. It is for screens that show a part of very
// many, and read that part with [Store.PicturesOf]. 10,000 pictures take 60 ms.
func (s *Store) PictureIDs(ctx context.Context, q Query) ([]int64, error) {
	most := mostPictureIDs
	if q.Limit > 0 {
		most = min(q.Limit, most)
	}
	var ids []int64
	err := s.read(ctx, "list the pictures", func(tx *sql.Tx) error {
		p, err := newPlan(ctx, tx, q)
		if err != nil {
			return err
		}
		p.Ranked = false
		if ids, err = p.pictureIDs(ctx, tx, p.answersSource(), most); err != nil || len(p.m.terms) == 0 {
			return err
		}
		byPrompt, err := p.pictureIDs(ctx, tx, p.picturesByPrompt(), most)
		ids = append(ids, byPrompt...)
		return err
	})
	slices.SortFunc(ids, func(a, b int64) int { return int(b - a) })
	ids = slices.Compact(ids)
	return ids[:min(len(ids), most)], err
}

func (p plan) pictureIDs(ctx context.Context, tx *sql.Tx, src source, most int) ([]int64, error) {
	src.where.add("a.picture_path is not null")
	var ids []int64
	seen := 0
	columns := "a.id"
	if p.m.literal != "" { // no index knows it
		columns = "a.id, t.prompt, a.note"
	}
	err := p.stream(ctx, tx, src, columns, func(rows *sql.Rows) (bool, error) {
		var id int64
		var prompt, note string
		into := []any{&id}
		if p.m.literal != "" {
			into = append(into, &prompt, &note)
		}
		if err := rows.Scan(into...); err != nil {
			return false, err
		}
		seen++
		if p.m.literal == "" || strings.Contains(prompt, p.m.literal) || strings.Contains(note, p.m.literal) {
			ids = append(ids, id)
		}
		return len(ids) < most && (p.m.literal == "" || seen < considered), nil
	})
	return ids, err
}

// mostHits is how many pictures are read at once.
const mostHits = 500

// PicturesOf returns the pictures of these answers, in their order; at most 500.
// Those that are hidden or have none are left out.
func (s *Store) PicturesOf(ctx context.Context, answers []int64) ([]PictureHit, error) {
	answers = answers[:min(len(answers), mostHits)]
	if len(answers) == 0 {
		return nil, nil
	}
	args := make([]any, len(answers))
	for i, id := range answers {
		args[i] = id
	}
	found := map[int64]PictureHit{}
	err := s.read(ctx, "read pictures", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `select `+answerColumns+`, `+turnColumns+`, s.name
			from answers a cross join turns t on t.id = a.turn cross join sessions s on s.id = t.session
			where a.id in (?`+strings.Repeat(", ?", len(args)-1)+`)
				and a.picture_path is not null and a.trash = 0 and t.trash = 0 and s.trash = 0`, args...)
		return each(rows, err, func() error {
			h, err := scanPictureHit(rows)
			found[h.Answer.ID] = h
			return err
		})
	})
	var hits []PictureHit
	for _, id := range answers {
		if h, ok := found[id]; ok {
			hits = append(hits, h)
		}
	}
	return hits, err
}
