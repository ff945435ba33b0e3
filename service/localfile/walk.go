package localfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"confab/internal/fileio"
	"confab/service/problem"
)

// The bounds of [Root.Walk].
const (
	maxWalked     = 5000
	maxVisited    = 100_000
	walkTimeout   = 2 * time.Second
	maxIgnoreFile = 1 << 20
)

// errWalked ends a walk that has found enough.
var errWalked = errors.New("enough files")

// walk is a walk through the folders below one.
type walk struct {
	ctx     context.Context
	ignored []gitignore.Pattern
	matcher gitignore.Matcher
	top     []string // elements of the path from the repository to the first folder
	visited int
	found   []Entry
}

// Walk returns the files below the current folder, or the root, in the order of their paths; a name is a path with
// slashes from there. It leaves out hidden ones, those that a .gitignore excludes, and links. Of a very large folder it
// returns those that are not deep in it.
func (r Root) Walk(ctx context.Context) ([]Entry, error) {
	dir, err := r.Resolve("")
	if err != nil {
		return nil, problem.Disk("list the files", err)
	}
	w := walk{ctx: ctx}
	within, cancel := context.WithTimeout(ctx, walkTimeout)
	defer cancel()
	w.ctx = within
	if r == "" {
		w.readParents(dir)
	}
	err = w.folders(dir)
	slices.SortFunc(w.found, func(a, b Entry) int {
		return slices.Compare(strings.Split(a.Name, "/"), strings.Split(b.Name, "/"))
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil && !errors.Is(err, errWalked) && len(w.found) == 0 {
		return nil, problem.Disk("list the files", err)
	}
	return w.found, nil
}

// readParents reads the .gitignore files of the folders above, up to that of the repository.
func (w *walk) readParents(dir string) {
	var above []string // folders from the repository down to dir, without dir
	for at := dir; ; at = filepath.Dir(at) {
		if at != dir {
			above = append([]string{at}, above...)
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			break
		}
		if filepath.Dir(at) == at {
			return // no repository
		}
	}
	for i, at := range above {
		w.readIgnoreFile(at)
		next := dir
		if i+1 < len(above) {
			next = above[i+1]
		}
		w.top = append(w.top, filepath.Base(next))
	}
}

// readIgnoreFile reads the .gitignore of the folder at the path w.top.
func (w *walk) readIgnoreFile(dir string, below ...string) {
	b, err := fileio.Read(filepath.Join(dir, ".gitignore"), maxIgnoreFile)
	if err != nil {
		return
	}
	domain := append(w.top[:len(w.top):len(w.top)], below...)
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") {
			w.ignored = append(w.ignored, gitignore.ParsePattern(line, domain))
		}
	}
	w.matcher = gitignore.NewMatcher(w.ignored)
}

// folder is one that is still to be visited.
type folder struct {
	dir     string
	below   []string            // elements of its path from the first one
	ignored []gitignore.Pattern // of the folders above
	matcher gitignore.Matcher   // of these
}

// folders visits a folder and those below it, level by level: of a very large folder, the files near its top are found.
func (w *walk) folders(dir string) error {
	next := []folder{{dir: dir, ignored: w.ignored, matcher: w.matcher}}
	for len(next) > 0 {
		inside, err := w.visit(next[0])
		if errors.Is(err, errWalked) || err != nil && len(next[0].below) == 0 {
			return err
		}
		next = append(next[1:], inside...)
	}
	return nil
}

// visit finds the files in a folder, and returns the folders in it.
func (w *walk) visit(f folder) (inside []folder, err error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, err
	}
	w.ignored, w.matcher = f.ignored[:len(f.ignored):len(f.ignored)], f.matcher
	w.readIgnoreFile(f.dir, f.below...)
	for _, e := range entries {
		if w.visited++; w.visited > maxVisited || len(w.found) >= maxWalked || w.ctx.Err() != nil {
			return nil, errWalked
		}
		path := append(f.below[:len(f.below):len(f.below)], e.Name())
		full := append(w.top[:len(w.top):len(w.top)], path...)
		if strings.HasPrefix(e.Name(), ".") || w.matcher != nil && w.matcher.Match(full, e.IsDir()) {
			continue
		}
		at := filepath.Join(f.dir, e.Name())
		if e.IsDir() {
			inside = append(inside, folder{at, path, w.ignored, w.matcher})
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			w.found = append(w.found, Entry{Name: strings.Join(path, "/"), Path: at, Size: info.Size(),
				Modified: info.ModTime()})
		}
	}
	return inside, nil
}
