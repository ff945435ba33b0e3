package service

import (
	"context"
	"errors"

	"confab/history"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/problem"
)

// fromStore calls ask with the store and turns its errors into ones for people.
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

// withStore is fromStore for functions without a result.
func (s *Service) withStore(ctx context.Context, do func(history.Store) error) error {
	_, err := fromStore(ctx, s, func(store history.Store) (struct{}, error) { return struct{}{}, do(store) })
	return err
}

// callStore calls a method of the store and turns its errors into ones for people.
func callStore[A, T any](ctx context.Context, s *Service,
	method func(history.Store, context.Context, A) (T, error), argument A) (T, error) {
	return fromStore(ctx, s, func(store history.Store) (T, error) { return method(store, ctx, argument) })
}

// turnsPage is the number of turns read at a time.
const turnsPage = 100

// find calls a search method of the store with a typed query, for one session or for all if it is 0.
func find[T any](ctx context.Context, s *Service, method func(history.Store, context.Context, history.Query) (T, error),
	session int64, text string, limit int) (T, error) {
	q, err := history.ParseQuery(text, s.o.Now())
	if err != nil {
		var none T
		return none, problem.New(api.CodeUsage, err, "%v", err)
	}
	q.Session, q.Limit = session, limit
	return callStore(ctx, s, method, q)
}

// Sessions returns the newest sessions that match a query, and the total number of sessions. The query is text with
// the filters model: kind: state: rated: before: and after:. An empty query matches everything.
func (s *Service) Sessions(ctx context.Context, query string, limit int) (hits []history.SessionHit, total int,
	err error) {
	list := func(store history.Store, ctx context.Context, q history.Query) (found []history.SessionHit, err error) {
		found, total, err = store.Sessions(ctx, q)
		return found, err
	}
	hits, err = find(ctx, s, list, 0, query, limit)
	return hits, total, err
}

func (s *Service) Session(ctx context.Context, id int64) (history.Session, error) {
	return callStore(ctx, s, history.Store.Session, id)
}

func (s *Service) SessionNamed(ctx context.Context, name string) (history.Session, error) {
	return callStore(ctx, s, history.Store.SessionNamed, name)
}

// LastSession returns the last used session that is not a run of a suite.
func (s *Service) LastSession(ctx context.Context) (history.Session, error) {
	return fromStore(ctx, s, func(store history.Store) (history.Session, error) { return store.LastSession(ctx) })
}

func (s *Service) RenameSession(ctx context.Context, id int64, name string) error {
	return s.withStore(ctx,
		func(store history.Store) error { return store.RenameSession(ctx, id, s.o.Mask.String(name)) })
}

// Setup returns what the next turn of a session is sent with, nil where nothing is known of that.
func (s *Service) Setup(ctx context.Context, session int64) (*history.Setup, error) {
	return callStore(ctx, s, history.Store.Setup, session)
}

// SaveSetup stores what the next turn of a session is sent with.
func (s *Service) SaveSetup(ctx context.Context, session int64, setup history.Setup) error {
	setup.System = s.o.Mask.String(setup.System)
	return s.withStore(ctx, func(store history.Store) error { return store.SaveSetup(ctx, session, setup) })
}

// ForkSession copies the turns of a session up to and including uptoTurn, or all for 0, into a new session.
func (s *Service) ForkSession(ctx context.Context, id, uptoTurn int64, name string) (history.Session, error) {
	if err := s.o.Limits.Quota.ReserveBytes(0); err != nil {
		return history.Session{}, err
	}
	return fromStore(ctx, s, func(store history.Store) (history.Session, error) {
		return store.ForkSession(ctx, id, uptoTurn, s.o.Mask.String(name))
	})
}

// Turns returns a page of a session's turns, the oldest first; the zero page is the newest one. Running answers are
// current.
func (s *Service) Turns(ctx context.Context, session int64, p history.Page) ([]history.Turn, error) {
	turns, err := fromStore(ctx, s,
		func(store history.Store) ([]history.Turn, error) { return store.Turns(ctx, session, p) })
	for i := range turns {
		turns[i] = s.asShown(turns[i])
	}
	return turns, err
}

// ShowBranch makes a session show a turn that is on another of its branches.
func (s *Service) ShowBranch(ctx context.Context, turn int64) error {
	return s.withStore(ctx, func(store history.Store) error { return store.ShowBranch(ctx, turn) })
}

// Turn returns a turn with its current answers.
func (s *Service) Turn(ctx context.Context, id int64) (history.Turn, error) {
	t, err := callStore(ctx, s, history.Store.Turn, id)
	return s.asShown(t), err
}

// Siblings returns a turn and the turns beside it, the oldest first, with their current answers.
func (s *Service) Siblings(ctx context.Context, id int64) ([]history.Turn, error) {
	t, err := s.Turn(ctx, id)
	if err != nil || len(t.Siblings) == 0 {
		return []history.Turn{t}, err
	}
	return s.Turns(ctx, t.Session, history.Page{Beside: id})
}

// Answer returns the current state of an answer.
func (s *Service) Answer(ctx context.Context, id int64) (history.Answer, error) {
	a, err := callStore(ctx, s, history.Store.Answer, id)
	return s.asShownNow(a), err
}

// FindInSession returns the turns of a session that contain a text in any case, the oldest first.
func (s *Service) FindInSession(ctx context.Context, session int64, text string) ([]int64, error) {
	return fromStore(ctx, s,
		func(store history.Store) ([]int64, error) { return store.FindInSession(ctx, session, text) })
}

// Search finds prompts, system prompts, answers and notes, the newest first. The query is as in [Service.Sessions].
func (s *Service) Search(ctx context.Context, query string, limit int) ([]history.Hit, error) {
	return find(ctx, s, history.Store.Search, 0, query, limit)
}

// Prompts finds distinct earlier prompts of a session, or of all for 0, the newest first.
func (s *Service) Prompts(ctx context.Context, session int64, query string, limit int) ([]history.PromptHit, error) {
	return find(ctx, s, history.Store.Prompts, session, query, limit)
}

// Pictures finds answers with a picture in a session, or everywhere for 0, the newest first.
func (s *Service) Pictures(ctx context.Context, session int64, query string, limit int) ([]history.PictureHit, error) {
	return find(ctx, s, history.Store.Pictures, session, query, limit)
}

// PictureIDs returns the answers of all matching pictures, the newest first; see [Service.PicturesOf].
func (s *Service) PictureIDs(ctx context.Context, query string) ([]int64, error) {
	return find(ctx, s, history.Store.PictureIDs, 0, query, 0)
}

// PicturesOf returns the pictures of at most 500 answers in their order, without deleted ones.
func (s *Service) PicturesOf(ctx context.Context, answers []int64) ([]history.PictureHit, error) {
	return callStore(ctx, s, history.Store.PicturesOf, answers)
}

// Setting returns a stored setting of the screen, "" if there is none.
func (s *Service) Setting(ctx context.Context, name string) (string, error) {
	return callStore(ctx, s, history.Store.Setting, name)
}

// OpenSessionSetting is the setting with the id of the session that the user's last screen showed.
const OpenSessionSetting = "open session"

// SetSetting stores a setting of the screen.
func (s *Service) SetSetting(ctx context.Context, name, value string) error {
	return s.withStore(ctx,
		func(store history.Store) error { return store.SetSetting(ctx, name, s.o.Mask.String(value)) })
}

// EditChain returns the chain of edits that contains an answer's picture, with current answers; see
// [history.PictureFinder].
func (s *Service) EditChain(ctx context.Context, answer int64) (history.Chain, error) {
	c, err := callStore(ctx, s, history.Store.EditChain, answer)
	for i, l := range c.Links {
		if l.Source == nil {
			c.Links[i].Answer = s.asShownNow(l.Answer)
		}
	}
	return c, err
}

// Exchange returns the request and response of an ended answer with the key masked. It rebuilds a request with
// earlier turns from those that still exist; isWhole reports whether it equals the sent one.
func (s *Service) Exchange(ctx context.Context, answer int64) (e history.Exchange, isWhole bool, err error) {
	a, t, err := s.answerWithTurn(ctx, answer)
	if err != nil {
		return e, false, err
	}
	s.mu.Lock()
	u, ok := s.unsaved[answer]
	s.mu.Unlock()
	if e = u.exchange; !ok {
		e, err = callStore(ctx, s, history.Store.Exchange, answer)
	}
	switch {
	case errors.Is(err, history.ErrNotFound) && a.State.HasEnded():
		return e, false, problem.Usage("nothing was sent for this answer, so there is no request to show")
	case errors.Is(err, history.ErrNotFound):
		return e, false, problem.Usage("the answer is not complete: what was sent and received is recorded at its end")
	case err != nil || !isRebuilt(t, a):
		return e, true, err
	}
	r, sent, err := s.requestOf(ctx, a, t)
	if err != nil {
		return e, false, err
	}
	e.RequestBody, err = r.RecordedBody(redact.Dots)
	return e, len(a.SentTurns.Turns) == 0 || sent.sha256() == a.SentTurns.SHA256, err
}

// isRebuilt reports whether the body of a request is not kept, because it repeats earlier turns or files.
func isRebuilt(t history.Turn, a history.Answer) bool { return len(a.SentTurns.Turns)+len(t.Files) > 0 }

// requestOf returns the request of an answer and the sent prompt. A picture for a text model that cannot be read any
// more is left out.
func (s *Service) requestOf(ctx context.Context, a history.Answer, t history.Turn) (r api.Request, sent SentPrompt,
	err error) {
	m, err := s.model(a.Model)
	if err != nil {
		return r, sent, err
	}
	sent, err = s.sentPrompt(ctx, t, a)
	offered := s.Extensions(ctx, m)
	r = request(t, a, sent, m, offered)
	if m.Kind == api.Text && err == nil {
		r.Images, _ = s.picturesForModel(ctx, t, sent, offered)
	}
	return r, sent, err
}

// answerWithTurn returns the current state of an answer and its turn.
func (s *Service) answerWithTurn(ctx context.Context, answer int64) (history.Answer, history.Turn, error) {
	a, err := s.Answer(ctx, answer)
	if err != nil {
		return history.Answer{}, history.Turn{}, err
	}
	t, err := s.Turn(ctx, a.Turn)
	return a, t, err
}

// Curl returns a shell command that repeats the request of an answer with $CONFAB_API_KEY as the key.
func (s *Service) Curl(ctx context.Context, answer int64) (string, error) {
	a, t, err := s.answerWithTurn(ctx, answer)
	if err != nil {
		return "", err
	}
	r, _, err := s.requestOf(ctx, a, t)
	if err != nil {
		return "", err
	}
	link, err := s.connection(ctx)
	if err != nil {
		return "", err
	}
	return link.Client.Curl(r), nil
}

// StoreInfo describes the history.
func (s *Service) StoreInfo(ctx context.Context) (history.StoreInfo, error) {
	return fromStore(ctx, s, func(store history.Store) (history.StoreInfo, error) { return store.Info(ctx) })
}

// Usage returns sums of the usage of answers.
func (s *Service) Usage(ctx context.Context, q history.UsageQuery) ([]history.UsageSum, error) {
	return fromStore(ctx, s, func(store history.Store) ([]history.UsageSum, error) { return store.Usage(ctx, q) })
}

// ModelInfo is a model of the catalogue with its statistics.
type ModelInfo struct {
	api.Model
	history.ModelStats
	Offers api.Extensions // known extensions of the contract
}

// Models returns the catalogue in its order. It omits statistics that the history fails to return.
func (s *Service) Models(ctx context.Context) ([]ModelInfo, error) {
	stats, err := fromStore(ctx, s,
		func(store history.Store) (map[string]history.ModelStats, error) { return store.Stats(ctx) })
	models := s.o.Backend.Catalogue().Models()
	infos := make([]ModelInfo, len(models))
	for i, m := range models {
		infos[i] = ModelInfo{m, stats[m.Slug], s.Extensions(ctx, m)}
	}
	return infos, err
}

// EachTurn calls visit with the turns of all branches of a session, the oldest first. It returns the first error.
func (s *Service) EachTurn(ctx context.Context, session int64, visit func(history.Turn) error) error {
	page := history.Page{Around: 1, Limit: turnsPage, HasHidden: true} // ids begin at 1
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
