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

// counted matches a number before a plural of countable things in a format or a concatenation. It excludes limits,
// since no limit is one.
var counted = regexp.MustCompile(`(?:([a-zA-Z]+) |[^/x ])(%d|Itoa\([^"]*\) ?\+ ?"|Sprint\([^"]*\) ?\+ ?") ` +
	`(answers|lines|connections|seconds|bytes|requests|times|turns|models|samples|pictures|files|prompts|calls|checks|` +
	`words|tokens|sessions|runs|cells|pairs|votes|users|keys|paths|tests|errors|characters|tries|matches)\b`)

// TestPluralsAreMadeInOnePlace checks that counted things are formatted by this package, which says "1 answer".
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
