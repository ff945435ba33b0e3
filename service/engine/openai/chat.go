package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"confab/service/engine"
)

// Chat is an [engine.Engine] of a server's chat completions. It is safe for
// concurrent use.
type Chat struct {
	server *server
	calls  sdk.ChatCompletionService
}

var (
	_ engine.Engine  = (*Chat)(nil)
	_ engine.Checker = (*Chat)(nil)
)

// New returns a [Chat]. It asks nothing yet. The error says in a sentence what
// is wrong with the options.
func New(o Options) (*Chat, error) {
	s, err := newServer(o, maxText)
	if err != nil {
		return nil, err
	}
	return &Chat{server: s, calls: sdk.NewChatCompletionService()}, nil
}

// Name returns the engine's name in the configuration.
func (c *Chat) Name() string { return c.server.o.Name }

// Image is not served.
func (c *Chat) Image(context.Context, engine.ImageRequest) (engine.Picture, error) {
	return engine.Picture{}, engine.NotServed(c.Name(), engine.KindImage)
}

// Edit is not served.
func (c *Chat) Edit(context.Context, engine.EditRequest) (engine.Picture, error) {
	return engine.Picture{}, engine.NotServed(c.Name(), engine.KindEdit)
}

// Check tells whether the server is there and accepts the key.
func (c *Chat) Check(ctx context.Context) error { return c.server.check(ctx) }

// Text returns the first choice of a chat completion.
func (c *Chat) Text(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
	if strings.TrimSpace(r.Prompt) == "" {
		return engine.Text{}, engine.NoPrompt()
	}
	if ctx.Err() != nil {
		return engine.Text{}, context.Cause(ctx)
	}
	options, err := c.server.options(ctx)
	if err != nil {
		return engine.Text{}, c.server.failure(ctx, err)
	}
	ask := sdk.ChatCompletionNewParams{Model: r.Model}
	if r.System != "" {
		ask.Messages = append(ask.Messages, sdk.SystemMessage(r.System))
	}
	ask.Messages = append(ask.Messages, sdk.UserMessage(r.Prompt))
	if len(r.Params) > 0 {
		ask.SetExtraFields(r.Params)
	}
	take := c.whole
	if c.server.o.Stream {
		take = c.pieces
	}
	var raw *http.Response
	t, err := take(ctx, ask, append(options, option.WithResponseInto(&raw)))
	if err = c.server.judge(ctx, r.Model, raw, err); err != nil {
		return engine.Text{}, err
	}
	t.Engine = c.Name()
	return t, nil
}

// whole takes the answer at once.
func (c *Chat) whole(ctx context.Context, ask sdk.ChatCompletionNewParams, options []option.RequestOption) (engine.Text, error) {
	res, err := c.calls.New(ctx, ask, options...)
	if err != nil {
		return engine.Text{}, err //nolint:wrapcheck // judged by the caller
	}
	if res == nil { // the body was null
		res = &sdk.ChatCompletion{}
	}
	if len(res.Choices) == 0 {
		if said := messageOf([]byte(res.RawJSON())); said != "" { // an error with status 200
			return engine.Text{}, c.server.fault("failed", errors.New(said))
		}
		return engine.Text{}, c.server.fault("answered without an answer in it", errors.New("no choices"))
	}
	m := res.Choices[0].Message
	text := m.Content
	if raw := m.JSON.Content.Raw(); strings.HasPrefix(raw, "[") {
		text = parts(raw)
	}
	return reply(text, m.Refusal, res.Choices[0].FinishReason, res.Model), nil
}

// pieces takes the answer as it is written, and puts it together.
func (c *Chat) pieces(ctx context.Context, ask sdk.ChatCompletionNewParams, options []option.RequestOption) (engine.Text, error) {
	stream := c.calls.NewStreaming(ctx, ask, options...)
	defer func() { _ = stream.Close() }() // what was needed of it was read
	var text, refusal strings.Builder
	finish, model := "", ""
	for stream.Next() {
		chunk := stream.Current()
		if chunk.Model != "" {
			model = chunk.Model
		}
		for _, one := range chunk.Choices {
			if one.Index != 0 {
				continue
			}
			text.WriteString(one.Delta.Content)
			refusal.WriteString(one.Delta.Refusal)
			if one.FinishReason != "" {
				finish = one.FinishReason
			}
		}
	}
	if err := stream.Err(); err != nil {
		return engine.Text{}, err //nolint:wrapcheck // judged by the caller
	}
	if finish == "" { // it ended without an end
		return engine.Text{}, c.server.fault("broke off", errors.New("the stream ended without a finish_reason"))
	}
	return reply(text.String(), refusal.String(), finish, model), nil
}

// reply is the answer with what is to be told of it.
func reply(text, refusal, finish, model string) engine.Text {
	t := engine.Text{Text: text, Facts: engine.Facts{Model: plain(model)}}
	if text == "" && refusal != "" {
		t.Text, t.Note = refusal, "The model refused to answer."
	}
	switch finish {
	case "length":
		t.Note = "The answer was cut at the engine's limit of tokens."
	case "content_filter":
		t.Note = "The engine's filter left something out."
	}
	return t
}

// parts puts together a content that is a list of parts instead of a text.
func parts(raw string) string {
	var list []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal([]byte(raw), &list) != nil {
		return ""
	}
	var b strings.Builder
	for _, p := range list {
		b.WriteString(p.Text)
	}
	return b.String()
}
