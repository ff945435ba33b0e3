package openai

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"confab/internal/chat"
	"confab/service/engine"
)

// Chat is an [engine.Engine] that uses a server's chat completions. It is safe for concurrent use.
type Chat struct {
	*client
	withoutUsage atomic.Bool // the server refused stream_options
}

var (
	_ engine.Engine = (*Chat)(nil)
	_ engine.Lister = (*Chat)(nil)
)

// New returns a [Chat] without contacting the server. The error describes invalid options in a sentence.
func New(o Options) (*Chat, error) {
	c, err := newClient(o)
	if err != nil {
		return nil, err
	}
	return &Chat{client: c}, nil
}

// Features returns the features of the API, which does not tell whether a model takes pictures.
func (c *Chat) Features(string) engine.Features {
	return engine.Features{Streams: c.options.Streams, TakesMessages: true, TakesParams: true, TakesImages: true,
		CountsTokens: true}
}

// Image is not served.
func (c *Chat) Image(context.Context, engine.ImageRequest) (engine.Picture, error) {
	return engine.Picture{}, engine.NotServed(c.Name(), engine.KindImage)
}

// Edit is not served.
func (c *Chat) Edit(context.Context, engine.EditRequest) (engine.Picture, error) {
	return engine.Picture{}, engine.NotServed(c.Name(), engine.KindEdit)
}

// Text returns the first choice of a chat completion.
func (c *Chat) Text(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
	if strings.TrimSpace(r.Prompt) == "" {
		return engine.Text{}, engine.NoPrompt()
	}
	body, err := c.body(r)
	if err != nil {
		return engine.Text{}, err
	}
	got := completion{writer: engine.TextWriter{Emit: r.Emit, Tags: c.options.ReasoningTags}}
	if err := c.read(ctx, body, &got); err != nil {
		got.close() // keeps the partial answer
		return engine.Text{}, c.failure(ctx, err)
	}
	return c.answer(ctx, &got)
}

// body returns the fields of the request.
func (c *Chat) body(r engine.TextRequest) (map[string]any, error) {
	body, err := fields(r.Params)
	if err != nil {
		return nil, err
	}
	body["model"], body["messages"], body["stream"] = r.Model, messages(r), c.options.Streams
	return body, nil
}

// fields returns the fields of the request from params, among them those of [chat.ExtraParam].
func fields(params engine.Params) (map[string]any, error) {
	fields := map[string]any{}
	maps.Copy(fields, params)
	delete(fields, chat.ExtraParam)
	extra, _ := params[chat.ExtraParam].(map[string]any)
	maps.Copy(fields, extra)
	for _, name := range []string{"model", "messages", "stream", "n"} {
		if _, ok := fields[name]; ok {
			return nil, badParam("The parameter " + name + " cannot be set.")
		}
	}
	if text, ok := fields["response_format"].(string); ok {
		format, err := responseFormat(text)
		if err != nil {
			return nil, err
		}
		fields["response_format"] = format
	}
	return fields, nil
}

func badParam(message string) error {
	return &engine.Error{Status: 400, Code: "bad_request", Message: message}
}

// responseFormat returns the object for a format given as text: a type, the object as JSON, or the JSON schema of the
// answer.
func responseFormat(text string) (any, error) {
	if text == "text" || text == "json_object" {
		return map[string]any{"type": text}, nil
	}
	var object map[string]any
	if json.Unmarshal([]byte(text), &object) != nil || object == nil {
		return nil, badParam(`The parameter response_format must be "text", "json_object" or a JSON schema.`)
	}
	if kind := object["type"]; kind == "text" || kind == "json_object" || kind == "json_schema" {
		return object, nil
	}
	return map[string]any{"type": "json_schema",
		"json_schema": map[string]any{"name": "answer", "schema": object}}, nil
}

// message is a message of a request; its content is a string or a list of parts.
type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

// part is a part of a message.
type part struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitempty"`
	ImageURL *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

// messages returns the system prompt, the earlier messages, and the prompt with its pictures.
func messages(r engine.TextRequest) []message {
	var all []message
	if r.System != "" {
		all = append(all, message{"system", r.System})
	}
	for _, m := range r.Messages {
		all = append(all, message{string(m.Role), m.Content})
	}
	if len(r.Images) == 0 {
		return append(all, message{"user", r.Prompt})
	}
	parts := []part{{Type: "text", Text: r.Prompt}}
	for _, b := range r.Images {
		url := "data:" + engine.PictureType(b) + ";base64," + base64.StdEncoding.EncodeToString(b)
		parts = append(parts, part{Type: "image_url", ImageURL: &imageURL{url}})
	}
	return append(all, message{"user", parts})
}

// finishWait is how long a stream is read for the token counts after the end of the answer, since some servers keep
// the connection open.
const finishWait = 2 * time.Second

// errFinished closes a connection after the end of the answer.
var errFinished = errors.New("the answer ended before the connection")

// read sends a request and adds the whole response to got. It accepts a whole answer to a request for a stream, and a
// stream for a whole answer.
func (c *Chat) read(parent context.Context, body map[string]any, got *completion) error {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	res, err := c.open(ctx, body)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // the needed part was read
	events := newEventReader(res.Body, maxEventBytes)
	finished := time.AfterFunc(time.Hour, func() { cancel(errFinished) })
	defer finished.Stop()
	finished.Stop()
	size, wasFinished := 0, false
	for {
		raw, err := events.next()
		if err == nil {
			err = got.add(raw)
		}
		var said *serverError
		switch {
		case parent.Err() != nil:
			return parent.Err() //nolint:wrapcheck // the caller converts it
		case errors.As(err, &said) && said.status != 0 && got.size() == 0:
			return c.refused(said.status, res.Header, []byte(said.message), modelOf(body), said.message)
		case errors.As(err, &said) && got.size() == 0:
			return c.said("failed", said.message)
		case errors.As(err, &said):
			return c.said("failed in the middle of its answer", said.message)
		case err == nil:
			if got.isFinished && (!wasFinished || got.size() != size) {
				finished.Reset(finishWait)
			}
			size, wasFinished = got.size(), got.isFinished
		case got.hasEnd:
			return c.end(got)
		case errors.Is(err, errDone), errors.Is(err, io.EOF):
			return c.unannounced(got)
		case errors.Is(err, errNoEvents):
			return c.noAnswer(events.other)
		default:
			return err
		}
	}
}

// modelOf returns the model of a request.
func modelOf(body map[string]any) string {
	model, _ := body["model"].(string)
	return model
}

// open sends a request. If the server refuses stream_options, which request token counts, it repeats the request
// without them and omits them from then on.
func (c *Chat) open(ctx context.Context, body map[string]any) (*http.Response, error) {
	_, isOwn := body["stream_options"]
	asksUsage := c.options.Streams && !c.withoutUsage.Load() && !isOwn
	if asksUsage {
		body["stream_options"] = map[string]any{"include_usage": true}
	}
	res, err := c.postJSON(ctx, "chat/completions", "text/event-stream, application/json", body)
	if asksUsage && namesStreamOptions(refusalOf(err)) {
		delete(body, "stream_options")
		res, err = c.postJSON(ctx, "chat/completions", "text/event-stream, application/json", body)
		if refusalOf(err) == nil { // otherwise they may not be the reason
			c.withoutUsage.Store(true)
		}
	}
	return res, err
}

// refusalOf returns the server's message in a refusal of the request; nil for any other error.
func refusalOf(err error) error {
	var refused *engine.Error
	if !errors.As(err, &refused) || refused.Status != statusRefused {
		return nil
	}
	return refused.Err
}

// namesStreamOptions reports whether a server's message is about stream_options.
func namesStreamOptions(said error) bool {
	if said == nil {
		return false
	}
	text := strings.ToLower(said.Error())
	return slices.ContainsFunc([]string{"stream_options", "stream options", "include_usage"},
		func(name string) bool { return strings.Contains(text, name) })
}

// unannounced handles an answer that ended without an end marker.
func (c *Chat) unannounced(got *completion) error {
	if got.hasChoice {
		return c.fault("broke off: the answer ended without a reason for it", io.ErrUnexpectedEOF)
	}
	return c.fault("answered without an answer in it", errors.New("no choices"))
}

// end completes an answer that ended regularly.
func (c *Chat) end(got *completion) error {
	if got.hasFailed {
		return c.fault("failed in the middle of its answer", errors.New("finish_reason error"))
	}
	got.close()
	if lack := got.noAnswer(); lack != "" {
		e := c.fault("wrote no answer: "+lack, nil)
		e.Status = statusRefused // a retry would fail too
		return e
	}
	return nil
}

// answer converts a completion to the engine's answer, with a note on differences from the request.
func (c *Chat) answer(ctx context.Context, got *completion) (engine.Text, error) {
	t := engine.Text{Text: got.writer.Text(), Reasoning: got.writer.Reasoning(), Usage: got.usage, Finish: got.finish,
		Facts: engine.Facts{Engine: c.Name(), Model: engine.CleanLine(got.model)}}
	if got.isRefusal {
		t.Finish = chat.FinishRefusal
	}
	if got.tool != "" {
		t.Note = strings.TrimSpace(t.Note + " The model asked for the tool " + cleanLine(got.tool) + " as well.")
	}
	if got.picture == "" {
		return t, nil
	}
	b, err := c.fetchPicture(ctx, got.picture)
	switch {
	case err == nil:
		t.Picture = b
	case strings.TrimSpace(t.Text) == "":
		return engine.Text{}, c.failure(ctx, err)
	default:
		t.Note = strings.TrimSpace(t.Note + " The picture beside the text could not be taken.")
	}
	return t, nil
}
