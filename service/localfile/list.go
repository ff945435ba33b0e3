package localfile

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"confab/service/problem"
)

const maxEntries = 5000

// FileKind is a kind of files to look for.
type FileKind string

// The kinds, determined by the extension.
const (
	PictureFiles FileKind = "pictures" // PNG, JPEG, GIF, WebP
	SuiteFiles   FileKind = "suites"   // YAML
)

// Folder is the content of a folder for choosing a file.
type Folder struct {
	Path    string // absolute
	Entries []Entry
	HasMore bool // not all entries are listed
}

// Entry is a folder or a file in a folder.
type Entry struct {
	Name     string
	Path     string // absolute
	IsDir    bool
	Size     int64 // bytes, of a file
	Modified time.Time
}

// List lists the folders and the files of a kind in a folder, folders first, without hidden ones. The path is as in
// [Root.Resolve]; empty means the current folder.
func (r Root) List(ctx context.Context, dir string, kind FileKind) (Folder, error) {
	full, err := r.Resolve(dir)
	if err != nil {
		return Folder{}, problem.Disk("list the folder", err)
	}
	entries, err := os.ReadDir(full)
	if err != nil {
		return Folder{}, problem.Disk("list the folder "+filepath.Base(full), err)
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
		info, err := os.Stat(path) // follows links
		if err != nil || !info.IsDir() && !(info.Mode().IsRegular() && kind.matches(e.Name())) {
			continue
		}
		if len(f.Entries) == maxEntries {
			f.HasMore = true
			break
		}
		entry := Entry{Name: e.Name(), Path: path, IsDir: info.IsDir(), Modified: info.ModTime()}
		if !entry.IsDir {
			entry.Size = info.Size()
		}
		f.Entries = append(f.Entries, entry)
	}
	slices.SortStableFunc(f.Entries, func(a, b Entry) int {
		if a.IsDir != b.IsDir {
			if a.IsDir {
				return -1
			}
			return 1
		}
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return f, nil
}

// matches reports whether the name of a file has the kind's extension.
func (k FileKind) matches(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return k == PictureFiles
	case ".yaml", ".yml":
		return k == SuiteFiles
	}
	return false
}
