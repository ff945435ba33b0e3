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

// suiteDocument returns a turn with the turns beside it, or the rows of a run, as a suite.
func (s *Service) suiteDocument(ctx context.Context, w export.Request) (export.Document, error) {
	var turns []history.Turn
	var err error
	switch {
	case w.Turn != 0:
		turns, err = s.Siblings(ctx, w.Turn)
	case w.Run != 0:
		turns, err = s.runTurns(ctx, w.Run)
	default:
		err = problem.Usage("only a turn or a run can be written as a suite")
	}
	if err != nil {
		return export.Document{}, err
	}
	turns = slices.DeleteFunc(turns, func(t history.Turn) bool { return len(t.Answers) == 0 })
	if len(turns) == 0 {
		return export.Document{},
			problem.Usage("the turn has no answers left, so it is not known which models it asked")
	}
	t := turns[0]
	for _, other := range turns {
		switch {
		case other.Nonce == history.Nonce{Mode: history.NonceFixed, Value: "new"} &&
			slices.ContainsFunc(other.Answers, func(a history.Answer) bool { return a.Kind == history.KindImage }):
			return export.Document{}, problem.Usage("the nonce new of this turn means a fresh one in a suite; " +
				"send it with another nonce first")
		case other.Aspect != t.Aspect || !reflect.DeepEqual(other.Source, t.Source):
			return export.Document{}, problem.Usage("these turns differ in their source picture or aspect ratio, " +
				"which the tests of a suite cannot; delete those that are not meant")
		}
	}
	text, err := suite.FromTurns(turns...)
	if err != nil {
		return export.Document{}, problem.Store(err)
	}
	title := cmp.Or(t.Template, t.Prompt)
	return export.Document{Title: title, Ext: ".yaml", Write: export.WriteBytes(text)}, nil
}
