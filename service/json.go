package service

import (
	"strings"
	"time"
)

// AnswerJSON is an answer as scripts see it; its field names are stable.
// Absent fields are left out. An answer that is in no history on disk has no
// ids: those of a history in memory would name other entries of the one on disk.
type AnswerJSON struct {
	Session     int64      `json:"session,omitempty"`
	Turn        int64      `json:"turn,omitempty"`
	Answer      int64      `json:"answer,omitempty"`
	Saved       *bool      `json:"saved,omitempty"` // false when the history does not hold the answer, absent otherwise
	Model       string     `json:"model"`
	Kind        Kind       `json:"kind"`
	Sample      int        `json:"sample"`
	State       State      `json:"state"`
	Text        *string    `json:"text,omitempty"` // set for a text that is done, also an empty one
	ServedModel string     `json:"served_model,omitempty"`
	Engine      string     `json:"engine,omitempty"`       // who answered, where the service tells
	EngineModel string     `json:"engine_model,omitempty"` // what that engine calls the model
	ServiceNote string     `json:"service_note,omitempty"` // how the answer differs from what was asked
	File        string     `json:"file,omitempty"`
	ContentType string     `json:"content_type,omitempty"`
	Width       int        `json:"width,omitempty"`
	Height      int        `json:"height,omitempty"`
	Bytes       int64      `json:"bytes,omitempty"`   // as received
	SHA256      string     `json:"sha256,omitempty"`  // of the picture as received, or of a text before the key in it was masked
	Started     *time.Time `json:"started,omitempty"` // of one that runs, by this process or another
	ElapsedMS   *int64     `json:"elapsed_ms,omitempty"`
	HTTPStatus  int        `json:"http_status,omitempty"`
	Cached      bool       `json:"cached,omitempty"`
	Error       *ErrorJSON `json:"error,omitempty"`
}

// ErrorJSON is why an answer failed, or, beside an answer that is done, why it
// could not be saved.
type ErrorJSON struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// AnswerJSON returns an answer of a turn as scripts see it.
func (s *Service) AnswerJSON(t Turn, a Answer) AnswerJSON {
	saved := s.isSaved(a)
	t, a = s.withIDs(t, a)
	j := newAnswerJSON(t, a)
	if !saved {
		j.Saved = &saved
	}
	return j
}

// Saving tells whether what is sent and received outlives this process. It is
// known once the history was needed.
func (s *Service) Saving() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.saving
}

// isSaved tells whether the history on disk holds the answer as it is, or will
// when it has ended.
func (s *Service) isSaved(a Answer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, refused := s.unsaved[a.ID]
	return s.saving && !refused
}

// withIDs returns a turn and an answer of it as they may leave this process: with
// the ids by which the history on disk knows them, and without any when they are
// in memory only.
func (s *Service) withIDs(t Turn, a Answer) (Turn, Answer) {
	if s.Saving() {
		return t, a
	}
	t.Session, t.ID, a.ID, a.Turn = 0, 0, 0, 0
	if t.Source != nil && t.Source.Answer != 0 {
		source := *t.Source
		source.Answer = 0
		t.Source = &source
	}
	if a.Picture != nil && a.Picture.Parent != 0 {
		picture := *a.Picture
		picture.Parent = 0
		a.Picture = &picture
	}
	return t, a
}

// newAnswerJSON returns an answer of a turn with the ids it has.
func newAnswerJSON(t Turn, a Answer) AnswerJSON {
	j := AnswerJSON{
		Session: t.Session, Turn: t.ID, Answer: a.ID, Model: a.Model, Kind: a.Kind, Sample: a.Sample, State: a.State,
		ServedModel: a.ServedModel, Engine: a.Engine, EngineModel: a.EngineModel, ServiceNote: a.ServiceNote, HTTPStatus: a.HTTPStatus, Cached: a.Cached, SHA256: a.SHA256,
	}
	if a.Kind == KindText && a.State == Done {
		j.Text = &a.Text
	}
	if p := a.Picture; p != nil {
		if !strings.HasPrefix(p.Path, unsavedScheme) {
			j.File = p.Path
		}
		j.ContentType, j.Width, j.Height, j.Bytes, j.SHA256 = p.ContentType, p.Width, p.Height, p.Bytes, p.SHA256
	}
	if a.State == Running && !a.Started.IsZero() {
		started := a.Started.UTC()
		j.Started = &started
	}
	if a.State.Ended() && !a.Started.IsZero() {
		ms := a.Elapsed.Milliseconds()
		j.ElapsedMS = &ms
	}
	switch {
	case a.Failure != nil:
		j.Error = &ErrorJSON{Code: a.Failure.Code, Message: a.Failure.Message}
	case a.State == Cancelled || a.State == Interrupted:
		j.Error = &ErrorJSON{Code: "cancelled", Message: "The answer was " + string(a.State) + " before it came."}
	}
	return j
}
