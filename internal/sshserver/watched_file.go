package sshserver

import (
	"fmt"
	"io/fs"
	"sync"
	"time"

	"confab/internal/fileio"
)

// watchedFile keeps what a file of the operator says and reads the file again when it has changed. While the file is
// missing or wrong, what it said before stays in force.
type watchedFile[T any] struct {
	path    string // empty: there is no such file, and content stays zero
	account int    // the user id that runs the server
	parse   func(content []byte) (T, error)

	mu      sync.Mutex
	info    fs.FileInfo // of the content
	settled bool
	content T
}

// current returns the newest content that is right, and why the file as it is now cannot be used.
func (f *watchedFile[T]) current(now time.Time) (T, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		return f.content, nil
	}
	real, info, err := trustedPath(f.path, f.account)
	if err != nil || f.settled && isSameFile(info, f.info) {
		return f.content, err
	}
	text, err := fileio.Read(real, maxKeyFile)
	if err != nil {
		return f.content, cannotRead(real, err)
	}
	content, err := f.parse(text)
	if err != nil {
		return f.content, fmt.Errorf("%s: %w", f.path, err)
	}
	f.info, f.settled, f.content = info, isSettled(info, now), content
	return content, nil
}
