package pictures

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"confab/internal/fileio"
)

func pngOf(t testing.TB, shade uint8) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 8, 4))
	for i := range m.Pix {
		m.Pix[i] = shade
	}
	m.Set(1, 1, color.White)
	var b bytes.Buffer
	must(t, png.Encode(&b, m))
	return b.Bytes()
}

func item(b []byte) newPicture {
	return newPicture{
		image: b, ext: ".png", text: "a fox\nModel: sim-image",
		parts:    fileio.NameParts{Model: "sim-image", Prompt: "A fox", Nonce: "n1"},
		describe: func(k savedPicture) ([]byte, error) { return json.Marshal(k.sha256) },
	}
}

func names(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	return got
}

func TestKeepNeverReplaces(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"x.png": "one", "x-2.json": "two"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	s := folder{dir, "x"}
	k, err := s.save(item(pngOf(t, 1)))
	must(t, err)
	if filepath.Base(k.path) != "x-3.png" {
		t.Errorf("kept as %s, want x-3.png", filepath.Base(k.path))
	}
	for name, want := range map[string]string{"x.png": "one", "x-2.json": "two"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "x.json")); err == nil {
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
		s := folder{dir, fileio.DefaultNameTemplate}
		all.Go(func() {
			for range each {
				k, err := s.save(item(pngOf(t, uint8(i))))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				n, err := strconv.Atoi(filepath.Base(k.path)[:4])
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
			"0042-sim-image-a-fox-n1.png"},
		{"from the names when its file is broken", []string{"0041-sim-image-fox.png"}, "4\x001",
			"0042-sim-image-a-fox-n1.png"},
		{"past deleted pictures", nil, "120\n", "0121-sim-image-a-fox-n1.png"},
		{"past four digits", nil, "9999\n", "10000-sim-image-a-fox-n1.png"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range tt.files {
				must(t, os.WriteFile(filepath.Join(dir, f), nil, 0o600))
			}
			if tt.counter != "" {
				must(t, os.WriteFile(filepath.Join(dir, counterName), []byte(tt.counter), 0o600))
			}
			k, err := folder{dir, fileio.DefaultNameTemplate}.save(item(pngOf(t, 1)))
			must(t, err)
			if filepath.Base(k.path) != tt.want {
				t.Errorf("kept as %s, want %s", filepath.Base(k.path), tt.want)
			}
		})
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	s := folder{dir, ""}
	for name, age := range map[string]time.Duration{
		".confab-1-1-abc.tmp": 2 * time.Hour,    // left by an earlier release
		".a.png.ABCDEFGH.tmp": 30 * time.Minute, // another process may be writing it
		".b.png.ABCDEFGH.tmp": 2 * time.Hour,
		"notes.tmp":           2 * time.Hour, // a user's
		".hidden.png":         2 * time.Hour,
		"a.png":               time.Hour,
		"a.json":              time.Hour,
		"b.json":              time.Hour,
		"c.jpg":               time.Hour,
	} {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte("x"), 0o600))
		must(t, os.Chtimes(path, now.Add(-age), now.Add(-age)))
	}
	found, err := s.list(now)
	must(t, err)
	if !slices.Equal(found.temporary, []string{".b.png.ABCDEFGH.tmp", ".confab-1-1-abc.tmp"}) ||
		!slices.Equal(found.pictures, []string{"a.png", "c.jpg"}) ||
		!slices.Equal(found.loneProvenance, []string{"b.json"}) {
		t.Errorf("found %+v", found)
	}
	if found, err := (folder{filepath.Join(dir, "none"), ""}).list(now); err != nil || len(found.pictures) != 0 {
		t.Errorf("a folder that is not there: %+v, %v", found, err)
	}
}

// If a picture or its provenance cannot be written, neither remains.
func TestSaveFailsWhole(t *testing.T) {
	for name, description := range map[string]func(savedPicture) ([]byte, error){
		"described": func(s savedPicture) ([]byte, error) {
			// The name is taken between the check and the writing.
			return []byte("{}"), os.WriteFile(s.path, []byte("theirs"), 0o600)
		},
		"not described": func(savedPicture) ([]byte, error) { return nil, syscall.ENOSPC },
	} {
		dir := t.TempDir()
		saved := savedPicture{path: filepath.Join(dir, "a.png")}
		err := saved.write(pngOf(t, 3), description)
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: got %v", name, err)
		}
		if b, _ := os.ReadFile(saved.path); len(names(t, dir)) > 1 || len(b) > 0 && string(b) != "theirs" {
			t.Errorf("%s: left %q", name, names(t, dir))
		}
	}
}

func TestRemove(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "pictures")
	s := folder{dir, fileio.DefaultNameTemplate}
	k, err := s.save(item(pngOf(t, 1)))
	must(t, err)
	outside := filepath.Join(outer, "keep.png")
	must(t, os.WriteFile(outside, nil, 0o600))
	for _, path := range []string{outside, filepath.Join(dir, "..", "keep.png"), dir, k.path, k.path} {
		if err := s.remove(path); err != nil {
			t.Errorf("remove %s: %v", path, err)
		}
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error("a file outside the folder was removed")
	}
	if got := names(t, dir); !slices.Equal(got, []string{counterName}) {
		t.Errorf("left %q", got)
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
	if got := CopiesSize(dir); got != 110 {
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
