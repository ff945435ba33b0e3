package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"confab/internal/format"
)

// KeyVariable is the environment variable that holds the key, as [Client.Curl] names it.
const KeyVariable = "CONFAB_API_KEY"

// Body returns the exact bytes of the request's body, the key among them. A system prompt is left out for a model that
// takes none.
func (r Request) Body(apikey string) ([]byte, error) {
	body := requestBody{APIKey: apikey, Prompt: r.Prompt}
	switch r.Model.Kind {
	case Text:
		if r.Model.TakesSystem {
			body.System = r.System
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
		return nil, fmt.Errorf("encode request: %w", err)
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

// Curl returns a command line for a POSIX shell that sends r with curl. It names the key's environment variable instead
// of the key, and hands the body over on standard input, so that the key is not in the list of processes.
func (c *Client) Curl(r Request) string {
	body, err := r.Body("")
	if err != nil {
		return ""
	}
	const empty = `{"apikey":"`
	rest := strings.TrimPrefix(c.mask.String(string(body)), empty)
	command := fmt.Sprintf(`printf '%%s' %s"$%s"%s | curl -sS -H 'Content-Type: application/json' --data-binary @- %s`,
		format.ShellWord(empty), KeyVariable, format.ShellWord(rest), format.ShellWord(c.url(r)))
	if r.Model.Kind != Text {
		command += " --output picture"
	}
	return command
}
