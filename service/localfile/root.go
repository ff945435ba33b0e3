// Package localfile finds files on this machine: it resolves the paths that users give, confined to a folder where
// users share a machine, lists folders, and names the temporary files of this process so that others know whether it
// runs.
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

// Root is the folder that the paths of a user must lie in; empty for a user who may use the whole machine.
type Root string

// Confine returns an error for a path outside the root, also for one that leads there by a link. A relative path begins
// at the root. A path that does not exist yet is judged by the folder that does. Without a root it returns the path as
// it is.
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

// Resolve makes a path that a user typed absolute and confines it. A ~ stands for the root, or for the user's home
// without one; relative paths begin there, or at the current folder.
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

// Name returns an absolute path as the user of the root names it: below the root, with slashes. Of a path elsewhere
// only the last element is told. Without a root it returns the path as it is.
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

// outsideError returns the same sentence for what does not exist and for what the user may not see.
func outsideError(err error) *api.Error {
	return problem.New(api.CodeUsage, err, "only your own folder can be used here; pictures of your sessions and "+
		"addresses (URLs) are fine")
}

// isBelow reports whether a clean path is the folder or lies in it.
func isBelow(folder, path string) bool {
	return path == folder ||
		strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// followLinks resolves the links of the part of a path that exists.
func followLinks(path string) (string, error) {
	for rest := ""; ; {
		resolved, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(resolved, rest), nil
		}
		if _, link := os.Lstat(path); link == nil || !errors.Is(err, fs.ErrNotExist) {
			return "", err // a link that leads nowhere, or a folder that may not be read
		}
		parent := filepath.Dir(path)
		if parent == path {
			return "", err
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = parent
	}
}
