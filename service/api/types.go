package api

import (
	"net/http"
	"time"

	"confab/internal/chat"
)

// ModelKind says what a model makes, and with it which endpoint serves it.
type ModelKind string

// The kinds.
const (
	Text  ModelKind = "text"
	Image ModelKind = "image" // text to image
	Edit  ModelKind = "edit"  // a picture edited by an instruction
)

// Model is one entry of the catalogue.
type Model struct {
	Slug          string    `json:"slug"`
	Kind          ModelKind `json:"kind"`
	About         string    `json:"about,omitempty"`
	Params        string    `json:"params,omitempty"`               // "120B", empty when unknown
	Stage         string    `json:"stage,omitempty"`                // "beta" or empty
	IsSlow        bool      `json:"slow,omitempty"`                 // answers take longer; time-outs are longer too
	TakesSystem   bool      `json:"system_prompt"`                  // a system prompt is documented
	DefaultAspect string    `json:"default_aspect_ratio,omitempty"` // when none is asked, empty when unknown
	IsCustom      bool      `json:"custom,omitempty"`               // added by the user's configuration
}

// Request is one call of a model. Empty optional fields are left out of the body, and a system prompt is never sent to
// a model that takes none.
type Request struct {
	Model    Model
	Prompt   string
	System   string // text
	Aspect   string // image: "<w>:<h>"
	Nonce    string // image
	ImageURL string // edit

	// Extensions of the contract, for services that offer them; see [Extensions].
	IsStreamed bool           // text: the answer is to come in parts
	Messages   []chat.Message // text: of the conversation before the prompt, the oldest first
	Params     map[string]any // text
	Images     [][]byte       // text: PNG or JPEG that go with the prompt
}

// Extensions say what a service offers for a model besides the contract. It names them in [HeaderExtensions] of every
// answer; a service that does not is never sent anything of them.
type Extensions struct {
	// The names in JSON are those under which earlier releases stored what a service offers.
	Streams       bool `json:"Stream"`
	TakesMessages bool `json:"Messages"`
	TakesParams   bool `json:"Params"`
	TakesImages   bool `json:"Images"`
	CountsTokens  bool `json:"Usage"`
	ContextTokens int  // length of the model's context, 0 when not known
}

// Response is an answer. Either Text is meant, or Image. With an error, [Client.Do] returns what came of it until then:
// Text, Reasoning and Usage of a stream, and Extensions whenever a header came.
type Response struct {
	Text        string
	Reasoning   string // what the model wrote before its text; empty for none
	Finish      chat.FinishReason
	Usage       chat.Usage
	Extensions  Extensions // what the service offers for the model
	ServedModel string     // as the service named it; may differ from the one asked
	Engine      string     // who answered, by its name at the service; empty when it did not tell
	EngineModel string     // what that engine calls the model
	Note        string     // how the answer differs from what was asked, one line, masked and cleaned
	Image       []byte     // the bytes as received, but for notes in them that held the key; beside Text too
	ContentType string     // by the bytes: image/png or image/jpeg
	Width       int        // px
	Height      int        // px
	IsTooLarge  bool       // over 40 megapixels, or as costly to decode: whole, but too large to be shown
	IsMasked    bool       // the key was echoed: masked in Text, cut out of the notes of Image
	SHA256      string     // of the text as received where IsMasked; of the picture as received always
	Status      int        // HTTP
	IsCached    bool       // the service said that it reused an earlier answer
	// QueueWait is how long the service let the request wait for a place before it asked an engine, as far as it tells.
	QueueWait time.Duration
}

// Exchange is the record of a call, with the key masked everywhere.
type Exchange struct {
	Method      string
	URL         string
	RequestBody string
	Status      int
	Proto       string
	Header      http.Header
	Head        string // first 2 KiB of the response body, as text
	Received    int64  // bytes of the body, decoded
	Attempts    int
	Connect     time.Duration
	FirstByte   time.Duration
	Total       time.Duration // request written to body read, of the last attempt, monotonic
}

// Progress is reported while a call runs.
type Progress struct {
	Received int64
	// What the answer grew by since the last report, masked; both are empty where it does not stream. Each attempt
	// begins anew.
	Text, Reasoning string
	DropsText       bool          // all text reported before was reasoning, which Reasoning repeats
	QueueWait       time.Duration // for which the service let the request wait, once that is known
	Attempt         int           // from 1
	RetryAt         time.Time     // zero unless waiting for the next attempt
	Failure         Code          // of the attempt before, while waiting for the next
}

// requestBody is the body of a request.
type requestBody struct {
	APIKey   string  `json:"apikey"`
	Prompt   string  `json:"prompt"`
	System   string  `json:"systemprompt,omitempty"`
	Aspect   string  `json:"aspect_ratio,omitempty"`
	Nonce    string  `json:"nonce,omitempty"`
	ImageURL *string `json:"imageUrl,omitempty"`

	Messages []chat.Message `json:"messages,omitempty"`
	Params   map[string]any `json:"params,omitempty"`
	Images   []string       `json:"images,omitempty"` // as data URLs
}

// TextBody is the body of a text answer. What follows Model in Data is only for clients that use an extension.
type TextBody struct {
	Status int `json:"status"`
	Data   struct {
		Text      string            `json:"text"`
		Model     string            `json:"model"`
		Reasoning string            `json:"reasoning,omitempty"`
		Finish    chat.FinishReason `json:"finish,omitempty"`
		Usage     *chat.Usage       `json:"usage,omitempty"`
		Image     string            `json:"image,omitempty"` // data URL of a picture that the model made
	} `json:"data"`
}

// The types of the events of a streamed answer.
const (
	EventDelta     = "delta"     // a [DeltaEvent]: a part of the text
	EventReasoning = "reasoning" // a [DeltaEvent]: a part of the reasoning
	EventDropText  = "drop_text" // the text so far is reasoning, which the next event repeats as such
	EventUsage     = "usage"     // a [chat.Usage]
	EventQueue     = "queue"     // a [QueueEvent]: the request waited for a place
	EventImage     = "image"     // an [ImageEvent]: a part of a picture that the model made
	EventDone      = "done"      // a [DoneEvent]: the answer is whole, and nothing follows
	EventError     = "error"     // an [ErrorBody]: the answer failed, and nothing follows
)

// EventStream is the Content-Type of a streamed answer.
const EventStream = "text/event-stream"

// DeltaEvent is the data of an event that an answer grows by.
type DeltaEvent struct {
	Text string `json:"text"`
}

// QueueEvent is the data of the event that says how long a request waited before anything was sent to an engine.
type QueueEvent struct {
	Milliseconds int64 `json:"ms"`
}

// ImageEvent is the data of the event that holds the next part of a picture.
type ImageEvent struct {
	Data string `json:"data"` // of the base64
}

// DoneEvent is the data of the event that ends an answer.
type DoneEvent struct {
	Status int `json:"status"`
	Data   struct {
		Model       string            `json:"model"`
		Length      int64             `json:"length"` // of the whole text, in bytes
		SHA256      string            `json:"sha256"` // of the whole text
		Finish      chat.FinishReason `json:"finish,omitempty"`
		Engine      string            `json:"engine,omitempty"`
		EngineModel string            `json:"engine_model,omitempty"`
		Note        string            `json:"note,omitempty"`
	} `json:"data"`
}

// ErrorBody is what the embedded service answers when it refuses; a remote service may answer anything.
type ErrorBody struct {
	Status int `json:"status"`
	Error  struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}
