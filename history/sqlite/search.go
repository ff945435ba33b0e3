package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"confab/history"
)

// searchCandidate is a hit with what it is ordered by.
type searchCandidate struct {
	history.Hit
	place int64 // of the answer, or for a prompt of the first answer after it
	rank  float64
}

// Search finds the query's text in prompts, system prompts, answers and notes, the newest first.
func (s *Store) Search(ctx context.Context, q history.Query) ([]history.Hit, error) {
	var all []searchCandidate
	err := s.read(ctx, "search the history", func(tx *sql.Tx) error {
		p, err := newSearchPlan(ctx, tx, q)
		if err != nil {
			return err
		}
		if all, err = p.answerHits(ctx, tx); err != nil || p.m.isEmpty() {
			return err
		}
		prompts, err := p.promptHits(ctx, tx)
		all = append(all, prompts...)
		return err
	})
	slices.SortStableFunc(all, func(a, b searchCandidate) int {
		if q.Ranked {
			if c := cmp.Compare(a.rank, b.rank); c != 0 { // FTS5's better ranks are smaller
				return c
			}
		}
		// An answer comes after its prompt, so the newest first has it before.
		return cmp.Or(cmp.Compare(b.place, a.place), cmp.Compare(b.Answer, a.Answer), cmp.Compare(b.Turn, a.Turn))
	})
	hits := make([]history.Hit, 0, q.PageSize())
	for _, c := range pageOf(q, all) {
		hits = append(hits, c.Hit)
	}
	return hits, err
}

func (p searchPlan) answerHits(ctx context.Context, tx *sql.Tx) ([]searchCandidate, error) {
	var hits []searchCandidate
	seen := 0
	err := p.stream(ctx, tx, p.answerRows(),
		`a.id, a.turn, t.session, s.name, a.model, a.kind, a.state, t.created, a.answer, a.note, rank`,
		func(rows *sql.Rows) (bool, error) {
			var c searchCandidate
			var created sql.NullInt64
			var text, note string
			if err := rows.Scan(&c.Answer, &c.Turn, &c.Session, &c.SessionName, &c.Model, &c.Kind, &c.State, &created,
				&text,
				&note, &c.rank); err != nil {
				return false, err
			}
			c.Created, c.place = fromMillis(created), c.Answer
			seen++
			if p.setSnippet(&c.Hit, "answer", text, "note", note) {
				hits = append(hits, c)
			}
			return p.Ranked || len(hits) < p.rowsNeeded() && (p.m.literal == "" || seen < maxRowsConsidered), nil
		})
	return hits, err
}

func (p searchPlan) promptHits(ctx context.Context, tx *sql.Tx) ([]searchCandidate, error) {
	var hits []searchCandidate
	seen := 0
	err := p.stream(ctx, tx, p.turnRows(),
		`t.id, t.session, s.name, t.created, t.prompt, t.system, rank,
			coalesce((select min(o.id) from answers o where o.turn = t.id), (select o.id from answers o where o.turn < t.id order by o.turn desc, o.id desc limit 1), 0)`,
		func(rows *sql.Rows) (bool, error) {
			var c searchCandidate
			var created sql.NullInt64
			var prompt, system string
			if err := rows.Scan(&c.Turn, &c.Session, &c.SessionName, &created, &prompt, &system, &c.rank,
				&c.place); err != nil {
				return false, err
			}
			c.Created = fromMillis(created)
			seen++
			if p.setSnippet(&c.Hit, "prompt", prompt, "system", system) {
				hits = append(hits, c)
			}
			return p.Ranked || len(hits) < p.rowsNeeded() && (p.m.literal == "" || seen < maxRowsConsidered), nil
		})
	return hits, err
}

// setSnippet fills in where the match is; false means that there is none, which can
// be only where the index was not asked.
func (p searchPlan) setSnippet(h *history.Hit, where, text, other, otherText string) bool {
	h.Where = where
	h.Snippet, h.Match = p.m.snippet(text)
	if len(h.Match) > 0 || p.m.isEmpty() {
		return true
	}
	if snippet, match := p.m.snippet(otherText); len(match) > 0 {
		h.Where, h.Snippet, h.Match = other, snippet, match
		return true
	}
	if text == "" && otherText != "" {
		h.Where = other
		h.Snippet, h.Match = p.m.snippet(otherText)
	}
	return p.m.literal == ""
}

// Sessions finds sessions by their names and by what is in them, and counts all sessions.
func (s *Store) Sessions(ctx context.Context, q history.Query) ([]history.SessionHit, int, error) {
	var hits []history.SessionHit
	total := 0
	err := s.read(ctx, "list the sessions", func(tx *sql.Tx) error {
		var err error
		if total, err = selectValue[int](ctx, tx, `select count(*) from sessions where trash = 0`); err != nil {
			return err
		}
		p, err := newSearchPlan(ctx, tx, q)
		if err != nil {
			return err
		}
		if p.m.isEmpty() && !q.HasFilters() {
			hits, err = listSessions(ctx, tx, `s.trash = 0`, q.PageSize(), max(0, q.Offset))
			return err
		}
		found, err := p.sessionsWith(ctx, tx)
		if err != nil || len(found) == 0 {
			return err
		}
		hits, err = listSessions(ctx, tx, `s.trash = 0 and s.id`+inList(slices.Collect(maps.Keys(found))),
			q.PageSize(), max(0, q.Offset))
		for i := range hits {
			h := found[hits[i].ID]
			hits[i].Snippet, hits[i].Match = h.Snippet, h.Match
		}
		return err
	})
	return hits, total, err
}

func listSessions(ctx context.Context, tx *sql.Tx, where string, limit, offset int) ([]history.SessionHit, error) {
	return selectRows(ctx, tx, func(r rowScanner) (history.SessionHit, error) {
		session, err := scanSession(r)
		return history.SessionHit{Session: session}, err
	}, `select `+sessionColumns+` from sessions s
		where `+where+`
		order by s.touched desc
		limit ? offset ?`, limit, offset)
}

// sessionsWith collects the sessions with a match, each with its newest one.
func (p searchPlan) sessionsWith(ctx context.Context, tx *sql.Tx) (map[int64]history.Hit, error) {
	found := map[int64]history.Hit{}
	p.Ranked = false
	collect := func(src rowSource, columns, where, other string) error {
		var fresh []history.Hit
		seen := 0
		err := p.stream(ctx, tx, src, `t.session, t.id, `+columns, func(rows *sql.Rows) (bool, error) {
			var h history.Hit
			if err := rows.Scan(&h.Session, &h.Turn, &h.Answer); err != nil {
				return false, err
			}
			seen++
			_, known := found[h.Session]
			if !known && p.m.literal != "" {
				var err error
				if known, err = p.lacksLiteral(ctx, tx, h); err != nil {
					return false, err
				}
			}
			if !known {
				found[h.Session] = h
				fresh = append(fresh, h)
			}
			return len(fresh) < p.rowsNeeded() && seen < maxRowsConsidered, nil
		})
		if err != nil {
			return err
		}
		for _, h := range fresh {
			text, otherText, err := textsOf(ctx, tx, h)
			if err != nil {
				return err
			}
			p.setSnippet(&h, where, text, other, otherText)
			found[h.Session] = h
		}
		return nil
	}
	if err := collect(p.answerRows(), `a.id`, "answer", "note"); err != nil {
		return nil, err
	}
	if p.m.isEmpty() {
		return found, nil
	}
	if err := collect(p.turnRows(), `0`, "prompt", "system"); err != nil {
		return nil, err
	}
	return found, p.sessionsNamed(ctx, tx, found)
}

// lacksLiteral looks into the texts of a row for what the index cannot find.
func (p searchPlan) lacksLiteral(ctx context.Context, tx *sql.Tx, h history.Hit) (bool, error) {
	text, other, err := textsOf(ctx, tx, h)
	return !strings.Contains(text, p.m.literal) && !strings.Contains(other, p.m.literal), err
}

// textsOf reads the texts of an answer, or of a turn where there is none.
func textsOf(ctx context.Context, tx *sql.Tx, h history.Hit) (text, other string, err error) {
	if h.Answer != 0 {
		err = tx.QueryRowContext(ctx, `select answer, note from answers where id = ?`, h.Answer).Scan(&text, &other)
	} else {
		err = tx.QueryRowContext(ctx, `select prompt, system from turns where id = ?`, h.Turn).Scan(&text, &other)
	}
	return text, other, err
}

// sessionsNamed adds those whose name matches. They have no snippet.
func (p searchPlan) sessionsNamed(ctx context.Context, tx *sql.Tx, found map[int64]history.Hit) error {
	where := conditions{}
	where.add("s.trash = 0")
	if p.HasFilters() {
		t := p.turnConditions()
		a := p.answerConditions()
		where.add("exists (select 1 from turns t join answers a on a.turn = t.id where t.session = s.id and "+
			t.String()+
			" and "+a.String()+")",
			append(t.args, a.args...)...)
	}
	here := 0
	return p.stream(ctx, tx, rowSource{kind: ftsSessions, table: "sessions s", id: "s.id", where: where},
		`s.id, s.name`,
		func(rows *sql.Rows) (bool, error) {
			var id int64
			var name string
			if err := rows.Scan(&id, &name); err != nil {
				return false, err
			}
			if _, known := found[id]; !known && (p.m.literal == "" || strings.Contains(name, p.m.literal)) {
				found[id] = history.Hit{Session: id}
				here++
			}
			return here < p.rowsNeeded(), nil
		})
}
