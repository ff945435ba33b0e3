package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"confab/internal/atomicfile"
	"confab/internal/config"
	"confab/service/api"
)

// quota limits what one served user may use in all sessions and commands together.
type quota struct {
	folder           string // holds all data of the user
	maxTurns         int
	maxAnswersPerDay int
	maxBytes         int64
	now              func() time.Time
	log              *slog.Logger
	mu               sync.Mutex
	running          int
	count            answerCount
	isCountLoaded    bool // count was read from its file
	bytes            int64
	bytesCountedAt   time.Time // when bytes was last measured
}

// answerCount is how many answers were asked for on one day. It is stored, so that a restart forgets nothing.
type answerCount struct {
	Day     string `json:"day"`
	Answers int    `json:"answers"`
}

func newQuota(o config.SSH, folder string, log *slog.Logger) *quota {
	return &quota{
		folder: folder, maxTurns: o.TurnsAtOnce, maxAnswersPerDay: o.AnswersADay, maxBytes: o.Disk, now: time.Now,
		log: log,
	}
}

// setLimits replaces the limits. The counts stay.
func (q *quota) setLimits(o config.SSH) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.maxTurns, q.maxAnswersPerDay, q.maxBytes = o.TurnsAtOnce, o.AnswersADay, o.Disk
}

// answerCountFile holds the count of the day, where the user cannot name it by path.
const answerCountFile = "used.json"

// bytesCountInterval is how long a measured size of the user's folder is used before it is measured again.
const bytesCountInterval = time.Second

// CheckAnswers returns an error when the user may not ask for so many answers now.
func (q *quota) CheckAnswers(answers int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.checkAnswersLocked(answers)
}

func (q *quota) checkAnswersLocked(answers int) error {
	if err := q.reserveBytesLocked(0); err != nil {
		return err
	}
	q.startDay()
	switch left := q.maxAnswersPerDay - q.count.Answers; {
	case left <= 0:
		return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("All %d answers that you have for today "+
			"are used; there are more at midnight, UTC.", q.maxAnswersPerDay)}
	case answers > left:
		return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("This asks for %d answers, and %d of "+
			"your %d for today are left; ask fewer models or for fewer samples, or wait until midnight, "+
			"UTC.", answers, left, q.maxAnswersPerDay)}
	}
	return nil
}

// reserveAnswers counts answers as asked for and, when the turn needs one, takes one of the user's turns at once.
func (q *quota) reserveAnswers(answers int, needsTurn bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.checkAnswersLocked(answers); err != nil {
		return err
	}
	if needsTurn {
		if q.running >= q.maxTurns {
			return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("%s of yours being answered, as many "+
				"as you may have at once; wait for one or cancel it.", turnsAreBusy(q.running))}
		}
		q.running++
	}
	q.count.Answers += answers
	q.saveCount()
	return nil
}

func turnsAreBusy(turns int) string {
	if turns == 1 {
		return "One turn is"
	}
	return fmt.Sprintf("%d turns are", turns)
}

// release returns turns and answers that were reserved.
func (q *quota) release(turns, answers int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running -= turns
	if answers == 0 {
		return
	}
	q.startDay()
	q.count.Answers = max(q.count.Answers-answers, 0)
	q.saveCount()
}

// ReserveBytes returns an error when the user may not store so many bytes more, and counts them until the folder is
// measured again.
func (q *quota) ReserveBytes(bytes int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.reserveBytesLocked(bytes)
}

func (q *quota) reserveBytesLocked(bytes int64) error {
	if now := q.now(); now.Sub(q.bytesCountedAt) >= bytesCountInterval || now.Before(q.bytesCountedAt) {
		q.bytes, q.bytesCountedAt = folderSize(q.folder), now
	}
	if q.bytes < q.maxBytes && bytes <= q.maxBytes-q.bytes {
		q.bytes += bytes
		return nil
	}
	return &api.Error{Code: api.CodeDisk, Message: fmt.Sprintf("Your space of %s is used up; delete sessions or "+
		"pictures to go on.", humanize.IBytes(uint64(q.maxBytes)))}
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

// startDay begins a new count when the day has changed. The first call reads the stored count.
func (q *quota) startDay() {
	if !q.isCountLoaded {
		q.isCountLoaded = true
		if b, err := os.ReadFile(filepath.Join(q.folder, answerCountFile)); err == nil {
			_ = json.Unmarshal(b, &q.count) // a damaged count starts at zero
		}
	}
	if day := q.now().UTC().Format(time.DateOnly); q.count.Day != day {
		q.count = answerCount{Day: day}
	}
}

// saveCount stores the count of the day.
func (q *quota) saveCount() {
	b, err := json.Marshal(q.count)
	if err == nil {
		err = atomicfile.Write(filepath.Join(q.folder, answerCountFile), b, 0o600)
	}
	if err != nil {
		q.log.Warn("Could not keep the count of a user's answers", "error", err)
	}
}

// serviceQuota is the part of a quota that one service uses. It implements [service.Quota] together with the quota.
type serviceQuota struct {
	*quota
	mu       sync.Mutex
	turns    map[int64]int // how many reservations each turn holds
	isClosed bool
}

func (q *quota) newServiceQuota() *serviceQuota {
	return &serviceQuota{quota: q, turns: map[int64]int{}}
}

// ReserveAnswers implements [service.Quota].
func (s *serviceQuota) ReserveAnswers(answers int, needsTurn bool) (recorded func(turn int64), err error) {
	if err := s.reserveAnswers(answers, needsTurn); err != nil {
		return nil, err
	}
	turns := 0
	if needsTurn {
		turns = 1
	}
	return func(turn int64) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case turn == 0:
			s.release(turns, answers)
		case s.isClosed:
			s.release(turns, 0)
		case turns > 0:
			s.turns[turn]++
		}
	}, nil
}

// Release implements [service.Quota].
func (s *serviceQuota) Release(turn int64, unasked int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	turns := 0
	if s.turns[turn] > 0 { // calls of a run reserve no turn
		turns = 1
		if s.turns[turn]--; s.turns[turn] == 0 {
			delete(s.turns, turn)
		}
	}
	s.release(turns, unasked)
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
