package export

import (
	"time"

	"confab/history"
)

// questionRecord is the question of an answer.
type questionRecord struct {
	Created        *time.Time        `json:"created,omitempty"`
	Prompt         string            `json:"prompt"`
	System         string            `json:"system,omitempty"`
	Vars           map[string]string `json:"vars,omitempty"`
	Template       string            `json:"template,omitempty"`
	SystemTemplate string            `json:"system_template,omitempty"`
	Params         history.Params    `json:"params,omitempty"`
	Aspect         string            `json:"aspect,omitempty"`
	Source         *history.Source   `json:"source,omitempty"`
	Parent         int64             `json:"parent,omitempty"`   // the turn before
	Branches       []int64           `json:"branches,omitempty"` // the turns after the same turn, this one among them
	IsHidden       bool              `json:"hidden,omitempty"`   // not on the branch that the session shows
	Files          []fileRecord      `json:"files,omitempty"`
}

// fileRecord is a file that went with a prompt.
type fileRecord struct {
	Name   string           `json:"name"`
	Kind   history.FileKind `json:"kind"`
	Bytes  int64            `json:"bytes"`
	SHA256 string           `json:"sha256"`
	Text   *string          `json:"text,omitempty"` // of a text
	File   string           `json:"file,omitempty"` // the kept copy of a picture
}

// LineRecord is a self-contained answer with its run, its question and its checks.
type LineRecord struct {
	Run         int64  `json:"run,omitempty"`
	RunName     string `json:"run_name,omitempty"`
	Cell        int    `json:"cell,omitempty"`
	Provider    string `json:"provider,omitempty"` // the suite's name of the model: a label, or llm:<model>
	PromptID    string `json:"prompt_id,omitempty"`
	Description string `json:"description,omitempty"`
	AnswerRecord
	questionRecord
	Verdict history.Verdict       `json:"verdict,omitempty"`
	Why     history.CellStatus    `json:"inconclusive,omitempty"` // why the verdict is neither passed nor failed
	Checks  []history.CheckResult `json:"checks,omitempty"`
	// EarlierVerdict and EarlierChecks are earlier judgements, the oldest first.
	EarlierVerdict string                  `json:"earlier_verdict,omitempty"`
	EarlierChecks  [][]history.CheckResult `json:"earlier_checks,omitempty"`
	Votes          *history.Tally          `json:"votes,omitempty"`
}

// turnRecord is a turn with its answers.
type turnRecord struct {
	Turn    int64 `json:"turn,omitempty"`
	Session int64 `json:"session,omitempty"`
	questionRecord
	Nonce      *history.Nonce `json:"nonce,omitempty"`
	HasContext bool           `json:"context,omitempty"`
	Answers    []AnswerRecord `json:"answers"`
}

// newLineRecord returns the record of an answer of a run with its question.
func newLineRecord(run Run, c Cell, o Options) LineRecord {
	r := LineRecord{
		Run: run.ID, RunName: run.Name, Cell: c.Number, Provider: c.Provider, PromptID: c.Prompt,
		Description: c.Description, AnswerRecord: NewAnswerRecord(c, o),
		questionRecord: newQuestionRecord(c.Turn, c.Vars, o), Checks: c.Checks, Votes: c.Votes,
		EarlierVerdict: history.VerdictsOf(c.Answer.Ending(), c.EarlierChecks), EarlierChecks: c.EarlierChecks,
	}
	if status := c.status(); status != "" {
		r.Verdict, r.Why = status.Result()
	}
	return r
}

func newQuestionRecord(t history.Turn, vars map[string]string, o Options) questionRecord {
	r := questionRecord{
		Prompt: t.Prompt, System: t.System, Vars: vars, Template: t.Template, SystemTemplate: t.SystemTemplate,
		Aspect: t.Aspect, Source: t.Source, Params: t.Params,
		Parent: t.Parent, Branches: t.Siblings, IsHidden: t.IsHidden,
	}
	if !t.Created.IsZero() {
		r.Created = new(t.Created.UTC())
	}
	if s := t.Source; s != nil && s.Path != "" {
		r.Source = &history.Source{Answer: s.Answer, Path: o.path(s.Path), URL: s.URL}
	}
	for _, f := range t.Files {
		file := fileRecord{Name: f.Name, Kind: f.Kind, Bytes: f.Bytes, SHA256: f.SHA256}
		if f.Kind == history.TextFile {
			file.Text = &f.Text
		} else {
			file.File = o.path(f.Path)
		}
		r.Files = append(r.Files, file)
	}
	return r
}

func newTurnRecord(t Turn, o Options) turnRecord {
	r := turnRecord{
		Turn: t.ID, Session: t.Session, questionRecord: newQuestionRecord(t.Turn, t.Vars, o),
		HasContext: t.HasContext, Answers: []AnswerRecord{},
	}
	if t.Nonce.Mode != "" && t.Nonce.Mode != history.NonceNone {
		r.Nonce = &t.Nonce
	}
	for _, c := range t.Cells {
		r.Answers = append(r.Answers, NewAnswerRecord(c, o))
	}
	return r
}
