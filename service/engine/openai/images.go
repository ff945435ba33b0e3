package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"

	"confab/internal/fetch"
	"confab/service/engine"
)

// Images is an [engine.Engine] that uses a server's image generations and edits. It is safe for concurrent use.
type Images struct{ *client }

var (
	_ engine.Engine = (*Images)(nil)
	_ engine.Lister = (*Images)(nil)
)

// NewImages returns [Images] without contacting the server. The error describes invalid options in a sentence.
func NewImages(o Options) (*Images, error) {
	if o.Pixels <= 0 {
		o.Pixels = 1 << 20
	}
	c, err := newClient(o)
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

// Image requests a picture of the size nearest to the requested ratio. If the server takes a seed, it is computed
// from the nonce and mentioned in the note.
func (i *Images) Image(ctx context.Context, r engine.ImageRequest) (engine.Picture, error) {
	if strings.TrimSpace(r.Prompt) == "" {
		return engine.Picture{}, engine.NoPrompt()
	}
	w, h, err := engine.ParseAspect(r.Aspect)
	if err != nil {
		return engine.Picture{}, err //nolint:wrapcheck // the refusal itself
	}
	note, fields := "", maps.Clone(r.Params)
	if fields == nil {
		fields = engine.Params{}
	}
	if i.options.TakesSeed {
		seed := seedOf(r.Nonce)
		fields["seed"] = seed
		note = fmt.Sprintf("The seed %d comes from the nonce.", seed)
	}
	for name, value := range map[string]any{"prompt": r.Prompt, "model": r.Model, "n": 1, "size": i.size(r.Model, w, h),
		"response_format": i.responseFormat(r.Model)} {
		if _, isSet := fields[name]; !isSet && value != "" {
			fields[name] = value
		}
	}
	res, err := i.postJSON(ctx, "images/generations", "application/json", fields)
	p, err := i.picture(ctx, res, r.Model, r.Aspect, err)
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
	body, contentType, err := i.editForm(r, kind)
	if err != nil {
		return engine.Picture{}, i.fault("could not be sent the picture", err)
	}
	res, err := i.post(ctx, "images/edits", "application/json", contentType, body, r.Model)
	return i.picture(ctx, res, r.Model, "", err)
}

// editForm returns the form of an edit. Parameters of the caller override its fields.
func (i *Images) editForm(r engine.EditRequest, kind string) (body []byte, contentType string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", fmt.Sprintf(`form-data; name="image"; filename="source.%s"`,
		strings.TrimPrefix(kind, "image/")))
	header.Set("Content-Type", kind)
	picture, err := w.CreatePart(header)
	if err == nil {
		_, err = picture.Write(r.Source)
	}
	fields := map[string]any{"prompt": r.Prompt, "n": 1, "response_format": i.responseFormat(r.Model)}
	maps.Copy(fields, r.Params)
	fields["model"] = r.Model
	for name, value := range fields {
		if text := formValue(value); text != "" && err == nil {
			err = w.WriteField(name, text)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, "", fmt.Errorf("write the form: %w", err)
	}
	return b.Bytes(), w.FormDataContentType(), nil
}

// formValue returns a parameter as a form field: a string unchanged, everything else as JSON.
func formValue(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// size returns the size to request: the nearest of the model's sizes, or the exact ratio if any size is possible.
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
	model = baseName(model)
	switch {
	case strings.HasPrefix(model, "gpt-image"), strings.HasPrefix(model, "chatgpt-image"):
		return []string{"1024x1024", "1536x1024", "1024x1536"}
	case model == "dall-e-3":
		return []string{"1024x1024", "1792x1024", "1024x1792"}
	case model == "dall-e-2":
		return []string{"1024x1024"}
	}
	return nil
}

// baseName returns a model's name without the provider that gateways prepend.
func baseName(model string) string { return model[strings.LastIndexByte(model, '/')+1:] }

// responseFormat returns the response_format to send. OpenAI's models that always return base64 refuse the field; all
// others would return a URL without it.
func (i *Images) responseFormat(model string) string {
	model = baseName(model)
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

// seedOf computes a seed from a nonce, which may be empty.
func seedOf(nonce string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(nonce)) // writing to a hash never fails
	return int64(h.Sum32() & 0x7fffffff)
}

// picture returns the first picture of a response; err is the error of the request.
func (i *Images) picture(
	ctx context.Context, res *http.Response, model, aspect string, err error,
) (engine.Picture, error) {
	if err != nil {
		return engine.Picture{}, i.failure(ctx, err)
	}
	defer func() { _ = res.Body.Close() }() // it was read
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return engine.Picture{}, i.failure(ctx, err)
	}
	b := body // some servers send the picture itself
	if engine.PictureType(body) == "" {
		body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
		o := objectOf(body)
		at := pictureIn(answeredPicture(o), 0)
		switch {
		case at == "" && errorIn(o, false) != nil:
			return engine.Picture{}, i.said("answered without a picture in it", messageOf(body))
		case o == nil && !isContainer(body):
			return engine.Picture{}, i.noAnswer(body)
		case at == "" && o != nil:
			return engine.Picture{}, i.said("answered without a picture in it", "")
		}
		if b, err = i.fetchPicture(ctx, at); err != nil {
			return engine.Picture{}, i.failure(ctx, err)
		}
	}
	p, err := engine.NewPicture(b, engine.Facts{Engine: i.Name(), Model: model}, aspect)
	if err != nil {
		return engine.Picture{}, i.fault("answered with a damaged picture", err)
	}
	return p, nil
}

// answeredPicture returns the value with the picture of an answer: OpenAI's data, fields of other servers, or a chat
// message.
func answeredPicture(o object) json.RawMessage {
	for _, name := range []string{"data", "images", "image", "output", "result", "artifacts", "predictions"} {
		if pictureIn(o[name], 0) != "" {
			return o[name]
		}
	}
	for _, choice := range listOf(o["choices"]) {
		if images := objectOf(objectOf(choice)["message"])["images"]; !isBlank(images) {
			return images
		}
	}
	return nil
}

// fetchPicture returns the picture at an address, or in base64.
func (c *client) fetchPicture(ctx context.Context, at string) ([]byte, error) {
	var b []byte
	var err error
	isAddress := strings.HasPrefix(at, "http://") || strings.HasPrefix(at, "https://") || strings.HasPrefix(at, "/") &&
		len(at) < 2000 && !strings.HasPrefix(at, "/9j/") // base64 of a JPEG
	if isAddress {
		b, err = c.download(ctx, at)
	} else if decoded, ok := decodePicture(at); ok {
		b = decoded
	} else {
		err = c.fault("answered with something that cannot be understood", errors.New("no base64"))
	}
	if err != nil {
		return nil, err
	}
	if engine.PictureType(b) == "" {
		return nil, c.fault("answered with something that is neither PNG nor JPEG",
			errors.New(http.DetectContentType(b)))
	}
	return b, nil
}

// download fetches a picture at an address: from the engine's own server without restrictions, from others by the
// rules for untrusted addresses. It never sends the key.
func (c *client) download(ctx context.Context, at string) ([]byte, error) {
	base, err := url.Parse(c.baseURL)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	u, err := base.Parse(at)
	if err != nil {
		return nil, c.fault("answered with an address that cannot be read", nil)
	}
	if u.Scheme != base.Scheme || u.Host != base.Host || u.User != nil {
		return c.downloadElsewhere(ctx, u.String())
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // it was read
	if res.StatusCode != http.StatusOK {
		return nil, c.fault(fmt.Sprintf("does not give out the picture it made (HTTP %d)", res.StatusCode), nil)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("fetch picture: %w", err)
	}
	return b, nil
}

// downloadElsewhere fetches a picture from another server.
func (c *client) downloadElsewhere(ctx context.Context, at string) ([]byte, error) {
	const what = "answered with the address of a picture elsewhere that could not be fetched"
	if c.options.Fetch == nil {
		return nil, c.fault(what, nil)
	}
	b, err := c.options.Fetch.Get(ctx, at, maxPictureBytes, func(r io.Reader) ([]byte, error) {
		return io.ReadAll(http.MaxBytesReader(nil, io.NopCloser(r), maxPictureBytes))
	})
	var failure *fetch.Error
	switch {
	case err == nil:
		return b, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.As(err, &failure):
		return nil, c.said(what, failure.OwnerClause)
	}
	return nil, fmt.Errorf("fetch picture: %w", err)
}
