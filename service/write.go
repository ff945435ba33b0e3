package service

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"confab/internal/atomicfile"
	"confab/internal/filename"
	"confab/service/api"
	"confab/service/export"
	"confab/service/pictures"
	"confab/service/problem"
)

// exportsFolder stands beside the picture folder.
const exportsFolder = "exports"

// MaxSelection is how many answers can be written side by side at once.
const MaxSelection = 1000

// Write says what is written as what, and where. Exactly one of Answer,
// Answers, Turn, Session and Run is set.
type Write struct {
	Answer  int64
	Answers []int64 // a selection, in this order; as html, csv, contact-sheet or picture
	Turn    int64
	Session int64
	Run     int64         // as markdown, html, csv, jsonl or contact-sheet
	Turns   []int64       // of a run: only what these turns are; empty = all of it
	As      export.Format // empty = markdown
	// SpreadsheetSafe makes a CSV one that no spreadsheet program carries
	// anything out of: cells that begin like a formula, with = + - @ a tab or a
	// line end, get an apostrophe before them.
	SpreadsheetSafe bool
	// Path is a file, or a folder (one that is there, or a path that ends
	// with a separator) in which a name is made up; empty = the folder
	// "exports" beside the pictures.
	Path string
}

// Write writes an answer, a turn, a session or a run to a file of its owner only, and
// returns the absolute paths of what it wrote. It never writes over a file:
// one that is there is an error (usage) when it was named, and gets out of the
// way by a number when only its folder was. The key is masked.
//
// A selection as pictures becomes a file for each in the folder, which is made;
// when one fails, the paths of those before it are returned with the error.
func (s *Service) Write(ctx context.Context, w Write) ([]string, error) {
	if w.As == "" {
		w.As = export.FormatMarkdown
	}
	if len(w.Answers) > 0 && w.As == export.FormatPicture {
		return s.writePictures(ctx, w)
	}
	if err := s.room(0); err != nil {
		return nil, err
	}
	doc, err := s.document(ctx, w)
	if err != nil {
		return nil, err
	}
	path, named, err := s.target(w.Path, doc)
	if err != nil {
		return nil, err
	}
	written, err := s.writeDocument(ctx, doc, path, named)
	if err != nil {
		return nil, err
	}
	return []string{written}, nil
}

// writeDocument writes a document to a new file, which takes a number when
// another has its name and it was not named by a person.
func (s *Service) writeDocument(ctx context.Context, doc document, path string, named bool) (string, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", problem.Disk("make the folder "+filepath.Dir(path), err)
	}
	written, err := atomicfile.WriteNew(path, !named, func(out io.Writer, at string) error {
		if doc.exact {
			return doc.write(ctx, out, at)
		}
		masked := s.o.Mask.Writer(out)
		buffered := bufio.NewWriterSize(masked, 64<<10)
		if err := doc.write(ctx, buffered, at); err != nil {
			return err
		}
		return errors.Join(buffered.Flush(), masked.Close())
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", problem.New(api.CodeUsage, err, "there is a file %s already, and none is written over; choose another name", path)
	case api.CodeOf(err) != "":
		return "", problem.Store(err)
	case ctx.Err() != nil && err != nil:
		return "", problem.New(api.CodeCancelled, err, "cancelled before it was written")
	case err != nil:
		return "", problem.Disk("write "+filepath.Base(path), err)
	}
	return written, nil
}

// target returns the file to write and whether the user named it.
func (s *Service) target(path string, doc document) (full string, named bool, err error) {
	folder := path == "" || os.IsPathSeparator(path[len(path)-1])
	if path == "" {
		dir, err := filepath.Abs(s.o.Folders.Pictures)
		if err != nil {
			return "", false, problem.Disk("find the folder for exports", err)
		}
		path = filepath.Join(filepath.Dir(dir), exportsFolder)
	}
	if path, err = s.paths.Resolve(path); err != nil {
		return "", false, problem.Disk("find the folder to write to", err)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		folder = true
	}
	if folder {
		if strings.TrimSpace(doc.title) == "" {
			doc.title = "confab"
		}
		return filepath.Join(path, filename.FromTemplate("{slug}", filename.Parts{Prompt: doc.title})+doc.ext), false, nil
	}
	return path, true, nil
}

// document is something to be written.
type document struct {
	title string // what its name is made of
	ext   string
	exact bool // bytes that are not text and in which nothing is masked
	write func(ctx context.Context, out io.Writer, at string) error
}

// document gathers what is written.
func (s *Service) document(ctx context.Context, w Write) (document, error) {
	if err := w.check(); err != nil {
		return document{}, err
	}
	if w.Run != 0 {
		return s.runDocument(ctx, w)
	}
	switch w.As {
	case export.FormatSuite:
		return s.suiteDocument(ctx, w)
	case export.FormatHTML, export.FormatCSV, export.FormatContactSheet:
		return s.comparisonDocument(ctx, w)
	case export.FormatPicture:
		return s.pictureDocument(ctx, w)
	case export.FormatText:
		return s.conversationDocument(ctx, w, ".txt")
	case export.FormatMarkdown:
		return s.conversationDocument(ctx, w, ".md")
	case export.FormatJSON:
		return s.conversationDocument(ctx, w, ".json")
	case export.FormatJSONL:
		return s.conversationDocument(ctx, w, ".jsonl")
	}
	return document{}, problem.Usage("%q cannot be written; choose text, markdown, json, jsonl, html, csv, suite, "+
		"contact-sheet or picture", string(w.As))
}

// check returns an error unless w names exactly one thing to write.
func (w Write) check() error {
	set := min(len(w.Answers), 1)
	for _, id := range []int64{w.Answer, w.Turn, w.Session, w.Run} {
		if id != 0 {
			set++
		}
	}
	switch {
	case set != 1:
		return problem.Usage("choose one thing to write: an answer, a turn, a session or a run")
	case len(w.Answers) > MaxSelection:
		return problem.Usage("%d answers are too many to write at once; choose at most %d", len(w.Answers), MaxSelection)
	}
	return nil
}

// writePictures writes the pictures of a selection as they were received.
func (s *Service) writePictures(ctx context.Context, w Write) ([]string, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	if len(w.Answers) > 1 && w.Path != "" && !os.IsPathSeparator(w.Path[len(w.Path)-1]) {
		w.Path += string(filepath.Separator)
	}
	var paths []string
	for _, id := range w.Answers {
		written, err := s.Write(ctx, Write{Answer: id, As: export.FormatPicture, Path: w.Path})
		if err != nil {
			return paths, err
		}
		paths = append(paths, written...)
	}
	return paths, nil
}

// pictureDocument is the picture of an answer as it was received.
func (s *Service) pictureDocument(ctx context.Context, w Write) (document, error) {
	if w.Answer == 0 {
		return document{}, problem.Usage("only an answer can be written as a picture")
	}
	b, err := s.files.CleanCopy(ctx, w.Answer)
	if err != nil {
		return document{}, err
	}
	a, t, err := s.answerWithTurn(ctx, w.Answer)
	if err != nil {
		return document{}, err
	}
	return document{
		title: a.Model + " " + t.Prompt, ext: pictures.Ext(a.Picture.ContentType), exact: true,
		write: func(_ context.Context, out io.Writer, _ string) error {
			_, err := out.Write(b)
			return err
		},
	}, nil
}
