package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// serverError is an error that a server reports inside a successful response.
type serverError struct {
	status  int // HTTP status in the error, 0 for none
	message string
}

func (e *serverError) Error() string { return e.message }

// errDone means that the stream ended with its end marker.
var errDone = errors.New("[DONE]")

// errNoEvents means that a body is neither an event stream nor JSON.
var errNoEvents = errors.New("the answer is neither an event stream nor JSON")

// eventReader reads the JSON values of a response: the data of server-sent events, or separate values. It accepts all
// line ends, comments and a byte order mark, and skips events whose data is not JSON.
type eventReader struct {
	body     *bufio.Reader
	maxBytes int // of one event
	skipLF   bool
	hasBegun bool
	hasData  bool
	isJSON   bool // the body is JSON without events
	values   *json.Decoder
	head     bytes.Buffer // what was read of a JSON body
	name     string
	data     []byte   // of the current event
	other    []byte   // the beginning of lines outside of events
	rest     [][]byte // values read but not returned yet
	ended    error
}

func newEventReader(body io.Reader, maxBytes int) *eventReader {
	return &eventReader{body: bufio.NewReader(body), maxBytes: maxBytes}
}

// next returns the next JSON object or array. The error is errDone at an end marker, io.EOF at an end without one,
// and a [serverError] for an event named as an error.
func (e *eventReader) next() ([]byte, error) {
	if !e.hasBegun {
		e.hasBegun = true
		e.isJSON = e.beginsWithJSON()
	}
	if e.isJSON {
		return e.nextValue()
	}
	for {
		line, err := e.readLine()
		if err != nil && len(line) == 0 {
			return e.end(err)
		}
		if value, failure := e.takeLine(line); value != nil || failure != nil {
			return value, failure
		}
	}
}

// beginsWithJSON skips a byte order mark and white space, and reports whether a JSON value follows.
func (e *eventReader) beginsWithJSON() bool {
	if mark, _ := e.body.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, _ = e.body.Discard(3) // it was peeked at
	}
	for {
		first, err := e.body.Peek(1)
		if err != nil {
			return false // the next call returns the error again
		}
		if !bytes.Contains([]byte(" \t\r\n"), first) {
			return first[0] == '{' || first[0] == '['
		}
		_, _ = e.body.Discard(1) // it was peeked at
	}
}

// nextValue returns the next value of a JSON body.
func (e *eventReader) nextValue() ([]byte, error) {
	if e.ended == nil {
		e.readValue()
	}
	if len(e.rest) == 0 {
		return nil, e.ended
	}
	value := e.rest[0]
	e.rest = e.rest[1:]
	return value, nil
}

// readValue reads one value, or the rest of the body if its first value is invalid.
func (e *eventReader) readValue() {
	if e.values == nil {
		e.values = json.NewDecoder(io.TeeReader(e.body, &e.head))
	}
	var value json.RawMessage
	err := e.values.Decode(&value)
	if err == nil {
		e.hasData = true
		e.rest = append(e.rest, value)
		return
	}
	var syntax *json.SyntaxError
	switch isSyntax := errors.As(err, &syntax); {
	case isSyntax && e.hasData:
		err = io.EOF // ignores invalid text after an answer
	case isSyntax:
		_, _ = io.Copy(&e.head, e.body) // a cut body is invalid JSON too
		if mended := withoutOddNumbers(e.head.Bytes()); json.Valid(mended) {
			e.rest = append(e.rest, mended)
			err = io.EOF
		}
	}
	e.ended = err
}

// takeLine adds a line to the event. It returns the value or error that the line completes.
func (e *eventReader) takeLine(line []byte) ([]byte, error) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch {
	case len(line) == 0:
		return e.endEvent()
	case line[0] == '{': // an object without the field name "data:"
		return e.takeData(line)
	case string(name) == "event":
		e.name = string(value)
	case string(name) == "error":
		return nil, errorOf(value)
	case string(name) == "data":
		e.hasData = true
		return e.takeData(value)
	default:
		if len(e.other)+len(line) < maxErrorBytes {
			e.other = append(append(e.other, line...), '\n')
		}
	}
	return nil, nil
}

// takeData adds a line of data. It returns the data as soon as it is complete, without waiting for the end of the
// event.
func (e *eventReader) takeData(line []byte) ([]byte, error) {
	if string(bytes.Trim(line, `"`)) == "[DONE]" {
		return nil, errDone
	}
	if isContainer(line) && json.Valid(line) {
		e.data = nil
		return e.value(bytes.Clone(line))
	}
	if len(e.data)+len(line) > e.maxBytes {
		return nil, &http.MaxBytesError{Limit: int64(e.maxBytes)}
	}
	if len(e.data) > 0 {
		e.data = append(e.data, '\n')
	}
	e.data = append(e.data, line...)
	if line = bytes.Clone(e.data); isContainer(line) && json.Valid(line) {
		e.data = nil
		return e.value(line)
	}
	return nil, nil
}

// value returns a value, or an error if the event is named as one.
func (e *eventReader) value(raw []byte) ([]byte, error) {
	if e.name == "error" {
		return nil, errorOf(raw)
	}
	return raw, nil
}

// endEvent handles incomplete JSON at the end of an event: it converts numbers that only JavaScript knows, reports
// damaged values, and skips other data.
func (e *eventReader) endEvent() ([]byte, error) {
	data, name := e.data, e.name
	e.data, e.name = nil, ""
	switch {
	case len(data) == 0:
		return nil, nil
	case name == "error":
		return nil, errorOf(data)
	case !isContainer(data):
		return nil, nil
	}
	if mended := withoutOddNumbers(data); json.Valid(mended) {
		return mended, nil
	}
	return nil, errors.New("an event is no JSON")
}

// end handles the end of the body.
func (e *eventReader) end(err error) ([]byte, error) {
	if errors.Is(err, io.EOF) {
		value, failure := e.endEvent()
		var said *serverError
		switch {
		case failure != nil && !errors.As(failure, &said):
			return nil, io.ErrUnexpectedEOF
		case value != nil || failure != nil:
			return value, failure
		case !e.hasData:
			return nil, errNoEvents
		}
	}
	return nil, err
}

// readLine returns the next line without its end: a line feed, a carriage return or both.
func (e *eventReader) readLine() (line []byte, err error) {
	for {
		if _, err := e.body.Peek(1); err != nil {
			return line, err //nolint:wrapcheck // client.failure converts it
		}
		buffered, _ := e.body.Peek(e.body.Buffered())
		if e.skipLF && buffered[0] == '\n' {
			e.skipLF = false
			_, _ = e.body.Discard(1) // it was peeked at
			continue
		}
		e.skipLF = false
		at := bytes.IndexAny(buffered, "\r\n")
		if at < 0 {
			line = append(line, buffered...)
			_, _ = e.body.Discard(len(buffered)) // it was peeked at
			if len(line) > e.maxBytes {
				return nil, &http.MaxBytesError{Limit: int64(e.maxBytes)}
			}
			continue
		}
		e.skipLF = buffered[at] == '\r'
		line = append(line, buffered[:at]...)
		_, _ = e.body.Discard(at + 1) // it was peeked at
		return line, nil
	}
}

func isContainer(b []byte) bool { return len(b) > 0 && (b[0] == '{' || b[0] == '[') }

// withoutOddNumbers replaces NaN and Infinity outside of strings by null, since some servers write them.
func withoutOddNumbers(raw []byte) []byte {
	odd := regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b`)
	return odd.ReplaceAllFunc(raw, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return []byte("null")
	})
}

// errorOf returns a text or a JSON value as an error.
func errorOf(raw []byte) error {
	message := messageOf(raw)
	if message == "" && !json.Valid(raw) {
		message = cleanLine(string(raw))
	}
	return &serverError{statusOf(objectOf(raw)), strings.TrimSpace(message)}
}
