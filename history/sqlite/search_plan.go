package sqlite

import (
	"path"
	"slices"
	"strings"

	"confab/history"
)

// searchPlan is a query made ready: its text split, its models known.
type searchPlan struct {
	history.Query
	matcher history.TextMatcher
	models  []string // the slugs the query's Models stand for
}

// maxRowsConsidered bounds how many rows are looked at where the index cannot answer
// alone: for text without a word in it, and for what many rows share.
const maxRowsConsidered = 10000

func (tx *transaction) newSearchPlan(q history.Query) searchPlan {
	p := searchPlan{Query: q, matcher: history.NewTextMatcher(q.Text)}
	if len(q.Models) > 0 {
		all := selectColumn[string](tx, `select name from models order by name`)
		for _, wanted := range q.Models {
			p.models = append(p.models, matchingModels(all, wanted)...)
		}
		slices.Sort(p.models)
		p.models = slices.Compact(p.models)
	}
	return p
}

// matchingModels returns the slugs that a person may have meant: exactly the one,
// those of a glob, or those that contain it.
func matchingModels(all []string, wanted string) []string {
	if slices.Contains(all, wanted) {
		return []string{wanted}
	}
	lowered := strings.ToLower(wanted)
	glob := strings.ContainsAny(wanted, "*?")
	var like []string
	for _, name := range all {
		fits := strings.Contains(strings.ToLower(name), lowered)
		if glob {
			fits, _ = path.Match(lowered, strings.ToLower(name)) // a bad pattern fits nothing
		}
		if fits {
			like = append(like, name)
		}
	}
	return like
}

// conditions collects parts of a where clause and their arguments.
type conditions struct {
	parts []string
	args  []any
}

func (c *conditions) add(part string, args ...any) {
	c.parts = append(c.parts, part)
	c.args = append(c.args, args...)
}

func (c *conditions) String() string { return strings.Join(c.parts, " and ") }

// answerConditions are the filters of an answer a. A plus before a column keeps SQLite from using an index on it.
func (p searchPlan) answerConditions(plus string) conditions {
	var c conditions
	c.add("a.trash = 0")
	switch len(p.models) {
	case 0:
	case 1:
		c.add(plus+"a.model = ?", p.models[0])
	default:
		// By an index the answers of several models would have to be sorted:
		// the newest few are found sooner by going through the rows.
		var models []any
		for _, m := range p.models {
			models = append(models, m)
		}
		c.add("+a.model in ("+placeholders(len(models))+")", models...)
	}
	// SQLite uses a partial index only where its condition is spelled out.
	if p.Kind != "" {
		c.add(plus+"a.kind = ?", string(p.Kind))
		if p.Kind != history.KindText {
			c.add("a.kind <> 'text'")
		}
	}
	if p.State != "" {
		c.add(plus+"a.state = ?", string(p.State))
		if p.State != history.Done {
			c.add("a.state <> 'done'")
		}
	}
	if p.Rating != nil {
		c.add(plus+"a.rating = ?", int(*p.Rating))
		if *p.Rating != history.Unrated {
			c.add("a.rating <> 0")
		}
	}
	return c
}

// turnConditions are the filters of a turn t of a session s.
func (p searchPlan) turnConditions() conditions {
	var c conditions
	c.add("t.trash = 0")
	c.add("s.trash = 0")
	if !p.Before.IsZero() {
		c.add("t.created < ?", p.Before.UnixMilli())
	}
	if !p.After.IsZero() {
		c.add("t.created >= ?", p.After.UnixMilli())
	}
	if p.Session != 0 {
		c.add("t.session = ?", p.Session)
	}
	return c
}

// ftsFilter writes for FTS5 the models and kinds that are asked for, so that it need
// not offer every row that has the words.
func (p searchPlan) ftsFilter() string {
	var b strings.Builder
	if len(p.models) > 0 {
		words := make([]string, len(p.models))
		for i, m := range p.models {
			words[i] = `"` + modelToken(m) + `"`
		}
		b.WriteString(" AND facts : (" + strings.Join(words, " OR ") + ")")
	}
	if p.Kind != "" {
		b.WriteString(` AND facts : "` + kindToken(p.Kind) + `"`)
	}
	return b.String()
}

// rowSource is where rows are streamed from: a table that has an index of a kind,
// what is joined to it, the filters and the order.
type rowSource struct {
	kind      string
	table     string // "answers a"
	id        string // "a.id"
	joins     string
	where     conditions
	order     string // after the id
	ftsFilter string // a further condition for FTS5
	// maxRows is how many rows are looked at; 0 = all. The text itself bounds what it finds by the index.
	maxRows int
}

// stream runs a query over a source and calls scan for its rows, those with the
// greatest id first, until scan says that it is enough.
func (p searchPlan) stream(tx *transaction, src rowSource, columns string, scan func(scanner) (more bool)) {
	if len(p.Models) > 0 && len(p.models) == 0 {
		return // nothing passes this filter
	}
	ended, seen := false, 0
	scanOne := func(row scanner) bool {
		seen++
		ended = !scan(row) || seen == src.maxRows
		return !ended
	}
	where := src.where.String()
	if len(p.matcher.Terms) == 0 {
		tx.eachRow(scanOne, `select `+columns+` from `+src.table+` `+src.joins+`
			where `+where+` order by `+src.id+` desc`+src.order, src.where.args...)
		return
	}
	match := matchExpression(p.matcher, ftsColumns(src.kind)) + src.ftsFilter
	for _, number := range selectColumn[int64](tx,
		`select number from shelves where kind = ? order by number desc`, src.kind) {
		table := ftsTable(src.kind, number)
		tx.eachRow(scanOne, `select `+columns+`
			from `+table+` f cross join `+src.table+` on `+src.id+` = f.rowid `+src.joins+`
			where f.`+table+` match ? and `+where+`
			order by f.rowid desc`+src.order, append([]any{match}, src.where.args...)...)
		if ended {
			return
		}
	}
}

// matchExpression writes the terms of a text for FTS5: every one must occur in the columns. Whatever was typed stands
// within quotes, so that none of it is syntax.
func matchExpression(m history.TextMatcher, columns []string) string {
	terms := make([]string, len(m.Terms))
	for i, t := range m.Terms {
		terms[i] = `"` + history.SegmentWords(strings.Join(t.Words, " ")) + `"`
		if t.IsPrefix {
			terms[i] += " *"
		}
	}
	return "{" + strings.Join(columns, " ") + "} : (" + strings.Join(terms, " ") + ")"
}

// answerRows streams the answers that match.
func (p searchPlan) answerRows() rowSource {
	where := p.answerConditions("")
	t := p.turnConditions()
	where.add(t.String(), t.args...)
	return rowSource{kind: ftsAnswers, table: "answers a", id: "a.id", where: where, ftsFilter: p.ftsFilter(),
		maxRows: p.maxRows(),
		joins:   "cross join turns t on t.id = a.turn cross join sessions s on s.id = t.session"}
}

// turnRows streams the turns whose prompt or system prompt match, and that have an answer that passes the filters.
func (p searchPlan) turnRows() rowSource {
	where := p.turnConditions()
	if a := p.answerConditions("+"); len(a.parts) > 1 {
		where.add("exists (select 1 from answers a where a.turn = t.id and "+a.String()+")", a.args...)
	}
	return rowSource{kind: ftsTurns, table: "turns t", id: "t.id", where: where, ftsFilter: p.ftsFilter(),
		maxRows: p.maxRows(), joins: "cross join sessions s on s.id = t.session"}
}

// maxRows bounds the search for what no index knows.
func (p searchPlan) maxRows() int {
	if p.matcher.Literal != "" {
		return maxRowsConsidered
	}
	return 0
}
