package config

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"confab/service/api"
)

// Paths is where confab keeps things. None of it exists before it is needed.
type Paths struct {
	ConfigFile string
	Themes     string // folder of the user's own themes
	Data       string // folder
	History    string // the store
	Pictures   string // folder
	Exports    string // folder
	State      string // folder
	Log        string // file
	Drafts     string // folder
	ServeKeys  string // folder

	AuthorizedKeys string // file or folder of the keys that confab ssh lets in
	HostKey        string // file, made when it is missing
}

// NamedPath is one of the paths with its name, for printing them.
type NamedPath struct {
	Name string
	Path string
}

// List returns the paths in the order of `confab paths`.
func (p Paths) List() []NamedPath {
	return []NamedPath{
		{"config", p.ConfigFile}, {"themes", p.Themes}, {"data", p.Data}, {"history", p.History},
		{"pictures", p.Pictures}, {"exports", p.Exports}, {"state", p.State}, {"log", p.Log}, {"drafts", p.Drafts},
	}
}

// EnsureDir makes a folder and those above it that are missing, 0700. A folder that is there is left as it is.
func EnsureDir(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return &api.Error{Code: api.CodeDisk,
			Message: fmt.Sprintf("The folder %s cannot be made: %s.", clean(path), reason(err)), Err: err}
	}
	return nil
}

// environment holds the passed environment in a function, so that formatting cannot print its secrets. The zero value
// is empty.
type environment func() map[string]string

func newEnvironment(list []string) environment {
	values := make(map[string]string, len(list))
	for _, kv := range list {
		if name, value, ok := strings.Cut(kv, "="); ok && name != "" {
			values[name] = value
		}
	}
	return func() map[string]string { return values }
}

func (e environment) get(name string) string {
	if e == nil {
		return ""
	}
	return e()[name]
}

// names returns the names of all variables, sorted.
func (e environment) names() []string {
	if e == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(e()))
}

// baseFolders are the folders before settings change them.
type baseFolders struct {
	home, dir           string
	configFile          string
	configNamed         bool // by a flag or CONFAB_CONFIG, so it must be there
	config, data, state string
}

func newPlaces(o Sources, env environment) (baseFolders, error) {
	p := baseFolders{home: o.Home, dir: o.Dir}
	if p.home == "" {
		p.home = env.get("HOME")
	}
	if !filepath.IsAbs(p.home) {
		p.home = ""
	}
	if p.dir == "" {
		// Only relative paths need it; without it they are refused later.
		p.dir, _ = os.Getwd()
	}
	var err error
	if p.config, err = p.base(env, "XDG_CONFIG_HOME", "APPDATA", ".config"); err != nil {
		return p, err
	}
	p.configFile = filepath.Join(p.config, "config.toml")
	if named := cmp.Or(o.Path, env.get("CONFAB_CONFIG")); named != "" {
		p.configFile, p.configNamed = p.absolute(named), true
	}
	if own := env.get("CONFAB_DATA_DIR"); own != "" {
		p.data = p.absolute(own)
		p.state = filepath.Join(p.data, "state")
		return p, nil
	}
	if p.data, err = p.base(env, "XDG_DATA_HOME", "LOCALAPPDATA", ".local/share"); err != nil {
		return p, err
	}
	if p.state, err = p.base(env, "XDG_STATE_HOME", "LOCALAPPDATA", ".local/state"); err != nil {
		return p, err
	}
	if p.state == p.data {
		p.state = filepath.Join(p.data, "state")
	}
	return p, nil
}

// base returns confab's folder below a base directory. A relative value counts as none, as XDG specifies.
func (p baseFolders) base(env environment, name, windows, below string) (string, error) {
	if dir := env.get(name); filepath.IsAbs(dir) {
		return filepath.Join(dir, "confab"), nil
	}
	if dir := env.get(windows); runtime.GOOS == "windows" && filepath.IsAbs(dir) {
		return filepath.Join(dir, "confab"), nil
	}
	if p.home == "" {
		return "", failure("The home folder is not known: set HOME, or %s.", name)
	}
	return filepath.Join(p.home, filepath.FromSlash(below), "confab"), nil
}

func (p baseFolders) absolute(path string) string {
	if isInHome(path) && p.home != "" {
		return filepath.Join(p.home, path[1:])
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(p.dir, path)
}

// paths applies the settings. Drafts refer to sessions of a store, so they stay beside it.
func (p baseFolders) paths(s Settings) Paths {
	paths := Paths{
		ConfigFile: p.configFile,
		Themes:     filepath.Join(filepath.Dir(p.configFile), "themes"),
		Data:       p.data,
		History:    filepath.Join(p.data, "history.db"),
		Pictures:   filepath.Join(p.data, "pictures"),
		Exports:    filepath.Join(p.data, "exports"),
		State:      p.state,
		Log:        filepath.Join(p.state, "confab.log"),
		Drafts:     filepath.Join(p.state, "drafts"),
		ServeKeys:  cmp.Or(s.Serve.Keys, filepath.Join(p.data, "serve", "keys")),

		AuthorizedKeys: cmp.Or(s.SSH.AuthorizedKeys, filepath.Join(filepath.Dir(p.configFile), "authorized_keys")),
		HostKey:        cmp.Or(s.SSH.HostKey, filepath.Join(p.state, "ssh_host_key")),
	}
	if s.History.Folder != "" {
		paths.History = filepath.Join(s.History.Folder, "history.db")
		paths.Drafts = filepath.Join(s.History.Folder, "drafts")
	}
	if s.Pictures.Folder != "" {
		paths.Pictures = filepath.Clean(s.Pictures.Folder)
		paths.Exports = filepath.Join(filepath.Dir(paths.Pictures), "exports")
	}
	return paths
}

// FilePath returns the path of the configuration file without reading it. Errors are [*api.Error] of code config.
func FilePath(o Sources) (string, error) {
	p, err := newPlaces(o, newEnvironment(o.Env))
	return p.configFile, err
}
