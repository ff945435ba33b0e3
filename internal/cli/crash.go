package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// maxCrashes is how many crash files are kept.
const maxCrashes = 5

// crash keeps the first panic of a run: what was thrown and where.
type crash struct {
	mu    sync.Mutex
	cause any
	stack []byte
}

// caught notes a panic; only the first one tells anything. It is to be called
// where the panic is recovered.
func (c *crash) caught(cause any) {
	stack := debug.Stack()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stack == nil {
		c.cause, c.stack = cause, stack
	}
}

// happened tells whether there was one.
func (c *crash) happened() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stack != nil
}

// report writes the crash file and tells of it, and returns the exit code.
func (a *app) report(c *crash) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := fmt.Sprintf("confab %s, %s, %s/%s, %s\n\n%v\n\n%s", a.env.version(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH,
		time.Now().UTC().Format(time.RFC3339), c.cause, c.stack)
	path, err := a.writeCrash(a.secrets.masker().String(text))
	if err != nil {
		a.warn("an unexpected fault ended the program, and no report could be written (service)")
		return exitFailed
	}
	a.warn("an unexpected fault ended the program; the report is in %s (service)", path)
	return exitFailed
}

// writeCrash writes a file of its own for its owner only.
func (a *app) writeCrash(text string) (string, error) {
	if !a.loaded {
		return "", fmt.Errorf("no place is known")
	}
	dir := a.cfg.Paths.State
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder: %w", err)
	}
	f, err := os.CreateTemp(dir, "crash-"+time.Now().UTC().Format("20060102-150405")+"-*.txt") // 0600
	if err != nil {
		return "", fmt.Errorf("make the file: %w", err)
	}
	_, err = f.WriteString(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return "", fmt.Errorf("write the file: %w", err)
	}
	if old, err := filepath.Glob(filepath.Join(dir, "crash-*.txt")); err == nil && len(old) > maxCrashes {
		slices.Sort(old) // by time
		for _, path := range old[:len(old)-maxCrashes] {
			_ = os.Remove(path) // the next crash tries again
		}
	}
	return f.Name(), nil
}
