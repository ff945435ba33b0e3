package sqlite

import (
	"context"
	"database/sql"

	"confab/history"
)

// Prompts finds distinct prompts by their text or system prompt, the newest
// first.
func (s *Store) Prompts(ctx context.Context, q history.Query) ([]history.PromptHit, error) {
	var hits []history.PromptHit
	err := s.read(ctx, "list the prompts", func(tx *sql.Tx) error {
		p, err := newSearchPlan(ctx, tx, q)
		if err != nil {
			return err
		}
		p.Ranked = false
		seen := map[string]bool{}
		rows := 0
		err = p.stream(ctx, tx, p.turnRows(), `t.id, t.session, s.name, t.prompt, t.system, t.created`,
			func(r *sql.Rows) (bool, error) {
				var h history.PromptHit
				var created sql.NullInt64
				if err := r.Scan(&h.Turn, &h.Session, &h.SessionName, &h.Prompt, &h.System, &created); err != nil {
					return false, err
				}
				h.Created = fromMillis(created)
				h.Match = p.m.matches(h.Prompt, -1)
				rows++
				fits := p.m.literal == "" || len(h.Match) > 0
				if fits && h.Prompt != "" && !seen[h.Prompt] {
					seen[h.Prompt] = true
					hits = append(hits, h)
				}
				return len(hits) < p.rowsNeeded() && rows < maxRowsConsidered, nil
			})
		if err != nil {
			return err
		}
		hits = pageOf(q, hits)
		for i := range hits {
			hits[i].Models, err = selectColumn[string](ctx, tx,
				`select model from answers where turn = ? and trash = 0 group by model order by min(id)`, hits[i].Turn)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return hits, err
}
