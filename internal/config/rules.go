package config

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// setting is a field of [Settings] that a file can set.
type setting struct {
	name  string // such as "service.base_url" or "routes[0].models"
	is    string // its tag
	value any    // a pointer to the field
}

// all returns all settings, those of repeated tables included.
func (s *Settings) all() []setting {
	list := settingsOf(reflect.ValueOf(s).Elem(), "")
	for i := range s.Engines {
		list = append(list, settingsOf(reflect.ValueOf(&s.Engines[i]).Elem(), "engines."+s.Engines[i].Name+".")...)
	}
	return list
}

// described returns the documented settings with their defaults, by their documented names. The name of an engine is
// NAME.
func described() map[string]setting {
	s, records := defaults(settingsFile).Settings, defaults(recordsFile)
	s.Routes, s.Prices, s.Models.Custom = records.Routes, records.Prices, records.Models.Custom
	s.Engines = []Engine{records.Engines["NAME"]}
	s.Engines[0].Name = "NAME"
	settings := map[string]setting{}
	for _, one := range s.all() {
		settings[describedName(one.name)] = one
	}
	return settings
}

// describedName returns the documented name of a setting.
func describedName(name string) string {
	name = index.ReplaceAllString(name, "")
	if rest, ok := strings.CutPrefix(name, "engines."); ok {
		_, rest, _ = strings.Cut(rest, ".")
		name = "engines.NAME." + rest
	}
	return name
}

// index matches the number of a table in a list.
var index = regexp.MustCompile(`\[\d+\]`)

// settingNames returns the names of all settings outside repeated tables.
func settingNames() (names []string) {
	for _, s := range new(Settings).all() {
		names = append(names, s.name)
	}
	return names
}

// settingsOf returns the settings in a struct, by the tags of its fields.
func settingsOf(v reflect.Value, prefix string) (list []setting) {
	for i := range v.NumField() {
		tag, field := v.Type().Field(i).Tag, v.Field(i)
		name := prefix + tag.Get("toml")
		_, isDuration := field.Interface().(Duration)
		switch kind := field.Kind(); {
		case tag.Get("toml") == "-":
		case kind == reflect.Struct && !isDuration:
			list = append(list, settingsOf(field, name+".")...)
		case kind == reflect.Slice && field.Type().Elem().Kind() == reflect.Struct:
			for j := range field.Len() {
				list = append(list, settingsOf(field.Index(j), fmt.Sprintf("%s[%d].", name, j))...)
			}
		default:
			list = append(list, setting{name, tag.Get("is"), field.Addr().Interface()})
		}
	}
	return list
}

// problem returns what is wrong with the value as "must …", or "". It never repeats the value, which may be a secret.
func (s setting) problem() string {
	isKept := true
	switch v := s.value.(type) {
	case *int:
		isKept = isWithin(s.is, *v)
	case *float64:
		isKept = isWithin(s.is, *v)
	case *Size:
		var least, most Size
		from, to, _ := strings.Cut(s.is, "..")
		_, _ = least.UnmarshalText([]byte(from)), most.UnmarshalText([]byte(to)) // they never fail
		isKept = *v >= least && *v <= most
	case *Duration:
		var least, most Duration
		from, to, _ := strings.Cut(s.is, "..")
		_, _ = least.UnmarshalText([]byte(from)), most.UnmarshalText([]byte(to)) // they never fail
		isKept = v.Duration >= least.Duration && v.Duration <= most.Duration
	case *string:
		return s.textProblem(*v)
	case *Command:
		if len(*v) > 0 {
			return checkProgram((*v)[0])
		}
	case *List:
		if len(*v) > maxList {
			return fmt.Sprintf("must be a list of at most %d texts", maxList)
		}
		for _, text := range *v {
			if wrong := s.textProblem(text); wrong != "" {
				return wrong
			}
		}
	}
	if isKept {
		return ""
	}
	return s.must()
}

const maxList = 200

// isWithin reports whether a number is within bounds such as "1..64".
func isWithin[T int | float64](bounds string, value T) bool {
	var least, most T
	_, err := fmt.Sscan(strings.Replace(bounds, "..", " ", 1), &least, &most)
	return err == nil && value >= least && value <= most
}

func (s setting) textProblem(text string) string {
	check := map[string]func(string) string{"url": checkURL, "name": checkName, "listen": checkListen,
		"network": checkNetwork, "bucket": checkBucket, "name_template": checkNameTemplate, "line": checkLine,
		"database_url": CheckDatabaseURL, "pattern": checkPattern, "engine": checkEngine,
		"picture_size": matches(`^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$`, `must be sizes such as "1024x1024"`),
		"currency":     matches(`^[A-Z]{3}$`, `must be three capital letters such as "USD"`),
		"variable": matches(`^([A-Za-z_][A-Za-z0-9_]{0,99})?$`,
			"must be the name of a variable, not the key itself")}[s.is]
	switch {
	case check != nil:
		return check(text)
	case strings.Contains(s.is, "|") && !slices.Contains(strings.Split(s.is, "|"), text):
		return s.must()
	}
	return ""
}

// must returns what a value must be.
func (s setting) must() string {
	bounds := strings.Replace(s.is, "..", " to ", 1)
	switch s.value.(type) {
	case *int:
		return "must be a whole number from " + bounds
	case *float64:
		return "must be a number from " + bounds
	case *Duration:
		return "must be a time with its unit, from " + bounds
	case *Size:
		return "must be bytes, or a number with a unit, from " + bounds
	case *bool:
		return "must be true or false"
	case *map[string]any:
		return "must be a table: params = { temperature = 0.2 }"
	case *List, *Command:
		return `must be a list of texts: ["…", "…"]`
	}
	if strings.Contains(s.is, "|") {
		return "must be one of " + strings.ReplaceAll(s.is, "|", ", ")
	}
	return "must be a text"
}

// about returns the bounds of the value for the reference.
func (s setting) about() string {
	switch from, to, isRange := strings.Cut(s.is, ".."); {
	case isRange:
		return " From " + from + " to " + to + "."
	case strings.Contains(s.is, "|"):
		return " One of " + strings.ReplaceAll(s.is, "|", ", ") + "."
	}
	return ""
}
