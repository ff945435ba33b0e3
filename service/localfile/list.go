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

// maxEntries is how many entries of a folder are listed.
const maxEntries = 5000

// FileKind is the kind of files that a user looks for.
type FileKind string

// The kinds, told by the extension.
const (
	PictureFiles FileKind = "pictures" // PNG, JPEG, GIF, WebP
	SuiteFiles   FileKind = "suites"   // YAML
)

// Folder is the content of a folder for a user who looks for a file.
type Folder struct {
	Path    string // absolute
	Entries []Entry
	HasMore bool // there are more than are listed
}

// Entry is a folder or a file in a folder.
type Entry struct {
	Name     string
	Path     string // absolute
	IsDir    bool
	Size     int64 // bytes, of a file
	Modified time.Time
}

// List lists the folders and the files of a kind in a folder, folders first, without hidden ones. The folder is given
// as in [Root.Resolve]; empty is the current folder.
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
		info, err := os.Stat(path) // a link counts as what it leads to
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

// matches reports by the name whether a file may be of the kind.
func (k FileKind) matches(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return k == PictureFiles
	case ".yaml", ".yml":
		return k == SuiteFiles
	}
	return false
}
