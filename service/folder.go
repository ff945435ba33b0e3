package service

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxEntries bounds how much of a folder is listed.
const maxEntries = 5000

// FileKind is what kind of files a person looks for.
type FileKind string

// The kinds, told by the extension.
const (
	PictureFiles FileKind = "pictures" // PNG, JPEG
	SuiteFiles   FileKind = "suites"   // YAML
)

// Folder is what a folder holds of interest to who looks for a file.
type Folder struct {
	Path    string // absolute
	Entries []Entry
	More    bool // there are more than are listed
}

// Entry is a folder or a file in a folder.
type Entry struct {
	Name     string
	Path     string // absolute
	Dir      bool
	Size     int64 // bytes, of a file
	Modified time.Time
}

// ListFolder lists the folders and the files of a kind in a folder, folders
// first, without hidden ones. An empty dir is the current folder, and ~ the
// user's home.
func (s *Service) ListFolder(ctx context.Context, dir string, of FileKind) (Folder, error) {
	full, err := s.namedPath(dir)
	if err != nil {
		return Folder{}, diskProblem("list the folder", err)
	}
	entries, err := os.ReadDir(full)
	if err != nil {
		return Folder{}, diskProblem("list the folder "+filepath.Base(full), err)
	}
	f := Folder{Path: full}
	for _, e := range entries {
		if ctx.Err() != nil {
			return Folder{}, context.Cause(ctx)
		}
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		path := filepath.Join(full, e.Name())
		info, err := os.Stat(path) // a link counts as what it leads to
		if err != nil || !info.IsDir() && !(info.Mode().IsRegular() && of.has(e.Name())) {
			continue
		}
		if len(f.Entries) == maxEntries {
			f.More = true
			break
		}
		entry := Entry{Name: e.Name(), Path: path, Dir: info.IsDir(), Modified: info.ModTime()}
		if !entry.Dir {
			entry.Size = info.Size()
		}
		f.Entries = append(f.Entries, entry)
	}
	slices.SortStableFunc(f.Entries, func(a, b Entry) int {
		if a.Dir != b.Dir {
			if a.Dir {
				return -1
			}
			return 1
		}
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return f, nil
}

// has tells by the name whether a file may be of the kind.
func (k FileKind) has(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png", ".jpg", ".jpeg":
		return k == PictureFiles
	case ".yaml", ".yml":
		return k == SuiteFiles
	}
	return false
}

// wholePath makes a path absolute; ~ stands for the home folder.
func wholePath(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		path = home + rest
	}
	return filepath.Abs(path)
}
