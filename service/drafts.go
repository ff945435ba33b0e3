package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/fileio"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/problem"
)

// Names of drafts: session-<id>, and new-<process>-<random> for a session without turns.
const (
	draftOfSession  = "session-"
	draftOfNew      = "new-"
	draftUnreadable = "unreadable-" // prefix of the name of an invalid draft
)

// draftTimeout bounds saving a draft on another machine. After it, the draft is saved in a local file.
const draftTimeout = 3 * time.Second

// Draft is an unsent prompt. Each session has one, in a file or in the history, and each running program has one for
// a new session.
type Draft struct {
	Beside     int64           `json:"beside,omitempty"` // see [Prompt.Beside]
	Text       string          `json:"text,omitempty"`
	System     string          `json:"system,omitempty"`
	NewSystem  string          `json:"new_system,omitempty"` // typed for the system prompt, and not in use
	Models     []string        `json:"models,omitempty"`
	Aspect     string          `json:"aspect,omitempty"`
	Nonce      history.Nonce   `json:"nonce,omitzero"`
	Source     *history.Source `json:"source,omitempty"`
	Samples    int             `json:"samples,omitempty"`
	HasContext bool            `json:"context,omitempty"`
	Params     history.Params  `json:"params,omitzero"`
	Files      []history.File  `json:"files,omitempty"` // a saved draft has no texts of them
	Saved      time.Time       `json:"saved,omitzero"`

	// Variants are all variants where there are several; the text and the system prompt are those of the current one.
	Variants    []Variant        `json:"variants,omitempty"`
	Current     int              `json:"current,omitempty"`      // among the variants
	ParamValues map[string][]any `json:"param_values,omitempty"` // see [Axes.Params]
	Waiting     [][]Variant      `json:"queue,omitempty"`        // prompts to be sent after the answers that run
}

// HasPrompt reports whether the draft is worth restoring.
func (d Draft) HasPrompt() bool {
	return strings.TrimSpace(d.Text+d.System+d.NewSystem) != "" || d.Source != nil || len(d.Waiting) > 0 ||
		len(d.Variants) > 0
}

// isEmpty reports whether no field is set.
func (d Draft) isEmpty() bool {
	return !d.HasPrompt() && len(d.Models) == 0 && d.Aspect == "" && d.Nonce == (history.Nonce{}) && d.Samples == 0 &&
		!d.HasContext && d.Params.IsZero() && len(d.ParamValues) == 0
}

// Draft returns the draft of a session, or for 0 that of this program's new session; empty if there is none. It
// renames an invalid draft, and the error contains the new name.
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

// SaveDraft stores the draft of a session, or for 0 that of this program's new session. It removes an empty draft,
// and for a new session one without a prompt. If drafts come faster than the history takes them, it saves only the
// newest. If the history fails, it saves a file and returns [history.ErrUnreachable].
func (s *Service) SaveDraft(ctx context.Context, session int64, d Draft) error {
	text := ""
	if !d.isEmpty() && (session != 0 || d.HasPrompt()) {
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

// OrphanedDraft takes the newest draft of a new session whose process has ended. It becomes this program's draft, and
// other processes cannot take it. It returns false if this program has a draft of a new session.
func (s *Service) OrphanedDraft(ctx context.Context) (Draft, bool) {
	own := s.draftName(0)
	for _, store := range s.draftStores(ctx) {
		for {
			text, err := store.TakeDraft(ctx, draftOfNew, own)
			if err != nil || text == "" {
				break
			}
			d, err := s.readDraft(ctx, store, own) // renames an invalid draft
			if err == nil && d.HasPrompt() {
				return d, true
			}
			if err == nil && store.SaveDraft(ctx, own, "") != nil { // the draft has no content
				break
			}
		}
	}
	return Draft{}, false
}

// LeaveDraft releases the draft of the new session for the next process. It is for a process that serves several
// screens one after the other. Close does the same if the history stores drafts.
func (s *Service) LeaveDraft() {
	if s.savesDrafts() {
		s.leaveDraft(context.Background(), s.draftFiles())
	}
}

// leaveDraft releases the draft of the new session. It ignores errors: at worst the draft is offered after a restart.
func (s *Service) leaveDraft(ctx context.Context, store history.DraftStore) {
	_ = store.RenameDraft(ctx, s.draftName(0), draftOfNew+s.process.EndedToken()+"-"+s.nonce)
}

// savesDrafts reports whether drafts are stored.
func (s *Service) savesDrafts() bool { return s.o.History.Saves && s.o.DraftFolder != "" }

func (s *Service) draftFiles() draftFiles { return draftFiles{s.o.DraftFolder, s.process} }

// draftStores returns the stores of drafts: files, and after them the history if it stores drafts for several hosts.
// Files then hold the drafts that the history could not take.
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

func (s *Service) draftName(session int64) string {
	if session == 0 {
		return draftOfNew + s.process.Token() + "-" + s.nonce
	}
	return draftOfSession + strconv.FormatInt(session, 10)
}

// readDraft reads a draft; a missing one is empty. One that is too large or malformed is renamed.
func (s *Service) readDraft(ctx context.Context, store history.DraftStore, name string) (Draft, error) {
	var d Draft
	text, err := store.Draft(ctx, name)
	switch {
	case err == nil && text == "":
		return Draft{}, nil
	case err == nil:
		d, err = decodeDraft([]byte(text))
	case !errors.Is(err, fileio.ErrTooLarge):
		return Draft{}, err
	}
	if err != nil {
		aside := draftUnreadable + name
		if store.RenameDraft(ctx, name, aside) != nil {
			aside = name
		}
		return Draft{}, problem.New(api.CodeDisk, err, "the draft could not be read; it is kept as %s", aside)
	}
	return d, nil
}

// encodeDraft returns the content of a draft file with the key masked.
func encodeDraft(d Draft, mask *redact.Masker) ([]byte, error) {
	d.Text, d.System, d.Nonce.Value = mask.String(d.Text), mask.String(d.System), mask.String(d.Nonce.Value)
	d.NewSystem, d.Variants = mask.String(d.NewSystem), maskVariants(d.Variants, mask)
	d.Waiting = slices.Clone(d.Waiting)
	for i := range d.Waiting {
		d.Waiting[i] = maskVariants(d.Waiting[i], mask)
	}
	if d.Source != nil {
		src := *d.Source
		src.Path, src.URL = mask.String(src.Path), mask.String(src.URL)
		d.Source = &src
	}
	d.Files = slices.Clone(d.Files)
	for i := range d.Files {
		d.Files[i].Name, d.Files[i].Text = mask.String(d.Files[i].Name), ""
	}
	return json.Marshal(d)
}

func maskVariants(variants []Variant, mask *redact.Masker) []Variant {
	masked := slices.Clone(variants)
	for i, v := range masked {
		masked[i] = Variant{mask.String(v.Text), mask.String(v.System)}
	}
	return masked
}

// decodeDraft parses a draft file, which is untrusted input.
func decodeDraft(b []byte) (Draft, error) {
	var d Draft
	decoder := json.NewDecoder(bytes.NewReader(b))
	decoder.UseNumber() // a seed may have more digits than a float holds
	if err := decoder.Decode(&d); err != nil {
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
	if _, err := chat.CheckParams(d.Params); err != nil {
		d.Params = nil
	}
	for name, values := range d.ParamValues {
		for i, value := range values {
			checked, err := chat.CheckParams(map[string]any{name: value})
			if values[i] = checked[name]; err != nil || values[i] == nil {
				delete(d.ParamValues, name)
				break
			}
		}
	}
	d.Waiting = slices.DeleteFunc(d.Waiting, func(variants []Variant) bool { return len(variants) == 0 })
	if d.Current < 0 || d.Current >= len(d.Variants) {
		d.Current = 0
	}
	if d.Aspect != "" && !aspectForm().MatchString(d.Aspect) {
		d.Aspect = ""
	}
	return d, nil
}

func (s *Service) dropDraft(ctx context.Context, session int64) {
	for _, store := range s.draftStores(ctx) {
		if err := store.SaveDraft(ctx, s.draftName(session), ""); err != nil {
			s.o.Log.Warn("Could not remove the draft of a deleted session", "error", err)
		}
	}
}

// draftOrder serialises saving drafts.
type draftOrder struct {
	mu, writing sync.Mutex
	newest      map[string]int // by the name of the draft
}

// enter waits for its turn. It returns a function that reports whether no newer draft of the name waits. The caller
// calls leave afterwards.
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
