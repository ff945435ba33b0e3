package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strings"

	"confab/internal/chat"
	"confab/internal/format"
	"confab/service/api"
	"confab/service/engine"
)

// The limits of what goes with a prompt.
const (
	maxMessages = 1000
	maxImages   = 8
)

// extensionFields are the fields of a request for a text that the contract does not know.
type extensionFields struct {
	messages []chat.Message
	params   engine.Params
	images   []string // data URLs
}

func (f extensionFields) isEmpty() bool { return len(f.messages)+len(f.params)+len(f.images) == 0 }

// acceptsStream reports whether a request names the type of a stream among those that it takes.
func acceptsStream(r *http.Request) bool {
	for one := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		kind, params, err := mime.ParseMediaType(one)
		if err == nil && kind == api.EventStream && strings.Trim(cmp.Or(params["q"], "1"), "0.") != "" {
			return true
		}
	}
	return false
}

// extensionFields reads the fields of a request that the contract does not know, and refuses what is malformed and what
// the model's engine lacks. Only the owner of the engines may set their requests' other fields.
func (c *apiCall) extensionFields(takesExtra bool) (f extensionFields, err error) {
	if f.messages, err = c.messages(); err != nil {
		return f, err
	}
	if f.params, err = c.params(takesExtra); err != nil {
		return f, err
	}
	if f.images, err = c.imageURLs(); err != nil {
		return f, err
	}
	for _, one := range []struct {
		isLacking bool
		name      string
	}{
		{len(f.messages) > 0 && !c.features.TakesMessages, "messages"},
		{len(f.params) > 0 && !c.features.TakesParams, "params"},
		{len(f.images) > 0 && !c.features.TakesImages, "images"},
	} {
		if one.isLacking {
			return f, refuse(http.StatusUnprocessableEntity, api.CodeBadRequest,
				"The model %s takes no %s here; leave the field out.", c.model.Slug, one.name)
		}
	}
	return f, nil
}

// list reads a field that is a list of at most so many values; it is empty when it is absent or null.
func (c *apiCall) list(name string, limit int) ([]json.RawMessage, error) {
	raw, there := c.fields[name]
	if !there || string(raw) == "null" {
		return nil, nil
	}
	var all []json.RawMessage
	switch err := json.Unmarshal(raw, &all); {
	case err != nil:
		return nil, badRequest("The field %s must be a list.", name)
	case len(all) > limit:
		return nil, badRequest("The field %s has more than %d entries.", name, limit)
	}
	return all, nil
}

func (c *apiCall) messages() ([]chat.Message, error) {
	all, err := c.list("messages", maxMessages)
	if err != nil {
		return nil, err
	}
	var messages []chat.Message
	for _, one := range all {
		fields := api.Members(one, "role", "content")
		var role chat.Role
		var content *string
		isGood := json.Unmarshal(orNull(fields["role"]), &role) == nil && role.IsKnown() &&
			json.Unmarshal(orNull(fields["content"]), &content) == nil && content != nil
		if !isGood {
			return nil, badRequest("Each of the messages must have a role, user or assistant, and a content, a string.")
		}
		messages = append(messages, chat.Message{Role: role, Content: *content})
	}
	return messages, nil
}

// orNull returns raw, or null where there is none.
func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// params reads the parameters. Only those known here are passed on: an engine's server takes others, such as its model,
// which are for its operator to decide.
func (c *apiCall) params(takesExtra bool) (engine.Params, error) {
	raw, there := c.fields["params"]
	if !there || string(raw) == "null" {
		return nil, nil
	}
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // a seed may have more digits than a float holds
	if d.Decode(&all) != nil {
		return nil, badRequest("The field params must be an object.")
	}
	params, err := chat.CheckParams(all)
	if err != nil {
		return nil, badRequest("%s.", format.Capitalize(err.Error()))
	}
	if _, isSet := params[chat.ExtraParam]; isSet && !takesExtra {
		return nil, refuse(http.StatusUnprocessableEntity, api.CodeBadRequest,
			"The parameter %s is not taken here; leave it out.", chat.ExtraParam)
	}
	return params, nil
}

// imageURLs reads the field images.
func (c *apiCall) imageURLs() ([]string, error) {
	all, err := c.list("images", maxImages)
	if err != nil {
		return nil, err
	}
	var urls []string
	for _, one := range all {
		var url *string
		if json.Unmarshal(one, &url) != nil || url == nil {
			return nil, badRequest("The images must be strings.")
		}
		urls = append(urls, *url)
	}
	return urls, nil
}

// decodeImages returns the pictures of data URLs, judged as the sources of edits are. It takes memory from the
// reservation.
func decodeImages(ctx context.Context, urls []string, memory *reservation) ([][]byte, error) {
	var images [][]byte
	for _, url := range urls {
		kind, data, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
		if !ok || !strings.HasPrefix(url, "data:") || kind != "image/png" && kind != "image/jpeg" {
			return nil, badRequest("The images must be data URLs, data:image/png;base64,… or data:image/jpeg;base64,….")
		}
		b, err := memory.read(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
		if err == nil {
			err = judgeSource(ctx, b)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		const status = http.StatusUnprocessableEntity
		switch {
		case errors.Is(err, errBusy):
			return nil, busy()
		case errors.Is(err, errTooLarge):
			return nil, refuse(status, api.CodeTooLarge, "One of the images has more than 40 megapixels or 64 MiB.")
		case err != nil:
			return nil, refuse(status, api.CodeBadImage, "One of the images is not a whole PNG or JPEG picture.")
		}
		images = append(images, b)
	}
	return images, nil
}
