package service

import (
	"context"
	"sync/atomic"
	"time"

	"confab/internal/safego"
)

// The first and the longest pause before retrying failed uploads.
const (
	uploadPause    = time.Second
	maxUploadPause = 5 * time.Minute
)

// uploader uploads saved pictures to the bucket in the background.
type uploader struct {
	saved   chan struct{} // signals newly saved pictures; capacity 1
	closing chan struct{}
	ended   chan struct{}
	cancel  context.CancelFunc
	left    atomic.Int64
}

// startUploading starts the uploader once, if there is a bucket.
func (s *Service) startUploading(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.o.Pictures.Bucket == nil || !s.o.History.Saves || s.isClosing || s.uploads != nil {
		return
	}
	u := &uploader{saved: make(chan struct{}, 1), closing: make(chan struct{}), ended: make(chan struct{})}
	ctx, u.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.uploads = u
	safego.Go(s.o.Log, "upload", func() {
		defer close(u.ended)
		s.uploadPictures(ctx, u)
	}, nil)
}

func (s *Service) uploadPictures(ctx context.Context, u *uploader) {
	pause := uploadPause
	for {
		left, err := s.files.Upload(ctx)
		u.left.Store(int64(left))
		var again <-chan time.Time
		if err != nil && ctx.Err() == nil {
			s.o.Log.Warn("Could not upload pictures", "left", left, "error", err)
			again, pause = time.After(pause), min(2*pause, maxUploadPause)
		} else {
			pause = uploadPause
		}
		select {
		case <-u.saved:
			continue
		default:
		}
		select {
		case <-u.saved:
		case <-again:
		case <-u.closing:
			return
		case <-ctx.Done():
			return
		}
	}
}

// wakeUploader makes the uploader look for saved pictures.
func (s *Service) wakeUploader() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uploads == nil {
		return
	}
	select {
	case s.uploads.saved <- struct{}{}:
	default:
	}
}

// stopUploading waits until each saved picture was tried once, or the context ends. The next start uploads the
// remaining ones.
func (s *Service) stopUploading(ctx context.Context) {
	s.mu.Lock()
	u := s.uploads
	s.mu.Unlock()
	if u == nil {
		return
	}
	close(u.closing)
	select {
	case <-u.ended:
	case <-ctx.Done():
	}
	u.cancel()
	<-u.ended
}

// NotUploaded returns the number of pictures that are only on this machine because uploading failed. Uploads are
// retried, also after the next start.
func (s *Service) NotUploaded() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uploads == nil {
		return 0
	}
	return int(s.uploads.left.Load())
}
