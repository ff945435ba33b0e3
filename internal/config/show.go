package config

import (
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"confab/internal/termtext"
)

// mask replaces the key.
const mask = "••••"

// Show returns every setting with its value and origin as a TOML file. It shows only the source of the key, and only
// the program of commands, whose words may hold a secret.
func (c Config) Show() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# file: %s\n", clean(c.Paths.ConfigFile))
	if from := c.KeySource(); from.Source == "" {
		b.WriteString("# key: none\n")
	} else {
		fmt.Fprintf(&b, "# key: %s from %s\n", mask, from)
	}
	for _, w := range c.Warnings {
		fmt.Fprintf(&b, "# warning: %s\n", w)
	}
	last := ""
	line := func(table, name string, value any, from Origin) {
		if table != last {
			last = table
			header := "[" + index.ReplaceAllString(table, "") + "]"
			if strings.HasSuffix(table, "]") { // an element of a list of tables
				header = "[" + header + "]"
			}
			fmt.Fprintf(&b, "\n%s\n", header)
		}
		if from.Source == FromFile && from.Name == c.Paths.ConfigFile {
			from.Name = ""
		}
		fmt.Fprintf(&b, "%-48s # %s\n", name+" = "+inline(value), from)
	}
	for _, s := range c.all() {
		dot := strings.LastIndex(s.name, ".")
		line(s.name[:dot], s.name[dot+1:], s.value, c.Origin(s.name))
	}
	for _, command := range slices.Sorted(maps.Keys(c.Keys)) {
		line("keys", quoteKey(command), c.Keys[command], c.Origin("keys."+command))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		key := quoteKey(name)
		line("suite.providers", key, c.Providers[name], c.Origin("suite.providers."+key))
	}
	return termtext.Clean(b.String())
}

// inline writes a value as TOML has it, on one line.
func inline(value any) string {
	var b strings.Builder
	if err := toml.NewEncoder(&b).SetTablesInline(true).Encode(map[string]any{"v": value}); err != nil {
		return "'' # " + err.Error() // no value can cause one
	}
	return strings.TrimSpace(strings.TrimPrefix(b.String(), "v ="))
}

// Changed returns the names of the settings that differ from another configuration.
func (c Config) Changed(from Config) []string {
	var names []string
	before, outside := map[string]string{}, settingNames()
	for _, s := range from.all() {
		before[s.name] = inline(s.value)
	}
	for _, s := range c.all() {
		if before[s.name] != inline(s.value) && slices.Contains(outside, s.name) {
			names = append(names, s.name)
		}
	}
	for name, pair := range map[string][2]any{"keys": {c.Keys, from.Keys}, "models.custom": {c.Models.Custom,
		from.Models.Custom}, "engines": {c.Engines, from.Engines}, "routes": {c.Routes, from.Routes},
		"prices": {c.Prices, from.Prices}, "suite.providers": {c.Providers, from.Providers}} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Format writes [Config.Show] whatever the verb, so that no dump holds a secret.
func (c Config) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, c.Show()) }

// MarshalText returns what [Config.Show] returns, for structured logs.
func (c Config) MarshalText() ([]byte, error) { return []byte(c.Show()), nil }
