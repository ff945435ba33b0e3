package config

import (
	_ "embed" // the table of settings
	"fmt"
	"reflect"
	"strings"
	"sync"

	"confab/internal/tomldoc"
)

// Type is what values a setting takes.
type Type string

// The types.
const (
	Text     Type = "text"
	Choice   Type = "choice"
	Folder   Type = "path"
	Switch   Type = "switch"
	Number   Type = "number"
	Decimal  Type = "decimal"
	Duration Type = "duration"
	Size     Type = "size"
	List     Type = "list"
	Command  Type = "command"
)

// Setting is one entry of settings.toml, whose comment explains the fields. Default, Example, Min and Max are values
// as the TOML library reads them.
type Setting struct {
	Name     string
	Type     Type
	Default  any
	Example  any
	Choices  []string
	Min, Max any
	Check    string
	About    string
	Short    string
}

// settingTables are the entries of settings.toml.
type settingTables struct {
	Settings []Setting
	Engine   []Setting
	Route    []Setting
	Model    []Setting
	Price    []Setting
}

//go:embed settings.toml
var settingsFile []byte

// readTables reads settings.toml once. A test reads all of it.
var readTables = sync.OnceValue(func() settingTables {
	return tomldoc.Embedded[settingTables]("settings.toml", settingsFile)
})

// Table returns every setting, ordered as in the file. The tables [keys], [[models.custom]], [engines.NAME],
// [[routes]] and [[prices]] are not part of it.
func Table() []Setting { return readTables().Settings }

// Env returns the setting's names in the environment, the one that wins first.
func (s Setting) Env() []string {
	long := "CONFAB_" + strings.ToUpper(strings.ReplaceAll(s.Name, ".", "_"))
	if s.Short != "" {
		return []string{s.Short, long}
	}
	return []string{long}
}

// section returns the table of the file that the setting stands in, and its name there.
func (s Setting) section() (section, name string) {
	section, name, _ = strings.Cut(s.Name, ".")
	return section, name
}

// field returns a pointer to the setting's field of a struct such as [Settings] or [Engine].
func (s Setting) field(of any) any {
	v := reflect.ValueOf(of).Elem()
	for part := range strings.SplitSeq(s.Name, ".") {
		name := strings.ReplaceAll(part, "_", "")
		i := 0
		for i < v.NumField() && !strings.EqualFold(v.Type().Field(i).Name, name) {
			i++
		}
		v = v.Field(i)
	}
	return v.Addr().Interface()
}

func setDefaults(table []Setting, of any) {
	for _, s := range table {
		if s.Default == nil {
			continue
		}
		if wrong := s.set(of, s.Default); wrong != "" {
			panic(fmt.Sprintf("config: settings.toml: the default of %s %s", s.Name, wrong))
		}
	}
}

// about is the meaning with the values that may be chosen from.
func (s Setting) about() string {
	meaning := strings.Join(strings.Fields(s.About), " ")
	switch s.Type {
	case Choice:
		return meaning + " One of " + strings.Join(quoteAll(s.Choices), ", ") + "."
	case Number, Decimal, Duration, Size:
		return fmt.Sprintf("%s From %s to %s.", meaning, inline(s.Min), inline(s.Max))
	}
	return meaning
}
