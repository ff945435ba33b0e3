package service

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"confab/history"
	"confab/internal/fileio"
	"confab/service/localfile"
	"confab/service/problem"
)

// maxDraft is the maximum size of a draft file in bytes.
const maxDraft = 16 << 20

// draftFiles stores drafts as files in a folder, for the processes of one machine. It implements
// [history.DraftStore].
type draftFiles struct {
	folder  string
	process localfile.Process
}

func (f draftFiles) path(name string) string { return filepath.Join(f.folder, name+".json") }

// Draft implements [history.DraftStore].
func (f draftFiles) Draft(_ context.Context, name string) (string, error) {
	b, err := fileio.Read(f.path(name), maxDraft)
	switch {
	case err == nil:
		return string(b), nil
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	}
	return "", problem.Disk("read the draft", err)
}

// SaveDraft implements [history.DraftStore]. It replaces the file atomically.
func (f draftFiles) SaveDraft(_ context.Context, name, text string) error {
	if text == "" {
		if err := os.Remove(f.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return problem.Disk("remove the draft", err)
		}
		return nil
	}
	err := os.MkdirAll(f.folder, 0o700)
	if err == nil {
		err = fileio.Write(f.path(name), []byte(text), 0o600)
	}
	if err != nil {
		return problem.Disk("save the draft", err)
	}
	return nil
}

// RenameDraft implements [history.DraftStore].
func (f draftFiles) RenameDraft(_ context.Context, from, to string) error {
	if err := os.Rename(f.path(from), f.path(to)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return problem.Disk("rename the draft", err)
	}
	return nil
}

// TakeDraft implements [history.DraftStore]. The name of a draft contains its process between the prefix and the last
// "-".
func (f draftFiles) TakeDraft(ctx context.Context, prefix, name string) (string, error) {
	if _, err := os.Lstat(f.path(name)); err == nil {
		return "", nil
	}
	for _, left := range f.abandoned(prefix) {
		// Only one process succeeds in renaming a file.
		if err := os.Rename(f.path(left), f.path(name)); err == nil {
			return f.Draft(ctx, name)
		}
	}
	return "", nil
}

// abandoned returns the drafts of ended processes, the newest first.
func (f draftFiles) abandoned(prefix string) (names []string) {
	entries, err := os.ReadDir(f.folder)
	if err != nil {
		return nil
	}
	var found []fs.FileInfo
	for _, e := range entries {
		owner, isNew := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".json"), prefix)
		end := strings.LastIndexByte(owner, '-')
		if !isNew || end < 0 || filepath.Ext(e.Name()) != ".json" || !e.Type().IsRegular() ||
			f.process.IsAlive(owner[:end]) {
			continue
		}
		if info, err := e.Info(); err == nil {
			found = append(found, info)
		}
	}
	slices.SortFunc(found, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range found {
		names = append(names, strings.TrimSuffix(info.Name(), ".json"))
	}
	return names
}

// CopyDrafts copies the drafts of sessions to a copy of their history. A history that stores no drafts uses the
// folder; if that is empty or neither stores drafts, nothing is copied. It returns the sessions whose existing draft
// differs, which it replaces only if replaces is set.
func CopyDrafts(ctx context.Context, from, to history.Store, folder string, replaces bool) (refused []history.Session,
	err error) {
	source, keepsSource := from.(history.DraftStore)
	target, keepsTarget := to.(history.DraftStore)
	if !keepsSource && !keepsTarget || folder == "" && !(keepsSource && keepsTarget) {
		return nil, nil
	}
	if !keepsSource {
		source = draftFiles{folder: folder}
	}
	if !keepsTarget {
		target = draftFiles{folder: folder}
	}
	sessions, _, err := from.Sessions(ctx, history.Query{Limit: math.MaxInt32})
	for _, s := range sessions {
		name, text, there := draftOfSession+strconv.FormatInt(s.ID, 10), "", ""
		if err == nil {
			text, err = source.Draft(ctx, name)
		}
		if err == nil && text != "" && !replaces {
			there, err = target.Draft(ctx, name)
		}
		switch {
		case err != nil, text == "", text == there:
		case there != "":
			refused = append(refused, s.Session)
		default:
			err = target.SaveDraft(ctx, name, text)
		}
	}
	return refused, problem.Store(err)
}
