// Package offline is the built-in engine: it needs no model weights and no network. It writes texts, draws pictures
// and edits pictures by rules, says in every text that it is simulated, and answers the same request the same way.
// Package prose writes, package paint draws, package retouch edits.
//
// It imports no other layer but service/engine.
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
	"confab/service/engine/offline/retouch"
)

// Options configure an [Engine]. The zero value suits interactive use.
type Options struct {
	// Sleep waits for d or until ctx ends, and then returns the cause. Nil uses the real clock.
	Sleep func(ctx context.Context, d time.Duration) error

	// Speed divides the typical times of the models, and with infinity the engine does not wait. 0 is [DefaultSpeed],
	// but for texts that are read while they are written, which take their typical time.
	Speed float64

	Pixels int // approximate size of drawn pictures; 0 is a megapixel

	Log *slog.Logger // receives recovered panics; nil discards them
}

// Engine is the built-in engine. It is safe for concurrent use.
type Engine struct {
	sleep      func(context.Context, time.Duration) error
	speed      float64
	emitSpeed  float64 // of texts that are emitted in parts
	pixels     int
	log        *slog.Logger
	writeSlots chan struct{} // limits writing to one text for each core
	drawSlots  chan struct{} // limits drawing to one picture for each core
	editSlots  chan struct{} // limits editing to one picture, because a source may be large
}

var _ engine.Engine = (*Engine)(nil)

// New returns an [Engine].
func New(o Options) *Engine {
	e := &Engine{
		sleep: o.Sleep, speed: o.Speed, emitSpeed: o.Speed, pixels: o.Pixels, log: o.Log,
		writeSlots: make(chan struct{}, runtime.GOMAXPROCS(0)),
		drawSlots:  make(chan struct{}, runtime.GOMAXPROCS(0)), editSlots: make(chan struct{}, 1),
	}
	if e.sleep == nil {
		e.sleep = sleep
	}
	if !(e.speed > 0) {
		e.speed, e.emitSpeed = DefaultSpeed, 1
	}
	return e
}

// Name returns "offline".
func (e *Engine) Name() string { return "offline" }

// Features returns what the offline engine can do with every model: all there is.
func (e *Engine) Features(string) engine.Features {
	return engine.Features{Streams: true, TakesMessages: true, TakesParams: true, TakesImages: true, CountsTokens: true}
}

// Image draws about a megapixel from the words of r.Prompt. The same model,
// prompt, aspect ratio and nonce give the same bytes.
func (e *Engine) Image(ctx context.Context, r engine.ImageRequest) (engine.Picture, error) {
	w, h, err := engine.ParseAspect(r.Aspect)
	if err != nil {
		return engine.Picture{}, err
	}
	seed := seedOf("image", r.Model, r.Prompt, r.Aspect, r.Nonce)
	return answer(ctx, e, e.drawSlots, r.Prompt, r.Model, seed, func(ctx context.Context) (engine.Picture, error) {
		b, contentType, err := paint.Draw(ctx, paint.Request{
			Model: r.Model, Prompt: r.Prompt, W: w, H: h, Seed: seed, Pixels: e.pixels,
		})
		return engine.Picture{Bytes: b, ContentType: contentType}, err
	})
}

// Edit carries out the instruction r.Prompt on r.Source and returns a PNG of the same size, at most four megapixels.
// An instruction that it does not know is an [engine.Error] of status 422 that lists the operations.
func (e *Engine) Edit(ctx context.Context, r engine.EditRequest) (engine.Picture, error) {
	seed := seedOf("edit", r.Model, r.Prompt, string(r.Source))
	return answer(ctx, e, e.editSlots, r.Prompt, r.Model, seed, func(ctx context.Context) (engine.Picture, error) {
		b, err := retouch.Edit(ctx, retouch.Request{
			Instruction: r.Prompt, Source: r.Source, Seed: seed,
		})
		return engine.Picture{Bytes: b, ContentType: "image/png"}, err
	})
}

// answer returns what work makes, after as long as the model would take.
func answer[T any](ctx context.Context, e *Engine, slots chan struct{}, prompt, model string, seed uint64,
	work func(context.Context) (T, error)) (T, error) {
	start := time.Now()
	v, err := run(ctx, e, slots, prompt, work)
	if err == nil {
		err = e.sleep(ctx, duration(model, seed, e.speed)-time.Since(start))
	}
	if err != nil {
		var none T
		return none, err
	}
	return v, nil
}

// run runs work in a goroutine of its own, because the effects of libraries cannot be stopped. When ctx ends it returns
// at once; the work keeps its slot until it is over.
func run[T any](ctx context.Context, e *Engine, slots chan struct{}, prompt string,
	work func(context.Context) (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	var none T
	if strings.TrimSpace(prompt) == "" {
		return none, engine.NoPrompt()
	}
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
	done := make(chan outcome, 2)
	safego.Go(e.log, "offline engine", func() {
		defer func() { <-slots }()
		v, err := work(ctx)
		done <- outcome{v, err}
	}, func(err error) {
		const message = "The offline engine met an unexpected fault."
		done <- outcome{err: &engine.Error{Status: 500, Code: "service", Message: message, Err: err}}
	})
	select {
	case o := <-done:
		if o.err != nil {
			return none, asError(ctx, o.err)
		}
		return o.value, nil
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
}

// asError returns the cause of the end of ctx, or err as an [engine.Error].
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

// seedOf hashes the parts. Their lengths are hashed as well, so that moving text from one part to the next matters.
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
