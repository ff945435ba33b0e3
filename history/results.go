package history

import (
	"time"

	"confab/internal/chat"
)

// Hit is a text that matches a search.
type Hit struct {
	Session     int64
	Turn        int64
	Answer      int64 // 0 for a prompt or a system prompt
	SessionName string
	Field       string // "prompt", "system", "answer" or "note"
	Model       string // of the answer
	Kind        Kind
	State       State
	Created     time.Time // of the turn
	Snippet     string    // one line of the text around the match
	Match       [][2]int  // what matches in it: from and to, in bytes
}

// SessionHit is a session that matches a search.
type SessionHit struct {
	Session
	Snippet string   // of the newest match in it; empty when only its name matches
	Match   [][2]int // what matches in the snippet: from and to, in bytes

	LastPrompt string   // the start of its newest prompt, at most 300 characters
	Models     []string // that its newest three turns went to, in the order in which they were asked
	SuitePath  string   // of the newest run in it, "" for none
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
	Answers  int // answers that ended done or failed; copies made by a fork are not counted
	Failures int // those of them that failed

	// Medians of the newest 50 that are done and were not cached, of each those of which it is known; 0 without any.
	MedianTime   time.Duration // of [Answer.Elapsed]
	FirstToken   time.Duration
	OutputTokens int
	Speed        float64 // tokens a second, see [Answer.TokensPerSecond]

	EngineModel string // [Answer.EngineModel] of the newest of them; empty when unknown
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
	Model       string    // of a sum by model
	Session     int64     // of a sum by session
	SessionName string    // the same
	Day         time.Time // of a sum by day: its first moment

	Answers int
	Counted int // answers whose tokens are known
	Usage   chat.Usage
	Elapsed time.Duration
	Costs   []Cost // by currency; empty when unknown
}
