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

// quota is what one served user may use, over all their screens and commands.
type quota struct {
	folder  string // all of the user's
	atOnce  int    // turns
	aDay    int    // answers
	disk    int64
	now     func() time.Time
	log     *slog.Logger
	mu      sync.Mutex
	running int
	used    used
	known   bool // used was read
	bytes   int64
	counted time.Time // when bytes was
}

// used is how many answers were asked for on a day. It is kept across restarts.
type used struct {
	Day     string `json:"day"`
	Answers int    `json:"answers"`
}

func newQuota(o config.SSH, folder string, log *slog.Logger) *quota {
	return &quota{folder: folder, atOnce: o.TurnsAtOnce, aDay: o.AnswersADay, disk: o.Disk, now: time.Now, log: log}
}

// change sets other limits. What is used stays used.
func (q *quota) change(o config.SSH) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.atOnce, q.aDay, q.disk = o.TurnsAtOnce, o.AnswersADay, o.Disk
}

// usedFile is where the count of the day is kept, outside of what the user can
// name.
const usedFile = "used.json"

// countWait is how long a count of the bytes on disk is believed.
const countWait = time.Second

// allow tells whether so many answers may still be asked for.
func (q *quota) allow(answers int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.allowLocked(answers)
}

func (q *quota) allowLocked(answers int) error {
	if err := q.roomLocked(0); err != nil {
		return err
	}
	q.today()
	switch left := q.aDay - q.used.Answers; {
	case left <= 0:
		return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("All %d answers that you have for today are used; there are more at midnight, UTC.", q.aDay)}
	case answers > left:
		return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("This asks for %d answers, and %d of your %d for today are left; ask fewer models or for fewer samples, or wait until midnight, UTC.", answers, left, q.aDay)}
	}
	return nil
}

// admit counts answers, and holds a place for their turn where it needs one.
func (q *quota) admit(answers int, holdsPlace bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.allowLocked(answers); err != nil {
		return err
	}
	if holdsPlace {
		if q.running >= q.atOnce {
			return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("%s of yours being answered, as many as you may have at once; wait for one or cancel it.", isOrAre(q.running))}
		}
		q.running++
	}
	q.used.Answers += answers
	q.keep()
	return nil
}

func isOrAre(turns int) string {
	if turns == 1 {
		return "One turn is"
	}
	return fmt.Sprintf("%d turns are", turns)
}

// giveBack gives places and answers back.
func (q *quota) giveBack(places, answers int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running -= places
	if answers == 0 {
		return
	}
	q.today()
	q.used.Answers = max(q.used.Answers-answers, 0)
	q.keep()
}

// room tells whether the user may keep so many bytes more, and counts them until the files are counted again.
func (q *quota) room(bytes int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.roomLocked(bytes)
}

func (q *quota) roomLocked(bytes int64) error {
	if now := q.now(); now.Sub(q.counted) >= countWait || now.Before(q.counted) {
		q.bytes, q.counted = size(q.folder), now
	}
	if q.bytes < q.disk && bytes <= q.disk-q.bytes {
		q.bytes += bytes
		return nil
	}
	return &api.Error{Code: api.CodeDisk, Message: fmt.Sprintf("Your space of %s is used up; delete sessions or pictures to go on.", humanize.IBytes(uint64(q.disk)))}
}

// size returns the bytes of the files below a folder. What vanishes meanwhile
// does not count.
func size(folder string) int64 {
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

// today begins a new day, and reads what an earlier process counted.
func (q *quota) today() {
	if !q.known {
		q.known = true
		if b, err := os.ReadFile(filepath.Join(q.folder, usedFile)); err == nil {
			_ = json.Unmarshal(b, &q.used) // a count that is damaged begins anew
		}
	}
	if day := q.now().UTC().Format(time.DateOnly); q.used.Day != day {
		q.used = used{Day: day}
	}
}

// keep writes the count down.
func (q *quota) keep() {
	b, err := json.Marshal(q.used)
	if err == nil {
		err = atomicfile.Write(filepath.Join(q.folder, usedFile), b, 0o600)
	}
	if err != nil {
		q.log.Warn("Could not keep the count of a user's answers", "error", err)
	}
}

// share is what one service uses of a quota. It is a [service.Quota].
type share struct {
	*quota
	mu    sync.Mutex
	turns map[int64]int // places by turn
	over  bool
}

func (q *quota) share() *share { return &share{quota: q, turns: map[int64]int{}} }

// Allow implements [service.Quota].
func (s *share) Allow(answers int) error { return s.allow(answers) }

// Admit implements [service.Quota].
func (s *share) Admit(answers int, holdsPlace bool) (began func(turn int64), err error) {
	if err := s.admit(answers, holdsPlace); err != nil {
		return nil, err
	}
	places := 0
	if holdsPlace {
		places = 1
	}
	return func(turn int64) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case turn == 0:
			s.giveBack(places, answers)
		case s.over:
			s.giveBack(places, 0)
		case places > 0:
			s.turns[turn]++
		}
	}, nil
}

// End implements [service.Quota].
func (s *share) End(turn int64, unasked int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	places := 0
	if s.turns[turn] > 0 { // a call of a run has none
		places = 1
		if s.turns[turn]--; s.turns[turn] == 0 {
			delete(s.turns, turn)
		}
	}
	s.giveBack(places, unasked)
}

// Room implements [service.Quota].
func (s *share) Room(bytes int64) error { return s.room(bytes) }

// close gives back the places that the service did not.
func (s *share) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	for _, n := range s.turns {
		s.giveBack(n, 0)
	}
	s.turns = map[int64]int{}
}
