package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// judge decides what a whole answer is: what the contract calls success, or a failure. It looks at the bytes; a label
// (Content-Type) is only a hint.
func (k *call) judge(ctx context.Context, status int, header http.Header, body []byte) (Response, *Error) {
	if status != http.StatusOK {
		return Response{}, k.statusError(status, fmt.Sprintf("HTTP %d", status), header, body)
	}
	var response Response
	var failure *Error
	if k.request.Model.Kind == Text {
		response, failure = k.judgeText(ctx, header, body)
	} else {
		response, failure = k.judgePicture(ctx, header, body)
	}
	if failure != nil {
		failure.Status = status
		return Response{}, failure
	}
	response.Status = status
	k.addFacts(&response, header)
	return response, nil
}

// addFacts adds what the header of an answer says of it, where the answer itself does not.
func (c *Client) addFacts(r *Response, header http.Header) {
	r.IsCached = strings.HasPrefix(strings.ToUpper(header.Get(HeaderCache)), "HIT")
	r.Engine = cmp.Or(r.Engine, c.line(header.Get(HeaderEngine)))
	r.EngineModel = cmp.Or(r.EngineModel, c.line(header.Get(HeaderModel)))
	r.Note = cmp.Or(r.Note, c.line(header.Get(HeaderNote)))
}

// line returns a foreign text, masked, as one short line without anything that a terminal might obey.
func (c *Client) line(s string) string {
	return c.mask.String(clean(c.mask.String(s))) // cleaning may put a key together
}

// judgeText accepts {"status": 200, "data": {"text": "…"}} and nothing else: names in exactly this case, an integer, a
// string.
func (k *call) judgeText(ctx context.Context, header http.Header, body []byte) (Response, *Error) {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	switch what := sniff(body); {
	case what == isHTML:
		return Response{}, k.webPage(CodeBadResponse, body)
	case what == isEmpty:
		return Response{}, k.fail(CodeBadResponse, nil, "The service answered with nothing at all: check that "+
			"base_url is the address of the service.")
	case what != isJSON && what != isText:
		return Response{}, k.fail(CodeBadResponse, nil, "The service answered with %s where a text belongs: check "+
			"the model and base_url.", what)
	case !json.Valid(body):
		return Response{}, k.fail(CodeBadResponse, nil, "The service answered with something that is not whole and "+
			"valid JSON: check that base_url is the address of the service.")
	}
	top := Members(body, "status", "data")
	status, ok := integer(top["status"])
	if !ok {
		return Response{}, k.fail(CodeBadResponse, nil, "The answer has no whole number as its status, so it is not "+
			"what the service promises: check that base_url is the address of the service.")
	}
	if status != http.StatusOK {
		label := fmt.Sprintf("status %d inside an HTTP 200 answer", status)
		return Response{}, k.statusError(status, label, header, body)
	}
	data := Members(top["data"], "text", "model", "reasoning", "finish", "usage", "image")
	var text *string
	if data["text"] == nil || json.Unmarshal(data["text"], &text) != nil || text == nil {
		return Response{},
			k.fail(CodeBadResponse, nil, "The answer holds no text where one belongs, so it is not what the service "+
				"promises: try again, or try another model.")
	}
	response := Response{Text: k.mask.String(*text), Reasoning: k.mask.String(textOf(data["reasoning"])),
		Finish: k.finishOf(data["finish"]), Usage: readUsage(data["usage"]), ServedModel: k.servedModel(data["model"])}
	if response.Text != *text {
		sum := sha256.Sum256([]byte(*text))
		response.IsMasked, response.SHA256 = true, hex.EncodeToString(sum[:])
	}
	if _, encoded, ok := strings.Cut(textOf(data["image"]), ";base64,"); ok {
		return response, k.addImage(ctx, &response, encoded)
	}
	return response, nil
}

// addImage adds a picture that a text model made, given as base64.
func (k *call) addImage(ctx context.Context, r *Response, encoded string) *Error {
	b, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return k.fail(CodeBadImage, err, "The picture in the answer is damaged: try again.")
	}
	picture, failure := k.judgePicture(ctx, http.Header{}, b)
	if failure != nil {
		return failure
	}
	r.Image, r.ContentType, r.Width, r.Height = picture.Image, picture.ContentType, picture.Width, picture.Height
	r.IsTooLarge, r.SHA256, r.IsMasked = picture.IsTooLarge, picture.SHA256, r.IsMasked || picture.IsMasked
	return nil
}

// servedModel returns the model that an answer names, masked and not too long.
func (c *Client) servedModel(raw json.RawMessage) string {
	model := c.mask.String(textOf(raw))
	return strings.ToValidUTF8(model[:min(len(model), 256)], "")
}

// integer reads a JSON number that is written as an integer.
func integer(raw json.RawMessage) (int, bool) {
	n, err := strconv.ParseInt(string(raw), 10, 32)
	return int(n), err == nil && raw[0] != '+'
}

// maxMapped is the size, in bytes, up to which all members of a JSON object are kept while [Members] reads it.
const maxMapped = 8 << 10

// Members returns the named members of a JSON object, nil when raw is none. Names match exactly, and the last one of a
// name counts; what has other names is passed over without being kept.
func Members(raw []byte, names ...string) map[string]json.RawMessage {
	if len(raw) <= maxMapped { // faster than token by token
		var all map[string]json.RawMessage
		if json.Unmarshal(raw, &all) != nil {
			return nil
		}
		maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool { return !slices.Contains(names, name) })
		return all
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	out := map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil
		}
		if name, ok := name.(string); ok && slices.Contains(names, name) {
			out[name] = value
		}
	}
	return out
}
