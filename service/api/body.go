package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"confab/internal/format"
)

// keyVariable is the environment variable that holds the key, as [Client.Curl] names it.
const keyVariable = "CONFAB_API_KEY"

// Body returns the exact bytes of the request's body, the key among them. A system prompt is left out for a model that
// takes none. The error is an [Error] of code usage.
func (r Request) Body(apikey string) ([]byte, error) {
	return r.body(apikey, func(contentType string, image []byte) string {
		return "data:" + contentType + ";base64," + base64.StdEncoding.EncodeToString(image)
	})
}

// RecordedBody is [Request.Body] with the sizes of pictures in place of their bytes.
func (r Request) RecordedBody(apikey string) ([]byte, error) {
	return r.body(apikey, func(contentType string, image []byte) string {
		return fmt.Sprintf("data:%s;base64,… (%s)", contentType, size(int64(len(image))))
	})
}

// body returns the request's body, in which dataURL writes the pictures.
func (r Request) body(apikey string, dataURL func(contentType string, image []byte) string) ([]byte, error) {
	body := requestBody{APIKey: apikey, Prompt: r.Prompt}
	switch r.Model.Kind {
	case Text:
		if r.Model.TakesSystem {
			body.System = r.System
		}
		body.Messages, body.Params = r.Messages, r.Params
		for _, image := range r.Images {
			contentType := http.DetectContentType(image)
			if contentType != "image/png" && contentType != "image/jpeg" {
				return nil, &Error{Code: CodeUsage,
					Message: "A picture that should go with the prompt is neither PNG nor JPEG."}
			}
			body.Images = append(body.Images, dataURL(contentType, image))
		}
	case Image:
		body.Aspect, body.Nonce = r.Aspect, r.Nonce
	case Edit:
		body.ImageURL = &r.ImageURL
	default:
		return nil, &Error{Code: CodeUsage,
			Message: fmt.Sprintf("The model %s is of no known kind.", quote(r.Model.Slug))}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the contract's examples have < and > as they are
	if err := e.Encode(body); err != nil {
		return nil, &Error{Code: CodeUsage, Err: fmt.Errorf("encode request: %w", err),
			Message: "The parameters cannot be sent: they hold something that JSON does not know."}
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// path returns the elements of the path below the base URL, escaped.
func (r Request) path() []string {
	at := "generative"
	if r.Model.Kind == Text {
		at = "llm"
	}
	return []string{"api", at, url.PathEscape(r.Model.Slug)}
}

// accept returns what the request takes for an answer.
func (r Request) accept() string {
	switch {
	case r.Model.Kind != Text:
		return "image/png, image/jpeg"
	case r.IsStreamed:
		return EventStream + ", application/json"
	}
	return "application/json"
}

// Curl returns a command line for a POSIX shell that sends r with curl. It names the key's environment variable instead
// of the key, and hands the body over on standard input, so that the key is not in the list of processes.
func (c *Client) Curl(r Request) string {
	body, err := r.Body("")
	if err != nil {
		return ""
	}
	const empty = `{"apikey":"`
	rest := strings.TrimPrefix(c.mask.String(string(body)), empty)
	options := ""
	if r.Model.Kind == Text && r.IsStreamed {
		options = "-N -H " + format.ShellWord("Accept: "+r.accept()) + " "
	}
	command := fmt.Sprintf(
		`printf '%%s' %s"$%s"%s | curl -sS -H 'Content-Type: application/json' %s--data-binary @- %s`,
		format.ShellWord(empty), keyVariable, format.ShellWord(rest), options, format.ShellWord(c.url(r)))
	if r.Model.Kind != Text {
		command += " --output picture"
	}
	return command
}
