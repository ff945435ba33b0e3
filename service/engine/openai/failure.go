package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"confab/internal/httpclient"
	"confab/service/engine"
)

// failure converts the error of a call to an [engine.Error], or to the cause of the end of the context.
func (c *client) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var own *engine.Error
	if errors.As(err, &own) {
		return err
	}
	fail := c.fault("answered with something that cannot be understood", err)
	var tooLarge *http.MaxBytesError
	fault := httpclient.FaultOf(err)
	switch {
	case errors.As(err, &tooLarge):
		fail.Message = c.sentence("answered more than is accepted")
	case fault.IsConnection():
		fail.Message, fail.IsEngineDown = c.sentence("cannot be reached: "+fault.String()), true
	case fault == httpclient.TLSOnly:
		fail.Message = c.sentence("cannot be reached: " + fault.String())
	case fault == httpclient.Timeout:
		fail.Status, fail.Code, fail.Message = 504, "timeout", c.sentence("took too long")
	case fault == httpclient.StreamReset:
		fail.Message = c.sentence("broke off: " + fault.String())
	case fault == httpclient.BrokeOff:
		fail.Message = c.sentence("broke off")
	}
	return fail
}

// sentence returns a sentence that begins with the engine's name.
func (c *client) sentence(what string) string {
	return "The engine " + c.options.Name + " " + what + "."
}

// fault returns an error that is neither the caller's fault nor temporary.
func (c *client) fault(what string, cause error) *engine.Error {
	e := &engine.Error{Status: 502, Code: "service", Message: c.sentence(what)}
	if cause != nil {
		e.Err = errors.New(c.options.Mask(cause.Error())) // only the text, because a wrapped error may contain the key
	}
	return e
}

// statusRefused is the status of an [engine.Error] for a request that the server refuses.
const statusRefused = 422

// said returns a fault with the server's message.
func (c *client) said(what, message string) *engine.Error {
	e := c.fault(what, errors.New(message))
	e.Detail = c.clean(message)
	return e
}

// noAnswer returns the error for a body that is no answer, such as a web page.
func (c *client) noAnswer(body []byte) *engine.Error {
	return c.said("answered with something that cannot be understood", pageText(body))
}

// clean sanitises an untrusted text for a message. It masks again afterwards, because cleaning may join the parts of
// a key.
func (c *client) clean(text string) string { return c.options.Mask(cleanLine(c.options.Mask(text))) }

// refused converts an unsuccessful status to an [engine.Error]. All callers get the server's message only if it helps
// them, and otherwise only the engine's owner; never if it may contain the key. If said is empty, the message is
// taken from the body.
func (c *client) refused(status int, h http.Header, body []byte, model, said string) error {
	body = []byte(c.options.Mask(string(body))) // before cutting, because half a key is secret too
	said = c.clean(cmp.Or(said, messageOf(body)))
	detail := said
	if !json.Valid(body) && bytes.Contains(body, []byte("stream_options")) {
		detail = "stream_options" // the rest may be a web page
	}
	e := c.fault(fmt.Sprintf("failed (HTTP %d)", status), fmt.Errorf("HTTP %d: %s", status, detail))
	e.Detail = cmp.Or(said, c.clean(pageText(body)))
	e.RetryAfter = min(httpclient.RetryAfter(h, time.Now()), time.Hour)
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
		e.LacksModel = true
	case status == 413:
		e.Status, e.Code, what = 413, "too_large", "finds the request too large"
	case status == 400 && httpclient.WantsTLS(body):
		what, e.Detail = "cannot be reached: "+httpclient.TLSOnly.String(), ""
	case status == 400 || status == 422:
		e.Status, e.Code, what = statusRefused, "bad_request", "refuses the request"
		if name := c.clean(refusedParam(body)); name != "" {
			what = "refuses the parameter " + name
		}
		if said != "" {
			what += ": " + strings.TrimRight(said, ". ")
			e.Detail = "" // the message is for everybody
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

// messageOf returns the message in an error body as one line, "" for other bodies.
func messageOf(body []byte) string { return engine.CleanLine(httpclient.Message(body)) }

// refusedParam returns the parameter that an error body names apart from its message: in OpenAI's
// {"error":{"param"}}, or as the location in FastAPI's {"detail":[{"loc":["body","top_k"]}]}. It is "" for what every
// request has.
func refusedParam(body []byte) string {
	o := objectOf(body)
	name := textOf(cmp.Or(string(objectOf(o["error"])["param"]), string(o["param"])))
	for _, one := range listOf(o["detail"]) {
		loc := listOf(objectOf(one)["loc"])
		if len(loc) > 1 && textOf(string(loc[0])) == "body" {
			name = cmp.Or(name, textOf(string(loc[1])))
		}
	}
	whole, _, _ := strings.Cut(name, "[")
	whole, _, _ = strings.Cut(whole, ".")
	if slices.Contains([]string{"model", "messages", "prompt", "stream", "stream_options"}, whole) {
		return ""
	}
	return name
}

// textOf returns a JSON string's text; "" for other values.
func textOf(raw string) (s string) {
	_ = json.Unmarshal([]byte(raw), &s) // another value is none
	return s
}

// pageText names a web page by its title, or returns a short text; "" for other bodies.
func pageText(body []byte) string {
	text := strings.TrimSpace(string(body))
	if title := httpclient.PageTitle(body); title != "" {
		return "a web page, titled “" + cleanLine(title) + "”"
	}
	if strings.HasPrefix(text, "<") || json.Valid(body) {
		return ""
	}
	return text
}

// cleanLine sanitises an untrusted text to a message of at most 300 characters.
func cleanLine(s string) string {
	runes := []rune(engine.CleanLine(s))
	return string(runes[:min(len(runes), 300)])
}
