package service

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Quota bounds what one person of several may use. It is asked before
// anything is recorded; its errors are [*Error]s for people.
type Quota interface {
	// Admit lets one more turn begin, or a cell of a run. Of a turn it holds a
	// place, which is the turn's when began is called with its id, and free
	// again when that is 0.
	Admit(ofRun bool) (began func(turn int64), err error)
	// End gives back the place of a turn all of whose answers have ended.
	End(turn int64)
	// Room tells whether more may be written to the disk.
	Room() error
}

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
func outside(err error) *Error {
	return fail("usage", err, "only your own folder can be used here; pictures of your sessions and addresses (URLs) are fine")
}

// below tells whether a clean path is the folder or lies in it.
func below(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
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

// room tells whether more may be written to the disk.
func (s *Service) room() error {
	if s.o.Quota == nil {
		return nil
	}
	return s.o.Quota.Room()
}

// rationed asks the quota before a turn is recorded.
type rationed struct {
	records
	quota Quota
}

// AddTurn implements records.
func (r rationed) AddTurn(ctx context.Context, t Turn) (Turn, error) {
	began, err := r.quota.Admit(false)
	if err != nil {
		return Turn{}, err
	}
	made, err := r.records.AddTurn(ctx, t)
	began(made.ID)
	return made, err
}

// AddAnswers implements records.
func (r rationed) AddAnswers(ctx context.Context, turn int64, a []Answer) ([]Answer, error) {
	began, err := r.quota.Admit(false)
	if err != nil {
		return nil, err
	}
	added, err := r.records.AddAnswers(ctx, turn, a)
	if err != nil {
		turn = 0
	}
	began(turn)
	return added, err
}

// AddCell implements records.
func (r rationed) AddCell(ctx context.Context, c RunCell, t Turn) (RunCell, Turn, error) {
	if _, err := r.quota.Admit(true); err != nil {
		return RunCell{}, Turn{}, err
	}
	return r.records.AddCell(ctx, c, t)
}
