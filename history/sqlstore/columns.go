package sqlstore

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"strings"
	"time"

	"confab/history"
)

// This file lists the columns of each table once. A new field of an answer is a line in answerRow.changing. It needs
// a field of answerRow where the column and the field differ in more than their types.

// answerRow is a row of the table answers.
type answerRow struct {
	history.Answer
	failure           history.Failure
	picture           history.Picture
	hasPicture        bool
	process           processRow
	isLater, isCopied bool // added after the turn was sent; copied by a fork
}

// fixed returns the columns that [Store.SaveAnswer] does not change.
func (r *answerRow) fixed() []column {
	return []column{
		{"turn", &r.Turn}, {"model", &r.Model}, {"sample", &r.Sample},
		{"rating", &r.Rating}, {"winner", &r.IsWinner}, {"note", &r.Note},
		{"later", &r.isLater}, {"copied", &r.isCopied},
	}
}

// changing returns the columns that [Store.SaveAnswer] changes.
func (r *answerRow) changing() []column {
	p := &r.picture
	return append(r.process.columns(), []column{
		{"kind", &r.Kind}, {"state", &r.State}, {"version", &r.Version}, {"answer", &r.Text},
		{"served_model", &r.ServedModel},
		{"failure_code", &r.failure.Code}, {"failure_message", &r.failure.Message},
		{"sent_prompt", &r.SentPrompt}, {"sent_nonce", &r.SentNonce}, {"source_url", &r.SourceURL},
		{"sent_turns", jsonText{value: &r.SentTurns}}, {"sent_messages", jsonText{value: &r.SentMessages}},
		{"ignored", jsonText{value: &r.Ignored}},
		{"omitted_turns", &r.OmittedTurns},
		{"http_status", &r.HTTPStatus}, {"cached", &r.IsCached},
		{"reasoning", &r.Reasoning}, {"finish", &r.Finish}, {"thinking", &r.Thinking},
		{"input_tokens", &r.Usage.InputTokens}, {"output_tokens", &r.Usage.OutputTokens},
		{"reasoning_tokens", &r.Usage.ReasoningTokens},
		{"cost", &r.Cost.Amount}, {"currency", &r.Cost.Currency},
		{"queued", millis{&r.Queued}}, {"started", millis{&r.Started}}, {"ended", millis{&r.Ended}},
		{"elapsed", &r.Elapsed}, {"first_token", &r.FirstToken}, {"queue_wait", &r.QueueWait},
		{"masked", &r.IsMasked}, {"sha256", &r.SHA256},
		{"engine", &r.Engine}, {"engine_model", &r.EngineModel}, {"service_note", &r.ServiceNote},
		{"picture_path", nullable[string]{&p.Path, &r.hasPicture}},
		{"picture_type", nullable[string]{&p.ContentType, &r.hasPicture}},
		{"picture_width", nullable[int]{&p.Width, &r.hasPicture}},
		{"picture_height", nullable[int]{&p.Height, &r.hasPicture}},
		{"picture_bytes", nullable[int64]{&p.Bytes, &r.hasPicture}},
		{"picture_sha256", nullable[string]{&p.SHA256, &r.hasPicture}},
		{"picture_parent", nullable[int64]{&p.Parent, &r.hasPicture}},
		{"picture_too_large", nullable[bool]{&p.IsTooLarge, &r.hasPicture}},
	}...)
}

func (r *answerRow) columns() []column { return append(r.fixed(), r.changing()...) }

// answerColumns lists the columns of an answer "a", as scanAnswerRow reads them.
func answerColumns() string { return "a.id, " + columnList("a.", new(answerRow).columns()) }

func (tx *Tx) scanAnswerRow(row Scanner) answerRow {
	var r answerRow
	row(append([]any{&r.ID}, fieldsOf(r.columns())...)...)
	tx.markIDs(&r.ID, &r.Turn, &r.picture.Parent)
	for i := range r.SentTurns.Turns {
		tx.markIDs(&r.SentTurns.Turns[i].Turn, &r.SentTurns.Turns[i].Answer)
	}
	if tx.owner != "" { // judgements are not shared
		r.Rating, r.Note = history.Unrated, ""
	}
	if r.failure != (history.Failure{}) {
		r.Failure = &r.failure
	}
	if r.hasPicture {
		r.Picture = &r.picture
		tx.markShared(&r.picture.Path, r.ID)
	}
	return r
}

func (tx *Tx) scanAnswer(row Scanner) history.Answer { return tx.scanAnswerRow(row).Answer }

// markShared marks the path of another user's file. The file is the picture of an answer, or another one for 0.
func (tx *Tx) markShared(path *string, answer int64) {
	if tx.owner != "" && *path != "" {
		*path = history.SharedPicturePath(tx.owner, answer, *path)
	}
}

func rowOfAnswer(a history.Answer) *answerRow {
	r := &answerRow{Answer: a}
	if a.Failure != nil {
		r.failure = *a.Failure
	}
	if a.Picture != nil {
		r.picture, r.hasPicture = *a.Picture, true
	}
	return r
}

// turnRow is a row of the table turns.
type turnRow struct {
	history.Turn
	source    history.Source
	hasSource bool
	facts     string // see [filterWords]
}

// columns returns the columns of a turn except its id and facts.
func (r *turnRow) columns() []column {
	return []column{
		{"session", &r.Session}, {"parent", &r.Parent}, {"off_path", &r.IsHidden},
		{"created", millis{&r.Created}}, {"prompt", &r.Prompt}, {"system", &r.System},
		{"aspect", &r.Aspect}, {"nonce_mode", &r.Nonce.Mode}, {"nonce_value", &r.Nonce.Value},
		{"source", &r.hasSource}, {"source_answer", &r.source.Answer}, {"source_path", &r.source.Path},
		{"source_url", &r.source.URL}, {"samples", &r.Samples}, {"context", &r.HasContext},
		{"params", jsonText{value: &r.Params}},
		{"vars", jsonText{value: &r.Vars}}, {"template", &r.Template}, {"system_template", &r.SystemTemplate},
	}
}

// turnColumns lists the columns of a turn "t", as scanTurn reads them.
func turnColumns() string { return "t.id, " + columnList("t.", new(turnRow).columns()) }

func (tx *Tx) scanTurn(row Scanner) history.Turn {
	var r turnRow
	row(append([]any{&r.ID}, fieldsOf(r.columns())...)...)
	tx.markIDs(&r.ID, &r.Session, &r.Parent, &r.source.Answer)
	if r.hasSource {
		r.Source = &r.source
		tx.markShared(&r.source.Path, r.source.Answer)
	}
	return r.Turn
}

// fileRow is a row of the table turn_files.
type fileRow struct {
	history.File
	turn     int64
	position int
}

// columns returns the columns of a file except its id.
func (r *fileRow) columns() []column {
	return []column{{"turn", &r.turn}, {"position", &r.position}, {"name", &r.Name}, {"kind", &r.Kind},
		{"bytes", &r.Bytes}, {"sha256", &r.SHA256}, {"path", &r.Path}, {"body", &r.Text}}
}

// sessionFields returns the columns of a session except its id.
func sessionFields(s *history.Session) []column {
	return []column{{"name", &s.Name}, {"name_turn", &s.NameTurn},
		{"created", millis{&s.Created}}, {"updated", millis{&s.Updated}},
		{"turns", &s.Turns}, {"answers", &s.Answers}, {"pictures", &s.Pictures}, {"forked_from", &s.ForkedFrom},
		{"shared", &s.IsShared}}
}

// sessionColumns lists the columns of a session "s", as scanSession reads them.
func sessionColumns() string { return "s.id, " + columnList("s.", sessionFields(new(history.Session))) }

func (tx *Tx) scanSession(row Scanner) (s history.Session) {
	row(append([]any{&s.ID}, fieldsOf(sessionFields(&s))...)...)
	tx.markIDs(&s.ID, &s.ForkedFrom, &s.NameTurn)
	s.Owner = tx.owner
	return s
}

// personaColumns returns the columns of a persona except its id.
func personaColumns(p *history.Persona) []column {
	return []column{{"name", &p.Name}, {"body", &p.Text}, {"models", jsonText{value: &p.Models}},
		{"params", jsonText{value: &p.Params}}, {"updated", millis{&p.Updated}}}
}

// voteColumns returns the columns of a vote except its id.
func voteColumns(v *history.Vote) []column {
	return []column{{"turn", &v.Turn}, {"created", millis{&v.Created}}, {"answer_a", &v.AnswerA},
		{"answer_b", &v.AnswerB}, {"blind", &v.IsBlind}, {"verdict", &v.Preference}, {"model_a", &v.A.Model},
		{"model_b", &v.B.Model}}
}

// changingCellColumns returns the columns that [Store.PutCell] writes.
func changingCellColumns(c *history.Cell) []column {
	return []column{
		{"number", &c.Number}, {"test", &c.TestIndex}, {"repeat", &c.Repeat}, {"table_row", &c.Row},
		{"table_column", &c.Column}, {"provider", &c.Provider}, {"prompt", &c.Prompt},
		{"description", &c.Description}, {"vars", jsonText{value: &c.Vars, empty: "null"}},
		{"checks", jsonText{value: &c.Checks, empty: "[]", isSet: &c.IsJudged}},
		{"earlier_checks", jsonText{value: &c.EarlierChecks, empty: "null"}},
	}
}

// cellColumns returns the columns of a cell except its id.
func cellColumns(c *history.Cell) []column {
	return append([]column{{"run", &c.Run}, {"turn", &c.Turn}, {"answer", &c.Answer}, {"key", &c.Key}},
		changingCellColumns(c)...)
}

// cellAnswerColumns returns the columns of the cell's answer that are read with the cell.
func cellAnswerColumns(c *history.Cell) []column {
	return []column{{"model", &c.Model}, {"kind", &c.Kind}, {"state", &c.State}, {"elapsed", &c.Elapsed},
		{"cached", &c.IsCached}, {"failure_code", &c.FailureCode}, {"input_tokens", &c.Usage.InputTokens},
		{"output_tokens", &c.Usage.OutputTokens}, {"reasoning_tokens", &c.Usage.ReasoningTokens},
		{"cost", &c.Cost.Amount}, {"currency", &c.Cost.Currency}, {"winner", &c.IsWinner}}
}

// selectedCellColumns lists the columns of a cell "c", its answer "a" and its turn "t", as scanCell reads them.
func selectedCellColumns() string {
	c := new(history.Cell)
	return "c.id, " + columnList("c.", cellColumns(c)) + ", " + columnList("a.", cellAnswerColumns(c)) +
		", t.params, t.aspect, substr(coalesce(nullif(t.template, ''), t.prompt), 1, 240)" +
		", substr(coalesce(nullif(t.system_template, ''), t.system, ''), 1, 240)" +
		", a.finish, coalesce(substr(a.answer, 1, 1000), '')" // enough of the text to tell whether it is empty
}

func (tx *Tx) scanCell(row Scanner) (c history.Cell) {
	var a history.Answer
	fields := append([]any{&c.ID}, fieldsOf(append(cellColumns(&c), cellAnswerColumns(&c)...))...)
	var aspect string
	row(append(fields, jsonText{value: &c.Params}, &aspect, &c.Template, &c.System, &a.Finish, &a.Text)...)
	c.Params = c.Params.WithAspect(aspect)
	c.Template, c.System = history.Beginning(c.Template), history.Beginning(c.System)
	tx.markIDs(&c.ID, &c.Run, &c.Turn, &c.Answer)
	a.State, a.Kind = c.State, c.Kind
	c.Ending, c.Words = a.Ending(), strings.Clone(history.Beginning(a.Text))
	return c
}

// fixedRunColumns returns the columns that are set when a run starts.
func fixedRunColumns(r *history.Run) []column {
	return []column{{"session", &r.Session}, {"started", millis{&r.Started}}, {"suite", &r.Suite}, {"path", &r.Path}}
}

// changingRunColumns returns the columns that [Store.PutRun] writes.
func changingRunColumns(r *history.Run) []column {
	return []column{{"ended", millis{&r.Ended}}, {"sha256", &r.SHA256}, {"planned", &r.Planned}, {"note", &r.Note},
		{"how", jsonText{value: &r.Options}}}
}

// millis stores a time as milliseconds, and the zero time as null.
type millis struct{ at *time.Time }

// Scan implements [sql.Scanner].
func (m millis) Scan(from any) error {
	var read sql.NullInt64
	err := read.Scan(from)
	*m.at = time.Time{}
	if read.Valid {
		*m.at = time.UnixMilli(read.Int64).UTC()
	}
	return err
}

// Value implements [driver.Valuer].
func (m millis) Value() (driver.Value, error) {
	if m.at.IsZero() {
		return nil, nil
	}
	return m.at.UnixMilli(), nil
}

// nullable stores a field as null while isSet is false.
type nullable[T any] struct {
	value *T
	isSet *bool
}

// Scan implements [sql.Scanner].
func (n nullable[T]) Scan(from any) error {
	var read sql.Null[T]
	err := read.Scan(from)
	*n.value, *n.isSet = read.V, read.Valid
	return err
}

// Value implements [driver.Valuer].
func (n nullable[T]) Value() (driver.Value, error) {
	if !*n.isSet {
		return nil, nil
	}
	return driver.DefaultParameterConverter.ConvertValue(*n.value)
}

// jsonText stores a field as JSON. An empty value is stored as the text of the field "empty", and as null while isSet
// points to false.
type jsonText struct {
	value any // a pointer
	empty string
	isSet *bool
}

// Scan implements [sql.Scanner].
func (j jsonText) Scan(from any) error {
	var read sql.NullString
	if err := read.Scan(from); err != nil {
		return err
	}
	if j.isSet != nil {
		*j.isSet = read.Valid
	}
	if read.String == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(read.String), j.value); err != nil {
		return &history.StoreError{Step: "read a stored value", Kind: history.ErrCorrupt, Cause: err}
	}
	return nil
}

// Value implements [driver.Valuer].
func (j jsonText) Value() (driver.Value, error) {
	if j.isSet != nil && !*j.isSet {
		return nil, nil
	}
	text, err := json.Marshal(j.value)
	switch string(text) {
	case "null", "{}":
		return j.empty, err
	}
	return string(text), err
}
