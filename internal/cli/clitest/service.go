package clitest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"confab/internal/testserver"
	"confab/service/engine/openai/stub"
)

// Streaming is a service that writes texts as a test says: each part when it is taken from the channel of its
// model.
type Streaming struct {
	*httptest.Server
	Events map[string]chan string // by model

	mu   sync.Mutex
	body map[string]any // of the last request
}

// Last returns the body of the last request.
func (s *Streaming) Last() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.body
}

// NewStreaming starts a service with models that stream their answers.
func NewStreaming(t *testing.T, models ...string) *Streaming {
	t.Helper()
	s := &Streaming{Events: map[string]chan string{}}
	for _, m := range models {
		s.Events[m] = make(chan string)
	}
	s.Server = httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.body = body
		s.mu.Unlock()
		w.Header().Set("X-Confab-Extensions", "stream, params, usage, messages")
		if !strings.Contains(r.Header.Get("Accept"), "event-stream") {
			AnswerText(w, "whole")
			return
		}
		model := ""
		for m := range s.Events {
			if strings.Contains(r.URL.Path, m) {
				model = m
			}
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			select {
			case e, open := <-s.Events[model]:
				if !open {
					return
				}
				_, _ = fmt.Fprint(w, e)
				_ = http.NewResponseController(w).Flush()
				if strings.Contains(e, "event: done") {
					return
				}
			case <-r.Context().Done():
				return
			}
		}
	}), "stream", "params", "messages"))
	t.Cleanup(s.Close)
	return s
}

// Event returns an event of a stream.
func Event(name string, data any) string {
	b, _ := json.Marshal(data) // texts and numbers always marshal
	return "event: " + name + "\ndata: " + string(b) + "\n\n"
}

// Delta is the event of a part of a text.
func Delta(text string) string { return Event("delta", map[string]string{"text": text}) }

// Done are the last events of a text.
func Done(text, finish string) string {
	return Event("usage", map[string]int{"input_tokens": 1204, "output_tokens": 356}) +
		Event("done", map[string]any{"status": 200, "data": map[string]any{"model": "m", "length": len(text),
			"sha256": fmt.Sprintf("%x", sha256.Sum256([]byte(text))), "finish": finish}})
}

// StreamWorld is a world whose service has said before that it streams what these models write.
func StreamWorld(t *testing.T, s *Streaming) *World {
	t.Helper()
	w := NewWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_API_KEY=key-for-tests-0001")
	for m := range s.Events {
		w.Must(0, "ask", "-q", "-m", m, "hello")
	}
	return w
}

// StartStub starts a server with the API of OpenAI.
func StartStub(t *testing.T) *stub.Server {
	t.Helper()
	s := stub.Start()
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

// Remote is a service on loopback that answers as a function says, keeps the bodies it was sent, and takes nothing
// but the contract.
type Remote struct {
	*httptest.Server
	Mu     sync.Mutex
	Bodies []map[string]string
}

// NewRemote starts a service.
func NewRemote(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, body map[string]string)) *Remote {
	t.Helper()
	s := &Remote{}
	s.Server = httptest.NewServer(testserver.Strict(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]string
		b, err := io.ReadAll(r.Body)
		if err == nil && len(b) > 0 {
			err = json.Unmarshal(b, &body)
		}
		if err != nil {
			t.Errorf("a body that is no JSON object of texts: %v", err)
		}
		s.Mu.Lock()
		s.Bodies = append(s.Bodies, body)
		s.Mu.Unlock()
		answer(w, r, body)
	})))
	t.Cleanup(s.Close)
	return s
}

// AnswerText answers with a text.
func AnswerText(w http.ResponseWriter, s string) {
	// texts always marshal
	b, _ := json.Marshal(map[string]any{"status": 200, "data": map[string]string{"text": s, "model": "m"}})
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b)
}

// Answering returns an answer function for [NewRemote] that always answers with a text.
func Answering(text string) func(http.ResponseWriter, *http.Request, map[string]string) {
	return func(w http.ResponseWriter, _ *http.Request, _ map[string]string) { AnswerText(w, text) }
}

// AnsweringPicture returns an answer function for [NewRemote] that always answers with a picture.
func AnsweringPicture(picture []byte) func(http.ResponseWriter, *http.Request, map[string]string) {
	return func(w http.ResponseWriter, _ *http.Request, _ map[string]string) { _, _ = w.Write(picture) }
}

// Echo answers with the prompt.
func Echo(w http.ResponseWriter, _ *http.Request, body map[string]string) {
	AnswerText(w, body["prompt"])
}

// Last returns the body of the last request.
func (s *Remote) Last(t *testing.T) map[string]string {
	t.Helper()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if len(s.Bodies) == 0 {
		t.Fatal("nothing was sent")
	}
	return s.Bodies[len(s.Bodies)-1]
}

// RemoteWorld is a world whose service is the remote one.
func RemoteWorld(t *testing.T, s *Remote) *World {
	return NewWorld(t, "CONFAB_BASE_URL="+s.URL, "CONFAB_API_KEY=key-for-tests-0001")
}

// SamplePicture returns a small picture.
func SamplePicture(t *testing.T) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 12, 9))
	img.Set(3, 3, color.RGBA{200, 30, 30, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
