package server

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"log/slog"
	"sync"

	"confab/internal/safego"
	"confab/service/engine"
)

// cacheKey tells pictures apart by model, prompt, aspect ratio, nonce and the API key that asked: nobody learns from a
// picture that is there already what others asked for.
type cacheKey [sha256.Size]byte

func keyOf(r engine.ImageRequest, apiKey string) cacheKey {
	h := sha256.New()
	asker := hashOf(apiKey)
	for _, part := range []string{r.Model, r.Prompt, r.Aspect, r.Nonce, string(asker[:])} {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	return cacheKey(h.Sum(nil))
}

// cache keeps pictures, the last used longest, within a number of bytes, and lets equal requests that run at the same
// time share one drawing.
type cache struct {
	log *slog.Logger

	mu       sync.Mutex
	maxBytes int64
	held     int64
	order    *list.List // of *entry, the last used in front
	byKey    map[cacheKey]*list.Element
	flights  map[cacheKey]*drawJob
}

type entry struct {
	key     cacheKey
	picture engine.Picture
}

// drawJob is a drawing under way. It is stopped when nobody waits for it.
type drawJob struct {
	waiting int
	stop    context.CancelFunc
	done    chan struct{}
	picture engine.Picture
	err     error
}

func newCache(maxBytes int64, log *slog.Logger) *cache {
	return &cache{log: log, maxBytes: maxBytes, order: list.New(),
		byKey: map[cacheKey]*list.Element{}, flights: map[cacheKey]*drawJob{}}
}

// get returns the picture of key, or has it drawn. isReused says that it was drawn before, or for somebody else.
func (c *cache) get(
	ctx context.Context, key cacheKey, draw func(context.Context) (engine.Picture, error),
) (p engine.Picture, isReused bool, err error) {
	c.mu.Lock()
	if e, ok := c.byKey[key]; ok {
		c.order.MoveToFront(e)
		p = e.Value.(*entry).picture
		c.mu.Unlock()
		return p, true, nil
	}
	f, running := c.flights[key]
	if !running {
		f = c.start(ctx, key, draw)
	}
	f.waiting++
	c.mu.Unlock()
	select {
	case <-f.done:
		return f.picture, running, f.err
	case <-ctx.Done():
		c.leave(key, f)
		return engine.Picture{}, false, context.Cause(ctx)
	}
}

// start begins a drawing that outlives the request that asked first. c.mu is held.
func (c *cache) start(ctx context.Context, key cacheKey, draw func(context.Context) (engine.Picture, error)) *drawJob {
	own, stop := context.WithCancel(context.WithoutCancel(ctx))
	f := &drawJob{stop: stop, done: make(chan struct{})}
	c.flights[key] = f
	end := func(p engine.Picture, err error) {
		c.mu.Lock()
		f.picture, f.err = p, err
		if c.flights[key] == f {
			delete(c.flights, key)
		}
		if err == nil {
			c.keep(key, p)
		}
		c.mu.Unlock()
		stop()
		close(f.done)
	}
	safego.Go(c.log, "drawing", func() {
		end(draw(own))
	}, func(err error) { end(engine.Picture{}, err) })
	return f
}

// leave gives up one wait for f.
func (c *cache) leave(key cacheKey, f *drawJob) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiting--; f.waiting > 0 {
		return
	}
	f.stop()
	if c.flights[key] == f {
		delete(c.flights, key) // a later request starts anew instead of joining a stopped one
	}
}

// keep stores p and lets go of what was not used for longest. c.mu is held.
func (c *cache) keep(key cacheKey, p engine.Picture) {
	size := int64(len(p.Bytes))
	if size > c.maxBytes/2 {
		return
	}
	if old, ok := c.byKey[key]; ok {
		c.drop(old)
	}
	c.byKey[key] = c.order.PushFront(&entry{key, p})
	c.held += size
	for c.held > c.maxBytes {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	old := c.order.Remove(e).(*entry)
	delete(c.byKey, old.key)
	c.held -= int64(len(old.picture.Bytes))
}
