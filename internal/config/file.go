package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"confab/internal/termtext"
	"confab/internal/tomldoc"
	"confab/service/api"
)

// fileReader reads one file into a configuration.
type fileReader struct {
	config  *Config
	path    string
	records []recordTable
}

// readSettings reads the file's text into c. It is strict: an unknown key, a value of another type and a value out of
// bounds are errors that name the file and the line, and never repeat the value.
func readSettings(c *Config, path string, data []byte) error {
	entries, err := tomldoc.Parse(data)
	if err != nil {
		var e *tomldoc.Error
		if errors.As(err, &e) {
			return &api.Error{Code: api.CodeConfig, Message: at(path, e.Line) + clean(e.Message) + ".", Err: err}
		}
		return err
	}
	r := fileReader{config: c, path: path, records: c.recordTables()}
	for _, e := range entries {
		if wrong := r.entry(e); wrong != "" {
			return failure("%s%s %s.", at(path, e.Line), e.Label(), wrong)
		}
	}
	for _, t := range r.records {
		if err := t.finish(&r); err != nil {
			return err
		}
	}
	return nil
}

func at(path string, line int) string {
	if line == 0 {
		return clean(path) + ": "
	}
	return fmt.Sprintf("%s line %d: ", clean(path), line)
}

// entry takes one value and returns what is wrong with it, or "".
func (r *fileReader) entry(e tomldoc.Entry) string {
	section := e.Path[0]
	switch {
	case firstIndexed(e) == 0 && isTable(section):
		return fmt.Sprintf("stands in [[%s]]; write [%s], with single brackets", section, section)
	case section == "keys":
		return r.key(e)
	}
	for _, t := range r.records {
		if e.Key() == t.name() || strings.HasPrefix(e.Key(), t.name()+".") {
			return t.entry(e)
		}
	}
	i := slices.IndexFunc(Table(), func(s Setting) bool { return s.Name == e.Key() })
	switch {
	case e.IsTable && firstIndexed(e) < 0 && len(e.Path) == 1 && isTable(section):
		return ""
	case i < 0 && !e.IsTable && isTable(e.Key()):
		return "must be a table: [" + e.Key() + "]"
	case i < 0:
		return unknown(e)
	case firstIndexed(e) >= 0 || e.IsTable:
		return Table()[i].expected()
	}
	r.config.origins[e.Key()] = r.origin(e.Line)
	return Table()[i].set(&r.config.Settings, e.Value)
}

func (r *fileReader) origin(line int) Origin {
	return Origin{Source: FromFile, Name: r.path, Line: line}
}

// firstIndexed returns the first part of the entry's path that names a list of tables in the file, -1 for none.
func firstIndexed(e tomldoc.Entry) int {
	return slices.IndexFunc(e.Index, func(i int) bool { return i >= 0 })
}

// isTable reports whether a name is that of one of the tables that hold settings.
func isTable(name string) bool {
	return name == "keys" || slices.ContainsFunc(Table(), func(s Setting) bool {
		section, _ := s.section()
		return section == name
	})
}

func unknown(e tomldoc.Entry) string {
	if last := e.Path[len(e.Path)-1]; last == "api_key" || last == "apikey" {
		return "is not kept in this file; use api_key_command, keyring or api_key_file, or CONFAB_API_KEY in the " +
			"environment"
	}
	if instead := replacement(e.Key()); instead != "" {
		return instead
	}
	var names []string
	for _, s := range Table() {
		names = append(names, s.Name)
	}
	if near := termtext.NearestName(e.Key(), names); near != "" {
		return "is not a setting; did you mean " + near + "?"
	}
	return "is not a setting"
}

func (r *fileReader) key(e tomldoc.Entry) string {
	if e.IsTable {
		return ""
	}
	if len(e.Path) == 1 {
		return "must be a table: [keys]"
	}
	value := e.Value
	if s, ok := value.(string); ok {
		value = []any{s}
	}
	keys, wrong := checkKeys(value)
	if wrong == "" {
		r.config.bind(strings.Join(e.Path[1:], "."), keys, r.origin(e.Line))
	}
	return wrong
}

// addParam takes a value that is passed on to the engine of a route.
func addParam(to *Route, e tomldoc.Entry) string {
	if slices.ContainsFunc(e.Index[1:], func(i int) bool { return i >= 0 }) {
		return "must not hold lists of tables"
	}
	if len(e.Path) == 2 && !e.IsTable {
		return "must be a table: params = { temperature = 0.2 }"
	}
	switch e.Value.(type) {
	case nil, string, bool, int64, float64, []any:
	default:
		return "must be made of texts, numbers, switches and lists of them"
	}
	if to.Params == nil {
		to.Params = map[string]any{}
	}
	table := to.Params
	for i, name := range e.Path[2:] {
		if i == len(e.Path)-3 && !e.IsTable {
			table[name] = e.Value
			return ""
		}
		next, ok := table[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			table[name] = next
		}
		table = next
	}
	return ""
}

// problem returns what is wrong with an engine as a whole, or "".
func (e *Engine) problem() string {
	isCommand := e.Kind == "command"
	switch {
	case e.Name == Offline:
		return "is the engine that is always there; take another name"
	case isCommand && len(e.Command) == 0:
		return "needs a command"
	case isCommand && len(e.Makes) == 0:
		return "makes nothing"
	case !isCommand && e.URL == "":
		return "needs a url"
	case !isCommand && len(e.Command) > 0:
		return `has a command, but is not of kind "command"`
	case len(e.ReasoningTags)%2 != 0:
		return "has reasoning_tags of which one has no closing tag"
	case !e.AllowPlainHTTP && isPlainHTTP(e.URL):
		return "names a server on another machine by http, by which prompts and the key travel readable; use " +
			"https, or set allow_plain_http"
	}
	return ""
}

// routeProblem returns what is wrong with a route as a whole, or "".
func (c *Config) routeProblem(route *Route) string {
	exists := func(name string) bool {
		return name == Offline || slices.ContainsFunc(c.Engines, func(e Engine) bool { return e.Name == name })
	}
	switch {
	case len(route.Models) == 0:
		return "names no models"
	case route.Engine == "":
		return "names no engine"
	case !exists(route.Engine):
		return "names the engine " + route.Engine + ", which is not there"
	}
	return ""
}

// modelProblem returns what is wrong with a model as a whole, or "".
func (c *Config) modelProblem(m *CustomModel) string {
	first := slices.IndexFunc(c.Models.Custom, func(o CustomModel) bool { return o.Slug == m.Slug })
	switch {
	case m.Slug == "":
		return "has no slug"
	case &c.Models.Custom[first] != m:
		return "names " + m.Slug + " a second time"
	}
	return ""
}

// problem returns what is wrong with a price as a whole, or "".
func (p *Price) problem() string {
	if len(p.Models) == 0 {
		return "names no models"
	}
	return ""
}
