package localfile

import (
	"crypto/rand"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"confab/history"
)

// tempPrefix is the prefix of names of temporary folders, followed by the process's token and a random part.
const tempPrefix = "confab-of-"

// tempAge is the minimum age of an ended process's temporary folder before its removal.
const tempAge = time.Minute

// Process is the running process.
type Process struct {
	process history.Process
	now     func() time.Time
}

func NewProcess(process history.Process, now func() time.Time) Process { return Process{process, now} }

// Token returns the identity of the process for file names: its id, its start, and hashes of the names of its machine
// and its boot.
func (p Process) Token() string { return token(p.process, p.process.Boot) }

// EndedToken returns a token that marks the process as ended for every other process: its boot id does not exist.
func (p Process) EndedToken() string { return token(p.process, "ended") }

func token(o history.Process, boot string) string {
	started := int64(0)
	if !o.Started.IsZero() {
		started = o.Started.UnixMilli()
	}
	return fmt.Sprintf("%d-%d-%s-%s", o.PID, started, shortHash(o.Host), shortHash(boot))
}

func shortHash(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("%08x", h.Sum32())
}

// IsAlive reports whether the process of a token still runs. It returns true for a process of another machine that
// shares the disk.
func (p Process) IsAlive(token string) bool {
	parts := strings.Split(token, "-")
	if len(parts) != 4 {
		return false
	}
	pid, err := strconv.Atoi(parts[0])
	if err != nil {
		return false
	}
	started, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return false
	}
	if parts[2] != shortHash(p.process.Host) {
		return true
	}
	if parts[3] != shortHash(p.process.Boot) {
		return false
	}
	o := history.Process{PID: pid, Host: p.process.Host, Boot: p.process.Boot}
	if started != 0 {
		o.Started = time.UnixMilli(started).UTC()
	}
	return history.IsAlive(o)
}

// MakeTempFolder creates a temporary folder for this process only. The caller removes it; [Process.SweepTempFolders]
// removes those of ended processes.
func (p Process) MakeTempFolder() (string, error) {
	dir := filepath.Join(os.TempDir(), tempPrefix+p.Token()+"-"+rand.Text()[:12])
	return dir, os.Mkdir(dir, 0o700)
}

// SweepTempFolders removes the temporary folders of ended processes and returns their number. It does not touch those
// of other users.
func (p Process) SweepTempFolders() (removed int) {
	found, err := filepath.Glob(filepath.Join(os.TempDir(), tempPrefix+"*"))
	if err != nil {
		return 0
	}
	for _, dir := range found {
		owner := strings.TrimPrefix(filepath.Base(dir), tempPrefix)
		i := strings.LastIndexByte(owner, '-')
		if i < 0 || strings.Count(owner[:i], "-") != 3 || p.IsAlive(owner[:i]) {
			continue
		}
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || p.now().Sub(info.ModTime()) < tempAge {
			continue
		}
		if os.RemoveAll(dir) == nil {
			removed++
		}
	}
	return removed
}
