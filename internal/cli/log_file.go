package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"confab/internal/redact"
)

// maxLog is the size, in bytes, at which the log is put aside and a new one begun; one old log is kept.
const maxLog = 4 << 20

// newLog returns a log of that level; "off" discards. A log that cannot be written disturbs nobody: loggers ignore the
// errors of their handlers.
func newLog(level string, to io.Writer) *slog.Logger {
	var least slog.Level
	if level == "off" || least.UnmarshalText([]byte(level)) != nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{Level: least}))
}

// logFile is a file made with its first line, for its owner only. Each write is a whole line, in which secrets are
// masked.
type logFile struct {
	path string
	mask *redact.Masker

	mu     sync.Mutex
	file   *os.File
	failed bool
}

// newLogFile returns the file of a path, which is not made yet.
func newLogFile(path string, mask *redact.Masker) *logFile { return &logFile{path: path, mask: mask} }

// Write implements [io.Writer].
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed {
		return len(line), nil
	}
	if l.file == nil {
		if err := l.open(); err != nil {
			l.failed = true // once is enough
			return 0, err
		}
	}
	masked, _ := l.mask.Bytes(line)
	if _, err := l.file.Write(masked); err != nil {
		return 0, fmt.Errorf("write the log: %w", err)
	}
	return len(line), nil
}

func (l *logFile) open() error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the log: %w", err)
	}
	if info, err := os.Stat(l.path); err == nil && info.Size() > maxLog {
		_ = os.Rename(l.path, l.path+".1") // at worst it goes on growing
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	l.file = f
	return nil
}

// Close ends the log.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file, l.failed = nil, true
	return err
}
