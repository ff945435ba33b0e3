package sqlstore

import (
	"context"
	"slices"
	"strings"

	"confab/history"
)

// Pictures implements [history.PictureFinder].
func (s *Store) Pictures(ctx context.Context, q history.Query) ([]history.PictureHit, error) {
	return inTx(ctx, s, reading, "list the pictures", func(tx *Tx) []history.PictureHit {
		return tx.picturesInOrder(tx.findPictureIDs(q, q.MaxResults()))
	})
}

// pictureRowsByPrompt selects the answers of turns whose prompts match.
func (p searchPlan) pictureRowsByPrompt() RowSource {
	src := p.turnRows()
	src.Joins += " cross join answers a on a.turn = t.id"
	src.Order = ", a.id desc"
	answers := p.answerConditions("")
	src.Where.add(answers.String(), answers.Args...)
	src.FilterWords = append(src.FilterWords, []string{kindToken(history.KindImage), kindToken(history.KindEdit)})
	return src
}

// scanPictureHit reads a row that holds the columns of an answer, those of its turn and the session's name.
func (tx *Tx) scanPictureHit(row Scanner) (h history.PictureHit) {
	h.Answer = tx.scanAnswer(func(answer ...any) {
		h.Turn = tx.scanTurn(func(turn ...any) { row(append(append(answer, turn...), &h.SessionName)...) })
	})
	return h
}

// maxPictureIDs bounds the list of picture ids. Narrower queries find older pictures.
const maxPictureIDs = 1 << 20

// PictureIDs implements [history.PictureFinder]. It takes 60 ms for 10,000 pictures.
func (s *Store) PictureIDs(ctx context.Context, q history.Query) ([]int64, error) {
	limit := maxPictureIDs
	if q.Limit > 0 {
		limit = min(q.Limit, limit)
	}
	return inTx(ctx, s, reading, "list the pictures", func(tx *Tx) []int64 { return tx.findPictureIDs(q, limit) })
}

// findPictureIDs returns at most limit answers whose pictures match, the newest first.
func (tx *Tx) findPictureIDs(q history.Query, limit int) []int64 {
	p := tx.newSearchPlan(q)
	ids := p.pictureIDs(tx, p.answerRows(), limit)
	if len(p.matcher.Terms) > 0 { // most matches are in prompts
		ids = append(ids, p.pictureIDs(tx, p.pictureRowsByPrompt(), limit)...)
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	ids = slices.Compact(ids)
	return ids[:min(len(ids), limit)]
}

func (p searchPlan) pictureIDs(tx *Tx, src RowSource, limit int) (ids []int64) {
	src.Where.add("a.picture_path is not null")
	columns, literal := "a.id", p.matcher.Literal
	if literal != "" { // the index has no words of it
		columns = "a.id, t.prompt, a.note"
	}
	for row := range p.rows(tx, src, columns) {
		var id int64
		var prompt, note string
		if literal == "" {
			row(&id)
		} else {
			row(&id, &prompt, &note)
		}
		if literal == "" || strings.Contains(prompt, literal) || strings.Contains(note, literal) {
			ids = append(ids, id)
		}
		if len(ids) >= limit {
			break
		}
	}
	return ids
}

// maxPictureHits is how many pictures are read at once.
const maxPictureHits = 500

// PicturesOf implements [history.PictureFinder].
func (s *Store) PicturesOf(ctx context.Context, answers []int64) ([]history.PictureHit, error) {
	answers = answers[:min(len(answers), maxPictureHits)]
	return inTx(ctx, s, reading, "read pictures", func(tx *Tx) []history.PictureHit {
		return tx.picturesInOrder(answers)
	})
}

// picturesInOrder reads the pictures of answers in their order. It leaves out hidden answers and answers without a
// picture.
func (tx *Tx) picturesInOrder(answers []int64) (hits []history.PictureHit) {
	found := tx.Hits(answers)
	for _, id := range answers {
		if h, ok := found[id]; ok && h.Answer.Picture != nil {
			hits = append(hits, h)
		}
	}
	return hits
}

// Hits implements [history.ChainReader]. It reads answers with their turns, without hidden or deleted ones.
func (tx *Tx) Hits(ids []int64) map[int64]history.PictureHit {
	found := make(map[int64]history.PictureHit, len(ids))
	ids = slices.Clone(ids)
	for i := range ids {
		ids[i] = tx.ownID(ids[i])
	}
	for row := range tx.Rows(`select ` + answerColumns() + `, ` + turnColumns() + `, s.name
		from answers a cross join turns t on t.id = a.turn cross join sessions s on s.id = t.session
		where a.id` + InList(ids) + ` and a.trash = 0 and t.trash = 0 and s.trash = 0`) {
		h := tx.scanPictureHit(row)
		found[h.Answer.ID] = h
	}
	return found
}

// EditChain implements [history.PictureFinder]. It reads every edit once: 13 ms for 10,000.
func (s *Store) EditChain(ctx context.Context, answer int64) (history.Chain, error) {
	return inTx(ctx, s, reading, "read the chain of edits", func(tx *Tx) history.Chain {
		tx.lookInto(answer)
		if len(tx.Hits([]int64{answer})) == 0 {
			tx.Fail(history.ErrNotFound)
			return history.Chain{}
		}
		edits := selectRows(tx, func(row Scanner) (e history.Edit) {
			row(&e.Answer, &e.Parent)
			tx.markIDs(&e.Answer, &e.Parent)
			return e
		}, `select a.id, a.picture_parent
			from answers a cross join turns t on t.id = a.turn cross join sessions s on s.id = t.session
			where a.picture_path is not null and a.picture_parent > 0 and a.trash = 0 and t.trash = 0 and s.trash = 0
			order by a.id`)
		return history.NewChain(answer, edits, tx)
	})
}

// EditsOf implements [history.ChainReader].
func (tx *Tx) EditsOf(source history.Source, known int64) []int64 {
	column, value := "t.source_path", source.Path
	if source.URL != "" {
		column, value = "t.source_url", source.URL
	}
	if _, _, path, ok := history.SharedPicture(value); ok {
		value = path
	}
	// SQLite uses the index on paths only if the statement repeats its condition.
	ids := SelectColumn[int64](tx, `select a.id
		from turns t cross join sessions s on s.id = t.session cross join answers a on a.turn = t.id
		where `+column+` = ? and `+column+` <> '' and t.source_answer = 0 and t.trash = 0 and s.trash = 0
			and a.trash = 0 and (a.id = ? or a.kind = 'edit' and a.picture_path is not null)
		order by a.id`, value, tx.ownID(known))
	for i := range ids {
		tx.markIDs(&ids[i])
	}
	return ids
}
