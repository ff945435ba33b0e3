package history

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"confab/internal/format"
)

// ModelKind is the kind of output of a model.
type ModelKind string

// The kinds of models, in display order.
const (
	KindText  ModelKind = "text"
	KindImage ModelKind = "image"
	KindEdit  ModelKind = "edit"
)

// State is the state of an answer.
type State string

// Queued and Running are the only states that change by themselves. Interrupted means that the process that asked has
// ended.
const (
	Queued      State = "queued"
	Running     State = "running"
	Done        State = "done"
	Failed      State = "failed"
	Cancelled   State = "cancelled"
	Interrupted State = "interrupted"
)

// Word returns what a person reads for a state.
func (s State) Word() string {
	if s == Cancelled {
		return "stopped"
	}
	return string(s)
}

// HasEnded reports whether an answer in this state is final.
func (s State) HasEnded() bool { return s != Queued && s != Running && s != "" }

// NonceMode is the source of the nonce of a picture.
type NonceMode string

// A nonce is not a seed: the same one, or none, may return the same picture; a fresh one requests a new picture.
const (
	NonceNone  NonceMode = "none"
	NonceFixed NonceMode = "fixed"
	NonceFresh NonceMode = "fresh"
)

// Nonce controls whether an answer may come from the cache of the service. Only [NonceFixed] uses Value.
type Nonce struct {
	Mode  NonceMode `json:"mode,omitempty"`
	Value string    `json:"value,omitempty"`
}

// Source is the picture that an edit starts from: an earlier answer's picture, a file or a public URL. Path is set
// for the first two, URL for the last.
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

// Turn is a prompt that was sent, with its settings and the answers of its models in the order in which they were
// chosen.
type Turn struct {
	ID         int64
	Session    int64
	Parent     int64   // the turn that this one follows; 0 for the first
	Siblings   []int64 // the turns that follow the same turn, this one among them; nil without others
	IsHidden   bool    // not on the path of branches that the session shows
	Created    time.Time
	Prompt     string
	Title      string // names the session in place of the prompt; not stored with the turn
	System     string
	Aspect     string // "16:9"; empty when not asked
	Nonce      Nonce
	Source     *Source
	Samples    int    // answers requested per model, at least 1
	HasContext bool   // whether earlier turns were sent
	Params     Params // for text models
	Files      []File // in the order in which they are sent before the prompt

	// The source of a prompt with variables; empty without variables.
	Vars           map[string]string // values by name, UTF-8
	Template       string            // the prompt before substitution
	SystemTemplate string            // the system prompt before substitution

	Answers []Answer
}

func (t Turn) Answer(id int64) (a Answer, ok bool) {
	for i := range t.Answers { // without copying the other answers, which are large
		if t.Answers[i].ID == id {
			return t.Answers[i], true
		}
	}
	return Answer{}, false
}

// BranchText returns which of its siblings the turn is, "branch 2 of 3"; empty for a turn without siblings.
func (t Turn) BranchText() string {
	if len(t.Siblings) == 0 {
		return ""
	}
	return fmt.Sprintf("branch %d of %d", slices.Index(t.Siblings, t.ID)+1, len(t.Siblings))
}

// ValuesText returns the values of the prompt's variables, "a = 1, b = 2" in the order of the names; empty without.
func (t Turn) ValuesText() string {
	var values []string
	for _, name := range slices.Sorted(maps.Keys(t.Vars)) {
		values = append(values, name+" = "+t.Vars[name])
	}
	return strings.Join(values, ", ")
}

// Models returns the distinct models of the turn in their order.
func (t Turn) Models() []string {
	var models []string
	for _, a := range t.Answers {
		if !slices.Contains(models, a.Model) {
			models = append(models, a.Model)
		}
	}
	return models
}

// RememberedTurns returns how many earlier turns the models got with the prompt, the most of any.
func (t Turn) RememberedTurns() (most int) {
	for i := range t.Answers {
		most = max(most, len(t.Answers[i].SentTurns.Turns))
	}
	return most
}

// SourceOf returns the picture from which an answer's picture was made; nil if it was made from a text only.
func (t Turn) SourceOf(a Answer) *Source {
	if a.Kind != KindEdit || a.Picture == nil {
		return nil
	}
	return t.Source
}

// Picture describes an image file.
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

// maxShapeRatio is the largest ratio between the received and the requested shape that counts as equal, since
// services round to whole blocks of pixels.
const maxShapeRatio = 1.05

// Shape returns the requested and the received ratio of width to height, 0 if unknown. isOther reports whether they
// differ.
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

// shapeText returns the size of the picture and its ratio, or the requested and the received one where they differ.
func (p *Picture) shapeText(requested string) string {
	if p == nil {
		return ""
	}
	text := fmt.Sprintf("%d×%d", p.Width, p.Height)
	want, received, isOther := p.Shape(requested)
	switch {
	case isOther:
		text += ", asked " + requested + ", got " + format.Ratio(received) + "!"
	case want > 0 && received > 0:
		text += ", " + requested
	}
	return text
}

func (p *Picture) fileText() string {
	if p == nil {
		return ""
	}
	return format.Size(p.Bytes) + " " + strings.TrimPrefix(p.ContentType, "image/")
}

// unsavedPicture is the prefix of the path of a picture that exists in memory only, because saving it failed.
const unsavedPicture = "unsaved:"

// UnsavedPicturePath returns the path of an answer's picture that exists in memory only.
func UnsavedPicturePath(answer int64) string { return unsavedPicture + strconv.FormatInt(answer, 10) }

// IsUnsavedPicture reports whether a path is that of a picture in memory.
func IsUnsavedPicture(path string) bool { return strings.HasPrefix(path, unsavedPicture) }

// Event carries a changed answer of a turn. It holds the whole answer, so that applying it twice or late does no
// harm.
type Event struct {
	Turn   int64
	Answer Answer
}

// Replaces reports whether an answer is newer than another state of it: by its version, or because it has ended. An end
// can come late, after others have changed the answer; what a process did finish replaces that it counted as dead.
func (a Answer) Replaces(old Answer) bool {
	return a.Version > old.Version || a.State.HasEnded() && !old.State.HasEnded() ||
		a.State == Done && old.State == Interrupted
}

// Apply returns the turn after the events; it does not change t. Events of other turns and stale ones change nothing.
// A new answer is inserted after the last sample of its model.
func Apply(t Turn, events ...Event) Turn {
	isCopy := false
	for _, e := range events {
		at, isKnown := t.placeOf(e.Answer)
		if e.Turn != t.ID || isKnown && !e.Answer.Replaces(t.Answers[at]) {
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

// placeOf returns the index of an answer in the turn, or where to insert it.
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

// StoredTime returns a time as stores return it: in UTC, rounded down to milliseconds.
func StoredTime(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return time.UnixMilli(t.UnixMilli()).UTC()
}

// StoredAnswer returns an answer as stores keep it: with times as of [StoredTime], without progress, and without
// negative durations from a clock that went back.
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
