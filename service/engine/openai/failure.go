package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"confab/service/engine"
)

// judge is the failure that a call comes to, by the server's response where
// there was one: the client does not understand every server's errors.
func (s *server) judge(ctx context.Context, model string, raw *http.Response, err error) error {
	if raw != nil && raw.StatusCode >= 300 && ctx.Err() == nil {
		var body []byte
		if raw.StatusCode >= 400 {
			body, _ = io.ReadAll(raw.Body) // the client holds it in memory, at most maxError
		}
		return s.refused(raw.StatusCode, raw.Header, body, model)
	}
	if err != nil {
		return s.failure(ctx, err)
	}
	return nil
}

// failure says what the service should answer for an error of the client.
func (s *server) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var own *engine.Error
	if errors.As(err, &own) {
		return err
	}
	var within *ssestream.StreamError
	if errors.As(err, &within) {
		return s.fault("failed in the middle of its answer", errors.New(messageOf(within.Event.Data)))
	}
	fail := s.fault("answered with something that cannot be understood", err)
	var dial *net.OpError
	var name *net.DNSError
	switch {
	case errors.Is(err, errTooMuch):
		fail.Message = s.sentence("answered more than is accepted")
	case errors.As(err, &dial) && dial.Op == "dial", errors.As(err, &name):
		fail.Message, fail.Untouched = s.sentence("cannot be reached"), true
		fail.Down = true
	case errors.Is(err, context.DeadlineExceeded):
		fail.Status, fail.Code, fail.Message = 504, "timeout", s.sentence("took too long")
	case errors.As(err, &dial), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		fail.Message = s.sentence("broke off")
	}
	return fail
}

// sentence begins with the engine's name.
func (s *server) sentence(what string) string { return "The engine " + s.o.Name + " " + what + "." }

// fault is a failure that is neither the caller's nor passing.
func (s *server) fault(what string, cause error) *engine.Error {
	e := &engine.Error{Status: 502, Code: "service", Message: s.sentence(what)}
	if cause != nil {
		e.Err = errors.New(s.o.Mask(cause.Error())) // only its words: what it wraps may hold the key
	}
	return e
}

// refused says what a status of the server comes to. The server's own words
// are passed on only where they help the caller, and never where they may hold
// the key.
func (s *server) refused(status int, h http.Header, body []byte, model string) error {
	said := s.o.Mask(messageOf(body))
	e := s.fault(fmt.Sprintf("failed (HTTP %d)", status), fmt.Errorf("HTTP %d: %s", status, said))
	e.RetryAfter = retryAfter(h, time.Now())
	switch {
	case status == 401 || status == 403:
		e.Message = s.sentence(fmt.Sprintf("was refused by its server (HTTP %d): whoever runs this service must look at its key", status))
		e.Untouched, e.Down = true, true
	case status == 402:
		e.Message = s.sentence("was refused by its server (HTTP 402): whoever runs this service must look at its account")
		e.Untouched, e.Down = true, true
	case status == 404:
		e.Message = s.sentence(fmt.Sprintf("does not know the model %q, or its url is wrong (HTTP 404)", model))
		e.Untouched = true
	case status == 413:
		e.Status, e.Code, e.Message = 413, "too_large", s.sentence("finds the request too large")
	case status == 400 || status == 422:
		e.Status, e.Code, e.Message = 422, "bad_request", s.sentence("refuses the request")
		if said != "" {
			e.Message = s.sentence("refuses the request: " + strings.TrimRight(said, ". "))
		}
	case status == 408 || status == 504:
		e.Status, e.Code, e.Message = 504, "timeout", s.sentence("took too long")
	case status == 429:
		e.Status, e.Code, e.Message, e.Untouched = 429, "rate_limited", s.sentence("has too much to do, or its quota is used up"), true
	case status == 503:
		e.Status, e.Message, e.Untouched = 503, s.sentence("is not ready"), true
		e.Down = true
	case status < 400:
		e.Message = s.sentence(fmt.Sprintf("answered with HTTP %d, which is not followed", status))
	}
	return e
}

// messageOf finds the sentence in an error's body, whichever of the shapes it
// has: OpenAI's {"error":{"message"}}, {"error":"…"}, {"message"}, FastAPI's
// {"detail"}. What is no JSON is left out: it may be a page.
func messageOf(body []byte) string {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &shape) != nil {
		return ""
	}
	var inner struct {
		Message string `json:"message"`
		Msg     string `json:"msg"`
	}
	for _, raw := range []json.RawMessage{shape.Error, shape.Message, shape.Detail} {
		var text string
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
			raw = list[0]
		}
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return plain(text)
		}
		if json.Unmarshal(raw, &inner) == nil && inner.Message+inner.Msg != "" {
			return plain(inner.Message + inner.Msg)
		}
	}
	return ""
}

// plain makes a foreign text fit for a sentence: one line, printable, bounded.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}

// retryAfter reads how long to wait: whole or decimal seconds, milliseconds in
// a header of their own, or a date; at most an hour.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const most = time.Hour
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return min(time.Duration(min(ms, 1e9)*float64(time.Millisecond)), most)
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		if !(s > 0) {
			return 0
		}
		return min(time.Duration(min(s, 1e6)*float64(time.Second)), most)
	}
	if at, err := http.ParseTime(v); err == nil {
		return min(max(at.Sub(now), 0), most)
	}
	return 0
}
