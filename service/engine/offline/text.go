package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"confab/internal/chat"
	"confab/internal/format"
	"confab/service/engine"
	"confab/service/engine/offline/prose"
	"confab/service/engine/offline/retouch"
)

// Text writes an answer in the style of r.Model. Equal requests get equal texts. It emits the text word by word over
// the typical time of the model.
func (e *Engine) Text(ctx context.Context, r engine.TextRequest) (engine.Text, error) {
	params, err := readParams(r.Params)
	if err != nil {
		return engine.Text{}, err
	}
	start := time.Now()
	words, err := run(ctx, e, e.writeSlots, r.Prompt, func(ctx context.Context) (writtenText, error) {
		return write(ctx, r, params)
	})
	if err != nil {
		return engine.Text{}, err
	}
	seed := textSeed(r, params)
	if r.Emit == nil {
		err = e.options.Sleep(ctx, duration(r.Model, seed, e.options.Speed)-time.Since(start))
	} else {
		err = e.emit(ctx, words, start, duration(r.Model, seed, e.emitSpeed), r.Emit)
	}
	if err != nil {
		return engine.Text{}, err
	}
	return words.answer(r, params), nil
}

// textSeed hashes all that an answer depends on.
func textSeed(r engine.TextRequest, params textParams) uint64 {
	parts := []string{"text", r.Model, r.Prompt, r.System}
	for _, m := range r.Messages {
		parts = append(parts, string(m.Role), m.Content)
	}
	for _, b := range r.Images {
		parts = append(parts, string(b))
	}
	if params.seed != "" {
		parts = append(parts, params.seed)
	}
	return seedOf(parts...)
}

// writtenText is an answer in words, which count as tokens. Each includes the white space after it.
type writtenText struct {
	reasoning, text []string
	finish          chat.FinishReason
}

// write writes an answer.
func write(ctx context.Context, r engine.TextRequest, params textParams) (writtenText, error) {
	request := prose.Request{Model: r.Model, Prompt: r.Prompt, System: r.System, Seed: params.seed}
	for _, m := range r.Messages {
		switch m.Role {
		case chat.RoleUser:
			request.Earlier, request.LastAnswer = append(request.Earlier, m.Content), ""
		case chat.RoleAssistant:
			request.LastAnswer = m.Content
		}
	}
	for i, b := range r.Images {
		what, err := retouch.Describe(ctx, b)
		if err != nil {
			return writtenText{}, err //nolint:wrapcheck // the caller converts it
		}
		subject := "The picture"
		if len(r.Images) > 1 {
			subject = fmt.Sprintf("Picture %d", i+1)
		}
		request.Pictures += fmt.Sprintf(" %s is %s.", subject, what)
	}
	request.Pictures = strings.TrimSpace(request.Pictures)
	answer := prose.Write(request)
	if text := verdict(r.System + "\n" + r.Prompt); text != "" {
		answer.Reasoning, answer.Text = "", text
	}
	w := writtenText{reasoning: splitWords(answer.Reasoning), text: splitWords(params.cutAtStop(answer.Text)),
		finish: chat.FinishStop}
	if most := params.maxTokens; most > 0 {
		if most < 3*len(w.reasoning) { // leaves space for an answer
			w.reasoning = nil
		}
		if most -= len(w.reasoning); len(w.text) > most {
			w.text, w.finish = w.text[:most], chat.FinishLength
		}
	}
	return w, nil
}

var (
	verdictForm  = regexp.MustCompile(`\{"id": "([A-Z2-7]+)", "reason": `)
	gradedAnswer = regexp.MustCompile(`(?m)^answer: "(.*)"$`)
)

// verdict returns a simulated verdict on an answer, if the prompt asks for one as suites do: any answer with words
// passes that contains no verdict itself; "" for other prompts.
func verdict(prompt string) string {
	form, answer := verdictForm.FindStringSubmatch(prompt), gradedAnswer.FindStringSubmatch(prompt)
	if form == nil || answer == nil {
		return ""
	}
	words := len(strings.Fields(answer[1]))
	isPass := words > 0 && !strings.Contains(answer[1], "pass")
	score := map[bool]string{true: "0.8", false: "0.2"}[isPass]
	return fmt.Sprintf(`{"id": "%s", "reason": "simulated: the answer has %s", "score": %s, "pass": %t}`, form[1],
		format.Count(words, "word"), score, isPass)
}

// emit emits the words from start on over the time of the answer, the first one after a tenth of it.
func (e *Engine) emit(
	ctx context.Context, w writtenText, start time.Time, takes time.Duration, emit func(engine.Part),
) error {
	first, all := takes/10, len(w.reasoning)+len(w.text)
	for i := range all {
		due := takes
		if all > 1 {
			due = first + time.Duration(float64(takes-first)*float64(i)/float64(all-1))
		}
		err := context.Cause(ctx)
		if wait := due - time.Since(start); err == nil && wait > 0 {
			err = e.options.Sleep(ctx, wait)
		}
		switch {
		case err != nil:
			return err
		case i < len(w.reasoning):
			emit(engine.Part{Reasoning: w.reasoning[i]})
		default:
			emit(engine.Part{Text: w.text[i-len(w.reasoning)]})
		}
	}
	return e.options.Sleep(ctx, takes-time.Since(start)) // an answer without words takes time too
}

func (w writtenText) answer(r engine.TextRequest, params textParams) engine.Text {
	input := len(splitWords(r.System)) + len(splitWords(r.Prompt))
	for _, m := range r.Messages {
		input += len(splitWords(m.Content))
	}
	return engine.Text{Text: strings.Join(w.text, ""), Reasoning: strings.Join(w.reasoning, ""), Finish: w.finish,
		Usage: chat.Usage{InputTokens: input, OutputTokens: len(w.reasoning) + len(w.text),
			ReasoningTokens: len(w.reasoning)},
		Facts: engine.Facts{Note: params.note()}}
}

// splitWords splits a text before each word but the first. The parts joined are the text.
func splitWords(s string) []string {
	const space, word = `[\s\v\x{85}\pZ]*`, `[^\s\v\x{85}\pZ]+`
	return regexp.MustCompile("^"+space+word+space+"|"+word+space+"|(?s)^.+$").FindAllString(s, -1)
}

// textParams are the parameters of a text that have an effect.
type textParams struct {
	maxTokens int // 0 for no limit
	stop      []string
	seed      string
	ignored   []string // names of parameters without an effect
}

// readParams parses parameters by OpenAI's names.
func readParams(params engine.Params) (p textParams, err error) {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		value, ok := params[name], true
		number, isNumber := decode[float64](value)
		isWhole := isNumber && number == math.Trunc(number)
		switch {
		case value == nil:
		case name == "max_tokens":
			ok = isWhole && number >= 1
			p.maxTokens = int(min(number, math.MaxInt32))
		case name == "seed":
			ok = isWhole
			p.seed = strconv.FormatFloat(number, 'f', 0, 64)
		case name == "stop":
			if p.stop, ok = decode[[]string](value); !ok {
				p.stop = make([]string, 1)
				p.stop[0], ok = decode[string](value)
			}
		default:
			p.ignored = append(p.ignored, name)
		}
		if !ok {
			return textParams{}, &engine.Error{Status: 400, Code: "bad_request",
				Message: fmt.Sprintf("The parameter %s has a value that it cannot have.", name)}
		}
	}
	return p, nil
}

// decode converts a JSON value to another type; it returns false if that fails.
func decode[T any](value any) (v T, ok bool) {
	b, err := json.Marshal(value)
	ok = err == nil && json.Unmarshal(b, &v) == nil
	return v, ok
}

// cutAtStop returns the part before the first of the stop texts.
func (p textParams) cutAtStop(text string) string {
	for _, stop := range p.stop {
		if stop != "" {
			text, _, _ = strings.Cut(text, stop)
		}
	}
	return text
}

// note names the parameters without an effect.
func (p textParams) note() string {
	if len(p.ignored) == 0 {
		return ""
	}
	return "The offline engine takes no notice of " + engine.CleanLine(strings.Join(p.ignored, ", ")) + "."
}
