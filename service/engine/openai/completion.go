package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"confab/internal/chat"
	"confab/internal/httpclient"
	"confab/service/engine"
)

// completion is the first choice of a chat completion, from the events of a stream or from a whole answer, which has
// a message instead of deltas.
type completion struct {
	writer    engine.TextWriter
	text      httpclient.TextJoiner
	reasoning httpclient.TextJoiner

	model      string
	finish     chat.FinishReason
	hasEnd     bool // the server said that the answer ends
	isFinished bool // and nothing more of it is expected
	hasFailed  bool // for the reason that something failed
	usage      chat.Usage
	hasChoice  bool
	hasDelta   bool
	isRefusal  bool
	tool       string // the name of the tool that the model asks for
	picture    string // address or base64 of the first picture
}

// add takes one JSON value of an answer. The error is a [serverError] where the value is one.
func (c *completion) add(raw []byte) error {
	if raw[0] == '[' { // some servers put the only value into a list
		for _, one := range listOf(raw) {
			if isContainer(one) {
				if err := c.add(one); err != nil {
					return err
				}
			}
		}
		return nil
	}
	o := objectOf(raw)
	choices := listOf(o["choices"])
	if err := errorIn(o, len(choices) > 0); err != nil {
		return err
	}
	c.model = cmp.Or(o.text("model"), c.model)
	c.addUsage(objectOf(o["usage"]))
	for i, one := range choices {
		choice := objectOf(one)
		if index, ok := numberOf(choice["index"]); choice == nil || ok && index != 0 || !ok && i > 0 {
			continue
		}
		if err := errorIn(choice, true); err != nil {
			return err
		}
		c.addChoice(choice)
	}
	if c.writer.Len() > maxTextBytes {
		return &http.MaxBytesError{Limit: maxTextBytes}
	}
	return nil
}

// addUsage takes counts of tokens in the words of any of the usual interfaces.
func (c *completion) addUsage(o object) {
	details := objectOf(o["completion_tokens_details"])
	if details == nil {
		details = objectOf(o["output_tokens_details"])
	}
	found := chat.Usage{InputTokens: o.count("prompt_tokens", "input_tokens"),
		OutputTokens:    o.count("completion_tokens", "output_tokens"),
		ReasoningTokens: cmp.Or(details.count("reasoning_tokens"), o.count("reasoning_tokens"))}
	if found != (chat.Usage{}) {
		c.usage = found
	}
}

// addChoice takes the choice of a value.
func (c *completion) addChoice(choice object) {
	c.hasChoice = true
	if delta := objectOf(choice["delta"]); len(delta) > 0 {
		c.hasDelta = c.hasDelta || !isBlank(delta["content"])
		c.addMessage(delta)
	}
	// Some servers end a stream with the whole message; it repeats the deltas.
	if message := objectOf(choice["message"]); len(message) > 0 && !c.hasDelta {
		c.addMessage(message)
		c.hasEnd, c.isFinished = true, true
	}
	if literal := literalOf(choice["text"]); len(literal) > 0 { // of the older interface
		c.writer.WriteText(c.text.Add(literal))
	}
	reason := choice["finish_reason"]
	if word := cmp.Or(choice.text("finish_reason"), choice.text("finishReason"), choice.text("stop_reason"),
		objectOf(choice["finish_details"]).text("type")); word != "" {
		c.hasEnd, c.isFinished, c.finish = true, true, chat.ParseFinishReason(word)
		c.hasFailed = strings.EqualFold(word, "error") // OpenRouter's word
	} else if len(reason) > 0 && !bytes.Equal(reason, []byte("null")) && literalOf(reason) == nil {
		c.hasEnd = true
	}
}

// addMessage adds a delta or message. A refusal stands for the text.
func (c *completion) addMessage(m object) {
	var got content
	got.add(m["content"])
	for _, name := range []string{"reasoning_content", "reasoning", "thinking", "reasoning_text", "reasoning_details",
		"thinking_blocks"} { // servers that have several repeat themselves
		if literal := reasoningOf(m[name], 0); len(literal) > 0 {
			got.reasoning = append(literal[:len(literal):len(literal)], got.reasoning...)
			break
		}
	}
	if literal := literalOf(m["refusal"]); len(literal) > 0 {
		c.isRefusal = true
		got.text = append(got.text, literal...)
	}
	for _, call := range append(listOf(m["tool_calls"]), listOf(m["function_call"])...) {
		c.tool = cmp.Or(c.tool, toolName(objectOf(call)))
	}
	c.tool = cmp.Or(c.tool, got.tool)
	for _, name := range []string{"images", "image"} {
		if at := pictureIn(m[name], 0); at != "" {
			got.pictures = append(got.pictures, at)
		}
	}
	if len(got.pictures) > 0 {
		c.picture = cmp.Or(c.picture, got.pictures[0])
	}
	if len(got.reasoning) > 0 {
		c.writer.WriteReasoning(c.reasoning.Add(got.reasoning))
	}
	if len(got.text) > 0 {
		c.writer.WriteText(c.text.Add(got.text))
	}
}

// close adds what was held back, when nothing follows.
func (c *completion) close() {
	if rest := c.reasoning.End(); rest != "" {
		c.writer.WriteReasoning(rest)
	}
	if rest := c.text.End(); rest != "" {
		c.writer.WriteText(rest)
	}
	c.writer.Close()
}

// size is a number that grows with every part of the answer.
func (c *completion) size() int { return c.writer.Len() + len(c.picture) }

// errorIn returns the error that a value of a server is, nil for none. A message alone is one only where there is no
// choice beside it.
func errorIn(o object, hasChoice bool) error {
	code, hasCode := numberOf(o["code"])
	isFine := hasChoice || hasCode && (code == 0 || code == 200) || string(o["success"]) == "true"
	isError := !isBlank(o["error"]) || !isFine && (o.text("object") == "error" || o.text("type") == "error" ||
		string(o["success"]) == "false" || statusOf(o) != 0 || !isBlank(o["errors"]) || !isBlank(o["error_code"]) ||
		literalOf(o["message"]) != nil || literalOf(o["msg"]) != nil || literalOf(o["error_msg"]) != nil ||
		!isBlank(o["detail"]))
	if !isError {
		return nil
	}
	raw, _ := json.Marshal(map[string]json.RawMessage(o)) // it was decoded from JSON
	return &serverError{statusOf(o), messageOf(raw)}
}

// statusOf returns the status of HTTP that an error names, 0 for none.
func statusOf(o object) int {
	inner := objectOf(o["error"])
	for _, one := range []int{o.count("status", "status_code", "code"), inner.count("status", "status_code", "code")} {
		if one >= 400 && one < 600 {
			return one
		}
	}
	return 0
}

// noAnswer says what a completion lacks that has neither text nor picture; "" when it lacks nothing.
func (c *completion) noAnswer() string {
	name := cleanLine(c.tool)
	switch isEmpty := strings.TrimSpace(c.writer.Text()) == "" && c.picture == ""; {
	case isEmpty && name != "" && name != "?":
		return fmt.Sprintf("the model asked for the tool %s, which confab does not have", name)
	case isEmpty && (name != "" || asksForTool(c.finish)):
		return "the model asked for a tool, which confab does not have"
	}
	return ""
}

func asksForTool(f chat.FinishReason) bool {
	switch strings.ToLower(string(f)) {
	case "tool_calls", "tool_call", "function_call", "tool_use", "malformed_function_call":
		return true
	}
	return false
}
