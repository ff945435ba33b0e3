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
	// Turn and Answer are the newest match; 0 without a query and when only the name matches. Answer is 0 for a prompt
	// or a system prompt.
	Turn    int64    `json:"turn,omitempty"`
	Answer  int64    `json:"answer,omitempty"`
	Snippet string   `json:"snippet,omitempty"` // of the match
	Match   [][2]int `json:"-"`                 // byte offsets of the matches in the snippet

	LastPrompt string   `json:"-"` // the start of the newest prompt, at most 300 characters
	Models     []string `json:"-"` // of the newest three turns, in the order of the request
	Run        int64    `json:"-"` // the newest run in the session; 0 for none and for another user's session
	SuitePath  string   `json:"-"` // of the newest run in the session; "" for none
}

// PromptHit is a distinct prompt of the history. Prompts that one template has made are a single one.
type PromptHit struct {
	Turn        int64 // the newest turn with this prompt
	Session     int64
	SessionName string
	Prompt      string // of that turn
	System      string
	Models      []string // in the order in which they were chosen
	Created     time.Time
	Match       [][2]int // byte offsets of the matches in the prompt
	IsOfRun     bool     // a run of a suite has sent it

	Template, SystemTemplate string // with variables; empty without
	// Values are those of the variables, of all prompts that the search found; the newest first.
	Values []map[string]string
}

// PictureHit is an answer with a picture.
type PictureHit struct {
	Answer      Answer
	Turn        Turn // without its answers
	SessionName string
}

// ModelStats are the statistics of a model in the history.
type ModelStats struct {
	Answers  int `json:"answers"`  // done or failed, without copies made by a fork
	Failures int `json:"failures"` // failed ones of Answers

	// Medians of the newest 50 answers that are done, not cached and have the value; 0 without any.
	MedianTime   time.Duration `json:"-"` // of [Answer.Elapsed]
	FirstToken   time.Duration `json:"-"`
	OutputTokens int           `json:"typical_output_tokens,omitempty"`
	Speed        float64       `json:"-"` // tokens a second, see [Answer.TokensPerSecond]

	EngineModel string `json:"-"` // [Answer.EngineModel] of the newest of them; empty when unknown
}

// UsageGroup is the grouping of usage sums.
type UsageGroup string

const (
	UsageByModel   UsageGroup = "model"
	UsageBySession UsageGroup = "session"
	UsageByDay     UsageGroup = "day"
)

// UsageQuery selects the answers whose usage is summed.
type UsageQuery struct {
	By       UsageGroup
	Session  int64          // 0 selects all
	Location *time.Location // time zone of the days; nil means UTC
}

// UsageSum is the usage of the answers of a group.
type UsageSum struct {
	Model       string    `json:"model,omitempty"`        // set in sums by model
	Session     int64     `json:"session,omitempty"`      // set in sums by session
	SessionName string    `json:"session_name,omitempty"` // set in sums by session
	Day         time.Time `json:"-"`                      // start of the day, set in sums by day

	Answers int           `json:"answers"`
	Counted int           `json:"counted"` // answers whose tokens are known
	Usage   chat.Usage    `json:"-"`
	Elapsed time.Duration `json:"-"`
	Costs   []Cost        `json:"costs,omitempty"` // by currency; empty when unknown
}
