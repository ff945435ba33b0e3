package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"confab/history"
)

// Pictures finds pictures by the words of their prompts and notes, the newest first.
func (s *Store) Pictures(ctx context.Context, q history.Query) ([]history.PictureHit, error) {
	return inRead(ctx, s, "list the pictures", func(tx *sql.Tx) ([]history.PictureHit, error) {
		ids, err := findPictureIDs(ctx, tx, q, max(0, q.Offset)+q.PageSize())
		if err != nil {
			return nil, err
		}
		return picturesInOrder(ctx, tx, pageOf(q, ids))
	})
}

// pictureRowsByPrompt streams the answers to the turns whose prompts match.
func (p searchPlan) pictureRowsByPrompt() rowSource {
	src := p.turnRows()
	src.joins += " cross join answers a on a.turn = t.id"
	src.order = ", a.id desc"
	answers := p.answerConditions()
	src.where.add(answers.String(), answers.args...)
	src.facts += ` AND facts : ("` + kindToken(history.KindImage) + `" OR "` + kindToken(history.KindEdit) + `")`
	return src
}

// scanPictureHit reads a row that holds both: the answer's columns, then the
// turn's and the session's name.
func scanPictureHit(r rowScanner) (h history.PictureHit, err error) {
	h.Answer, err = scanAnswer(scanFunc(func(answer ...any) error {
		h.Turn, err = scanTurn(scanFunc(func(turn ...any) error {
			return r.Scan(append(answer, turn...)...)
		}), &h.SessionName)
		return err
	}))
	return h, err
}

// scanFunc is a row by what scans it.
type scanFunc func(...any) error

// Scan calls the function.
func (f scanFunc) Scan(into ...any) error { return f(into...) }

// maxPictureIDs bounds how many pictures one list of ids holds; older ones are
// found by narrowing the query.
const maxPictureIDs = 1 << 20

// PictureIDs returns the answers whose pictures match, the newest first. 10,000 pictures take 60 ms.
func (s *Store) PictureIDs(ctx context.Context, q history.Query) ([]int64, error) {
	most := maxPictureIDs
	if q.Limit > 0 {
		most = min(q.Limit, most)
	}
	return inRead(ctx, s, "list the pictures", func(tx *sql.Tx) ([]int64, error) {
		return findPictureIDs(ctx, tx, q, most)
	})
}

// findPictureIDs returns at most so many answers whose pictures match, the newest first.
func findPictureIDs(ctx context.Context, tx *sql.Tx, q history.Query, most int) ([]int64, error) {
	p, err := newSearchPlan(ctx, tx, q)
	if err != nil {
		return nil, err
	}
	p.Ranked = false
	ids, err := p.pictureIDs(ctx, tx, p.answerRows(), most)
	if err == nil && len(p.m.terms) > 0 { // the words of a picture are mostly those of its prompt
		var byPrompt []int64
		byPrompt, err = p.pictureIDs(ctx, tx, p.pictureRowsByPrompt(), most)
		ids = append(ids, byPrompt...)
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	ids = slices.Compact(ids)
	return ids[:min(len(ids), most)], err
}

func (p searchPlan) pictureIDs(ctx context.Context, tx *sql.Tx, src rowSource, most int) ([]int64, error) {
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
		return len(ids) < most && (p.m.literal == "" || seen < maxRowsConsidered), nil
	})
	return ids, err
}

// maxPictureHits is how many pictures are read at once.
const maxPictureHits = 500

// PicturesOf returns the pictures of these answers, in their order; at most 500.
func (s *Store) PicturesOf(ctx context.Context, answers []int64) ([]history.PictureHit, error) {
	answers = answers[:min(len(answers), maxPictureHits)]
	return inRead(ctx, s, "read pictures", func(tx *sql.Tx) ([]history.PictureHit, error) {
		return picturesInOrder(ctx, tx, answers)
	})
}

// picturesInOrder reads the pictures of answers, in their order. Those that are hidden or have none are left out.
func picturesInOrder(ctx context.Context, tx *sql.Tx, answers []int64) ([]history.PictureHit, error) {
	found, err := readPictureHits(ctx, tx, answers, ` and a.picture_path is not null`)
	var hits []history.PictureHit
	for _, id := range answers {
		if h, ok := found[id]; ok {
			hits = append(hits, h)
		}
	}
	return hits, err
}

// readPictureHits reads answers with their turns, by the ids of the answers. Those that are hidden or gone are missing.
func readPictureHits(ctx context.Context, tx *sql.Tx, ids []int64, where string) (map[int64]history.PictureHit, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	hits, err := selectRows(ctx, tx, scanPictureHit, `select `+answerColumns()+`, `+turnColumns()+`, s.name
		from answers a cross join turns t on t.id = a.turn cross join sessions s on s.id = t.session
		where a.id`+inList(ids)+where+` and a.trash = 0 and t.trash = 0 and s.trash = 0`)
	found := make(map[int64]history.PictureHit, len(hits))
	for _, h := range hits {
		found[h.Answer.ID] = h
	}
	return found, err
}
