package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"confab/internal/config"
)

func TestAppend(t *testing.T) {
	const before = "# mine\n[models]\ndefault = [\"delta\"] # why\n\n[[models.custom]]\nslug = \"own\""
	home, path := write(t, before)
	must(t, os.Chmod(path, 0o640))
	text := config.EnginesText([]config.FoundServer{{"ollama", "http://127.0.0.1:11434/v1"}})
	engines, err := config.Append(t.Context(), path, text)
	must(t, err)
	got, _ := os.ReadFile(path)
	if !strings.HasPrefix(string(got), before+"\n") {
		t.Errorf("what stood there is not kept:\n%s", got)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("the file is %v", info.Mode())
	}
	c := load(t, config.Sources{Home: home})
	if len(c.Engines) != 1 || !c.Engines[0].Stream || !reflect.DeepEqual(c.Engines, engines) {
		t.Errorf("read %+v, and appending returned %+v", c.Engines, engines)
	}
	_, err = config.Append(t.Context(), path, text)
	if err == nil || !strings.Contains(err.Error(), "Nothing was written") {
		t.Errorf("a second time: %v", err)
	}
	if again, _ := os.ReadFile(path); string(again) != string(got) {
		t.Error("a refused text was written")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".config-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAppendMakesAndFollows(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "config.toml")
	if _, err := config.Append(t.Context(), path, "[ui]\nfps = 30\n"); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.toml")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	if _, err := config.Append(t.Context(), link, "[log]\nlevel = \"off\"\n"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if got, _ := os.ReadFile(path); string(got) != "[ui]\nfps = 30\n[log]\nlevel = \"off\"\n" {
		t.Errorf("got %q", got)
	}
}
