package openai

import (
	"bytes"
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
	fail := c.fault("answered with something that cannot be understood", err)
	var dial *net.OpError
	var name *net.DNSError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		fail.Message = c.sentence("answered more than is accepted")
	case errors.As(err, &dial) && dial.Op == "dial", errors.As(err, &name):
		fail.Message, fail.IsEngineDown = c.sentence("cannot be reached"), true
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

// statusRefused is the status of an [engine.Error] for a request that a server refuses as it is.
const statusRefused = 422

// refused turns a status that is not a success into an [engine.Error]. The server's own message is passed on only where
// it helps the caller, and never where it may hold the key.
func (c *client) refused(status int, h http.Header, body []byte, model string) error {
	body = []byte(c.options.Mask(string(body))) // before it is cut: half a key is one as well
	said := c.options.Mask(messageOf(body))
	detail := said
	if !json.Valid(body) && bytes.Contains(body, []byte("stream_options")) {
		detail = "stream_options" // the rest of the answer may be a web page and is not repeated
	}
	e := c.fault(fmt.Sprintf("failed (HTTP %d)", status), fmt.Errorf("HTTP %d: %s", status, detail))
	e.RetryAfter = retryAfter(h, time.Now())
	what := ""
	switch {
	case status == 401 || status == 403:
		what = fmt.Sprintf("was refused by its server (HTTP %d): the operator of this service must check its key",
			status)
		e.IsEngineDown = true
	case status == 402:
		what = "was refused by its server (HTTP 402): the operator of this service must check its account"
		e.IsEngineDown = true
	case status == 404:
		what = fmt.Sprintf("does not know the model %q, or its url is wrong (HTTP 404)", model)
	case status == 413:
		e.Status, e.Code, what = 413, "too_large", "finds the request too large"
	case status == 400 || status == 422:
		e.Status, e.Code, what = statusRefused, "bad_request", "refuses the request"
		if said != "" {
			what += ": " + strings.TrimRight(said, ". ")
		}
	case status == 408 || status == 504:
		e.Status, e.Code, what = 504, "timeout", "took too long"
	case status == 429:
		e.Status, e.Code, what = 429, "rate_limited", "has too much to do, or its quota is used up"
	case status == 503:
		e.Status, what = 503, "is not ready"
		e.IsEngineDown = true
	case status < 400:
		what = fmt.Sprintf("answered with HTTP %d, which is not followed", status)
	}
	if what != "" {
		e.Message = c.sentence(what)
	}
	return e
}

// messageOf returns the message in an error body of any known shape: OpenAI's {"error":{"message"}}, {"error":"…"},
// {"message"}, FastAPI's {"detail"} with the place in the request. It returns "" for what is not JSON, which may be a
// web page.
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
		Loc     []any  `json:"loc"`
	}
	for _, raw := range []json.RawMessage{shape.Error, shape.Message, shape.Detail} {
		var text string
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
			raw = list[0]
		}
		if json.Unmarshal(raw, &text) == nil && text != "" {
			return engine.CleanLine(text)
		}
		if json.Unmarshal(raw, &inner) == nil && inner.Message+inner.Msg != "" {
			place := ""
			for _, name := range inner.Loc {
				place += fmt.Sprint(name) + ": "
			}
			return engine.CleanLine(place + inner.Message + inner.Msg)
		}
	}
	return ""
}

// retryAfter reads how long the server asks to wait: seconds, milliseconds in a header of their own, or a date. The
// result is at most an hour.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const most = time.Hour
	v, unit := strings.TrimSpace(h.Get("Retry-After")), time.Second
	if ms := h.Get("Retry-After-Ms"); ms != "" {
		v, unit = ms, time.Millisecond
	}
	if n, err := strconv.ParseFloat(v, 64); err == nil {
		if !(n > 0) {
			return 0
		}
		return min(time.Duration(min(n, 1e9)*float64(unit)), most)
	}
	if at, err := http.ParseTime(v); err == nil {
		return min(max(at.Sub(now), 0), most)
	}
	return 0
}
