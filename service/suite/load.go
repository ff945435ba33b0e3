package suite

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"confab/internal/fileio"
	"confab/service/api"
)

// Load reads a suite and the files that it names, all inside the folder of name. Pass a folder opened as an os.Root
// to keep links from leading out of it. The error is an [api.Error] of code usage that names the line.
func Load(ctx context.Context, fsys fs.FS, name string) (Suite, error) {
	text, err := readFile(fsys, name)
	if err != nil {
		e := errorAt(0, "it %s", fileio.ReadProblem(err, MaxBytes))
		e.cause = err
		return Suite{}, describeError(name, e)
	}
	return LoadText(ctx, fsys, name, text)
}

// LoadText is [Load] with a text in place of what the file of that name holds.
func LoadText(ctx context.Context, fsys fs.FS, name string, text []byte) (Suite, error) {
	f := folder{ctx: ctx, fsys: fsys, dir: strings.TrimPrefix(path.Dir(name), "."), budget: MaxAllBytes,
		values: map[string]any{}}
	s, err := f.load(text)
	if ctx.Err() != nil {
		return s, &api.Error{Code: api.CodeCancelled, Message: "Stopped before the suite was read.", Err: ctx.Err()}
	}
	s.Name = name
	return s, describeError(name, err)
}

// load reads a suite in the folder.
func (f *folder) load(text []byte) (s Suite, err error) {
	root, err := parseYAML(string(text))
	if err != nil {
		return s, err
	}
	if root == nil {
		return s, errorAt(0, "it is empty: write prompts and providers")
	}
	d := decoder{folder: f}
	if s, err = d.suite(root); err != nil {
		return s, err
	}
	s.Unapplied = d.notes
	namePrompts(s.Prompts)
	if err := f.readValues(&s.Default); err != nil {
		return s, err
	}
	for i := range s.Tests {
		if err := f.readValues(&s.Tests[i]); err != nil {
			return s, err
		}
	}
	if err := s.compileChecks(); err != nil {
		return s, err
	}
	return s, s.checkNames()
}

// separator matches the separator of prompts in a text file, as in promptfoo.
var separator = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^---[ \t]*\r?$`)
})

// readPrompts returns the prompts of the files of a prompt's reference.
func (d *decoder) readPrompts(ref string, p Prompt) ([]Prompt, error) {
	if ext := extension(ref); runsCode(ref) || isMedia(ref) || ext == ".xlsx" {
		return nil, errorAt(p.Line, "the prompt %s is not a text file, and confab runs no code", quote(ref))
	}
	var out []Prompt
	err := d.folder.eachFile(ref, p.Line, func(name, text string) error {
		text = d.env.Replace(text)
		pieces, labels := []string{text}, []string(nil)
		switch extension(name) {
		case ".txt":
			pieces = separator().Split(text, -1)
		case ".jsonl":
			pieces = strings.Split(text, "\n")
		case ".csv":
			var err error
			if pieces, labels, err = csvPrompts(text); err != nil {
				return err
			}
		}
		for i, piece := range pieces {
			next := p
			if next.Raw = strings.TrimSpace(piece); next.Raw == "" {
				continue
			}
			if i < len(labels) {
				next.Label = cmp.Or(next.Label, labels[i])
			}
			next.Label = cmp.Or(next.Label, name)
			out = append(out, next)
		}
		return refuseTemplates(text, 1)
	})
	if err == nil && out == nil {
		err = errorAt(p.Line, "the prompt %s is empty", quote(ref))
	}
	return out, err
}

// readCases returns the tests of the files of a test's reference.
func (d *decoder) readCases(ref string, line int) ([]Test, error) {
	if runsCode(ref) {
		return nil, errorAt(line, "the cases in %s are a script, and confab runs no code", quote(ref))
	}
	var out []Test
	err := d.folder.eachFile(ref, line, func(name, text string) (err error) {
		file := decoder{folder: d.folder, env: d.env}
		var tests []Test
		switch extension(name) {
		case ".csv":
			tests, err = file.csv(text)
		case ".yaml", ".yml", ".json":
			tests, err = file.casesOfYAML(text)
		case ".jsonl":
			tests, err = file.casesOfYAML("- " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n- "))
		default:
			err = errorAt(0, "cases must be CSV, YAML, JSON or JSONL")
		}
		for i := range tests {
			tests[i].file = name
		}
		for _, n := range file.notes {
			d.notes = append(d.notes, UnappliedSetting{Line: line, Text: name + ": " + n.Text, LeavesOut: n.LeavesOut})
		}
		if out = append(out, tests...); err == nil && len(out) > MaxCells {
			err = errorAt(0, "there are more than %d cases", MaxCells)
		}
		return err
	})
	if err == nil && len(out) == 0 {
		err = errorAt(line, "the file %s holds no cases", quote(ref))
	}
	return out, err
}

func (d *decoder) casesOfYAML(text string) (tests []Test, err error) {
	root, err := parseYAML(text)
	if err != nil || root == nil {
		return nil, err
	}
	for _, item := range items(root) {
		if _, ok := fileRef(item.Value); ok {
			return nil, errorAt(0, "a file of cases names another file of cases")
		}
		t, err := d.test(item, "a test")
		if err != nil {
			return nil, err
		}
		tests = append(tests, t)
	}
	return tests, nil
}

// readCheckValues replaces references in checks and their parts by the contents of the files.
func (f *folder) readCheckValues(t *Test, checks []checkSpec) error {
	for i := range checks {
		c := &checks[i]
		if err := f.readCheckValues(t, c.parts); err != nil {
			return err
		}
		ref, ok := fileRef(c.Value)
		switch {
		case !ok || isForeignCheckType(c.name()):
			continue
		case runsCode(ref):
			c.skip = "its value is a script, and confab runs none"
			continue
		}
		var err error
		if c.Value, err = f.checkValue(ref, c.line); err != nil {
			return inFile(t.file, err)
		}
	}
	return nil
}

// readValues replaces references in the checks and variables of a test by the contents of the files.
func (f *folder) readValues(t *Test) error {
	if err := f.readCheckValues(t, t.written); err != nil {
		return err
	}
	for i, v := range t.Vars {
		t.Vars[i].Values = nil
		for _, value := range v.Values {
			texts := []string{value}
			if ref, ok := fileRef(value); ok && !isMedia(ref) {
				var err error
				if texts, err = f.varTexts(ref, t.line); err != nil {
					return inFile(t.file, err)
				}
				for j := 0; j < len(texts) && v.Name == systemVariable; j++ {
					if err := refuseTemplates(texts[j], 1); err != nil {
						return inFile(strings.TrimPrefix(ref, fileScheme), err)
					}
				}
			}
			t.Vars[i].Values = append(t.Vars[i].Values, texts...)
		}
	}
	return nil
}

// varTexts returns the texts of the files of a reference as values of a variable, with mappings and lists in YAML as
// JSON.
func (f *folder) varTexts(ref string, line int) (texts []string, err error) {
	if known, ok := f.values[ref].([]string); ok {
		return known, nil
	}
	err = f.eachFile(ref, line, func(name, text string) error {
		if ext := extension(name); ext == ".yaml" || ext == ".yml" {
			root, err := parseYAML(text)
			if err == nil && root != nil && root.Kind != yaml.ScalarNode {
				text, err = decodeVarValue(root)
			}
			if err != nil {
				return err
			}
		}
		texts = append(texts, text)
		return nil
	})
	if err == nil {
		f.values[ref] = texts
	}
	return texts, err
}

// checkValue returns the content of a check's file: data from JSON and YAML, text from others. The line is that of
// the check. It refuses an empty file, which most checks would take for no value.
func (f *folder) checkValue(ref string, line int) (value any, err error) {
	key := "check " + ref
	if known, ok := f.values[key]; ok {
		return known, nil
	}
	files := 0
	isEmpty := false
	err = f.eachFile(ref, line, func(name, text string) error {
		files++
		value, isEmpty = text, strings.TrimSpace(text) == ""
		if !slices.Contains([]string{".json", ".yaml", ".yml"}, extension(name)) {
			return refuseTemplates(text, 1)
		}
		root, err := parseYAML(text)
		if err != nil || root == nil {
			isEmpty = err == nil
			return err
		}
		if value, err = decodeValue(root, "the file "+quote(ref)); err != nil {
			return err
		}
		return refuseTemplatesIn(root)
	})
	switch {
	case err == nil && files != 1:
		err = errorAt(line, "%s is more than one file", quote(ref))
	case err == nil && isEmpty:
		err = errorAt(line, "the file %s is empty", quote(ref))
	case err == nil:
		f.values[key] = value
	}
	return value, err
}
