package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"confab/history"
	"confab/internal/fileio"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/problem"
)

// purgeAge is the minimum age of deletions that Start purges, so that those of running processes can be undone.
const purgeAge = time.Minute

// purgeTimeout bounds how long Start waits for other programs to purge.
const purgeTimeout = 5 * time.Second

// StartReport is the result of [Service.Start].
type StartReport struct {
	IsSaving  bool       // the history is permanent
	Problem   *api.Error // why it is not, though it should be; may be nil
	CanRead   bool       // the history is readable but not writable
	Recovered int        // answers of ended processes, now interrupted
	Adopted   int        // of these, pictures that were saved already, now done
	Swept     int        // removed partial files of ended processes
	Orphans   []string   // paths of pictures unknown to the history; kept
}

// Start opens the store and cleans up after ended processes: it interrupts their running answers, completes answers
// whose picture is whole on disk, removes partial files, and purges deletions older than a minute. It leaves what
// running processes do. An unusable store is no error: Problem tells why, and the program works without saving.
func (s *Service) Start(ctx context.Context) (StartReport, error) {
	store, err := s.history(ctx)
	if err != nil {
		return StartReport{}, err
	}
	found := StartReport{IsSaving: s.IsSaving(), Problem: s.StoreProblem()}
	if spare, ok := store.(*spareStore); ok {
		found.CanRead = spare.folder != ""
	}
	if !found.IsSaving {
		return found, nil
	}
	if found.Recovered, err = store.Recover(ctx); err != nil {
		return found, problem.Store(err)
	}
	if s.savesDrafts() {
		fileio.RemoveStale(s.o.DraftFolder)
	}
	recovery, err := s.files.Recover(ctx)
	if err != nil {
		s.o.Log.Warn("Could not tidy the picture folder", "error", err)
	}
	found.Adopted, found.Orphans = recovery.Adopted, recovery.Orphans
	found.Swept = s.process.SweepTempFolders() + recovery.Removed
	s.startUploading(ctx)
	limited, cancel := context.WithTimeout(ctx, purgeTimeout)
	defer cancel()
	if _, err := s.Purge(limited, purgeAge); err != nil {
		s.o.Log.Warn("Could not purge what was deleted", "error", err)
	}
	return found, nil
}

// Close interrupts and saves running answers, purges deletions, and closes the connection and the store. It returns
// when that is done or the context ends; both are closed in either case. Later calls do nothing.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	if s.isClosing {
		s.mu.Unlock()
		return nil
	}
	s.isClosing = true
	running := make([]*call, 0, len(s.live))
	for _, c := range s.live {
		running = append(running, c)
	}
	for r := range s.runs {
		r.cancel(ErrClosing)
	}
	s.mu.Unlock()
	for _, c := range running {
		c.cancel(ErrClosing)
	}

	ended := make(chan struct{})
	safego.Go(s.o.Log, "close", func() {
		s.sends.Wait()
		close(ended)
	}, nil)
	var failed error
	select {
	case <-ended:
	case <-ctx.Done():
		failed = fmt.Errorf("wait for running answers: %w", context.Cause(ctx))
	}
	if s.UnsavedTurns() > 0 {
		if _, err := s.Reopen(ctx); err != nil { // the caller checks UnsavedTurns before
			s.o.Log.Error("Could not save what was in memory", "error", err)
		}
	}
	if s.Unsaved() > 0 {
		_, err := s.SaveAgain(ctx)
		failed = errors.Join(failed, err)
	}
	s.stopUploading(ctx)
	endLater := func(link Connection) { _ = link.end(context.WithoutCancel(ctx)) }
	if link, ok := s.link.take(ctx, endLater); ok {
		if err := link.end(ctx); err != nil {
			failed = errors.Join(failed, fmt.Errorf("close the connection: %w", err))
		}
	}
	failed = errors.Join(failed, s.closeStore(ctx))
	if err := s.files.Close(); err != nil {
		failed = errors.Join(failed, fmt.Errorf("remove the temporary pictures: %w", err))
	}
	return failed
}

// closeStore purges the deletions of this service and closes the store.
func (s *Service) closeStore(ctx context.Context) error {
	s.mu.Lock()
	deleted := s.hasDeleted
	s.mu.Unlock()
	var failed error
	if deleted { // before take, because deleting pictures uses the store
		if _, err := s.Purge(ctx, 0); err != nil {
			failed = fmt.Errorf("purge what was deleted: %w", err)
		}
	}
	if store, ok := s.store.take(ctx, func(store history.Store) { _ = store.Close() }); ok {
		if drafts, ok := store.(history.DraftStore); ok && s.savesDrafts() {
			limited, cancel := context.WithTimeout(ctx, draftTimeout)
			defer cancel()
			s.leaveDraft(limited, drafts)
		}
		if err := store.Close(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("close the history: %w", err))
		}
	}
	return failed
}
