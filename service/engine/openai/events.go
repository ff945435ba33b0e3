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

// serverError is an error that a server reported inside a successful answer.
type serverError struct {
	status  int // HTTP status that the error names, 0 for none
	message string
}

func (e *serverError) Error() string { return e.message }

// errDone is the end of a stream that says so.
var errDone = errors.New("[DONE]")

// errNoEvents says that a body is neither an event stream nor JSON.
var errNoEvents = errors.New("the answer is neither an event stream nor JSON")

// eventReader reads the JSON values of an answer: the data of server-sent events, or values that stand alone. It takes
// every form of line end, comments, a byte order mark, and events whose data is no JSON, which it passes over.
type eventReader struct {
	body     *bufio.Reader
	maxBytes int // of one event
	skipLF   bool
	hasBegun bool
	hasData  bool
	isJSON   bool // the body is values without events
	values   *json.Decoder
	head     headBuffer // of such a body, up to its first value
	name     string
	data     []byte   // of the event, as far as it came
	other    []byte   // the beginning of what is no event
	rest     [][]byte // values that were read and not returned yet
	ended    error
}

func newEventReader(body io.Reader, maxBytes int) *eventReader {
	return &eventReader{body: bufio.NewReader(body), maxBytes: maxBytes}
}

// next returns the next JSON value, an object or an array. The error is errDone for an announced end, io.EOF for one
// that nobody announced, and a [serverError] for an event that says by its name that it is one.
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
			return false // it comes again with the next call
		}
		if !bytes.Contains([]byte(" \t\r\n"), first) {
			return first[0] == '{' || first[0] == '['
		}
		_, _ = e.body.Discard(1) // it was peeked at
	}
}

// nextValue returns the next value of a body without events.
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

// readValue reads one value, or where the first cannot be read as it stands, all that follows.
func (e *eventReader) readValue() {
	if e.values == nil {
		e.values = json.NewDecoder(io.TeeReader(e.body, &e.head))
	}
	var value json.RawMessage
	err := e.values.Decode(&value)
	if err == nil {
		e.head.isClosed, e.hasData = true, true
		e.rest = append(e.rest, value)
		return
	}
	var syntax *json.SyntaxError
	switch isSyntax := errors.As(err, &syntax); {
	case isSyntax && e.hasData:
		err = io.EOF // what follows an answer and is none does not count
	case isSyntax:
		_, _ = io.Copy(&e.head, e.body) // what is cut is no JSON either
		if mended := withoutOddNumbers(e.head.Bytes()); json.Valid(mended) {
			e.rest = append(e.rest, mended)
			err = io.EOF
		}
	}
	e.ended = err
}

// headBuffer is a buffer that takes nothing more once it is closed.
type headBuffer struct {
	bytes.Buffer
	isClosed bool
}

// Write implements [io.Writer].
func (b *headBuffer) Write(p []byte) (int, error) {
	if b.isClosed {
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

// takeLine takes a line of an event. It returns the value or the error that is complete with it.
func (e *eventReader) takeLine(line []byte) ([]byte, error) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch {
	case len(line) == 0:
		return e.endEvent()
	case line[0] == '{': // an object without the word data
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

// takeData takes a line of data. An event is complete when its data is, so that nobody waits for the line after it.
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

// value returns a value, or the error that it is by the name of its event.
func (e *eventReader) value(raw []byte) ([]byte, error) {
	if e.name == "error" {
		return nil, errorOf(raw)
	}
	return raw, nil
}

// endEvent judges data that is not complete JSON when its event ends: a value with the numbers that only JavaScript
// knows, a value that is damaged, or something else, which is passed over.
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

// end judges the end of the body.
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
			return line, err //nolint:wrapcheck // judged by client.failure
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

// withoutOddNumbers replaces NaN and Infinity outside of strings, which some servers write, by null.
func withoutOddNumbers(raw []byte) []byte {
	odd := regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b`)
	return odd.ReplaceAllFunc(raw, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return []byte("null")
	})
}

// errorOf returns the error that a text or a JSON value is.
func errorOf(raw []byte) error {
	message := messageOf(raw)
	if message == "" && !json.Valid(raw) {
		message = cleanLine(string(raw))
	}
	return &serverError{statusOf(objectOf(raw)), strings.TrimSpace(message)}
}
