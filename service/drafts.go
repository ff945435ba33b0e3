package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"confab/history"
	"confab/internal/fileio"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/problem"
)

// maxDraft bounds what is read of a draft, in bytes.
const maxDraft = 16 << 20

// How the files of drafts are called: session-<id>.json, and new-<owner>-<random>.json for a session that has not been
// sent yet.
const (
	draftOfSession = "session-"
	draftOfNew     = "new-"
	draftExt       = ".json"
)

// Draft is what has been written and not sent: one for each session, kept on disk, and one for the new session of each
// running program.
type Draft struct {
	Text    string          `json:"text,omitempty"`
	System  string          `json:"system,omitempty"`
	Models  []string        `json:"models,omitempty"`
	Aspect  string          `json:"aspect,omitempty"`
	Nonce   history.Nonce   `json:"nonce,omitzero"`
	Source  *history.Source `json:"source,omitempty"`
	Samples int             `json:"samples,omitempty"`
	Context bool            `json:"context,omitempty"`
	Params  history.Params  `json:"params,omitzero"`
	Saved   time.Time       `json:"saved,omitzero"`
}

// hasPrompt tells whether a person would miss the draft.
func (d Draft) hasPrompt() bool { return strings.TrimSpace(d.Text+d.System) != "" || d.Source != nil }

// isEmpty tells whether nothing at all is set.
func (d Draft) isEmpty() bool {
	return !d.hasPrompt() && len(d.Models) == 0 && d.Aspect == "" && d.Nonce == (history.Nonce{}) && d.Samples == 0 &&
		!d.Context && d.Params.IsZero()
}

// Draft returns the draft of a session, or with session 0 that of this program's unsent one. Without one it is empty. A
// file that cannot be read as a draft is put aside, and the error names the copy.
func (s *Service) Draft(_ context.Context, session int64) (Draft, error) {
	if !s.savesDrafts() {
		return Draft{}, nil
	}
	return s.readDraft(s.draftPath(session))
}

// SaveDraft keeps the draft of a session, or with session 0 that of this program's unsent one; an empty draft removes
// the file, and so does, for an unsent session, one in which nothing is written. Not even a kill leaves half a draft.
func (s *Service) SaveDraft(_ context.Context, session int64, d Draft) error {
	if !s.savesDrafts() {
		return nil
	}
	path := s.draftPath(session)
	if d.isEmpty() || session == 0 && !d.hasPrompt() {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return problem.Disk("remove the draft", err)
		}
		return nil
	}
	d.Saved = s.o.Now().UTC()
	b, err := encodeDraft(d, s.o.Mask)
	if err != nil {
		return problem.New(api.CodeDisk, err, "the draft could not be written, the log says more")
	}
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		err = fileio.Write(path, b, 0o600)
	}
	if err != nil {
		return problem.Disk("save the draft", err)
	}
	return nil
}

// OrphanedDraft takes over the newest unsent draft that a process left behind which no longer runs: it becomes the
// draft of this program's unsent session, and no other process is offered it. There is none to take while this program
// has such a draft itself.
func (s *Service) OrphanedDraft(context.Context) (Draft, bool) {
	if !s.savesDrafts() {
		return Draft{}, false
	}
	own := s.draftPath(0)
	if _, err := os.Lstat(own); err == nil {
		return Draft{}, false
	}
	for _, path := range s.orphans() {
		d, err := s.readDraft(path)
		if err != nil {
			continue
		}
		if !d.hasPrompt() {
			_ = os.Remove(path) // nothing in it that anyone could miss
			continue
		}
		// Only one process can take a file away.
		if err := os.Rename(path, own); err == nil {
			return d, true
		}
	}
	return Draft{}, false
}

// LeaveDraft offers the draft of the unsent session to the next process, as if this one had ended. It is for a process
// that serves several screens one after the other; the service must be closed.
func (s *Service) LeaveDraft() {
	if !s.savesDrafts() {
		return
	}
	left := filepath.Join(s.o.Folders.Drafts, draftOfNew+s.process.EndedToken()+"-"+s.nonce+draftExt)
	_ = os.Rename(s.draftPath(0), left) // mostly there is none; at worst it is offered after a restart
}

// orphans returns the files of unsent drafts of dead processes, newest first.
func (s *Service) orphans() (paths []string) {
	entries, err := os.ReadDir(s.o.Folders.Drafts)
	if err != nil {
		return nil
	}
	var found []fs.FileInfo
	for _, e := range entries {
		owner, isNew := strings.CutPrefix(strings.TrimSuffix(e.Name(), draftExt), draftOfNew)
		end := strings.LastIndexByte(owner, '-')
		if !isNew || end < 0 || filepath.Ext(e.Name()) != draftExt || !e.Type().IsRegular() ||
			s.process.IsAlive(owner[:end]) {
			continue
		}
		if info, err := e.Info(); err == nil {
			found = append(found, info)
		}
	}
	slices.SortFunc(found, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range found {
		paths = append(paths, filepath.Join(s.o.Folders.Drafts, info.Name()))
	}
	return paths
}

// savesDrafts tells whether drafts are kept.
func (s *Service) savesDrafts() bool { return s.o.Save && s.o.Folders.Drafts != "" }

// draftPath returns the file of a session's draft.
func (s *Service) draftPath(session int64) string {
	name := fmt.Sprintf("%s%d%s", draftOfSession, session, draftExt)
	if session == 0 {
		name = draftOfNew + s.process.Token() + "-" + s.nonce + draftExt
	}
	return filepath.Join(s.o.Folders.Drafts, name)
}

// readDraft reads a draft; one that is not there is empty.
func (s *Service) readDraft(path string) (d Draft, err error) {
	b, err := fileio.Read(path, maxDraft)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Draft{}, nil
	case err == nil:
		d, err = decodeDraft(b)
	case !errors.Is(err, fileio.ErrTooLarge):
		return Draft{}, problem.Disk("read the draft", err)
	}
	if err != nil {
		aside := path + ".unreadable"
		if moveErr := os.Rename(path, aside); moveErr != nil {
			aside = path
		}
		return Draft{},
			problem.New(api.CodeDisk, err, "the draft could not be read; its file is kept as %s", filepath.Base(aside))
	}
	return d, nil
}

// encodeDraft returns the file of a draft, the key masked.
func encodeDraft(d Draft, mask *redact.Masker) ([]byte, error) {
	d.Text, d.System, d.Nonce.Value = mask.String(d.Text), mask.String(d.System), mask.String(d.Nonce.Value)
	if d.Source != nil {
		src := *d.Source
		src.Path, src.URL = mask.String(src.Path), mask.String(src.URL)
		d.Source = &src
	}
	return json.Marshal(d)
}

// decodeDraft reads the file of a draft. Files are foreign input: anyone may have written them.
func decodeDraft(b []byte) (Draft, error) {
	var d Draft
	if err := json.Unmarshal(b, &d); err != nil {
		return Draft{}, fmt.Errorf("decode the draft: %w", err)
	}
	switch d.Nonce.Mode {
	case "", history.NonceNone, history.NonceFixed, history.NonceFresh:
	default:
		d.Nonce = history.Nonce{}
	}
	if d.Samples < 0 || d.Samples > MaxSamples {
		d.Samples = 0
	}
	if checkParams(d.Params) != nil {
		d.Params = history.Params{}
	}
	if d.Aspect != "" && !aspectForm.MatchString(d.Aspect) {
		d.Aspect = ""
	}
	return d, nil
}

// dropDraft removes the draft of a deleted session.
func (s *Service) dropDraft(session int64) {
	if !s.savesDrafts() {
		return
	}
	if err := os.Remove(s.draftPath(session)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.o.Log.Warn("Could not remove the draft of a deleted session", "error", err)
	}
}
