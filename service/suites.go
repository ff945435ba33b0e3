package service

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"confab/internal/fileio"
	"confab/service/export"
	"confab/service/pictures"
	"confab/service/problem"
	"confab/service/suite"
)

// SuiteFile is a suite with the file it was read from.
type SuiteFile struct {
	Suite  suite.Suite
	Path   string // absolute
	SHA256 string // of the file
}

// OpenSuite reads a suite and the files it names, which must lie in its folder: a link that leads out of it is not
// followed. The error is of code usage and names the line.
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
	f.SHA256 = pictures.SHA256(b)
	return f, nil
}

// WritePromptfoo writes a suite to a new file, in a form that promptfoo itself can run against the service at baseURL,
// with the key taken from its environment. It returns the path of the file.
func (s *Service) WritePromptfoo(ctx context.Context, f SuiteFile, baseURL, path string) (string, error) {
	b, err := suite.ExportPromptfoo(f.Suite, baseURL, s.o.Catalogue)
	if err != nil {
		return "", err
	}
	full, err := s.paths.Resolve(path)
	if err != nil {
		return "", problem.Disk("find the folder to write to", err)
	}
	return s.exporter.WriteDocument(ctx, export.Document{Write: export.WriteBytes(b)}, full, true)
}
