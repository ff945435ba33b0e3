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

	"confab/internal/config"
	"confab/internal/fileio"
	"confab/internal/format"
	"confab/service/api"
)

// answerCountFile holds the count of the day, where the user cannot name it by path.
const answerCountFile = "used.json"

// bytesCountInterval is how long a measured size of the user's folder is used before it is measured again.
const bytesCountInterval = time.Second

// quota limits what one served user may use in all sessions and commands together.
type quota struct {
	folder string // holds all data of the user
	log    *slog.Logger
	limits func() *config.SSH // as set now

	mu             sync.Mutex
	running        int
	count          answerCount
	bytes          int64
	bytesCountedAt time.Time // when bytes was last measured
}

// answerCount is how many answers were asked for on one day. It is stored, so that a restart forgets nothing.
type answerCount struct {
	Day     string `json:"day"`
	Answers int    `json:"answers"`
}

func newQuota(limits func() *config.SSH, folder string, log *slog.Logger) *quota {
	q := &quota{folder: folder, limits: limits, log: log}
	if b, err := os.ReadFile(filepath.Join(folder, answerCountFile)); err == nil {
		_ = json.Unmarshal(b, &q.count) // a damaged count starts at zero
	}
	return q
}

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
	all := q.limits().AnswersADay
	switch left := all - q.answersTodayLocked(); {
	case left <= 0:
		return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("All %d answers that you have for today "+
			"are used; there are more at midnight, UTC.", all)}
	case answers > left:
		return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("This asks for %d answers, and %d of "+
			"your %d for today are left; ask fewer models or for fewer samples, or wait until midnight, "+
			"UTC.", answers, left, all)}
	}
	return nil
}

// reserve counts answers as asked for, and takes so many of the user's turns at once.
func (q *quota) reserve(turns, answers int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.checkAnswersLocked(answers); err != nil {
		return err
	}
	if turns > 0 && q.running >= q.limits().TurnsAtOnce {
		return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("%s of yours being answered, as many "+
			"as you may have at once; wait for one or cancel it.", format.Several(q.running, "turn is", "turns are"))}
	}
	q.running += turns
	q.addAnswersLocked(answers)
	return nil
}

// release returns turns and answers that were reserved.
func (q *quota) release(turns, answers int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running -= turns
	if answers > 0 {
		q.addAnswersLocked(-answers)
	}
}

// answersTodayLocked returns how many answers were asked for today.
func (q *quota) answersTodayLocked() int {
	if day := time.Now().UTC().Format(time.DateOnly); q.count.Day != day {
		q.count = answerCount{Day: day}
	}
	return q.count.Answers
}

// addAnswersLocked changes the count of the day and stores it.
func (q *quota) addAnswersLocked(answers int) {
	q.count.Answers = max(q.answersTodayLocked()+answers, 0)
	b, err := json.Marshal(q.count)
	if err == nil {
		err = fileio.Write(filepath.Join(q.folder, answerCountFile), b, 0o600)
	}
	if err != nil {
		q.log.Warn("Could not keep the count of a user's answers", "error", err)
	}
}

// ReserveBytes returns an error when the user may not store so many bytes more, and counts them until the folder is
// measured again.
func (q *quota) ReserveBytes(bytes int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.reserveBytesLocked(bytes)
}

func (q *quota) reserveBytesLocked(bytes int64) error {
	if now := time.Now(); now.Sub(q.bytesCountedAt) >= bytesCountInterval || now.Before(q.bytesCountedAt) {
		q.bytes, q.bytesCountedAt = folderSize(q.folder), now
	}
	if q.bytes < q.limits().Disk && bytes <= q.limits().Disk-q.bytes {
		q.bytes += bytes
		return nil
	}
	return &api.Error{Code: api.CodeDisk, Message: fmt.Sprintf("Your space of %s is used up; delete sessions or "+
		"pictures to go on.", humanize.IBytes(uint64(q.limits().Disk)))}
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
	turns := 0
	if needsTurn {
		turns = 1
	}
	if err := s.reserve(turns, answers); err != nil {
		return nil, err
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
