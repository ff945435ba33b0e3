package cli

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"confab/history"
	"confab/internal/config"
	"confab/internal/format"
	"confab/service/api"
	"confab/service/pictures"
	"confab/service/problem"
)

// How long a measured size is used before it is measured again: of the user's folder, and of what the history knows.
const (
	folderMeasureInterval  = time.Second
	historyMeasureInterval = time.Minute
)

// reserveTimeout bounds how long a prompt waits for its answers to be counted.
const reserveTimeout = 25 * time.Second

// quota limits what one served user may use in all sessions and commands together. The answers of a day are counted in
// the user's history.
type quota struct {
	folder string // holds all data of the user
	// stored is the folder of pictures that are in a bucket, of which the history knows the sizes; empty without one.
	stored string
	// open opens the history of the user.
	open   func(ctx context.Context) (history.Store, error)
	limits func() *config.SSH // as set now

	mu       sync.Mutex
	isInUse  bool          // the user has a session
	store    history.Store // nil until it is needed, and while the user has no session
	files    measuredSize
	recorded measuredSize // by the history
}

// measuredSize is a number of bytes and when it was measured.
type measuredSize struct {
	bytes int64
	at    time.Time
}

// isOld reports whether the size has to be measured again.
func (m measuredSize) isOld(interval time.Duration) bool {
	now := time.Now()
	return now.Sub(m.at) >= interval || now.Before(m.at)
}

// history returns the user's history, and what ends its use: answers that end after the user's last session, which
// are given back, open it for themselves.
func (q *quota) history(ctx context.Context) (store history.Store, done func(), err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.store != nil {
		return q.store, func() {}, nil
	}
	if store, err = q.open(ctx); err != nil {
		return nil, nil, problem.Store(err)
	}
	if !q.isInUse {
		return store, func() { _ = store.Close() }, nil
	}
	q.store = store
	return store, func() {}, nil
}

// begin lets the history stay open, once it is needed, until close.
func (q *quota) begin() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.isInUse = true
}

// close closes the history.
func (q *quota) close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	store := q.store
	q.store, q.isInUse = nil, false
	if store == nil {
		return nil
	}
	return store.Close()
}

// count counts answers of today, or gives back negative ones. It returns an error, and counts nothing, when as many as
// are wanted are more than the limit leaves, or there is no space for them.
func (q *quota) count(answers, wanted int) error {
	ctx, cancel := context.WithTimeout(context.Background(), reserveTimeout)
	defer cancel()
	if wanted > 0 {
		if err := q.reserveBytes(ctx, 0); err != nil {
			return err
		}
	}
	limit := q.limits().AnswersADay
	store, done, err := q.history(ctx)
	if err != nil {
		return err
	}
	defer done()
	now := time.Now().UTC()
	before, err := store.CountAnswers(ctx, now.Format(time.DateOnly), answers, limit)
	if err != nil {
		return problem.Store(err)
	}
	if before+wanted <= limit {
		return nil
	}
	wait := now.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(now)
	when := fmt.Sprintf("at midnight, UTC (in %d h %d min)", int(wait.Hours()), int(wait.Minutes())%60)
	if before >= limit {
		return &api.Error{Code: api.CodeQuota, Message: fmt.Sprintf("Your quota of %s for today is used up; there is "+
			"more %s.", format.Count(limit, "answer"), when)}
	}
	return &api.Error{Code: api.CodeQuota, Message: fmt.Sprintf("This asks for %s, and %d of your %d for today are "+
		"left; ask fewer models or for fewer samples, or wait for more %s.", format.Count(wanted, "answer"),
		limit-before, limit, when)}
}

// reserveBytes returns an error when the user may not store so many bytes more, and counts them until they are
// measured.
func (q *quota) reserveBytes(ctx context.Context, bytes int64) error {
	limit := int64(q.limits().Disk)
	// What was deleted since the last time is no reason to refuse.
	for _, interval := range []time.Duration{historyMeasureInterval, folderMeasureInterval} {
		q.measureHistory(ctx, interval)
		if q.reserve(bytes, limit) {
			return nil
		}
	}
	return &api.Error{Code: api.CodeDisk, Message: fmt.Sprintf("Your space of %s is used up; delete sessions or "+
		"pictures to go on.", humanize.IBytes(uint64(limit)))}
}

// reserve counts bytes, which are mostly those of a picture, where there is room for them.
func (q *quota) reserve(bytes, limit int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.files.isOld(folderMeasureInterval) {
		q.files = measuredSize{folderSize(q.folder, q.stored), time.Now()}
	}
	used := q.files.bytes + q.recorded.bytes
	if used >= limit || bytes > limit-used {
		return false
	}
	if q.stored != "" {
		q.recorded.bytes += bytes
	} else {
		q.files.bytes += bytes
	}
	return true
}

// measureHistory measures what the history knows that the user takes: rows in a database, and pictures in a bucket.
// While it cannot be measured, the last size counts.
func (q *quota) measureHistory(ctx context.Context, interval time.Duration) {
	q.mu.Lock()
	isOld := q.recorded.isOld(interval)
	if isOld {
		q.recorded.at = time.Now()
	}
	q.mu.Unlock()
	if !isOld {
		return
	}
	store, done, err := q.history(ctx)
	if err != nil {
		return
	}
	defer done()
	var bytes int64
	if s, ok := store.(interface {
		Size(ctx context.Context) (int64, error)
	}); ok {
		bytes, err = s.Size(ctx)
	}
	if q.stored != "" && err == nil {
		var stored int64
		stored, err = store.PictureBytes(ctx)
		bytes += stored
	}
	if err != nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.recorded.bytes = bytes
}

// folderSize returns the bytes of the files below a folder, without one below it and without copies of pictures in a
// bucket. Files that vanish meanwhile do not count.
func folderSize(folder, without string) int64 {
	var total int64
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir() && path == without:
			return fs.SkipDir
		case d.IsDir():
			total -= pictures.CopiesSize(path)
		case d.Type().IsRegular():
			if info, err := d.Info(); err == nil {
				total += info.Size()
			}
		}
		return nil
	})
	return max(total, 0)
}

// ReserveBytes implements [service.Quota].
func (q *quota) ReserveBytes(bytes int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), reserveTimeout)
	defer cancel()
	return q.reserveBytes(ctx, bytes)
}

// sessionQuota is the quota of a user as one session uses it, with the log of its prompts. It implements
// [service.Quota].
type sessionQuota struct {
	*quota
	log *slog.Logger
}

// CheckAnswers implements [service.Quota].
func (s sessionQuota) CheckAnswers(answers int) error { return s.count(0, answers) }

// ReserveAnswers implements [service.Quota].
func (s sessionQuota) ReserveAnswers(answers int) (recorded func(turn int64), err error) {
	if err := s.count(answers, answers); err != nil {
		return nil, err
	}
	return func(turn int64) {
		if turn == 0 {
			s.Release(answers)
			return
		}
		s.log.Info("Asked", "turn", turn, "answers", answers)
	}, nil
}

// Release implements [service.Quota].
func (s sessionQuota) Release(answers int) {
	if answers == 0 {
		return
	}
	if err := s.count(-answers, 0); err != nil {
		s.log.Warn("Could not count the answers of a user", "error", err)
	}
}
