package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"confab/history"
	"confab/internal/atomicfile"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/pictures"
)

// sweepAge is how old leftovers are before they are swept, so that what a
// living process just made is not even looked at.
const sweepAge = time.Minute

// purgeWithin bounds how long a start waits for other programs to purge.
const purgeWithin = 5 * time.Second

// maxPicture bounds what is read of a picture, in bytes.
const maxPicture = 64 << 20

// maxFactsAdded is how much larger a saved picture may be than the received
// one, in bytes.
const maxFactsAdded = 1 << 20

// Started is what Start found and did.
type Started struct {
	Saving    bool       // what is sent and received is kept
	Problem   *api.Error // why it is not, although it should be; nil when all is well
	Recovered int        // answers of dead processes that are interrupted now
	Adopted   int        // of those, pictures that had been saved already and are done now
	Swept     int        // files left half done by dead processes, removed
	Orphans   []string   // paths of pictures that the history does not know; left alone
}

// Start opens the store and puts in order what dead processes left behind:
// their running answers become interrupted, a picture of theirs that is whole
// on disk completes its answer, half-written files go, and what was deleted
// more than a minute ago is really deleted. What a living process is doing is
// left alone. A store that cannot be used is no error: Problem says why, and
// the program goes on without saving.
func (s *Service) Start(ctx context.Context) (Started, error) {
	store, err := s.history(ctx)
	if err != nil {
		return Started{}, err
	}
	var found Started
	s.mu.Lock()
	found.Saving, found.Problem = s.saving, s.problem
	s.mu.Unlock()
	if !found.Saving {
		return found, nil
	}
	if found.Recovered, err = store.Recover(ctx); err != nil {
		return found, problemOf(err)
	}
	if s.drafting() {
		atomicfile.RemoveStale(s.o.Folders.Drafts)
	}
	found.Swept = s.sweepTemp()
	if err := s.tidy(ctx, store, &found); err != nil {
		s.log().Warn("Could not tidy the picture folder", "error", err)
	}
	limited, cancel := context.WithTimeout(ctx, purgeWithin)
	defer cancel()
	if _, err := s.purge(limited, store, sweepAge); err != nil {
		s.log().Warn("Could not purge what was deleted", "error", err)
	}
	return found, nil
}

// tidy sweeps the picture folder and compares it with the store.
func (s *Service) tidy(ctx context.Context, store history.Store, found *Started) error {
	pictureStore, err := s.pictureStore(ctx)
	if err != nil {
		return err
	}
	files, err := pictureStore.Sweep(sweepAge)
	found.Swept += files.Swept
	if err != nil {
		return err
	}
	if len(files.Pictures) == 0 && len(files.Widowed) == 0 {
		return nil
	}
	paths, err := store.PicturePaths(ctx)
	if err != nil {
		return problemOf(err)
	}
	// By their names, as the folder may have been moved since.
	known := make(map[string]bool, len(paths))
	for path := range paths {
		known[filepath.Base(path)] = true
	}
	for _, name := range files.Pictures {
		path := filepath.Join(pictureStore.Dir(), name)
		if known[name] {
			continue
		}
		switch adopted, living := s.adopt(ctx, store, pictureStore, name); {
		case adopted:
			found.Adopted++
		case !living:
			found.Orphans = append(found.Orphans, path)
		}
	}
	for _, name := range files.Widowed {
		if s.leftBehind(ctx, store, pictureStore, name) {
			if err := pictureStore.Remove(filepath.Join(pictureStore.Dir(), name)); err == nil {
				found.Swept++
			}
		}
	}
	return nil
}

// adopt completes an interrupted answer whose picture was saved just before
// its process died. living tells that the answer's process is still at work.
func (s *Service) adopt(ctx context.Context, store history.Store, pictureStore *pictures.Store, name string) (adopted,
	living bool) {
	f, a, ok := s.answerOf(ctx, store, pictureStore, name)
	if !ok {
		return false, false
	}
	if !a.State.Ended() {
		return false, true
	}
	if a.State != history.Interrupted || a.Picture != nil || f.File != name {
		return false, false
	}
	b, err := pictureStore.Read(name, maxPicture+maxFactsAdded)
	if err != nil || sha(b) != f.SHA256File {
		return false, false
	}
	a.State, a.Version = history.Done, a.Version+1
	a.Picture = f.picture(filepath.Join(pictureStore.Dir(), name))
	f.Restore(&a)
	a.Masked, a.Started, a.Ended = f.Masked, f.Started, f.Received
	if a.Kind == history.KindEdit {
		a.SourceURL = f.SourceURL
	}
	if err := store.SaveAnswer(ctx, a); err != nil {
		s.log().Warn("Could not complete an answer from its picture", "answer", a.ID, "error", err)
		return false, false
	}
	return true, false
}

// leftBehind tells whether a file of facts without a picture is what a process
// left that died between writing the two.
func (s *Service) leftBehind(ctx context.Context, store history.Store, pictureStore *pictures.Store,
	name string) bool {
	_, a, ok := s.answerOf(ctx, store, pictureStore, name)
	return ok && a.State == history.Interrupted && a.Picture == nil
}

// answerOf returns the answer that a file of facts is about. The moment at
// which it was asked for tells it from one of another store with its numbers.
func (s *Service) answerOf(ctx context.Context, store history.Store, pictureStore *pictures.Store,
	name string) (pictureFacts, history.Answer, bool) {
	b, err := pictureStore.Facts(name)
	if err != nil {
		return pictureFacts{}, history.Answer{}, false
	}
	f, ok := decodeFacts(b)
	if !ok {
		return pictureFacts{}, history.Answer{}, false
	}
	a, err := store.Answer(ctx, f.Answer)
	if err != nil || a.Turn != f.Turn || a.Model != f.Model || a.Sample != f.Sample ||
		a.Queued.UnixMilli() != f.Asked.UnixMilli() {
		return pictureFacts{}, history.Answer{}, false
	}
	return f, a, true
}

// sha returns the sha256 in hexadecimal.
func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Close ends everything: what runs becomes interrupted and is stored, what was
// deleted is really deleted, the connection and the store are closed. It
// returns when all that is done or the context ends, whichever is first; what
// is closed is closed in either case. Later calls do nothing.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
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
	if s.Unsaved() > 0 {
		_, err := s.SaveAgain(ctx)
		failed = errors.Join(failed, err)
	}
	if link, ok := s.link.take(ctx); ok && link.Close != nil {
		if err := link.Close(ctx); err != nil {
			failed = errors.Join(failed, fmt.Errorf("close the connection: %w", err))
		}
	}
	if store, ok := s.store.take(ctx); ok {
		failed = errors.Join(failed, s.closeStore(ctx, store))
	}
	s.mu.Lock()
	scratch := s.scratch
	s.mu.Unlock()
	if scratch != "" {
		if err := os.RemoveAll(scratch); err != nil {
			failed = errors.Join(failed, fmt.Errorf("remove the temporary pictures: %w", err))
		}
	}
	return failed
}

// closeStore deletes for good what this service deleted, and closes the store.
func (s *Service) closeStore(ctx context.Context, store history.Store) error {
	s.mu.Lock()
	deleted := len(s.trashed) > 0
	s.mu.Unlock()
	var failed error
	if deleted {
		if _, err := s.purge(ctx, store, 0); err != nil {
			failed = fmt.Errorf("purge what was deleted: %w", err)
		}
	}
	if err := store.Close(); err != nil {
		failed = errors.Join(failed, fmt.Errorf("close the history: %w", err))
	}
	return failed
}
