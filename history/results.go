package history

import (
	"time"

	"confab/internal/chat"
)

// Hit is a text that matches a search.
type Hit struct {
	Session     int64     `json:"session"`
	SessionName string    `json:"session_name"`
	Turn        int64     `json:"turn"`
	Answer      int64     `json:"answer,omitempty"` // 0 for a prompt or a system prompt
	Field       string    `json:"where"`            // "prompt", "system", "answer" or "note"
	Model       string    `json:"model,omitempty"`  // of the answer
	Kind        ModelKind `json:"kind,omitempty"`
	State       State     `json:"state,omitempty"`
	Created     time.Time `json:"created"` // of the turn
	Snippet     string    `json:"snippet"` // one line of the text around the match
	Match       [][2]int  `json:"-"`       // what matches in it: from and to, in bytes
}

// SessionHit is a session that matches a search.
type SessionHit struct {
	Session
	Snippet string   `json:"snippet,omitempty"` // of the newest match in it; empty when only its name matches
	Match   [][2]int `json:"-"`                 // what matches in the snippet: from and to, in bytes

	LastPrompt string   `json:"-"` // the start of its newest prompt, at most 300 characters
	Models     []string `json:"-"` // that its newest three turns went to, in the order in which they were asked
	Run        int64    `json:"-"` // the newest run in it, 0 for none, and in a session of another user
	SuitePath  string   `json:"-"` // of the newest run in it, "" for none
}

// PromptHit is a prompt that was sent, once however often it was.
type PromptHit struct {
	Turn        int64 // the newest one with this prompt
	Session     int64
	SessionName string
	Prompt      string
	System      string
	Models      []string // it went to, in the order in which they were chosen
	Created     time.Time
	Match       [][2]int // what matches in the prompt: from and to, in bytes
}

// PictureHit is an answer with a picture.
type PictureHit struct {
	Answer      Answer
	Turn        Turn // without its answers
	SessionName string
}

// ModelStats is what the history knows of a model.
type ModelStats struct {
	Answers  int `json:"answers"`  // answers that ended done or failed; copies made by a fork are not counted
	Failures int `json:"failures"` // those of them that failed

	// Medians of the newest 50 that are done and were not cached, of each those of which it is known; 0 without any.
	MedianTime   time.Duration `json:"-"` // of [Answer.Elapsed]
	FirstToken   time.Duration `json:"-"`
	OutputTokens int           `json:"typical_output_tokens,omitempty"`
	Speed        float64       `json:"-"` // tokens a second, see [Answer.TokensPerSecond]

	EngineModel string `json:"-"` // [Answer.EngineModel] of the newest of them; empty when unknown
}

// UsageGroup says by what usage is added up.
type UsageGroup string

// The groups.
const (
	UsageByModel   UsageGroup = "model"
	UsageBySession UsageGroup = "session"
	UsageByDay     UsageGroup = "day"
)

// UsageQuery chooses answers whose usage is added up.
type UsageQuery struct {
	By       UsageGroup
	Session  int64          // 0 stands for all
	Location *time.Location // whose days count; nil stands for UTC
}

// UsageSum is what the answers of a group took together.
type UsageSum struct {
	Model       string    `json:"model,omitempty"`        // of a sum by model
	Session     int64     `json:"session,omitempty"`      // of a sum by session
	SessionName string    `json:"session_name,omitempty"` // the same
	Day         time.Time `json:"-"`                      // of a sum by day: its first moment

	Answers int           `json:"answers"`
	Counted int           `json:"counted"` // answers whose tokens are known
	Usage   chat.Usage    `json:"-"`
	Elapsed time.Duration `json:"-"`
	Costs   []Cost        `json:"costs,omitempty"` // by currency; empty when unknown
}
