package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"confab/internal/fileio"
	"confab/service/engine"
)

// picturesPath is where published pictures are found.
const picturesPath = "/pictures/"

// maxPicture is the size, in bytes, of the largest picture that is published or fetched.
const maxPicture = 64 << 20

// Files are the local pictures that are published, each under a name that nobody can guess, until it is released.
// Nothing else on the disk is ever served. It is safe for concurrent use.
type Files struct {
	mu     sync.Mutex
	byName map[string]published
}

// published is a chosen file: the path, and which file stood there when it was chosen, so that no other is served in
// its place.
type published struct {
	path string
	info os.FileInfo
}

// NewFiles returns [Files] that publish nothing yet.
func NewFiles() *Files { return &Files{byName: map[string]published{}} }

// Publish makes the picture at path available at urlPath until release is called, which may be done more than once. It
// fails for what is no regular file, is larger than 64 MiB, or is neither PNG nor JPEG.
func (f *Files) Publish(path string) (urlPath string, release func(), err error) {
	file, err := fileio.Open(path)
	if err != nil {
		return "", nil, fmt.Errorf("publish picture: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return "", nil, fmt.Errorf("publish picture: %w", err)
	}
	if info.Size() > maxPicture {
		return "", nil, errors.New("publish picture: not a file of at most 64 MiB")
	}
	head := make([]byte, 16)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || engine.PictureType(head[:n]) == "" {
		return "", nil, errors.New("publish picture: not a PNG or JPEG")
	}
	name := rand.Text() // 128 random bits or more
	f.mu.Lock()
	f.byName[name] = published{path, info}
	f.mu.Unlock()
	return picturesPath + name, func() {
		f.mu.Lock()
		delete(f.byName, name)
		f.mu.Unlock()
	}, nil
}

func (f *Files) serve(w http.ResponseWriter, r *http.Request, name string, within time.Duration) error {
	if err := requireMethod(w, r, http.MethodGet); err != nil {
		return err
	}
	file, info, err := f.open(name)
	if err != nil {
		return notFound()
	}
	defer func() { _ = file.Close() }() // it was only read
	head := make([]byte, 16)
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return notFound()
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(within))
	w.Header().Set("Content-Type", engine.PictureType(head[:n]))
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	w.WriteHeader(http.StatusOK)
	_, _ = io.CopyN(w, file, info.Size()) // the client may have gone; it sees that the length is short
	return nil
}

// read returns the bytes of a published picture.
func (f *Files) read(name string, memory *reservation) ([]byte, error) {
	file, _, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	return memory.read(file)
}

// open opens a published file, if it is still the one that was chosen.
func (f *Files) open(name string) (*os.File, os.FileInfo, error) {
	f.mu.Lock()
	p, ok := f.byName[name]
	f.mu.Unlock()
	if !ok {
		return nil, nil, os.ErrNotExist
	}
	file, err := fileio.Open(p.path)
	if err != nil {
		return nil, nil, fmt.Errorf("open published picture: %w", err)
	}
	info, err := file.Stat()
	if err != nil || !os.SameFile(info, p.info) || info.Size() > maxPicture {
		_ = file.Close() // it was only read
		return nil, nil, os.ErrNotExist
	}
	return file, info, nil
}
