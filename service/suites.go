package service

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"confab/history"
	"confab/internal/fileio"
	"confab/service/export"
	"confab/service/pictures"
	"confab/service/problem"
	"confab/service/suite"
)

// SuiteFile is a suite and its file.
type SuiteFile struct {
	Suite  suite.Suite
	Path   string // absolute
	SHA256 string // of the file
}

// OpenSuite reads a suite and the files that it names. These must be in its folder; links that lead out of it are
// refused. The error has the code usage and names the line.
func (s *Service) OpenSuite(ctx context.Context, path string) (SuiteFile, error) {
	full, err := s.paths.Resolve(path)
	if err != nil {
		return SuiteFile{}, problem.Disk("find the suite", err)
	}
	root, err := os.OpenRoot(filepath.Dir(full))
	if errors.Is(err, fs.ErrNotExist) {
		return SuiteFile{}, problem.Usage("there is no suite %s", path)
	}
	if err != nil {
		return SuiteFile{}, problem.Disk("open the suite's folder", err)
	}
	defer root.Close()
	f := SuiteFile{Path: full}
	files := fileio.FS(root)
	if f.Suite, err = suite.Load(ctx, files, filepath.Base(full)); err != nil {
		return SuiteFile{}, err
	}
	b, err := fs.ReadFile(files, filepath.Base(full))
	if err != nil {
		return SuiteFile{}, problem.Disk("read the suite", err)
	}
	f.Suite.Models = s.o.Backend.Providers
	f.SHA256 = pictures.SHA256(b)
	return f, nil
}

// SuiteParts returns what of a suite's file can be changed by itself.
func (s *Service) SuiteParts(_ context.Context, path string) ([]suite.Part, error) {
	_, text, err := s.readSuite(path)
	if err != nil {
		return nil, err
	}
	return suite.Parts(text)
}

func (s *Service) readSuite(path string) (full string, text []byte, err error) {
	if full, err = s.paths.Resolve(path); err == nil {
		text, err = fileio.Read(full, suite.MaxBytes)
	}
	if err != nil {
		err = problem.Disk("read the suite", err)
	}
	return full, text, err
}

// SetSuitePart changes a part of a suite's file. It writes nothing if the suite could not be read then.
func (s *Service) SetSuitePart(ctx context.Context, path string, p suite.Part, value string) error {
	full, text, err := s.readSuite(path)
	if err != nil {
		return err
	}
	if text, err = suite.SetPart(text, p, value); err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(full))
	if err != nil {
		return problem.Disk("open the suite's folder", err)
	}
	defer root.Close()
	if _, err := suite.LoadText(ctx, fileio.FS(root), filepath.Base(full), text); err != nil {
		return err
	}
	info, err := os.Stat(full)
	if err == nil {
		err = fileio.Write(full, text, info.Mode())
	}
	if err != nil {
		return problem.Disk("write the suite", err)
	}
	return nil
}

// WritePromptfoo writes a suite to a new file that promptfoo can run against the service at baseURL with the key of
// its environment. It returns the path.
func (s *Service) WritePromptfoo(ctx context.Context, f SuiteFile, baseURL, path string) (string, error) {
	b, err := suite.ExportPromptfoo(f.Suite, baseURL, s.o.Backend.Catalogue())
	if err != nil {
		return "", err
	}
	full, err := s.paths.Resolve(path)
	if err != nil {
		return "", problem.Disk("find the folder to write to", err)
	}
	return s.exporter.WriteDocument(ctx, export.Document{Write: export.WriteBytes(b)}, full, true)
}

// matrixPause is the maximum time between two turns of a matrix. They are recorded in a row without waiting for
// answers.
const matrixPause = 10 * time.Second

// matrixOf returns the turns that were sent together for the combinations of one template's values, in order and
// without duplicates; only the turn itself if it has no template.
func (s *Service) matrixOf(ctx context.Context, turn int64) ([]history.Turn, error) {
	at, err := s.Turn(ctx, turn)
	if err != nil || at.Template == "" {
		return []history.Turn{at}, err
	}
	var matrix []history.Turn
	seen := map[string]bool{} // values
	hasTurn := false
	err = s.EachTurn(ctx, at.Session, func(t history.Turn) error {
		values := suite.VariablesKey(t.Vars)
		// The user may have sent the same matrix again.
		if len(matrix) == 0 || seen[values] || !wereSentTogether(matrix[len(matrix)-1], t) {
			if hasTurn {
				return errMatrixComplete
			}
			matrix, seen = nil, map[string]bool{}
		}
		matrix = append(matrix, t)
		seen[values] = true
		hasTurn = hasTurn || t.ID == turn
		return nil
	})
	if errors.Is(err, errMatrixComplete) {
		err = nil
	}
	return matrix, err
}

// errMatrixComplete stops EachTurn.
var errMatrixComplete = errors.New("the matrix is complete")

// wereSentTogether reports whether two consecutive turns are of one matrix: the same template, models and settings,
// without a pause in between.
func wereSentTogether(a, b history.Turn) bool {
	return a.Template == b.Template && a.SystemTemplate == b.SystemTemplate && a.Aspect == b.Aspect &&
		a.Nonce == b.Nonce && a.Samples == b.Samples && reflect.DeepEqual(a.Source, b.Source) &&
		slices.Equal(a.Models(), b.Models()) && slices.Equal(a.Files, b.Files) &&
		b.Created.Sub(a.Created).Abs() <= matrixPause
}

// suiteDocument returns a turn with its matrix as a suite.
func (s *Service) suiteDocument(ctx context.Context, w export.Request) (export.Document, error) {
	if w.Turn == 0 {
		return export.Document{}, problem.Usage("only a turn can be written as a suite")
	}
	turns, err := s.matrixOf(ctx, w.Turn)
	if err != nil {
		return export.Document{}, err
	}
	t := turns[0]
	switch {
	case len(t.Answers) == 0:
		return export.Document{},
			problem.Usage("the turn has no answers left, so it is not known which models it asked")
	case t.Nonce == history.Nonce{Mode: history.NonceFixed, Value: "new"} &&
		slices.ContainsFunc(t.Answers, func(a history.Answer) bool { return a.Kind == history.KindImage }):
		return export.Document{}, problem.Usage("the nonce new of this turn means a fresh one in a suite; send it " +
			"with another nonce first")
	}
	text, err := suite.FromTurns(turns...)
	if err != nil {
		return export.Document{}, problem.Store(err)
	}
	title := cmp.Or(t.Template, t.Prompt)
	return export.Document{Title: title, Ext: ".yaml", Write: export.WriteBytes(text)}, nil
}
