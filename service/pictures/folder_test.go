package pictures_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"

	"confab/history"
	"confab/service/pictures"
)

// save saves the picture of an answer, and returns its path. All pictures of one template have the same name.
func save(folder, template, picture, session string) (string, error) {
	files := pictures.NewFiles(pictures.Options{Folder: folder, NameTemplate: template}, pictures.Host{})
	return files.Save(history.Turn{Prompt: "A fox"}, history.Answer{Model: "sim-image", SentNonce: "n1",
		Picture: &history.Picture{ContentType: "image/png"}}, []byte(picture), session)
}

func TestKeepNeverReplaces(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"x-1d616793.png": "one", "x-1d616793-2.json": "two"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	path, err := save(dir, "x", "content", "")
	must(t, err)
	if filepath.Base(path) != "x-1d616793-3.png" {
		t.Errorf("kept as %s, want x-1d616793-3.png", filepath.Base(path))
	}
	for name, want := range map[string]string{"x-1d616793.png": "one", "x-1d616793-2.json": "two"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "x-1d616793.json")); err == nil {
		t.Error("facts were left beside a foreign picture")
	}
}

func TestCounterGrowsAcrossShelves(t *testing.T) {
	dir := t.TempDir()
	const each, shelves = 8, 4
	var all sync.WaitGroup
	var mu sync.Mutex
	var got []int
	for i := range shelves {
		all.Go(func() {
			for range each {
				path, err := save(dir, "", fmt.Sprint(i), "")
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				n, err := strconv.Atoi(filepath.Base(path)[:4])
				if err != nil {
					t.Error(err)
				}
				got = append(got, n)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	slices.Sort(got)
	for i, n := range got {
		if n != i+1 {
			t.Fatalf("counted %v, want 1 to %d each once", got, each*shelves)
		}
	}
}

func TestCounterGoesOn(t *testing.T) {
	tests := []struct {
		name    string
		files   []string
		counter string
		want    string
	}{
		{"from the names when its file is lost", []string{"0041-sim-image-fox.png", "9999x.png", "notes.txt"}, "",
			"0042-sim-image-a-fox-n1-1d616793.png"},
		{"from the names when its file is broken", []string{"0041-sim-image-fox.png"}, "4\x001",
			"0042-sim-image-a-fox-n1-1d616793.png"},
		{"past deleted pictures", nil, "120\n", "0121-sim-image-a-fox-n1-1d616793.png"},
		{"past four digits", nil, "9999\n", "10000-sim-image-a-fox-n1-1d616793.png"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range tt.files {
				must(t, os.WriteFile(filepath.Join(dir, f), nil, 0o600))
			}
			if tt.counter != "" {
				must(t, os.WriteFile(filepath.Join(dir, ".counter"), []byte(tt.counter), 0o600))
			}
			path, err := save(dir, "", "content", "")
			must(t, err)
			if filepath.Base(path) != tt.want {
				t.Errorf("kept as %s, want %s", filepath.Base(path), tt.want)
			}
		})
	}
}

// TestCopiesOfABucketAreNotStored counts a copy with its provenance, but no picture that is not uploaded.
func TestCopiesOfABucketAreNotStored(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"0001-a.png": 100, "0001-a.json": 10, "0002-b.png": 1000, "0002-b.json": 20,
		"uploaded-01234567/0001-a.png": 0, "uploaded-01234567/0003-gone.png": 0} {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, make([]byte, size), 0o600))
	}
	if got := pictures.CopiesSize(dir); got != 110 {
		t.Errorf("%d bytes of copies, want 110", got)
	}
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
