package logs

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
)

// AuditFile is the file of an audit stream, for its owner only, that is opened anew after it was moved away.
type AuditFile struct {
	path string
	log  *slog.Logger

	mu        sync.Mutex
	file      *os.File
	isFailing bool // the last write has failed, which was logged
}

// OpenAuditFile opens the file of a path. log is told when lines are lost.
func OpenAuditFile(path string, log *slog.Logger) (*AuditFile, error) {
	f := &AuditFile{path: path, log: log}
	return f, f.Reopen()
}

// Write implements [io.Writer].
func (f *AuditFile) Write(lines []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.file.Write(lines)
	if err != nil && !f.isFailing {
		f.log.Error("Lines of the audit stream are lost", "error", err)
	}
	f.isFailing = err != nil
	return n, err //nolint:wrapcheck // it was logged
}

// Reopen opens the path anew. When that fails the file stays that was open before.
func (f *AuditFile) Reopen() error {
	if info, err := os.Lstat(f.path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("open the audit file: %s is not a file", f.path)
	}
	file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open the audit file: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil {
		_ = f.file.Close() // every write to it has returned
	}
	f.file, f.isFailing = file, false
	return nil
}

// Close ends the file.
func (f *AuditFile) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.file.Close(); err != nil && !f.isFailing {
		f.log.Error("The end of the audit stream may be lost", "error", err)
	}
}
