package pictures

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"confab/internal/filename"
)

func pngOf(t testing.TB, shade uint8) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 8, 4))
	for i := range m.Pix {
		m.Pix[i] = shade
	}
	m.Set(1, 1, color.White)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func item(b []byte) NewPicture {
	return NewPicture{
		Bytes: b, Ext: ".png", Text: "a fox\nModel: sim-image",
		Parts: filename.Parts{Model: "sim-image", Prompt: "A fox", Nonce: "n1"},
		Facts: func(k SavedPicture) ([]byte, error) { return json.Marshal(k) },
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

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func TestKeep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "pictures")
	s := NewStore(dir, StoreOptions{Owner: "1-2"})
	received := pngOf(t, 9)
	k, err := s.Keep(item(received))
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "0001-sim-image-a-fox-n1.png"); k.Path != want {
		t.Errorf("kept as %s, want %s", k.Path, want)
	}
	if got, want := names(t, dir), []string{".counter", "0001-sim-image-a-fox-n1.json",
		"0001-sim-image-a-fox-n1.png"}; !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
	onDisk, err := os.ReadFile(k.Path)
	if err != nil {
		t.Fatal(err)
	}
	if sum(onDisk) != k.SHA256 || int64(len(onDisk)) != k.Bytes {
		t.Errorf("the file is not as reported")
	}
	if !k.TextAdded || bytes.Equal(onDisk, received) {
		t.Errorf("no text was added")
	}
	if !bytes.Equal(CleanCopy(onDisk), received) {
		t.Errorf("the clean copy is not what was received")
	}
	for _, name := range names(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != 0o600 {
			t.Errorf("%s has mode %o, want 600", name, got)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v (%v), want 700", info.Mode(), err)
	}
}

func TestKeepNeverReplaces(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"x.png": "one", "x-2.json": "two"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := NewStore(dir, StoreOptions{Template: "x"})
	k, err := s.Keep(item(pngOf(t, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if k.Name != "x-3.png" {
		t.Errorf("kept as %s, want x-3.png", k.Name)
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
		s := NewStore(dir, StoreOptions{Owner: fmt.Sprint(i)})
		all.Go(func() {
			for range each {
				k, err := s.Keep(item(pngOf(t, uint8(i))))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				got = append(got, k.CountedAs)
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
				if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if tt.counter != "" {
				if err := os.WriteFile(filepath.Join(dir, counterName), []byte(tt.counter), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			k, err := NewStore(dir, StoreOptions{}).Keep(item(pngOf(t, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if k.Name != tt.want {
				t.Errorf("kept as %s, want %s", k.Name, tt.want)
			}
		})
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	s := NewStore(dir,
		StoreOptions{Now: func() time.Time { return now }, Alive: func(o string) bool { return o == "7-7" }})
	for name, age := range map[string]time.Duration{
		".confab-1-1-abc.tmp": 2 * time.Minute, // dead and old
		".confab-1-1-def.tmp": time.Second,     // dead and new
		".confab-7-7-abc.tmp": time.Hour,       // alive
		".confab-odd.tmp":     time.Hour,       // not ours to read, but old
		"notes.tmp":           time.Hour,       // foreign
		".hidden.png":         time.Hour,
		"a.png":               time.Hour,
		"a.json":              time.Hour,
		"b.json":              time.Hour,
		"c.jpg":               time.Hour,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := s.Sweep(time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if found.Swept != 2 || !slices.Equal(found.Pictures, []string{"a.png", "c.jpg"}) ||
		!slices.Equal(found.Widowed, []string{"b.json"}) {
		t.Errorf("found %+v", found)
	}
	want := []string{".confab-1-1-def.tmp", ".confab-7-7-abc.tmp", ".hidden.png", "a.json", "a.png", "b.json", "c.jpg",
		"notes.tmp"}
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("left %q, want %q", got, want)
	}
	if found, err := NewStore(filepath.Join(dir, "none"), StoreOptions{}).Sweep(0); err != nil ||
		len(found.Pictures) != 0 {
		t.Errorf("a folder that is not there: %+v, %v", found, err)
	}
}

func TestRemove(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "pictures")
	s := NewStore(dir, StoreOptions{})
	k, err := s.Keep(item(pngOf(t, 1)))
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(outer, "keep.png")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{outside, filepath.Join(dir, "..", "keep.png"), dir, k.Path, k.Path} {
		if err := s.Remove(path); err != nil {
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

func TestTemporaryNamesAreSwept(t *testing.T) {
	s := NewStore(t.TempDir(), StoreOptions{Owner: "12-34-ab-cd"})
	if name := s.temp(); !regexp.MustCompile(`^\.confab-12-34-ab-cd-[A-Z0-9]{12}\.tmp$`).MatchString(name) {
		t.Errorf("got %s", name)
	}
	asked := ""
	s.o.Alive = func(o string) bool { asked = o; return true }
	s.alive(s.temp())
	if asked != "12-34-ab-cd" {
		t.Errorf("asked after %q", asked)
	}
}
