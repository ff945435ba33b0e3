package openai

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"

	sdk "github.com/sashabaranov/go-openai"

	"confab/internal/chat"
	"confab/service/engine"
)

// completion is the first choice of a chat completion, put together from the events of a stream.
type completion struct {
	emit            func(engine.Part) // may be nil
	model           string
	finish          sdk.FinishReason
	usage           chat.Usage
	hasChoice       bool
	isRefusal       bool
	think           thinkSplitter
	text, reasoning strings.Builder
}

// event is what is read of one event of a stream, or of a whole completion, which has messages instead of deltas.
type event struct {
	Model   string `json:"model"`
	Choices []struct {
		Index        int              `json:"index"`
		Delta        delta            `json:"delta"`
		Message      delta            `json:"message"`
		FinishReason sdk.FinishReason `json:"finish_reason"`
	} `json:"choices"`
	Usage *sdk.Usage      `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// delta is a part of an answer. Servers have either of two names for the reasoning, and some fill both.
type delta struct {
	Content          content `json:"content"`
	Refusal          content `json:"refusal"`
	Reasoning        content `json:"reasoning"`
	ReasoningContent content `json:"reasoning_content"`
}

// content is a text that a server writes as a string, as a list of parts with texts, or not at all.
type content string

// UnmarshalJSON takes any JSON; what has no text in it is empty.
func (c *content) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		var parts []struct {
			Text string `json:"text"`
		}
		_ = json.Unmarshal(raw, &parts) // a shape that is not known has no text
		for _, p := range parts {
			text += p.Text
		}
	}
	*c = content(text)
	return nil
}

// add takes one event.
func (c *completion) add(raw []byte) error {
	var one event
	if err := json.Unmarshal(raw, &one); err != nil {
		return err //nolint:wrapcheck // judged by the caller
	}
	if len(one.Error) > 0 && string(one.Error) != "null" {
		return &serverError{messageOf(raw)}
	}
	c.model = cmp.Or(one.Model, c.model)
	if u := one.Usage; u != nil {
		c.usage = chat.Usage{InputTokens: u.PromptTokens, OutputTokens: u.CompletionTokens}
		if u.CompletionTokensDetails != nil {
			c.usage.ReasoningTokens = u.CompletionTokensDetails.ReasoningTokens
		}
	}
	for _, choice := range one.Choices {
		if choice.Index != 0 {
			continue
		}
		c.hasChoice = true
		c.write(choice.Delta)
		c.write(choice.Message)
		c.finish = cmp.Or(choice.FinishReason, c.finish)
	}
	if c.text.Len()+c.reasoning.Len() > maxTextBytes {
		return &http.MaxBytesError{Limit: maxTextBytes}
	}
	return nil
}

// write adds a delta to the answer. A refusal stands for the text.
func (c *completion) write(d delta) {
	c.isRefusal = c.isRefusal || d.Refusal != ""
	p := c.think.split(string(d.Content + d.Refusal))
	p.Reasoning = string(cmp.Or(d.ReasoningContent, d.Reasoning)) + p.Reasoning
	c.put(p)
}

// put keeps a part and emits it.
func (c *completion) put(p engine.Part) {
	if p == (engine.Part{}) {
		return
	}
	c.text.WriteString(p.Text)
	c.reasoning.WriteString(p.Reasoning)
	if c.emit != nil {
		c.emit(p)
	}
}

// isEmpty reports whether nothing of the answer came yet.
func (c *completion) isEmpty() bool { return c.text.Len() == 0 && c.reasoning.Len() == 0 }

// The tags around reasoning that a model writes at the beginning of its text.
const (
	thinkStart = "<think>"
	thinkEnd   = "</think>"
)

// thinkSplitter takes the reasoning out of a text that begins with it. The text comes in parts, which may end anywhere.
type thinkSplitter struct {
	state      thinkState
	skipsSpace bool   // white space at the beginning of what comes next is left out
	held       string // came, but may be the beginning of a tag
}

// thinkState says where in the text a [thinkSplitter] is.
type thinkState int

const (
	beforeText thinkState = iota
	inThought
	inText
)

// split takes the next part of the text.
func (s *thinkSplitter) split(text string) engine.Part {
	var p engine.Part
	s.held += text
	for {
		if s.skipsSpace {
			s.held = trimSpaceLeft(s.held)
			s.skipsSpace = s.held == ""
		}
		switch s.state {
		case beforeText:
			rest := trimSpaceLeft(s.held)
			if thought, ok := strings.CutPrefix(rest, thinkStart); ok {
				s.held, s.state, s.skipsSpace = thought, inThought, true
				continue
			}
			if strings.HasPrefix(thinkStart, rest) {
				return p // more must come to tell
			}
			s.state = inText
		case inThought:
			thought, after, ended := strings.Cut(s.held, thinkEnd)
			if ended {
				p.Reasoning += thought
				s.held, s.state, s.skipsSpace = after, inText, true
				continue
			}
			n := len(s.held) - beginningOf(thinkEnd, s.held)
			p.Reasoning += s.held[:n]
			s.held = s.held[n:]
			return p
		case inText:
			p.Text += s.held
			s.held = ""
			return p
		}
	}
}

// end returns what is held when no more text comes.
func (s *thinkSplitter) end() engine.Part {
	if s.state == inThought {
		return engine.Part{Reasoning: s.held}
	}
	return engine.Part{Text: s.held}
}

func trimSpaceLeft(s string) string { return strings.TrimLeft(s, " \t\r\n") }

// beginningOf returns how many bytes at the end of s are the beginning of tag.
func beginningOf(tag, s string) int {
	for n := min(len(tag)-1, len(s)); n > 0; n-- {
		if strings.HasSuffix(s, tag[:n]) {
			return n
		}
	}
	return 0
}
