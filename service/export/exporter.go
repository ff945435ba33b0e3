package export

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"confab/history"
	"confab/internal/fileio"
	"confab/internal/format"
	"confab/internal/redact"
	"confab/service/api"
	"confab/service/localfile"
	"confab/service/problem"
	"confab/service/suite"
)

// History is the part of the history that an [Exporter] reads.
type History interface {
	Answer(ctx context.Context, id int64) (history.Answer, error)
	Turn(ctx context.Context, id int64) (history.Turn, error)
	// Siblings returns a turn and the turns beside it, the oldest first.
	Siblings(ctx context.Context, id int64) ([]history.Turn, error)
	Session(ctx context.Context, id int64) (history.Session, error)
	// EachTurn visits the turns of all branches of a session, the oldest first.
	EachTurn(ctx context.Context, session int64, visit func(history.Turn) error) error
	IsSaving() bool // whether the history is permanent
	// Stored returns a turn and one of its answers with their ids in the permanent history, or without ids, and
	// reports whether that history holds the answer.
	Stored(t history.Turn, a history.Answer) (history.Turn, history.Answer, bool)
}

// Pictures reads the pictures of answers.
type Pictures interface {
	ReadPicture(ctx context.Context, p history.Picture) ([]byte, error)
	// CleanCopy returns the picture as received from the service.
	CleanCopy(ctx context.Context, answer int64) ([]byte, error)
}

// Runs reads runs of suites.
type Runs interface {
	Run(ctx context.Context, id int64) (history.Run, error)
	Cells(ctx context.Context, run int64) ([]history.Cell, error)
	Votes(ctx context.Context, scope suite.VoteScope) (suite.Votes, error)
}

// ExporterOptions are the choices of [NewExporter].
type ExporterOptions struct {
	History    History
	Pictures   Pictures
	Runs       Runs
	Suite      func(ctx context.Context, r Request) (Document, error) // a turn as a suite
	CheckSpace func() error                                           // whether the user may write more
	Folder     string                                                 // for files without a given folder
	Root       localfile.Root                                         // folder that contains all user-given paths
	Mask       *redact.Masker
}

// Exporter writes answers, turns, sessions and runs to files.
type Exporter struct{ o ExporterOptions }

func NewExporter(o ExporterOptions) *Exporter {
	return &Exporter{o}
}

// MaxSelection is the maximum number of answers in a selection.
const MaxSelection = 1000

// Request describes what to write, in which format and where. Exactly one of Answer, Answers, Turn, Session and Run
// is set.
type Request struct {
	Answer  int64
	Answers []int64 // a selection in this order; as html, csv or picture
	Turn    int64
	IsTable bool // with the turns beside Turn; not as json
	Session int64
	Run     int64   // as markdown, html, csv or jsonl
	Turns   []int64 // of a run: only these turns; empty means all
	As      Format  // empty means markdown
	// IsExactCSV leaves the cells of a CSV unchanged. Otherwise cells that begin like a formula (with = + - @ a tab
	// or a line end) get an apostrophe, so that spreadsheet programs do not evaluate them.
	IsExactCSV   bool
	HasReasoning bool // include the reasoning of models
	// Path is a file or a folder (an existing one, or a path with a final separator), in which a name is generated.
	// Empty means the folder "exports" beside the pictures.
	Path string
}

// Write writes an answer, a turn, a session or a run to a file of mode 0600 with the key masked, and returns the
// absolute paths. It never overwrites: an existing file that the path names is an error (usage), and a generated name
// gets a number.
//
// A selection as pictures is written as files to the folder, which is created. If one fails, the paths of the earlier
// ones are returned with the error.
func (e *Exporter) Write(ctx context.Context, r Request) ([]string, error) {
	if r.As == "" {
		r.As = FormatMarkdown
	}
	if len(r.Answers) > 0 && r.As == FormatPicture {
		return e.writePictures(ctx, r)
	}
	if err := e.o.CheckSpace(); err != nil {
		return nil, err
	}
	doc, err := e.document(ctx, r)
	if err != nil {
		return nil, err
	}
	path, named, err := e.target(r.Path, doc)
	if err != nil {
		return nil, err
	}
	if named && r.As == FormatPicture {
		path, named = pictureName(path, doc.Ext)
	}
	written, err := e.WriteDocument(ctx, doc, path, named)
	if err != nil {
		return nil, err
	}
	return []string{written}, nil
}

// pictureName corrects the extension of a user-given picture path, and reports whether the path names a file.
func pictureName(path, ext string) (right string, isNamed bool) {
	had := strings.ToLower(filepath.Ext(path))
	if had == ext || had == ".jpeg" && ext == ".jpg" || !IsPictureName(path) {
		return path, true
	}
	return strings.TrimSuffix(path, filepath.Ext(path)) + ext, false
}

// IsPictureName reports whether a path has the extension of a picture.
func IsPictureName(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".avif", ".heic":
		return true
	}
	return false
}

// RenamedNote returns a sentence if a picture was written with another extension than requested; otherwise "".
func RenamedNote(asked, written string) string {
	had, has := strings.ToLower(filepath.Ext(asked)), filepath.Ext(written)
	format, isPicture := map[string]string{".png": "PNG", ".jpg": "JPEG"}[has]
	if _, isNamed := pictureName(asked, has); isNamed || !isPicture {
		return ""
	}
	return fmt.Sprintf("the picture is a %s and not what %s stands for, so it was written as %s", format, had,
		filepath.Base(written))
}

// WriteDocument writes a document to a new file. It adds a number to a generated name that exists.
func (e *Exporter) WriteDocument(ctx context.Context, doc Document, path string, named bool) (string, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", problem.Disk("make the folder "+e.o.Root.Name(filepath.Dir(path)), err)
	}
	written, err := fileio.WriteNew(path, !named, func(out io.Writer, at string) error {
		return e.writeMasked(ctx, doc, out, at)
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", e.existsAlready(path, err)
	case api.CodeOf(err) != "":
		return "", problem.Store(err)
	case ctx.Err() != nil && err != nil:
		return "", problem.New(api.CodeCancelled, err, "cancelled before it was written")
	case err != nil:
		return "", problem.Disk("write "+filepath.Base(path), err)
	}
	return written, nil
}

// WriteTo writes the content of the file of [Exporter.Write] to out. Paths are relative to Path, or to the working
// directory if that is empty.
func (e *Exporter) WriteTo(ctx context.Context, out io.Writer, r Request) error {
	doc, err := e.document(ctx, r)
	if err != nil {
		return err
	}
	path, err := filepath.Abs(cmp.Or(r.Path, "export"))
	if err != nil {
		return problem.Disk("find the working directory", err)
	}
	return e.writeMasked(ctx, doc, out, path)
}

func (e *Exporter) writeMasked(ctx context.Context, doc Document, out io.Writer, path string) error {
	if doc.IsExact {
		return doc.Write(ctx, out, path)
	}
	masked := e.o.Mask.Writer(out)
	buffered := bufio.NewWriterSize(masked, 64<<10)
	if err := doc.Write(ctx, buffered, path); err != nil {
		return err
	}
	return errors.Join(buffered.Flush(), masked.Close())
}

func (e *Exporter) existsAlready(path string, err error) *api.Error {
	return problem.New(api.CodeUsage, err,
		"a file of this name exists; choose another name: %s", e.o.Root.Name(path))
}

// target returns the file to write and whether the user named it.
func (e *Exporter) target(path string, doc Document) (full string, isNamed bool, err error) {
	folder := path == "" || os.IsPathSeparator(path[len(path)-1])
	if path == "" {
		if path, err = filepath.Abs(e.o.Folder); err != nil {
			return "", false, problem.Disk("find the folder for exports", err)
		}
	}
	if path, err = e.o.Root.Resolve(path); err != nil {
		return "", false, problem.Disk("find the folder to write to", err)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		folder = true
	}
	if folder {
		title := cmp.Or(strings.TrimSpace(doc.Title), "confab")
		name := fileio.NameFromTemplate("{slug}", fileio.NameParts{Prompt: title}) + doc.Ext
		return filepath.Join(path, name), false, nil
	}
	return path, true, nil
}

// Document is the content of a file.
type Document struct {
	Title   string // the basis of the file name
	Ext     string
	IsExact bool // binary, so that no key is masked
	Write   func(ctx context.Context, out io.Writer, path string) error
}

// WriteBytes returns a Write function for these bytes.
func WriteBytes(b []byte) func(context.Context, io.Writer, string) error {
	return func(_ context.Context, out io.Writer, _ string) error {
		_, err := out.Write(b)
		return err
	}
}

func (e *Exporter) document(ctx context.Context, r Request) (Document, error) {
	if err := r.check(); err != nil {
		return Document{}, err
	}
	if r.As == FormatSuite {
		return e.o.Suite(ctx, r)
	}
	if r.Run != 0 {
		return e.runDocument(ctx, r)
	}
	switch r.As {
	case FormatHTML, FormatCSV:
		return e.comparisonDocument(ctx, r)
	case FormatPicture:
		return e.pictureDocument(ctx, r)
	case FormatText, FormatMarkdown, FormatJSON, FormatJSONL:
		return e.conversationDocument(ctx, r)
	}
	return Document{}, problem.Usage("%q cannot be written; choose text, markdown, json, jsonl, html, csv, suite or "+
		"picture", string(r.As))
}

// check returns an error unless the request names exactly one thing to write.
func (r Request) check() error {
	set := min(len(r.Answers), 1)
	for _, id := range []int64{r.Answer, r.Turn, r.Session, r.Run} {
		if id != 0 {
			set++
		}
	}
	switch {
	case set != 1:
		return problem.Usage("choose one thing to write: an answer, a turn, a session or a run")
	case r.IsTable && (r.Turn == 0 || r.As == FormatJSON):
		return problem.Usage("a table is that of a turn, and is written as markdown, html, csv, jsonl, text or suite")
	case len(r.Answers) > MaxSelection:
		return problem.Usage("%s are too many to write at once; choose at most %d",
			format.Count(len(r.Answers), "answer"), MaxSelection)
	}
	return nil
}

// writePictures writes the pictures of a selection as received.
func (e *Exporter) writePictures(ctx context.Context, r Request) ([]string, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if len(r.Answers) > 1 && r.Path != "" && !os.IsPathSeparator(r.Path[len(r.Path)-1]) {
		r.Path += string(filepath.Separator)
	}
	var paths []string
	for _, id := range r.Answers {
		written, err := e.Write(ctx, Request{Answer: id, As: FormatPicture, Path: r.Path})
		if err != nil {
			return paths, err
		}
		paths = append(paths, written...)
	}
	return paths, nil
}

// pictureDocument returns the picture of an answer as received.
func (e *Exporter) pictureDocument(ctx context.Context, r Request) (Document, error) {
	if r.Answer == 0 {
		return Document{}, problem.Usage("only an answer can be written as a picture")
	}
	b, err := e.o.Pictures.CleanCopy(ctx, r.Answer)
	if err != nil {
		return Document{}, err
	}
	turns, err := e.selectedTurns(ctx, r)
	if err != nil {
		return Document{}, err
	}
	a := turns[0].Answers[0]
	return Document{
		Title: a.Model + " " + turns[0].Prompt, Ext: PictureExt(a.Picture.ContentType), IsExact: true,
		Write: WriteBytes(b),
	}, nil
}

// PictureExt returns the file extension of a content type.
func PictureExt(contentType string) string {
	if contentType == "image/jpeg" {
		return ".jpg"
	}
	return ".png"
}
