package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"confab/internal/termtext"
	"confab/service/api"
)

// readSettings reads the file's text into c. It is strict: an unknown key, a value of another type and a value out of
// bounds are errors that name the file and the line, and never repeat the value.
func readSettings(c *Config, path string, data []byte) error {
	data = bytes.TrimPrefix(data, []byte("\uFEFF")) // some editors on Windows begin files with it
	lines, err := readLines(path, data)
	if err != nil {
		return err
	}
	d := document{Settings: c.Settings}
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&d); err != nil {
		return fileError(path, err)
	}
	c.Settings, c.Suite = d.Settings, d.Suite.Suite
	for key, line := range lines {
		c.origins[key] = Origin{Source: FromFile, Name: path, Line: line}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Engines)) {
		e := d.Engines[name]
		e.Name = name
		c.Engines = append(c.Engines, e)
	}
	slices.SortStableFunc(c.Engines, func(a, b Engine) int {
		return cmp.Compare(lines["engines."+a.Name], lines["engines."+b.Name])
	})
	c.setRecordDefaults()
	c.Providers = d.Suite.Providers
	for name, model := range c.Providers {
		if key := "suite.providers." + quoteKey(name); strings.TrimSpace(model) == "" {
			return failure("%s%s must be the name of a model.", at(path, lines[key]), termtext.Escape(key))
		}
	}
	return c.bindAll("", "keys.", d.Keys)
}

// setRecordDefaults sets what the tables that may stand in the file several times leave out.
func (c *Config) setRecordDefaults() {
	standard, outside := described(), settingNames()
	for _, s := range c.all() {
		d, isDescribed := standard[describedName(s.name)]
		if _, stands := c.origins[s.name]; !stands && isDescribed && !slices.Contains(outside, s.name) {
			reflect.ValueOf(s.value).Elem().Set(reflect.ValueOf(d.value).Elem())
		}
	}
}

// bindAll binds the keys of [keys] or of a table in it. command and path are the prefixes of names and of paths in
// the file.
func (c *Config) bindAll(command, path string, table map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		command, path := command+name, path+quoteKey(name)
		keys, must := List{}, ""
		switch v := table[name].(type) {
		case map[string]any:
			if err := c.bindAll(command+".", path+".", v); err != nil {
				return err
			}
			continue
		case string:
			keys = List{v}
		case []any:
			for _, element := range v {
				key, _ := element.(string) // what is no text becomes an empty key, which is refused
				keys = append(keys, key)
			}
		default:
			must = mustBeKeys
		}
		from := c.Origin(path)
		if must = cmp.Or(must, checkKeys(keys)); must != "" {
			return failure("%s%s %s.", at(from.Name, from.Line), termtext.Escape(path), must)
		}
		c.bind(command, keys, from)
	}
	return nil
}

// quoteKey quotes a part of a key if TOML requires it.
func quoteKey(part string) string {
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
	}
	if part == "" || strings.ContainsFunc(part, func(r rune) bool { return !isPlain(r) }) {
		return strconv.Quote(part)
	}
	return part
}

func at(path string, line int) string {
	if line == 0 {
		return clean(path) + ": "
	}
	return fmt.Sprintf("%s line %d: ", clean(path), line)
}

// fileError words an error of go-toml.
func fileError(path string, err error) error {
	line, message := 0, strings.TrimPrefix(err.Error(), "toml: ")
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		first := &unknown.Errors[0]
		line, _ = first.Position()
		message = keyLabel(first.Key()) + " " + unknownKey(strings.Join(first.Key(), "."))
	case errors.As(err, &wrong):
		line, _ = wrong.Position()
		if strings.HasPrefix(message, "cannot ") { // be decoded into the type of the field, or stored in it
			message = keyLabel(wrong.Key()) + " " + mustBe(strings.Join(wrong.Key(), "."))
		}
	}
	return &api.Error{Code: api.CodeConfig, Message: at(path, line) + clean(message) + ".", Err: err}
}

// keyLabel writes a key for an error sentence: cut, and with everything invisible escaped.
func keyLabel(key []string) string {
	parts := make([]string, len(key))
	for i, part := range key {
		parts[i] = quoteKey(part)
	}
	return termtext.Escape(strings.Join(parts, "."))
}

// mustBe returns what a value must be, as "must be …".
func mustBe(key string) string {
	s, isSetting := described()[describedName(key)]
	instead := replacement(key)
	switch {
	case instead != "":
		return instead
	case isSetting:
		return s.must()
	case isListOfTables(key):
		return "must be a list of tables: [[" + key + "]]"
	}
	return "must be a table: [" + key + "]"
}

// unknownKey returns what is wrong with a key that is no setting.
func unknownKey(key string) string {
	name := describedName(key)
	if instead := replacement(strings.Replace(name, "engines.NAME.", "engines.", 1)); instead != "" {
		return instead
	}
	switch isEngine := strings.HasPrefix(name, "engines."); {
	case strings.HasSuffix(key, "key") && isEngine:
		return "is not a setting, and no key is kept in this file; an engine has key_env, key_command or key_file"
	case strings.HasSuffix(key, "key"):
		return "is not kept in this file; use api_key_command, keyring or api_key_file, or CONFAB_API_KEY in the " +
			"environment"
	}
	if near := termtext.NearestName(name, slices.Sorted(maps.Keys(described()))); near != "" {
		engine := key[:max(0, strings.LastIndex(key, "."))]
		return "is not a setting; did you mean " + strings.Replace(near, "engines.NAME", engine, 1) + "?"
	}
	return "is not a setting"
}
