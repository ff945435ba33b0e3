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
	hasEnd     bool // the server sent the end of the answer
	isFinished bool // no more data is expected
	hasFailed  bool // the answer ended with an error
	usage      chat.Usage
	hasChoice  bool
	hasDelta   bool
	isRefusal  bool
	tool       string // name of the tool that the model calls
	picture    string // address or base64 of the first picture
}

// add adds one JSON value of an answer. It returns a [serverError] if the value is one.
func (c *completion) add(raw []byte) error {
	if raw[0] == '[' { // some servers wrap the only value in a list
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

// maxCost bounds the believable cost of an answer in US dollars.
const maxCost = 1e4

// addUsage adds token counts under the names of any common API.
func (c *completion) addUsage(o object) {
	details := objectOf(o["completion_tokens_details"])
	if details == nil {
		details = objectOf(o["output_tokens_details"])
	}
	found := chat.Usage{InputTokens: o.count("prompt_tokens", "input_tokens"),
		OutputTokens:    o.count("completion_tokens", "output_tokens"),
		ReasoningTokens: cmp.Or(details.count("reasoning_tokens"), o.count("reasoning_tokens"))}
	if cost, ok := numberOf(o["cost"]); ok && cost > 0 && cost < maxCost { // of OpenRouter
		found.Cost = cost
	}
	if found != (chat.Usage{}) {
		c.usage = found
	}
}

// addChoice adds the choice of a value.
func (c *completion) addChoice(choice object) {
	c.hasChoice = true
	if delta := objectOf(choice["delta"]); len(delta) > 0 {
		c.hasDelta = c.hasDelta || !isBlank(delta["content"])
		c.addMessage(delta)
	}
	// Some servers end a stream with the whole message, which repeats the deltas.
	if message := objectOf(choice["message"]); len(message) > 0 && !c.hasDelta {
		c.addMessage(message)
		c.hasEnd, c.isFinished = true, true
	}
	if literal := literalOf(choice["text"]); len(literal) > 0 { // of the older API
		c.writer.WriteText(c.text.Add(literal))
	}
	reason := choice["finish_reason"]
	if word := cmp.Or(choice.text("finish_reason"), choice.text("finishReason"), choice.text("stop_reason"),
		objectOf(choice["finish_details"]).text("type")); word != "" {
		c.hasEnd, c.isFinished, c.finish = true, true, chat.ParseFinishReason(word)
		c.hasFailed = strings.EqualFold(word, "error") // as OpenRouter calls it
	} else if len(reason) > 0 && !bytes.Equal(reason, []byte("null")) && literalOf(reason) == nil {
		c.hasEnd = true
	}
}

// addMessage adds a delta or message. A refusal replaces the text.
func (c *completion) addMessage(m object) {
	var got content
	got.add(m["content"])
	for _, name := range []string{"reasoning_content", "reasoning", "thinking", "reasoning_text", "reasoning_details",
		"thinking_blocks"} { // servers with several of these repeat the same text
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

// close adds held data at the end of the answer.
func (c *completion) close() {
	if rest := c.reasoning.End(); rest != "" {
		c.writer.WriteReasoning(rest)
	}
	if rest := c.text.End(); rest != "" {
		c.writer.WriteText(rest)
	}
	c.writer.Close()
}

// size returns a number that grows with every part of the answer.
func (c *completion) size() int { return c.writer.Len() + len(c.picture) }

// errorIn returns the error in a value of a server, nil for none. A message counts as an error only without a choice.
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
	raw, _ := json.Marshal(map[string]json.RawMessage(o)) // decoded JSON marshals
	return &serverError{statusOf(o), messageOf(raw)}
}

// statusOf returns the HTTP status in an error, 0 for none.
func statusOf(o object) int {
	inner := objectOf(o["error"])
	for _, one := range []int{o.count("status", "status_code", "code"), inner.count("status", "status_code", "code")} {
		if one >= 400 && one < 600 {
			return one
		}
	}
	return 0
}

// noAnswer describes what is missing in a completion without text and picture; otherwise "".
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
