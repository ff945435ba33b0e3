package export

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"confab/history"
	"confab/internal/chat"
	"confab/internal/format"
)

// AnswerRecord describes an answer in every JSON output, in CSV and in the provenance of a picture. Its field names
// are stable, and empty fields are omitted. A new field must be added to this type, [NewAnswerRecord],
// [AnswerRecord.Restore] and [columns]. CONTRIBUTING.md lists where it is stored.
type AnswerRecord struct {
	Session     int64             `json:"session,omitempty"` // zero, like the next two, if it is not stored
	Turn        int64             `json:"turn,omitempty"`
	Answer      int64             `json:"answer,omitempty"`
	IsSaved     *bool             `json:"saved,omitempty"` // false if the history does not hold the answer, else absent
	Model       string            `json:"model"`
	Kind        history.ModelKind `json:"kind"`
	Sample      int               `json:"sample"`
	State       history.State     `json:"state"`
	Text        *string           `json:"text,omitempty"`         // set for a done text, even if empty
	PartialText string            `json:"partial_text,omitempty"` // the partial text of an answer that is not done
	Reasoning   string            `json:"reasoning,omitempty"`    // only on request
	Finish      chat.FinishReason `json:"finish,omitempty"`       // why the model stopped; see docs/json.md
	Chars       *int              `json:"chars,omitempty"`
	Words       *int              `json:"words,omitempty"`
	Lines       *int              `json:"lines,omitempty"`
	ServedModel string            `json:"served_model,omitempty"`
	Engine      string            `json:"engine,omitempty"`       // the engine, if the service names it
	EngineModel string            `json:"engine_model,omitempty"` // the engine's name of the model
	ServiceNote string            `json:"service_note,omitempty"` // how the answer differs from the request
	SentPrompt  string            `json:"sent_prompt,omitempty"`
	// SentTurns are the earlier turns that were sent with the prompt.
	SentTurns history.SentTurns `json:"sent_turns,omitzero"`
	// SentMessages were sent before the prompt; Ignored are requested parameters that were not sent.
	SentMessages []chat.Message `json:"sent_messages,omitempty"`
	OmittedTurns int            `json:"omitted_turns,omitempty"` // earlier turns that were not sent
	Ignored      []string       `json:"ignored,omitempty"`
	SentNonce    string         `json:"sent_nonce,omitempty"`
	SourceURL    string         `json:"source_url,omitempty"`
	File         string         `json:"file,omitempty"`
	ContentType  string         `json:"content_type,omitempty"`
	Width        int            `json:"width,omitempty"`
	Height       int            `json:"height,omitempty"`
	Bytes        *int64         `json:"bytes,omitempty"` // of the text, or of the received picture
	// SHA256 is of a received picture, or of a text before the key was masked.
	SHA256    string     `json:"sha256,omitempty"`
	Started   *time.Time `json:"started,omitempty"` // only while the answer is running
	ElapsedMS *int64     `json:"elapsed_ms,omitempty"`
	QueueMS   *int64     `json:"queue_ms,omitempty"` // time in queues, not in ElapsedMS
	// FirstTokenMS is the time to the first part of a text, at most ElapsedMS; absent if unknown.
	FirstTokenMS *int64 `json:"first_token_ms,omitempty"`
	ThinkingMS   *int64 `json:"thinking_ms,omitempty"` // of the reasoning before the text
	chat.Usage
	Cost       *float64 `json:"cost,omitempty"` // at the prices of its time; absent if unknown
	Currency   string   `json:"currency,omitempty"`
	HTTPStatus int      `json:"http_status,omitempty"`
	IsCached   bool     `json:"cached,omitempty"`
	// Error is why the answer failed, or why a done answer could not be saved.
	Error    *history.Failure `json:"error,omitempty"`
	Rating   history.Rating   `json:"rating,omitempty"`
	IsWinner bool             `json:"winner,omitempty"`
	Note     string           `json:"note,omitempty"`
}

func NewAnswerRecord(c Cell, o Options) AnswerRecord {
	a := c.Answer
	r := AnswerRecord{
		Session: c.Turn.Session, Turn: c.Turn.ID, Answer: a.ID,
		Model: a.Model, Kind: a.Kind, Sample: a.Sample, State: a.State, Reasoning: o.reasoning(a),
		ServedModel: a.ServedModel, Engine: a.Engine, EngineModel: a.EngineModel, ServiceNote: a.ServiceNote,
		SentPrompt: a.SentPrompt, SentTurns: a.SentTurns, SentNonce: a.SentNonce, SourceURL: a.SourceURL,
		SHA256: a.SHA256, HTTPStatus: a.HTTPStatus, IsCached: a.IsCached, Rating: a.Rating, IsWinner: a.IsWinner,
		Note: a.Note, Finish: a.Finish, SentMessages: a.SentMessages, OmittedTurns: a.OmittedTurns,
		Ignored: a.Ignored,
		Usage:   a.Usage,
	}
	if c.isPartial() {
		r.PartialText = a.Text
	}
	if a.Cost.Currency != "" {
		r.Cost, r.Currency = &a.Cost.Amount, a.Cost.Currency
	}
	if c.IsUnsaved {
		r.IsSaved = new(false)
	}
	if size, ok := c.size(); ok {
		r.Text, r.Bytes = &a.Text, new(int64(size.Bytes))
		r.Chars, r.Words, r.Lines = &size.Chars, &size.Words, &size.Lines
	}
	if p := a.Picture; p != nil {
		r.File, r.ContentType, r.Width, r.Height = o.path(p.Path), p.ContentType, p.Width, p.Height
		r.Bytes, r.SHA256 = &p.Bytes, p.SHA256
	}
	if a.State == history.Running && !a.Started.IsZero() {
		r.Started = new(a.Started.UTC())
	}
	if took, ok := c.took(); ok {
		r.ElapsedMS = new(took.Milliseconds())
	}
	if a.QueueWait >= time.Millisecond {
		r.QueueMS = new(a.QueueWait.Milliseconds())
	}
	if a.FirstToken > 0 {
		r.FirstTokenMS = new(a.FirstToken.Milliseconds())
	}
	if a.Thinking > 0 {
		r.ThinkingMS = new(a.Thinking.Milliseconds())
	}
	switch {
	case a.Failure != nil:
		r.Error = a.Failure
	case a.State == history.Cancelled || a.State == history.Interrupted:
		came := "came"
		if c.isPartial() {
			came = "was whole"
		}
		r.Error = &history.Failure{Code: "cancelled",
			Message: "The answer was " + a.State.Word() + " before it " + came + "."}
	}
	return r
}

// Restore sets the fields of an answer to those of the record. It recovers an answer whose process ended after saving
// the picture with its record, but before saving the answer.
func (r AnswerRecord) Restore(a *history.Answer) {
	a.ServedModel, a.Engine, a.EngineModel, a.ServiceNote = r.ServedModel, r.Engine, r.EngineModel, r.ServiceNote
	a.HTTPStatus, a.IsCached, a.Elapsed = r.HTTPStatus, r.IsCached, durationOf(r.ElapsedMS)
	a.QueueWait = durationOf(r.QueueMS)
	a.FirstToken, a.Thinking = durationOf(r.FirstTokenMS), durationOf(r.ThinkingMS)
	a.Finish, a.Usage, a.Ignored = r.Finish, r.Usage, r.Ignored
	if r.Cost != nil {
		a.Cost = history.Cost{Amount: *r.Cost, Currency: r.Currency}
	}
}

// durationOf returns a duration of a record; zero if absent.
func durationOf(ms *int64) time.Duration {
	if ms == nil {
		return 0
	}
	return time.Duration(*ms) * time.Millisecond
}

// size returns the size of a done text; ok is false if there is none.
func (c Cell) size() (size format.TextSize, ok bool) {
	if c.Answer.Kind != history.KindText || c.Answer.State != history.Done {
		return format.TextSize{}, false
	}
	return format.MeasureText(c.Answer.Text), true
}

// took returns the time of the answer; ok is false if unknown.
func (c Cell) took() (took time.Duration, ok bool) {
	a := c.Answer
	return a.Elapsed, a.State.HasEnded() && !a.Started.IsZero()
}

// row is the record of an answer with the verdicts of its checks by name.
type row struct {
	LineRecord
	failure string
	checks  map[string]string
	reasons string // of the checks that did not pass
}

// column is a column of a CSV. Values that do not apply to an answer are empty, never 0.
type column struct {
	name string
	text func(row) string
}

// columns returns the columns of a run with these variables and checks.
func columns(vars, checks []string) []column {
	list := []column{
		{"run", func(r row) string { return number(r.Run) }},
		{"session", func(r row) string { return number(r.Session) }},
		{"turn", func(r row) string { return number(r.Turn) }},
		{"cell", func(r row) string { return strconv.Itoa(r.Cell) }},
		{"sample", func(r row) string { return strconv.Itoa(r.Sample) }},
		{"provider", func(r row) string { return r.Provider }},
		{"model asked", func(r row) string { return r.Model }},
		{"model served", func(r row) string { return r.ServedModel }},
		{"description", func(r row) string { return r.Description }},
		{"prompt id", func(r row) string { return r.PromptID }},
		{"prompt", func(r row) string { return r.Prompt }},
		{"system", func(r row) string { return r.System }},
	}
	for _, name := range vars {
		list = append(list, column{"var." + name, func(r row) string { return r.Vars[name] }})
	}
	list = append(list,
		column{"answer", func(r row) string { return cmp.Or(r.File, optional(r.Text)) }},
		column{"state", func(r row) string { return string(r.State) }},
		column{"error", func(r row) string { return r.failure }},
		column{"ms", func(r row) string { return optional(r.ElapsedMS) }},
		column{"reused", func(r row) string { return strconv.FormatBool(r.IsCached) }},
		column{"bytes", func(r row) string { return optional(r.Bytes) }},
		column{"chars", func(r row) string { return optional(r.Chars) }},
		column{"words", func(r row) string { return optional(r.Words) }},
		column{"lines", func(r row) string { return optional(r.Lines) }},
		column{"verdict", func(r row) string { return string(r.Verdict) }},
		column{"inconclusive", func(r row) string { return string(r.Why) }},
	)
	for _, name := range checks {
		list = append(list, column{"check." + name, func(r row) string { return r.checks[name] }})
	}
	list = append(list,
		column{"rating", func(r row) string { return rating(r.Rating) }},
		column{"winner", func(r row) string { return strings.TrimPrefix(strconv.FormatBool(r.IsWinner), "false") }},
		column{"note", func(r row) string { return r.Note }},
		column{"engine", func(r row) string { return r.Engine }},
		column{"engine model", func(r row) string { return r.EngineModel }},
		column{"service note", func(r row) string { return r.ServiceNote }},
		column{"first token ms", func(r row) string { return optional(r.FirstTokenMS) }},
		column{"partial answer", func(r row) string { return r.PartialText }},
		column{"finish", func(r row) string { return string(r.Finish) }},
		column{"input tokens", func(r row) string { return number(r.InputTokens) }},
		column{"output tokens", func(r row) string { return number(r.OutputTokens) }},
		column{"reasoning tokens", func(r row) string { return number(r.ReasoningTokens) }},
		column{"cost", func(r row) string { return optional(r.Cost) }},
		column{"currency", func(r row) string { return r.Currency }},
		column{"parameters", func(r row) string { return paramsText(r.Params) }},
		column{"ignored", func(r row) string { return strings.Join(r.Ignored, ", ") }},
		column{"omitted turns", func(r row) string { return number(r.OmittedTurns) }},
		column{"queue ms", func(r row) string { return optional(r.QueueMS) }},
		column{"earlier verdict", func(r row) string { return r.EarlierVerdict }},
		column{"files", func(r row) string {
			var names []string
			for _, f := range r.Files {
				names = append(names, f.Name)
			}
			return strings.Join(names, "\n")
		}},
		column{"reasons", func(r row) string { return r.reasons }},
		column{"branch", func(r row) string {
			return history.Turn{ID: r.Turn, Siblings: r.Branches}.BranchText()
		}},
	)
	return append(list, voteColumns()...)
}

// voteColumns returns the columns of the votes on an answer.
func voteColumns() (list []column) {
	for _, votes := range []struct {
		name  string
		count func(history.Tally) int
	}{
		{"won", func(t history.Tally) int { return t.Wins }}, {"lost", func(t history.Tally) int { return t.Losses }},
		{"equal", func(t history.Tally) int { return t.Ties }}, {"bad", func(t history.Tally) int { return t.Bad }},
		{"blind", func(t history.Tally) int { return t.Blind }},
	} {
		list = append(list, column{"votes " + votes.name, func(r row) string {
			if r.Votes == nil {
				return ""
			}
			return strconv.Itoa(votes.count(*r.Votes))
		}})
	}
	return list
}

// optional formats a value; nil is empty.
func optional[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}

// number formats an id or a number of tokens; zero is empty.
func number[T int | int64](n T) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}
