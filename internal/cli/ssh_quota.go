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
	"confab/internal/wholefile"
	"confab/service/api"
)

// quota is what one served user may use, over all their screens and commands.
type quota struct {
	folder  string // all of the user's
	atOnce  int
	aDay    int
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

// used is how many turns a day had. It is kept across restarts.
type used struct {
	Day   string `json:"day"`
	Turns int    `json:"turns"`
}

func newQuota(o config.SSH, folder string, log *slog.Logger) *quota {
	return &quota{folder: folder, atOnce: o.TurnsAtOnce, aDay: o.TurnsADay, disk: o.Disk, now: time.Now, log: log}
}

// usedFile is where the count of the day is kept, outside of what the user can
// name.
const usedFile = "used.json"

// countWait is how long a count of the bytes on disk is believed.
const countWait = time.Second

// admit counts a turn, and holds a place for it unless it is of a run.
func (q *quota) admit(ofRun bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.roomLocked(); err != nil {
		return err
	}
	q.today()
	switch {
	case !ofRun && q.running >= q.atOnce:
		return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("%s of yours being answered, as many as you may have at once; wait for one or cancel it.", isOrAre(q.running))}
	case q.used.Turns >= q.aDay:
		return &api.Error{Code: api.CodeRateLimited, Message: fmt.Sprintf("All %d turns that you have for today are used; there are more at midnight, UTC.", q.aDay)}
	}
	q.used.Turns++
	if !ofRun {
		q.running++
	}
	q.keep()
	return nil
}

func isOrAre(turns int) string {
	if turns == 1 {
		return "One turn is"
	}
	return fmt.Sprintf("%d turns are", turns)
}

// leave gives places back.
func (q *quota) leave(places int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running -= places
}

// room tells whether the user may keep more.
func (q *quota) room() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.roomLocked()
}

func (q *quota) roomLocked() error {
	if now := q.now(); now.Sub(q.counted) >= countWait || now.Before(q.counted) {
		q.bytes, q.counted = size(q.folder), now
	}
	if q.bytes < q.disk {
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
		err = wholefile.Write(filepath.Join(q.folder, usedFile), b, 0o600)
	}
	if err != nil {
		q.log.Warn("Could not keep the count of a user's turns", "error", err)
	}
}

// share is what one service uses of a quota. It is a [service.Quota].
type share struct {
	*quota
	mu    sync.Mutex
	turns map[int64]int
	over  bool
}

func (q *quota) share() *share { return &share{quota: q, turns: map[int64]int{}} }

// Admit implements [service.Quota].
func (s *share) Admit(ofRun bool) (began func(turn int64), err error) {
	if err := s.admit(ofRun); err != nil {
		return nil, err
	}
	return func(turn int64) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case ofRun:
		case turn == 0, s.over:
			s.leave(1)
		default:
			s.turns[turn]++
		}
	}, nil
}

// End implements [service.Quota].
func (s *share) End(turn int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turns[turn] == 0 {
		return // a cell of a run
	}
	if s.turns[turn]--; s.turns[turn] == 0 {
		delete(s.turns, turn)
	}
	s.leave(1)
}

// Room implements [service.Quota].
func (s *share) Room() error { return s.room() }

// close gives back whatever the service did not.
func (s *share) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	for _, n := range s.turns {
		s.leave(n)
	}
	s.turns = map[int64]int{}
}
