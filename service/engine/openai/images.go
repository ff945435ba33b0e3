package openai

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/sashabaranov/go-openai"

	"confab/service/engine"
)

// Images is an [engine.Engine] of a server's image generations and edits. It is safe for concurrent use.
type Images struct{ *client }

var (
	_ engine.Engine  = (*Images)(nil)
	_ engine.Checker = (*Images)(nil)
)

// NewImages returns [Images] without contacting the server. The error says in a sentence what is wrong with the
// options.
func NewImages(o Options) (*Images, error) {
	if o.Pixels <= 0 {
		o.Pixels = 1 << 20
	}
	c, err := newClient(o, maxPictureBytes*4/3+maxTextBytes) // base64 is a third larger
	if err != nil {
		return nil, err
	}
	return &Images{c}, nil
}

// Features returns nothing: the engine writes no texts.
func (i *Images) Features(string) engine.Features { return engine.Features{} }

// Text is not served.
func (i *Images) Text(context.Context, engine.TextRequest) (engine.Text, error) {
	return engine.Text{}, engine.NotServed(i.Name(), engine.KindText)
}

// Image requests a picture at the size nearest to the ratio asked for. Where the server takes a seed, the seed is
// computed from the nonce and the note says so.
func (i *Images) Image(ctx context.Context, r engine.ImageRequest) (engine.Picture, error) {
	if strings.TrimSpace(r.Prompt) == "" {
		return engine.Picture{}, engine.NoPrompt()
	}
	w, h, err := engine.ParseAspect(r.Aspect)
	if err != nil {
		return engine.Picture{}, err //nolint:wrapcheck // the refusal itself
	}
	note, fields := "", map[string]any{}
	maps.Copy(fields, r.Params)
	if i.options.TakesSeed {
		seed := seedOf(r.Nonce)
		fields["seed"] = seed
		note = fmt.Sprintf("The seed %d comes from the nonce.", seed)
	}
	api, call, err := i.begin(ctx, r.Model, fields)
	if err != nil {
		return engine.Picture{}, err
	}
	res, err := api.CreateImage(ctx, sdk.ImageRequest{
		Prompt: r.Prompt, Model: r.Model, N: 1, Size: i.size(r.Model, w, h), ResponseFormat: i.responseFormat(r.Model),
	})
	p, err := i.picture(ctx, call, r.Aspect, res, err)
	if err != nil {
		return engine.Picture{}, err
	}
	p.Note = strings.TrimSpace(p.Note + " " + note)
	return p, nil
}

// Edit requests a changed picture.
func (i *Images) Edit(ctx context.Context, r engine.EditRequest) (engine.Picture, error) {
	if strings.TrimSpace(r.Prompt) == "" {
		return engine.Picture{}, engine.NoPrompt()
	}
	kind := engine.PictureType(r.Source)
	if kind == "" {
		return engine.Picture{}, engine.BadSource()
	}
	fields := map[string]any{}
	maps.Copy(fields, r.Params)
	fields["model"] = r.Model // the SDK does not send it
	api, call, err := i.begin(ctx, r.Model, fields)
	if err != nil {
		return engine.Picture{}, err
	}
	name := "source." + strings.TrimPrefix(kind, "image/")
	res, err := api.CreateEditImage(ctx, sdk.ImageEditRequest{
		Prompt: r.Prompt, N: 1, ResponseFormat: i.responseFormat(r.Model),
		Image: sdk.WrapReader(bytes.NewReader(r.Source), name, kind),
	})
	return i.picture(ctx, call, "", res, err)
}

// size returns the size to request: the nearest of the model's sizes, or the exact ratio where any size is possible.
func (i *Images) size(model string, w, h float64) string {
	sizes := i.options.Sizes
	if len(sizes) == 0 {
		sizes = modelSizes(model)
	}
	if best := engine.Nearest(sizes, w, h); best != "" {
		return best
	}
	x, y := engine.AspectSize(w, h, i.options.Pixels)
	return fmt.Sprintf("%dx%d", x, y)
}

// modelSizes returns the sizes of the models that support only a few.
func modelSizes(model string) []string {
	switch {
	case strings.HasPrefix(model, "gpt-image-1"), strings.HasPrefix(model, "chatgpt-image"):
		return []string{"1024x1024", "1536x1024", "1024x1536"}
	case model == "dall-e-3":
		return []string{"1024x1024", "1792x1024", "1024x1792"}
	case model == "dall-e-2":
		return []string{"1024x1024"}
	}
	return nil
}

// responseFormat returns the response_format to send. OpenAI's models that always answer base64 refuse the field; all
// others would answer with a URL without it.
func (i *Images) responseFormat(model string) string {
	switch f := i.options.Format; {
	case f == "none":
		return ""
	case f != "":
		return f
	case strings.HasPrefix(model, "gpt-image"), strings.HasPrefix(model, "chatgpt-image"):
		return ""
	}
	return "b64_json"
}

// seedOf computes a seed from a nonce; the empty nonce has one, too.
func seedOf(nonce string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(nonce)) // a hash takes everything
	return int64(h.Sum32() & 0x7fffffff)
}

// picture returns the first picture of a response; err is what the call returned.
func (i *Images) picture(
	ctx context.Context, call *sdkTransport, aspect string, res sdk.ImageResponse, err error,
) (engine.Picture, error) {
	if err != nil {
		return engine.Picture{}, i.failure(ctx, err)
	}
	if len(res.Data) == 0 {
		return engine.Picture{},
			i.fault("answered without a picture in it", errors.New(messageOf(call.head.Bytes())))
	}
	var b []byte
	switch one := res.Data[0]; {
	case one.B64JSON != "":
		text := one.B64JSON
		if _, rest, ok := strings.Cut(text[:min(len(text), 100)], ";base64,"); ok { // some send a data: URL
			text = rest + text[min(len(text), 100):]
		}
		if b, err = base64.StdEncoding.DecodeString(text); err != nil {
			return engine.Picture{}, i.fault("answered with something that cannot be understood", err)
		}
	case one.URL != "":
		if b, err = i.fetch(ctx, one.URL); err != nil {
			return engine.Picture{}, i.failure(ctx, err)
		}
	}
	if engine.PictureType(b) == "" {
		return engine.Picture{}, i.fault("answered with something that is neither PNG nor JPEG",
			errors.New(http.DetectContentType(b)))
	}
	p, err := engine.NewPicture(b, engine.Facts{Engine: i.Name(), Model: call.model}, aspect)
	if err != nil {
		return engine.Picture{}, i.fault("answered with a damaged picture", err)
	}
	return p, nil
}

// fetch downloads a picture that the server answered as a URL. Only URLs of the same server are requested, so that a
// server cannot make this one connect elsewhere.
func (i *Images) fetch(ctx context.Context, at string) ([]byte, error) {
	base, err := url.Parse(i.baseURL)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	u, err := base.Parse(at)
	if err != nil || u.Scheme != base.Scheme || u.Host != base.Host || u.User != nil {
		return nil, i.fault("answered with the address of a picture elsewhere, which is not fetched: set "+
			"format to \"b64_json\"", nil)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	res, err := i.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // it was read
	if res.StatusCode != http.StatusOK {
		return nil, i.fault(fmt.Sprintf("does not give out the picture it made (HTTP %d)", res.StatusCode), nil)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	return b, nil
}
