package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"

	"confab/history"
	"confab/internal/config"
	"confab/internal/format"
	"confab/internal/sshserver"
	"confab/service/accounts"
	"confab/service/api"
	"confab/service/problem"
)

// bytesCountInterval is how long a measured size of the user's folder is used before it is measured again.
const bytesCountInterval = time.Second

// reserveTimeout bounds how long a prompt waits for its answers to be counted.
const reserveTimeout = 25 * time.Second

// quota limits what one served user may use in all sessions and commands together.
type quota struct {
	folder  string // holds all data of the user
	subject accounts.Subject
	counter *accounts.Counter
	db      accounts.Database

	mu             sync.Mutex
	running        int
	bytes          int64
	bytesCountedAt time.Time // when bytes was last measured
}

func newQuota(counter *accounts.Counter, db accounts.Database, folder string) *quota {
	return &quota{folder: folder, counter: counter, db: db,
		subject: accounts.Subject{Kind: accounts.User, Name: filepath.Base(folder)}}
}

// groupOf returns the first group that a user is in, by name, by a principal of the certificate or as the file of keys
// says.
func groupOf(groups []config.Group, u sshserver.User) config.Group {
	i := slices.IndexFunc(groups, func(g config.Group) bool {
		return g.Name == u.Group || matchesAny(g.Users, u.ID) ||
			slices.ContainsFunc(u.Principals, func(p string) bool { return slices.Contains(g.Principals, p) })
	})
	if i < 0 {
		return config.Group{}
	}
	return groups[i]
}

// matchesAny reports whether a name is one of globs, which were checked.
func matchesAny(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		matches, _ := path.Match(glob, name)
		return matches
	})
}

// limitsOf returns what a user or key of a group may use. Without a limit of the group, answersADay is that of answers.
func limitsOf(g config.Group, answersADay int) accounts.Limits {
	return accounts.Limits{
		Day: accounts.Amounts{Answers: int64(cmp.Or(g.AnswersADay, answersADay)), Tokens: int64(g.TokensADay),
			Bytes: g.BytesADay, Cost: g.CostADay},
		Month: accounts.Amounts{Answers: int64(g.AnswersAMonth), Tokens: int64(g.TokensAMonth), Bytes: g.BytesAMonth,
			Cost: g.CostAMonth},
	}
}

// reserveBytes returns an error when the user may not store so many bytes more, and counts them until the folder is
// measured again.
func (q *quota) reserveBytes(bytes, limit int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if now := time.Now(); now.Sub(q.bytesCountedAt) >= bytesCountInterval || now.Before(q.bytesCountedAt) {
		q.bytes, q.bytesCountedAt = folderSize(q.folder), now
	}
	if q.bytes < limit && bytes <= limit-q.bytes {
		q.bytes += bytes
		return nil
	}
	return &api.Error{Code: api.CodeDisk, Message: fmt.Sprintf("Your space of %s is used up; delete sessions or "+
		"pictures to go on.", humanize.IBytes(uint64(limit)))}
}

// folderSize returns the bytes of the files below a folder. Files that vanish meanwhile do not count.
func folderSize(folder string) int64 {
	var total int64
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			total += info.Size()
		}
		return nil
	})
	return total
}

// takeTurns counts turns that are answered at once; negative ones have ended.
func (q *quota) takeTurns(turns, most int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if turns > 0 && q.running >= most {
		return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("%s of yours being answered, as many "+
			"as you may have at once; wait for one or cancel it.", format.Several(q.running, "turn is", "turns are"))}
	}
	q.running += turns
	return nil
}

// serviceQuota is the part of a quota that one service uses. It implements [service.Quota].
type serviceQuota struct {
	*quota
	settings  func() *config.SSH // as set now
	user      sshserver.User
	onRefusal func(error)

	hasGroup atomic.Bool // the group was kept

	mu       sync.Mutex
	turns    map[int64]int // how many reservations each turn holds
	isClosed bool
}

func (q *quota) newServiceQuota(settings func() *config.SSH, u sshserver.User, onRefusal func(error)) *serviceQuota {
	return &serviceQuota{quota: q, settings: settings, user: u, onRefusal: onRefusal, turns: map[int64]int{}}
}

// ReserveBytes implements [service.Quota].
func (s *serviceQuota) ReserveBytes(bytes int64) error {
	return s.reserveBytes(bytes, s.settings().Disk)
}

// CheckAnswers implements [service.Quota].
func (s *serviceQuota) CheckAnswers(answers int) error { return s.ask(s.counter.Check, answers) }

// ask asks the counter for answers. Its errors are for people.
func (s *serviceQuota) ask(
	method func(context.Context, accounts.Subject, int, accounts.Limits) error, answers int,
) error {
	o := s.settings()
	err := s.ReserveBytes(0)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), reserveTimeout)
		defer cancel()
		group := groupOf(o.Groups, s.user)
		if err = method(ctx, s.subject, answers, limitsOf(group, o.AnswersADay)); err == nil {
			s.keepGroup(ctx, group.Name)
		}
	}
	if exceeded := (*accounts.ExceededError)(nil); errors.As(err, &exceeded) {
		err = &api.Error{Code: api.CodeQuota, Message: exceeded.Error(), Err: err}
		s.onRefusal(err)
	}
	return problem.Store(err)
}

// keepGroup keeps the group of the user for when nobody is logged in. Where that fails, the next prompt tries again.
func (s *serviceQuota) keepGroup(ctx context.Context, name string) {
	if !s.hasGroup.Load() && accounts.SetGroup(ctx, s.db, s.subject.Name, name) == nil {
		s.hasGroup.Store(true)
	}
}

// ReserveAnswers implements [service.Quota].
func (s *serviceQuota) ReserveAnswers(answers int, needsTurn bool) (recorded func(turn int64), err error) {
	turns := 0
	if needsTurn {
		turns = 1
	}
	if err := s.takeTurns(turns, s.settings().TurnsAtOnce); err != nil {
		return nil, err
	}
	if err := s.ask(s.counter.Reserve, answers); err != nil {
		s.release(turns, 0)
		return nil, err
	}
	return func(turn int64) {
		if turn == 0 {
			s.release(turns, answers) // without the lock, as it may wait for the database
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case s.isClosed:
			s.release(turns, 0)
		case turns > 0:
			s.turns[turn]++
		}
	}, nil
}

// release returns turns and answers that were reserved.
func (q *quota) release(turns, answers int) {
	_ = q.takeTurns(-turns, 0) // giving back is never refused
	if answers > 0 {
		q.counter.Add(context.Background(), q.subject, accounts.Amounts{Answers: -int64(answers)})
	}
}

// Release implements [service.Quota].
func (s *serviceQuota) Release(turn int64, unasked int) {
	s.mu.Lock()
	turns := 0
	if s.turns[turn] > 0 { // calls of a run reserve no turn
		turns = 1
		if s.turns[turn]--; s.turns[turn] == 0 {
			delete(s.turns, turn)
		}
	}
	s.mu.Unlock()
	s.release(turns, unasked)
}

// addUse counts what an answer took that has ended.
func (s *serviceQuota) addUse(t history.Turn, a history.Answer) {
	if a.Started.IsZero() || a.IsCached {
		return
	}
	used := accounts.Amounts{Tokens: int64(a.Usage.InputTokens + a.Usage.OutputTokens), Cost: a.Cost.Amount,
		Bytes: int64(len(t.Prompt) + len(a.Text) + len(a.Reasoning))}
	if a.Picture != nil {
		used.Bytes += a.Picture.Bytes
	}
	s.counter.Add(context.Background(), s.subject, used)
}

// close returns all turns that the service did not end.
func (s *serviceQuota) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.isClosed = true
	for _, n := range s.turns {
		s.release(n, 0)
	}
	s.turns = map[int64]int{}
}
