package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/sync/semaphore"

	"confab/internal/fetch"
	"confab/internal/netaddr"
	"confab/service/api"
)

// maxSourcePixels is the size of the largest source that is decoded.
const maxSourcePixels = 40_000_000

// sourceMemory is the number of bytes of sources that all requests together may hold, while they arrive and until they
// are edited.
const sourceMemory = 256 << 20

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
	if !r.reservation.memory.TryAcquire(int64(n)) {
		return 0, errBusy
	}
	r.reservation.held += int64(n)
	return n, err
}

// release gives the memory back.
func (r *reservation) release() { r.memory.Release(r.held) }

// Why a source was not read to its end.
var (
	errBusy     = errors.New("no memory for the source")
	errTooLarge = errors.New("larger than the limit")
)

// source returns the picture that an edit starts from, judged. It takes memory from the reservation.
func (s *Server) source(r *http.Request, raw string, memory *reservation) ([]byte, error) {
	const status = http.StatusUnprocessableEntity
	ctx := r.Context()
	b, err := s.ownPicture(r, raw, memory)
	if errors.Is(err, errNotOwn) {
		b, err = s.fetcher.Get(ctx, raw, maxPicture, memory.read)
	}
	var failure *fetch.Error
	switch {
	case errors.Is(err, errBusy):
		return nil, busy()
	case errors.Is(err, errTooLarge), errors.Is(err, fetch.ErrTooLarge):
		return nil, refuse(status, api.CodeTooLarge, "The source picture is larger than 64 MiB.")
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.As(err, &failure) && s.Fetch.AllowsLoopback: // only the owner asks
		return nil, refuseBecause(err, status, api.CodeImageUnreachable, "The imageUrl could not be fetched: %s.",
			failure.OwnerClause)
	case errors.As(err, &failure) && failure.Clause != "":
		return nil, refuseBecause(err, status, api.CodeImageUnreachable, "The imageUrl could not be fetched: %s.",
			failure.Clause)
	case err != nil: // the same answer for a refused address and for a dead one
		return nil, refuseBecause(err, status, api.CodeImageUnreachable, "The imageUrl could not be fetched.")
	}
	err = judgeSource(ctx, b)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, errTooLarge):
		return nil, refuse(status, api.CodeTooLarge, "The source picture has more than 40 megapixels.")
	case err != nil:
		return nil, refuseBecause(err, status, api.CodeBadImage, "The imageUrl is not a whole PNG or JPEG picture.")
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

var errNotOwn = errors.New("not a picture of this server")

// ownPicture reads a picture that this very server publishes from the disk, so that a loopback address needs no
// permission for it.
func (s *Server) ownPicture(r *http.Request, raw string, memory *reservation) ([]byte, error) {
	u, err := url.Parse(raw)
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if err != nil || local == nil || s.Files == nil || u.Scheme != "http" {
		return nil, errNotOwn
	}
	name, ok := strings.CutPrefix(u.Path, picturesPath)
	_, port, err := net.SplitHostPort(local.String())
	if !ok || err != nil || u.Port() != port || !netaddr.IsLoopback(u.Hostname()) {
		return nil, errNotOwn
	}
	return s.Files.read(name, memory)
}
