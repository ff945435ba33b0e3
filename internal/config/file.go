package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"confab/internal/errtext"
	"confab/internal/tomldoc"
	"confab/service/api"
)

// fileReader reads one file into a configuration.
type fileReader struct {
	config *Config
	path   string
	table  map[string]Setting
	custom map[int]*CustomModel // by their place in the file
	lines  map[int]int

	engines     map[string]*Engine
	engineLines map[string]int
	engineOrder []string
	routes      map[int]*Route // by their place in the file
	routeLines  map[int]int
}

// readSettings reads the file's text into c. It is strict: an unknown key, a
// value of another type and a value out of bounds are errors that name the
// file and the line, and never repeat the value.
func readSettings(c *Config, path string, data []byte) error {
	entries, err := tomldoc.Parse(data)
	if err != nil {
		var e *tomldoc.Error
		if errors.As(err, &e) {
			return &api.Error{Code: api.CodeConfig, Message: at(path, e.Line) + clean(e.Message) + ".", Err: err}
		}
		return err
	}
	r := fileReader{config: c, path: path, table: map[string]Setting{}, custom: map[int]*CustomModel{},
		lines:   map[int]int{},
		engines: map[string]*Engine{}, engineLines: map[string]int{}, routes: map[int]*Route{},
		routeLines: map[int]int{}}
	for _, s := range Table() {
		r.table[s.Name] = s
	}
	for _, e := range entries {
		if wrong := r.entry(e); wrong != "" {
			return failure("%s%s %s.", at(path, e.Line), e.Label(), wrong)
		}
	}
	return r.finish()
}

func at(path string, line int) string {
	if line == 0 {
		return clean(path) + ": "
	}
	return fmt.Sprintf("%s line %d: ", clean(path), line)
}

// entry takes one value and returns what is wrong with it, or "".
func (r *fileReader) entry(e tomldoc.Entry) string {
	switch {
	case r.misplaced(e) != "":
		return r.misplaced(e)
	case e.Path[0] == "keys":
		return r.key(e)
	case len(e.Path) >= 2 && e.Path[0] == "models" && e.Path[1] == "custom":
		return r.model(e)
	case e.Path[0] == "engines":
		return r.engine(e)
	case e.Path[0] == "routes":
		return r.route(e)
	}
	s, known := r.table[e.Key()]
	switch {
	case e.Table && !indexed(e) && len(e.Path) == 1 && r.isTable(e.Path[0]):
		return ""
	case !known && !e.Table && r.isTable(e.Key()):
		return "must be a table: [" + e.Key() + "]"
	case !known:
		return r.unknown(e)
	case indexed(e):
		return s.expected()
	case e.Table:
		return s.expected()
	}
	if wrong := s.set(&r.config.Settings, e.Value); wrong != "" {
		return wrong
	}
	r.config.origins[s.Name] = Origin{Source: FromFile, Name: r.path, Line: e.Line}
	return ""
}

// misplaced returns what is wrong with the brackets of the table that an entry stands in, or "": [[service]] for
// [service], or [routes] for [[routes]].
func (r *fileReader) misplaced(e tomldoc.Entry) string {
	isList := slices.IndexFunc(e.Index, func(i int) bool { return i >= 0 })
	switch list := listOfTables(e); {
	case list > 0 && (isList < 0 || isList >= list):
		if len(e.Path) == list && !e.Table { // a value, judged where the list is read
			return ""
		}
		name := strings.Join(e.Path[:list], ".")
		return fmt.Sprintf("stands in [%s]; write [[%s]], with double brackets", name, name)
	case list == 0 && (isList == 0 && r.isTable(e.Path[0]) || isList == 1 && e.Path[0] == "engines"):
		name := tomldoc.Entry{Path: e.Path[:isList+1]}.Label()
		if name == "engines" {
			return "stands in [[engines]]; write a table with the engine's name for each, such as [engines.local]"
		}
		return fmt.Sprintf("stands in [[%s]]; write [%s], with single brackets", name, name)
	}
	return ""
}

// listOfTables returns how many parts of the entry's path name one of the lists of tables: 1 for [[routes]], 2 for
// [[models.custom]], 0 for none.
func listOfTables(e tomldoc.Entry) int {
	switch {
	case e.Path[0] == "routes":
		return 1
	case len(e.Path) >= 2 && e.Path[0] == "models" && e.Path[1] == "custom":
		return 2
	}
	return 0
}

func indexed(e tomldoc.Entry) bool {
	return slices.ContainsFunc(e.Index, func(i int) bool { return i >= 0 })
}

// isTable tells whether a name is that of one of the tables that hold settings.
func (r *fileReader) isTable(name string) bool {
	for setting := range r.table {
		if section, _, _ := strings.Cut(setting, "."); section == name {
			return true
		}
	}
	return name == "keys" || name == "engines"
}

func (r *fileReader) unknown(e tomldoc.Entry) string {
	if last := e.Path[len(e.Path)-1]; last == "api_key" || last == "apikey" {
		return "is not kept in this file; use api_key_command, keyring or api_key_file, or CONFAB_API_KEY in the " +
			"environment"
	}
	names := make([]string, 0, len(r.table))
	for name := range r.table {
		names = append(names, name)
	}
	if near := errtext.Nearest(e.Key(), names); near != "" {
		return "is not a setting; did you mean " + near + "?"
	}
	return "is not a setting"
}

func (r *fileReader) key(e tomldoc.Entry) string {
	if e.Table {
		return ""
	}
	if len(e.Path) == 1 {
		return "must be a table: [keys]"
	}
	value := e.Value
	if s, ok := value.(string); ok {
		value = []any{s}
	}
	keys, wrong := keyNames(value)
	if wrong != "" {
		return wrong
	}
	effect := strings.Join(e.Path[1:], ".")
	r.config.bind(effect, keys, Origin{Source: FromFile, Name: r.path, Line: e.Line})
	return ""
}

// model takes one value of an element of [[models.custom]].
func (r *fileReader) model(e tomldoc.Entry) string {
	if list, ok := e.Value.([]any); ok && len(e.Path) == 2 && len(list) == 0 {
		return ""
	}
	i := e.Index[1]
	if i < 0 {
		return "must be a list of tables: [[models.custom]]"
	}
	if r.custom[i] == nil {
		r.custom[i] = &CustomModel{Kind: "text"}
		r.lines[i] = e.Line
	}
	if e.Table && len(e.Path) == 2 {
		return ""
	}
	if len(e.Path) != 3 || e.Table {
		return "is not a setting"
	}
	m := r.custom[i]
	switch e.Path[2] {
	case "slug":
		return takeText(e.Value, &m.Slug, checkName)
	case "kind":
		return takeText(e.Value, &m.Kind, func(s string) string {
			if s == "text" || s == "image" || s == "edit" {
				return ""
			}
			return `must be "text", "image" or "edit"`
		})
	case "about":
		return takeText(e.Value, &m.About, checkLine)
	case "slow":
		return takeSwitch(e.Value, &m.Slow)
	case "system_prompt":
		return takeSwitch(e.Value, &m.SystemPrompt)
	}
	return "is not a setting of a model; those are slug, kind, about, slow and system_prompt"
}

func takeText(v any, to *string, check func(string) string) string {
	s, ok := v.(string)
	if !ok {
		return "must be a text"
	}
	if wrong := check(s); wrong != "" {
		return wrong
	}
	*to = s
	return ""
}

func takeSwitch(v any, to *bool) string {
	b, ok := v.(bool)
	if !ok {
		return "must be true or false"
	}
	*to = b
	return ""
}

// finish keeps the custom models in the order of the file.
func (r *fileReader) finish() error {
	var models []CustomModel
	for i := range len(r.custom) {
		m := r.custom[i]
		if m.Slug == "" {
			return failure("%smodels.custom has no slug.", at(r.path, r.lines[i]))
		}
		if slices.ContainsFunc(models, func(o CustomModel) bool { return o.Slug == m.Slug }) {
			return failure("%smodels.custom names %s a second time.", at(r.path, r.lines[i]), m.Slug)
		}
		models = append(models, *m)
	}
	r.config.Models.Custom = models
	if len(models) > 0 {
		r.config.origins["models.custom"] = Origin{Source: FromFile, Name: r.path, Line: r.lines[0]}
	}
	return r.finishEngines()
}
