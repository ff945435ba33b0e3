package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"confab/service/api"
	"confab/service/export"
)

// The formats that put answers side by side, for a turn or a session.
const (
	FormatHTML  Format = "html"          // one file, pictures within
	FormatCSV   Format = "csv"           // a row for each answer
	FormatSheet Format = "contact-sheet" // the pictures, as one PNG
)

// sideBySide is a document of answers beside each other.
func (s *Service) sideBySide(ctx context.Context, w Write) (document, error) {
	run, err := s.runOf(ctx, w)
	if err != nil {
		return document{}, err
	}
	o := export.Options{
		Picture:         func(ctx context.Context, a Answer) ([]byte, error) { return s.ReadPicture(ctx, a.Picture.Path) },
		SpreadsheetSafe: w.SpreadsheetSafe,
	}
	doc := document{title: run.Name}
	switch w.As {
	case FormatCSV:
		doc.ext = ".csv"
		doc.write = func(_ context.Context, out io.Writer, at string) error {
			o.Path = pictureName(w.As, at)
			return export.CSV(out, run, o)
		}
	case FormatHTML:
		doc.ext = ".html"
		doc.write = func(ctx context.Context, out io.Writer, at string) error {
			o.Path = pictureName(w.As, at)
			return export.HTML(ctx, out, run, o)
		}
	default:
		doc.ext, doc.exact = ".png", true
		doc.write = func(ctx context.Context, out io.Writer, _ string) error { return sheet(ctx, out, run, o) }
	}
	return doc, nil
}

// sheet writes the pictures of a run as one.
func sheet(ctx context.Context, out io.Writer, run export.Run, o export.Options) error {
	err := export.Sheet(ctx, out, run, export.SheetOptions{Options: o, Fonts: fontFolders()})
	if errors.Is(err, export.ErrNoPictures) {
		return usage("there is no picture here to put on a contact sheet")
	}
	return err
}

// runOf gathers the answers that are to be written.
func (s *Service) runOf(ctx context.Context, w Write) (export.Run, error) {
	var run export.Run
	add := func(t Turn) error {
		if run.Name == "" {
			run.Name, run.Created = t.Prompt, t.Created
		}
		number := map[string]int{}
		for _, a := range t.Answers {
			if w.Answer != 0 && a.ID != w.Answer {
				continue
			}
			if number[a.Model] == 0 {
				number[a.Model] = len(run.Cells) + 1
			}
			cell := s.exportCell(t, a)
			cell.Number, cell.Vars = number[a.Model], t.Vars
			run.Cells = append(run.Cells, cell)
		}
		return nil
	}
	turn := w.Turn
	switch {
	case len(w.Answers) > 0:
		if err := s.selected(ctx, w.Answers, &run); err != nil {
			return run, err
		}
	case w.Session != 0:
		session, err := s.Session(ctx, w.Session)
		if err != nil {
			return run, err
		}
		run.Name, run.Created = session.Name, session.Created
		if err := s.EachTurn(ctx, session.ID, add); err != nil {
			return run, err
		}
	case w.Answer != 0:
		a, err := s.Answer(ctx, w.Answer)
		if err != nil {
			return run, err
		}
		turn = a.Turn
		fallthrough
	default:
		t, err := s.Turn(ctx, turn)
		if err != nil {
			return run, err
		}
		_ = add(t)
	}
	if len(run.Cells) == 0 {
		return run, fail(api.CodeUsage, nil, "there is no answer to write")
	}
	return run, nil
}

// selected gathers a selection of answers in the order given, numbered by
// their places in it.
func (s *Service) selected(ctx context.Context, ids []int64, run *export.Run) error {
	turns := map[int64]Turn{}
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
		cell.Number, cell.Vars = i+1, t.Vars
		run.Cells = append(run.Cells, cell)
	}
	if len(turns) > 1 {
		run.Name = fmt.Sprintf("%s, and %d more", oneLine(run.Name), len(ids)-1)
	}
	return nil
}

// fontFolders are where systems keep their fonts.
func fontFolders() []string {
	folders := []string{"/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts", "/Library/Fonts", `C:\Windows\Fonts`}
	if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(home, ".local/share/fonts"), filepath.Join(home, "Library/Fonts"))
	}
	return folders
}
