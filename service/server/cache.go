package server

import (
	"bytes"
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"confab/internal/fileio"
	"confab/internal/safego"
	"confab/service/engine"
)

// cacheKey tells pictures apart by model, prompt, aspect ratio, nonce, the engine that made them and the API key that
// asked: nobody learns from a picture that is there already what others asked for.
type cacheKey [sha256.Size]byte

func keyOf(r engine.ImageRequest, identity, apiKey string) cacheKey {
	h := sha256.New()
	asker := hashOf(apiKey)
	for _, part := range []string{r.Model, r.Prompt, r.Aspect, r.Nonce, identity, string(asker[:])} {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	return cacheKey(h.Sum(nil))
}

// cache keeps pictures, the last used longest, within a number of bytes, and lets equal requests that run at the same
// time share one drawing.
type cache struct {
	log  *slog.Logger
	disk *disk // keeps them as well; nil: nothing does

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
	isFound bool // on the disk
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
		return f.picture, running || f.isFound, f.err
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
		if c.disk != nil {
			if p, ok := c.disk.get(key); ok {
				f.isFound = true // read after done is closed
				end(p, nil)
				return
			}
		}
		p, err := draw(own)
		end(p, err)
		if err == nil && c.disk != nil {
			c.disk.put(key, p)
		}
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

// disk keeps pictures in a folder, the last used longest, within a number of bytes. Several servers may share a folder;
// each bounds what it knows of.
type disk struct {
	folder   string
	maxBytes int64
	log      *slog.Logger

	mu    sync.Mutex
	held  int64
	files map[string]cachedFile // by name
}

type cachedFile struct {
	size int64
	used time.Time
}

// newDisk takes in what is in the folder, which is made when first needed.
func newDisk(folder string, maxBytes int64, log *slog.Logger) *disk {
	d := &disk{folder: folder, maxBytes: maxBytes, log: log, files: map[string]cachedFile{}}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return d // not there yet, or not to be read: then nothing is found in it
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && isCacheFile(e.Name()) {
			d.files[e.Name()] = cachedFile{info.Size(), info.ModTime()}
			d.held += info.Size()
		}
	}
	d.shrink()
	return d
}

// isCacheFile reports whether a file's name is that of a cached picture.
func isCacheFile(name string) bool {
	rest, ok := strings.CutSuffix(name, ".picture")
	return ok && len(rest) == 64 && strings.Trim(rest, "0123456789abcdef") == ""
}

func (k cacheKey) file() string { return hex.EncodeToString(k[:]) + ".picture" }

// maxCacheFile bounds a file of the cache.
const maxCacheFile = 128 << 20

// get returns a cached picture.
func (d *disk) get(k cacheKey) (engine.Picture, bool) {
	name := k.file()
	b, err := fileio.Read(filepath.Join(d.folder, name), maxCacheFile)
	size := int64(len(b))
	facts, b := decodePicture(b)
	kind := engine.PictureType(b)
	if err != nil || kind == "" {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			d.log.Warn("Could not read a cached picture", "error", err)
		}
		return engine.Picture{}, false
	}
	now := time.Now()
	_ = os.Chtimes(filepath.Join(d.folder, name), now, now) // only the order of going depends on it
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, known := d.files[name]; !known { // another server put it there
		d.held += size
	}
	d.files[name] = cachedFile{size, now}
	return engine.Picture{Bytes: b, ContentType: kind, Facts: facts}, true
}

// factsMark begins the line before a cached picture that tells where it comes from.
const factsMark = "confab "

// encodePicture returns what is kept of a picture.
func encodePicture(p engine.Picture) []byte {
	facts, _ := json.Marshal(p.Facts) // strings and a boolean always marshal
	return slices.Concat([]byte(factsMark), facts, []byte("\n"), p.Bytes)
}

// decodePicture returns where a cached picture comes from, and the picture. A file without that line is of an earlier
// release.
func decodePicture(b []byte) (engine.Facts, []byte) {
	var facts engine.Facts
	line, picture, cut := bytes.Cut(b, []byte("\n"))
	text, marked := bytes.CutPrefix(line, []byte(factsMark))
	if !cut || !marked || json.Unmarshal(text, &facts) != nil {
		return engine.Facts{}, b
	}
	return facts, picture
}

// put keeps a picture. A failure is logged: the picture is answered anyway.
func (d *disk) put(k cacheKey, p engine.Picture) {
	whole := encodePicture(p)
	size := int64(len(whole))
	if size > d.maxBytes/2 {
		return
	}
	err := os.MkdirAll(d.folder, 0o700)
	if err == nil {
		err = fileio.Write(filepath.Join(d.folder, k.file()), whole, 0o600)
	}
	if err != nil {
		d.log.Warn("Could not keep a picture", "error", err)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held += size - d.files[k.file()].size
	d.files[k.file()] = cachedFile{size, time.Now()}
	d.shrink()
}

// shrink lets go of what was used longest ago, down to nine tenths so that it is seldom needed. d.mu is held.
func (d *disk) shrink() {
	if d.held <= d.maxBytes {
		return
	}
	oldestFirst := func(a, b string) int { return d.files[a].used.Compare(d.files[b].used) }
	for _, name := range slices.SortedFunc(maps.Keys(d.files), oldestFirst) {
		if d.held <= d.maxBytes*9/10 {
			return
		}
		if err := os.Remove(filepath.Join(d.folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			d.log.Warn("Could not let go of a cached picture", "error", err)
			continue
		}
		d.held -= d.files[name].size
		delete(d.files, name)
	}
}
