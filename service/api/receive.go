package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	// maxHead is how much of a body the record of a call keeps, in bytes.
	maxHead = 2 << 10
	// maxRefusal is how much is read of the body of a refusal, in bytes.
	maxRefusal = 64 << 10
	// refusalWait is how long is waited for the body of a refusal.
	refusalWait = 5 * time.Second
	// pieceSize is how much memory is made at a time for a body, in bytes.
	pieceSize = 1 << 20
	// reportInterval is the shortest time between two reports of bytes received.
	reportInterval = 50 * time.Millisecond
)

var errTooLarge = errors.New("body is larger than the limit")

// receive reads the body of an answer within the limits, decompressed. Of a refusal it takes what comes in a short
// time.
func (k *call) receive(parent, ctx context.Context, w *watch, n int, answer *http.Response) ([]byte, *Error) {
	success := answer.StatusCode == http.StatusOK
	if answer.StatusCode == http.StatusSwitchingProtocols {
		return nil, nil // what follows is no body
	}
	limit := k.limits.JSON
	if k.request.Model.Kind != Text {
		limit = k.limits.Image
	}
	wait := k.limits.FirstByte
	if !success {
		limit, wait = maxRefusal, min(wait, refusalWait)
	} else if answer.ContentLength > limit {
		return nil, k.tooLarge(limit)
	}
	w.enter(phaseSilence, wait)
	source := &countingReader{r: answer.Body}
	report := k.reporter(n)
	source.each = func(int64) {
		if success {
			w.enter(phaseSilence, wait)
		}
	}
	body, err := k.decode(answer, source, limit, report)
	if !success && parent.Err() == nil {
		return body, nil
	}
	if err != nil {
		return nil, k.bodyError(parent, ctx, answer, source, err, limit)
	}
	return body, nil
}

// decode reads to the end, through gzip where the answer says that it is compressed. It was not asked to be, but it
// does no harm either.
func (k *call) decode(answer *http.Response, source *countingReader, limit int64, report func(int64)) (body []byte,
	err error) {
	defer func() {
		k.exchange.Head = k.head(body)
	}()
	var r io.Reader = source
	switch encoding := strings.ToLower(strings.TrimSpace(strings.Join(answer.Header.Values("Content-Encoding"),
		","))); encoding {
	case "", "identity":
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(source)
		if errors.Is(err, io.EOF) && source.n == 0 {
			return nil, source.err // nothing at all
		}
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
	default:
		return nil, &encodingError{encoding}
	}
	body, err = readAll(r, limit, func(n int64) {
		k.exchange.Received = n
		report(n)
	})
	k.observe(Progress{Received: k.exchange.Received, Attempt: k.exchange.Attempts})
	return body, err
}

// encodingError names a compression that is not understood.
type encodingError struct{ name string }

// Error names the compression.
func (e *encodingError) Error() string { return "content encoding " + e.name }

// reporter returns a function that reports bytes received, not too often.
func (k *call) reporter(n int) func(int64) {
	var last time.Time
	return func(received int64) {
		if now := time.Now(); now.Sub(last) >= reportInterval {
			last = now
			k.observe(Progress{Received: received, Attempt: n})
		}
	}
}

// countingReader counts the bytes of a body before decompression and remembers why it ended.
type countingReader struct {
	r    io.Reader
	n    int64
	err  error // nil for a proper end
	each func(int64)
}

// Read reads on.
func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	if n > 0 {
		c.each(c.n)
	}
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// readAll reads to the end, and stops with errTooLarge past the limit. What was read is returned with every error but
// that one, of which only the beginning is. It holds pieces instead of growing a slice, so that a body takes no more
// than twice its size.
func readAll(r io.Reader, limit int64, each func(int64)) ([]byte, error) {
	var pieces [][]byte
	var total int64
	piece := make([]byte, 0, 8<<10)
	for {
		if len(piece) == cap(piece) {
			pieces = append(pieces, piece)
			piece = make([]byte, 0, min(2*cap(piece), pieceSize))
		}
		n, err := r.Read(piece[len(piece):cap(piece)])
		piece = piece[:len(piece)+n]
		total += int64(n)
		if n > 0 {
			each(total)
		}
		if total > limit {
			return append(pieces, piece)[0], errTooLarge
		}
		if err == io.EOF {
			err = nil
		} else if err == nil {
			continue
		}
		if len(pieces) == 0 {
			return piece, err
		}
		return bytes.Join(append(pieces, piece), nil), err
	}
}

// head returns the beginning of a body for the record of a call. It is masked before it is cut, and what may be the
// beginning of a key that lies across the cut is left out.
func (c *Client) head(body []byte) string {
	var b strings.Builder
	w := c.mask.Writer(&b)
	_, _ = w.Write(body[:min(len(body), 2*maxHead)])
	if len(body) <= 2*maxHead {
		_ = w.Close()
	}
	s := strings.ToValidUTF8(b.String(), "\uFFFD")
	return strings.ToValidUTF8(s[:min(len(s), maxHead)], "")
}
