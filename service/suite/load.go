package suite

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"confab/internal/regularfile"
	"confab/service/api"
)

// source is the document a suite was read from.
type source struct {
	root *yaml.Node
	node *yaml.Node // the suite as it was read, without its providers, as [Suite.node] has it
}

// loaded is what the files a suite names hold.
type loaded struct {
	prompts  map[string][]Prompt
	cases    map[string][]Test
	defaults *Test
	values   map[string]any // of checks and variables
}

// Load reads a suite and the files it names, all inside the folder of name.
// The caller decides what fsys lets in: give it the folder opened as an os.Root
// where links must not lead out. The error is an [api.Error] of code usage
// that names the line.
func Load(ctx context.Context, fsys fs.FS, name string) (Suite, error) {
	text, err := readFile(fsys, name)
	switch {
	case errors.Is(err, regularfile.ErrTooLarge):
		return Suite{}, inSuite(name, problem(0, "it is larger than 1 MiB"))
	case errors.Is(err, fs.ErrNotExist):
		return Suite{}, inSuite(name, problem(0, "it does not exist"))
	case err != nil:
		p := problem(0, "it %s", whyUnread(err))
		p.Err = err
		return Suite{}, inSuite(name, p)
	}
	s, err := Parse(text)
	if err == nil {
		s.Name = name
		f := &folder{ctx: ctx, fsys: fsys, dir: path.Dir(name), left: MaxAllBytes}
		if f.dir == "." {
			f.dir = ""
		}
		err = s.readFiles(f)
	}
	if err == nil {
		err = s.validate()
	}
	switch {
	case ctx.Err() != nil:
		return Suite{},
			&api.Error{Code: api.CodeCancelled, Message: "Stopped before the suite was read.", Err: ctx.Err()}
	case err != nil:
		return Suite{}, inSuite(name, asProblem(err))
	}
	return s, nil
}

// Parse reads the text of a suite without the files it names; [Cells] refuses
// one that names any.
func Parse(text []byte) (Suite, error) {
	if len(text) > MaxBytes {
		return Suite{}, problem(0, "it is larger than 1 MiB")
	}
	root, err := parse(text)
	if err != nil {
		return Suite{}, err
	}
	if root == nil || isNull(root) {
		return Suite{}, problem(0, "it is empty: write prompts and providers")
	}
	resolved, err := resolve(root)
	if err != nil {
		return Suite{}, err
	}
	var d decoder
	s, err := d.decode(resolved)
	if err != nil {
		return Suite{}, err
	}
	s.Notes = d.notes
	known := s
	known.Providers = nil
	s.source = &source{root: root, node: known.node()}
	return s, nil
}

// validate says at load what would fail later, or ask less than is written: checks that do not compile, and names of
// prompts and providers that are not there.
func (s Suite) validate() error {
	c, err := s.compiler()
	if err != nil {
		return err
	}
	for _, t := range s.cases() {
		if _, err := c.checks(t); err != nil {
			return err
		}
	}
	return s.checkNames()
}

// defaults returns what every test has.
func (s Suite) defaults() Test {
	if s.loaded.defaults != nil && s.DefaultFile != "" {
		return *s.loaded.defaults
	}
	return s.Default
}

// cases returns the tests with those of files in their places.
func (s Suite) cases() []Test {
	var out []Test
	for _, t := range s.Tests {
		if t.File != "" {
			out = append(out, s.loaded.cases[t.File]...)
			continue
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		out = []Test{{}}
	}
	return out
}

// readFiles reads what the suite names.
func (s *Suite) readFiles(f *folder) error {
	s.loaded = loaded{prompts: map[string][]Prompt{}, cases: map[string][]Test{}, values: map[string]any{}}
	for _, p := range s.Prompts {
		if ref, ok := fileRef(p.Raw); ok {
			if err := s.readPrompts(f, ref, p); err != nil {
				return err
			}
		}
	}
	if s.DefaultFile != "" {
		tests, err := s.readCases(f, s.DefaultFile, 0)
		if err != nil {
			return err
		}
		if len(tests) != 1 || tests[0].File != "" {
			return problem(0, "the file %s must hold one test as the default", quote(s.DefaultFile))
		}
		s.loaded.defaults = &tests[0]
	}
	for _, t := range s.Tests {
		if t.File == "" || s.loaded.cases[t.File] != nil {
			continue
		}
		tests, err := s.readCases(f, t.File, t.Line)
		if err != nil {
			return err
		}
		s.loaded.cases[t.File] = tests
	}
	for _, t := range append(s.cases(), s.defaults()) {
		if err := s.readValues(f, t); err != nil {
			return inFile(t.from, err)
		}
	}
	return nil
}

// separator divides the prompts of a text file, as in promptfoo.
var separator = regexp.MustCompile(`(?m)^---[ \t]*\r?$`)

func (s *Suite) readPrompts(f *folder, ref string, p Prompt) error {
	if s.loaded.prompts[ref] != nil {
		return nil
	}
	if ext := extension(ref); runsCode(ref) || media(ref) || ext == ".csv" || ext == ".xlsx" {
		return problem(p.Line, "the prompt %s is not a text file, and confab runs no code", quote(ref))
	}
	names, err := f.names(ref, p.Line)
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := f.read(name, p.Line)
		if err != nil {
			return err
		}
		if err := refuseTemplates(text, 1); err != nil {
			return inFile(path.Base(name), err)
		}
		pieces := []string{text}
		if extension(ref) == ".txt" {
			pieces = separator.Split(text, -1)
		}
		for _, piece := range pieces {
			if piece = strings.TrimSpace(piece); piece != "" {
				s.loaded.prompts[ref] = append(s.loaded.prompts[ref],
					Prompt{Raw: piece, Line: p.Line, Label: path.Base(name)})
			}
		}
	}
	if s.loaded.prompts[ref] == nil {
		return problem(p.Line, "the prompt %s is empty", quote(ref))
	}
	return nil
}

func (s *Suite) readCases(f *folder, ref string, line int) ([]Test, error) {
	if runsCode(ref) {
		return nil, problem(line, "the cases in %s are a script, and confab runs no code", quote(ref))
	}
	names, err := f.names(ref, line)
	if err != nil {
		return nil, err
	}
	var out []Test
	for _, name := range names {
		text, err := f.read(name, line)
		if err != nil {
			return nil, err
		}
		var tests []Test
		var d decoder
		switch extension(name) {
		case ".csv":
			tests, err = d.csv(text)
		case ".yaml", ".yml", ".json":
			var root *yaml.Node
			if root, err = parseResolved(text); err == nil && root != nil {
				tests, err = each(root, d.test)
			}
			if slices.ContainsFunc(tests, func(t Test) bool { return t.File != "" }) {
				err = problem(0, "a file of cases names another file of cases")
			}
		default:
			return nil, problem(line, "the cases in %s must be CSV, YAML or JSON", quote(ref))
		}
		base := path.Base(name)
		if err != nil {
			return nil, inFile(base, err)
		}
		for i := range tests {
			tests[i].from = base
		}
		for _, n := range d.notes {
			s.Notes = append(s.Notes, Note{Line: line, Text: base + ": " + n.Text, LeavesOut: n.LeavesOut})
		}
		out = append(out, tests...)
		if len(out) > MaxCells {
			return nil, problem(line, "there are more than %d cases", MaxCells)
		}
	}
	if len(out) == 0 {
		return nil, problem(line, "the file %s holds no cases", quote(ref))
	}
	return out, nil
}

// readValues reads the files that checks and variables name.
func (s *Suite) readValues(f *folder, t Test) error {
	for _, a := range slices.Concat(t.Assert, t.Own) {
		ref, ok := fileRef(a.Value)
		if !ok || runsCode(ref) {
			continue
		}
		text, err := s.readValue(f, ref, a.Line)
		if err != nil {
			return err
		}
		if s.loaded.values[ref], err = checkValue(ref, text, a.Line); err != nil {
			return err
		}
	}
	for _, v := range t.Vars {
		for _, value := range v.Values {
			ref, ok := fileRef(value)
			if !ok || media(ref) {
				continue
			}
			text, err := s.readValue(f, ref, t.Line)
			if err == nil && v.Name == Reserved {
				err = inFile(strings.TrimPrefix(ref, fileScheme), refuseTemplates(text, 1))
			}
			if err != nil {
				return err
			}
			s.loaded.values["var "+ref] = text
		}
	}
	return nil
}

// checkValue returns what the file of a check's value means: JSON and YAML are data, anything else is text. The line is
// that of the check. An empty file is refused: most checks would take it for no value.
func checkValue(ref, text string, line int) (any, error) {
	if blank(text) {
		return nil, problem(line, "the file %s is empty", quote(ref))
	}
	name := strings.TrimPrefix(ref, fileScheme)
	if ext := extension(ref); ext != ".json" && ext != ".yaml" && ext != ".yml" {
		return text, inFile(name, refuseTemplates(text, 1))
	}
	root, err := parseResolved(text)
	if err == nil && (root == nil || isNull(root)) {
		return nil, problem(line, "the file %s is empty", quote(ref))
	}
	var value any
	if err == nil {
		if value, err = decodeValue(root, "the file "+quote(ref)); err == nil {
			err = refuseTemplatesIn(root)
		}
	}
	return value, inFile(name, err)
}

func (s *Suite) readValue(f *folder, ref string, line int) (string, error) {
	names, err := f.names(ref, line)
	if err != nil {
		return "", err
	}
	if len(names) != 1 {
		return "", problem(line, "%s is more than one file", quote(ref))
	}
	return f.read(names[0], line)
}
