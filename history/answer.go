package history

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"confab/internal/chat"
	"confab/internal/format"
)

// Answer is one sample of what a model returned for a turn.
type Answer struct {
	ID      int64
	Turn    int64
	Model   string
	Kind    ModelKind
	Sample  int // from 1
	State   State
	Version int // grows with every change; older versions are stale

	Text        string            // of an answer that is not done: the part that arrived
	Reasoning   string            // what the model wrote before its answer; empty for none
	Finish      chat.FinishReason // why the model stopped writing
	Usage       chat.Usage
	Cost        Cost
	ServedModel string   // set when the service names a model other than the requested one
	Engine      string   // the service's name of the engine that answered; empty when unknown
	EngineModel string   // the engine's name of the model
	ServiceNote string   // the service's words for how the answer differs from the request
	Picture     *Picture // set for kinds image and edit when done
	Failure     *Failure // set when failed

	// The request besides the turn: earlier turns of the session, then the answer's own messages and prompt.
	SentTurns    SentTurns
	SentMessages []chat.Message // before the prompt, the oldest first; without earlier turns
	SentPrompt   string         // set where it differs from the turn's; without earlier turns
	OmittedTurns int            // earlier turns left out because the conversation is too long
	Ignored      []string       // names of requested parameters that the service does not take
	SentNonce    string         // the nonce that was sent, empty for none
	SourceURL    string         // the imageUrl that was sent, for edits

	HTTPStatus int
	IsCached   bool // reused from an earlier answer; the times are of that one
	Queued     time.Time
	Started    time.Time
	Ended      time.Time
	Elapsed    time.Duration // request written to body read without QueueWait, monotonic
	QueueWait  time.Duration // time in the queues of confab and of its service, before the model was called
	FirstToken time.Duration // to the first part of a text, counted as Elapsed and at most that; 0 when unknown
	Thinking   time.Duration // from the first part of the reasoning to the first of the text; 0 without
	IsMasked   bool          // the service echoed the key, which was masked
	SHA256     string        // of the original text where IsMasked

	Rating   Rating
	IsWinner bool
	Note     string

	Progress Progress // of a running answer; never stored
}

// Again returns a new queued sample that repeats the request of the answer.
func (a Answer) Again(sample int, now time.Time) Answer {
	return Answer{
		Turn: a.Turn, Model: a.Model, Kind: a.Kind, Sample: sample, State: Queued, Version: 1, Queued: now,
		SentTurns: a.SentTurns, SentPrompt: a.SentPrompt, SentNonce: a.SentNonce, SentMessages: a.SentMessages,
		OmittedTurns: a.OmittedTurns, Ignored: a.Ignored,
	}
}

// SentTurns names the earlier turns of a session that were sent with a prompt. It holds no copy of their text, so
// that deleting a turn deletes its text everywhere.
type SentTurns struct {
	Turns      []SentTurn `json:"turns,omitempty"`     // the oldest first
	IsInPrompt bool       `json:"in_prompt,omitempty"` // in one text with the prompt: no messages
	SHA256     string     `json:"sha256,omitempty"`    // of all messages and the prompt; empty when unknown
}

// SentTurn is an earlier turn that was sent: its prompt and the text of one of its answers.
type SentTurn struct {
	Turn   int64 `json:"turn"`
	Answer int64 `json:"answer"`
}

// IsZero reports whether no earlier turns were sent.
func (s SentTurns) IsZero() bool { return len(s.Turns) == 0 && !s.IsInPrompt }

// Rating is a person's judgement of an answer.
type Rating int

const (
	Bad     Rating = -1
	Unrated Rating = 0
	Good    Rating = 1
)

// Failure is the reason for which an answer failed: a stable code and one sentence for people.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Progress is the state of a running answer.
type Progress struct {
	Received int64     // bytes of the body so far
	Streams  bool      // the text appears as it is written
	Attempt  int       // from 1
	RetryAt  time.Time // when the next attempt starts; zero when none is planned
	Failure  string    // code of the failed attempt before the next one
}

// TokensPerSecond returns how fast the model wrote after its first token; 0 when unknown.
func (a Answer) TokensPerSecond() float64 {
	d := a.Elapsed - a.FirstToken // the first token may be one of the reasoning, which OutputTokens count too
	if a.Usage.OutputTokens <= 0 || d <= 0 {
		return 0
	}
	return float64(a.Usage.OutputTokens) / d.Seconds()
}

// Offline is the name of the built-in engine that invents its answers. No other engine of the embedded service may
// use it.
const Offline = "offline"

// IsSimulated reports whether the service names the offline engine as the source of the answer.
func (a Answer) IsSimulated() bool { return a.Engine == Offline }

// AnsweredBy returns who answered in a few words, such as "simulated", "by ollama as qwen3:8b" or "served as beta-2".
// It is empty for the requested model and when unknown. Names in it are not sanitised.
func (a Answer) AnsweredBy() string {
	by := ""
	switch {
	case a.IsSimulated():
		return "simulated"
	case a.Engine != "":
		by = "by " + a.Engine
		if a.EngineModel != "" && a.EngineModel != a.Model {
			by += " as " + a.EngineModel
		}
	}
	if a.ServedModel != "" && a.ServedModel != a.Model {
		if by != "" {
			by = ", " + by
		}
		by = "served as " + a.ServedModel + by
	}
	return by
}

// FactName names a fact of an answer.
type FactName string

// The names of facts, in the order of [Turn.Facts].
const (
	FactSample       FactName = "sample"
	FactState        FactName = "state" // unless the answer is done
	FactTime         FactName = "time"
	FactQueueWait    FactName = "queue"
	FactEngine       FactName = "answered"
	FactWords        FactName = "words"
	FactTokens       FactName = "tokens"
	FactFirstToken   FactName = "first token"
	FactSpeed        FactName = "speed"
	FactCost         FactName = "cost"
	FactEnding       FactName = "ending" // why a text is empty or incomplete
	FactIgnored      FactName = "not taken"
	FactOmittedTurns FactName = "context"
	FactMasked       FactName = "masking"
	FactShape        FactName = "shape"
	FactFile         FactName = "file"
	FactNonce        FactName = "nonce"
	FactSource       FactName = "source"
	FactJudgement    FactName = "judgement"
	FactServiceNote  FactName = "service"
	FactNote         FactName = "note"
)

// Fact is one piece of information about an answer besides its text or picture.
type Fact struct {
	Name FactName // also a label for people
	// Rank is the importance of the fact. Where space is short, facts of the highest ranks are left out first.
	Rank int
	Text string // a clause for people, such as "1,204 → 356 tokens"; names in it are not sanitised
}

// Explained returns the text of the fact beside its name, with the reason where the answer differs from the request.
func (f Fact) Explained() string {
	switch f.Name {
	case FactFirstToken:
		return strings.TrimPrefix(f.Text, string(f.Name)+" ")
	case FactIgnored:
		return f.Text + ", which the service does not take"
	case FactOmittedTurns:
		return f.Text + ", because the conversation is too long"
	}
	return f.Text
}

// Facts is a list of facts in reading order.
type Facts []Fact

// Facts returns all known facts of an answer of the turn. Screens, reports and commands choose from this list. Words
// is the number of words in the answer's text, negative when unknown.
func (t Turn) Facts(a Answer, words int) Facts {
	engineRank := 6
	if a.IsSimulated() {
		engineRank = 1
	}
	facts := Facts{
		{FactSample, 3, textIf(a.Sample > 1, "sample %d", a.Sample)},
		{FactState, 0, a.stateText()},
		{FactTime, 0, a.timeText()},
		{FactQueueWait, 4, textIf(a.QueueWait >= shownQueueWait, "after %s in the queue", format.Seconds(a.QueueWait))},
		{FactEngine, engineRank, a.AnsweredBy()},
		{FactWords, 2, textIf(words >= 0, "%s", format.Count(words, "word"))},
		{FactTokens, 2, a.Usage.String()},
		{FactFirstToken, 5, textIf(a.isStreamed(), "first token %s", format.Seconds(a.FirstToken))},
		{FactSpeed, 4, textIf(a.TokensPerSecond() > 0 && !a.IsCached, "%s",
			format.Rate(a.TokensPerSecond(), "token"))},
		{FactCost, 3, textIf(a.Cost.Currency != "", "%s", format.Money(a.Cost.Amount, a.Cost.Currency))},
		{FactEnding, 1, a.EndingText()},
		{FactIgnored, 3, textIf(len(a.Ignored) > 0, "without %s", strings.Join(a.Ignored, ", "))},
		OmittedTurns(a.OmittedTurns),
		{FactMasked, 3, textIf(a.IsMasked, "key masked")},
		{FactShape, 2, a.Picture.shapeText(t.Aspect)},
		{FactFile, 3, a.Picture.fileText()},
		{FactNonce, 4, textIf(a.SentNonce != "", "nonce %s", a.SentNonce)},
		{FactSource, 5, t.sourceText(a)},
		{FactJudgement, 3, a.judgementText()},
		{FactServiceNote, 4, textIf(a.ServiceNote != "", "service says: %s", a.ServiceNote)},
		{FactNote, 4, textIf(a.Note != "", "note: %s", a.Note)},
	}
	return slices.DeleteFunc(facts, func(f Fact) bool { return f.Text == "" })
}

// shownQueueWait is the shortest queue wait that is shown.
const shownQueueWait = time.Second

// Without returns the facts whose names are not listed.
func (f Facts) Without(names ...FactName) Facts {
	return slices.DeleteFunc(slices.Clone(f), func(x Fact) bool { return slices.Contains(names, x.Name) })
}

// Only returns the facts with the listed names.
func (f Facts) Only(names ...FactName) Facts {
	return slices.DeleteFunc(slices.Clone(f), func(x Fact) bool { return !slices.Contains(names, x.Name) })
}

// Text returns the text of a fact, empty when unknown.
func (f Facts) Text(name FactName) string { return f.Only(name).Join("") }

// Join returns the texts of the facts with a gap between them.
func (f Facts) Join(gap string) string {
	texts := make([]string, len(f))
	for i, x := range f {
		texts[i] = x.Text
	}
	return strings.Join(texts, gap)
}

func textIf(holds bool, text string, args ...any) string {
	if !holds {
		return ""
	}
	return fmt.Sprintf(text, args...)
}

// OmittedTurns returns the fact that n earlier turns were not sent; its text is empty for 0.
func OmittedTurns(n int) Fact {
	return Fact{FactOmittedTurns, 4, textIf(n > 0, "without %s", format.Count(n, "earlier turn"))}
}

// isStreamed reports whether the time to the first part of a text is known and shorter than the whole time.
func (a Answer) isStreamed() bool {
	return a.Kind == KindText && a.FirstToken > 0 && !a.IsCached && (a.State != Done || a.FirstToken < a.Elapsed)
}

func (a Answer) stateText() string {
	switch {
	case a.State == Done:
		return ""
	case a.State == Running && !a.Started.IsZero():
		return "running since " + a.Started.Local().Format("15:04:05")
	}
	return a.State.Word()
}

// timeText returns how long a finished answer took; in brackets for a reused answer.
func (a Answer) timeText() string {
	text := format.Seconds(a.Elapsed)
	switch {
	case a.State != Done || a.Started.IsZero() && a.Elapsed == 0:
		return ""
	case a.IsCached:
		return "(" + text + " cached)"
	}
	return text
}

// judgementText returns a person's rating, mark and note of the answer.
func (a Answer) judgementText() string {
	texts := []string{textIf(a.IsWinner, "★ winner"), textIf(a.Rating == Good, "good"), textIf(a.Rating == Bad, "bad")}
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ", ")
}

// sourceText returns from which picture the answer's picture was made.
func (t Turn) sourceText(a Answer) string {
	if source := t.SourceOf(a); source != nil {
		return "made from " + source.Name()
	}
	return ""
}
