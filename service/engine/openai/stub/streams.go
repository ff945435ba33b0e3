package stub

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// replay is a recorded stream.
type replay struct {
	stream []byte
	packet int
}

// Replay makes the server answer a model with a recorded stream in packets of that many bytes; 0 sends all at once.
func (s *Server) Replay(model string, stream []byte, packet int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if packet <= 0 {
		packet = len(stream)
	}
	s.replays[model] = replay{stream, packet}
}

// replay sends the recorded stream of a model; it returns false if there is none.
func (s *Server) replay(w http.ResponseWriter, r *http.Request, model string) bool {
	s.mu.Lock()
	one, ok := s.replays[model]
	s.mu.Unlock()
	if !ok {
		return false
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for rest := one.stream; len(rest) > 0 && r.Context().Err() == nil; {
		n := min(one.packet, len(rest))
		_, _ = w.Write(rest[:n]) // the client may have disconnected
		w.(http.Flusher).Flush()
		rest = rest[n:]
	}
	return true
}

// stream sends a stream with peculiarities of real servers: comments, a first event with only a role, a last one
// without choices.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, model string, call Call) {
	w.Header().Set("Content-Type", "text/event-stream")
	flush := func(format string, args ...any) {
		_, _ = fmt.Fprintf(w, format+"\n\n", args...)
		w.(http.Flusher).Flush()
	}
	piece := func(delta string, finish string) {
		flush(`data: {"id":"c","object":"chat.completion.chunk","created":1,"model":%q,"system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`, model+"-2026-01-01", delta, finish)
	}
	flush(": OPENROUTER PROCESSING")
	piece(`{"role":"assistant","content":""}`, "null")
	words := strings.SplitAfter(Reply(call), " ")
	for i, word := range words {
		if i == 1 && s.misbehave(flush, r, model) {
			return
		}
		piece(`{"content":`+strconv.Quote(word)+`}`, "null")
	}
	piece(`{}`, `"stop"`)
	if call.Fields["stream_options"] != nil {
		flush(`data: {"id":"c","object":"chat.completion.chunk","created":1,"model":%q,"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`, model+"-2026-01-01")
	}
	flush("data: [DONE]")
}

// misbehave performs the model's misbehaviour after the first word of a stream; it returns false if it has none.
func (s *Server) misbehave(flush func(string, ...any), r *http.Request, model string) bool {
	switch model {
	case "stream-error":
		flush(`data: {"error":{"message":"CUDA out of memory","type":"InternalServerError","code":500}}`)
	case "stream-error-text": // after a pause that gateways fill with comments
		for range 1000 {
			flush(": OPENROUTER PROCESSING")
		}
		flush(`data: {"error":"llama runner process has terminated"}`)
	case "stream-error-event":
		flush("event: error\ndata: {\"message\":\"The model was unloaded\"}")
	case "stream-error-choice": // with choices, as from OpenRouter
		flush(`data: {"id":"c","error":{"code":"server_error","message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`)
	case "stream-cut":
	case "stream-close":
		panic(http.ErrAbortHandler)
	case "stream-comments":
		for r.Context().Err() == nil {
			flush(": OPENROUTER PROCESSING")
		}
	case "stream-hang":
		s.wait(r.Context(), model, time.Hour)
	default:
		return false
	}
	return true
}
