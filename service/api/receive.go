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
	// firstPiece and maxPiece are how much memory is made at a time for a body, in bytes.
	firstPiece, maxPiece = 8 << 10, 1 << 20
	// reportInterval is the shortest time between two reports of bytes received.
	reportInterval = 50 * time.Millisecond
)

var errTooLarge = errors.New("body is larger than the limit")

// receive reads the body of an answer within the limits, decompressed. Of a refusal it takes what comes in a short
// time.
func (k *call) receive(parent, ctx context.Context, w *watch, answer *http.Response) ([]byte, *Error) {
	success := answer.StatusCode == http.StatusOK
	if answer.StatusCode == http.StatusSwitchingProtocols {
		return nil, nil // what follows is no body
	}
	limit := k.limits.JSON
	if k.request.Model.Kind != Text {
		limit = k.limits.Image
	}
	wait := k.limits.Silence
	if !success {
		limit, wait = maxRefusal, min(wait, refusalWait)
	} else if answer.ContentLength > limit {
		return nil, k.tooLarge(limit)
	}
	w.enter(phaseSilence, wait)
	source := &countingReader{r: answer.Body, each: func(int64) {
		if success {
			w.enter(phaseSilence, wait)
		}
	}}
	var body []byte
	decoded, err := decompress(answer.Header, source)
	if err == nil {
		body, err = k.readAll(decoded, limit)
	}
	k.exchange.Head = k.head(body)
	if !success && parent.Err() == nil {
		return body, nil
	}
	if err != nil {
		return nil, k.bodyError(parent, ctx, answer, source, err, limit)
	}
	return body, nil
}

// decompress returns the body of an answer, through gzip where the header says that it is compressed. That was not
// asked for, but it does no harm.
func decompress(header http.Header, source *countingReader) (io.Reader, error) {
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(header.Values("Content-Encoding"), ",")))
	switch encoding {
	case "", "identity":
		return source, nil
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(source)
		if errors.Is(err, io.EOF) && source.n == 0 {
			return bytes.NewReader(nil), source.err // the body is empty
		}
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return r, nil
	}
	return nil, &encodingError{encoding}
}

// encodingError names a compression that is not understood.
type encodingError struct{ name string }

// Error names the compression.
func (e *encodingError) Error() string { return "content encoding " + e.name }

// readAll reads to the end, reports the bytes received, not too often, and stops with errTooLarge past the limit. What
// was read is returned with an error too; with errTooLarge only the beginning is.
func (k *call) readAll(r io.Reader, limit int64) ([]byte, error) {
	var last time.Time
	report := func(n int64) {
		k.exchange.Received = n
		if now := time.Now(); now.Sub(last) >= reportInterval {
			last = now
			k.observe(Progress{Received: n, Attempt: k.exchange.Attempts})
		}
	}
	r = &countingReader{r: r, each: report}
	var pieces [][]byte // so that a body takes no more than twice its size, which a growing slice would
	for total := int64(0); ; {
		piece := make([]byte, min(firstPiece<<min(len(pieces), 7), maxPiece))
		n, err := io.ReadFull(r, piece)
		pieces = append(pieces, piece[:n])
		if total += int64(n); total > limit {
			return pieces[0], errTooLarge
		}
		if err == nil {
			continue
		}
		k.observe(Progress{Received: k.exchange.Received, Attempt: k.exchange.Attempts})
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = r.(*countingReader).err
		}
		return bytes.Join(pieces, nil), err
	}
}

// countingReader counts the bytes that it reads and remembers why it ended.
type countingReader struct {
	r    io.Reader
	n    int64
	err  error // nil for a proper end
	each func(n int64)
}

// Read implements [io.Reader].
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
