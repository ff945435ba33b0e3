// Package chat has the words in which every layer speaks of a conversation with a text model: its messages, the tokens
// it took and why it ended. Their JSON is that of the contract's extensions and of the exports.
package chat

import "confab/internal/format"

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

// Usage counts tokens as the engine reports them; 0 stands for unknown.
type Usage struct {
	InputTokens     int `json:"input_tokens,omitempty"`
	OutputTokens    int `json:"output_tokens,omitempty"` // with those of the reasoning
	ReasoningTokens int `json:"reasoning_tokens,omitempty"`
}

// Plus returns the sum of two usages.
func (u Usage) Plus(o Usage) Usage {
	return Usage{u.InputTokens + o.InputTokens, u.OutputTokens + o.OutputTokens, u.ReasoningTokens + o.ReasoningTokens}
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

// FinishReason says why a model stopped writing; empty stands for unknown.
type FinishReason string

// The reasons for which a model stops writing.
const (
	FinishStop   FinishReason = "stop"
	FinishLength FinishReason = "length" // at a limit of tokens: the text is cut
	FinishFilter FinishReason = "filter" // the engine left something out
)
