// Package config computes the configuration: settings from flags, the environment and one TOML file, where each came
// from, the API key, and the paths of what confab keeps. Everything is computed from the [Sources] that are passed in,
// so that tests and served screens can have their own; the XDG base directories too come from the passed environment,
// not from a library that reads the process's when it is imported. Loading creates nothing. It may import service/api
// for its error type, and no other layer.
package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"confab/internal/fileio"
	"confab/internal/termtext"
	"confab/internal/tomldoc"
	"confab/service/api"
)

// Sources is everything that a configuration is computed from.
type Sources struct {
	Flags map[string]string // text of flags, by the setting's name; a flag that is there counts even when empty
	// "NAME=value", as os.Environ gives it; the last of a name wins, an empty value counts as none
	Env  []string
	Path string // of the file, from a flag; empty for CONFAB_CONFIG or the usual place
	Home string // the home folder; empty for HOME of Env
	Dir  string // what relative paths of flags and environment start from; empty for the process's

	// Keyring asks the system's keyring; nil is the real one.
	Keyring func(service, user string) (string, error)
}

// Source says which of the sources a value came from.
type Source string

// The sources, the one that wins first.
const (
	FromFlag    Source = "flag"
	FromEnv     Source = "environment"
	FromFile    Source = "file"
	FromDefault Source = "default"
	FromCommand Source = "command" // of the key only
	FromKeyring Source = "keyring" // of the key only
)

// Origin is where a value came from.
type Origin struct {
	Source Source
	Name   string // of the variable, the file or the program; empty for flag, keyring and default
	Line   int    // in the file, from 1
}

// String returns it for people: "environment CONFAB_BASE_URL".
func (o Origin) String() string {
	s := string(o.Source)
	if o.Name != "" {
		s += " " + clean(o.Name)
	}
	if o.Line > 0 {
		s += fmt.Sprintf(" line %d", o.Line)
	}
	return s
}

// Config is what confab was told. It never prints the key, however it is formatted.
type Config struct {
	Settings
	Paths    Paths
	Warnings []string // one sentence each: what was found and is not used

	origins map[string]Origin
	env     environment
	keyring func(service, user string) (string, error)
}

// Origin returns where the setting of that name came from; the names of [Table], and "keys.<command>".
func (c Config) Origin(name string) Origin {
	if o, ok := c.origins[name]; ok {
		return o
	}
	return Origin{Source: FromDefault}
}

// Load computes the configuration: a flag wins over the environment, that over
// the file, that over the default. It creates nothing and runs nothing. Errors
// are [*api.Error] of code config. The file may be missing unless it was named.
func Load(ctx context.Context, o Sources) (Config, error) {
	if err := ctx.Err(); err != nil {
		return Config{}, fmt.Errorf("load the configuration: %w", err)
	}
	c := Config{env: newEnvironment(o.Env), keyring: o.Keyring, origins: map[string]Origin{}}
	if c.keyring == nil {
		c.keyring = systemKeyring
	}
	base, err := newPlaces(o, c.env)
	if err != nil {
		return Config{}, err
	}
	setDefaults(Table(), &c.Settings)
	l := loader{config: &c, sources: o, places: base}
	for _, step := range []func() error{l.file, l.environment, l.flags, l.check} {
		if err := step(); err != nil {
			return Config{}, err
		}
	}
	c.Paths = base.paths(c.Settings)
	return c, nil
}

// loader fills a configuration, the weakest source first.
type loader struct {
	config  *Config
	sources Sources
	places  baseFolders
}

func failure(format string, args ...any) *api.Error {
	return &api.Error{Code: api.CodeConfig, Message: fmt.Sprintf(format, args...)}
}

func (l *loader) file() error {
	path := l.places.configFile
	data, err := fileio.ReadSettings(path, tomldoc.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) && !l.places.configNamed {
		return nil
	}
	if err != nil {
		return readError("configuration file", path, err)
	}
	return readSettings(l.config, path, data)
}

// readError makes a sentence of why a file cannot be read.
func readError(what, path string, err error) *api.Error {
	return &api.Error{Code: api.CodeConfig, Err: err,
		Message: fmt.Sprintf("The %s %s %s.", what, clean(path), fileio.ReadProblem(err, tomldoc.MaxBytes))}
}

// reason is the last cause of a file's error, without the path that the sentence names already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return clean(err.Error())
}

func (l *loader) environment() error {
	c := l.config
	known := []string{"CONFAB_API_KEY", "CONFAB_CONFIG", "CONFAB_DATA_DIR", historyPassword, picturesKey}
	for _, s := range Table() {
		names := s.Env()
		known = append(known, names...)
		i := slices.IndexFunc(names, func(name string) bool { return c.env.get(name) != "" })
		if i < 0 {
			continue
		}
		if wrong := s.setText(&c.Settings, c.env.get(names[i]), l.places.dir); wrong != "" {
			return failure("%s in the environment %s.", names[i], wrong)
		}
		c.origins[s.Name] = Origin{Source: FromEnv, Name: names[i]}
	}
	for _, name := range c.env.names() {
		if !strings.HasPrefix(name, "CONFAB_") || slices.Contains(known, name) || c.env.get(name) == "" {
			continue
		}
		command, isKey := strings.CutPrefix(name, "CONFAB_KEYS_")
		section, setting, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(name, "CONFAB_")), "_")
		if instead := replacement(section + "." + setting); instead != "" {
			return failure("%s in the environment %s.", name, instead)
		}
		if !isKey || command == "" {
			c.Warnings = append(c.Warnings, unknownVariable(name, known))
			continue
		}
		keys, wrong := checkKeys(splitList(c.env.get(name), func(r rune) bool { return r == ',' }))
		if wrong != "" {
			return failure("%s in the environment %s.", name, wrong)
		}
		c.bind(strings.ToLower(command), keys, Origin{Source: FromEnv, Name: name})
	}
	return nil
}

func unknownVariable(name string, known []string) string {
	text := clean(name) + " in the environment is not a setting of confab"
	if near := termtext.NearestName(name, known); near != "" {
		return text + "; did you mean " + near + "?"
	}
	return text + "."
}

func (l *loader) flags() error {
	for _, name := range slices.Sorted(maps.Keys(l.sources.Flags)) {
		i := slices.IndexFunc(Table(), func(s Setting) bool { return s.Name == name })
		if i < 0 {
			return failure("There is no setting %s.", clean(name))
		}
		if wrong := Table()[i].setText(&l.config.Settings, l.sources.Flags[name], l.places.dir); wrong != "" {
			return failure("The flag for %s is wrong: it %s.", name, wrong)
		}
		l.config.origins[name] = Origin{Source: FromFlag}
	}
	return nil
}

// check finds what no setting alone can be blamed for, and resolves the home folder in paths.
func (l *loader) check() error {
	s := &l.config.Settings
	if isPlainHTTP(s.Service.BaseURL) && !s.Service.AllowPlainHTTP {
		return failure("%s names a service on another machine by http, which would send the key unprotected; use "+
			"https, or set service.allow_plain_http.", l.where("service.base_url"))
	}
	if isPlainHTTP(bucketEndpoint(s.Pictures.URL)) && !s.Service.AllowPlainHTTP {
		return failure("%s names a server on another machine by http, which would send pictures unprotected; use "+
			"https, or set service.allow_plain_http.", l.where("pictures.url"))
	}
	for _, setting := range Table() {
		if setting.Type == Folder {
			if err := l.expandHome(setting.field(s).(*string), setting.Name); err != nil {
				return err
			}
		}
	}
	for i := range s.Engines {
		if err := l.expandHome(&s.Engines[i].KeyFile, "engines."+s.Engines[i].Name); err != nil {
			return err
		}
	}
	return nil
}

// expandHome replaces the ~ that a path may begin with by the home folder.
func (l *loader) expandHome(path *string, setting string) error {
	rest, ok := strings.CutPrefix(*path, "~")
	if !ok {
		return nil
	}
	if l.places.home == "" {
		return failure("%s begins with ~, but the home folder is not known: set HOME.", l.where(setting))
	}
	*path = filepath.Join(l.places.home, rest)
	return nil
}

// where names a setting with its origin, for errors.
func (l *loader) where(name string) string {
	return fmt.Sprintf("%s (%s)", name, l.config.Origin(name))
}

func (c *Config) bind(command string, keys []string, from Origin) {
	if c.Keys == nil {
		c.Keys = map[string][]string{}
	}
	c.Keys[command] = keys
	c.origins["keys."+command] = from
}
