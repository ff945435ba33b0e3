package suite_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"confab/service/suite"
)

// example returns the files of an example: each follows a line "-- name --".
func example(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	files, at := fstest.MapFS{}, ""
	for line := range strings.Lines(string(text)) {
		if head, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(head, " --\n") {
			at = strings.TrimSuffix(head, " --\n")
			files[at] = &fstest.MapFile{}
			continue
		}
		files[at].Data = append(files[at].Data, line...)
	}
	return files
}

// TestExamplesOfPromptfoo loads thirty configurations in the forms of promptfoo's public examples, as they stand, and
// makes their calls with models for their providers.
func TestExamplesOfPromptfoo(t *testing.T) {
	// What the errors of those that cannot run say.
	refused := map[string]string{
		"21-prompt-functions": `the prompt "file://prompt.py:make" is not a text file, and confab runs no code`,
		"23-own-filters":      `the template "{{ name | shout }}": there is no filter "shout"`,
		"27-generated-tests":  "line 4: path belongs to tests that a script makes, and confab runs no code",
		"29-conversation":     "no value for _conversation",
		"30-vision":           "has a part that is no text, and confab sends texts only",
	}
	names, err := filepath.Glob("testdata/promptfoo/*.txt")
	if err != nil || len(names) != 30 {
		t.Fatalf("there are %d examples, %v", len(names), err)
	}
	loaded := 0
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			s, err := suite.Load(t.Context(), example(t, file), "promptfooconfig.yaml")
			var cells []suite.Call
			if err == nil {
				s.Models = map[string]string{}
				for _, p := range s.Providers {
					s.Models[p.ID] = "alpha"
				}
				cells, err = suite.Calls(s, catalogue(t))
			}
			want, isRefused := refused[name]
			switch {
			case isRefused && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("got %v, want %q in it", err, want)
			case !isRefused && (err != nil || len(cells) == 0):
				t.Errorf("%d calls, %v", len(cells), err)
			case !isRefused:
				loaded++
				for _, n := range s.Unapplied {
					t.Logf("line %d: %s", n.Line, n.Text)
				}
				t.Logf("%d calls, the first %q", len(cells), cells[0].Prompt)
			}
		})
	}
	t.Logf("%d of %d load as they stand", loaded, len(names))
	if loaded != 25 {
		t.Errorf("%d of %d load as they stand, want 25", loaded, len(names))
	}
}
