package server

import (
	"bytes"
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
	"confab/service/engine"
)

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
