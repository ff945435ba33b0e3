package pictures

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"confab/internal/atomicfile"
)

// ProvenanceExt is how the file beside a picture ends.
const ProvenanceExt = ".json"

// ProvenanceName returns the name of the file of facts beside a picture, given the name of either.
func ProvenanceName(name string) string {
	return strings.TrimSuffix(name, filepath.Ext(name)) + ProvenanceExt
}

// maxFacts bounds what is read of a file of facts, in bytes.
const maxFacts = 1 << 20

// FolderListing is what stands in the folder.
type FolderListing struct {
	Pictures []string // names of pictures
	Widowed  []string // names of files of facts without a picture
	Leftover []string // names of temporary files of dead owners
	Swept    int      // of these, how many were removed
}

// List tells what stands in the folder. Temporary files are left over when they are older than age and their owner is
// dead. A folder that is not there is empty.
func (s *Store) List(age time.Duration) (FolderListing, error) {
	var found FolderListing
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return found, fmt.Errorf("list the picture folder: %w", err)
	}
	bases, facts := map[string]bool{}, []string{}
	for _, e := range entries {
		name := e.Name()
		switch ext := filepath.Ext(name); {
		case !e.Type().IsRegular():
		case strings.HasPrefix(name, tempPrefix) && ext == tempSuffix:
			if info, err := e.Info(); err == nil && s.o.Now().Sub(info.ModTime()) >= age && !s.alive(name) {
				found.Leftover = append(found.Leftover, name)
			}
		case strings.HasPrefix(name, "."):
		case ext == ".png" || ext == ".jpg":
			found.Pictures = append(found.Pictures, name)
			bases[strings.TrimSuffix(name, ext)] = true
		case ext == ProvenanceExt:
			facts = append(facts, name)
		}
	}
	for _, name := range facts {
		if !bases[strings.TrimSuffix(name, ProvenanceExt)] {
			found.Widowed = append(found.Widowed, name)
		}
	}
	return found, nil
}

// Sweep removes what is left over, and tells what stands in the folder.
func (s *Store) Sweep(age time.Duration) (FolderListing, error) {
	found, err := s.List(age)
	if err != nil || len(found.Leftover) == 0 {
		return found, err
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return found, fmt.Errorf("open the picture folder: %w", err)
	}
	defer root.Close()
	var failed error
	for _, name := range found.Leftover {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
			continue
		}
		found.Swept++
	}
	return found, failed
}

// alive tells whether the owner of a temporary file still runs.
func (s *Store) alive(temp string) bool {
	owner := strings.TrimSuffix(strings.TrimPrefix(temp, tempPrefix), tempSuffix)
	if i := strings.LastIndexByte(owner, '-'); i >= 0 {
		owner = owner[:i]
	}
	return s.o.Alive != nil && s.o.Alive(owner)
}

// Facts reads the file of facts of a picture, by the name of either.
func (s *Store) Facts(name string) ([]byte, error) {
	return s.read(ProvenanceName(name), maxFacts)
}

// Read returns the content of a file of the folder, at most limit bytes.
func (s *Store) Read(name string, limit int64) ([]byte, error) { return s.read(name, limit) }

func (s *Store) read(name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("read %s: larger than %d bytes", name, limit)
	}
	return b, nil
}

// Remove deletes a picture, given by its path, with its facts. A path outside the folder is left alone, and what is not
// there is no error.
func (s *Store) Remove(path string) error {
	name, ok := s.inside(path)
	if !ok {
		return nil
	}
	root, err := os.OpenRoot(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the picture folder: %w", err)
	}
	defer root.Close()
	var failed error
	for _, n := range []string{name, ProvenanceName(name)} {
		if err := root.Remove(n); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// Settle returns when what was removed would stay so after a power cut.
func (s *Store) Settle() error {
	folder, err := atomicfile.OpenFolder(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the picture folder: %w", err)
	}
	defer folder.Close()
	return folder.Sync()
}

// inside returns the name of a file directly in the folder.
func (s *Store) inside(path string) (string, bool) {
	rel, err := filepath.Rel(s.dir, path)
	if err != nil || rel == "." || rel != filepath.Base(rel) || rel == ".." {
		return "", false
	}
	return rel, true
}
