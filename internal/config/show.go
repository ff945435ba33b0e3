package config

import (
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// mask stands for the key.
const mask = "••••"

// Show returns every setting with its value and where that came from, as a TOML file with comments. The key is not
// asked for and not shown, only where it would come from; of commands only the program is shown, since their words may
// hold a secret.
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
	writeSections(&b, func(s Setting, name string) { c.line(&b, name+" = "+s.show(&c.Settings), s.Name) })
	if len(c.Keys) > 0 {
		b.WriteString("\n[keys]\n")
		for _, command := range slices.Sorted(maps.Keys(c.Keys)) {
			c.line(&b, quote(command)+" = ["+strings.Join(quoteAll(c.Keys[command]), ", ")+"]", "keys."+command)
		}
	}
	for _, t := range c.recordTables() {
		t.show(&b)
	}
	return b.String()
}

// writeSections writes the headers of all sections, and each setting by its name in its section.
func writeSections(b *strings.Builder, write func(s Setting, name string)) {
	last := ""
	for _, s := range Table() {
		section, name := s.section()
		if section != last {
			last = section
			fmt.Fprintf(b, "\n[%s]\n", section)
		}
		write(s, name)
	}
}

// Changed returns the names of the settings that differ from those of another configuration.
func (c Config) Changed(from Config) []string {
	var names []string
	for _, s := range Table() {
		if s.show(&c.Settings) != s.show(&from.Settings) {
			names = append(names, s.Name)
		}
	}
	if !reflect.DeepEqual(c.Keys, from.Keys) {
		names = append(names, "keys")
	}
	before := from.recordTables()
	for i, t := range c.recordTables() {
		if !reflect.DeepEqual(t.values(), before[i].values()) {
			names = append(names, t.name())
		}
	}
	return names
}

// Format writes what [Config.Show] returns, whatever the verb, so that no log line or dump holds what that leaves out.
func (c Config) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, c.Show()) }

// MarshalText returns what [Config.Show] returns, for structured logs.
func (c Config) MarshalText() ([]byte, error) { return []byte(c.Show()), nil }

// line writes a setting with its origin in a column of comments.
func (c Config) line(b *strings.Builder, text, name string) {
	from := c.Origin(name)
	if from.Source == FromFile && from.Name == c.Paths.ConfigFile {
		from.Name = ""
	}
	fmt.Fprintf(b, "%-48s # %s\n", text, from)
}
