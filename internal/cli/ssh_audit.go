package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"confab/history"
	"confab/internal/termtext"
	"confab/service/api"
)

// auditStderr is the value of ssh.audit that writes to standard error.
const auditStderr = "stderr"

// maxAuditPrompt is how many bytes of a prompt a line has at most.
const maxAuditPrompt = 16 << 10

// auditRecord is a line of the audit stream: an answer that has ended. Its field names are stable.
type auditRecord struct {
	Time         time.Time `json:"time"`
	User         string    `json:"user"`
	Key          string    `json:"key"` // the fingerprint
	Certificate  string    `json:"certificate,omitempty"`
	From         string    `json:"from"`
	Kind         string    `json:"kind"`
	Model        string    `json:"model"`
	Engine       string    `json:"engine,omitempty"`
	InputTokens  int       `json:"input_tokens,omitempty"`
	OutputTokens int       `json:"output_tokens,omitempty"`
	Cost         float64   `json:"cost,omitempty"`
	Currency     string    `json:"currency,omitempty"`
	Milliseconds int64     `json:"elapsed_ms"`
	Outcome      string    `json:"outcome"` // the state in which the answer ended
	Error        string    `json:"error,omitempty"`
	Prompt       string    `json:"prompt,omitempty"`
}

// auditLog writes the audit stream in the background. A nil one writes nothing.
type auditLog struct {
	lines *logWriter
	file  *auditFile // nil for standard error
}

// newAuditLog opens what ssh.audit names.
func (a *app) newAuditLog() (*auditLog, error) {
	target := a.cfg.SSH.Audit
	mask := func(line string) string { return a.secrets.masker().String(strings.TrimSuffix(line, "\n")) }
	l := &auditLog{}
	switch target {
	case "":
		return nil, nil //nolint:nilnil // no stream is asked for
	case auditStderr:
		l.lines = newLogWriter(a.err, func(line string) string { return termtext.Line(mask(line)) })
	default:
		l.file = &auditFile{path: target, log: a.log}
		if err := l.file.reopen(); err != nil {
			return nil, &api.Error{Code: api.CodeDisk, Message: "ssh.audit: " + termtext.Line(err.Error()), Err: err}
		}
		l.lines = newLogWriter(l.file, mask)
	}
	l.lines.describeDropped = func(n int) string { return fmt.Sprintf(`{"dropped_lines":%d}`, n) }
	return l, nil
}

// record writes a line.
func (l *auditLog) record(r auditRecord) {
	line, err := json.Marshal(r)
	if err != nil {
		line = fmt.Appendf(nil, `{"error":%q}`, err) // no field can fail
	}
	_, _ = l.lines.Write(append(line, '\n')) // it only waits in memory
}

// reopen begins a new file after the old one was moved away.
func (l *auditLog) reopen() error {
	if l == nil || l.file == nil {
		return nil
	}
	l.lines.flush()
	return l.file.reopen()
}

// close writes the lines that wait.
func (l *auditLog) close() {
	if l == nil {
		return
	}
	l.lines.close()
	if l.file != nil {
		l.file.close()
	}
}

// auditFile is a file to append to, for its owner only.
type auditFile struct {
	path string
	log  *slog.Logger

	mu      sync.Mutex
	file    *os.File
	failing bool // the last write has failed, which was logged
}

var _ io.Writer = (*auditFile)(nil)

// Write implements [io.Writer].
func (f *auditFile) Write(lines []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.file.Write(lines)
	if err != nil && !f.failing {
		f.log.Error("Lines of the audit stream are lost", "error", err)
	}
	f.failing = err != nil
	return n, err //nolint:wrapcheck // it was logged
}

// reopen opens the path anew. When that fails the file stays that was open before.
func (f *auditFile) reopen() error {
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
	f.file, f.failing = file, false
	return nil
}

func (f *auditFile) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.file.Close(); err != nil && !f.failing {
		f.log.Error("The end of the audit stream may be lost", "error", err)
	}
}

// noteAnswer counts and records an answer of a served user that has ended.
func (g *servedUser) noteAnswer(t history.Turn, a history.Answer) {
	g.quota.addUse(t, a)
	if g.handler.audit == nil {
		return
	}
	v := g.session
	r := auditRecord{
		Time: a.Ended.UTC(), User: v.User.ID, Key: v.User.Fingerprint, Certificate: v.User.Certificate,
		From: v.RemoteAddr.String(), Kind: string(a.Kind), Model: a.Model, Engine: a.Engine,
		InputTokens: a.Usage.InputTokens, OutputTokens: a.Usage.OutputTokens,
		Cost: a.Cost.Amount, Currency: a.Cost.Currency, Milliseconds: a.Elapsed.Milliseconds(),
		Outcome: string(a.State),
	}
	if a.Failure != nil {
		r.Error = a.Failure.Code
	}
	if g.handler.limits.Load().AuditPrompts {
		r.Prompt = t.Prompt
		if len(r.Prompt) > maxAuditPrompt {
			r.Prompt = strings.ToValidUTF8(r.Prompt[:maxAuditPrompt], "") + "…"
		}
	}
	g.handler.audit.record(r)
}
