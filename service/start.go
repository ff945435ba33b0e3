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

// sweepAge is how old leftovers are before they are swept, so that what a living process just made is not even looked
// at.
const sweepAge = time.Minute

// purgeTimeout bounds how long a start waits for other programs to purge.
const purgeTimeout = 5 * time.Second

// StartReport is what [Service.Start] found and did.
type StartReport struct {
	IsSaving  bool       // what is sent and received is kept
	Problem   *api.Error // why it is not, although it should be; nil when all is well
	CanRead   bool       // the history can be read although it cannot be written
	Recovered int        // answers of dead processes that are interrupted now
	Adopted   int        // of those, pictures that had been saved already and are done now
	Swept     int        // files left half done by dead processes, removed
	Orphans   []string   // paths of pictures that the history does not know; left alone
}

// Start opens the store and puts in order what dead processes left behind: their running answers become interrupted, a
// picture of theirs that is whole on disk completes its answer, half-written files go, and what was deleted more than a
// minute ago is really deleted. What a living process is doing is left alone. A store that cannot be used is no error:
// Problem says why, and the program goes on without saving.
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
	if _, err := s.Purge(limited, sweepAge); err != nil {
		s.o.Log.Warn("Could not purge what was deleted", "error", err)
	}
	return found, nil
}

// Close ends everything: what runs becomes interrupted and is stored, what was deleted is really deleted, the
// connection and the store are closed. It returns when all that is done or the context ends, whichever is first; what
// is closed is closed in either case. Later calls do nothing.
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
		if _, err := s.Reopen(ctx); err != nil { // who closes it asks for UnsavedTurns before
			s.o.Log.Error("Could not save what was in memory", "error", err)
		}
	}
	if s.Unsaved() > 0 {
		_, err := s.SaveAgain(ctx)
		failed = errors.Join(failed, err)
	}
	s.stopUploading(ctx)
	if link, ok := s.link.take(ctx); ok && link.Close != nil {
		if err := link.Close(ctx); err != nil {
			failed = errors.Join(failed, fmt.Errorf("close the connection: %w", err))
		}
	}
	failed = errors.Join(failed, s.closeStore(ctx))
	if err := s.files.Close(); err != nil {
		failed = errors.Join(failed, fmt.Errorf("remove the temporary pictures: %w", err))
	}
	return failed
}

// closeStore deletes for good what this service deleted, and closes the store.
func (s *Service) closeStore(ctx context.Context) error {
	s.mu.Lock()
	deleted := s.hasDeleted
	s.mu.Unlock()
	var failed error
	if deleted { // before the store is taken: deleting pictures asks it
		if _, err := s.Purge(ctx, 0); err != nil {
			failed = fmt.Errorf("purge what was deleted: %w", err)
		}
	}
	if store, ok := s.store.take(ctx); ok {
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
