package config

import (
	"fmt"
	"strings"
)

// description is a setting with its comment in settings.toml or records.toml.
type description struct {
	name    string // "service.base_url", "engines.NAME.url", "routes.models"
	about   string
	example string // as the file has it; empty for none
	value   string // the default, the same
}

// descriptions returns the descriptions of all settings in the order of the files.
func descriptions() (list []description) {
	var d description
	section := ""
	for line := range strings.Lines(settingsFile + recordsFile) {
		line = strings.TrimSpace(line)
		switch name, value, _ := strings.Cut(line, " = "); {
		case line == "":
			d = description{}
		case line[0] == '[':
			section = strings.Trim(line, "[]")
		case strings.HasPrefix(name, "# Example: "):
			d.example = value
		case line[0] == '#':
			d.about = strings.TrimSpace(d.about + " " + line[2:])
		default:
			d.name, d.value = section+"."+name, value
			list = append(list, d)
		}
	}
	return list
}

// Template returns a file in which every setting is commented out, with its meaning and its default.
func Template() string {
	var b strings.Builder
	b.WriteString(`# The configuration of confab. Take away the # before a setting to change it.
# A flag wins over the environment, the environment over this file.
# "confab config show" says what is set and where it came from.

`)
	_, text, _ := strings.Cut(settingsFile, "\n\n")
	settings, section := described(), ""
	for line := range strings.Lines(text) {
		name, _, isSetting := strings.Cut(line, " = ")
		switch {
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]\n")
		case isSetting && line[0] != '#':
			if about := settings[section+"."+name].about(); about != "" {
				fmt.Fprintf(&b, "#%s\n", about)
			}
			b.WriteByte('#')
		}
		b.WriteString(line)
	}
	return b.String() + examples
}
