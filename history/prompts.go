package history

import (
	"context"
	"database/sql"
	"slices"
	"time"
)

// PromptHit is a prompt that was sent, once however often it was.
type PromptHit struct {
	Turn        int64 // the newest one with this prompt
	Session     int64
	SessionName string
	Prompt      string
	System      string
	Models      []string // it went to, in the order in which they were chosen
	Created     time.Time
	Match       [][2]int // what matches in the prompt: from and to, in bytes
}

// Prompts finds distinct prompts by their text or system prompt, the newest
// first.
func (s *Store) Prompts(ctx context.Context, q Query) ([]PromptHit, error) {
	var hits []PromptHit
	err := s.read(ctx, "list the prompts", func(tx *sql.Tx) error {
		p, err := newPlan(ctx, tx, q)
		if err != nil {
			return err
		}
		p.Ranked = false
		seen := map[string]bool{}
		rows := 0
		err = p.stream(ctx, tx, p.turnsSource(), `t.id, t.session, s.name, t.prompt, t.system, t.created`,
			func(r *sql.Rows) (bool, error) {
				var h PromptHit
				var created sql.NullInt64
				if err := r.Scan(&h.Turn, &h.Session, &h.SessionName, &h.Prompt, &h.System, &created); err != nil {
					return false, err
				}
				h.Created = moment(created)
				h.Match = p.m.matches(h.Prompt, -1)
				rows++
				fits := p.m.literal == "" || len(h.Match) > 0
				if fits && h.Prompt != "" && !seen[h.Prompt] {
					seen[h.Prompt] = true
					hits = append(hits, h)
				}
				return len(hits) < q.need() && rows < considered, nil
			})
		if err != nil {
			return err
		}
		hits = cut(q, hits)
		for i := range hits {
			if hits[i].Models, err = modelsOf(ctx, tx, hits[i].Turn); err != nil {
				return err
			}
		}
		return nil
	})
	return hits, err
}

// modelsOf lists the models a turn went to.
func modelsOf(ctx context.Context, tx *sql.Tx, turn int64) ([]string, error) {
	var models []string
	rows, err := tx.QueryContext(ctx, `select model from answers where turn = ? and trash = 0 order by id`, turn)
	err = each(rows, err, func() error {
		var m string
		if err := rows.Scan(&m); err != nil {
			return err
		}
		if !slices.Contains(models, m) {
			models = append(models, m)
		}
		return nil
	})
	return models, err
}

// PictureHit is an answer with a picture.
type PictureHit struct {
	Answer      Answer
	Turn        Turn // without its answers
	SessionName string
}

// Pictures finds pictures by the words of their prompts and notes, the newest
// first.
func (s *Store) Pictures(ctx context.Context, q Query) ([]PictureHit, error) {
	var hits []PictureHit
	err := s.read(ctx, "list the pictures", func(tx *sql.Tx) error {
		p, err := newPlan(ctx, tx, q)
		if err != nil {
			return err
		}
		p.Ranked = false
		hits, err = p.pictures(ctx, tx, p.answersSource())
		if err != nil || len(p.m.terms) == 0 {
			return err
		}
		// The words of a picture are mostly those of its prompt.
		byPrompt, err := p.pictures(ctx, tx, p.picturesByPrompt())
		hits = append(hits, byPrompt...)
		return err
	})
	slices.SortFunc(hits, func(a, b PictureHit) int { return int(b.Answer.ID - a.Answer.ID) })
	hits = slices.CompactFunc(hits, func(a, b PictureHit) bool { return a.Answer.ID == b.Answer.ID })
	return cut(q, hits), err
}

// picturesByPrompt streams the answers to the turns whose prompts match.
func (p plan) picturesByPrompt() source {
	src := p.turnsSource()
	src.joins += " cross join answers a on a.turn = t.id"
	src.order = ", a.id desc"
	answers := p.onAnswer()
	src.where.add(answers.String(), answers.args...)
	src.facts += ` AND facts : ("` + kindFact(KindImage) + `" OR "` + kindFact(KindEdit) + `")`
	return src
}

func (p plan) pictures(ctx context.Context, tx *sql.Tx, src source) ([]PictureHit, error) {
	src.where.add("a.picture_path is not null")
	var hits []PictureHit
	seen := 0
	err := p.stream(ctx, tx, src, answerColumns+`, `+turnColumns+`, s.name`, func(rows *sql.Rows) (bool, error) {
		h, err := scanPictureHit(rows)
		if err != nil {
			return false, err
		}
		seen++
		if p.m.literal == "" || len(p.m.matches(h.Turn.Prompt, 0))+len(p.m.matches(h.Answer.Note, 0)) > 0 {
			hits = append(hits, h)
		}
		return len(hits) < p.need() && seen < considered, nil
	})
	return hits, err
}

// scanPictureHit reads a row that holds both: the answer's columns, then the
// turn's and the session's name.
func scanPictureHit(rows *sql.Rows) (h PictureHit, err error) {
	h.Answer, err = scanAnswer(rowFunc(func(answer ...any) error {
		h.Turn, err = scanTurn(rowFunc(func(turn ...any) error {
			return rows.Scan(append(answer, turn...)...)
		}), &h.SessionName)
		return err
	}))
	return h, err
}

// rowFunc is a row by what scans it.
type rowFunc func(...any) error

// Scan calls the function.
func (f rowFunc) Scan(into ...any) error { return f(into...) }
