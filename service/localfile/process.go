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

// tempPrefix begins the names of temporary folders; the process's token and a random part follow.
const tempPrefix = "confab-of-"

// tempAge is how old the temporary folder of a dead process is before it is removed.
const tempAge = time.Minute

// Process is the running process.
type Process struct {
	process history.Process
	now     func() time.Time
}

// NewProcess returns what this process calls its temporary folders by.
func NewProcess(process history.Process, now func() time.Time) Process { return Process{process, now} }

// Token returns the name of the process in file names: its id, its start, and hashes of the names of its machine and of
// that machine's boot.
func (p Process) Token() string { return token(p.process, p.process.Boot) }

// EndedToken returns a token that every other process takes for that of a dead process: its boot id does not exist.
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

// IsAlive reports whether the process of a token still runs. A process of another machine, which shares the disk,
// counts as alive.
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

// MakeTempFolder makes a temporary folder for this process only. The caller removes it; [Process.SweepTempFolders]
// removes those of dead processes.
func (p Process) MakeTempFolder() (string, error) {
	dir := filepath.Join(os.TempDir(), tempPrefix+p.Token()+"-"+rand.Text()[:12])
	return dir, os.Mkdir(dir, 0o700)
}

// SweepTempFolders removes the temporary folders of dead processes and returns how many it removed. Folders of other
// users are left to them.
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
