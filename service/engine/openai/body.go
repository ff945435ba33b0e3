package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
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
	switch {
	case res.StatusCode >= 400:
		limit = maxErrorBytes
	case strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream"):
		limit = maxStreamBytes
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

// serverError is an error that a server reported inside a successful answer.
type serverError struct{ message string }

func (e *serverError) Error() string { return e.message }

// errNoEvents says that a body is neither an event stream nor JSON.
var errNoEvents = errors.New("the answer is neither an event stream nor JSON")

// eventBody passes only the data lines of an event stream on. The SDK would keep every other line (comments, event
// names) as a part of an error message, give up after 300 of them, and lose errors that are not shaped like OpenAI's.
// A body that is one JSON value passes as a stream of one event. A stream without [DONE] ends in io.ErrUnexpectedEOF.
type eventBody struct {
	io.Closer
	lines    *bufio.Reader
	rest     []byte
	hasBegun bool
	hasData  bool
	isError  bool // the event is named so
}

func newEventBody(body io.ReadCloser) *eventBody {
	return &eventBody{Closer: body, lines: bufio.NewReader(body)}
}

// Read implements [io.Reader].
func (e *eventBody) Read(p []byte) (int, error) {
	if !e.hasBegun {
		e.hasBegun = true
		if err := e.readJSON(); err != nil {
			return 0, err
		}
	}
	for len(e.rest) == 0 {
		line, err := e.readLine()
		if name, ok := bytes.CutPrefix(line, []byte("event:")); ok {
			e.isError = string(bytes.TrimSpace(name)) == "error"
		}
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			e.hasData = true
			if data = bytes.TrimSpace(data); e.isError || bytes.HasPrefix(data, []byte(`{"error"`)) {
				return 0, &serverError{messageOf(data)}
			}
			e.rest = dataLine(data)
			break // an error of readLine comes again with the next call
		}
		switch {
		case errors.Is(err, io.EOF) && e.hasData:
			return 0, io.ErrUnexpectedEOF
		case errors.Is(err, io.EOF):
			return 0, errNoEvents
		case err != nil:
			return 0, err
		}
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func dataLine(data []byte) []byte { return fmt.Appendf(nil, "data: %s\n", data) }

// readJSON reads a body that begins as a JSON value, which no event stream does.
func (e *eventBody) readJSON() error {
	for {
		first, err := e.lines.Peek(1)
		if err != nil {
			return nil //nolint:nilerr // it comes again with the next call
		}
		if !bytes.Contains([]byte(" \t\r\n"), first) {
			break
		}
		_, _ = e.lines.Discard(1) // it was peeked at
	}
	if first, _ := e.lines.Peek(1); !bytes.Contains([]byte("{["), first) {
		return nil
	}
	body, err := io.ReadAll(e.lines)
	if err != nil {
		return err //nolint:wrapcheck // judged by client.failure
	}
	var data bytes.Buffer
	if err := json.Compact(&data, body); err != nil {
		return err //nolint:wrapcheck // judged by client.failure
	}
	if bytes.HasPrefix(data.Bytes(), []byte(`{"error"`)) {
		return &serverError{messageOf(body)}
	}
	e.rest = append(dataLine(data.Bytes()), "data: [DONE]\n"...)
	return nil
}

// readLine returns the next line without its end.
func (e *eventBody) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := e.lines.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxTextBytes {
			return nil, &http.MaxBytesError{Limit: maxTextBytes}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err //nolint:wrapcheck // judged by client.failure
		}
	}
}
