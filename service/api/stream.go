package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tmaxmax/go-sse"

	"confab/internal/chat"
	"confab/internal/format"
)

const (
	// maxEvent is the size of the largest event of a stream, in bytes.
	maxEvent = 1 << 20
	// maxOverhead bounds what is read of a stream in all, as a multiple of the limit on its text: events of one
	// character each take about 32 bytes for it.
	maxOverhead = 32
)

// isStream reports whether an answer is a stream that was asked for.
func (k *call) isStream(answer *http.Response) bool {
	label, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	return answer.StatusCode == http.StatusOK && label == EventStream && k.request.IsStreamed &&
		k.request.Model.Kind == Text
}

// receiveStream reads a streamed answer within the limits and reports it as it grows. With a failure, the response
// holds what came until then.
func (k *call) receiveStream(parent, ctx context.Context, w *watch, answer *http.Response) (Response, *Error) {
	w.enter(phaseSilence, k.limits.Silence)
	source := &countingReader{r: answer.Body, each: func(int64) { w.enter(phaseSilence, k.limits.Silence) }}
	s := &stream{call: k, ctx: parent, header: answer.Header}
	s.text, s.reasoning = newStreamText(k.mask), newStreamText(k.mask)
	decoded, err := decompress(answer.Header, source)
	if err == nil {
		err = s.readEvents(decoded)
	}
	if p, isNews := s.progress(); isNews {
		k.observe(p)
	}
	k.exchange.Head = k.head(s.head)
	failure := s.failure
	switch {
	case failure != nil || s.isDone:
	case parent.Err() == nil && (err == nil || errors.Is(err, bufio.ErrTooLong)):
		failure = s.brokeOff(err)
	default:
		failure = k.bodyError(parent, ctx, answer, source, err, k.limits.JSON)
	}
	if failure != nil && failure.Status == 0 {
		failure.Status = answer.StatusCode
	}
	s.response.Text = s.text.masked.String()
	s.response.IsMasked = s.response.IsMasked || s.text.writer.HasMasked()
	s.response.Reasoning = s.reasoning.masked.String()
	if s.response.IsMasked && s.response.Image == nil {
		s.response.SHA256 = s.text.sum()
	}
	s.response.Status = answer.StatusCode
	k.addFacts(&s.response, answer.Header)
	return s.response, failure
}

// stream is a streamed answer that is being read.
type stream struct {
	*call
	ctx             context.Context // of the call, for decoding a picture
	header          http.Header
	text, reasoning *streamText
	response        Response // all but its texts
	dropsText       bool     // since the last report
	image           []byte   // base64 of the picture so far
	isDone          bool     // the event done came
	failure         *Error   // why nothing more is read

	head     []byte // what came first
	received int64  // bytes, decoded
	ended    error  // why the body ended
	reported time.Time
}

// readEvents reads until an event ends the answer. The error is nil for the end of the body, and errTooLarge past the
// limits.
func (s *stream) readEvents(r io.Reader) error {
	for event, err := range sse.Read(streamReader{s, r}, &sse.ReadConfig{MaxEventSize: maxEvent}) {
		data := []byte(event.Data)
		switch event.Type {
		case EventDelta, EventReasoning:
			text, part := s.text, Members(data, "text")["text"]
			if event.Type == EventReasoning {
				text = s.reasoning
			}
			if len(part) == 0 || part[0] != '"' {
				s.failure = s.fail(CodeBadResponse, nil, "A part of the answer is not what the service promises: "+
					"try again, or try another model.")
			} else if !text.add(part[1:len(part)-1], s.limits.JSON-s.text.length-s.reasoning.length) {
				err = errTooLarge
			}
		case EventDropText:
			s.text, s.dropsText = newStreamText(s.mask), true
		case EventQueue:
			if ms, ok := integer(Members(data, "ms")["ms"]); ok && ms > 0 {
				s.response.QueueWait = time.Duration(ms) * time.Millisecond
			}
		case EventImage:
			s.image = append(s.image, textOf(Members(data, "data")["data"])...)
			if int64(len(s.image)) > s.limits.Image/3*4+4 {
				err = errTooLarge
			}
		case EventUsage:
			s.response.Usage = readUsage(data)
		case EventDone:
			s.finish(data)
		case EventError:
			status, ok := integer(Members(data, "status")["status"])
			if !ok {
				status = http.StatusInternalServerError
			}
			s.failure = s.statusError(status, fmt.Sprintf("status %d in the stream", status), s.header, data)
		}
		if err != nil || s.isDone || s.failure != nil {
			if s.ended != nil && !errors.Is(err, errTooLarge) {
				err = s.ended // the library has an error of its own for a last line that the end of the body cut
			}
			if err == io.EOF {
				err = nil
			}
			return err
		}
	}
	return nil
}

// streamReader reads the body of a stream. Before each read, which may have to wait, it reports what the reads before
// it brought.
type streamReader struct {
	*stream
	r io.Reader
}

// Read implements [io.Reader].
func (r streamReader) Read(b []byte) (int, error) {
	if p, isNews := r.progress(); isNews {
		r.observe(p)
	}
	n, err := r.r.Read(b)
	r.head = append(r.head, b[:min(n, 2*maxHead-len(r.head))]...)
	r.received += int64(n)
	r.exchange.Received = r.received
	if r.received > maxOverhead*r.limits.JSON {
		err = errTooLarge
	}
	r.ended = err
	return n, err
}

// progress returns what the answer grew by since the last report. That only bytes were received is news from time to
// time.
func (s *stream) progress() (p Progress, isNews bool) {
	p = Progress{Received: s.received, Attempt: s.exchange.Attempts, Text: s.text.unreported(),
		Reasoning: s.reasoning.unreported(), DropsText: s.dropsText, QueueWait: s.response.QueueWait}
	s.dropsText = false
	now := time.Now()
	if p.Text == "" && p.Reasoning == "" && !p.DropsText && (s.received == 0 || now.Sub(s.reported) < reportInterval) {
		return p, false
	}
	s.reported = now
	return p, true
}

// finish compares the whole text with what the event done says of it.
func (s *stream) finish(data []byte) {
	s.text.end()
	s.reasoning.end()
	top := Members(data, "status", "data")
	status, ok := integer(top["status"])
	if ok && status != http.StatusOK {
		s.failure = s.statusError(status, fmt.Sprintf("status %d in the stream", status), s.header, data)
		return
	}
	said := Members(top["data"], "model", "length", "sha256", "finish", "engine", "engine_model", "note")
	length, hasLength := countOf(said["length"])
	sum := textOf(said["sha256"])
	switch {
	case !ok || !hasLength || sum == "":
		s.failure = s.fail(CodeBadResponse, nil, "The end of the answer is not what the service promises: try again.")
		return
	case int64(length) != s.text.length || !strings.EqualFold(sum, s.text.sum()):
		s.failure = s.fail(CodeBadResponse, nil, "The answer is not the one that the service sent, which says that "+
			"it has %s, and %s came: something between changed it, try again.", format.Count(length, "byte"),
			format.Count(int(s.text.length), "byte"))
		return
	}
	r := &s.response
	if len(s.image) > 0 {
		if s.failure = s.addImage(s.ctx, r, string(s.image)); s.failure != nil {
			return
		}
	}
	s.isDone = true
	r.ServedModel = s.servedModel(said["model"])
	r.Finish = s.finishOf(said["finish"])
	r.Engine, r.EngineModel = s.line(textOf(said["engine"])), s.line(textOf(said["engine_model"]))
	r.Note = s.line(textOf(said["note"]))
}

// brokeOff judges a stream that has no end, or an event that does.
func (s *stream) brokeOff(err error) *Error {
	switch what := sniff(s.head); {
	case what == isHTML:
		return s.webPage(CodeBadResponse, s.head)
	case what == isEmpty:
		return s.fail(CodeBadResponse, nil, "The service answered with nothing at all: check that base_url is the "+
			"address of the service.")
	case !beginsAsEvents(s.head):
		return s.fail(CodeBadResponse, nil, "The service answered with %s where a stream of events belongs: check "+
			"that base_url is the address of the service.", what)
	case err != nil:
		return s.fail(CodeBadResponse, err, "A part of the answer is larger than %s: the service is at fault.",
			size(maxEvent))
	}
	return s.fail(CodeBadResponse, nil, "The answer broke off after %s of text, before the service had said that it "+
		"is whole: try again.", format.Count(int(s.text.length), "byte"))
}

// beginsAsEvents tells whether bytes begin as a stream of events does.
func beginsAsEvents(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), "\r\n")
	return slices.ContainsFunc([]string{":", "event", "data", "id", "retry"}, func(s string) bool {
		return bytes.HasPrefix(b, []byte(s))
	})
}

// textOf returns the string that a JSON text is, or an empty one.
func textOf(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// finishOf returns the reason for which a model stopped writing, empty for what is none.
func (c *Client) finishOf(raw json.RawMessage) chat.FinishReason {
	return chat.ParseFinishReason(c.mask.String(textOf(raw)))
}

// countOf reads a number of things, also one that is written as 3.0 or "3".
func countOf(raw json.RawMessage) (int, bool) {
	n, err := strconv.ParseFloat(string(bytes.Trim(raw, `"`)), 64)
	return int(n), err == nil && n >= 0 && n <= math.MaxInt32 && n == math.Trunc(n)
}

// readUsage reads a count of tokens; what is no count stays unknown.
func readUsage(raw json.RawMessage) chat.Usage {
	said := Members(raw, "input_tokens", "output_tokens", "reasoning_tokens", "cost")
	count := func(name string) int {
		if n, ok := countOf(said[name]); ok {
			return n
		}
		return 0
	}
	var cost float64
	if json.Unmarshal(said["cost"], &cost) != nil || cost < 0 {
		cost = 0
	}
	return chat.Usage{InputTokens: count("input_tokens"), OutputTokens: count("output_tokens"),
		ReasoningTokens: count("reasoning_tokens"), Cost: cost}
}
