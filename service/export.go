package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"confab/history"
	"confab/service/api"
	"confab/service/export"
	"confab/service/pictures"
	"confab/service/problem"
)

// exportPage is how many turns of a session are read at a time.
const exportPage = 100

// AnswerRecord returns an answer of a turn as scripts see it, with the whole path of its picture.
func (s *Service) AnswerRecord(t history.Turn, a history.Answer) export.AnswerRecord {
	return export.NewAnswerRecord(s.exportCell(t, a), export.Options{Path: wholePicturePath})
}

// LineRecord returns an answer of a turn as scripts see it, with what was asked.
func (s *Service) LineRecord(t history.Turn, a history.Answer) export.LineRecord {
	return export.NewLineRecord(export.Run{}, s.exportCell(t, a), export.Options{Path: wholePicturePath})
}

// TurnMarkdown returns a turn as Markdown, as [Service.Write] writes it, with the whole paths of its pictures.
func TurnMarkdown(t history.Turn) string {
	var b strings.Builder
	written := export.Turn{Turn: t}
	for _, a := range t.Answers {
		written.Cells = append(written.Cells, export.Cell{Turn: t, Answer: a, Vars: t.Vars})
	}
	w := export.ConversationWriter{Out: &b, Format: export.FormatMarkdown, Options: export.Options{Path: wholePicturePath}}
	_ = w.WriteTurn(written) // writing to a builder cannot fail
	return b.String()
}

// Saving reports whether what is sent and received outlives this process. It is known once the history was needed.
func (s *Service) Saving() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.saving
}

// isSaved reports whether the history on disk holds the answer as it is, or will when the answer has ended.
func (s *Service) isSaved(a history.Answer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, refused := s.unsaved[a.ID]
	return s.saving && !refused
}

// withIDs returns a turn and an answer of it as they may leave this process: with the ids of the history on disk, and
// without ids when they are in memory only.
func (s *Service) withIDs(t history.Turn, a history.Answer) (history.Turn, history.Answer) {
	if s.Saving() {
		return t, a
	}
	t.Session, t.ID, a.ID, a.Turn = 0, 0, 0, 0
	if t.Source != nil && t.Source.Answer != 0 {
		source := *t.Source
		source.Answer = 0
		t.Source = &source
	}
	if a.Picture != nil && a.Picture.Parent != 0 {
		picture := *a.Picture
		picture.Parent = 0
		a.Picture = &picture
	}
	return t, a
}

// exportCell returns an answer of a turn as it is exported.
func (s *Service) exportCell(t history.Turn, a history.Answer) export.Cell {
	unsaved := !s.isSaved(a)
	t, a = s.withIDs(t, a)
	return export.Cell{Turn: t, Answer: a, Vars: t.Vars, Unsaved: unsaved}
}

// exportTurn returns a turn as it is exported.
func (s *Service) exportTurn(t history.Turn) export.Turn {
	var written export.Turn
	written.Turn, _ = s.withIDs(t, history.Answer{})
	for _, a := range t.Answers {
		written.Cells = append(written.Cells, s.exportCell(t, a))
	}
	return written
}

// exportOptions returns the options of a document that is written to a path.
func (s *Service) exportOptions(w Write, path string) export.Options {
	return export.Options{
		Picture: func(ctx context.Context, a history.Answer) ([]byte, error) { return s.files.Read(ctx, a.Picture.Path) },
		Path: func(picture string) string {
			name := relativePath(path, picture)
			if w.As == export.FormatHTML && name != "" {
				return filepath.Base(name) // HTML holds the pictures and tells nothing of this machine
			}
			return name
		},
		SpreadsheetSafe: w.SpreadsheetSafe,
	}
}

// wholePicturePath returns the path of a picture, and nothing for one that is in memory only.
func wholePicturePath(path string) string {
	if pictures.IsUnsaved(path) {
		return ""
	}
	return path
}

// relativePath returns the path of a picture as seen from the folder of a file. A picture on another drive is named by
// its file alone.
func relativePath(file, picture string) string {
	if wholePicturePath(picture) == "" {
		return ""
	}
	rel, err := filepath.Rel(filepath.Dir(file), picture)
	if err != nil {
		return filepath.Base(picture)
	}
	return filepath.ToSlash(rel)
}

// oneLine returns s without line breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// EachTurn visits the turns of a session, the oldest first, a page at a time. It ends with the first error of a visit
// or of the store.
func (s *Service) EachTurn(ctx context.Context, session int64, visit func(history.Turn) error) error {
	page := history.Page{Around: 1, Limit: exportPage} // no turn is older than the first
	for {
		turns, err := s.Turns(ctx, session, page)
		if err != nil {
			return err
		}
		for _, t := range turns {
			if err := visit(t); err != nil {
				return err
			}
			page.Around, page.After = 0, t.ID
		}
		if len(turns) < page.Limit {
			return nil
		}
	}
}

// conversationDocument is an answer, a turn or a session as text, Markdown, JSON or JSON lines. The turns of a session
// are read while they are written.
func (s *Service) conversationDocument(ctx context.Context, w Write, ext string) (document, error) {
	if len(w.Answers) > 0 {
		return document{}, problem.Usage("several answers can be written as html, csv, contact-sheet or picture only")
	}
	doc := document{ext: ext}
	var write func(ctx context.Context, out export.ConversationWriter) error
	switch {
	case w.Answer != 0:
		a, t, err := s.answerWithTurn(ctx, w.Answer)
		if err != nil {
			return document{}, err
		}
		doc.title = a.Model + " " + t.Prompt
		write = func(_ context.Context, out export.ConversationWriter) error {
			return out.WriteAnswer(s.exportCell(t, a))
		}
	case w.Turn != 0:
		t, err := s.Turn(ctx, w.Turn)
		if err != nil {
			return document{}, err
		}
		doc.title = t.Prompt
		write = func(_ context.Context, out export.ConversationWriter) error { return out.WriteTurn(s.exportTurn(t)) }
	default:
		session, err := s.Session(ctx, w.Session)
		if err != nil {
			return document{}, err
		}
		doc.title = session.Name
		write = func(ctx context.Context, out export.ConversationWriter) error {
			return out.WriteSession(s.exportSession(ctx, session))
		}
	}
	doc.write = func(ctx context.Context, out io.Writer, path string) error {
		return write(ctx, export.ConversationWriter{Out: out, Format: w.As, Options: s.exportOptions(w, path)})
	}
	return doc, nil
}

// answerWithTurn returns an answer and its turn.
func (s *Service) answerWithTurn(ctx context.Context, id int64) (history.Answer, history.Turn, error) {
	a, err := s.Answer(ctx, id)
	if err != nil {
		return history.Answer{}, history.Turn{}, err
	}
	t, err := s.Turn(ctx, a.Turn)
	return a, t, err
}

// exportSession returns a session as it is exported.
func (s *Service) exportSession(ctx context.Context, session history.Session) export.Session {
	written := export.Session{Session: session}
	if !s.Saving() {
		written.ID = 0
	}
	written.EachTurn = func(visit func(export.Turn) error) error {
		return s.EachTurn(ctx, session.ID, func(t history.Turn) error { return visit(s.exportTurn(t)) })
	}
	return written
}

// comparisonDocument is a document with answers beside each other.
func (s *Service) comparisonDocument(ctx context.Context, w Write) (document, error) {
	run, err := s.comparedAnswers(ctx, w)
	if err != nil {
		return document{}, err
	}
	ext := map[export.Format]string{export.FormatCSV: ".csv", export.FormatHTML: ".html",
		export.FormatContactSheet: ".png"}[w.As]
	doc := document{title: run.Name, ext: ext, exact: w.As == export.FormatContactSheet}
	doc.write = func(ctx context.Context, out io.Writer, path string) error {
		o := s.exportOptions(w, path)
		switch w.As {
		case export.FormatCSV:
			return export.CSV(out, run, o)
		case export.FormatHTML:
			return export.HTML(ctx, out, run, o)
		}
		return contactSheet(ctx, out, run, o)
	}
	return doc, nil
}

// contactSheet writes the pictures of a run as one.
func contactSheet(ctx context.Context, out io.Writer, run export.Run, o export.Options) error {
	err := export.Sheet(ctx, out, run, export.SheetOptions{Options: o, Fonts: fontFolders()})
	if errors.Is(err, export.ErrNoPictures) {
		return problem.Usage("there is no picture here to put on a contact sheet")
	}
	return err
}

// comparedAnswers gathers the answers that are written beside each other.
func (s *Service) comparedAnswers(ctx context.Context, w Write) (export.Run, error) {
	var run export.Run
	add := func(t history.Turn) error {
		if run.Name == "" {
			run.Name, run.Created = t.Prompt, t.Created
		}
		numbers := map[string]int{}
		for _, a := range t.Answers {
			if w.Answer != 0 && a.ID != w.Answer {
				continue
			}
			if numbers[a.Model] == 0 {
				numbers[a.Model] = len(run.Cells) + 1
			}
			cell := s.exportCell(t, a)
			cell.Number = numbers[a.Model]
			run.Cells = append(run.Cells, cell)
		}
		return nil
	}
	var err error
	switch {
	case len(w.Answers) > 0:
		err = s.addSelectedAnswers(ctx, w.Answers, &run)
	case w.Session != 0:
		var session history.Session
		if session, err = s.Session(ctx, w.Session); err == nil {
			run.Name, run.Created = session.Name, session.Created
			err = s.EachTurn(ctx, session.ID, add)
		}
	case w.Answer != 0:
		var t history.Turn
		if _, t, err = s.answerWithTurn(ctx, w.Answer); err == nil {
			err = add(t)
		}
	default:
		var t history.Turn
		if t, err = s.Turn(ctx, w.Turn); err == nil {
			err = add(t)
		}
	}
	if err == nil && len(run.Cells) == 0 {
		err = problem.New(api.CodeUsage, nil, "there is no answer to write")
	}
	return run, err
}

// addSelectedAnswers adds answers in the order given, numbered by their places in it.
func (s *Service) addSelectedAnswers(ctx context.Context, ids []int64, run *export.Run) error {
	turns := map[int64]history.Turn{}
	for i, id := range ids {
		a, err := s.Answer(ctx, id)
		if err != nil {
			return err
		}
		t, ok := turns[a.Turn]
		if !ok {
			if t, err = s.Turn(ctx, a.Turn); err != nil {
				return err
			}
			turns[a.Turn] = t
		}
		if i == 0 {
			run.Name, run.Created = t.Prompt, t.Created
		}
		cell := s.exportCell(t, a)
		cell.Number = i + 1
		run.Cells = append(run.Cells, cell)
	}
	if len(turns) > 1 {
		run.Name = fmt.Sprintf("%s, and %d more", oneLine(run.Name), len(ids)-1)
	}
	return nil
}

// fontFolders returns the folders in which systems keep their fonts.
func fontFolders() []string {
	folders := []string{"/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts",
		`C:\Windows\Fonts`}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(home, ".local/share/fonts"), filepath.Join(home, "Library/Fonts"))
	}
	return folders
}
