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

	"confab/internal/errtext"
	"confab/service/engine"
)

// failure turns an error of a call into an [engine.Error], or into the cause of a context that ended.
func (c *client) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var own *engine.Error
	if errors.As(err, &own) {
		return err
	}
	var inStream *streamError
	if errors.As(err, &inStream) {
		return c.fault("failed in the middle of its answer", inStream)
	}
	fail := c.fault("answered with something that cannot be understood", err)
	var dial *net.OpError
	var name *net.DNSError
	switch {
	case errors.Is(err, errTooLarge):
		fail.Message = c.sentence("answered more than is accepted")
	case errors.As(err, &dial) && dial.Op == "dial", errors.As(err, &name):
		fail.Message, fail.Untouched = c.sentence("cannot be reached"), true
		fail.Down = true
	case errors.Is(err, context.DeadlineExceeded):
		fail.Status, fail.Code, fail.Message = 504, "timeout", c.sentence("took too long")
	case errors.As(err, &dial), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		fail.Message = c.sentence("broke off")
	}
	return fail
}

// sentence begins with the engine's name.
func (c *client) sentence(what string) string {
	return "The engine " + c.options.Name + " " + what + "."
}

// fault returns a failure that is neither the caller's fault nor temporary.
func (c *client) fault(what string, cause error) *engine.Error {
	e := &engine.Error{Status: 502, Code: "service", Message: c.sentence(what)}
	if cause != nil {
		e.Err = errors.New(c.options.Mask(cause.Error())) // only the text: a wrapped error may hold the key
	}
	return e
}

// refused turns a status that is not a success into an [engine.Error]. The server's own message is passed on only where
// it helps the caller, and never where it may hold the key.
func (c *client) refused(status int, h http.Header, body []byte, model string) error {
	said := c.options.Mask(messageOf(body))
	e := c.fault(fmt.Sprintf("failed (HTTP %d)", status), fmt.Errorf("HTTP %d: %s", status, said))
	e.RetryAfter = retryAfter(h, time.Now())
	switch {
	case status == 401 || status == 403:
		e.Message = c.sentence(fmt.Sprintf(
			"was refused by its server (HTTP %d): the operator of this service must check its key", status))
		e.Untouched, e.Down = true, true
	case status == 402:
		e.Message = c.sentence("was refused by its server (HTTP 402): the operator of this service must check its " +
			"account")
		e.Untouched, e.Down = true, true
	case status == 404:
		e.Message = c.sentence(fmt.Sprintf("does not know the model %q, or its url is wrong (HTTP 404)", model))
		e.Untouched = true
	case status == 413:
		e.Status, e.Code, e.Message = 413, "too_large", c.sentence("finds the request too large")
	case status == 400 || status == 422:
		e.Status, e.Code, e.Message = 422, "bad_request", c.sentence("refuses the request")
		if said != "" {
			e.Message = c.sentence("refuses the request: " + strings.TrimRight(said, ". "))
		}
	case status == 408 || status == 504:
		e.Status, e.Code, e.Message = 504, "timeout", c.sentence("took too long")
	case status == 429:
		e.Status, e.Code, e.Untouched = 429, "rate_limited", true
		e.Message = c.sentence("has too much to do, or its quota is used up")
	case status == 503:
		e.Status, e.Message, e.Untouched = 503, c.sentence("is not ready"), true
		e.Down = true
	case status < 400:
		e.Message = c.sentence(fmt.Sprintf("answered with HTTP %d, which is not followed", status))
	}
	return e
}

// messageOf returns the message in an error body of any known shape: OpenAI's {"error":{"message"}}, {"error":"…"},
// {"message"}, FastAPI's {"detail"}. It returns "" for what is not JSON, which may be a web page.
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
			return sanitizeLine(text)
		}
		if json.Unmarshal(raw, &inner) == nil && inner.Message+inner.Msg != "" {
			return sanitizeLine(inner.Message + inner.Msg)
		}
	}
	return ""
}

// sanitizeLine makes foreign text fit for a message: one line of printable characters, at most 300 bytes.
func sanitizeLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !errtext.IsVisible(r) {
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

// retryAfter reads how long the server asks to wait: seconds, milliseconds in a header of their own, or a date. The
// result is at most an hour.
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
