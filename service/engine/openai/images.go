package openai

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	_ "image/jpeg" // the formats of pictures
	_ "image/png"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"confab/service/engine"
)

// Images is an [engine.Engine] of a server's image generations and edits. It
// is safe for concurrent use.
type Images struct {
	server *server
	calls  sdk.ImageService
}

var (
	_ engine.Engine  = (*Images)(nil)
	_ engine.Checker = (*Images)(nil)
)

// NewImages returns [Images]. It asks nothing yet. The error says in a
// sentence what is wrong with the options.
func NewImages(o Options) (*Images, error) {
	if o.Pixels <= 0 {
		o.Pixels = 1 << 20
	}
	s, err := newServer(o, maxPicture*4/3+maxText) // base64
	if err != nil {
		return nil, err
	}
	return &Images{server: s, calls: sdk.NewImageService()}, nil
}

// Name returns the engine's name in the configuration.
func (i *Images) Name() string { return i.server.o.Name }

// Text is not served.
func (i *Images) Text(context.Context, engine.TextRequest) (engine.Text, error) {
	return engine.Text{}, engine.NotServed(i.Name(), engine.KindText)
}

// Check tells whether the server is there and accepts the key.
func (i *Images) Check(ctx context.Context) error { return i.server.check(ctx) }

// Image has a picture made, at the size nearest to the asked ratio. Where the
// server takes a seed it is computed from the nonce, and the note says so.
func (i *Images) Image(ctx context.Context, r engine.ImageRequest) (engine.Picture, error) {
	if strings.TrimSpace(r.Prompt) == "" {
		return engine.Picture{}, engine.NoPrompt()
	}
	w, h, err := engine.ParseAspect(r.Aspect)
	if err != nil {
		return engine.Picture{}, err //nolint:wrapcheck // the refusal itself
	}
	options, err := i.begin(ctx, r.Model)
	if err != nil {
		return engine.Picture{}, err
	}
	ask := sdk.ImageGenerateParams{Prompt: r.Prompt, Model: r.Model, N: sdk.Int(1), Size: sdk.ImageGenerateParamsSize(i.size(r.Model, w, h))}
	if f := i.format(r.Model); f != "" {
		ask.ResponseFormat = sdk.ImageGenerateParamsResponseFormat(f)
	}
	note, extra := "", maps.Clone(map[string]any(r.Params))
	if i.server.o.Seed {
		seed := seedOf(r.Nonce)
		if extra == nil {
			extra = map[string]any{}
		}
		extra["seed"] = seed
		note = fmt.Sprintf("The seed %d comes from the nonce.", seed)
	}
	if len(extra) > 0 {
		ask.SetExtraFields(extra)
	}
	var raw *http.Response
	res, err := i.calls.Generate(ctx, ask, append(options, option.WithResponseInto(&raw))...)
	p, err := i.picture(ctx, r.Model, res, i.server.judge(ctx, r.Model, raw, err))
	if err != nil {
		return engine.Picture{}, err
	}
	p.Note = note
	if c, _, err := image.DecodeConfig(bytes.NewReader(p.Bytes)); err == nil {
		p.Note = strings.TrimSpace(engine.Difference(r.Aspect, c.Width, c.Height) + " " + note)
	}
	return p, nil
}

// Edit has a picture changed.
func (i *Images) Edit(ctx context.Context, r engine.EditRequest) (engine.Picture, error) {
	if strings.TrimSpace(r.Prompt) == "" {
		return engine.Picture{}, engine.NoPrompt()
	}
	kind := pictureType(r.Source)
	if kind == "" {
		return engine.Picture{}, &engine.Error{Status: 422, Code: "bad_image", Message: "The source is neither PNG nor JPEG."}
	}
	options, err := i.begin(ctx, r.Model)
	if err != nil {
		return engine.Picture{}, err
	}
	ask := sdk.ImageEditParams{
		Prompt: r.Prompt, Model: r.Model, N: sdk.Int(1),
		Image: sdk.ImageEditParamsImageUnion{OfFile: sdk.File(bytes.NewReader(r.Source), "source."+strings.TrimPrefix(kind, "image/"), kind)},
	}
	if f := i.format(r.Model); f != "" {
		ask.ResponseFormat = sdk.ImageEditParamsResponseFormat(f)
	}
	if len(r.Params) > 0 {
		ask.SetExtraFields(r.Params)
	}
	var raw *http.Response
	res, err := i.calls.Edit(ctx, ask, append(options, option.WithResponseInto(&raw))...)
	return i.picture(ctx, r.Model, res, i.server.judge(ctx, r.Model, raw, err))
}

// begin returns the options of a call, unless it is over already.
func (i *Images) begin(ctx context.Context, model string) ([]option.RequestOption, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	options, err := i.server.options(ctx)
	if err != nil {
		return nil, i.server.failure(ctx, err)
	}
	return options, nil
}

// size is what the picture is asked at: the nearest of the sizes there are, or
// exactly the ratio where any can be had.
func (i *Images) size(model string, w, h float64) string {
	sizes := i.server.o.Sizes
	if len(sizes) == 0 {
		sizes = known(model)
	}
	if best := engine.Nearest(sizes, w, h); best != "" {
		return best
	}
	x, y := engine.AspectSize(w, h, i.server.o.Pixels)
	return fmt.Sprintf("%dx%d", x, y)
}

// known are the sizes of models that have a few only.
func known(model string) []string {
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

// format is the response_format to send: models of OpenAI that always answer
// base64 refuse it, all else would answer with addresses without it.
func (i *Images) format(model string) string {
	switch f := i.server.o.Format; {
	case f == "none":
		return ""
	case f != "":
		return f
	case strings.HasPrefix(model, "gpt-image"), strings.HasPrefix(model, "chatgpt-image"):
		return ""
	}
	return "b64_json"
}

// seedOf makes a seed of a nonce: the same for the same, also for none.
func seedOf(nonce string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(nonce)) // a hash takes everything
	return int64(h.Sum32() & 0x7fffffff)
}

// picture takes the first picture of a response.
func (i *Images) picture(ctx context.Context, model string, res *sdk.ImagesResponse, err error) (engine.Picture, error) {
	if err != nil {
		return engine.Picture{}, err
	}
	if res == nil { // the body was null
		res = &sdk.ImagesResponse{}
	}
	if len(res.Data) == 0 {
		return engine.Picture{}, i.server.fault("answered without a picture in it", errors.New(messageOf([]byte(res.RawJSON()))))
	}
	var b []byte
	switch one := res.Data[0]; {
	case one.B64JSON != "":
		text := one.B64JSON
		if _, rest, ok := strings.Cut(text[:min(len(text), 100)], ";base64,"); ok { // some send a data: URL
			text = rest + text[min(len(text), 100):]
		}
		if b, err = base64.StdEncoding.DecodeString(text); err != nil {
			return engine.Picture{}, i.server.fault("answered with something that cannot be understood", err)
		}
	case one.URL != "":
		if b, err = i.fetch(ctx, one.URL); err != nil {
			return engine.Picture{}, i.server.failure(ctx, err)
		}
	}
	kind := pictureType(b)
	if kind == "" {
		return engine.Picture{}, i.server.fault("answered with something that is neither PNG nor JPEG", errors.New(http.DetectContentType(b)))
	}
	if _, _, err := image.DecodeConfig(bytes.NewReader(b)); err != nil {
		return engine.Picture{}, i.server.fault("answered with a damaged picture", err)
	}
	return engine.Picture{Bytes: b, ContentType: kind, Facts: engine.Facts{Engine: i.Name(), Model: model}}, nil
}

// fetch gets a picture that the server only names. Only its own addresses are
// asked: a server must not lead this one anywhere else.
func (i *Images) fetch(ctx context.Context, at string) ([]byte, error) {
	base, err := url.Parse(i.server.base)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	u, err := base.Parse(at)
	if err != nil || u.Scheme != base.Scheme || u.Host != base.Host || u.User != nil {
		return nil, i.server.fault("answered with the address of a picture elsewhere, which is not fetched: set format to \"b64_json\"", nil)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	res, err := i.server.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // it was read
	if res.StatusCode != http.StatusOK {
		return nil, i.server.fault(fmt.Sprintf("does not give out the picture it made (HTTP %d)", res.StatusCode), nil)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	return b, nil
}

// pictureType tells PNG and JPEG by their first bytes; "" is neither.
func pictureType(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	}
	return ""
}
