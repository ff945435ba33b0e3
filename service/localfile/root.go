// Package localfile handles files of this machine: it resolves user-given paths, confines them to a folder on shared
// machines, lists folders, and names temporary files so that other processes know whether their owner runs.
package localfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"confab/service/api"
	"confab/service/problem"
)

// Root is the folder that confines the paths of a user; empty for no restriction.
type Root string

// Confine returns an error for a path outside the root, also if it leads there by a link. A relative path starts at
// the root. For a path that does not exist, its deepest existing folder counts. Without a root it returns the path
// unchanged.
func (r Root) Confine(path string) (string, error) {
	if r == "" {
		return path, nil
	}
	root, err := filepath.Abs(string(r))
	if err != nil {
		return "", problem.Disk("find your folder", err)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	path = filepath.Clean(path)
	resolved, err := followLinks(path)
	if err != nil {
		return "", outsideError(err)
	}
	resolvedRoot, err := followLinks(root)
	if err != nil {
		return "", outsideError(err)
	}
	if !isBelow(root, path) || !isBelow(resolvedRoot, resolved) {
		return "", outsideError(fs.ErrPermission)
	}
	return path, nil
}

// Resolve makes a typed path absolute and confines it. A ~ means the root, or the user's home without one; relative
// paths start there, or else at the current folder.
func (r Root) Resolve(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	startsAtHome := ok && (rest == "" || os.IsPathSeparator(rest[0]))
	if r != "" {
		if startsAtHome {
			path = strings.TrimLeft(rest, `/\`)
		}
		return r.Confine(path)
	}
	if startsAtHome {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		path = home + rest
	}
	return filepath.Abs(path)
}

// Name returns an absolute path as its user names it: relative to the root, with slashes. For a path elsewhere it
// returns only the last element. Without a root it returns the path unchanged.
func (r Root) Name(path string) string {
	if r == "" || !filepath.IsAbs(path) {
		return path
	}
	root, err := filepath.Abs(string(r))
	if err != nil || !isBelow(root, filepath.Clean(path)) {
		return filepath.Base(path)
	}
	below, err := filepath.Rel(root, path)
	if err != nil {
		return filepath.Base(path)
	}
	return filepath.ToSlash(below)
}

// ShortName returns [Root.Name] with ~ for the user's home.
func (r Root) ShortName(path string) string {
	name := r.Name(path)
	if home, err := os.UserHomeDir(); err == nil && name != home && isBelow(filepath.Clean(home), name) {
		return "~" + strings.TrimPrefix(name, filepath.Clean(home))
	}
	return name
}

// outsideError returns the same sentence for missing and for forbidden paths.
func outsideError(err error) *api.Error {
	return problem.New(api.CodeUsage, err, "only your own folder can be used here; pictures of your sessions and "+
		"addresses (URLs) are fine")
}

// isBelow reports whether a clean path is the folder or within it.
func isBelow(folder, path string) bool {
	return path == folder ||
		strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// followLinks resolves the links in the existing part of a path.
func followLinks(path string) (string, error) {
	for rest := ""; ; {
		resolved, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(resolved, rest), nil
		}
		if _, link := os.Lstat(path); link == nil || !errors.Is(err, fs.ErrNotExist) {
			return "", err // a broken link or an unreadable folder
		}
		parent := filepath.Dir(path)
		if parent == path {
			return "", err
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = parent
	}
}
