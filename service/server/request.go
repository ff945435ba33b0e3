package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"confab/internal/chat"
	"confab/service/api"
	"confab/service/engine"
)

// Of bodies whose key is not known yet, only the beginning is read, in bytes, and the rest of a few at a time.
const (
	maxUnknownBody = 16 << 10
	maxStrangers   = 4
)

// apiCall is what was understood of a request to the API.
type apiCall struct {
	model    api.Model
	features engine.Features // of the model's engine, for texts
	key      string
	prompt   string
	fields   map[string]json.RawMessage
	facts    engine.Facts // of the answer
	usage    chat.Usage
	stream   *textStream // the answer goes out in parts; nil for a whole one
	client   Client      // owner of the key; without a name when the key belongs to nobody in particular
	release  func()      // gives back the place of the client; nil: it has none
}

// parseRequest checks a request to the API: method, type, size, JSON, key, model, prompt. With an error too, c holds
// what was understood until then, so that the log can name the model and mask the key.
func (s *Server) parseRequest(w http.ResponseWriter, r *http.Request, family, slug string, c *apiCall) (err error) {
	if err := requireMethod(w, r, http.MethodPost); err != nil {
		return err
	}
	const unsupported = http.StatusUnsupportedMediaType
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return refuse(unsupported, api.CodeBadRequest, "The Content-Type must be application/json.")
	}
	if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return refuse(unsupported, api.CodeBadRequest, "A compressed body is not taken.")
	}
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	if c.fields, err = parseFields(body); err != nil {
		return err
	}
	if c.key, err = c.required("apikey"); err != nil {
		return err
	}
	from, _ := s.clientAddr(r)
	if c.client, err = s.authenticate(from, c.key); err != nil {
		return err
	}
	if c.model, err = s.findModel(family, slug); err != nil {
		return err
	}
	if c.model.Kind == api.Text {
		c.features = s.Engine.Features(c.model.Slug)
		if extensions := api.Extensions(c.features).String(); extensions != "" {
			w.Header().Set(api.HeaderExtensions, extensions)
		}
	}
	if c.prompt, err = c.required("prompt"); err != nil {
		return err
	}
	c.release, err = s.clients.take(c.client, time.Now())
	return err
}

// done gives back what the call holds.
func (c *apiCall) done() {
	if c.release != nil {
		c.release()
	}
}

// readBody reads the whole body within the limits of time and size. The key at the beginning of a long one is checked
// before the rest is read.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	limit := strconv.FormatInt(s.Limits.Body, 10) + " bytes"
	if s.Limits.Body >= 1<<20 && s.Limits.Body%(1<<20) == 0 {
		limit = strconv.FormatInt(s.Limits.Body>>20, 10) + " MiB"
	}
	tooLarge := refuse(http.StatusRequestEntityTooLarge, api.CodeTooLarge, "The body is larger than %s.", limit)
	if r.ContentLength > s.Limits.Body {
		w.Header().Set("Connection", "close")
		return nil, tooLarge
	}
	// A writer without deadlines (a test's) cannot have a slow client either. The server of net/http lifts the deadline
	// itself once the body was read.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.Limits.ReadBody))
	// The size that the client claims is believed only so far as it costs nothing.
	read := bytes.NewBuffer(make([]byte, 0, min(max(r.ContentLength, 0), 8<<10)+bytes.MinRead))
	body := http.MaxBytesReader(w, r.Body, s.Limits.Body)
	_, err := read.ReadFrom(io.LimitReader(body, maxUnknownBody))
	if err == nil && read.Len() == maxUnknownBody {
		if key := firstKey(read.Bytes()); key != "" {
			from, _ := s.clientAddr(r)
			_, err = s.authenticate(from, key)
		} else if s.strangers.TryAcquire(1) {
			defer s.strangers.Release(1)
		} else {
			err = busy()
		}
		if err != nil {
			w.Header().Set("Connection", "close")
			return nil, err
		}
		_, err = read.ReadFrom(body)
	}
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge
	case err != nil:
		w.Header().Set("Connection", "close")
		return nil, refuse(http.StatusRequestTimeout, api.CodeTimeout,
			"The body did not arrive whole and in time.")
	}
	return read.Bytes(), nil
}

// firstKey returns the key of a body of which this is the beginning, where the key is in it; else it is empty.
func firstKey(beginning []byte) string {
	d := json.NewDecoder(bytes.NewReader(beginning))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	for {
		name, err := d.Token()
		if err != nil {
			return ""
		}
		if name == "apikey" {
			key, _ := d.Token()
			text, _ := key.(string)
			return text
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return ""
		}
	}
}

// parseFields reads one JSON object and nothing after it. Only the known fields are kept: a mebibyte of unknown ones
// would take thirty times its size, and the key is not checked yet.
func parseFields(body []byte) (map[string]json.RawMessage, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, badRequest("The body is empty; a JSON object was expected.")
	}
	var fields map[string]json.RawMessage
	if json.Valid(body) {
		fields = api.Members(body, "apikey", "prompt", "systemprompt", "aspect_ratio", "nonce", "imageUrl",
			"messages", "params", "images")
	}
	if fields == nil {
		return nil, badRequest("The body is not one JSON object.")
	}
	return fields, nil
}

// text returns an optional field; it is empty when it is absent or null.
func (c *apiCall) text(name string) (string, error) {
	raw, there := c.fields[name]
	if !there {
		return "", nil
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

func (c *apiCall) required(name string) (string, error) {
	if _, there := c.fields[name]; !there {
		return "", badRequest("The field %s is missing.", name)
	}
	v, err := c.text(name)
	if err == nil && strings.TrimSpace(v) == "" {
		return "", badRequest("The field %s is empty.", name)
	}
	return v, err
}

// findModel returns the model that the path names, of a kind that the path serves.
func (s *Server) findModel(family, slug string) (api.Model, error) {
	m, ok := s.Catalogue().Find(slug)
	served := "generative"
	if m.Kind == api.Text {
		served = "llm"
	}
	switch {
	case !ok:
		return m, refuse(http.StatusNotFound, api.CodeUnknownModel, "There is no model of this name.")
	case family != served:
		return api.Model{}, refuse(http.StatusNotFound, api.CodeUnknownModel, "The model %s is served at /api/%s/%s.",
			m.Slug, served, m.Slug)
	}
	return m, nil
}

func hashOf(key string) [32]byte { return sha256.Sum256([]byte(key)) }
