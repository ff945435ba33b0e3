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

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
