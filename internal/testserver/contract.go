package testserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Strict returns a handler that passes on valid requests of the service contract. It refuses others and fails the
// test: those with an unknown method, path, query, header or field, or without a required one. It accepts only the
// offered extensions ("stream", "messages", "params", "images").
func Strict(t testing.TB, next http.Handler, offered ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has disconnected
		}
		if err := CheckRequest(r, body, offered); err != nil {
			t.Errorf("the service was sent %v", err)
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, refusal(err)) // the client may have disconnected
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// Pipe returns a function that connects in memory to a service with right answers that is as strict as [Strict]. It
// works in a bubble of [testing/synctest].
func Pipe(t testing.TB, offered ...string) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		s := &Server{t: t, offered: offered, open: map[net.Conn]bool{}, changed: make(chan struct{})}
		go s.handle(&conn{Conn: far, server: s}, "ok")
		return near, nil
	}
}

// refusal returns the body of the response to an invalid request.
func refusal(err error) string {
	b, _ := json.Marshal(err.Error()) // a string marshals
	return fmt.Sprintf(`{"status":400,"error":{"code":"bad_request","message":%s}}`, b)
}

// CheckRequest returns an error for a request with parts that the contract and the offered extensions do not define.
func CheckRequest(r *http.Request, body []byte, offered []string) error {
	if err := checkHead(r, offered); err != nil {
		return err
	}
	return checkBody(r, body, offered)
}

// checkHead checks all but the body of a request.
func checkHead(r *http.Request, offered []string) error {
	parts := strings.Split(r.URL.EscapedPath(), "/") // the base URL may have a path
	n := len(parts)
	isAPI := n > 3 && parts[n-3] == "api" && (parts[n-2] == "llm" || parts[n-2] == "generative") && parts[n-1] != ""
	switch {
	case r.Method != http.MethodPost:
		return fmt.Errorf("the method %s", r.Method)
	case !isAPI:
		return fmt.Errorf("the path %s", r.URL.Path)
	case r.URL.RawQuery != "" || r.URL.ForceQuery:
		return fmt.Errorf("the query %q", r.URL.RawQuery)
	case len(r.TransferEncoding) > 0 || len(r.Trailer) > 0:
		return fmt.Errorf("the transfer encoding %q and the trailer %v", r.TransferEncoding, r.Trailer)
	}
	accept := []string{"image/png, image/jpeg"}
	if isText(r) {
		accept = []string{"application/json"}
		if slices.Contains(offered, "stream") {
			accept = append(accept, "text/event-stream, application/json")
		}
	}
	allowed := map[string][]string{"Content-Type": {"application/json"}, "User-Agent": {"confab"}, "Accept": accept,
		"Connection": {"close"}, "Content-Length": {fmt.Sprint(r.ContentLength)}}
	for name, values := range r.Header {
		if len(values) != 1 || !slices.Contains(allowed[name], values[0]) {
			return fmt.Errorf("the header %s: %q", name, values)
		}
	}
	if r.Header.Get("Content-Type") == "" {
		return fmt.Errorf("no Content-Type")
	}
	return nil
}

func isText(r *http.Request) bool { return strings.Contains(r.URL.Path, "/api/llm/") }

// checkBody checks the body of a request.
func checkBody(r *http.Request, body []byte, offered []string) error {
	optional := []string{"aspect_ratio", "nonce", "imageUrl"}
	if isText(r) {
		optional = []string{"systemprompt"}
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("a body that is no object: %.100q", body)
	}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return fmt.Errorf("a body that is not JSON: %w", err)
		}
		name, _ := token.(string) // it is the name of a field
		var value any
		if err := d.Decode(&value); err != nil {
			return fmt.Errorf("a body that is not JSON: %w", err)
		}
		text, isString := value.(string)
		isRequired := name == "apikey" || name == "prompt"
		isExtension := isText(r) && name != "stream" && slices.Contains(offered, name)
		switch {
		case seen[name]:
			return fmt.Errorf("the field %s twice", name)
		case !isRequired && !isExtension && !slices.Contains(optional, name):
			return fmt.Errorf("the field %s", name)
		case !isExtension && !isString:
			return fmt.Errorf("the field %s as %v", name, value)
		case text == "" && name != "prompt" && !isExtension:
			return fmt.Errorf("the field %s empty", name)
		}
		seen[name] = true
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("a body that is not JSON: %w", err)
	}
	switch {
	case d.More():
		return fmt.Errorf("something after the body's object")
	case !seen["apikey"] || !seen["prompt"]:
		return fmt.Errorf("a body without apikey or prompt")
	case seen["imageUrl"] && (seen["aspect_ratio"] || seen["nonce"]):
		return fmt.Errorf("fields of an edit and of a new picture")
	}
	return nil
}
