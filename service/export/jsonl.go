package export

import (
	"encoding/json"
	"io"
	"time"

	"confab/history"
)

// lineJSON is an answer of a run as programs see it; its field names are stable
// and those of `confab ask --json` where they mean the same. Absent fields are
// left out.
type lineJSON struct {
	Run            int64             `json:"run,omitempty"`
	RunName        string            `json:"run_name,omitempty"`
	Cell           int               `json:"cell,omitempty"`
	Session        int64             `json:"session,omitempty"`
	Turn           int64             `json:"turn,omitempty"`
	Answer         int64             `json:"answer,omitempty"`
	Saved          *bool             `json:"saved,omitempty"`
	Created        *time.Time        `json:"created,omitempty"`
	PromptID       string            `json:"prompt_id,omitempty"`
	Description    string            `json:"description,omitempty"`
	Prompt         string            `json:"prompt"`
	System         string            `json:"system,omitempty"`
	Vars           map[string]string `json:"vars,omitempty"`
	Template       string            `json:"template,omitempty"`
	SystemTemplate string            `json:"system_template,omitempty"`
	Aspect         string            `json:"aspect,omitempty"`
	Model          string            `json:"model"`
	ServedModel    string            `json:"served_model,omitempty"`
	Engine         string            `json:"engine,omitempty"`
	EngineModel    string            `json:"engine_model,omitempty"`
	ServiceNote    string            `json:"service_note,omitempty"`
	Kind           history.Kind      `json:"kind"`
	Sample         int               `json:"sample"`
	State          history.State     `json:"state"`
	Text           *string           `json:"text,omitempty"`
	Chars          *int              `json:"chars,omitempty"`
	Words          *int              `json:"words,omitempty"`
	Lines          *int              `json:"lines,omitempty"`
	File           string            `json:"file,omitempty"`
	ContentType    string            `json:"content_type,omitempty"`
	Width          int               `json:"width,omitempty"`
	Height         int               `json:"height,omitempty"`
	Bytes          *int64            `json:"bytes,omitempty"`
	SHA256         string            `json:"sha256,omitempty"`
	SentNonce      string            `json:"sent_nonce,omitempty"`
	SourceURL      string            `json:"source_url,omitempty"`
	ElapsedMS      *int64            `json:"elapsed_ms,omitempty"`
	HTTPStatus     int               `json:"http_status,omitempty"`
	Cached         bool              `json:"cached,omitempty"`
	Error          *errorJSON        `json:"error,omitempty"`
	Verdict        string            `json:"verdict,omitempty"`
	Checks         []checkJSON       `json:"checks,omitempty"`
	Rating         history.Rating    `json:"rating,omitempty"`
	Winner         bool              `json:"winner,omitempty"`
	Note           string            `json:"note,omitempty"`
}

type errorJSON struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type checkJSON struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"`
}

// JSONL writes one JSON object for each answer, each on a line of its own.
func JSONL(out io.Writer, run Run, o Options) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, c := range run.Cells {
		if err := enc.Encode(lineOf(run, c, o)); err != nil {
			return err
		}
	}
	return nil
}

func lineOf(run Run, c Cell, o Options) lineJSON {
	a := c.Answer
	j := lineJSON{
		Run: run.ID, RunName: run.Name, Cell: c.Number, Session: c.Turn.Session, Turn: c.Turn.ID, Answer: a.ID,
		PromptID: c.Prompt, Description: c.Description, Verdict: string(c.verdict()), Prompt: c.Turn.Prompt, System: c.Turn.System, Vars: c.Vars,
		Template: c.Turn.Template, SystemTemplate: c.Turn.SystemTemplate, Aspect: c.Turn.Aspect,
		Model: a.Model, ServedModel: a.ServedModel, Engine: a.Engine, EngineModel: a.EngineModel, ServiceNote: a.ServiceNote, Kind: a.Kind, Sample: a.Sample, State: a.State,
		SHA256: a.SHA256, SentNonce: a.SentNonce, SourceURL: a.SourceURL, HTTPStatus: a.HTTPStatus, Cached: a.Cached,
		Rating: a.Rating, Winner: a.Winner, Note: a.Note,
	}
	if c.Unsaved {
		saved := false
		j.Saved = &saved
	}
	if !c.Turn.Created.IsZero() {
		created := c.Turn.Created.UTC()
		j.Created = &created
	}
	if size, ok := c.size(); ok {
		bytes := int64(size.Bytes)
		j.Text, j.Bytes, j.Chars, j.Words, j.Lines = &a.Text, &bytes, &size.Chars, &size.Words, &size.Lines
	}
	if p := a.Picture; p != nil {
		j.File, j.ContentType, j.Width, j.Height, j.Bytes, j.SHA256 = o.path(a), p.ContentType, p.Width, p.Height, &p.Bytes, p.SHA256
	}
	if d, ok := c.took(); ok {
		ms := d.Milliseconds()
		j.ElapsedMS = &ms
	}
	if f := a.Failure; f != nil {
		j.Error = &errorJSON{f.Code, f.Message}
	}
	for _, check := range c.Checks {
		j.Checks = append(j.Checks, checkJSON(check))
	}
	return j
}
