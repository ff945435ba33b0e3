package offline

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"time"

	"confab/internal/safego"
	"confab/service/engine"
	"confab/service/engine/offline/paint"
	"confab/service/engine/offline/prose"
	"confab/service/engine/offline/retouch"
)

// Options say how fast an [Engine] answers. The zero value suits people.
type Options struct {
	// Sleep waits for d or until ctx ends, and then returns why it ended. Nil
	// is the real clock.
	Sleep func(ctx context.Context, d time.Duration) error

	// Speed divides the models' typical times: 1 is typical, 0 is
	// [DefaultSpeed], infinity does not wait.
	Speed float64

	Pixels int // about how many a drawn picture has; 0 is a megapixel

	Log *slog.Logger // where a recovered panic is written, nil discards it
}

// Engine is the built-in engine. It is safe for concurrent use.
type Engine struct {
	sleep func(context.Context, time.Duration) error
	speed float64
	px    int
	log   *slog.Logger
	draws chan struct{} // who draws now: no more than there are cores
	edits chan struct{} // who edits now: one, because a source may be large
}

var _ engine.Engine = (*Engine)(nil)

// New returns an [Engine].
func New(o Options) *Engine {
	e := &Engine{sleep: o.Sleep, speed: o.Speed, px: o.Pixels, log: o.Log, draws: make(chan struct{}, max(1, runtime.GOMAXPROCS(0))), edits: make(chan struct{}, 1)}
	if e.sleep == nil {
		e.sleep = sleep
	}
	if !(e.speed > 0) {
		e.speed = DefaultSpeed
	}
	return e
}

// Name returns "offline".
func (e *Engine) Name() string { return "offline" }

// Text writes an answer in the voice of r.Model. The same model, prompt and
// system prompt give the same text.
func (e *Engine) Text(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
	if strings.TrimSpace(r.Prompt) == "" {
		return engine.Text{}, engine.NoPrompt()
	}
	return answer(ctx, e, nil, r.Model, seedOf("text", r.Model, r.Prompt, r.System), func(context.Context) (engine.Text, error) {
		return engine.Text{Text: prose.Write(r.Model, r.Prompt, r.System)}, nil
	})
}

// Image draws about a megapixel from the words of r.Prompt. The same model,
// prompt, aspect ratio and nonce give the same bytes.
func (e *Engine) Image(ctx context.Context, r engine.ImageRequest) (engine.Picture, error) {
	if strings.TrimSpace(r.Prompt) == "" {
		return engine.Picture{}, engine.NoPrompt()
	}
	w, h, err := engine.ParseAspect(r.Aspect)
	if err != nil {
		return engine.Picture{}, err
	}
	seed := seedOf("image", r.Model, r.Prompt, r.Aspect, r.Nonce)
	return answer(ctx, e, e.draws, r.Model, seed, func(ctx context.Context) (engine.Picture, error) {
		b, contentType, err := paint.Draw(ctx, paint.Request{Model: r.Model, Prompt: r.Prompt, W: w, H: h, Seed: seed, Pixels: e.px})
		return engine.Picture{Bytes: b, ContentType: contentType}, err
	})
}

// Edit carries out the instruction r.Prompt on r.Source and returns a PNG of
// the same size, of at most four megapixels. What it cannot do is an
// [engine.Error] of status 422 that names what it can.
func (e *Engine) Edit(ctx context.Context, r engine.EditRequest) (engine.Picture, error) {
	if strings.TrimSpace(r.Prompt) == "" {
		return engine.Picture{}, engine.NoPrompt()
	}
	seed := seedOf("edit", r.Model, r.Prompt, string(r.Source))
	return answer(ctx, e, e.edits, r.Model, seed, func(ctx context.Context) (engine.Picture, error) {
		b, err := retouch.Edit(ctx, retouch.Order{Instruction: r.Prompt, Source: r.Source, Lite: strings.Contains(r.Model, "lite"), Seed: seed})
		return engine.Picture{Bytes: b, ContentType: "image/png"}, err
	})
}

// answer does the work in a goroutine of its own, because effects of libraries
// cannot be stopped, and takes as long as the model would. When ctx ends it
// returns at once; work that goes on keeps its place in slots until it is over.
func answer[T any](ctx context.Context, e *Engine, slots chan struct{}, model string, seed uint64, work func(context.Context) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	var none T
	began := time.Now()
	leave := func() {}
	if slots != nil {
		select {
		case slots <- struct{}{}:
			leave = func() { <-slots }
		case <-ctx.Done():
			return none, context.Cause(ctx)
		}
	}
	done := make(chan outcome, 2)
	safego.Go(e.log, "offline engine", func() {
		defer leave()
		v, err := work(ctx)
		done <- outcome{v, err}
	}, func(err error) {
		done <- outcome{err: &engine.Error{Status: 500, Code: "service", Message: "The offline engine met an unexpected fault.", Err: err}}
	})
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
	if o.err != nil {
		return none, asError(ctx, o.err)
	}
	if err := e.sleep(ctx, taking(model, seed, e.speed)-time.Since(began)); err != nil {
		return none, err
	}
	return o.value, nil
}

// asError makes an [engine.Error] of whatever the work came to.
func asError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var known *engine.Error
	if errors.As(err, &known) {
		return err
	}
	return &engine.Error{Status: 500, Code: "service", Message: "The offline engine could not finish.", Err: err}
}

// seedOf makes a number of the parts, which cannot run into one another.
func seedOf(parts ...string) uint64 {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return binary.LittleEndian.Uint64(h.Sum(nil))
}
