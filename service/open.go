package service

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"confab/history"
	"confab/service/api"
)

// log returns the log, which may discard.
func (s *Service) log() *slog.Logger {
	if s.o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return s.o.Log
}

// history returns the store, opening it on the first need. One that cannot be
// opened is replaced by one in memory, so that the program goes on without
// saving; [Service.Start] tells why.
func (s *Service) history(ctx context.Context) (history.Store, error) {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		if store, ok := s.store.peek(); ok {
			return store, nil // answers that end while the service closes
		}
		return nil, closing()
	}
	store, err := s.store.get(ctx, s.o.Log, "open the history", s.openStore)
	if err != nil {
		return nil, problemOf(err)
	}
	return store, nil
}

// openStore opens the store, or one in memory.
func (s *Service) openStore(ctx context.Context) (history.Store, error) {
	if s.o.Save {
		store, err := s.o.Open(ctx)
		if err == nil {
			s.mu.Lock()
			s.saving = true
			s.mu.Unlock()
			return store, nil
		}
		problem := *problemOf(err).(*api.Error)
		problem.Message = sentence(strings.TrimSuffix(problem.Message, ".") + "; until then nothing is saved")
		s.log().Error("Could not open the history", "code", problem.Code, "error", err)
		s.mu.Lock()
		s.problem = &problem
		s.mu.Unlock()
	}
	store, err := s.o.OpenMemory(ctx)
	if err != nil {
		return nil, fmt.Errorf("open a history in memory: %w", err)
	}
	return store, nil
}

// connection returns what can be asked, reaching it on the first need.
func (s *Service) connection(ctx context.Context) (Connection, error) {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return Connection{}, closing()
	}
	link, err := s.link.get(ctx, s.o.Log, "connect", s.o.Connect)
	if err != nil && api.CodeOf(err) == "" && ctx.Err() == nil {
		err = fail(api.CodeService, err, "the service could not be reached or started, the log says more; run it again")
	}
	return link, err
}

// pictureFolder returns where pictures go: a temporary folder of this service
// when nothing is to be kept.
func (s *Service) pictureFolder() (string, error) {
	if s.o.Save {
		return filepath.Abs(s.o.Folders.Pictures)
	}
	dir, err := s.tempFolder()
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	s.scratch = dir
	s.mu.Unlock()
	return dir, nil
}

// ownerToken names a process in file names: its id, when it started, and short
// marks of its machine and of that machine's run.
func ownerToken(o history.Owner) string {
	started := int64(0)
	if !o.Started.IsZero() {
		started = o.Started.UnixMilli()
	}
	return fmt.Sprintf("%d-%d-%s-%s", o.PID, started, mark(o.Host), mark(o.Boot))
}

// mark returns a short mark of a name.
func mark(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("%08x", h.Sum32())
}

// ownerAlive tells whether the process of a token still runs. What another
// machine left on a shared disk cannot be judged and counts as alive.
func (s *Service) ownerAlive(token string) bool {
	parts := strings.Split(token, "-")
	if len(parts) != 4 {
		return false
	}
	pid, err := strconv.Atoi(parts[0])
	if err != nil {
		return false
	}
	started, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return false
	}
	if parts[2] != mark(s.owner.Host) {
		return true
	}
	if parts[3] != mark(s.owner.Boot) {
		return false
	}
	o := history.Owner{PID: pid, Host: s.owner.Host, Boot: s.owner.Boot}
	if started != 0 {
		o.Started = time.UnixMilli(started).UTC()
	}
	return history.Alive(o)
}
