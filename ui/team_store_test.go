package ui_test

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"confab/history"
	"confab/history/sqlite"
	"confab/service"
	"confab/ui"
)

// team is a history of several users, as a database has it, in one file: each user sees what is theirs and what others
// share. It needs no server, and its stores have the clock of the test.
type team struct {
	path     string
	mu       sync.Mutex
	owners   map[int64]string // of sessions
	sessions map[int64]bool   // that are shared
	runs     map[int64]bool
	voters   map[int64]string // of votes
	watchers []chan history.Change
}

func newTeam(t *testing.T) *team {
	return &team{path: filepath.Join(t.TempDir(), "history.db"), owners: map[int64]string{},
		sessions: map[int64]bool{}, runs: map[int64]bool{}, voters: map[int64]string{}}
}

// open starts the screen of a user.
func (m *team) open(t *testing.T, user string, w, h int) *screen {
	t.Helper()
	return open(t, w, h, func(_ *ui.Options, so *service.Options) {
		so.History.Open = func(ctx context.Context) (history.Store, error) {
			store, err := sqlite.Open(ctx, m.path, sqlite.Options{})
			return &teamStore{store, m, user}, err
		}
	})
}

// teamStore is what a user sees of the history of a team.
type teamStore struct {
	*sqlite.Store
	team *team
	user string
}

var _ interface {
	history.Sharer
	history.Watcher
} = (*teamStore)(nil)

// Watch implements [history.Watcher].
func (s *teamStore) Watch(ctx context.Context) <-chan history.Change {
	s.team.mu.Lock()
	defer s.team.mu.Unlock()
	changes := make(chan history.Change, 1)
	s.team.watchers = append(s.team.watchers, changes)
	context.AfterFunc(ctx, func() {
		s.team.mu.Lock()
		defer s.team.mu.Unlock()
		s.team.watchers = slices.DeleteFunc(s.team.watchers, func(c chan history.Change) bool { return c == changes })
		close(changes)
	})
	return changes
}

// share notes what is shared, and tells all screens.
func (s *teamStore) share(of map[int64]bool, id int64, isShared bool) error {
	s.team.mu.Lock()
	defer s.team.mu.Unlock()
	of[id] = isShared
	for _, c := range s.team.watchers {
		select {
		case c <- history.Change{}:
		default: // told as one with the change before
		}
	}
	return nil
}

// own notes that a session is the user's, unless it is somebody's.
func (s *teamStore) own(session int64) {
	s.team.mu.Lock()
	defer s.team.mu.Unlock()
	if s.team.owners[session] == "" {
		s.team.owners[session] = s.user
	}
}

// sharer returns who shares a session, "" for one's own.
func (s *teamStore) sharer(session int64) (string, error) {
	s.team.mu.Lock()
	defer s.team.mu.Unlock()
	owner := s.team.owners[session]
	switch {
	case owner == s.user:
		return "", nil
	case s.team.sessions[session]:
		return owner, nil
	}
	return "", history.ErrNotFound
}

// seen returns a session as the user sees it.
func (s *teamStore) seen(x history.Session) (history.Session, error) {
	owner, err := s.sharer(x.ID)
	s.team.mu.Lock()
	defer s.team.mu.Unlock()
	x.Owner, x.IsShared = owner, s.team.sessions[x.ID]
	return x, err
}

// seenRun returns a run as the user sees it.
func (s *teamStore) seenRun(r history.Run) (history.Run, error) {
	owner, err := s.sharer(r.Session)
	s.team.mu.Lock()
	defer s.team.mu.Unlock()
	r.Owner, r.IsShared = owner, s.team.runs[r.ID]
	if err != nil && r.IsShared {
		r.Owner, err = s.team.owners[r.Session], nil
	}
	return r, err
}

// refuse returns why a session cannot be changed.
func (s *teamStore) refuse(session int64) error {
	owner, err := s.sharer(session)
	if owner != "" {
		return history.ErrShared
	}
	return err
}

func (s *teamStore) refuseTurn(ctx context.Context, id int64) error {
	t, err := s.Turn(ctx, id)
	if err != nil {
		return err
	}
	return s.refuse(t.Session)
}

func (s *teamStore) refuseAnswer(ctx context.Context, id int64) error {
	a, err := s.Store.Answer(ctx, id)
	if err != nil {
		return err
	}
	return s.refuseTurn(ctx, a.Turn)
}

// unless does something where nothing refuses it.
func unless[T any](refused error, do func() (T, error)) (done T, err error) {
	if refused != nil {
		return done, refused
	}
	return do()
}

func (s *teamStore) ShareSession(_ context.Context, id int64, isShared bool) error {
	if err := s.refuse(id); err != nil {
		return err
	}
	return s.share(s.team.sessions, id, isShared)
}

func (s *teamStore) ShareRun(ctx context.Context, id int64, isShared bool) error {
	r, err := s.Store.Run(ctx, id)
	if err == nil {
		err = s.refuse(r.Session)
	}
	if err != nil {
		return err
	}
	return s.share(s.team.runs, id, isShared)
}

// foundSessions returns the sessions that match, one's own or those of others.
func (s *teamStore) foundSessions(ctx context.Context, q history.Query, ofOthers bool) (found []history.SessionHit,
	err error) {
	hits, _, err := s.Store.Sessions(ctx, q)
	for _, h := range hits {
		x, notSeen := s.seen(h.Session)
		if notSeen == nil && (x.Owner != "") == ofOthers {
			h.Session = x
			found = append(found, h)
		}
	}
	return found, err
}

func (s *teamStore) Sessions(ctx context.Context, q history.Query) ([]history.SessionHit, int, error) {
	all, err := s.foundSessions(ctx, history.Query{}, false)
	if err != nil {
		return nil, 0, err
	}
	hits, err := s.foundSessions(ctx, q, false)
	return hits, len(all), err
}

func (s *teamStore) TeamSessions(ctx context.Context, q history.Query) ([]history.SessionHit, error) {
	return s.foundSessions(ctx, q, true)
}

// foundRuns returns one's own runs, or those of others.
func (s *teamStore) foundRuns(ctx context.Context, path string, ofOthers bool) (found []history.Run, err error) {
	all, err := s.Store.Runs(ctx, path, 0)
	for _, r := range all {
		if r, notSeen := s.seenRun(r); notSeen == nil && (r.Owner != "") == ofOthers {
			found = append(found, r)
		}
	}
	return found, err
}

func (s *teamStore) Runs(ctx context.Context, path string, _ int) ([]history.Run, error) {
	return s.foundRuns(ctx, path, false)
}

func (s *teamStore) TeamRuns(ctx context.Context, _ int) ([]history.Run, error) {
	return s.foundRuns(ctx, "", true)
}

func (s *teamStore) Session(ctx context.Context, id int64) (history.Session, error) {
	x, err := s.Store.Session(ctx, id)
	if err != nil {
		return x, err
	}
	return s.seen(x)
}

func (s *teamStore) Run(ctx context.Context, id int64) (history.Run, error) {
	r, err := s.Store.Run(ctx, id)
	if err != nil {
		return r, err
	}
	return s.seenRun(r)
}

func (s *teamStore) Turns(ctx context.Context, session int64, p history.Page) ([]history.Turn, error) {
	if _, err := s.sharer(session); err != nil {
		return nil, err
	}
	return s.Store.Turns(ctx, session, p)
}

func (s *teamStore) AddTurn(ctx context.Context, t history.Turn) (history.Turn, error) {
	return unless(s.refuse(t.Session), func() (history.Turn, error) { return s.Store.AddTurn(ctx, t) })
}

func (s *teamStore) AddTurnToSession(ctx context.Context, name string, t history.Turn) (history.Turn, error) {
	t, err := s.Store.AddTurnToSession(ctx, name, t)
	s.own(t.Session)
	return t, err
}

func (s *teamStore) AddAnswers(ctx context.Context, turn int64, answers []history.Answer) ([]history.Answer, error) {
	return unless(s.refuseTurn(ctx, turn), func() ([]history.Answer, error) {
		return s.Store.AddAnswers(ctx, turn, answers)
	})
}

func (s *teamStore) StartRun(ctx context.Context, r history.Run, c history.Cell, t history.Turn) (history.Run,
	history.Cell, history.Turn, error) {
	r.Path = "/suites/" + filepath.Base(r.Path) // in goldens
	r, c, t, err := s.Store.StartRun(ctx, r, c, t)
	s.own(r.Session)
	return r, c, t, err
}

func (s *teamStore) ForkSession(ctx context.Context, id, upto int64, name string) (history.Session, error) {
	if _, err := s.sharer(id); err != nil {
		return history.Session{}, err
	}
	x, err := s.Store.ForkSession(ctx, id, upto, name)
	s.own(x.ID)
	return x, err
}

func (s *teamStore) RenameSession(ctx context.Context, id int64, name string) error {
	if err := s.refuse(id); err != nil {
		return err
	}
	return s.Store.RenameSession(ctx, id, name)
}

func (s *teamStore) Judge(ctx context.Context, id int64, rating history.Rating, winner bool,
	note string) (history.Answer, error) {
	return unless(s.refuseAnswer(ctx, id), func() (history.Answer, error) {
		return s.Store.Judge(ctx, id, rating, winner, note)
	})
}

func (s *teamStore) DeleteSession(ctx context.Context, id int64) (history.Trash, error) {
	return unless(s.refuse(id), func() (history.Trash, error) { return s.Store.DeleteSession(ctx, id) })
}

func (s *teamStore) DeleteTurn(ctx context.Context, id int64) (history.Trash, error) {
	return unless(s.refuseTurn(ctx, id), func() (history.Trash, error) { return s.Store.DeleteTurn(ctx, id) })
}

func (s *teamStore) DeleteAnswer(ctx context.Context, id int64) (history.Trash, error) {
	return unless(s.refuseAnswer(ctx, id), func() (history.Trash, error) { return s.Store.DeleteAnswer(ctx, id) })
}

func (s *teamStore) AddVote(ctx context.Context, v history.Vote) (history.Vote, error) {
	v, err := s.Store.AddVote(ctx, v)
	s.team.mu.Lock()
	defer s.team.mu.Unlock()
	s.team.voters[v.ID] = s.user
	return v, err
}

// Votes hides the votes of others on pairs that the user has not voted on.
func (s *teamStore) Votes(ctx context.Context, run int64) (votes []history.Vote, hidden int, err error) {
	all, _, err := s.Store.Votes(ctx, run)
	s.team.mu.Lock()
	defer s.team.mu.Unlock()
	for _, v := range all {
		isSeen := slices.ContainsFunc(all, func(own history.Vote) bool {
			return s.team.voters[own.ID] == s.user && min(own.AnswerA, own.AnswerB) == min(v.AnswerA, v.AnswerB) &&
				max(own.AnswerA, own.AnswerB) == max(v.AnswerA, v.AnswerB)
		})
		if v.Voter = s.team.voters[v.ID]; v.Voter == s.user {
			v.Voter = ""
		}
		if isSeen {
			votes = append(votes, v)
		} else {
			hidden++
		}
	}
	return votes, hidden, err
}

func (s *teamStore) VotesBetweenUsers(context.Context) (onOthers, ofOthers int, err error) {
	return 0, 0, nil
}

func (s *teamStore) Setting(ctx context.Context, name string) (string, error) {
	return s.Store.Setting(ctx, s.user+" "+name)
}

func (s *teamStore) SetSetting(ctx context.Context, name, value string) error {
	return s.Store.SetSetting(ctx, s.user+" "+name, value)
}
