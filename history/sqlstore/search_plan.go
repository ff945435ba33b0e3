package sqlstore

import (
	"iter"
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
	// isOfOther tells that another user's history is searched, of which notes and ratings are not shared.
	isOfOther bool
}

// maxRowsConsidered bounds how many rows are looked at where the index cannot answer
// alone: for text without a word in it, and for what many rows share.
const maxRowsConsidered = 10000

func (tx *Tx) newSearchPlan(q history.Query) searchPlan {
	p := searchPlan{Query: q, matcher: history.NewTextMatcher(q.Text), isOfOther: tx.owner != ""}
	if len(q.Models) > 0 {
		query := `select name from models order by name`
		if tx.owner != "" { // statistics are not shared
			query = `select distinct a.model from sessions s join turns t on t.session = s.id join answers a on a.turn = t.id
				where s.shared = 1 order by 1`
		}
		all := SelectColumn[string](tx, query)
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

// Conditions are the parts of a where clause and their arguments.
type Conditions struct {
	parts []string
	Args  []any
}

func (c *Conditions) add(part string, args ...any) {
	c.parts = append(c.parts, part)
	c.Args = append(c.Args, args...)
}

// String returns the clause.
func (c *Conditions) String() string { return strings.Join(c.parts, " and ") }

// note is the column with the note of an answer a. It is empty for what another user shares.
func (tx *Tx) note() string {
	if tx.owner != "" {
		return "''"
	}
	return "a.note"
}

// answerConditions are the filters of an answer a. A plus before a column keeps SQLite from using an index on it.
func (p searchPlan) answerConditions(plus string) Conditions {
	var c Conditions
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
	if p.Rating != nil && p.isOfOther {
		if *p.Rating != history.Unrated {
			c.add("1 = 0")
		}
	} else if p.Rating != nil {
		c.add(plus+"a.rating = ?", int(*p.Rating))
		if *p.Rating != history.Unrated {
			c.add("a.rating <> 0")
		}
	}
	return c
}

// turnConditions are the filters of a turn t of a session s.
func (p searchPlan) turnConditions() Conditions {
	var c Conditions
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

// filterWords are the words that rows are filtered by in the index, so that it need not offer every row that has the
// words of the text: one word of each list must be there.
func (p searchPlan) filterWords() (lists [][]string) {
	if len(p.models) > 0 {
		words := make([]string, len(p.models))
		for i, m := range p.models {
			words[i] = modelToken(m)
		}
		lists = append(lists, words)
	}
	if p.Kind != "" {
		lists = append(lists, []string{kindToken(p.Kind)})
	}
	return lists
}

// RowSource is where rows are streamed from: a table that has an index of a kind, what is joined to it, the filters and
// the order.
type RowSource struct {
	Kind        string
	Table       string // "answers a"
	ID          string // "a.id"
	Joins       string
	Where       Conditions
	Order       string     // what rows of one ID are sorted by, such as ", a.id desc"
	FilterWords [][]string // of which one of each list must be in the index
	// Sessions is how many sessions are wanted, those used last, where one row of each is enough; 0 for all rows.
	Sessions int

	maxRows int // how many rows are looked at; 0 = all. The text itself bounds what it finds by the index.
}

// rows iterates over the rows of a source that match, those with the greatest id first.
func (p searchPlan) rows(tx *Tx, src RowSource, columns string) iter.Seq[Scanner] {
	return func(yield func(Scanner) bool) {
		if len(p.Models) > 0 && len(p.models) == 0 {
			return // nothing passes this filter
		}
		seen := 0
		for row := range tx.store.db.Matches(tx, src, p.matcher, columns) {
			if seen++; !yield(row) || seen == src.maxRows {
				return
			}
		}
	}
}

// answerRows streams the answers that match.
func (p searchPlan) answerRows() RowSource {
	where := p.answerConditions("")
	t := p.turnConditions()
	where.add(t.String(), t.Args...)
	return RowSource{Kind: AnswerRows, Table: "answers a", ID: "a.id", Where: where, FilterWords: p.filterWords(),
		maxRows: p.maxRows(),
		Joins:   "cross join turns t on t.id = a.turn cross join sessions s on s.id = t.session"}
}

// turnRows streams the turns whose prompt or system prompt match, and that have an answer that passes the filters.
func (p searchPlan) turnRows() RowSource {
	where := p.turnConditions()
	if a := p.answerConditions("+"); len(a.parts) > 1 {
		where.add("exists (select 1 from answers a where a.turn = t.id and "+a.String()+")", a.Args...)
	}
	return RowSource{Kind: TurnRows, Table: "turns t", ID: "t.id", Where: where, FilterWords: p.filterWords(),
		maxRows: p.maxRows(), Joins: "cross join sessions s on s.id = t.session"}
}

// maxRows bounds the search for what no index knows.
func (p searchPlan) maxRows() int {
	if p.matcher.Literal != "" {
		return maxRowsConsidered
	}
	return 0
}
