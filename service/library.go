package service

import (
	"context"
	"time"

	"confab/history"
	"confab/service/api"
	"confab/service/problem"
)

// fromStore returns what the store is asked for; its errors are for people.
func fromStore[T any](ctx context.Context, s *Service, ask func(history.Store) (T, error)) (T, error) {
	var none T
	store, err := s.history(ctx)
	if err != nil {
		return none, err
	}
	v, err := ask(store)
	if err != nil {
		return none, problem.Store(err)
	}
	return v, nil
}

// withStore has the store do something.
func (s *Service) withStore(ctx context.Context, do func(history.Store) error) error {
	_, err := fromStore(ctx, s, func(store history.Store) (struct{}, error) { return struct{}{}, do(store) })
	return err
}

// turnsPage is how many turns of a session are read at a time.
const turnsPage = 100

// query reads what a person typed into a search.
func (s *Service) query(text string, limit int) (history.Query, error) {
	q, err := history.ParseQuery(text, s.o.Now())
	if err != nil {
		return history.Query{}, problem.New(api.CodeUsage, err, "the search cannot be read: %v", err)
	}
	q.Limit = limit
	return q, nil
}

// Sessions returns the newest sessions that match a query, and how many there are in all. The query is text with the
// filters model: kind: state: rated: before: and after:; an empty one matches everything.
func (s *Service) Sessions(ctx context.Context, query string, limit int) (hits []history.SessionHit, total int,
	err error) {
	q, err := s.query(query, limit)
	if err != nil {
		return nil, 0, err
	}
	err = s.withStore(ctx, func(store history.Store) (err error) {
		hits, total, err = store.Sessions(ctx, q)
		return err
	})
	return hits, total, err
}

// Session returns a session.
func (s *Service) Session(ctx context.Context, id int64) (history.Session, error) {
	return fromStore(ctx, s, func(store history.Store) (history.Session, error) { return store.Session(ctx, id) })
}

// SessionNamed returns the session of that name.
func (s *Service) SessionNamed(ctx context.Context, name string) (history.Session, error) {
	return fromStore(ctx, s, func(store history.Store) (history.Session, error) {
		return store.SessionNamed(ctx,
			name)
	})
}

// LastSession returns the session that was used last.
func (s *Service) LastSession(ctx context.Context) (history.Session, error) {
	return fromStore(ctx, s, func(store history.Store) (history.Session, error) { return store.LastSession(ctx) })
}

// RenameSession gives a session another name.
func (s *Service) RenameSession(ctx context.Context, id int64, name string) error {
	return s.withStore(ctx,
		func(store history.Store) error { return store.RenameSession(ctx, id, s.o.Mask.String(name)) })
}

// ForkSession copies the turns of a session, up to and with uptoTurn (0 = all of them), into a new one of that name.
func (s *Service) ForkSession(ctx context.Context, id, uptoTurn int64, name string) (history.Session, error) {
	if err := s.o.Quota.ReserveBytes(0); err != nil {
		return history.Session{}, err
	}
	return fromStore(ctx, s, func(store history.Store) (history.Session, error) {
		return store.ForkSession(ctx, id, uptoTurn, s.o.Mask.String(name))
	})
}

// Turns returns a page of a session's turns, oldest first; the zero page is the newest ones. Answers that run here are
// as they stand now.
func (s *Service) Turns(ctx context.Context, session int64, p history.Page) ([]history.Turn, error) {
	turns, err := fromStore(ctx, s,
		func(store history.Store) ([]history.Turn, error) { return store.Turns(ctx, session, p) })
	for i := range turns {
		turns[i] = s.asShown(turns[i])
	}
	return turns, err
}

// Turn returns a turn with its answers, as they stand now.
func (s *Service) Turn(ctx context.Context, id int64) (history.Turn, error) {
	t, err := fromStore(ctx, s, func(store history.Store) (history.Turn, error) { return store.Turn(ctx, id) })
	if err != nil {
		return history.Turn{}, err
	}
	return s.asShown(t), nil
}

// Answer returns an answer as it stands now.
func (s *Service) Answer(ctx context.Context, id int64) (history.Answer, error) {
	a, err := fromStore(ctx, s, func(store history.Store) (history.Answer, error) { return store.Answer(ctx, id) })
	if err != nil {
		return history.Answer{}, err
	}
	return s.asShownNow(a), nil
}

// FindInSession returns the turns of a session in which text occurs, whatever its case, oldest first.
func (s *Service) FindInSession(ctx context.Context, session int64, text string) ([]int64, error) {
	return fromStore(ctx, s, func(store history.Store) ([]int64, error) {
		return store.FindInSession(ctx, session,
			text)
	})
}

// Search finds prompts, system prompts, answers and notes, newest first. The query is as in [Service.Sessions].
func (s *Service) Search(ctx context.Context, query string, limit int) ([]history.Hit, error) {
	q, err := s.query(query, limit)
	if err != nil {
		return nil, err
	}
	return fromStore(ctx, s, func(store history.Store) ([]history.Hit, error) { return store.Search(ctx, q) })
}

// Prompts finds earlier prompts, each once, newest first.
func (s *Service) Prompts(ctx context.Context, query string, limit int) ([]history.PromptHit, error) {
	q, err := s.query(query, limit)
	if err != nil {
		return nil, err
	}
	return fromStore(ctx, s, func(store history.Store) ([]history.PromptHit, error) { return store.Prompts(ctx, q) })
}

// Pictures finds answers with a picture, newest first: those of a session, or all of them when it is 0.
func (s *Service) Pictures(ctx context.Context, session int64, query string, limit int) ([]history.PictureHit, error) {
	q, err := s.query(query, limit)
	if err != nil {
		return nil, err
	}
	q.Session = session
	return fromStore(ctx, s, func(store history.Store) ([]history.PictureHit, error) { return store.Pictures(ctx, q) })
}

// PictureIDs returns the answers of all pictures that match, newest first; see [Service.PicturesOf].
func (s *Service) PictureIDs(ctx context.Context, query string) ([]int64, error) {
	q, err := s.query(query, 0)
	if err != nil {
		return nil, err
	}
	return fromStore(ctx, s, func(store history.Store) ([]int64, error) { return store.PictureIDs(ctx, q) })
}

// PicturesOf returns the pictures of these answers in their order, at most 500; those that were deleted since are left
// out.
func (s *Service) PicturesOf(ctx context.Context, answers []int64) ([]history.PictureHit, error) {
	return fromStore(ctx, s,
		func(store history.Store) ([]history.PictureHit, error) { return store.PicturesOf(ctx, answers) })
}

// Personas finds saved system prompts.
func (s *Service) Personas(ctx context.Context, text string) ([]history.Persona, error) {
	return fromStore(ctx, s, func(store history.Store) ([]history.Persona, error) { return store.Personas(ctx, text) })
}

// SavePersona keeps a system prompt under a name.
func (s *Service) SavePersona(ctx context.Context, p history.Persona) (history.Persona, error) {
	if err := s.o.Quota.ReserveBytes(0); err != nil {
		return history.Persona{}, err
	}
	p.Name, p.Text = s.o.Mask.String(p.Name), s.o.Mask.String(p.Text)
	return fromStore(ctx, s, func(store history.Store) (history.Persona, error) { return store.SavePersona(ctx, p) })
}

// DeletePersona forgets a saved system prompt.
func (s *Service) DeletePersona(ctx context.Context, id int64) error {
	return s.withStore(ctx, func(store history.Store) error { return store.DeletePersona(ctx, id) })
}

// Setting returns what the screen remembers under a name, "" when nothing.
func (s *Service) Setting(ctx context.Context, name string) (string, error) {
	return fromStore(ctx, s, func(store history.Store) (string, error) { return store.Setting(ctx, name) })
}

// SetSetting remembers something for the screen.
func (s *Service) SetSetting(ctx context.Context, name, value string) error {
	return s.withStore(ctx,
		func(store history.Store) error { return store.SetSetting(ctx, name, s.o.Mask.String(value)) })
}

// EditChain returns what the picture of an answer was made from and all that was made from it; see
// [history.PictureFinder]. Answers are as they stand now.
func (s *Service) EditChain(ctx context.Context, answer int64) (history.Chain, error) {
	c, err := fromStore(ctx, s, func(store history.Store) (history.Chain, error) {
		return store.EditChain(ctx,
			answer)
	})
	for i, l := range c.Links {
		if l.Source == nil {
			c.Links[i].Answer = s.asShownNow(l.Answer)
		}
	}
	return c, err
}

// Exchange returns the exact request and response of an ended answer, the key masked.
func (s *Service) Exchange(ctx context.Context, answer int64) (history.Exchange, error) {
	s.mu.Lock()
	u, ok := s.unsaved[answer]
	s.mu.Unlock()
	if ok {
		return u.exchange, nil
	}
	return fromStore(ctx, s, func(store history.Store) (history.Exchange, error) { return store.Exchange(ctx, answer) })
}

// Curl returns a command that makes the request of an answer once more, with $CONFAB_API_KEY in the place of the key.
func (s *Service) Curl(ctx context.Context, answer int64) (string, error) {
	a, err := s.Answer(ctx, answer)
	if err != nil {
		return "", err
	}
	t, err := s.Turn(ctx, a.Turn)
	if err != nil {
		return "", err
	}
	m, err := s.model(a.Model)
	if err != nil {
		return "", err
	}
	link, err := s.connection(ctx)
	if err != nil {
		return "", err
	}
	return link.Client.Curl(request(t, a, m)), nil
}

// StoreInfo describes the history.
func (s *Service) StoreInfo(ctx context.Context) (history.StoreInfo, error) {
	return fromStore(ctx, s, func(store history.Store) (history.StoreInfo, error) { return store.Info(ctx) })
}

// ModelInfo is a model of the catalogue with what the history knows of it.
type ModelInfo struct {
	api.Model
	Typical  time.Duration // median time of its newest answers, 0 when unknown
	Answers  int
	Failures int
}

// Models returns the catalogue in its order. What the history cannot tell is left out: a catalogue without times is
// better than none.
func (s *Service) Models(ctx context.Context) ([]ModelInfo, error) {
	stats, err := fromStore(ctx, s,
		func(store history.Store) (map[string]history.ModelStats, error) { return store.Stats(ctx) })
	models := s.o.Catalogue.Models()
	infos := make([]ModelInfo, len(models))
	for i, m := range models {
		known := stats[m.Slug]
		infos[i] = ModelInfo{Model: m, Typical: known.Typical, Answers: known.Answers, Failures: known.Failures}
	}
	return infos, err
}

// EachTurn visits the turns of a session, the oldest first, a page at a time. It ends with the first error of a visit
// or of the store.
func (s *Service) EachTurn(ctx context.Context, session int64, visit func(history.Turn) error) error {
	page := history.Page{Around: 1, Limit: turnsPage} // no turn is older than the first
	for {
		turns, err := s.Turns(ctx, session, page)
		if err != nil {
			return err
		}
		for _, t := range turns {
			if err := visit(t); err != nil {
				return err
			}
			page.Around, page.After = 0, t.ID
		}
		if len(turns) < page.Limit {
			return nil
		}
	}
}
