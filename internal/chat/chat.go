// Package chat has the words in which every layer speaks of a conversation with a text model: its messages, the tokens
// it took and why it ended. Their JSON is that of the contract's extensions and of the exports.
package chat

import (
	"strings"
	"unicode"

	"confab/internal/format"
)

// Role says who wrote a [Message].
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// IsKnown reports whether the role is one of those there are.
func (r Role) IsKnown() bool { return r == RoleUser || r == RoleAssistant }

// Message is one message of a conversation.
type Message struct {
	Role    Role   `json:"role"`
	Content string `json:"content"`
}

// Usage counts tokens, and tells their cost, as the engine reports them; 0 stands for unknown.
type Usage struct {
	InputTokens     int `json:"input_tokens,omitempty"`
	OutputTokens    int `json:"output_tokens,omitempty"` // with those of the reasoning
	ReasoningTokens int `json:"reasoning_tokens,omitempty"`
	// Cost is in US dollars. The history keeps it as the cost of the answer.
	Cost float64 `json:"cost,omitempty"`
}

// Plus returns the sum of two usages.
func (u Usage) Plus(o Usage) Usage {
	return Usage{u.InputTokens + o.InputTokens, u.OutputTokens + o.OutputTokens, u.ReasoningTokens + o.ReasoningTokens,
		u.Cost + o.Cost}
}

// String returns how many tokens went in and came out, such as "1,204 → 356 tokens"; empty when that is not known.
func (u Usage) String() string {
	switch {
	case u.OutputTokens == 0:
		return ""
	case u.InputTokens == 0:
		return format.Number(u.OutputTokens) + " tokens"
	}
	return format.Number(u.InputTokens) + " → " + format.Number(u.OutputTokens) + " tokens"
}

// FinishReason says why a model stopped writing; empty stands for unknown. A word of an engine that means none of the
// reasons below is kept as it came.
type FinishReason string

// The reasons for which a model stops writing.
const (
	FinishStop    FinishReason = "stop"
	FinishLength  FinishReason = "length"  // at a limit of tokens: the text is cut
	FinishFilter  FinishReason = "filter"  // the engine left something out
	FinishRefusal FinishReason = "refusal" // the text says that the model refuses
)

// maxReason bounds a [FinishReason] in bytes.
const maxReason = 60

// ParseFinishReason returns the reason that an engine names, in the words of any of the usual interfaces. A word that
// is not known is kept when it is short and printable, and is no reason otherwise.
func ParseFinishReason(word string) FinishReason {
	word = strings.TrimSpace(word)
	switch strings.ToLower(word) {
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token", "end", "complete", "completed", "finished", "finish":
		return FinishStop
	case "length", "max_tokens", "model_length", "max_length", "max_output_tokens", "max_new_tokens", "token_limit",
		"context_length", "context_length_exceeded", "model_context_window_exceeded":
		return FinishLength
	case "filter", "content_filter":
		return FinishFilter
	case "refusal":
		return FinishRefusal
	}
	isOdd := func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }
	if len(word) > maxReason || strings.ContainsFunc(word, isOdd) {
		return ""
	}
	return FinishReason(word)
}

// IsFilter reports whether the engine left something out, also in the words of engines that tell what of.
func (f FinishReason) IsFilter() bool {
	switch strings.ToLower(string(f)) {
	case string(FinishFilter), "content_filtered", "safety", "image_safety", "recitation", "blocklist", "spii",
		"prohibited_content", "sensitive", "guardrail_intervened", "error_toxic":
		return true
	}
	return false
}

// IsCut reports whether the text stops before its end: at a limit of tokens, or for a reason that is not known.
func (f FinishReason) IsCut() bool {
	return f != "" && f != FinishStop && f != FinishRefusal && !f.IsFilter()
}
