// Package command runs a program without a shell: the prompt is its standard input, its standard output is the text
// or picture.
//
// Arguments may contain {model}, {aspect}, {nonce}, {width}, {height} and {source}, the path of the picture to edit.
// The environment holds the same values and the system prompt: ENGINE_KIND, ENGINE_MODEL, ENGINE_SYSTEM,
// ENGINE_ASPECT, ENGINE_NONCE, ENGINE_WIDTH, ENGINE_HEIGHT, ENGINE_SOURCE, and as JSON ENGINE_PARAMS and
// ENGINE_MESSAGES, a list of {"role", "content"}. Exit status 65 (EX_DATAERR) means that the request cannot be met;
// the user sees the last line of standard error as the reason.
package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"confab/internal/chat"
	"confab/internal/subprocess"
	"confab/service/engine"
)

// Options are the choices of [New]. Name, Args and Kinds are required.
type Options struct {
	Name  string
	Args  []string // the program and its arguments
	Kinds []engine.ModelKind
	// TakesMessages means that the program reads the messages before the prompt from its environment.
	TakesMessages bool
	Environ       []string               // the whole environment of the program besides ENGINE_*
	Mask          func(string) string    // masks keys in output for messages; nil masks nothing
	ReasoningTags []engine.ReasoningTags // of the reasoning in texts, in addition to known ones
	Pixels        int                    // product of {width} and {height}; 0 means a megapixel
}

// Limits of a program's output in bytes.
const (
	maxText    = 8 << 20
	maxPicture = 64 << 20
)

// maxVariable is the maximum size of an environment variable in bytes; Linux allows 128 KiB.
const maxVariable = 100 << 10

// statusCannot is the exit status of a program that cannot meet the request (EX_DATAERR).
const statusCannot = 65

// Engine is an [engine.Engine] that runs a program. It is safe for concurrent use.
type Engine struct{ o Options }

var (
	_ engine.Engine  = (*Engine)(nil)
	_ engine.Checker = (*Engine)(nil)
)

// New returns an [Engine]. It does not run the program.
func New(o Options) (*Engine, error) {
	if len(o.Args) == 0 || o.Args[0] == "" {
		return nil, fmt.Errorf("engine %s: it has no command", o.Name)
	}
	if len(o.Kinds) == 0 {
		return nil, fmt.Errorf("engine %s: it has no kinds", o.Name)
	}
	if o.Mask == nil {
		o.Mask = func(s string) string { return s }
	}
	if o.Pixels <= 0 {
		o.Pixels = 1 << 20
	}
	return &Engine{o}, nil
}

func (e *Engine) Name() string { return e.o.Name }

// Features returns the features of a program that writes texts.
func (e *Engine) Features(string) engine.Features {
	return engine.Features{Streams: true, TakesMessages: e.o.TakesMessages, TakesParams: true}
}

// Check checks that the program exists.
func (e *Engine) Check(context.Context) error {
	if _, err := exec.LookPath(e.o.Args[0]); err != nil {
		return e.fault("has a command that cannot be found", err)
	}
	return nil
}

// Text returns the output of the program without a final line end.
func (e *Engine) Text(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
	j := job{kind: engine.KindText, model: r.Model, prompt: r.Prompt, system: r.System, messages: r.Messages,
		params: r.Params, maxOutput: maxText}
	writer := engine.TextWriter{Emit: r.Emit, Tags: e.o.ReasoningTags}
	parts := textParts{emit: writer.WriteText}
	if r.Emit != nil {
		j.onOutput = parts.add
	}
	b, err := e.run(ctx, j)
	if err != nil {
		return engine.Text{}, err
	}
	if !utf8.Valid(b) {
		return engine.Text{}, e.fault("printed something that is no text", nil)
	}
	if rest := withoutMark(withoutLineEnd(b)); len(rest) > parts.emitted {
		writer.WriteText(string(rest[parts.emitted:]))
	}
	writer.Close()
	return engine.Text{Text: writer.Text(), Reasoning: writer.Reasoning(),
		Facts: engine.Facts{Engine: e.o.Name, Model: r.Model}}, nil
}

// Image returns the picture in the output of the program.
func (e *Engine) Image(ctx context.Context, r engine.ImageRequest) (engine.Picture, error) {
	w, h, err := engine.ParseAspect(r.Aspect)
	if err != nil {
		return engine.Picture{}, err //nolint:wrapcheck // the refusal itself
	}
	j := job{kind: engine.KindImage, model: r.Model, prompt: r.Prompt, aspect: r.Aspect, nonce: r.Nonce,
		params: r.Params, maxOutput: maxPicture}
	j.width, j.height = engine.AspectSize(w, h, e.o.Pixels)
	b, err := e.run(ctx, j)
	return e.picture(b, err, r.Model, r.Aspect)
}

// Edit passes a temporary copy of the source to the program.
func (e *Engine) Edit(ctx context.Context, r engine.EditRequest) (engine.Picture, error) {
	if engine.PictureType(r.Source) == "" {
		return engine.Picture{}, engine.BadSource()
	}
	b, err := e.run(ctx, job{kind: engine.KindEdit, model: r.Model, prompt: r.Prompt, params: r.Params,
		source: r.Source, maxOutput: maxPicture})
	return e.picture(b, err, r.Model, "")
}

func (e *Engine) picture(b []byte, err error, model, aspect string) (engine.Picture, error) {
	if err != nil {
		return engine.Picture{}, err
	}
	p, err := engine.NewPicture(b, engine.Facts{Engine: e.o.Name, Model: model}, aspect)
	if engine.PictureType(b) == "" || err != nil {
		return engine.Picture{}, e.fault("printed something that is neither PNG nor JPEG", err)
	}
	return p, nil
}

// job is one call of the program.
type job struct {
	kind                  engine.ModelKind
	model, prompt, system string
	aspect, nonce         string
	width, height         int
	messages              []chat.Message
	params                engine.Params
	onOutput              func([]byte) // receives the output as it is written; may be nil
	source                []byte
	path                  string // of source
	maxOutput             int    // bytes
}

// run prepares and runs the program and returns its output.
func (e *Engine) run(ctx context.Context, j job) ([]byte, error) {
	if strings.TrimSpace(j.prompt) == "" {
		return nil, engine.NoPrompt()
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if !slices.Contains(e.o.Kinds, j.kind) {
		return nil, engine.NotServed(e.o.Name, j.kind)
	}
	for name, n := range map[string]int{"system prompt": len(j.system) + len(j.nonce),
		"conversation": len(asJSON(j.messages, "[]")), "list of parameters": len(asJSON(j.params, "{}"))} {
		if n > maxVariable {
			return nil, &engine.Error{Status: 413, Code: "too_large",
				Message: "The " + name + " is too long for the engine " + e.o.Name + "."}
		}
	}
	if j.source != nil {
		dir, err := os.MkdirTemp("", "confab-engine-")
		if err != nil {
			return nil, e.fault("has no place for the source picture", err)
		}
		defer func() { _ = os.RemoveAll(dir) }() // the system cleans its temporary folder
		j.path = filepath.Join(dir, "source."+strings.TrimPrefix(engine.PictureType(j.source), "image/"))
		if err := os.WriteFile(j.path, j.source, 0o600); err != nil {
			return nil, e.fault("has no place for the source picture", err)
		}
	}
	return e.execute(ctx, j)
}

func (e *Engine) execute(ctx context.Context, j job) ([]byte, error) {
	r, err := subprocess.Run(ctx, subprocess.Command{
		Args: append(e.o.Args[:1:1], j.fill(e.o.Args[1:])...), Env: append(slices.Clip(e.o.Environ), j.environ()...),
		Stdin: strings.NewReader(j.prompt), MaxOutput: j.maxOutput, Overflow: subprocess.Kill,
		OnOutput: j.onOutput, WaitDelay: time.Second,
	})
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case r.IsTruncated:
		return nil, e.fault("printed more than is accepted", nil)
	case errors.As(err, &exit):
		return nil, e.ended(exit.ExitCode(), r.ErrorOutput)
	case errors.Is(err, exec.ErrWaitDelay):
		return nil, e.fault("broke off", err)
	case err != nil:
		return nil, e.fault("has a command that cannot be run", err)
	}
	return r.Output, nil
}

// ended returns the error for a nonzero exit status.
func (e *Engine) ended(status int, errorOutput string) error {
	reason := e.o.Mask(lastLine(errorOutput))
	if status != statusCannot {
		return e.fault(fmt.Sprintf("ended with status %d", status), errors.New(reason))
	}
	if reason == "" {
		reason = "it did not say why"
	}
	return &engine.Error{Status: 422, Code: "bad_request",
		Message: fmt.Sprintf("The engine %s cannot do that: %s.", e.o.Name, strings.TrimRight(reason, "."))}
}

func (e *Engine) fault(what string, cause error) error {
	return &engine.Error{Status: 502, Code: "service", Message: "The engine " + e.o.Name + " " + what + ".", Err: cause}
}

// lastLine returns the last nonempty line, sanitised and bounded.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return engine.CleanLine(s[strings.LastIndexByte(s, '\n')+1:])
}

// fill replaces the placeholders in the arguments.
func (j job) fill(words []string) []string {
	r := strings.NewReplacer("{model}", j.model, "{aspect}", j.aspect, "{nonce}", clean(j.nonce), "{source}", j.path,
		"{width}", number(j.width), "{height}", number(j.height))
	filled := make([]string, len(words))
	for i, w := range words {
		filled[i] = r.Replace(w)
	}
	return filled
}

func (j job) environ() []string {
	return []string{
		"ENGINE_KIND=" + string(j.kind), "ENGINE_MODEL=" + j.model, "ENGINE_SYSTEM=" + clean(j.system),
		"ENGINE_ASPECT=" + j.aspect, "ENGINE_NONCE=" + clean(j.nonce), "ENGINE_WIDTH=" + number(j.width),
		"ENGINE_HEIGHT=" + number(j.height), "ENGINE_SOURCE=" + j.path, "ENGINE_PARAMS=" + asJSON(j.params, "{}"),
		"ENGINE_MESSAGES=" + asJSON(j.messages, "[]"),
	}
}

// asJSON returns v as JSON, or empty if v is empty.
func asJSON(v any, empty string) string {
	if b, err := json.Marshal(v); err == nil && string(b) != "null" {
		return string(b)
	}
	return empty
}

// clean removes characters that neither arguments nor variables can contain.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "") }

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// withoutLineEnd returns b without a final line end.
func withoutLineEnd(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

// textParts emits output as it arrives, in whole characters and without the final line end. It stops at invalid
// UTF-8.
type textParts struct {
	emit      func(string)
	hasBegun  bool   // the byte order mark was checked
	emitted   int    // bytes
	held      []byte // the line end, or the beginning of a character
	hasFailed bool
}

// add processes more output.
func (t *textParts) add(output []byte) {
	if t.hasFailed {
		return
	}
	t.held = append(t.held, output...)
	ready := withoutLineEnd(wholeCharacters(t.held))
	if t.hasFailed = !utf8.Valid(ready); t.hasFailed || len(ready) == 0 {
		return
	}
	t.held = append([]byte{}, t.held[len(ready):]...)
	if !t.hasBegun {
		t.hasBegun = true
		ready = withoutMark(ready)
	}
	t.emitted += len(ready)
	t.emit(string(ready))
}

// withoutMark removes a leading byte order mark.
func withoutMark(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }

// wholeCharacters removes an incomplete character at the end of b.
func wholeCharacters(b []byte) []byte {
	for n := 1; n <= min(utf8.UTFMax-1, len(b)); n++ {
		if start := len(b) - n; utf8.RuneStart(b[start]) {
			if !utf8.FullRune(b[start:]) {
				return b[:start]
			}
			break
		}
	}
	return b
}
