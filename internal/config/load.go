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
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/caarlos0/env/v11"
	"github.com/pelletier/go-toml/v2"

	"confab/internal/fileio"
	"confab/internal/termtext"
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

// OriginError is what the error for a wrong value wraps: where the value came from.
type OriginError struct{ Origin }

// Error implements error.
func (e OriginError) Error() string { return "wrong value of " + e.String() }

// failure returns the error for a wrong value.
func (o Origin) failure(format string, args ...any) *api.Error {
	return &api.Error{Code: api.CodeConfig, Message: fmt.Sprintf(format, args...), Err: OriginError{o}}
}

// Config is the loaded configuration. It never prints the key, however it is formatted.
type Config struct {
	Settings
	Paths    Paths
	Warnings []string // one sentence each: what was found and is not used

	origins map[string]Origin
	env     environment
	keyring func(service, user string) (string, error)
}

// Origin returns the source of a setting by its name, such as "service.base_url" or "keys.<command>".
func (c Config) Origin(name string) Origin {
	if o, ok := c.origins[name]; ok {
		return o
	}
	return Origin{Source: FromDefault}
}

// Load computes the configuration from flags, environment, file and defaults, in that order. It creates and runs
// nothing. The file may be missing unless it was named. Errors are [*api.Error] of code config.
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
	c.Settings = defaults(settingsFile).Settings
	l := loader{config: &c, sources: o, places: base}
	for _, step := range []func() error{l.file, l.environment, l.flags, c.check, l.resolvePaths} {
		if err := step(); err != nil {
			return Config{}, err
		}
	}
	c.Paths = base.paths(c.Settings)
	return c, nil
}

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
	data, err := fileio.ReadSettings(path, maxBytes)
	if errors.Is(err, fs.ErrNotExist) && !l.places.configNamed {
		return nil
	}
	if err != nil {
		return readError("configuration file", path, err)
	}
	return readSettings(l.config, path, data)
}

// readError words why a file cannot be read.
func readError(what, path string, err error) *api.Error {
	return &api.Error{Code: api.CodeConfig, Err: err,
		Message: fmt.Sprintf("The %s %s %s.", what, clean(path), fileio.ReadProblem(err, maxBytes))}
}

// reason returns the cause of a file's error without the path.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return clean(err.Error())
}

// environment applies the environment. An unknown name gives a warning.
func (l *loader) environment() error {
	c := l.config
	settings := map[string]string{}
	known := []string{"CONFAB_API_KEY", "CONFAB_CONFIG", "CONFAB_DATA_DIR", historyPassword, picturesKey}
	for _, name := range settingNames() {
		settings[variable(name)] = name
	}
	for short, name := range map[string]string{"CONFAB_BASE_URL": "service.base_url",
		"CONFAB_MODEL": "models.default"} {
		if settings[short] = name; c.env.get(short) != "" {
			delete(settings, variable(name))
			known = append(known, variable(name))
		}
	}
	known = append(known, slices.Sorted(maps.Keys(settings))...)
	names := slices.DeleteFunc(c.env.names(), func(name string) bool {
		return !strings.HasPrefix(name, "CONFAB_") || c.env.get(name) == ""
	})
	for _, name := range names {
		from := Origin{Source: FromEnv, Name: name}
		command, isKey := strings.CutPrefix(name, "CONFAB_KEYS_")
		section, setting, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(name, "CONFAB_")), "_")
		instead := replacement(section + "." + setting)
		switch {
		case settings[name] != "":
			if err := c.set(settings[name], c.env.get(name), from); err != nil {
				return err
			}
		case slices.Contains(known, name):
		case instead != "":
			return from.failure("%s in the environment %s.", name, instead)
		case isKey && command != "":
			var keys List
			_ = keys.UnmarshalText([]byte(c.env.get(name))) // never fails
			if must := checkKeys(keys); must != "" {
				return from.failure("%s in the environment %s.", name, must)
			}
			c.bind(strings.ToLower(command), keys, from)
		default:
			c.Warnings = append(c.Warnings, unknownvariable(name, known))
		}
	}
	return nil
}

// variable returns the name of a setting in the environment.
func variable(setting string) string {
	return "CONFAB_" + strings.ToUpper(strings.ReplaceAll(setting, ".", "_"))
}

func (c *Config) set(setting, text string, from Origin) error {
	c.origins[setting] = from
	err := env.ParseWithOptions(&c.Settings, env.Options{
		Environment: map[string]string{setting: text}, TagName: "toml",
		FuncMap: map[reflect.Type]env.ParserFunc{reflect.TypeFor[bool](): parseSwitch},
	})
	if text == "" { // which the library takes for a variable that is not set
		err = toml.Unmarshal([]byte(setting+` = ""`), &c.Settings)
	}
	if err != nil {
		return c.wrong(setting, mustBe(setting))
	}
	return nil
}

func parseSwitch(text string) (any, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "1", "yes", "on":
		return true, nil
	case "false", "0", "no", "off":
		return false, nil
	}
	return nil, strconv.ErrSyntax
}

func unknownvariable(name string, known []string) string {
	text := clean(name) + " in the environment is not a setting of confab"
	if near := termtext.NearestName(name, known); near != "" {
		return text + "; did you mean " + near + "?"
	}
	return text + "."
}

func (l *loader) flags() error {
	for _, name := range slices.Sorted(maps.Keys(l.sources.Flags)) {
		if !slices.Contains(settingNames(), name) {
			return failure("There is no setting %s.", clean(name))
		}
		if err := l.config.set(name, l.sources.Flags[name], Origin{Source: FromFlag}); err != nil {
			return err
		}
	}
	return nil
}

// check checks every value, and values that depend on each other.
func (c *Config) check() error {
	for _, s := range c.all() {
		if must := s.problem(); must != "" {
			return c.wrong(s.name, must)
		}
	}
	if record, wrong := c.recordProblem(); wrong != "" {
		return c.wrong(record, wrong)
	}
	if isPlainHTTP(c.Service.BaseURL) && !c.Service.AllowPlainHTTP {
		return c.Origin("service.base_url").failure("%s names a service on another machine by http, which "+
			"would send the key unprotected; use https, or set service.allow_plain_http.", c.where("service.base_url"))
	}
	if isPlainHTTP(bucketEndpoint(c.Pictures.URL)) && !c.Service.AllowPlainHTTP {
		return c.Origin("pictures.url").failure("%s names a server on another machine by http, which would send "+
			"pictures unprotected; use https, or set service.allow_plain_http.", c.where("pictures.url"))
	}
	return nil
}

// wrong returns the error for a value, with its source. must is the end of the sentence.
func (c *Config) wrong(setting, must string) error {
	from, label := c.Origin(setting), setting
	for table := setting; from.Source == FromDefault && strings.Contains(table, "."); from = c.Origin(table) {
		table = table[:strings.LastIndex(table, ".")] // the table leaves the setting out
	}
	label = index.ReplaceAllString(label, "")
	switch from.Source {
	case FromEnv:
		return from.failure("%s in the environment %s.", clean(from.Name), must)
	case FromFlag:
		return from.failure("The flag for %s is wrong: it %s.", label, must)
	}
	return from.failure("%s%s %s.", at(from.Name, from.Line), label, must)
}

// resolvePaths makes all paths absolute. Only those of flags and the environment may be relative.
func (l *loader) resolvePaths() error {
	c := l.config
	for _, s := range c.all() {
		if s.is != "path" && s.is != "key_file" {
			continue
		}
		path, from := s.value.(*string), c.Origin(s.name)
		switch isAbsolute := filepath.IsAbs(*path) || isInHome(*path); {
		case *path == "":
		case checkLine(*path) != "" || from.Source == FromFile && !isAbsolute:
			return c.wrong(s.name, "must be an absolute path, or one that begins with ~/")
		case isInHome(*path) && l.places.home == "":
			return from.failure("%s begins with ~, but the home folder is not known: set HOME.", c.where(s.name))
		case isInHome(*path):
			*path = filepath.Join(l.places.home, (*path)[1:])
		case !isAbsolute:
			*path = filepath.Join(l.places.dir, *path)
		}
	}
	return nil
}

// where returns a setting with its origin.
func (c *Config) where(name string) string {
	return fmt.Sprintf("%s (%s)", name, c.Origin(name))
}

func (c *Config) bind(command string, keys []string, from Origin) {
	if c.Keys == nil {
		c.Keys = map[string][]string{}
	}
	c.Keys[command] = keys
	c.origins["keys."+command] = from
}
