package service

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"confab/history"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/problem"
)

// How drafts are called: session-<id>, and new-<process>-<random> for a session that has not been sent yet.
const (
	draftOfSession  = "session-"
	draftOfNew      = "new-"
	draftUnreadable = "unreadable-" // before the name of one that was put aside
)

// draftTimeout bounds how long a draft is saved on another machine; then it is saved in a file here.
const draftTimeout = 3 * time.Second

// Draft is what has been written and not sent: one for each session, kept in a file or in the history, and one for the
// new session of each running program.
type Draft struct {
	Text       string          `json:"text,omitempty"`
	System     string          `json:"system,omitempty"`
	Models     []string        `json:"models,omitempty"`
	Aspect     string          `json:"aspect,omitempty"`
	Nonce      history.Nonce   `json:"nonce,omitzero"`
	Source     *history.Source `json:"source,omitempty"`
	Samples    int             `json:"samples,omitempty"`
	HasContext bool            `json:"context,omitempty"`
	Params     history.Params  `json:"params,omitzero"`
	Saved      time.Time       `json:"saved,omitzero"`
}

// hasPrompt tells whether a person would miss the draft.
func (d Draft) hasPrompt() bool { return strings.TrimSpace(d.Text+d.System) != "" || d.Source != nil }

// isEmpty tells whether nothing at all is set.
func (d Draft) isEmpty() bool {
	return !d.hasPrompt() && len(d.Models) == 0 && d.Aspect == "" && d.Nonce == (history.Nonce{}) && d.Samples == 0 &&
		!d.HasContext && d.Params.IsZero()
}

// Draft returns the draft of a session, or with session 0 that of this program's unsent one. Without one it is empty.
// One that cannot be read is put aside, and the error names the copy.
func (s *Service) Draft(ctx context.Context, session int64) (d Draft, err error) {
	for _, store := range s.draftStores(ctx) {
		found, err := s.readDraft(ctx, store, s.draftName(session))
		if err != nil {
			return Draft{}, err
		}
		if found.Saved.After(d.Saved) || d.isEmpty() {
			d = found
		}
	}
	return d, nil
}

// SaveDraft keeps the draft of a session, or with session 0 that of this program's unsent one; an empty draft removes
// it, and so does, for an unsent session, one in which nothing is written. Where several are saved faster than the
// history takes them, only the newest is. When the history does not take it, it is kept in a file and the error is
// [history.ErrUnreachable].
func (s *Service) SaveDraft(ctx context.Context, session int64, d Draft) error {
	text := ""
	if !d.isEmpty() && (session != 0 || d.hasPrompt()) {
		d.Saved = s.o.Now().UTC()
		b, err := encodeDraft(d, s.o.Mask)
		if err != nil {
			return problem.New(api.CodeDisk, err, "the draft could not be written, the log says more")
		}
		text = string(b)
	}
	stores, name := s.draftStores(ctx), s.draftName(session)
	isNewest := s.draftOrder.enter(name)
	defer s.draftOrder.leave()
	if len(stores) == 0 || !isNewest() {
		return nil
	}
	if len(stores) == 1 {
		return stores[0].SaveDraft(ctx, name, text)
	}
	limited, cancel := context.WithTimeout(ctx, draftTimeout)
	defer cancel()
	err := stores[1].SaveDraft(limited, name, text)
	if err == nil {
		return stores[0].SaveDraft(ctx, name, "")
	}
	if fileErr := stores[0].SaveDraft(ctx, name, text); fileErr != nil {
		return fileErr
	}
	return fmt.Errorf("save the draft: %w: %w", history.ErrUnreachable, err)
}

// OrphanedDraft takes over the newest unsent draft that a process left behind which no longer runs: it becomes the
// draft of this program's unsent session, and no other process is offered it. There is none to take while this program
// has such a draft itself.
func (s *Service) OrphanedDraft(ctx context.Context) (Draft, bool) {
	own := s.draftName(0)
	for _, store := range s.draftStores(ctx) {
		for {
			text, err := store.TakeDraft(ctx, draftOfNew, own)
			if err != nil || text == "" {
				break
			}
			d, err := s.readDraft(ctx, store, own) // puts one aside that cannot be read
			if err == nil && d.hasPrompt() {
				return d, true
			}
			if err == nil && store.SaveDraft(ctx, own, "") != nil { // nothing in it that anyone could miss
				break
			}
		}
	}
	return Draft{}, false
}

// LeaveDraft offers the draft of the unsent session to the next process, as if this one had ended. It is for a process
// that serves several screens one after the other; the service must be closed, which does the same for a history that
// keeps drafts itself.
func (s *Service) LeaveDraft() {
	if s.savesDrafts() {
		s.leaveDraft(context.Background(), s.draftFiles())
	}
}

// leaveDraft takes the draft of the unsent session away from this process. Mostly there is none; at worst it is offered
// after a restart.
func (s *Service) leaveDraft(ctx context.Context, store history.DraftStore) {
	_ = store.RenameDraft(ctx, s.draftName(0), draftOfNew+s.process.EndedToken()+"-"+s.nonce)
}

// savesDrafts tells whether drafts are kept.
func (s *Service) savesDrafts() bool { return s.o.History.Saves && s.o.DraftFolder != "" }

func (s *Service) draftFiles() draftFiles { return draftFiles{s.o.DraftFolder, s.process} }

// draftStores returns where drafts are kept: in files, and behind them in the history where it keeps drafts for several
// hosts. Files then hold what it could not take.
func (s *Service) draftStores(ctx context.Context) []history.DraftStore {
	if !s.savesDrafts() {
		return nil
	}
	if store, err := s.history(ctx); err == nil {
		if shared, ok := store.(history.DraftStore); ok {
			return []history.DraftStore{s.draftFiles(), shared}
		}
	}
	return []history.DraftStore{s.draftFiles()}
}

// draftName returns the name of a session's draft.
func (s *Service) draftName(session int64) string {
	if session == 0 {
		return draftOfNew + s.process.Token() + "-" + s.nonce
	}
	return draftOfSession + strconv.FormatInt(session, 10)
}

// readDraft reads a draft; one that is not there is empty.
func (s *Service) readDraft(ctx context.Context, store history.DraftStore, name string) (Draft, error) {
	text, err := store.Draft(ctx, name)
	if err != nil || text == "" {
		return Draft{}, err
	}
	d, err := decodeDraft([]byte(text))
	if err != nil {
		aside := draftUnreadable + name
		if store.RenameDraft(ctx, name, aside) != nil {
			aside = name
		}
		return Draft{}, problem.New(api.CodeDisk, err, "the draft could not be read; it is kept as %s", aside)
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
	if d.Aspect != "" && !aspectForm().MatchString(d.Aspect) {
		d.Aspect = ""
	}
	return d, nil
}

// dropDraft removes the draft of a deleted session.
func (s *Service) dropDraft(ctx context.Context, session int64) {
	for _, store := range s.draftStores(ctx) {
		if err := store.SaveDraft(ctx, s.draftName(session), ""); err != nil {
			s.o.Log.Warn("Could not remove the draft of a deleted session", "error", err)
		}
	}
}

// draftOrder saves drafts one at a time.
type draftOrder struct {
	mu, writing sync.Mutex
	newest      map[string]int // by the name of the draft
}

// enter waits for its turn and returns what tells whether no newer draft of the name waits. leave lets in the next.
func (o *draftOrder) enter(name string) (isNewest func() bool) {
	o.mu.Lock()
	if o.newest == nil {
		o.newest = map[string]int{}
	}
	o.newest[name]++
	mine := o.newest[name]
	o.mu.Unlock()
	o.writing.Lock()
	return func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.newest[name] == mine
	}
}

func (o *draftOrder) leave() { o.writing.Unlock() }
