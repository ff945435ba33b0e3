package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	client sdk.Client                // made without New, which would read OPENAI_… of the environment
	calls  sdk.ChatCompletionService // streams
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
	take := c.whole
	if c.server.o.Stream {
		take = c.pieces
	}
	var raw *http.Response
	t, err := take(ctx, r, append(options[:len(options):len(options)], option.WithResponseInto(&raw)))
	if err = c.server.judge(ctx, r.Model, raw, err); err != nil {
		return engine.Text{}, err
	}
	t.Engine = c.Name()
	return t, nil
}

// completion is what is read of a chat completion. It is read here and not by
// the client's own types, which take half of the time of a whole request and
// refuse a right body with a wrong label.
type completion struct {
	Model   string `json:"model"`
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      struct {
			Content any    `json:"content"` // a text, null, or a list of parts
			Refusal string `json:"refusal"`
		} `json:"message"`
	} `json:"choices"`
}

// question is what is asked when the route adds nothing to it.
type question struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// asked is the body of a request. The client would write it as well, but not
// without a map for its fields.
func asked(r engine.TextRequest) ([]byte, error) {
	messages := make([]message, 0, 2)
	if r.System != "" {
		messages = append(messages, message{"system", r.System})
	}
	messages = append(messages, message{"user", r.Prompt})
	var ask any = question{r.Model, messages}
	if len(r.Params) > 0 {
		all := map[string]any{"model": r.Model, "messages": messages}
		maps.Copy(all, r.Params)
		ask = all
	}
	b := bytes.NewBuffer(make([]byte, 0, len(r.Prompt)+len(r.System)+256))
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(ask); err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	return b.Bytes(), nil
}

// whole takes the answer at once.
func (c *Chat) whole(ctx context.Context, r engine.TextRequest, options []option.RequestOption) (engine.Text, error) {
	ask, err := asked(r)
	if err != nil {
		return engine.Text{}, err
	}
	var res *http.Response
	if err := c.client.Post(ctx, "chat/completions", ask, &res, options...); err != nil {
		return engine.Text{}, err //nolint:wrapcheck // judged by the caller
	}
	body, err := read(res)
	if err != nil {
		return engine.Text{}, err
	}
	var got completion
	if err := json.Unmarshal(body, &got); err != nil {
		return engine.Text{}, c.server.fault("answered with something that cannot be understood", err)
	}
	if len(got.Choices) == 0 {
		if said := messageOf(body); said != "" { // an error with status 200
			return engine.Text{}, c.server.fault("failed", errors.New(said))
		}
		return engine.Text{}, c.server.fault("answered without an answer in it", errors.New("no choices"))
	}
	first := got.Choices[0]
	text, ok := contentOf(first.Message.Content)
	if !ok {
		return engine.Text{}, c.server.fault("answered with something that cannot be understood", errors.New("the content is neither a text nor parts"))
	}
	return reply(text, first.Message.Refusal, first.FinishReason, got.Model), nil
}

// read takes a body to its end. Its size is believed only so far as it costs
// nothing.
func read(res *http.Response) ([]byte, error) {
	defer func() { _ = res.Body.Close() }() // it was read
	b := bytes.NewBuffer(make([]byte, 0, min(max(res.ContentLength, 512), 64<<10)+bytes.MinRead))
	if _, err := b.ReadFrom(res.Body); err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	return b.Bytes(), nil
}

// pieces takes the answer as it is written, and puts it together.
func (c *Chat) pieces(ctx context.Context, r engine.TextRequest, options []option.RequestOption) (engine.Text, error) {
	ask := sdk.ChatCompletionNewParams{Model: r.Model}
	if r.System != "" {
		ask.Messages = append(ask.Messages, sdk.SystemMessage(r.System))
	}
	ask.Messages = append(ask.Messages, sdk.UserMessage(r.Prompt))
	if len(r.Params) > 0 {
		ask.SetExtraFields(r.Params)
	}
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

// contentOf reads a content: a text, null, or a list of parts.
func contentOf(content any) (text string, ok bool) {
	switch v := content.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case []any:
		var b strings.Builder
		for _, one := range v {
			part, ok := one.(map[string]any)
			if text, is := part["text"].(string); is {
				b.WriteString(text)
			} else if !ok || part["text"] != nil {
				return "", false
			}
		}
		return b.String(), true
	}
	return "", false
}
