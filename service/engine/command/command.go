// Package command asks a program: the prompt goes to its standard input, the text or picture comes from its standard
// output. No shell is involved.
//
// Words of the command may hold {model}, {aspect}, {nonce}, {width}, {height} and {source}, the path of the picture to
// edit. The same and the system prompt are in its environment: ENGINE_KIND, ENGINE_MODEL, ENGINE_SYSTEM, ENGINE_ASPECT,
// ENGINE_NONCE, ENGINE_WIDTH, ENGINE_HEIGHT, ENGINE_SOURCE, and as JSON ENGINE_PARAMS and ENGINE_MESSAGES, a list of
// {"role", "content"}. Status 65 (EX_DATAERR) says that the request cannot be met; the last line of standard error is
// then the reason that the user sees.
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

// Options say what is run. Name, Args and Kinds are required.
type Options struct {
	Name  string
	Args  []string // the program and its words
	Kinds []engine.ModelKind
	// TakesMessages says that the program reads the messages before the prompt from its environment.
	TakesMessages bool
	Environ       []string               // all that the program gets of the environment, besides ENGINE_*
	Mask          func(string) string    // takes keys out of what the program says; nil masks nothing
	ReasoningTags []engine.ReasoningTags // around the reasoning in texts, besides those that are known
	Pixels        int                    // what {width} and {height} come to; 0 is a megapixel
}

// Sizes of what a program may print, in bytes.
const (
	maxText    = 8 << 20
	maxPicture = 64 << 20
)

// maxVariable is how many bytes one variable of the environment may have; Linux takes 128 KiB.
const maxVariable = 100 << 10

// statusCannot is the exit status with which a program says that it cannot do what is asked (EX_DATAERR).
const statusCannot = 65

// Engine is an [engine.Engine] of a program. It is safe for concurrent use.
type Engine struct{ o Options }

var (
	_ engine.Engine  = (*Engine)(nil)
	_ engine.Checker = (*Engine)(nil)
)

// New returns an [Engine]. It runs nothing yet.
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

// Name returns the engine's name in the configuration.
func (e *Engine) Name() string { return e.o.Name }

// Features returns what is possible with a program that makes texts.
func (e *Engine) Features(string) engine.Features {
	return engine.Features{Streams: true, TakesMessages: e.o.TakesMessages, TakesParams: true}
}

// Check tells whether the program can be found.
func (e *Engine) Check(context.Context) error {
	if _, err := exec.LookPath(e.o.Args[0]); err != nil {
		return e.fault("has a command that cannot be found", err)
	}
	return nil
}

// Text returns what the program prints, without the last line's end.
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

// Image returns the picture that the program prints.
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

// Edit gives the program a copy of the source as a file, which lasts as long as the program runs.
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

// job is one run of the program.
type job struct {
	kind                  engine.ModelKind
	model, prompt, system string
	aspect, nonce         string
	width, height         int
	messages              []chat.Message
	params                engine.Params
	onOutput              func([]byte) // takes the output as it is written; may be nil
	source                []byte
	path                  string // of source
	maxOutput             int    // bytes
}

// run runs the program and returns what it printed.
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
		defer func() { _ = os.RemoveAll(dir) }() // the system clears its temporary folder
		j.path = filepath.Join(dir, "source."+strings.TrimPrefix(engine.PictureType(j.source), "image/"))
		if err := os.WriteFile(j.path, j.source, 0o600); err != nil {
			return nil, e.fault("has no place for the source picture", err)
		}
	}
	return e.execute(ctx, j)
}

// execute runs the program.
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

// ended returns the failure of a program that ended with a status other than 0.
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

// lastLine returns the last line that is not empty, printable and bounded.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return engine.CleanLine(s[strings.LastIndexByte(s, '\n')+1:])
}

// fill puts the request into the words of the command.
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

// asJSON returns v as JSON, or empty when there is nothing in it.
func asJSON(v any, empty string) string {
	if b, err := json.Marshal(v); err == nil && string(b) != "null" {
		return string(b)
	}
	return empty
}

// clean leaves out what neither a word nor a variable can hold.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "") }

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// withoutLineEnd returns b without its last line's end.
func withoutLineEnd(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

// textParts emits output as it is written, in whole characters and without the last line's end. After bytes that are no
// text it emits nothing more.
type textParts struct {
	emit      func(string)
	hasBegun  bool   // the byte order mark was looked for
	emitted   int    // bytes
	held      []byte // the line's end, or the beginning of a character
	hasFailed bool
}

// add takes the next output.
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

// withoutMark returns a text without the byte order mark before it.
func withoutMark(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }

// wholeCharacters returns b without a character at its end of which bytes are missing.
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
