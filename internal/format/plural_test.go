package format_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"confab/internal/format"
)

// counted finds a number before the plural of something that people count, in a format or in a text that is put
// together. A number that is a limit is left alone: nothing has a limit of one.
var counted = regexp.MustCompile(`(?:([a-zA-Z]+) |[^/x ])(%d|Itoa\([^"]*\) ?\+ ?"|Sprint\([^"]*\) ?\+ ?") ` +
	`(answers|lines|connections|seconds|bytes|requests|times|turns|models|samples|pictures|files|prompts|calls|checks|` +
	`words|tokens|sessions|runs|cells|pairs|votes|users|keys|paths|tests|errors|characters|tries|matches)\b`)

// TestPluralsAreMadeInOnePlace: whatever counts things for people says "1 answer", so it goes through this package.
func TestPluralsAreMadeInOnePlace(t *testing.T) {
	look := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.Contains(path, "test/") || strings.Contains(path, "/stub/") {
			return err
		}
		code, err := os.ReadFile(path)
		for _, found := range counted.FindAllStringSubmatch(string(code), -1) {
			switch strings.TrimSpace(found[1]) {
			case "than", "most", "to", "under", "of", "line", "least":
			default:
				t.Errorf("%s counts by itself: %q", path, strings.TrimSpace(found[0]))
			}
		}
		return err
	}
	for _, dir := range []string{"../../ui", "../../service", "../cli", "../fetch", "../sshserver"} {
		if err := filepath.WalkDir(dir, look); err != nil {
			t.Error(err)
		}
	}
}

func TestASentenceEndsOnce(t *testing.T) {
	for text, want := range map[string]string{"it is closed": "it is closed.", "is it closed?": "is it closed?",
		"It is.": "It is."} {
		if got := format.EndSentence(text); got != want {
			t.Errorf("%q ends as %q", text, got)
		}
	}
}
