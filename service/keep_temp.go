package service

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
)

// tempPrefix begins the temporary folders of confab's processes; the process
// follows, then something random.
const tempPrefix = "confab-of-"

// tempFolder makes a temporary folder for this process only. Whoever makes one
// removes it; [Service.Start] removes those of dead processes.
func (s *Service) tempFolder() (string, error) {
	dir := filepath.Join(os.TempDir(), tempPrefix+s.token+"-"+rand.Text()[:12])
	return dir, os.Mkdir(dir, 0o700)
}

// sweepTemp removes the temporary folders of dead processes, and returns how
// many went.
func (s *Service) sweepTemp() int {
	found, err := filepath.Glob(filepath.Join(os.TempDir(), tempPrefix+"*"))
	if err != nil {
		return 0
	}
	swept := 0
	for _, dir := range found {
		owner := strings.TrimPrefix(filepath.Base(dir), tempPrefix)
		i := strings.LastIndexByte(owner, '-')
		if i < 0 || strings.Count(owner[:i], "-") != 3 || s.ownerAlive(owner[:i]) {
			continue
		}
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || s.o.Now().Sub(info.ModTime()) < sweepAge {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			continue // of another user, who will do it
		}
		swept++
	}
	return swept
}
