package sqlstore

import (
	"iter"
	"path"
	"slices"
	"strings"

	"confab/history"
)

// searchPlan is a prepared query with its text split and its models resolved.
type searchPlan struct {
	history.Query
	matcher history.TextMatcher
	models  []string // the slugs that match the query's Models
	// isOfOther reports that another user's history is searched, whose notes and ratings are not shared.
	isOfOther bool
}

// maxRowsConsidered bounds the rows read for searches that the index cannot answer alone: texts without words, and
// very common words.
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

// matchingModels returns the slugs that match a typed model: exactly, by a glob, or by a part of the slug.
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
			fits, _ = path.Match(lowered, strings.ToLower(name)) // an invalid pattern matches nothing
		}
		if fits {
			like = append(like, name)
		}
	}
	return like
}

// conditions collects the parts of a where clause and their arguments.
type conditions struct {
	parts []string
	Args  []any
}

func (c *conditions) add(part string, args ...any) {
	c.parts = append(c.parts, part)
	c.Args = append(c.Args, args...)
}

func (c *conditions) String() string { return strings.Join(c.parts, " and ") }

// note returns the column with the note of an answer a; it is empty for answers shared by another user.
func (tx *Tx) note() string {
	if tx.owner != "" {
		return "''"
	}
	return "a.note"
}

// answerConditions returns the filters of an answer a. A plus before a column keeps SQLite from using its index.
func (p searchPlan) answerConditions(plus string) conditions {
	var c conditions
	c.add("a.trash = 0")
	switch len(p.models) {
	case 0:
	case 1:
		c.add(plus+"a.model = ?", p.models[0])
	default:
		// An index on models would require sorting the answers of several models; reading rows by id finds the newest
		// few sooner.
		var models []any
		for _, m := range p.models {
			models = append(models, m)
		}
		c.add("+a.model in ("+placeholders(len(models))+")", models...)
	}
	// SQLite uses a partial index only if the statement repeats its condition.
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
	switch {
	case p.IsBest && p.isOfOther:
		c.add("1 = 0")
	case p.IsBest:
		c.add("a.winner = 1")
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

// turnConditions returns the filters of a turn t of a session s.
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

// filterWords returns lists of filter words for the index. A row must have one word of each list.
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

// RowSource describes an iteration over rows: an indexed table, its joins, the filters and the order.
type RowSource struct {
	Kind        string
	Table       string // "answers a"
	ID          string // "a.id"
	Joins       string
	Where       conditions
	Order       string     // order of rows with one ID, such as ", a.id desc"
	FilterWords [][]string // lists of words; the index entry must have one of each
	// Sessions is the number of last used sessions of which one row each suffices; 0 iterates over all rows.
	Sessions int

	maxRows int // maximum number of rows to read; 0 means all, since the text limits the matches of the index
}

// rows iterates over the matching rows of a source, the greatest ids first.
func (p searchPlan) rows(tx *Tx, src RowSource, columns string) iter.Seq[Scanner] {
	return func(yield func(Scanner) bool) {
		if len(p.Models) > 0 && len(p.models) == 0 {
			return // no model matches
		}
		seen := 0
		for row := range tx.store.db.Matches(tx, src, p.matcher, columns) {
			if seen++; !yield(row) || seen == src.maxRows {
				return
			}
		}
	}
}

// answerRows selects the matching answers.
func (p searchPlan) answerRows() RowSource {
	where := p.answerConditions("")
	t := p.turnConditions()
	where.add(t.String(), t.Args...)
	return RowSource{Kind: AnswerRows, Table: "answers a", ID: "a.id", Where: where, FilterWords: p.filterWords(),
		maxRows: p.maxRows(),
		Joins:   "cross join turns t on t.id = a.turn cross join sessions s on s.id = t.session"}
}

// turnRows selects the turns with a matching prompt or system prompt, and an answer that matches the filters.
func (p searchPlan) turnRows() RowSource {
	where := p.turnConditions()
	if a := p.answerConditions("+"); len(a.parts) > 1 {
		where.add("exists (select 1 from answers a where a.turn = t.id and "+a.String()+")", a.Args...)
	}
	return RowSource{Kind: TurnRows, Table: "turns t", ID: "t.id", Where: where, FilterWords: p.filterWords(),
		maxRows: p.maxRows(), Joins: "cross join sessions s on s.id = t.session"}
}

// maxRows returns the bound of a search that the index cannot answer.
func (p searchPlan) maxRows() int {
	if p.matcher.Literal != "" {
		return maxRowsConsidered
	}
	return 0
}
