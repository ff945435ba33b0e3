package history

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"confab/internal/chat"
)

// Kind says what a model makes.
type Kind string

// The kinds of models, in the order in which screens list them.
const (
	KindText  Kind = "text"
	KindImage Kind = "image"
	KindEdit  Kind = "edit"
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

// Nonce is a turn's wish about caching. Value is used by [NonceFixed] only.
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
	ID      int64
	Session int64
	Created time.Time
	Prompt  string
	System  string
	Aspect  string // "16:9"; empty when not asked
	Nonce   Nonce
	Source  *Source
	Samples int    // answers asked of each model, at least 1
	Context bool   // whether earlier turns went along
	Params  Params // for text models

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

// Answer is what one model returned for a turn; one sample of it.
type Answer struct {
	ID      int64
	Turn    int64
	Model   string
	Kind    Kind
	Sample  int // from 1
	State   State
	Version int // grows with every change; older versions are stale

	Text        string            // of an answer that did not end as done, what came of it
	Reasoning   string            // what the model wrote before its answer; empty for none
	Finish      chat.FinishReason // why the model stopped writing
	Usage       chat.Usage
	Cost        Cost
	ServedModel string   // set when the service names another model than the one asked
	Engine      string   // who answered, by its name at the service; empty when the service did not tell
	EngineModel string   // what that engine calls the model
	ServiceNote string   // how the answer differs from what was asked, in the service's words
	Picture     *Picture // set for kinds image and edit when done
	Failure     *Failure // set when failed

	SentPrompt   string         // the exact prompt sent where it differs from the turn's (context)
	SentMessages []chat.Message // the messages sent before the prompt, the oldest first
	OmittedTurns int            // earlier turns that did not go along, because the conversation is too long
	Ignored      []string       // names of parameters that were asked for and not sent, as the service takes none
	SentNonce    string         // the nonce that was sent, empty for none
	SourceURL    string         // the imageUrl that was sent, for edits

	HTTPStatus int
	Cached     bool // reused from an earlier answer, its time is an old one
	Queued     time.Time
	Started    time.Time
	Ended      time.Time
	Elapsed    time.Duration // request written to body read, monotonic
	FirstToken time.Duration // request sent to the first part of a text, at most Elapsed; 0 when unknown
	Thinking   time.Duration // from the first part of the reasoning to the first of the text; 0 without
	Masked     bool          // the service echoed the key, which was masked
	SHA256     string        // of the original text where Masked

	Rating Rating
	Winner bool
	Note   string

	Progress Progress // of a running answer; never stored
}

// Rating is a person's judgement of an answer.
type Rating int

// The ratings.
const (
	Bad     Rating = -1
	Unrated Rating = 0
	Good    Rating = 1
)

// Picture is an image file on disk with its facts.
type Picture struct {
	Path        string
	ContentType string // by the bytes: image/png or image/jpeg
	Width       int    // px
	Height      int    // px
	Bytes       int64
	SHA256      string // of the bytes as received
	Parent      int64  // answer whose picture was edited, 0 for none
	TooLarge    bool   // more than 40 megapixels: kept, not shown
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

// unsavedPicture begins the path of a picture that is in memory only, because it could not be saved.
const unsavedPicture = "unsaved:"

// UnsavedPicturePath returns the path of the picture of an answer while it is in memory only.
func UnsavedPicturePath(answer int64) string { return unsavedPicture + strconv.FormatInt(answer, 10) }

// IsUnsavedPicture reports whether a path is that of a picture in memory.
func IsUnsavedPicture(path string) bool { return strings.HasPrefix(path, unsavedPicture) }

// Failure is why an answer failed: a stable code and one sentence for people.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Progress is what is known of a running answer.
type Progress struct {
	Received int64     // bytes of the body so far
	Streams  bool      // the text appears as it is written
	Attempt  int       // from 1
	RetryAt  time.Time // when the next attempt starts, zero when none is waited for
	Failure  string    // code of the attempt before, while the next one is waited for
}

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

// TokensPerSecond returns how fast the model wrote, without the time until its first token; 0 when unknown.
func (a Answer) TokensPerSecond() float64 {
	d := a.Elapsed - a.FirstToken // the first token may be one of the reasoning, which OutputTokens count too
	if a.Usage.OutputTokens <= 0 || d <= 0 {
		return 0
	}
	return float64(a.Usage.OutputTokens) / d.Seconds()
}

// Offline is the name of the engine that makes its answers up. No other engine of the embedded service may have it.
const Offline = "offline"

// IsSimulated tells that the answer was made up, as far as the service tells.
func (a Answer) IsSimulated() bool { return a.Engine == Offline }

// AnsweredBy says in few words who answered, such as "simulated", "by ollama as qwen3:8b" or "served as beta-2"; it is
// empty where that is the model that was asked for, or where nobody told. The names in it are as they came.
func (a Answer) AnsweredBy() string {
	by := ""
	switch {
	case a.IsSimulated():
		return "simulated"
	case a.Engine != "":
		by = "by " + a.Engine
		if a.EngineModel != "" && a.EngineModel != a.Model {
			by += " as " + a.EngineModel
		}
	}
	if a.ServedModel != "" && a.ServedModel != a.Model {
		if by != "" {
			by = ", " + by
		}
		by = "served as " + a.ServedModel + by
	}
	return by
}
