package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"confab/internal/chat"
	"confab/internal/safego"
	"confab/service/api"
	"confab/service/engine"
)

const (
	// keepAliveInterval is the longest silence on a stream; a comment ends it.
	keepAliveInterval = 15 * time.Second
	// maxPending is how much of an answer waits for a slow client, in bytes, before the engine has to wait as well.
	maxPending = 1 << 20
	// maxPart is how much of an answer one event holds, in bytes.
	maxPart = 64 << 10
	// maxPicturePiece is how much of a picture's base64 one event holds, in bytes.
	maxPicturePiece = 512 << 10
)

// streamText answers with a stream. An error before anything was sent is for the caller to answer.
func (s *Server) streamText(
	w http.ResponseWriter, r *http.Request, c *apiCall, request engine.TextRequest, imageURLs []string,
) error {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	t := newTextStream(w, s.Limits.Write, s.PartInterval, cancel)
	t.queue = w.(*recorder).queue
	c.stream = t
	safego.Go(s.Log, "stream", t.run, func(error) { t.fail() })
	defer t.stop()
	request.Emit = t.emit
	answer, err := s.text(ctx, c, request, imageURLs)
	if err == nil {
		err = t.complete(answer)
	}
	t.stop()
	switch {
	case t.hasFailed() && r.Context().Err() == nil:
		return refuse(http.StatusRequestTimeout, api.CodeTimeout, "The client did not read the answer in time.")
	case err != nil:
		return err
	}
	c.facts = answer.Facts
	t.finish(c.model.Slug, answer)
	return nil
}

// textStream sends an answer as server-sent events. A goroutine of its own writes, so that an engine need not wait for
// the client; what comes while a write is under way is written together afterwards.
type textStream struct {
	w         http.ResponseWriter
	timeout   time.Duration // of one write
	interval  time.Duration // between two writes of parts
	cancel    func()        // ends the engine's work
	queue     *engine.QueueClock
	hasQueued bool // the event queue was sent
	wake      chan struct{}
	stopping  chan struct{}
	stopOnce  sync.Once
	stopped   chan struct{}
	hasHeader bool // sent; of whoever writes
	isWhole   bool // the event done was sent

	mu        sync.Mutex
	drained   *sync.Cond
	isFailed  bool // the client does not read, or is gone
	pending   []part
	size      int // bytes of pending
	text      partHash
	reasoning partHash
	first     time.Time // when the first part came
}

// part is what one event will hold.
type part struct {
	event string
	text  []byte
}

func newTextStream(w http.ResponseWriter, timeout, interval time.Duration, cancel func()) *textStream {
	t := &textStream{w: w, timeout: timeout, interval: interval, cancel: cancel, wake: make(chan struct{}, 1),
		stopping: make(chan struct{}), stopped: make(chan struct{}), text: partHash{hash: sha256.New()},
		reasoning: partHash{hash: sha256.New()}}
	t.drained = sync.NewCond(&t.mu)
	return t
}

// emit takes a part from the engine. It waits only while much waits for the client, at most as long as one write may
// take.
func (t *textStream) emit(p engine.Part) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.size > maxPending && !t.isFailed {
		t.drained.Wait()
	}
	if t.isFailed {
		return
	}
	if t.first.IsZero() {
		t.first = time.Now()
	}
	if p.DropsText {
		t.text = partHash{hash: sha256.New()}
		t.pending = append(t.pending, part{event: api.EventDropText})
	}
	t.add(api.EventReasoning, t.reasoning.next(p.Reasoning))
	t.add(api.EventDelta, t.text.next(p.Text))
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// add appends to what is pending. t.mu is held.
func (t *textStream) add(event, text string) {
	if text == "" {
		return
	}
	t.size += len(text)
	if n := len(t.pending); n > 0 && t.pending[n-1].event == event {
		t.pending[n-1].text = append(t.pending[n-1].text, text...)
		return
	}
	t.pending = append(t.pending, part{event, []byte(text)})
}

// complete adds what the engine's whole answer has and its parts had not. The error says that it has something else.
func (t *textStream) complete(answer engine.Text) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	reasoning, okReasoning := t.reasoning.rest(answer.Reasoning)
	text, okText := t.text.rest(answer.Text)
	if !okReasoning || !okText {
		return refuse(http.StatusBadGateway, api.CodeService,
			"The engine's answer is not the one that it wrote in parts.")
	}
	t.add(api.EventReasoning, t.reasoning.count(reasoning))
	t.add(api.EventDelta, t.text.count(text))
	return nil
}

// run writes what is emitted until the stream is stopped or a write fails.
func (t *textStream) run() {
	defer close(t.stopped)
	silence := time.NewTimer(keepAliveInterval)
	defer silence.Stop()
	for {
		var err error
		select {
		case <-t.wake:
			if err = t.writePending(); err == nil {
				t.gather()
			}
		case <-silence.C:
			err = t.write([]byte(": keep-alive\n\n"))
		case <-t.stopping:
			_ = t.writePending() // a failure is remembered
			return
		}
		if err != nil {
			return
		}
		silence.Reset(keepAliveInterval)
	}
}

// gather waits while parts come that are to be written together.
func (t *textStream) gather() {
	if t.interval == 0 {
		return
	}
	timer := time.NewTimer(t.interval)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.stopping:
	}
}

// stop writes what is pending and ends the goroutine that writes. Then the caller may write.
func (t *textStream) stop() {
	t.stopOnce.Do(func() { close(t.stopping) })
	<-t.stopped
}

// writePending writes what waits, each part as one event.
func (t *textStream) writePending() error {
	t.mu.Lock()
	parts := t.pending
	t.pending, t.size = nil, 0
	t.drained.Broadcast()
	t.mu.Unlock()
	var out bytes.Buffer
	if len(parts) > 0 {
		t.writeQueue(&out)
	}
	for _, one := range parts {
		if one.event == api.EventDropText {
			writeEvent(&out, one.event, struct{}{})
		}
		for rest := one.text; len(rest) > 0; {
			n := min(len(rest), maxPart)
			for n < len(rest) && !utf8.RuneStart(rest[n]) {
				n--
			}
			writeEvent(&out, one.event, api.DeltaEvent{Text: string(rest[:n])})
			rest = rest[n:]
		}
	}
	return t.write(out.Bytes())
}

// writeQueue appends the event that says how long the request waited for a place, once, where it did.
func (t *textStream) writeQueue(out *bytes.Buffer) {
	if waited := t.queue.Waited(); waited > 0 && !t.hasQueued {
		t.hasQueued = true
		writeEvent(out, api.EventQueue, api.QueueEvent{Milliseconds: waited.Milliseconds()})
	}
}

// writeEvent appends an event.
func writeEvent(out *bytes.Buffer, event string, data any) {
	out.WriteString("event: " + event + "\ndata: ")
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	_ = e.Encode(data) // strings and numbers always marshal; the encoder ends the line
	out.WriteByte('\n')
}

// write sends bytes to the client, before anything else the header. A client that does not take them in time ends the
// request.
func (t *textStream) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if t.hasFailed() {
		return http.ErrHandlerTimeout
	}
	c := http.NewResponseController(t.w)
	_ = c.SetWriteDeadline(time.Now().Add(t.timeout))
	if !t.hasHeader {
		t.hasHeader = true
		t.w.Header().Set("Content-Type", api.EventStream)
		t.w.Header().Set("X-Accel-Buffering", "no")
		t.w.WriteHeader(http.StatusOK)
	}
	_, err := t.w.Write(b)
	if err == nil {
		err = c.Flush()
	}
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		t.fail()
		return err
	}
	_ = c.SetWriteDeadline(time.Time{}) // with HTTP/2 it would end the stream even when nothing is written
	return nil
}

// fail notes that nothing can be sent any more, and ends the engine's work.
func (t *textStream) fail() {
	t.mu.Lock()
	t.isFailed = true
	t.drained.Broadcast()
	t.mu.Unlock()
	t.cancel()
}

func (t *textStream) hasFailed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.isFailed
}

// finish sends the events that end a whole answer. The stream was stopped.
func (t *textStream) finish(slug string, answer engine.Text) {
	var out bytes.Buffer
	t.writeQueue(&out)
	encoded := base64.StdEncoding.EncodeToString(answer.Picture)
	for piece := range slices.Chunk([]byte(encoded), maxPicturePiece) {
		writeEvent(&out, api.EventImage, api.ImageEvent{Data: string(piece)})
	}
	if answer.Usage != (chat.Usage{}) {
		writeEvent(&out, api.EventUsage, answer.Usage)
	}
	var done api.DoneEvent
	done.Status, done.Data.Model, done.Data.Finish = http.StatusOK, slug, answer.Finish
	done.Data.Length, done.Data.SHA256 = int64(t.text.length), hex.EncodeToString(t.text.hash.Sum(nil))
	done.Data.Engine, done.Data.EngineModel, done.Data.Note = answer.Engine, answer.Model, answer.Note
	writeEvent(&out, api.EventDone, done)
	t.isWhole = t.write(out.Bytes()) == nil
}

// sendError sends the event of a failure. The stream was stopped.
func (t *textStream) sendError(e *engine.Error) {
	var out bytes.Buffer
	t.writeQueue(&out)
	writeEvent(&out, api.EventError, errorBody(e))
	_ = t.write(out.Bytes()) // the client may have gone; nothing can be done about that
}
