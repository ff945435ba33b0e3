package server

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"mime"
	"net/http"
	"strings"

	"confab/internal/chat"
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
// the model's engine lacks.
func (c *apiCall) extensionFields() (f extensionFields, err error) {
	if f.messages, err = c.messages(); err != nil {
		return f, err
	}
	if f.params, err = c.params(); err != nil {
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
func (c *apiCall) params() (engine.Params, error) {
	raw, there := c.fields["params"]
	if !there || string(raw) == "null" {
		return nil, nil
	}
	var all map[string]any
	if json.Unmarshal(raw, &all) != nil {
		return nil, badRequest("The field params must be an object.")
	}
	params := engine.Params{}
	for name, value := range all {
		if value == nil {
			continue
		}
		isGood, what := false, ""
		switch name {
		case "temperature":
			isGood, what = isNumber(value, 0, 2), "a number from 0 to 2"
		case "top_p":
			isGood, what = isNumber(value, 0, 1), "a number from 0 to 1"
		case "max_tokens":
			isGood, what = isNumber(value, 1, 1e9) && isWhole(value), "a whole number above 0"
		case "seed":
			isGood, what = isWhole(value), "a whole number"
		case "stop":
			isGood, what = isStop(value), "a string, or a list of at most four"
		case "response_format":
			_, isObject := value.(map[string]any)
			isGood, what = isObject || isString(value), "a string or an object"
		case "reasoning_effort":
			isGood, what = isString(value), "a string"
		default:
			return nil, badRequest("There is no parameter of one of these names; those there are: temperature, " +
				"top_p, max_tokens, seed, stop, response_format, reasoning_effort.")
		}
		if !isGood {
			return nil, badRequest("The parameter %s must be %s.", name, what)
		}
		params[name] = value
	}
	return params, nil
}

func isNumber(value any, least, most float64) bool {
	n, ok := value.(float64)
	return ok && n >= least && n <= most
}

func isWhole(value any) bool {
	n, ok := value.(float64)
	return ok && n == math.Trunc(n) && math.Abs(n) < 1<<63
}

func isString(value any) bool {
	_, ok := value.(string)
	return ok
}

// isStop reports whether a value is what ends an answer: a text or a few of them.
func isStop(value any) bool {
	all, isList := value.([]any)
	for _, one := range all {
		if !isString(one) {
			return false
		}
	}
	return isString(value) || isList && len(all) <= 4
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
