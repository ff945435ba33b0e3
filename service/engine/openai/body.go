package openai

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
)

// limitTransport limits the response bodies of a transport.
type limitTransport struct {
	http.RoundTripper
	maxBody int64
}

// RoundTrip implements [http.RoundTripper].
func (t limitTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client above wraps it
	}
	limit := t.maxBody
	if res.StatusCode >= 400 {
		limit = maxErrorBytes
	}
	res.Body = http.MaxBytesReader(nil, res.Body, limit)
	return res, nil
}

// teeBody is a body whose bytes are copied while they are read.
type teeBody struct {
	io.Reader
	io.Closer
}

// headWriter keeps the first maxErrorBytes written to it.
type headWriter struct{ head *bytes.Buffer }

// Write implements [io.Writer].
func (w *headWriter) Write(p []byte) (int, error) {
	w.head.Write(p[:min(len(p), maxErrorBytes-w.head.Len())])
	return len(p), nil
}

// streamError is an error that a server reported inside its stream.
type streamError struct{ message string }

func (e *streamError) Error() string { return e.message }

// eventBody passes only the data lines of an event stream on. The SDK would keep every other line (comments, event
// names) as a part of an error message, give up after 300 of them, and lose errors that are not shaped like OpenAI's.
type eventBody struct {
	io.Closer
	lines *bufio.Reader
	rest  []byte
}

func newEventBody(body io.ReadCloser) *eventBody {
	return &eventBody{Closer: body, lines: bufio.NewReader(body)}
}

// Read implements [io.Reader].
func (e *eventBody) Read(p []byte) (int, error) {
	for len(e.rest) == 0 {
		line, err := e.lines.ReadBytes('\n')
		data, isData := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("data:"))
		if !isData && err == nil {
			continue
		}
		if isData {
			if data = bytes.TrimSpace(data); bytes.HasPrefix(data, []byte(`{"error"`)) {
				return 0, &streamError{messageOf(data)}
			}
			e.rest = append(line[:0:0], "data: "...)
			e.rest = append(append(e.rest, data...), '\n')
			break // an error of ReadBytes comes again with the next call
		}
		return 0, err //nolint:wrapcheck // io.EOF must stay itself
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}
