package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// judge decides what a whole answer is: what the contract calls success, or a failure. It looks at the bytes; a label
// (Content-Type) is only a hint.
func (k *call) judge(ctx context.Context, status int, header http.Header, body []byte) (Response, *Error) {
	if status != http.StatusOK {
		return Response{}, k.refused(status, fmt.Sprintf("HTTP %d", status), header, body)
	}
	var response Response
	var failure *Error
	if k.request.Model.Kind == Text {
		response, failure = k.judgeText(header, body)
	} else {
		response, failure = k.judgePicture(ctx, header, body)
	}
	if failure != nil {
		failure.Status = status
		return Response{}, failure
	}
	response.Status = status
	response.Cached = strings.HasPrefix(strings.ToUpper(header.Get(HeaderCache)), "HIT")
	response.Engine, response.EngineModel = k.headerText(header, HeaderEngine), k.headerText(header, HeaderModel)
	response.Note = k.headerText(header, HeaderNote)
	return response, nil
}

// headerText returns what a header says, masked, as one short line without anything that a terminal might obey.
func (c *Client) headerText(header http.Header, name string) string {
	return c.mask.String(clean(c.mask.String(header.Get(name)))) // cleaning may put a key together
}

// judgeText accepts {"status": 200, "data": {"text": "…"}} and nothing else: names in exactly this case, an integer, a
// string.
func (k *call) judgeText(header http.Header, body []byte) (Response, *Error) {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	switch what := sniff(body); {
	case what == isHTML:
		return Response{}, k.webPage(CodeBadResponse, body)
	case what == isEmpty:
		return Response{}, k.fail(CodeBadResponse, nil, "The service answered with nothing at all: check that "+
			"base_url is "+
			"the address of the service.")
	case what != isJSON && what != isText:
		return Response{}, k.fail(CodeBadResponse, nil, "The service answered with %s where a text belongs: check the "+
			"model and base_url.", what)
	case !json.Valid(body):
		return Response{}, k.fail(CodeBadResponse, nil, "The service answered with something that is not whole and "+
			"valid "+
			"JSON: check that base_url is the address of the service.")
	}
	top := members(body, "status", "data")
	status, ok := integer(top["status"])
	if !ok {
		return Response{}, k.fail(CodeBadResponse, nil, "The answer has no whole number as its status, so it is not "+
			"what "+
			"the service promises: check that base_url is the address of the service.")
	}
	if status != http.StatusOK {
		return Response{}, k.refused(status, fmt.Sprintf("status %d inside an HTTP 200 answer", status), header, body)
	}
	data := members(top["data"], "text", "model")
	var text *string
	if data["text"] == nil || json.Unmarshal(data["text"], &text) != nil || text == nil {
		return Response{},
			k.fail(CodeBadResponse, nil, "The answer holds no text where one belongs, so it is not what "+
				"the service promises: try again, or try another model.")
	}
	response := Response{Text: k.mask.String(*text)}
	if response.Text != *text {
		sum := sha256.Sum256([]byte(*text))
		response.Masked, response.SHA256 = true, hex.EncodeToString(sum[:])
	}
	var model string
	if json.Unmarshal(data["model"], &model) == nil {
		model = k.mask.String(model)
		response.ServedModel = strings.ToValidUTF8(model[:min(len(model), 256)], "")
	}
	return response, nil
}

// refused judges a status other than 200, be it HTTP's or one inside the body; label says which.
func (k *call) refused(status int, label string, header http.Header, body []byte) *Error {
	if status >= 300 && status < 400 && header.Get("Location") != "" {
		e := k.redirected(header.Get("Location"))
		e.Status = status
		return e
	}
	if text := k.mask.String(message(body)); clean(text) != "" {
		label += ", " + quote(text)
	}
	e := k.refusal(status, label, body)
	e.Status = status
	if e.Code == CodeRateLimited || e.Code == CodeService {
		e.RetryAfter = retryAfter(header.Get("Retry-After"), k.now())
	}
	return e
}

func (k *call) refusal(status int, label string, body []byte) *Error {
	if k.request.Model.Kind == Edit && status >= 400 {
		if e := k.sourceRefusal(label, body); e != nil {
			return e
		}
	}
	switch {
	case status == 401, status == 403, status == 407:
		return k.fail(CodeUnauthorized, nil, "The service refused the key (%s): set %s, or api_key_command in the "+
			"configuration, to a valid key.", label, KeyVariable)
	case status == 404, status == 410:
		return k.fail(CodeUnknownModel, nil, "There is no model %s at %s (%s): check the model and base_url.",
			quote(k.request.Model.Slug), quote(k.base.String()), label)
	case status == 413, status == 414, status == 431:
		return k.fail(CodeBadRequest, nil, "The prompt is too large for the service (%s): shorten it.", label)
	case status == 402:
		return k.fail(CodeBadRequest, nil, "The service asks for a payment (%s): look after the account that the key "+
			"belongs to.", label)
	case status == 400, status == 405, status == 406, status == 409, status == 411, status == 412, status == 415,
		status == 422, status == 451:
		return k.fail(CodeBadRequest, nil, "The service refused the request (%s): change the prompt or its settings.",
			label)
	case status == 408:
		return k.fail(CodeTimeout, nil, "The service waited too long for the request (%s): try again.", label)
	case status == 504:
		return k.fail(CodeTimeout, nil, "The service, or an engine behind it, took too long (%s): try again, or try "+
			"another model.", label)
	case status == 429:
		return k.fail(CodeRateLimited, nil, "The service takes no more requests for now (%s): try again later.", label)
	case status >= 500 && status < 600:
		return k.fail(CodeService, nil, "The service failed (%s): try again later, or try another model.", label)
	}
	return k.fail(CodeBadResponse, nil,
		"The service answered with something that it does not promise (%s): check that "+
			"base_url is the address of the service.", label)
}

// sourceRefusal judges by the code in the body what the service has against the source picture of an edit. It is nil
// when the body names nothing of the kind.
func (k *call) sourceRefusal(label string, body []byte) *Error {
	switch code := Code(errorCode(body)); code {
	case CodeImageUnreachable:
		return k.fail(code, nil, "The service could not fetch the source picture (%s): check that its address is "+
			"public.",
			label)
	case CodeTooLarge:
		return k.fail(code, nil, "The source picture or the prompt is too large for the service (%s): scale the "+
			"picture "+
			"down, or shorten the prompt.", label)
	case CodeBadImage:
		return k.fail(code, nil, "The service cannot use the source picture (%s): choose a whole PNG or JPEG.", label)
	}
	return nil
}

// redirected names where a redirect leads. It is not followed: the request would carry the key there. Only for the same
// host is changing base_url suggested: another host must not get the key on the word of whoever answered.
func (k *call) redirected(location string) *Error {
	to, todo := "another address", "check that base_url is the address of the service, as its operator gave it to you."
	if u, err := k.base.Parse(location); err == nil && u.Host != "" {
		to = quote(u.Scheme + "://" + u.Host)
		switch {
		case u.Scheme == "https" && k.base.Scheme == "http" && u.Hostname() == k.base.Hostname():
			todo = "write https in base_url."
		case u.Scheme == k.base.Scheme && u.Host == k.base.Host:
			to = "another path of the same host, " + quote((&url.URL{Path: u.Path}).EscapedPath())
			todo = "check the path in base_url."
		}
	}
	return k.fail(CodeBadResponse, nil, "The service redirects to %s, which is not followed because the key would go "+
		"there: %s", to, todo)
}

func (k *call) webPage(code Code, body []byte) *Error {
	title := ""
	if t := clean(k.mask.String(pageTitle(body))); t != "" {
		title = ", titled “" + t + "”"
	}
	return k.fail(code, nil, "The service answered with a web page, perhaps a login page%s: check base_url and the "+
		"network.", title)
}

// integer reads a JSON number that is written as an integer.
func integer(raw json.RawMessage) (int, bool) {
	n, err := strconv.ParseInt(string(raw), 10, 32)
	return int(n), err == nil && raw[0] != '+'
}

// members returns the named members of a JSON object, nil when raw is none. Names match exactly, and the last one of a
// name counts; what has other names is passed over without being kept.
func members(raw []byte, names ...string) map[string]json.RawMessage {
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
		for _, wanted := range names {
			if name == wanted {
				out[wanted] = value
			}
		}
	}
	return out
}
