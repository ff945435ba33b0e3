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

// batchPause is the maximum time between two turns of one template in a batch. A batch is recorded in a row without
// waiting for answers.
const batchPause = 10 * time.Second

// errBatchComplete stops EachTurn.
var errBatchComplete = errors.New("the batch is complete")

// batchOf returns the turns that were sent together for the combinations of one template's values, by hand as branches
// or by a run in a row, in order and without duplicates; only the turn itself if it has no template.
func (s *Service) batchOf(ctx context.Context, turn int64) ([]history.Turn, error) {
	at, err := s.Turn(ctx, turn)
	if err != nil || at.Template == "" {
		return []history.Turn{at}, err
	}
	var batch []history.Turn
	seen := map[string]bool{} // values
	visit := func(t history.Turn) error {
		isAlike, values := haveOneTemplate(at, t), suite.VariablesKey(t.Vars)
		if !isAlike && len(at.Siblings) > 0 {
			return nil // of another variant
		}
		// The user may have sent the same values again.
		isOther := !isAlike || seen[values]
		if n := len(batch); n > 0 && (isOther || t.Created.Sub(batch[n-1].Created).Abs() > batchPause) {
			if t.ID > turn {
				return errBatchComplete
			}
			batch, seen = nil, map[string]bool{}
		}
		if isAlike {
			batch, seen[values] = append(batch, t), true
		}
		return nil
	}
	if len(at.Siblings) == 0 {
		err = s.EachTurn(ctx, at.Session, visit)
	} else {
		var siblings []history.Turn
		siblings, err = s.Siblings(ctx, turn)
		for i := 0; i < len(siblings) && err == nil; i++ {
			err = visit(siblings[i])
		}
	}
	if errors.Is(err, errBatchComplete) {
		err = nil
	}
	return batch, err
}

// haveOneTemplate reports whether two turns have the same template, models and settings.
func haveOneTemplate(a, b history.Turn) bool {
	return a.Template == b.Template && a.SystemTemplate == b.SystemTemplate && a.Aspect == b.Aspect &&
		a.Nonce == b.Nonce && a.Samples == b.Samples && reflect.DeepEqual(a.Source, b.Source) &&
		slices.Equal(a.Models(), b.Models()) && slices.Equal(a.Files, b.Files) && reflect.DeepEqual(a.Params, b.Params)
}

// suiteDocument returns a turn with its batch as a suite.
func (s *Service) suiteDocument(ctx context.Context, w export.Request) (export.Document, error) {
	if w.Turn == 0 {
		return export.Document{}, problem.Usage("only a turn can be written as a suite")
	}
	turns, err := s.batchOf(ctx, w.Turn)
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
