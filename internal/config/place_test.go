package config_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"confab/service/api"

	"confab/internal/config"
)

func TestPaths(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  []string
		flag map[string]string
		want []string // config, history, pictures, log, drafts
	}{
		{"home alone", nil, nil,
			[]string{"/h/.config/confab/config.toml", "/h/.local/share/confab/history.db",
				"/h/.local/share/confab/pictures",
				"/h/.local/state/confab/confab.log", "/h/.local/state/confab/drafts"}},
		{"XDG", []string{"XDG_CONFIG_HOME=/c", "XDG_DATA_HOME=/d", "XDG_STATE_HOME=/s"}, nil,
			[]string{"/c/confab/config.toml", "/d/confab/history.db", "/d/confab/pictures", "/s/confab/confab.log",
				"/s/confab/drafts"}},
		{"relative XDG counts as none", []string{"XDG_CONFIG_HOME=c", "XDG_DATA_HOME=", "XDG_STATE_HOME=./s"}, nil,
			[]string{"/h/.config/confab/config.toml", "/h/.local/share/confab/history.db",
				"/h/.local/share/confab/pictures",
				"/h/.local/state/confab/confab.log", "/h/.local/state/confab/drafts"}},
		{"data folder", []string{"CONFAB_DATA_DIR=own/../mine", "XDG_DATA_HOME=/d"}, nil,
			[]string{"/h/.config/confab/config.toml", "/here/mine/history.db", "/here/mine/pictures",
				"/here/mine/state/confab.log", "/here/mine/state/drafts"}},
		{"folders of settings", nil, map[string]string{"history.folder": "~/x", "pictures.folder": "pics"},
			[]string{"/h/.config/confab/config.toml", "/h/x/history.db", "/here/pics",
				"/h/.local/state/confab/confab.log",
				"/h/x/drafts"}},
		{"last of a name wins", []string{"XDG_DATA_HOME=/a", "XDG_DATA_HOME=/b"}, nil,
			[]string{"/h/.config/confab/config.toml", "/b/confab/history.db", "/b/confab/pictures",
				"/h/.local/state/confab/confab.log", "/h/.local/state/confab/drafts"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := load(t, config.Sources{Env: append([]string{"HOME=/h"}, tt.env...), Dir: "/here",
				Flags: tt.flag}).Paths
			got := []string{p.ConfigFile, p.History, p.Pictures, p.Log, p.Drafts}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			for _, place := range p.List() {
				if !filepath.IsAbs(place.Path) {
					t.Errorf("%s is not absolute: %q", place.Name, place.Path)
				}
			}
		})
	}
}

func TestNamedFile(t *testing.T) {
	_, byFlag := write(t, "ui.fps = 1\n")
	_, byEnv := write(t, "ui.fps = 2\n")
	env := []string{"HOME=/h", "CONFAB_CONFIG=" + byEnv}
	if c := load(t, config.Sources{Env: env}); c.UI.FPS != 2 || c.Paths.ConfigFile != byEnv {
		t.Errorf("by environment: got %d from %s", c.UI.FPS, c.Paths.ConfigFile)
	}
	if c := load(t, config.Sources{Env: env, Dir: filepath.Dir(byFlag), Path: "config.toml"}); c.UI.FPS != 1 ||
		c.Paths.Themes != filepath.Join(filepath.Dir(byFlag), "themes") {
		t.Errorf("by flag: got %d, themes in %s", c.UI.FPS, c.Paths.Themes)
	}
}

func TestEnsureDir(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b")
	for range 2 {
		must(t, config.EnsureDir(path))
	}
	for _, p := range []string{path, filepath.Dir(path)} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: got %v, %v, want 0700", p, info.Mode(), err)
		}
	}
	file := filepath.Join(path, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	if err := config.EnsureDir(filepath.Join(file, "x")); api.CodeOf(err) != api.CodeDisk {
		t.Errorf("below a file: got %v", err)
	}
}

func TestInit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "confab", "config.toml")
	must(t, config.Init(path))
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want 0600", info.Mode(), err)
	}
	c := load(t, config.Sources{Home: "/h", Path: path})
	for name := range settings(t) {
		if from := c.Origin(name); from.Source != config.FromDefault {
			t.Errorf("the template sets %s", name)
		}
	}
	must(t, os.WriteFile(path, []byte("ui.fps = 1\n"), 0o600))
	if err := config.Init(path); !strings.Contains(message(t, err), "it was left as it is") {
		t.Errorf("a second time: got %v", err)
	}
	if data, _ := os.ReadFile(path); string(data) != "ui.fps = 1\n" {
		t.Errorf("the file was replaced by %q", data)
	}
}

// TestTemplateIsRight takes away every # before a setting: all of it must be read, with the values that hold without a
// file. So must the examples.
func TestTemplateIsRight(t *testing.T) {
	whole, sections := uncomment(config.Template())
	home, _ := write(t, whole)
	c, d := load(t, config.Sources{Home: home}), load(t, config.Sources{Home: home, Path: "/dev/null"})
	for name := range settings(t) {
		if c.Origin(name).Source != config.FromFile {
			t.Errorf("%s is not in the template", name)
		}
	}
	if len(c.Keys) == 0 || len(c.Models.Custom) != 1 {
		t.Errorf("got keys %v, models %v", c.Keys, c.Models.Custom)
	}
	if got, want := c.Changed(d), []string{"engines", "keys", "models.custom", "routes",
		"suite.providers"}; !slices.Equal(got, want) {
		t.Errorf("the template changes %v, want %v", got, want)
	}
	if n := strings.Count(config.Template(), "# Example: "); n < 8 {
		t.Errorf("got %d examples", n)
	}
	for section, examples := range sections {
		home, _ := write(t, "["+section+"]\n"+strings.Join(examples, ""))
		load(t, config.Sources{Home: home})
	}
}

// uncomment takes away every # before a setting. It returns the examples by their section as well.
func uncomment(template string) (whole string, examples map[string][]string) {
	section := ""
	examples = map[string][]string{}
	for line := range strings.Lines(template) {
		if example, ok := strings.CutPrefix(line, "# Example: "); ok {
			examples[section] = append(examples[section], example)
		}
		if rest, ok := strings.CutPrefix(line, "#"); ok && !strings.HasPrefix(rest, " ") {
			line = rest
		}
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]\n")
		}
		whole += line
	}
	return whole, examples
}

func TestShowIsTOMLThatReadsBack(t *testing.T) {
	home, _ := write(t, "[ui]\ntheme = 'x'\n[keys]\n'a b' = ['x']\n[[models.custom]]\nslug = 'm'\nabout = 'a \"b\"'\n")
	c := load(t, config.Sources{Home: home, Env: []string{"CONFAB_MODEL=a,b", "CONFAB_X=1"}})
	shown := c.Show()
	for _, want := range []string{"theme = 'x' ", "# file line 2\n", "default = ['a', 'b']",
		"# environment CONFAB_MODEL\n", "# key: none\n", "# warning: CONFAB_X in"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
	home, _ = write(t, shown)
	again, err := config.Load(context.Background(), config.Sources{Home: home})
	must(t, err)
	if fmt.Sprintf("%+v", again.Settings) != fmt.Sprintf("%+v", c.Settings) {
		t.Errorf("got %+v\nwant %+v", again.Settings, c.Settings)
	}
}

func BenchmarkLoad(b *testing.B) {
	path := filepath.Join(b.TempDir(), "config.toml")
	if err := config.Init(path); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := config.Load(context.Background(), config.Sources{Home: "/h", Path: path,
			Env: os.Environ()}); err != nil {
			b.Fatal(err)
		}
	}
}
