// Package engine says what answers behind the embedded service. An [Engine] turns a prompt into text or a picture; each
// one lives in a folder of its own and passes the suite of package enginetest. A [Router] chooses among them, by routes
// from slugs to engines.
//
// It knows nothing of HTTP, of turns or of screens.
package engine

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"confab/internal/chat"
	"confab/internal/pixels"
	"confab/internal/termtext"
)

// ModelKind is what an answer is made of.
type ModelKind string

// The kinds.
const (
	KindText  ModelKind = "text"
	KindImage ModelKind = "image" // a picture made from words
	KindEdit  ModelKind = "edit"  // a picture changed by an instruction
)

// Params are settings that an engine passes on as they are, by their names at its server: numbers, texts, switches,
// lists and tables of them.
type Params map[string]any

// TextRequest asks for a text. Messages, Params of the caller, Images and Emit are only set for an engine whose
// [Features] name them.
type TextRequest struct {
	Model    string         // as the engine names it
	Messages []chat.Message // of the conversation before the prompt, the oldest first
	Prompt   string
	System   string
	Params   Params
	Images   [][]byte // PNG or JPEG, which belong to the prompt
	// Emit takes the parts of the answer in their order as they are written, from one goroutine. It must return
	// soon. Nil stands for a caller who waits for the whole.
	Emit func(Part)
}

// Part is what an answer grows by. Either may be empty.
type Part struct {
	Text      string
	Reasoning string
	// DropsText says that all text before was no text but reasoning, which this part repeats as such.
	DropsText bool
}

// Features say what an engine can do with a model besides answering one prompt with a whole text.
type Features struct {
	Streams       bool // it writes an answer in parts
	TakesMessages bool // it takes the messages before the prompt
	TakesParams   bool // it takes parameters of the caller
	TakesImages   bool // it looks at pictures that go with the prompt
	CountsTokens  bool // it counts tokens
	// ContextTokens is the length of the model's context, 0 when it is not known.
	ContextTokens int
}

// ImageRequest asks for a picture. Aspect is "<w>:<h>" and never empty; the same Nonce (or none) with the same rest
// asks for the same picture.
type ImageRequest struct {
	Model  string
	Prompt string
	Aspect string
	Nonce  string
	Params Params
}

// EditRequest asks for a changed picture. Source is the encoded picture, PNG or JPEG, already judged to be of a
// bearable size.
type EditRequest struct {
	Model  string
	Prompt string
	Source []byte
	Params Params
}

// Facts tell where an answer comes from.
type Facts struct {
	Engine string // its name in the configuration
	Model  string // what answered calls the model; empty when it did not say
	Note   string // how the answer differs from what was asked, for people
}

// Text is an answer in words.
type Text struct {
	Text      string
	Reasoning string // what the model wrote before its answer, empty for none
	Finish    chat.FinishReason
	Usage     chat.Usage
	Picture   []byte // PNG or JPEG that the model made beside the text, or instead of one; nil for none
	Facts
}

// Picture is an encoded picture.
type Picture struct {
	Bytes       []byte
	ContentType string // image/png or image/jpeg
	Facts
}

// NewPicture returns a picture with its facts. Its note says how the picture differs from the aspect ratio that was
// asked for, if any. The error says that the bytes do not begin like a PNG or JPEG.
func NewPicture(b []byte, f Facts, aspect string) (Picture, error) {
	size, err := pixels.Size(b)
	if err != nil {
		return Picture{}, err
	}
	f.Note = difference(aspect, size.X, size.Y)
	return Picture{Bytes: b, ContentType: PictureType(b), Facts: f}, nil
}

// Engine answers. Every method honours the context's end within 100 ms, is safe for concurrent use, and fails with an
// [Error] where the caller is at fault or the request cannot be met. A picture of another ratio than asked for says so
// in its note. A text that breaks off fails; what was emitted of it until then stands.
type Engine interface {
	Name() string
	// Features returns what the engine can do with a model of its own name.
	Features(model string) Features
	Text(ctx context.Context, r TextRequest) (Text, error)
	Image(ctx context.Context, r ImageRequest) (Picture, error)
	Edit(ctx context.Context, r EditRequest) (Picture, error)
}

// Checker is an [Engine] whose server can be asked whether it is up. The error is nil when it is, and else says in one
// sentence why not.
type Checker interface {
	Check(ctx context.Context) error
}

// Error is a refusal or failure with what the service should answer.
type Error struct {
	Status       int           // HTTP status: 400, 404, 422, 429, 500, 502, 503, 504
	Code         string        // a code of the contract's error body, such as bad_request
	Message      string        // one sentence for people, without any key
	RetryAfter   time.Duration // how long to wait before asking again, 0 when nobody said
	IsEngineDown bool          // the engine as a whole is not up, whatever it is asked
	Err          error         // for the log

	// Detail is what the engine says itself, cleaned, masked and bounded. It is for the owner of the engine only, since
	// it may name machines, accounts and paths.
	Detail string
}

// Error returns the sentence.
func (e *Error) Error() string { return fmt.Sprintf("%s (%s)", e.Message, e.Code) }

// OwnerMessage returns the sentence for the owner of the engine: with what the engine says itself.
func (e *Error) OwnerMessage() string {
	if e.Detail == "" {
		return e.Message
	}
	return strings.TrimRight(e.Message, ".") + ": " + strings.TrimRight(e.Detail, ". ") + "."
}

// Unwrap returns what the error comes from.
func (e *Error) Unwrap() error { return e.Err }

// NoPrompt is the refusal of a request without a prompt.
func NoPrompt() error {
	return &Error{Status: 400, Code: "bad_request", Message: "The prompt is empty."}
}

// NotServed is the refusal of a kind that an engine does not make.
func NotServed(name string, k ModelKind) error {
	what := map[ModelKind]string{KindText: "writes no texts", KindImage: "makes no pictures",
		KindEdit: "edits no pictures"}[k]
	return &Error{Status: 422, Code: "bad_request", Message: fmt.Sprintf("The engine %s %s.", name, what)}
}

// BadSource is the refusal of a source picture that is neither PNG nor JPEG.
func BadSource() error {
	return &Error{Status: 422, Code: "bad_image", Message: "The source is neither PNG nor JPEG."}
}

// CleanLine makes foreign text fit for a message: one line of printable characters, at most 300 bytes.
func CleanLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !termtext.IsVisible(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}
