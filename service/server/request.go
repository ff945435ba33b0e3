package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"confab/service/api"
	"confab/service/engine"
)

// call is a request that was understood.
type call struct {
	model  api.Model
	key    string
	prompt string
	fields map[string]json.RawMessage
	facts  engine.Facts // of the answer
	client Client       // whose key it is; without a name when nobody in particular's
}

// parseRequest checks a request to the API: method, type, size, JSON, key, model, prompt. What it found out before it
// refused is in the call as well, so that the log can name the model and mask the key.
func (s *Server) parseRequest(w http.ResponseWriter, r *http.Request, family string, slug string) (call, error) {
	c := call{}
	if r.Method != http.MethodPost {
		return c, &refusal{status: 405, code: string(api.CodeBadRequest), message: "This path takes POST only.",
			allow: http.MethodPost}
	}
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return c, &refusal{status: 415, code: string(api.CodeBadRequest),
			message: "The Content-Type must be application/json."}
	}
	if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return c, &refusal{status: 415, code: string(api.CodeBadRequest), message: "A compressed body is not taken."}
	}
	body, err := s.body(w, r)
	if err != nil {
		return c, err
	}
	if c.fields, err = object(body); err != nil {
		return c, err
	}
	if c.key, err = c.required("apikey"); err != nil {
		return c, err
	}
	if c.client, err = s.authenticate(s.clientAddr(r), c.key); err != nil {
		return c, err
	}
	if c.model, err = s.model(family, slug); err != nil {
		return c, err
	}
	if c.prompt, err = c.required("prompt"); err != nil {
		return c, err
	}
	return c, s.quotas.count(c.client)
}

// body reads the whole body within the limits of time and size.
func (s *Server) body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	tooLarge := func() error {
		return &refusal{status: 413, code: string(api.CodeTooLarge),
			message: "The body is larger than " + bytesIn(s.limits.Body) + "."}
	}
	if r.ContentLength > s.limits.Body {
		w.Header().Set("Connection", "close")
		return nil, tooLarge()
	}
	control := http.NewResponseController(w)
	// A writer without deadlines (a test's) cannot have a slow client either. The server of net/http lifts the deadline
	// itself once the body was read.
	_ = control.SetReadDeadline(time.Now().Add(s.limits.ReadBody))
	// What the client says of the size is believed only so far as it costs nothing.
	read := bytes.NewBuffer(make([]byte, 0, min(max(r.ContentLength, 0), 8<<10)+bytes.MinRead))
	_, err := read.ReadFrom(http.MaxBytesReader(w, r.Body, s.limits.Body))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge()
	case err != nil:
		w.Header().Set("Connection", "close")
		return nil, &refusal{status: 408, code: string(api.CodeTimeout),
			message: "The body did not arrive whole and in time.", cause: err}
	}
	return read.Bytes(), nil
}

// object reads one JSON object and nothing after it.
func object(body []byte) (map[string]json.RawMessage, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, badRequest("The body is empty; a JSON object was expected.")
	}
	if len(body) > fewFields {
		return known(body)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, badRequest("The body is not one JSON object.")
	}
	return fields, nil
}

// fewFields is the size of a body, in bytes, up to which all of its fields are kept: a mebibyte of them, all unknown,
// would take thirty times its size, and whose key it is is not known yet.
const fewFields = 32 << 10

// known is object with the fields that are used only.
func known(body []byte) (map[string]json.RawMessage, error) {
	notOne := badRequest("The body is not one JSON object.")
	d := json.NewDecoder(bytes.NewReader(body))
	if t, err := d.Token(); err != nil || t != json.Delim('{') || !json.Valid(body) {
		return nil, notOne
	}
	fields := map[string]json.RawMessage{}
	var raw json.RawMessage
	for d.More() {
		name, err := d.Token()
		if err == nil {
			err = d.Decode(&raw)
		}
		if err != nil {
			return nil, notOne
		}
		switch name {
		case "apikey", "prompt", "systemprompt", "aspect_ratio", "nonce", "imageUrl":
			fields[name.(string)] = bytes.Clone(raw)
		}
	}
	return fields, nil
}

// text is an optional field: empty when it is absent or null.
func (c call) text(name string) (string, error) {
	raw, there := c.fields[name]
	if !there {
		return "", nil
	}
	// Most fields are plain words, and their JSON was judged already.
	if n := len(raw) - 1; n > 0 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1:n]), nil
	}
	var v *string
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", badRequest("The field %s must be a string.", name)
	}
	if v == nil {
		return "", nil
	}
	return *v, nil
}

func (c call) required(name string) (string, error) {
	if _, there := c.fields[name]; !there {
		return "", badRequest("The field %s is missing.", name)
	}
	v, err := c.text(name)
	if err == nil && strings.TrimSpace(v) == "" {
		return "", badRequest("The field %s is empty.", name)
	}
	return v, err
}

// model finds the model that the path names, of a kind that the path serves.
func (s *Server) model(family, slug string) (api.Model, error) {
	m, ok := s.catalogue.Find(slug)
	if !ok {
		return m, &refusal{status: 404, code: string(api.CodeUnknownModel), message: "There is no model of this name."}
	}
	if (m.Kind == api.Text) != (family == "llm") {
		right := "/api/generative/"
		if m.Kind == api.Text {
			right = "/api/llm/"
		}
		return api.Model{},
			&refusal{status: 404, code: string(api.CodeUnknownModel),
				message: "The model " + m.Slug + " is served at " + right + m.Slug + "."}
	}
	return m, nil
}

func hashOf(key string) [32]byte { return sha256.Sum256([]byte(key)) }
