package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"confab/internal/fileio"
)

// maxCrashes is how many crash files are kept.
const maxCrashes = 5

// report writes the crash file and tells of it, and returns the exit code.
func (a *app) report(f *panicRecord) int {
	thrown := f.get()
	text := fmt.Sprintf("confab %s, %s, %s/%s, %s\n\n%v\n\n%s", a.env.BuildVersion(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH, time.Now().UTC().Format(time.RFC3339), thrown.cause, thrown.stack)
	path, err := a.writeCrash(a.secrets.Masker().String(text))
	if err != nil {
		a.warn("an unexpected fault ended the program, and no report could be written (service)")
		return ExitFailed
	}
	a.warn("an unexpected fault ended the program; the report is in %s (service)", path)
	return ExitFailed
}

// writeCrash writes a file of its own for its owner only.
func (a *app) writeCrash(text string) (string, error) {
	if !a.loaded {
		return "", fmt.Errorf("no place is known")
	}
	dir := a.config.Paths.State
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder: %w", err)
	}
	path, err := fileio.WriteNew(filepath.Join(dir, "crash-"+time.Now().UTC().Format("20060102-150405")+".txt"),
		true, func(out io.Writer, _ string) error {
			_, err := io.WriteString(out, text)
			return err
		})
	if err != nil {
		return "", fmt.Errorf("write the file: %w", err)
	}
	if old, err := filepath.Glob(filepath.Join(dir, "crash-*.txt")); err == nil && len(old) > maxCrashes {
		slices.Sort(old) // by time
		for _, path := range old[:len(old)-maxCrashes] {
			_ = os.Remove(path) // the next crash tries again
		}
	}
	return path, nil
}
