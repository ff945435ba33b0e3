package sqlstore

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"confab/history"
)

// searchCandidate is a hit with its sort key.
type searchCandidate struct {
	history.Hit
	place int64 // of the answer, or for a prompt of the first answer after it
}

// Search implements [history.Searcher].
func (s *Store) Search(ctx context.Context, q history.Query) ([]history.Hit, error) {
	all, err := inTx(ctx, s, reading, "search the history", func(tx *Tx) []searchCandidate {
		p := tx.newSearchPlan(q)
		found := p.candidates(tx, p.answerRows(),
			`a.id, a.turn, t.session, s.name, a.model, a.kind, a.state, t.created, a.id, a.answer, `+tx.note())
		if p.matcher.IsEmpty() {
			return found
		}
		return append(found, p.candidates(tx, p.turnRows(),
			`0, t.id, t.session, s.name, '', '', '', t.created,
			coalesce((select min(o.id) from answers o where o.turn = t.id), (select o.id from answers o where o.turn < t.id order by o.turn desc, o.id desc limit 1), 0),
			t.prompt, t.system`)...)
	})
	slices.SortStableFunc(all, func(a, b searchCandidate) int {
		// The newest hit is first, so an answer precedes its prompt.
		return cmp.Or(cmp.Compare(b.place, a.place), cmp.Compare(b.Answer, a.Answer), cmp.Compare(b.Turn, a.Turn))
	})
	hits := make([]history.Hit, 0, q.MaxResults())
	for _, c := range all[:min(len(all), q.MaxResults())] {
		hits = append(hits, c.Hit)
	}
	return hits, err
}

// candidates returns the matching answers or turns. The last two columns are their texts.
func (p searchPlan) candidates(tx *Tx, src RowSource, columns string) (hits []searchCandidate) {
	for row := range p.rows(tx, src, columns) {
		var c searchCandidate
		var text, other string
		row(&c.Answer, &c.Turn, &c.Session, &c.SessionName, &c.Model, &c.Kind, &c.State, millis{&c.Created},
			&c.place, &text, &other)
		if p.setSnippet(&c.Hit, text, other) {
			hits = append(hits, c)
		}
		if len(hits) >= p.MaxResults() {
			break
		}
	}
	return hits
}

// setSnippet sets the snippet from the answer or its note, or from the prompt or its system prompt. It returns false
// if neither matches, which happens only for rows that the index did not check.
func (p searchPlan) setSnippet(h *history.Hit, text, otherText string) bool {
	other := "note"
	if h.Field = "answer"; h.Answer == 0 {
		h.Field, other = "prompt", "system"
	}
	if p.isOfOther && h.Answer != 0 && !p.matcher.MatchesAll(text) {
		return false // the index matched the note too, which is not shared
	}
	h.Snippet, h.Match = p.matcher.Snippet(text)
	if len(h.Match) > 0 || p.matcher.IsEmpty() {
		return true
	}
	if snippet, match := p.matcher.Snippet(otherText); len(match) > 0 || text == "" && otherText != "" {
		h.Field, h.Snippet, h.Match = other, snippet, match
	}
	return len(h.Match) > 0 || p.matcher.Literal == ""
}

// Sessions implements [history.Searcher].
func (s *Store) Sessions(ctx context.Context, q history.Query) (hits []history.SessionHit, total int, err error) {
	err = s.Read(ctx, "list the sessions", func(tx *Tx) {
		total = SelectValue[int](tx, `select count(*) from sessions where trash = 0`)
		hits = tx.FindSessions(q, "")
	})
	return hits, total, err
}

// FindSessions returns matching sessions for which a condition on the row s holds: those with matching names first,
// then the others, each ordered by last use.
func (tx *Tx) FindSessions(q history.Query, condition string) []history.SessionHit {
	p := tx.newSearchPlan(q)
	where, order := condition, ``
	var found map[int64]history.Hit
	if !p.matcher.IsEmpty() || q.HasFilters() {
		var named []int64
		if found, named = p.sessionsWith(tx); len(found) == 0 {
			return nil
		}
		where += ` and s.id` + InList(slices.Collect(maps.Keys(found)))
		if len(named) > 0 {
			order = `case when s.id` + InList(named) + ` then 0 else 1 end, `
		}
	}
	hits := selectRows(tx, func(row Scanner) history.SessionHit {
		session := tx.scanSession(row)
		h := found[tx.ownID(session.ID)]
		tx.markIDs(&h.Turn, &h.Answer)
		return history.SessionHit{Session: session, Turn: h.Turn, Answer: h.Answer, Snippet: h.Snippet, Match: h.Match}
	}, `select `+sessionColumns()+` from sessions s
		where s.trash = 0`+where+`
		order by `+order+`s.touched desc
		limit ?`, q.MaxResults())
	tx.describeSessions(hits)
	return hits
}

// descriptionColumns distinguish sessions "s" of one name: the last prompt, the suite and models.
const descriptionColumns = `coalesce((select substr(t.prompt, 1, 300) from turns t where t.session = s.id and t.trash = 0
		order by t.id desc limit 1), ''),
	coalesce((select r.id from runs r where r.session = s.id order by r.id desc limit 1), 0),
	coalesce((select r.path from runs r where r.session = s.id order by r.id desc limit 1), ''),
	coalesce((select string_agg(model, ' ') from (select a.model from answers a where a.trash = 0
			and a.turn in (select t.id from turns t where t.session = s.id and t.trash = 0 order by t.id desc limit 3)
		group by a.model order by min(a.id)) as m), '')`

// describeSessions sets the fields that distinguish sessions of one name. Its cost does not grow with the history.
func (tx *Tx) describeSessions(hits []history.SessionHit) {
	ids, index := make([]int64, len(hits)), make(map[int64]int, len(hits))
	for i, h := range hits {
		ids[i], index[tx.ownID(h.ID)] = tx.ownID(h.ID), i
	}
	for row := range tx.Rows(`select s.id, ` + descriptionColumns + ` from sessions s where s.id` + InList(ids)) {
		var id, run int64
		var prompt, suite, models string
		row(&id, &prompt, &run, &suite, &models)
		h := &hits[index[id]]
		h.LastPrompt, h.Run, h.SuitePath, h.Models = prompt, run, suite, strings.Fields(models)
	}
}

// sessionsWith returns the newest match of each session, and the sessions whose names match.
func (p searchPlan) sessionsWith(tx *Tx) (found map[int64]history.Hit, named []int64) {
	found = map[int64]history.Hit{}
	collect := func(src RowSource, answerID, texts string) {
		src.maxRows, src.Sessions = maxRowsConsidered, p.MaxResults()
		areVerified := p.matcher.Literal != "" || p.isOfOther
		if !areVerified { // every row of the index matches, so only the texts of a few are read later
			texts = `'', ''`
		}
		var fresh []history.Hit
		for row := range p.rows(tx, src, `t.session, t.id, `+answerID+`, `+texts) {
			var h history.Hit
			var text, other string
			row(&h.Session, &h.Turn, &h.Answer, &text, &other)
			known, isKnown := found[h.Session]
			isNewer := !isKnown || h.Answer == 0 && known.Answer != 0 && h.Turn > known.Turn
			if isNewer && p.setSnippet(&h, text, other) {
				found[h.Session] = h
				fresh = append(fresh, h)
			}
			if len(fresh) >= p.MaxResults() {
				break
			}
		}
		if areVerified {
			return
		}
		tx.eachText(fresh, func(h history.Hit, text, other string) {
			p.setSnippet(&h, text, other)
			found[h.Session] = h
		})
	}
	collect(p.answerRows(), `a.id`, `a.answer, `+tx.note())
	if !p.matcher.IsEmpty() {
		collect(p.turnRows(), `0`, `t.prompt, t.system`)
		named = p.sessionsNamed(tx)
	}
	var others []int64 // of which only the name has the text
	for _, id := range named {
		if _, isKnown := found[id]; !isKnown {
			found[id], others = history.Hit{Session: id}, append(others, id)
		}
	}
	if p.HasFilters() && len(others) > 0 {
		p.setFiltered(tx, found, others)
	}
	return found, named
}

// setFiltered sets the hits of sessions to their newest answers that the filters let through.
func (p searchPlan) setFiltered(tx *Tx, found map[int64]history.Hit, sessions []int64) {
	t, a := p.turnConditions(), p.answerConditions("")
	for row := range tx.Rows(`select t.session, a.turn, a.id from answers a join turns t on t.id = a.turn
		where a.id in (select max(a.id) from sessions s join turns t on t.session = s.id join answers a on a.turn = t.id
			where s.id`+InList(sessions)+` and `+t.String()+` and `+a.String()+` group by s.id)`,
		append(t.Args, a.Args...)...) {
		var h history.Hit
		row(&h.Session, &h.Turn, &h.Answer)
		found[h.Session] = h
	}
}

// eachText calls do with the texts of answers, or of turns for hits without answers.
func (tx *Tx) eachText(hits []history.Hit, do func(h history.Hit, text, other string)) {
	byID := map[int64]history.Hit{}
	query := `select id, prompt, system from turns where id`
	for _, h := range hits {
		id := h.Turn
		if h.Answer != 0 {
			query, id = `select id, answer, note from answers where id`, h.Answer
		}
		byID[id] = h
	}
	for row := range tx.Rows(query + InList(slices.Collect(maps.Keys(byID)))) {
		var id int64
		var text, other string
		row(&id, &text, &other)
		do(byID[id], text, other)
	}
}

// sessionsNamed returns the sessions whose names match.
func (p searchPlan) sessionsNamed(tx *Tx) (named []int64) {
	var where conditions
	where.add("s.trash = 0")
	if p.HasFilters() {
		t, a := p.turnConditions(), p.answerConditions("")
		where.add("exists (select 1 from turns t join answers a on a.turn = t.id where t.session = s.id and "+
			t.String()+" and "+a.String()+")", append(t.Args, a.Args...)...)
	}
	src := RowSource{Kind: SessionRows, Table: "sessions s", ID: "s.id", Where: where}
	for row := range p.rows(tx, src, `s.id, s.name`) {
		var id int64
		var name string
		row(&id, &name)
		if p.matcher.Literal == "" || strings.Contains(name, p.matcher.Literal) {
			named = append(named, id)
		}
		if len(named) >= p.MaxResults() {
			break
		}
	}
	return named
}

// Prompts implements [history.Searcher].
func (s *Store) Prompts(ctx context.Context, q history.Query) ([]history.PromptHit, error) {
	return inTx(ctx, s, reading, "list the prompts", func(tx *Tx) []history.PromptHit {
		var hits []history.PromptHit
		var turns [][]int64 // of each hit
		p := tx.newSearchPlan(q)
		known, seen := map[string]int{}, map[string]bool{}
		src := p.turnRows()
		src.maxRows = maxRowsConsidered
		for row := range p.rows(tx, src, `t.id, t.session, s.name, t.prompt, t.system, t.created, t.template,
			t.system_template, t.vars, (select count(*) from cells c where c.turn = t.id)`) {
			var h history.PromptHit
			var values map[string]string
			var cells int
			row(&h.Turn, &h.Session, &h.SessionName, &h.Prompt, &h.System, millis{&h.Created}, &h.Template,
				&h.SystemTemplate, jsonText{value: &values}, &cells)
			h.Match, h.IsOfRun = p.matcher.Matches(h.Prompt, -1), cells > 0
			if h.Prompt == "" || p.matcher.Literal != "" && len(h.Match) == 0 {
				continue
			}
			name := cmp.Or(h.Template, h.Prompt)
			at, isKnown := known[name]
			if !isKnown {
				at, known[name] = len(hits), len(hits)
				hits, turns = append(hits, h), append(turns, nil)
			}
			if h.Template != "" && !seen[h.Prompt] {
				seen[h.Prompt] = true
				hits[at].Values = append(hits[at].Values, values)
			}
			if !isKnown || h.Template != "" && len(turns[at]) < maxPromptTurns {
				turns[at] = append(turns[at], h.Turn)
			}
			if len(hits) >= p.MaxResults() {
				break
			}
		}
		for i := range hits {
			hits[i].Models = SelectColumn[string](tx, `select model from answers where turn`+InList(turns[i])+
				` and trash = 0 group by model order by min(id)`)
		}
		return hits
	})
}

// maxPromptTurns is how many turns are read for the models of a template.
const maxPromptTurns = 100
