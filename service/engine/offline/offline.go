// Package offline is the built-in engine without model weights or network. It writes texts, draws pictures and edits
// pictures by rules. Every text says that it is simulated, and equal requests get equal answers. Package prose
// writes, package paint draws, package retouch edits.
//
// It imports no other layer but service/engine.
package offline

import (
	"context"
	"crypto/sha256"
	_ "embed" // timing.toml
	"encoding/binary"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/sync/semaphore"

	"confab/internal/safego"
	"confab/service/engine"
	"confab/service/engine/offline/paint"
	"confab/service/engine/offline/retouch"
)

// Options configure an [Engine]. The zero value suits interactive use.
type Options struct {
	// Sleep waits for d or until ctx ends, and then returns the cause. Nil uses the real clock.
	Sleep func(ctx context.Context, d time.Duration) error

	// Speed divides the typical times of the models; with infinity the engine does not wait. 0 means [DefaultSpeed],
	// except for emitted texts, which take their typical time.
	Speed float64

	Pixels int // approximate size of drawn pictures; 0 is a megapixel

	Log *slog.Logger // receives recovered panics; nil discards them
}

// Engine is the built-in engine. It is safe for concurrent use.
type Engine struct {
	options    Options
	emitSpeed  float64             // of texts emitted in parts
	writeSlots *semaphore.Weighted // limits writing to one text for each core
	drawSlots  *semaphore.Weighted // limits drawing to one picture for each core
	editSlots  *semaphore.Weighted // limits editing to one picture, because a source may be large
}

var _ engine.Engine = (*Engine)(nil)

// New returns an [Engine].
func New(o Options) *Engine {
	emitSpeed, cores := o.Speed, int64(runtime.GOMAXPROCS(0))
	if !(o.Speed > 0) {
		o.Speed, emitSpeed = DefaultSpeed, 1
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &Engine{o, emitSpeed, semaphore.NewWeighted(cores), semaphore.NewWeighted(cores), semaphore.NewWeighted(1)}
}

// Name returns "offline".
func (e *Engine) Name() string { return "offline" }

// Features returns all features for every model.
func (e *Engine) Features(string) engine.Features {
	return engine.Features{Streams: true, TakesMessages: true, TakesParams: true, TakesImages: true, CountsTokens: true}
}

// Image draws about a megapixel from the words of r.Prompt. Equal models, prompts, aspect ratios and nonces give
// equal bytes.
func (e *Engine) Image(ctx context.Context, r engine.ImageRequest) (engine.Picture, error) {
	w, h, err := engine.ParseAspect(r.Aspect)
	if err != nil {
		return engine.Picture{}, err
	}
	seed := seedOf("image", r.Model, r.Prompt, r.Aspect, r.Nonce)
	return answer(ctx, e, e.drawSlots, r.Prompt, r.Model, seed, func(ctx context.Context) (engine.Picture, error) {
		b, contentType, err := paint.Draw(ctx, paint.Request{
			Model: r.Model, Prompt: r.Prompt, W: w, H: h, Seed: seed, Pixels: e.options.Pixels,
		})
		return engine.Picture{Bytes: b, ContentType: contentType}, err
	})
}

// Edit executes the instruction r.Prompt on r.Source and returns a PNG of the same size, at most four megapixels. An
// unknown instruction is an [engine.Error] of status 422 that lists the operations.
func (e *Engine) Edit(ctx context.Context, r engine.EditRequest) (engine.Picture, error) {
	seed := seedOf("edit", r.Model, r.Prompt, string(r.Source))
	return answer(ctx, e, e.editSlots, r.Prompt, r.Model, seed, func(ctx context.Context) (engine.Picture, error) {
		b, err := retouch.Edit(ctx, r.Prompt, r.Source, seed)
		return engine.Picture{Bytes: b, ContentType: "image/png"}, err
	})
}

// answer returns the result of work after the typical time of the model.
func answer[T any](ctx context.Context, e *Engine, slots *semaphore.Weighted, prompt, model string, seed uint64,
	work func(context.Context) (T, error)) (value T, err error) {
	start := time.Now()
	value, err = run(ctx, e, slots, prompt, work)
	if err == nil {
		err = e.options.Sleep(ctx, duration(model, seed, e.options.Speed)-time.Since(start))
	}
	return value, err
}

// run runs work in a goroutine, because libraries cannot be cancelled. It returns when ctx ends; work keeps its slot
// until it returns.
func run[T any](ctx context.Context, e *Engine, slots *semaphore.Weighted, prompt string,
	work func(context.Context) (T, error)) (value T, err error) {
	if strings.TrimSpace(prompt) == "" {
		return value, engine.NoPrompt()
	}
	if slots.Acquire(ctx, 1) != nil {
		return value, context.Cause(ctx)
	}
	var result T
	done := make(chan error, 2)
	safego.Go(e.options.Log, "offline engine", func() {
		defer slots.Release(1)
		var err error
		result, err = work(ctx)
		done <- err
	}, func(err error) { done <- failure("The offline engine met an unexpected fault.", err) })
	select {
	case err := <-done:
		var known *engine.Error
		switch {
		case err == nil:
			return result, nil
		case ctx.Err() != nil:
			return value, context.Cause(ctx)
		case errors.As(err, &known):
			return value, err
		}
		return value, failure("The offline engine could not finish.", err)
	case <-ctx.Done():
		return value, context.Cause(ctx)
	}
}

func failure(message string, err error) error {
	return &engine.Error{Status: 500, Code: "service", Message: message, Err: err}
}

// seedOf hashes the parts and their lengths, so that moving text between parts changes the hash.
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

// DefaultSpeed divides the typical times of the models for whole answers, to shorten the wait.
const DefaultSpeed = 3

//go:embed timing.toml
var timingFile []byte

// typicalSeconds holds the typical time of each model at speed 1.
var typicalSeconds = sync.OnceValue(func() (seconds map[string]float64) {
	if err := toml.Unmarshal(timingFile, &seconds); err != nil {
		panic("timing.toml: " + err.Error()) // only a faulty build has it
	}
	return seconds
})

// duration returns the time of one request: the typical time of the model, up to a fifth more or less by seed,
// divided by speed.
func duration(model string, seed uint64, speed float64) time.Duration {
	seconds, ok := typicalSeconds()[model]
	if !ok {
		seconds = 1.5
	}
	variation := 0.8 + 0.4*float64(seed%1001)/1000
	return time.Duration(float64(time.Second) * seconds * variation / speed)
}

// sleep waits for d or for the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(max(0, d)):
		return context.Cause(ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
