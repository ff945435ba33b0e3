package export

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"confab/history"
	"confab/service/problem"
)

// AnswerRecord returns an answer of a turn as scripts see it, with the whole path of its picture.
func (e *Exporter) AnswerRecord(t history.Turn, a history.Answer) AnswerRecord {
	return NewAnswerRecord(e.Cell(t, a), Options{Path: SavedPath})
}

// LineRecord returns an answer of a turn as scripts see it, with what was asked.
func (e *Exporter) LineRecord(t history.Turn, a history.Answer) LineRecord {
	return NewLineRecord(Run{}, e.Cell(t, a), Options{Path: SavedPath})
}

// TurnMarkdown returns a turn as Markdown, as [Exporter.Write] writes it, with the whole paths of its pictures.
func TurnMarkdown(t history.Turn) string {
	var b strings.Builder
	written := Turn{Turn: t}
	for _, a := range t.Answers {
		written.Cells = append(written.Cells, Cell{Turn: t, Answer: a, Vars: t.Vars})
	}
	w := ConversationWriter{Out: &b, Format: FormatMarkdown, Options: Options{Path: SavedPath}}
	_ = w.WriteTurn(written) // writing to a builder cannot fail
	return b.String()
}

// Cell returns an answer of a turn as it is exported.
func (e *Exporter) Cell(t history.Turn, a history.Answer) Cell {
	t, a, isSaved := e.o.History.Stored(t, a)
	return Cell{Turn: t, Answer: a, Vars: t.Vars, Unsaved: !isSaved}
}

// turn returns a turn as it is exported.
func (e *Exporter) turn(t history.Turn) Turn {
	var exported Turn
	exported.Turn, _, _ = e.o.History.Stored(t, history.Answer{})
	for _, a := range t.Answers {
		exported.Cells = append(exported.Cells, e.Cell(t, a))
	}
	return exported
}

// OptionsFor returns the options of a document that is written to a path.
func (e *Exporter) OptionsFor(r Request, path string) Options {
	return Options{
		Picture: func(ctx context.Context, a history.Answer) ([]byte, error) {
			return e.o.Pictures.Read(ctx, a.Picture.Path)
		},
		Path: func(picture string) string {
			name := relativePath(path, picture)
			if r.As == FormatHTML && name != "" {
				return filepath.Base(name) // HTML holds the pictures and tells nothing of this machine
			}
			return name
		},
		SpreadsheetSafe: r.SpreadsheetSafe,
	}
}

// SavedPath returns the path of a picture, and nothing for one that is in memory only.
func SavedPath(path string) string {
	if history.IsUnsavedPicture(path) {
		return ""
	}
	return path
}

// relativePath returns the path of a picture as seen from the folder of a file. A picture on another drive is named by
// its file alone.
func relativePath(file, picture string) string {
	if SavedPath(picture) == "" {
		return ""
	}
	rel, err := filepath.Rel(filepath.Dir(file), picture)
	if err != nil {
		return filepath.Base(picture)
	}
	return filepath.ToSlash(rel)
}

// conversationDocument is an answer, a turn or a session as text, Markdown, JSON or JSON lines. The turns of a session
// are read while they are written.
func (e *Exporter) conversationDocument(ctx context.Context, r Request) (Document, error) {
	if len(r.Answers) > 0 {
		return Document{}, problem.Usage("several answers can be written as html, csv, contact-sheet or picture only")
	}
	doc := Document{Ext: r.As.ext()}
	var write func(ctx context.Context, out ConversationWriter) error
	switch {
	case r.Answer != 0:
		a, t, err := e.answerWithTurn(ctx, r.Answer)
		if err != nil {
			return Document{}, err
		}
		doc.Title = a.Model + " " + t.Prompt
		write = func(_ context.Context, out ConversationWriter) error { return out.WriteAnswer(e.Cell(t, a)) }
	case r.Turn != 0:
		t, err := e.o.History.Turn(ctx, r.Turn)
		if err != nil {
			return Document{}, err
		}
		doc.Title = t.Prompt
		write = func(_ context.Context, out ConversationWriter) error { return out.WriteTurn(e.turn(t)) }
	default:
		session, err := e.o.History.Session(ctx, r.Session)
		if err != nil {
			return Document{}, err
		}
		doc.Title = session.Name
		write = func(ctx context.Context, out ConversationWriter) error { return e.writeSession(ctx, out, session) }
	}
	doc.Write = func(ctx context.Context, out io.Writer, path string) error {
		return write(ctx, ConversationWriter{Out: out, Format: r.As, Options: e.OptionsFor(r, path)})
	}
	return doc, nil
}

// writeSession writes a session, whose turns are read while they are written.
func (e *Exporter) writeSession(ctx context.Context, out ConversationWriter, session history.Session) error {
	id := session.ID
	if !e.o.History.Saving() {
		session.ID = 0
	}
	return out.WriteSession(session, func(visit func(Turn) error) error {
		return e.o.History.EachTurn(ctx, id, func(t history.Turn) error { return visit(e.turn(t)) })
	})
}

// answerWithTurn returns an answer and its turn.
func (e *Exporter) answerWithTurn(ctx context.Context, id int64) (history.Answer, history.Turn, error) {
	a, err := e.o.History.Answer(ctx, id)
	if err != nil {
		return history.Answer{}, history.Turn{}, err
	}
	t, err := e.o.History.Turn(ctx, a.Turn)
	return a, t, err
}

// comparisonDocument is a document with answers beside each other.
func (e *Exporter) comparisonDocument(ctx context.Context, r Request) (Document, error) {
	run, err := e.comparedAnswers(ctx, r)
	if err != nil {
		return Document{}, err
	}
	doc := Document{Title: run.Name, Ext: r.As.ext(), IsExact: r.As == FormatContactSheet}
	doc.Write = func(ctx context.Context, out io.Writer, path string) error {
		return writeComparison(ctx, out, r.As, run, e.OptionsFor(r, path))
	}
	return doc, nil
}

// writeComparison writes answers beside each other.
func writeComparison(ctx context.Context, out io.Writer, as Format, run Run, o Options) error {
	switch as {
	case FormatCSV:
		return CSV(out, run, o)
	case FormatHTML:
		return HTML(ctx, out, run, o)
	case FormatContactSheet:
		return ContactSheet(ctx, out, run, o, fontFolders())
	}
	return Markdown(out, run, o)
}

// comparedAnswers gathers the answers that are written beside each other.
func (e *Exporter) comparedAnswers(ctx context.Context, r Request) (Run, error) {
	var run Run
	var err error
	switch {
	case len(r.Answers) > 0:
		err = e.addSelectedAnswers(ctx, r.Answers, &run)
	case r.Session != 0:
		var session history.Session
		if session, err = e.o.History.Session(ctx, r.Session); err == nil {
			run.Name, run.Created = session.Name, session.Created
			err = e.o.History.EachTurn(ctx, session.ID, func(t history.Turn) error {
				e.addTurn(&run, t)
				return nil
			})
		}
	case r.Answer != 0:
		var t history.Turn
		var a history.Answer
		if a, t, err = e.answerWithTurn(ctx, r.Answer); err == nil {
			t.Answers = []history.Answer{a}
			e.addTurn(&run, t)
		}
	default:
		var t history.Turn
		if t, err = e.o.History.Turn(ctx, r.Turn); err == nil {
			e.addTurn(&run, t)
		}
	}
	if err == nil && len(run.Cells) == 0 {
		err = problem.Usage("there is no answer to write")
	}
	return run, err
}

// addTurn adds the answers of a turn. The samples of a model have one number.
func (e *Exporter) addTurn(run *Run, t history.Turn) {
	if run.Name == "" {
		run.Name, run.Created = t.Prompt, t.Created
	}
	numbers := map[string]int{}
	for _, a := range t.Answers {
		if numbers[a.Model] == 0 {
			numbers[a.Model] = len(run.Cells) + 1
		}
		cell := e.Cell(t, a)
		cell.Number = numbers[a.Model]
		run.Cells = append(run.Cells, cell)
	}
}

// addSelectedAnswers adds answers in the order given, numbered by their places in it.
func (e *Exporter) addSelectedAnswers(ctx context.Context, ids []int64, run *Run) error {
	turns := map[int64]bool{}
	for i, id := range ids {
		a, t, err := e.answerWithTurn(ctx, id)
		if err != nil {
			return err
		}
		turns[t.ID] = true
		if i == 0 {
			run.Name, run.Created = t.Prompt, t.Created
		}
		cell := e.Cell(t, a)
		cell.Number = i + 1
		run.Cells = append(run.Cells, cell)
	}
	if len(turns) > 1 {
		run.Name = fmt.Sprintf("%s, and %d more", oneLine(run.Name), len(ids)-1)
	}
	return nil
}
