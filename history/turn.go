package history

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"confab/internal/format"
)

// ModelKind says what a model makes.
type ModelKind string

// The kinds of models, in the order in which screens list them.
const (
	KindText  ModelKind = "text"
	KindImage ModelKind = "image"
	KindEdit  ModelKind = "edit"
)

// State is where an answer stands.
type State string

// The states of an answer. Queued and Running are the only ones that change by
// themselves; Interrupted means that the process that asked is gone.
const (
	Queued      State = "queued"
	Running     State = "running"
	Done        State = "done"
	Failed      State = "failed"
	Cancelled   State = "cancelled"
	Interrupted State = "interrupted"
)

// HasEnded tells whether an answer in this state will not change by itself.
func (s State) HasEnded() bool { return s != Queued && s != Running && s != "" }

// NonceMode says where the nonce of a picture comes from.
type NonceMode string

// The nonce modes. A nonce is not a seed: the same one, or none, may return
// the same picture; a fresh one asks for a new picture.
const (
	NonceNone  NonceMode = "none"
	NonceFixed NonceMode = "fixed"
	NonceFresh NonceMode = "fresh"
)

// Nonce says whether an answer may come from the cache of the service. Value is used by [NonceFixed] only.
type Nonce struct {
	Mode  NonceMode `json:"mode,omitempty"`
	Value string    `json:"value,omitempty"`
}

// Source is the picture an edit starts from: an earlier answer's picture, a
// file, or a public URL. Path is set for the first two, URL for the last.
type Source struct {
	Answer int64  `json:"answer,omitempty"`
	Path   string `json:"path,omitempty"`
	URL    string `json:"url,omitempty"`
}

// Name returns the URL, or the name of the file without its folder.
func (s Source) Name() string {
	if s.URL != "" {
		return s.URL
	}
	return filepath.Base(s.Path)
}

// Turn is one prompt sent: what was asked, with which settings, and the
// answers of the models it went to, in the order in which they were chosen.
type Turn struct {
	ID         int64
	Session    int64
	Created    time.Time
	Prompt     string
	System     string
	Aspect     string // "16:9"; empty when not asked
	Nonce      Nonce
	Source     *Source
	Samples    int    // answers asked of each model, at least 1
	HasContext bool   // whether earlier turns went along
	Params     Params // for text models

	// What the prompt was filled in from; empty when it had no variables.
	Vars           map[string]string // values by name, UTF-8
	Template       string            // the prompt before the values were filled in
	SystemTemplate string            // the same of the system prompt

	Answers []Answer
}

// Answer returns an answer of the turn; ok is false where it has none of that id.
func (t Turn) Answer(id int64) (a Answer, ok bool) {
	for i := range t.Answers { // without copying those before it, which are large
		if t.Answers[i].ID == id {
			return t.Answers[i], true
		}
	}
	return Answer{}, false
}

// Models returns the models the turn went to, each once, in their order.
func (t Turn) Models() []string {
	var models []string
	for _, a := range t.Answers {
		if !slices.Contains(models, a.Model) {
			models = append(models, a.Model)
		}
	}
	return models
}

// SourceOf returns the picture that an answer's picture was made from, nil for one that was made from words alone.
func (t Turn) SourceOf(a Answer) *Source {
	if a.Kind != KindEdit || a.Picture == nil {
		return nil
	}
	return t.Source
}

// Picture is an image file on disk with its facts.
type Picture struct {
	Path        string
	ContentType string // by the bytes: image/png or image/jpeg
	Width       int    // px
	Height      int    // px
	Bytes       int64
	SHA256      string // of the bytes as received
	Parent      int64  // answer whose picture was edited, 0 for none
	IsTooLarge  bool   // more than 40 megapixels: kept, not shown
}

// maxShapeRatio is how far the shape of a picture may differ from the requested one before it counts as another shape:
// services round to whole blocks of pixels.
const maxShapeRatio = 1.05

// Shape returns the width of the picture over its height, as requested by a ratio like "16:9" and as received, 0 for
// unknown. isOther tells that they differ.
func (p *Picture) Shape(requested string) (want, received float64, isOther bool) {
	var w, h float64
	if n, _ := fmt.Sscanf(requested, "%g:%g", &w, &h); n == 2 && w > 0 && h > 0 {
		want = w / h
	}
	if p.Width > 0 && p.Height > 0 {
		received = float64(p.Width) / float64(p.Height)
	}
	return want, received, want > 0 && received > 0 && max(received/want, want/received) > maxShapeRatio
}

// shapeText says how large the picture is, which ratio was requested, and which one it has where that is another.
func (p *Picture) shapeText(requested string) string {
	if p == nil {
		return ""
	}
	text := fmt.Sprintf("%d×%d", p.Width, p.Height)
	want, received, isOther := p.Shape(requested)
	if want > 0 && received > 0 {
		text += ", asked " + requested
	}
	if isOther {
		text += ", got " + format.Ratio(received) + "!"
	}
	return text
}

func (p *Picture) fileText() string {
	if p == nil {
		return ""
	}
	return format.Size(p.Bytes) + " " + strings.TrimPrefix(p.ContentType, "image/")
}

// unsavedPicture begins the path of a picture that is in memory only, because it could not be saved.
const unsavedPicture = "unsaved:"

// UnsavedPicturePath returns the path of the picture of an answer while it is in memory only.
func UnsavedPicturePath(answer int64) string { return unsavedPicture + strconv.FormatInt(answer, 10) }

// IsUnsavedPicture reports whether a path is that of a picture in memory.
func IsUnsavedPicture(path string) bool { return strings.HasPrefix(path, unsavedPicture) }

// Event tells that an answer of a turn is now as given. It carries the whole
// answer, so that applying the same event twice, or a late one, does no harm.
type Event struct {
	Turn   int64
	Answer Answer
}

// Apply returns the turn after the events. It is pure: the turn passed in keeps its answers. Events of other turns and
// stale ones (a version not newer than the one held) change nothing; an answer not seen before is a new sample and
// stands after the last one of its model.
func Apply(t Turn, events ...Event) Turn {
	isCopy := false
	for _, e := range events {
		at, isKnown := t.placeOf(e.Answer)
		if e.Turn != t.ID || isKnown && e.Answer.Version <= t.Answers[at].Version {
			continue
		}
		if !isCopy {
			t.Answers, isCopy = slices.Clone(t.Answers), true
		}
		if isKnown {
			t.Answers[at] = e.Answer
		} else {
			t.Answers = slices.Insert(t.Answers, at, e.Answer)
		}
	}
	return t
}

// placeOf returns where an answer stands in a turn, or belongs when it is not known there.
func (t Turn) placeOf(a Answer) (at int, isKnown bool) {
	at = len(t.Answers)
	for i := range t.Answers {
		switch {
		case t.Answers[i].ID == a.ID:
			return i, true
		case t.Answers[i].Model == a.Model:
			at = i + 1
		}
	}
	return at, false
}

// StoredTime returns a time as stores return it: in UTC, without what is shorter than a millisecond.
func StoredTime(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return time.UnixMilli(t.UnixMilli()).UTC()
}

// StoredAnswer returns an answer as stores keep it: with times as of [StoredTime], without negative durations when the
// clock went back, without its progress.
func StoredAnswer(a Answer) Answer {
	a.Elapsed = max(0, a.Elapsed)
	if !a.Queued.IsZero() && !a.Started.IsZero() && a.Started.Before(a.Queued) {
		a.Started = a.Queued
	}
	first := a.Started
	if first.IsZero() {
		first = a.Queued
	}
	if !a.Ended.IsZero() && !first.IsZero() && a.Ended.Before(first) {
		a.Ended = first.Add(a.Elapsed)
	}
	a.Queued, a.Started, a.Ended = StoredTime(a.Queued), StoredTime(a.Started), StoredTime(a.Ended)
	a.Progress = Progress{}
	return a
}
