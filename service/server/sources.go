package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"golang.org/x/sync/semaphore"

	"confab/internal/fetch"
	"confab/service/api"
)

// maxPicture is the size, in bytes, of the largest source.
const maxPicture = 64 << 20

// maxSourcePixels is the size of the largest source that is decoded.
const maxSourcePixels = 40_000_000

// sourceMemory is the number of bytes of sources that all requests together may hold, while they arrive and until they
// are edited.
const sourceMemory = 256 << 20

// localScheme begins the imageUrl of a picture of [LocalPictures].
const localScheme = "picture:"

// LocalPictures are pictures that requests from within the process may name as the imageUrl of an edit, each under a
// name that nobody can guess. It is safe for concurrent use.
type LocalPictures struct {
	mu    sync.Mutex
	byURL map[string]func(context.Context) ([]byte, error)
}

// Add returns the imageUrl under which read returns a picture until release is called.
func (l *LocalPictures) Add(read func(context.Context) ([]byte, error)) (url string, release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byURL == nil {
		l.byURL = map[string]func(context.Context) ([]byte, error){}
	}
	url = localScheme + rand.Text() // 128 random bits or more
	l.byURL[url] = read
	return url, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.byURL, url)
	}
}

// read returns a picture that was added, and nothing for any other URL.
func (l *LocalPictures) read(ctx context.Context, url string, memory *reservation) ([]byte, error) {
	l.mu.Lock()
	read := l.byURL[url]
	l.mu.Unlock()
	if read == nil {
		return nil, errors.New("there is no local picture of this name")
	}
	b, err := read(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(b) > maxPicture:
		return nil, errTooLarge
	}
	return b, memory.take(int64(len(b)))
}

// reservation is the part of the memory for sources that one request holds.
type reservation struct {
	memory *semaphore.Weighted
	held   int64
}

// read reads the bytes of a source, at most [maxPicture], and takes memory for them. It does not wait for memory: those
// who wait would hold what others wait for.
func (r *reservation) read(from io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(reservedReader{from, r}, maxPicture+1))
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	if len(b) > maxPicture {
		return nil, errTooLarge
	}
	return b, nil
}

// reservedReader takes memory for everything it reads.
type reservedReader struct {
	io.Reader
	reservation *reservation
}

// Read implements [io.Reader].
func (r reservedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if busy := r.reservation.take(int64(n)); busy != nil {
		return 0, busy
	}
	return n, err
}

// take takes memory, or fails at once where there is none.
func (r *reservation) take(n int64) error {
	if !r.memory.TryAcquire(n) {
		return errBusy
	}
	r.held += n
	return nil
}

// release gives the memory back.
func (r *reservation) release() { r.memory.Release(r.held) }

// Why a source was not read to its end.
var (
	errBusy     = errors.New("no memory for the source")
	errTooLarge = errors.New("larger than the limit")
)

// source returns the picture that an edit starts from, judged. It takes memory from the reservation.
func (s *Server) source(ctx context.Context, url string, memory *reservation) (b []byte, err error) {
	const status = http.StatusUnprocessableEntity
	if s.LocalPictures != nil && strings.HasPrefix(url, localScheme) {
		b, err = s.LocalPictures.read(ctx, url, memory)
	} else {
		b, err = s.fetcher.Get(ctx, url, maxPicture, memory.read)
	}
	var failure *fetch.Error
	switch {
	case errors.Is(err, errBusy):
		return nil, busy()
	case errors.Is(err, errTooLarge), errors.Is(err, fetch.ErrTooLarge):
		return nil, refuse(status, api.CodeTooLarge, "The source picture is larger than 64 MiB.")
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil: // the same answer for a refused address and for a dead one
		why := ""
		if errors.As(err, &failure) && s.Fetch.AllowsLoopback { // only the owner asks
			why = ": " + failure.OwnerClause
		} else if failure != nil && failure.Clause != "" {
			why = ": " + failure.Clause
		}
		return nil, refuse(status, api.CodeImageUnreachable, "The imageUrl could not be fetched%s.", why)
	}
	err = judgeSource(ctx, b)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, errTooLarge):
		return nil, refuse(status, api.CodeTooLarge, "The source picture has more than 40 megapixels.")
	case err != nil:
		return nil, refuse(status, api.CodeBadImage, "The imageUrl is not a whole PNG or JPEG picture.")
	}
	return b, nil
}

// judgeSource judges a picture that a client sent or named. The error is errTooLarge for one with more than
// [maxSourcePixels].
func judgeSource(ctx context.Context, b []byte) error {
	facts, err := api.JudgeImage(ctx, b, maxSourcePixels)
	if err == nil && facts.IsTooLarge || api.CodeOf(err) == api.CodeTooLarge {
		return errTooLarge
	}
	return err
}
