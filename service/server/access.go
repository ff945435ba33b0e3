package server

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"confab/internal/safego"
	"confab/service/api"
	"confab/service/engine"
)

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	queue  *engine.QueueClock
}

// WriteHeader implements [http.ResponseWriter].
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
		if waited := w.queue.Waited(); waited > 0 {
			w.Header().Set(api.HeaderServerTiming, api.QueueTiming(waited))
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
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

// serve is the outermost handler: it names the request, contains its panics, answers errors and writes one line to the
// log. What engines say of their failures is not logged, because it may quote a prompt.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	ctx, queue := engine.WithQueueClock(r.Context())
	r = r.WithContext(ctx)
	out := &recorder{ResponseWriter: w, queue: queue}
	id := requestID(r.Header.Get("X-Request-Id"))
	h := out.Header()
	h.Set("X-Request-Id", id)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	var c apiCall
	defer c.done()
	failure := s.answer(out, r, &c, id)
	took := time.Since(began)
	if out.status != 0 {
		// The client need not wait until the log is written.
		_ = http.NewResponseController(out).Flush()
	}
	if isOperationsPath(r.URL.Path) && r.URL.Path != "/openapi.json" && failure == nil {
		return // probes would fill the log
	}
	s.logRequest(r, id, &c, out, failure, began, took)
}

// answer routes the request and sends the error that this returns, if any.
func (s *Server) answer(out *recorder, r *http.Request, c *apiCall, id string) (failure *engine.Error) {
	sendFailure := func(failure *engine.Error) {
		if c.stream != nil && c.stream.hasHeader {
			c.stream.sendError(failure)
			return
		}
		_ = http.NewResponseController(out).SetWriteDeadline(time.Now().Add(s.Limits.Write))
		sendError(out, failure)
	}
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		safego.Log(s.Log, cause, "request", id)
		if out.status != 0 && c.stream == nil {
			panic(http.ErrAbortHandler) // half an answer must not look like a whole one
		}
		failure = refuse(http.StatusInternalServerError, api.CodeService, "The service met an unexpected fault.")
		sendFailure(failure)
	}()
	err := s.route(out, r, c)
	if err == nil {
		return nil
	}
	if failure = answerFor(r.Context(), err); failure != nil {
		answer := *failure
		if s.TellsEngineErrors {
			answer.Message = failure.OwnerMessage()
		}
		sendFailure(&answer)
	}
	return failure
}

func (s *Server) logRequest(
	r *http.Request, id string, c *apiCall, out *recorder, failure *engine.Error, began time.Time, took time.Duration,
) {
	isFault := failure != nil && failure.Status >= 500
	level := slog.LevelInfo
	if isFault {
		level = slog.LevelError
	}
	if !s.Log.Enabled(r.Context(), level) {
		return
	}
	from := r.RemoteAddr // with its port where no proxy stands between
	if client, isProxied := s.clientAddr(r); isProxied {
		from = client.String()
	}
	args := []any{
		"request", id, "method", knownMethod(r.Method), "route", routeOf(r.URL.Path), "model", c.model.Slug,
		"status", out.status, "bytes", out.bytes, "elapsed_ms", took.Milliseconds(), "from", from,
	}
	add := func(isSet bool, name string, value any) {
		if isSet {
			args = append(args, name, value)
		}
	}
	add(c.client.Name != "", "key", c.client.Name)
	add(c.facts.Engine != "", "engine", c.facts.Engine)
	add(c.facts.Model != "", "engine_model", c.facts.Model)
	if failure != nil {
		args = append(args, "code", failure.Code)
	}
	if isFault {
		args = append(args, "error", failure.Message)
	}
	add(c.usage.InputTokens > 0, "input_tokens", c.usage.InputTokens)
	add(c.usage.OutputTokens > 0, "output_tokens", c.usage.OutputTokens)
	add(out.queue.Waited() > 0, "queued_ms", out.queue.Waited().Milliseconds())
	add(c.stream != nil, "streamed", true)
	if c.stream != nil && !c.stream.first.IsZero() {
		args = append(args, "first_part_ms", c.stream.first.Sub(began).Milliseconds())
	}
	// The client went away before there was a whole answer.
	add(out.status == 0 || c.stream != nil && !c.stream.isWhole && failure == nil, "left", true)
	s.Log.Log(r.Context(), level, "Answered", args...)
}

// routeOf returns the kind of a path; the path itself is the client's text.
func routeOf(path string) string {
	for _, known := range []string{"/api/llm/", "/api/generative/", "/healthz", "/readyz", "/openapi.json"} {
		if strings.HasPrefix(path, known) {
			return known
		}
	}
	return "other"
}

func knownMethod(m string) string {
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"}, m) {
		return m
	}
	return "other"
}

// requestID returns the client's name for the request when it is a plain one, and else a new name.
func requestID(given string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
	if given != "" && len(given) <= 64 && strings.Trim(given, plain) == "" {
		return given
	}
	return rand.Text()[:16]
}
