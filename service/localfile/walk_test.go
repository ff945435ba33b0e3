package localfile_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"confab/service/localfile"
)

func TestWalk(t *testing.T) {
	repo := t.TempDir()
	write := func(path, content string) {
		t.Helper()
		path = filepath.Join(repo, path)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(content), 0o600))
	}
	must(t, os.Mkdir(filepath.Join(repo, ".git"), 0o700))
	write(".gitignore", "*.log\n/app/build/\n# a comment\n\n")
	write("above.md", "")
	write("app/.gitignore", "!keep.log\nvendor\n")
	for _, path := range []string{"main.go", "a.log", "keep.log", "build/x.go", "sub/build/y.go", "vendor/z.go",
		".hidden/h.md", ".env", "sub/b.md"} {
		write("app/"+path, "x")
	}
	link(t, filepath.Join(repo, "above.md"), filepath.Join(repo, "app", "link.md"))
	t.Chdir(filepath.Join(repo, "app"))
	want := []string{"keep.log", "main.go", "sub/b.md", "sub/build/y.go"}
	for root, want := range map[localfile.Root][]string{
		"": want,
		// The files above a user's own folder are not read.
		localfile.Root(filepath.Join(repo, "app")): {"a.log", "build/x.go", "keep.log", "main.go", "sub/b.md",
			"sub/build/y.go"},
	} {
		found, err := root.Walk(t.Context())
		var names []string
		for _, e := range found {
			names = append(names, e.Name)
		}
		if !slices.Equal(names, want) || err != nil {
			t.Errorf("below %q: %q, %v, want %q", root, names, err, want)
		}
	}
}

// Of a folder with more files than are listed, those near its top are there.
func TestWalkOfAVeryLargeFolder(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "a", "deep"), 0o700))
	for i := range 5100 {
		must(t, os.WriteFile(filepath.Join(dir, "a", "deep", strconv.Itoa(i)), nil, 0o600))
	}
	must(t, os.Mkdir(filepath.Join(dir, "z"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "z", "wanted.go"), nil, 0o600))
	found, err := localfile.Root(dir).Walk(t.Context())
	isWanted := func(e localfile.Entry) bool { return e.Name == "z/wanted.go" }
	if err != nil || len(found) != 5000 || !slices.ContainsFunc(found, isWanted) {
		t.Errorf("%d files, %v, without the one near the top", len(found), err)
	}
}
