// Package engine defines the engines behind the embedded service. An [Engine] answers a prompt by a text or a
// picture; each is tested by package enginetest. A [Router] selects one by the model.
//
// The package does not depend on HTTP, turns or screens.
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

// ModelKind is the kind of an answer.
type ModelKind string

const (
	KindText  ModelKind = "text"
	KindImage ModelKind = "image" // a picture from words
	KindEdit  ModelKind = "edit"  // a picture changed by an instruction
)

// Params are settings that an engine passes on unchanged, by their names at its server. Values are numbers, texts,
// booleans, lists and objects.
type Params map[string]any

// TextRequest requests a text. Messages, Params of the caller, Images and Emit are set only if the [Features] of the
// engine include them.
type TextRequest struct {
	Model    string         // the engine's name
	Messages []chat.Message // the conversation before the prompt, the oldest first
	Prompt   string
	System   string
	Params   Params
	Images   [][]byte // PNG or JPEG, part of the prompt
	// Emit receives the parts of the answer in order from one goroutine. It must return soon. Nil requests a whole
	// answer.
	Emit func(Part)
}

// Part is an increment of an answer. Either text may be empty.
type Part struct {
	Text      string
	Reasoning string
	// DropsText reports that all earlier text was reasoning, which this part repeats as such.
	DropsText bool
}

// Features are the capabilities of an engine with a model besides answering one prompt with a whole text.
type Features struct {
	Streams       bool // emits answers in parts
	TakesMessages bool // takes the messages before the prompt
	TakesParams   bool // takes parameters of the caller
	TakesImages   bool // takes pictures with the prompt
	CountsTokens  bool // counts tokens
	// ContextTokens is the size of the model's context, 0 if unknown.
	ContextTokens int
}

// ImageRequest requests a picture. Aspect is "<w>:<h>" and never empty. Equal requests, including the Nonce, request
// the same picture.
type ImageRequest struct {
	Model  string
	Prompt string
	Aspect string
	Nonce  string
	Params Params
}

// EditRequest requests a changed picture. Source is a PNG or JPEG whose size was checked.
type EditRequest struct {
	Model  string
	Prompt string
	Source []byte
	Params Params
}

// Facts are the origin of an answer.
type Facts struct {
	Engine string // name in the configuration
	Model  string // the engine's name of the model; empty if unknown
	Note   string // how the answer differs from the request, for people
}

// Text is an answer in text.
type Text struct {
	Text      string
	Reasoning string // what the model wrote before its answer; may be empty
	Finish    chat.FinishReason
	Usage     chat.Usage
	Picture   []byte // PNG or JPEG in addition to the text or instead of it; may be nil
	Facts
}

// Picture is an encoded picture.
type Picture struct {
	Bytes       []byte
	ContentType string // image/png or image/jpeg
	Facts
}

// NewPicture returns a picture with its facts. Its note describes a difference from the requested aspect ratio. It
// returns an error if the bytes are neither PNG nor JPEG.
func NewPicture(b []byte, f Facts, aspect string) (Picture, error) {
	size, err := pixels.Size(b)
	if err != nil {
		return Picture{}, err
	}
	f.Note = difference(aspect, size.X, size.Y)
	return Picture{Bytes: b, ContentType: PictureType(b), Facts: f}, nil
}

// Engine answers requests. Methods are safe for concurrent use and return within 100 ms of the end of their context.
// They return an [Error] for invalid requests and for those they cannot meet. A picture of another ratio than
// requested has a note. An incomplete text is an error; emitted parts stay valid.
type Engine interface {
	Name() string
	// Features returns the capabilities of the engine with a model, by the engine's name.
	Features(model string) Features
	Text(ctx context.Context, r TextRequest) (Text, error)
	Image(ctx context.Context, r ImageRequest) (Picture, error)
	Edit(ctx context.Context, r EditRequest) (Picture, error)
}

// Checker is an [Engine] whose server can be checked. Check returns nil if it is up, and otherwise an error with a
// sentence for people.
type Checker interface {
	Check(ctx context.Context) error
}

// Model is a model that the server of an engine lists, with what the server says of it.
type Model struct {
	Name          string    `json:"name"` // at the server
	Kind          ModelKind `json:"kind"`
	Size          string    `json:"size,omitempty"` // such as 8B; empty if unknown
	HasVision     bool      `json:"vision,omitempty"`
	ContextTokens int       `json:"context_tokens,omitempty"` // size of the context, 0 if unknown
	// Prices of a million tokens in US dollars; both 0 if unknown.
	InputPrice  float64 `json:"input_price,omitempty"`
	OutputPrice float64 `json:"output_price,omitempty"`
}

// Lister is an [Engine] whose server lists its models. List returns those that the engine can answer with, and nil
// where the server is up but has no list; its error is that of a [Checker].
type Lister interface {
	List(ctx context.Context) ([]Model, error)
}

// Error is a refusal or failure with the service's response.
type Error struct {
	Status       int           // HTTP status: 400, 404, 422, 429, 500, 502, 503, 504
	Code         string        // a code of the contract's error body, such as bad_request
	Message      string        // one sentence for people, without any key
	RetryAfter   time.Duration // wait before the next request; 0 if unknown
	IsEngineDown bool          // the engine is down for any request
	LacksModel   bool          // its server does not know the model
	Err          error         // for the log

	// Detail is the engine's own message, sanitised, masked and bounded. It is only for the owner of the engine,
	// since it may name machines, accounts and paths.
	Detail string
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%s)", e.Message, e.Code) }

// OwnerMessage returns the sentence with the engine's own message, for the owner of the engine.
func (e *Error) OwnerMessage() string {
	if e.Detail == "" {
		return e.Message
	}
	return strings.TrimRight(e.Message, ".") + ": " + strings.TrimRight(e.Detail, ". ") + "."
}

func (e *Error) Unwrap() error { return e.Err }

// NoPrompt returns the refusal of a request without a prompt.
func NoPrompt() error {
	return &Error{Status: 400, Code: "bad_request", Message: "The prompt is empty."}
}

// NotServed returns the refusal of a kind that an engine does not serve.
func NotServed(name string, k ModelKind) error {
	what := map[ModelKind]string{KindText: "writes no texts", KindImage: "makes no pictures",
		KindEdit: "edits no pictures"}[k]
	return &Error{Status: 422, Code: "bad_request", Message: fmt.Sprintf("The engine %s %s.", name, what)}
}

// BadSource returns the refusal of a source that is neither PNG nor JPEG.
func BadSource() error {
	return &Error{Status: 422, Code: "bad_image", Message: "The source is neither PNG nor JPEG."}
}

// CleanLine returns one line of printable characters, at most 300 bytes, of untrusted text.
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
