package service

import (
	"confab/service/api"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// within returns a whole path as it may be used: where people are confined to
// a folder, it lies in there, also when links are followed. What is not there
// yet is judged by the folder that is.
func (s *Service) within(path string) (string, error) {
	if s.o.Root == "" {
		return path, nil
	}
	root, err := filepath.Abs(s.o.Root)
	if err != nil {
		return "", diskProblem("find your folder", err)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	path = filepath.Clean(path)
	real, err := whereItLeads(path)
	if err != nil {
		return "", outside(err)
	}
	home, err := whereItLeads(root)
	if err != nil {
		return "", outside(err)
	}
	if !below(root, path) || !below(home, real) {
		return "", outside(fs.ErrPermission)
	}
	return path, nil
}

// outside says the same of what is not there and of what may not be looked at.
func outside(err error) *api.Error {
	return fail("usage", err, "only your own folder can be used here; pictures of your sessions and addresses (URLs) "+
		"are fine")
}

// below tells whether a clean path is the folder or lies in it.
func below(folder, path string) bool {
	return path == folder ||
		strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// whereItLeads follows the links of a path as far as it is there.
func whereItLeads(path string) (string, error) {
	for rest := ""; ; {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if _, link := os.Lstat(path); link == nil || !errors.Is(err, fs.ErrNotExist) {
			return "", err // a link that leads nowhere, or what may not be looked at
		}
		up := filepath.Dir(path)
		if up == path {
			return "", err
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = up
	}
}

// namedPath makes a path that a person gave whole, and keeps it in their
// folder where they are confined to one: ~ and relative paths begin there then.
func (s *Service) namedPath(path string) (string, error) {
	if s.o.Root == "" {
		return wholePath(path)
	}
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		path = strings.TrimLeft(rest, `/\`)
	}
	return s.within(path)
}
