package server

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"confab/internal/redact"
	"confab/service/api"
)

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets [http.ResponseController] reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// serve is the outermost handler: it names the request, keeps a panic to it, answers refusals and writes one line to
// the log.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	out := &recorder{ResponseWriter: w}
	id := requestID(r.Header.Get("X-Request-Id"))
	h := out.Header()
	h.Set("X-Request-Id", id)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	var c call
	s.figures.working.Add(1)
	refused := s.answered(out, r, &c, id)
	s.figures.working.Add(-1)
	took := time.Since(began)
	if out.status != 0 {
		// whoever waits for the answer need not wait for its line in the log
		_ = http.NewResponseController(out).Flush()
	}
	s.figures.answered(routeOf(r.URL.Path), &c, out, refused, took)
	if quiet(r.URL.Path) && refused == nil {
		return // probes would fill the log
	}
	level := slog.LevelInfo
	if refused != nil && refused.status >= 500 {
		level = slog.LevelError
	}
	if !s.log.Enabled(r.Context(), level) {
		return
	}
	args := []any{
		"request", id, "method", cleanMethod(r.Method), "route", routeOf(r.URL.Path), "model", c.model.Slug,
		"status", out.status, "bytes", out.bytes, "elapsed_ms", took.Milliseconds(), "from", s.from(r),
	}
	for _, more := range [][2]string{{"key", c.client.Name}, {"engine", c.facts.Engine},
		{"engine_model", c.facts.Model}} {
		if more[1] != "" {
			args = append(args, more[0], more[1])
		}
	}
	if c.facts.Fallback {
		args = append(args, "fallback", true)
	}
	if refused != nil {
		args = append(args, "code", refused.code)
		if refused.status >= 500 {
			args = append(args, "cause", c.redactedText(refused.cause))
		}
	}
	if out.status == 0 {
		args = append(args, "left", true) // the client went away before an answer
	}
	s.log.Log(r.Context(), level, "Answered", args...)
}

// answered routes the request and sends the refusal that it comes to, if any.
func (s *Server) answered(out *recorder, r *http.Request, c *call, id string) (refused *refusal) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		s.log.Error("Recovered from a panic", "request", id, "cause", c.redactedText(fmt.Errorf("%v", cause)), "stack",
			string(debug.Stack()))
		if out.status != 0 {
			panic(http.ErrAbortHandler) // half an answer must not look like a whole one
		}
		refused = &refusal{status: 500, code: string(api.CodeService), message: "The service met an unexpected fault."}
		s.refuse(out, refused)
	}()
	err := s.route(out, r, c)
	if err == nil {
		return nil
	}
	if refused = refusalOf(r.Context(), err); refused != nil {
		s.refuse(out, refused)
	}
	return refused
}

func (s *Server) refuse(out *recorder, r *refusal) {
	_ = http.NewResponseController(out).SetWriteDeadline(time.Now().Add(s.limits.Write))
	r.write(out)
}

// redactedText is what the log may hold of an error: no key, nothing of the prompt that an engine may have quoted, not
// much.
func (c *call) redactedText(err error) string {
	if err == nil {
		return ""
	}
	text := redact.NewMasker(c.key).String(err.Error()) // before it is cut: half a key is one as well
	if len(text) > 400 {
		text = text[:400]
	}
	for name := range c.fields {
		if own, err := c.text(name); err == nil && name != "apikey" {
			text = replaceQuotes(text, own)
		}
	}
	if len(text) > 300 {
		text = text[:300] + "…"
	}
	return strings.ToValidUTF8(text, "")
}

// quoted is the length, in bytes, from which words are taken for a quotation.
const quoted = 12

// replaceQuotes puts a mark in the place of what is quoted of words, be it a part.
func replaceQuotes(text, words string) string {
	if words == "" {
		return text
	}
	text = strings.ReplaceAll(text, words, "[prompt]")
	var b strings.Builder
	for i := 0; i < len(text); {
		n := quoted
		if i+n > len(text) || !strings.Contains(words, text[i:i+n]) {
			b.WriteByte(text[i])
			i++
			continue
		}
		for i+n < len(text) && strings.Contains(words, text[i:i+n+1]) {
			n++
		}
		b.WriteString("[prompt]")
		i += n
	}
	return b.String()
}

// routeOf is the kind of a path; the path itself is the client's text.
func routeOf(path string) string {
	for _, known := range []string{"/api/llm/", "/api/generative/", picturesPath, "/healthz", "/readyz", "/metrics",
		"/openapi.json"} {
		if strings.HasPrefix(path, known) {
			return known
		}
	}
	return "other"
}

func cleanMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions,
		http.MethodPatch:
		return m
	}
	return "other"
}

// requestID takes the client's name for the request when it is a plain one.
func requestID(given string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
	if given != "" && len(given) <= 64 && strings.Trim(given, plain) == "" {
		return given
	}
	return rand.Text()[:16]
}

// quiet tells whether a path is asked again and again by machines.
func quiet(path string) bool { return path == "/healthz" || path == "/readyz" || path == "/metrics" }
