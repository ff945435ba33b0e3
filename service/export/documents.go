package export

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"confab/history"
	"confab/service/problem"
)

// AnswerRecord returns an answer's record for scripts with the path of its picture.
func (e *Exporter) AnswerRecord(t history.Turn, a history.Answer) AnswerRecord {
	return NewAnswerRecord(e.Cell(t, a), Options{Path: e.savedPath})
}

// LineRecord returns an answer's record for scripts with its question.
func (e *Exporter) LineRecord(t history.Turn, a history.Answer) LineRecord {
	return newLineRecord(Run{}, e.Cell(t, a), Options{Path: e.savedPath})
}

// TurnMarkdown returns a turn as Markdown in the form of [Exporter.Write]. Name maps the paths of its pictures.
func TurnMarkdown(t history.Turn, name func(path string) string) string {
	var b strings.Builder
	written := Turn{Turn: t}
	for _, a := range t.Answers {
		written.Cells = append(written.Cells, Cell{Turn: t, Answer: a, Vars: t.Vars})
	}
	w := ConversationWriter{Out: &b, Format: FormatMarkdown, Options: Options{
		Path: func(path string) string { return name(savedPath(path)) }}}
	_ = w.WriteTurn(written) // writing to a builder cannot fail
	return b.String()
}

// Cell returns an answer of a turn in the form for export.
func (e *Exporter) Cell(t history.Turn, a history.Answer) Cell {
	t, a, isSaved := e.o.History.Stored(t, a)
	return Cell{Turn: t, Answer: a, Vars: t.Vars, IsUnsaved: !isSaved}
}

// turn returns a turn in the form for export.
func (e *Exporter) turn(t history.Turn) Turn {
	var exported Turn
	exported.Turn, _, _ = e.o.History.Stored(t, history.Answer{})
	for _, a := range t.Answers {
		exported.Cells = append(exported.Cells, e.Cell(t, a))
	}
	return exported
}

// optionsFor returns the options of a document with a path.
func (e *Exporter) optionsFor(r Request, path string) Options {
	return Options{
		Picture: func(ctx context.Context, a history.Answer) ([]byte, error) {
			return e.o.Pictures.ReadPicture(ctx, *a.Picture)
		},
		Path: func(picture string) string {
			name := relativePath(path, picture)
			if r.As == FormatHTML && name != "" {
				return filepath.Base(name) // HTML embeds the pictures and reveals no paths
			}
			return name
		},
		IsExactCSV: r.IsExactCSV, HasReasoning: r.HasReasoning,
	}
}

// savedPath returns the path of a picture, or "" for one in memory.
func savedPath(path string) string {
	if history.IsUnsavedPicture(path) {
		return ""
	}
	return path
}

// savedPath returns the path of a picture as the user names it, or "" for one in memory.
func (e *Exporter) savedPath(path string) string { return e.o.Root.Name(savedPath(path)) }

// relativePath returns the path of a picture relative to the folder of a file. For a picture on another drive it
// returns the file name.
func relativePath(file, picture string) string {
	if savedPath(picture) == "" {
		return ""
	}
	rel, err := filepath.Rel(filepath.Dir(file), picture)
	if err != nil {
		return filepath.Base(picture)
	}
	return filepath.ToSlash(rel)
}

// selection is what a request names: turns with the answers to write.
type selection struct {
	title   string          // the basis of the file name
	run     Run             // without its cells
	session history.Session // of a request for a session; its id is zero if the permanent history lacks it
	// eachTurn visits the turns, reading those of a session page by page. It returns how many it leaves out, because
	// they are on branches that the session does not show.
	eachTurn func(ctx context.Context, visit func(history.Turn) error) (leftOut int, err error)
}

// selected returns what a request names.
func (e *Exporter) selected(ctx context.Context, r Request) (s selection, err error) {
	if r.Session != 0 {
		s.session, err = e.o.History.Session(ctx, r.Session)
		s.title, s.run = s.session.Name, Run{Name: s.session.Name, Created: s.session.Created}
		if !e.o.History.IsSaving() {
			s.session.ID = 0
		}
		hasHidden := r.As == FormatJSON || r.As == FormatJSONL
		s.eachTurn = func(ctx context.Context, visit func(history.Turn) error) (leftOut int, err error) {
			err = e.o.History.EachTurn(ctx, r.Session, func(t history.Turn) error {
				if t.IsHidden && !hasHidden {
					leftOut++
					return nil
				}
				return visit(t)
			})
			return leftOut, err
		}
		return s, err
	}
	turns, err := e.selectedTurns(ctx, r)
	if err != nil {
		return s, err
	}
	first := turns[0]
	s.run = Run{Name: first.Prompt, Created: first.Created}
	if slices.ContainsFunc(turns, func(t history.Turn) bool { return t.ID != first.ID }) {
		s.run.Name = fmt.Sprintf("%s, and %d more", oneLine(first.Prompt), len(turns)-1)
	}
	if s.title = s.run.Name; r.Answer != 0 {
		s.title = first.Answers[0].Model + " " + first.Prompt
	}
	s.eachTurn = func(_ context.Context, visit func(history.Turn) error) (leftOut int, err error) {
		for _, t := range turns {
			if err := visit(t); err != nil {
				return 0, err
			}
		}
		return 0, nil
	}
	return s, nil
}

// selectedTurns reads the turn of a request, or the turn of each of its answers with that answer only.
func (e *Exporter) selectedTurns(ctx context.Context, r Request) ([]history.Turn, error) {
	if r.IsTable {
		return e.o.History.Siblings(ctx, r.Turn)
	}
	if r.Turn != 0 {
		t, err := e.o.History.Turn(ctx, r.Turn)
		return []history.Turn{t}, err
	}
	ids := r.Answers
	if r.Answer != 0 {
		ids = []int64{r.Answer}
	}
	var turns []history.Turn
	for _, id := range ids {
		a, err := e.o.History.Answer(ctx, id)
		if err != nil {
			return nil, err
		}
		t, err := e.o.History.Turn(ctx, a.Turn)
		if err != nil {
			return nil, err
		}
		t.Answers = []history.Answer{a}
		turns = append(turns, t)
	}
	return turns, nil
}

// conversationDocument returns an answer, a turn or a session as text, Markdown, JSON or JSON lines.
func (e *Exporter) conversationDocument(ctx context.Context, r Request) (Document, error) {
	if len(r.Answers) > 0 {
		return Document{}, problem.Usage("several answers can be written as html, csv or picture only")
	}
	s, err := e.selected(ctx, r)
	if err != nil {
		return Document{}, err
	}
	write := func(ctx context.Context, out io.Writer, path string) error {
		w := ConversationWriter{Out: out, Format: r.As, Options: e.optionsFor(r, path)}
		if r.Session != 0 {
			return w.WriteSession(s.session, func(visit func(Turn) error) (leftOut int, err error) {
				return s.eachTurn(ctx, func(t history.Turn) error { return visit(e.turn(t)) })
			})
		}
		_, err := s.eachTurn(ctx, func(t history.Turn) error {
			if r.Answer != 0 {
				return w.WriteAnswer(e.Cell(t, t.Answers[0]))
			}
			return w.WriteTurn(e.turn(t))
		})
		return err
	}
	return Document{Title: s.title, Ext: r.As.ext(), Write: write}, nil
}

// comparisonDocument returns a document with answers side by side. The samples of a model in a turn share a number.
func (e *Exporter) comparisonDocument(ctx context.Context, r Request) (Document, error) {
	s, err := e.selected(ctx, r)
	if err != nil {
		return Document{}, err
	}
	run := s.run
	run.LeftOut, err = s.eachTurn(ctx, func(t history.Turn) error {
		numbers := map[string]int{}
		for _, a := range t.Answers {
			if numbers[a.Model] == 0 {
				numbers[a.Model] = len(run.Cells) + 1
			}
			cell := e.Cell(t, a)
			cell.Number = numbers[a.Model]
			run.Cells = append(run.Cells, cell)
		}
		return nil
	})
	if err == nil && len(run.Cells) == 0 {
		err = problem.Usage("there is no answer to write")
	}
	doc := Document{Title: run.Name, Ext: r.As.ext()}
	doc.Write = func(ctx context.Context, out io.Writer, path string) error {
		return writeComparison(ctx, out, r.As, run, e.optionsFor(r, path))
	}
	return doc, err
}

func writeComparison(ctx context.Context, out io.Writer, as Format, run Run, o Options) error {
	switch as {
	case FormatCSV:
		return Lines(out, as, run, o)
	case formatJUnit:
		return JUnit(out, run)
	case FormatHTML:
		return HTML(ctx, out, run, o)
	}
	return Markdown(out, run, o)
}
