package service

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"confab/internal/regularfile"
	"confab/service/api"
	"confab/service/suite"
)

// The types of suites; see package suite.
type (
	Suite     = suite.Suite
	SuiteCell = suite.Cell
)

// SuiteFile is a suite with the file it was read from.
type SuiteFile struct {
	Suite  Suite
	Path   string // absolute
	SHA256 string // of the file
}

// OpenSuite reads a suite and the files it names, which must lie in its folder:
// a link that leads out of it is not followed. The error is of code usage and
// names the line.
func (s *Service) OpenSuite(ctx context.Context, path string) (SuiteFile, error) {
	full, err := s.namedPath(path)
	if err != nil {
		return SuiteFile{}, diskProblem("find the suite", err)
	}
	root, err := os.OpenRoot(filepath.Dir(full))
	if errors.Is(err, fs.ErrNotExist) {
		return SuiteFile{}, usage("there is no suite %s", path)
	}
	if err != nil {
		return SuiteFile{}, diskProblem("open the suite's folder", err)
	}
	defer root.Close()
	f := SuiteFile{Path: full}
	files := regularfile.FS(root)
	if f.Suite, err = suite.Load(ctx, files, filepath.Base(full)); err != nil {
		return SuiteFile{}, err
	}
	b, err := fs.ReadFile(files, filepath.Base(full))
	if err != nil {
		return SuiteFile{}, diskProblem("read the suite", err)
	}
	f.SHA256 = sha(b)
	return f, nil
}

// WritePromptfoo writes a suite to a new file, in a form that promptfoo itself
// can run against the service at baseURL, with the key taken from its
// environment. It returns the path of the file.
func (s *Service) WritePromptfoo(ctx context.Context, f SuiteFile, baseURL, path string) (string, error) {
	b, err := suite.ExportPromptfoo(f.Suite, baseURL, s.o.Catalogue)
	if err != nil {
		return "", err
	}
	full, err := s.namedPath(path)
	if err != nil {
		return "", diskProblem("find the folder to write to", err)
	}
	return s.writeDocument(ctx, document{write: func(_ context.Context, out io.Writer, _ string) error {
		_, err := out.Write(b)
		return err
	}}, full, true)
}

// nameOfSuite is what a suite and the session of its runs are called.
func nameOfSuite(su Suite, path string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if path == "" {
		name = oneLine(su.Description)
	}
	if name == "" {
		name = "suite"
	}
	return name
}

// withModels returns the suite with other models. A model that the suite names
// keeps what it says of it; a new one takes the settings of the first of its
// kind, so that pictures to edit and ratios stay.
func (s *Service) withModels(su Suite, slugs []string) (Suite, error) {
	if len(slugs) == 0 {
		return su, nil
	}
	prefix := map[api.Kind]string{api.Text: "llm:", api.Image: "image:", api.Edit: "edit:"}
	var chosen []suite.Provider
	for _, slug := range slugs {
		m, err := s.model(slug)
		if err != nil {
			return su, err
		}
		id := prefix[m.Kind] + slug
		same := slices.DeleteFunc(slices.Clone(su.Providers), func(p suite.Provider) bool { return p.ID != id })
		if len(same) > 0 {
			chosen = append(chosen, same...)
			continue
		}
		p := suite.Provider{ID: id}
		if i := slices.IndexFunc(su.Providers,
			func(p suite.Provider) bool { return strings.HasPrefix(p.ID, prefix[m.Kind]) }); i >= 0 {
			p.Config, p.Line = su.Providers[i].Config, su.Providers[i].Line
		}
		chosen = append(chosen, p)
	}
	su.Providers = chosen
	return su, nil
}
