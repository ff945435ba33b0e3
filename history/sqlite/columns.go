package sqlite

import (
	"database/sql"
	"encoding/json"
	"slices"

	"confab/history"
)

// answerRow is an answer as the table answers holds it. Its methods are the only place that lists the columns.
type answerRow struct {
	history.Answer
	failure                      history.Failure
	queued, started, ended       sql.NullInt64
	path, contentType, sha256    sql.NullString
	width, height, bytes, parent sql.NullInt64
	tooLarge                     sql.NullBool
	owner                        ownerRow
	answerOrigin
}

// immutableColumns are the columns that are set when the answer is added and that [Store.SaveAnswer] leaves alone.
func (r *answerRow) immutableColumns() []column {
	return []column{
		{"turn", &r.Turn}, {"model", &r.Model}, {"kind", &r.Kind}, {"sample", &r.Sample},
		{"rating", &r.Rating}, {"winner", &r.Winner}, {"note", &r.Note},
	}
}

// mutableColumns are the columns that change while the answer comes in.
func (r *answerRow) mutableColumns() []column {
	return []column{
		{"state", &r.State}, {"version", &r.Version}, {"answer", &r.Text}, {"served_model", &r.ServedModel},
		{"failure_code", &r.failure.Code}, {"failure_message", &r.failure.Message},
		{"sent_prompt", &r.SentPrompt}, {"sent_nonce", &r.SentNonce}, {"source_url", &r.SourceURL},
		{"http_status", &r.HTTPStatus}, {"cached", &r.Cached},
		{"queued", &r.queued}, {"started", &r.started}, {"ended", &r.ended}, {"elapsed", &r.Elapsed},
		{"first_token", &r.FirstToken}, {"masked", &r.Masked}, {"sha256", &r.SHA256},
		{"engine", &r.Engine}, {"engine_model", &r.EngineModel}, {"service_note", &r.ServiceNote},
		{"picture_path", &r.path}, {"picture_type", &r.contentType}, {"picture_width", &r.width},
		{"picture_height", &r.height}, {"picture_bytes", &r.bytes}, {"picture_sha256", &r.sha256},
		{"picture_parent", &r.parent}, {"picture_too_large", &r.tooLarge},
	}
}

// selectColumns are the columns that reading an answer takes.
func (r *answerRow) selectColumns() []column {
	return slices.Concat([]column{{"id", &r.ID}}, r.immutableColumns(), r.mutableColumns())
}

// insertColumns are the columns that adding an answer writes.
func (r *answerRow) insertColumns() []column {
	origin := []column{{"later", &r.later}, {"copied", &r.copied}}
	return slices.Concat(r.immutableColumns(), r.mutableColumns(), r.owner.columns(), origin)
}

// updateColumns are the columns that [Store.SaveAnswer] writes.
func (r *answerRow) updateColumns() []column { return append(r.mutableColumns(), r.owner.columns()...) }

// answerColumns are the columns of an answer "a", as scanAnswer reads them.
func answerColumns() string { return columnList("a.", new(answerRow).selectColumns()) }

func scanAnswer(r rowScanner, more ...any) (history.Answer, error) {
	var row answerRow
	err := r.Scan(append(fieldsOf(row.selectColumns()), more...)...)
	a := row.Answer
	a.Queued, a.Started, a.Ended = fromMillis(row.queued), fromMillis(row.started), fromMillis(row.ended)
	if row.failure != (history.Failure{}) {
		failure := row.failure
		a.Failure = &failure
	}
	if row.path.Valid {
		a.Picture = &history.Picture{Path: row.path.String, ContentType: row.contentType.String,
			SHA256: row.sha256.String,
			Width:  int(row.width.Int64), Height: int(row.height.Int64), Bytes: row.bytes.Int64,
			Parent: row.parent.Int64, TooLarge: row.tooLarge.Bool}
	}
	return a, err
}

// rowOfAnswer returns the row that holds an answer.
func rowOfAnswer(a history.Answer) *answerRow {
	r := &answerRow{Answer: a, queued: toMillis(a.Queued), started: toMillis(a.Started), ended: toMillis(a.Ended)}
	if a.Failure != nil {
		r.failure = *a.Failure
	}
	if p := a.Picture; p != nil {
		text := func(s string) sql.NullString { return sql.NullString{String: s, Valid: true} }
		number := func(n int64) sql.NullInt64 { return sql.NullInt64{Int64: n, Valid: true} }
		r.path, r.contentType, r.sha256 = text(p.Path), text(p.ContentType), text(p.SHA256)
		r.width, r.height, r.bytes = number(int64(p.Width)), number(int64(p.Height)), number(p.Bytes)
		r.parent, r.tooLarge = number(p.Parent), sql.NullBool{Bool: p.TooLarge, Valid: true}
	}
	return r
}

// turnRow is a turn as the table turns holds it. Its methods are the only place that lists the columns.
type turnRow struct {
	history.Turn
	created   sql.NullInt64
	hasSource bool
	source    history.Source
	vars      string // JSON; empty without variables
	tokens    string // see [filterTokens]
}

// columns are the columns of a turn but its id and its filter tokens.
func (r *turnRow) columns() []column {
	return []column{
		{"session", &r.Session}, {"created", &r.created}, {"prompt", &r.Prompt}, {"system", &r.System},
		{"aspect", &r.Aspect}, {"nonce_mode", &r.Nonce.Mode}, {"nonce_value", &r.Nonce.Value},
		{"source", &r.hasSource}, {"source_answer", &r.source.Answer}, {"source_path", &r.source.Path},
		{"source_url", &r.source.URL}, {"samples", &r.Samples}, {"context", &r.Context},
		{"vars", &r.vars}, {"template", &r.Template}, {"system_template", &r.SystemTemplate},
	}
}

// selectColumns are the columns that reading a turn takes.
func (r *turnRow) selected() []column { return append([]column{{"id", &r.ID}}, r.columns()...) }

// insertColumns are the columns that adding a turn writes.
func (r *turnRow) inserted() []column { return append(r.columns(), column{"facts", &r.tokens}) }

// turnColumns are the columns of a turn "t", as scanTurn reads them.
func turnColumns() string { return columnList("t.", new(turnRow).selected()) }

func scanTurn(r rowScanner, more ...any) (history.Turn, error) {
	var row turnRow
	err := r.Scan(append(fieldsOf(row.selected()), more...)...)
	t := row.Turn
	t.Created = fromMillis(row.created)
	if row.vars != "" && err == nil {
		if bad := json.Unmarshal([]byte(row.vars), &t.Vars); bad != nil {
			return t, &history.StoreError{Step: "read the variables", Kind: history.ErrCorrupt, Cause: bad}
		}
	}
	if row.hasSource {
		source := row.source
		t.Source = &source
	}
	return t, err
}

// rowOfTurn returns the row that holds a turn.
func rowOfTurn(t history.Turn, tokens string) (*turnRow, error) {
	r := &turnRow{Turn: t, created: toMillis(t.Created), tokens: tokens}
	if t.Source != nil {
		r.hasSource, r.source = true, *t.Source
	}
	if len(t.Vars) == 0 {
		return r, nil
	}
	b, err := json.Marshal(t.Vars)
	r.vars = string(b)
	return r, err
}

// cellRow is a cell as the table cells holds it, with what is read of its answer. Its methods are the only place that
// lists the columns.
type cellRow struct {
	history.Cell
	vars   string         // JSON
	checks sql.NullString // JSON; null until the checks are judged
}

// mutableColumns are the columns that [Store.PutCell] writes.
func (r *cellRow) changing() []column {
	return []column{
		{"number", &r.Number}, {"test", &r.Test}, {"repeat", &r.Repeat}, {"table_row", &r.Row},
		{"table_column", &r.Column}, {"provider", &r.Provider}, {"prompt", &r.Prompt},
		{"description", &r.Description}, {"vars", &r.vars}, {"checks", &r.checks},
	}
}

// insertColumns are the columns that adding a cell writes.
func (r *cellRow) inserted() []column {
	return append([]column{{"run", &r.Run}, {"turn", &r.Turn}, {"answer", &r.Answer}, {"key", &r.Key}}, r.changing()...)
}

// selectColumns are the columns of the cell that reading it takes.
func (r *cellRow) selected() []column { return append([]column{{"id", &r.ID}}, r.inserted()...) }

// ofAnswer are the columns of the cell's answer that reading the cell takes.
func (r *cellRow) ofAnswer() []column {
	return []column{{"model", &r.Model}, {"kind", &r.Kind}, {"state", &r.State}, {"elapsed", &r.Elapsed},
		{"cached", &r.Cached}, {"failure_code", &r.FailureCode}}
}

// cellColumns are the columns of a cell "c" and its answer "a", as scanCell reads them.
func cellColumns() string {
	r := new(cellRow)
	return columnList("c.", r.selected()) + ", " + columnList("a.", r.ofAnswer())
}

func scanCell(r rowScanner) (history.Cell, error) {
	var row cellRow
	if err := r.Scan(fieldsOf(append(row.selected(), row.ofAnswer()...))...); err != nil {
		return row.Cell, err
	}
	c := row.Cell
	if err := json.Unmarshal([]byte(row.vars), &c.Vars); err != nil {
		return c, &history.StoreError{Step: "read the variables", Kind: history.ErrCorrupt, Cause: err}
	}
	if c.Judged = row.checks.Valid; c.Judged {
		if err := json.Unmarshal([]byte(row.checks.String), &c.Checks); err != nil {
			return c, &history.StoreError{Step: "read the checks", Kind: history.ErrCorrupt, Cause: err}
		}
	}
	return c, nil
}

// rowOfCell returns the row that holds a cell.
func rowOfCell(c history.Cell) (*cellRow, error) {
	vars, err := json.Marshal(c.Vars)
	r := &cellRow{Cell: c, vars: string(vars)}
	if err != nil || !c.Judged {
		return r, err
	}
	if c.Checks == nil {
		c.Checks = []history.CheckResult{}
	}
	checks, err := json.Marshal(c.Checks)
	r.checks = sql.NullString{String: string(checks), Valid: true}
	return r, err
}
