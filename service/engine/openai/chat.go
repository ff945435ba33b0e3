package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	sdk "github.com/sashabaranov/go-openai"

	"confab/service/engine"
)

// Chat is an [engine.Engine] of a server's chat completions. It is safe for concurrent use.
type Chat struct{ *client }

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
	return &Chat{c}, nil
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
	api, call, err := c.begin(ctx, r.Model, r.Params)
	if err != nil {
		return engine.Text{}, err
	}
	request := sdk.ChatCompletionRequest{Model: r.Model, Messages: make([]sdk.ChatCompletionMessage, 0, 2)}
	if r.System != "" {
		request.Messages = append(request.Messages, sdk.ChatCompletionMessage{Role: "system", Content: r.System})
	}
	request.Messages = append(request.Messages, sdk.ChatCompletionMessage{Role: "user", Content: r.Prompt})
	var got completion
	if c.options.Stream {
		got, err = c.readStream(ctx, api, request)
	} else {
		got, err = c.readWhole(ctx, api, call, request)
	}
	if err != nil {
		return engine.Text{}, c.failure(ctx, err)
	}
	return c.answer(got), nil
}

// completion is the first choice of a chat completion, whole or put together from a stream.
type completion struct {
	model, text, refusal string
	finish               sdk.FinishReason
}

func (c *Chat) readWhole(
	ctx context.Context, api *sdk.Client, call *sdkTransport, request sdk.ChatCompletionRequest,
) (completion, error) {
	res, err := api.CreateChatCompletion(ctx, request)
	if err != nil {
		return completion{}, err //nolint:wrapcheck // judged by the caller
	}
	if len(res.Choices) == 0 {
		if said := messageOf(call.head.Bytes()); said != "" { // an error with HTTP status 200
			return completion{}, c.fault("failed", errors.New(said))
		}
		return completion{}, c.fault("answered without an answer in it", errors.New("no choices"))
	}
	first := res.Choices[0]
	got := completion{res.Model, first.Message.Content, first.Message.Refusal, first.FinishReason}
	for _, part := range first.Message.MultiContent {
		got.text += part.Text
	}
	return got, nil
}

// chunk is what is read of one event of a stream.
type chunk struct {
	Model   string `json:"model"`
	Choices []struct {
		Index int `json:"index"`
		Delta struct {
			Content string `json:"content"`
			Refusal string `json:"refusal"`
		} `json:"delta"`
		FinishReason sdk.FinishReason `json:"finish_reason"`
	} `json:"choices"`
}

func (c *Chat) readStream(
	ctx context.Context, api *sdk.Client, request sdk.ChatCompletionRequest,
) (completion, error) {
	stream, err := api.CreateChatCompletionStream(ctx, request)
	if err != nil {
		return completion{}, err //nolint:wrapcheck // judged by the caller
	}
	defer func() { _ = stream.Close() }() // everything needed of it was read
	var got completion
	var text, refusal strings.Builder
	for {
		raw, err := stream.RecvRaw()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return completion{}, err //nolint:wrapcheck // judged by the caller
		}
		var one chunk
		if err := json.Unmarshal(raw, &one); err != nil {
			return completion{}, err //nolint:wrapcheck // judged by the caller
		}
		if one.Model != "" {
			got.model = one.Model
		}
		for _, choice := range one.Choices {
			if choice.Index != 0 {
				continue
			}
			text.WriteString(choice.Delta.Content)
			refusal.WriteString(choice.Delta.Refusal)
			if choice.FinishReason != "" {
				got.finish = choice.FinishReason
			}
		}
	}
	if got.finish == "" {
		return completion{}, c.fault("broke off", errors.New("the stream ended without a finish_reason"))
	}
	got.text, got.refusal = text.String(), refusal.String()
	return got, nil
}

// answer turns a completion into the engine's answer, with a note where it differs from what was asked for.
func (c *Chat) answer(got completion) engine.Text {
	t := engine.Text{Text: got.text, Facts: engine.Facts{Engine: c.Name(), Model: engine.CleanLine(got.model)}}
	if got.text == "" && got.refusal != "" {
		t.Text, t.Note = got.refusal, "The model refused to answer."
	}
	switch got.finish {
	case sdk.FinishReasonLength:
		t.Note = "The answer was cut at the engine's limit of tokens."
	case sdk.FinishReasonContentFilter:
		t.Note = "The engine's filter left something out."
	}
	return t
}
