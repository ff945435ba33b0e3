package server

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"confab/internal/fileio"
)

// usageInterval is how often what was asked is written down: as much a crash forgets, and for as long servers that
// share a folder do not know of each other's requests.
const usageInterval = 10 * time.Second

// ledger keeps the counts of a day in a folder that several servers may share. Each writes a file of its own, under a
// name that no other has, and adds what the files of the others say, of those that ended as well. So none can spoil
// what another counted.
type ledger struct {
	folder string
	own    string // the file's name
	log    *slog.Logger
	silent bool // a failure was told of, and nothing worked since
}

// dailyCount is what one server counted on a day.
type dailyCount struct {
	Day   string         `json:"day"` // UTC
	Asked map[string]int `json:"asked"`
}

const dailyCountSuffix = ".usage.json"

func newLedger(folder string, log *slog.Logger) *ledger {
	return &ledger{folder: folder, own: strings.ToLower(rand.Text()[:16]) + dailyCountSuffix, log: log}
}

// write puts this server's counts in place of what it wrote before.
func (l *ledger) write(t dailyCount) error {
	b, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("write down what was asked: %w", err)
	}
	if err := os.MkdirAll(l.folder, 0o700); err != nil {
		return fmt.Errorf("make the folder of what was asked: %w", err)
	}
	return fileio.Write(filepath.Join(l.folder, l.own), append(b, '\n'), 0o600)
}

// others adds up what all other servers counted on a day, and removes what was left by those of days long gone.
func (l *ledger) others(day string) (map[string]int, error) {
	entries, err := os.ReadDir(l.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what was asked: %w", err)
	}
	sum := map[string]int{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || e.Name() == l.own {
			continue
		}
		if !strings.HasSuffix(e.Name(), dailyCountSuffix) {
			continue
		}
		if time.Since(info.ModTime()) > 48*time.Hour { // also where the clocks of machines differ
			_ = os.Remove(filepath.Join(l.folder, e.Name())) // another may have been faster
			continue
		}
		if t, err := l.read(e.Name()); err == nil && t.Day == day { // one that cannot be read was not written here
			for id, n := range t.Asked {
				sum[id] += max(n, 0)
			}
		}
	}
	return sum, nil
}

func (l *ledger) read(name string) (t dailyCount, err error) {
	f, err := fileio.Open(filepath.Join(l.folder, name))
	if err != nil {
		return t, fmt.Errorf("read what was asked: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	if err := json.NewDecoder(io.LimitReader(f, 16<<20)).Decode(&t); err != nil {
		return t, fmt.Errorf("read what was asked: %w", err)
	}
	return t, nil
}

// exchange writes down what was asked here since it last did, and learns what others were asked. Without a ledger it
// does nothing.
func (q *quotas) exchange() {
	if q.ledger == nil {
		return
	}
	day := q.now().UTC().Format(time.DateOnly)
	q.mu.Lock()
	changed := q.changed
	q.changed = false
	own := dailyCount{Day: day, Asked: map[string]int{}}
	for id, u := range q.use {
		if u.day == day && u.asked > 0 {
			own.Asked[id] = u.asked
		}
	}
	q.mu.Unlock()
	var failed error
	if changed {
		failed = q.ledger.write(own)
	}
	others, err := q.ledger.others(day)
	q.mu.Lock()
	q.changed = q.changed || failed != nil
	if err == nil {
		q.others, q.othersDay = others, day
	}
	q.mu.Unlock()
	q.ledger.logFailure(errors.Join(failed, err))
}

// logFailure logs a failure once, until it is over.
func (l *ledger) logFailure(err error) {
	if err != nil && !l.silent {
		l.log.Warn("Quotas are counted in memory only, and begin anew at the next start", "error", err)
	}
	l.silent = err != nil
}
