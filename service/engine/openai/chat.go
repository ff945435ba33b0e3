package openai

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	sdk "github.com/sashabaranov/go-openai"

	"confab/internal/chat"
	"confab/service/engine"
)

// Chat is an [engine.Engine] of a server's chat completions. It is safe for concurrent use.
type Chat struct {
	*client
	withoutUsage atomic.Bool // the server does not know stream_options
}

var (
	_ engine.Engine  = (*Chat)(nil)
	_ engine.Checker = (*Chat)(nil)
)

// New returns a [Chat] without contacting the server. The error says in a sentence what is wrong with the options.
func New(o Options) (*Chat, error) {
	c, err := newClient(o, maxTextBytes)
	if err != nil {
		return nil, err
	}
	return &Chat{client: c}, nil
}

// Features returns what the API can do. Whether the model looks at the pictures it is given, the API does not say.
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
	fields, err := c.fields(r.Params)
	if err != nil {
		return engine.Text{}, err
	}
	api, _, err := c.begin(ctx, r.Model, fields)
	if err != nil {
		return engine.Text{}, err
	}
	got := completion{emit: r.Emit}
	if err := c.read(ctx, api, sdk.ChatCompletionRequest{Model: r.Model, Messages: messages(r)}, &got); err != nil {
		return engine.Text{}, c.failure(ctx, err)
	}
	return c.answer(&got), nil
}

// fields returns the fields of the request's body that come from params.
func (c *Chat) fields(params engine.Params) (map[string]any, error) {
	for _, name := range []string{"model", "messages", "stream", "n"} {
		if _, ok := params[name]; ok {
			return nil, badParam("The parameter " + name + " cannot be set.")
		}
	}
	fields := maps.Clone(params)
	if fields == nil {
		fields = engine.Params{}
	}
	if text, ok := fields["response_format"].(string); ok {
		format, err := responseFormat(text)
		if err != nil {
			return nil, err
		}
		fields["response_format"] = format
	}
	if !c.options.Streams {
		fields["stream"] = false // the SDK has no types for whole answers with reasoning, so it asks for a stream
	}
	return fields, nil
}

func badParam(message string) error {
	return &engine.Error{Status: 400, Code: "bad_request", Message: message}
}

// responseFormat returns the object that stands for a format given as text: its type, the object itself as JSON, or
// the JSON schema of the answer.
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

// messages returns the system prompt, the messages before the prompt, and the prompt with its pictures.
func messages(r engine.TextRequest) []sdk.ChatCompletionMessage {
	var all []sdk.ChatCompletionMessage
	if r.System != "" {
		all = append(all, sdk.ChatCompletionMessage{Role: "system", Content: r.System})
	}
	for _, m := range r.Messages {
		all = append(all, sdk.ChatCompletionMessage{Role: string(m.Role), Content: m.Content})
	}
	if len(r.Images) == 0 {
		return append(all, sdk.ChatCompletionMessage{Role: "user", Content: r.Prompt})
	}
	parts := []sdk.ChatMessagePart{{Type: sdk.ChatMessagePartTypeText, Text: r.Prompt}}
	for _, b := range r.Images {
		url := "data:" + engine.PictureType(b) + ";base64," + base64.StdEncoding.EncodeToString(b)
		parts = append(parts, sdk.ChatMessagePart{Type: sdk.ChatMessagePartTypeImageURL,
			ImageURL: &sdk.ChatMessageImageURL{URL: url}})
	}
	return append(all, sdk.ChatCompletionMessage{Role: "user", MultiContent: parts})
}

// read sends a request and adds all that the server answers to got. An answer that is one JSON object reads like a
// stream of one event, so a server may answer whole although a stream was asked for.
func (c *Chat) read(
	ctx context.Context, api *sdk.Client, request sdk.ChatCompletionRequest, got *completion,
) error {
	stream, err := c.open(ctx, api, request)
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }() // everything needed of it was read
	for {
		raw, err := stream.RecvRaw()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && got.finish != "":
			return c.end(got)
		case err == nil:
			err = got.add(raw)
		}
		var said *serverError
		switch {
		case errors.As(err, &said) && got.isEmpty():
			return c.fault("failed", said)
		case errors.As(err, &said):
			return c.fault("failed in the middle of its answer", said)
		case err != nil:
			return err //nolint:wrapcheck // judged by the caller
		case ctx.Err() != nil:
			return ctx.Err() //nolint:wrapcheck // judged by the caller
		}
	}
}

// open sends a request. A server that says that it does not know stream_options, which ask it to count tokens, is asked
// without them, now and from then on.
func (c *Chat) open(
	ctx context.Context, api *sdk.Client, request sdk.ChatCompletionRequest,
) (*sdk.ChatCompletionStream, error) {
	if c.options.Streams && !c.withoutUsage.Load() {
		request.StreamOptions = &sdk.StreamOptions{IncludeUsage: true}
	}
	stream, err := api.CreateChatCompletionStream(ctx, request)
	if request.StreamOptions != nil && namesStreamOptions(refusalOf(err)) {
		request.StreamOptions = nil
		stream, err = api.CreateChatCompletionStream(ctx, request)
		if refusalOf(err) == nil { // otherwise they may not have been the reason
			c.withoutUsage.Store(true)
		}
	}
	return stream, err //nolint:wrapcheck // judged by the caller
}

// refusalOf returns what a server said of a request that it refuses as it is; nil for anything else.
func refusalOf(err error) error {
	var refused *engine.Error
	if !errors.As(err, &refused) || refused.Status != statusRefused {
		return nil
	}
	return refused.Err
}

// namesStreamOptions reports whether a server's words are about the stream_options of a request.
func namesStreamOptions(said error) bool {
	if said == nil {
		return false
	}
	text := strings.ToLower(said.Error())
	return slices.ContainsFunc([]string{"stream_options", "stream options", "include_usage"},
		func(name string) bool { return strings.Contains(text, name) })
}

// end completes a stream that ended well.
func (c *Chat) end(got *completion) error {
	if !got.hasChoice {
		return c.fault("answered without an answer in it", errors.New("no choices"))
	}
	if got.finish == "error" { // OpenRouter's word
		return c.fault("failed in the middle of its answer", errors.New("finish_reason error"))
	}
	got.put(got.think.end())
	return nil
}

// answer turns a completion into the engine's answer, with a note where it differs from what was asked for.
func (c *Chat) answer(got *completion) engine.Text {
	t := engine.Text{Text: got.text.String(), Reasoning: got.reasoning.String(), Usage: got.usage,
		Facts: engine.Facts{Engine: c.Name(), Model: engine.CleanLine(got.model)}}
	if got.isRefusal {
		t.Note = "The model refused to answer."
	}
	switch got.finish {
	case sdk.FinishReasonStop:
		t.Finish = chat.FinishStop
	case sdk.FinishReasonLength:
		t.Finish = chat.FinishLength
	case sdk.FinishReasonContentFilter:
		t.Finish = chat.FinishFilter
	}
	return t
}
