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
	engines records[Engine]
	routes  records[Route]
	models  records[CustomModel]
	prices  records[Price]
	groups  map[string]*records[Group] // by section
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
	tables := readTables()
	r := fileReader{config: c, path: path,
		engines: records[Engine]{table: tables.Engine, kind: "an engine"},
		routes:  records[Route]{table: tables.Route, kind: "a route"},
		models:  records[CustomModel]{table: tables.Model, kind: "a model"},
		prices:  records[Price]{table: tables.Price, kind: "a price"},
		groups:  map[string]*records[Group]{},
	}
	for _, section := range []string{"ssh", "serve"} {
		r.groups[section] = &records[Group]{table: groupTable(section), kind: "a group"}
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
	section := e.Path[0]
	switch list := firstIndexed(e); {
	case list == 0 && section == "engines":
		return "stands in [[engines]]; write a table with the engine's name for each, such as [engines.local]"
	case list == 0 && isTable(section), list == 1 && section == "engines":
		name := tomldoc.Entry{Path: e.Path[:list+1]}.Label()
		return fmt.Sprintf("stands in [[%s]]; write [%s], with single brackets", name, name)
	case section == "keys":
		return r.key(e)
	case section == "engines":
		return r.engine(e)
	case r.groups[section] != nil && len(e.Path) > 1 && e.Path[1] == "groups":
		return r.group(e)
	case section == "routes":
		if wrong := misplaced(e, 1); wrong != "" || isEmptyList(e, 1) {
			return wrong
		}
		if len(e.Path) >= 2 && e.Path[1] == "params" {
			return addParam(r.routes.at(e.Index[0], e.Line), e)
		}
		return r.routes.set(e, e.Index[0], 1)
	case section == "prices":
		if wrong := misplaced(e, 1); wrong != "" || isEmptyList(e, 1) {
			return wrong
		}
		return r.prices.set(e, e.Index[0], 1)
	case section == "models" && len(e.Path) > 1 && e.Path[1] == "custom":
		if wrong := misplaced(e, 2); wrong != "" || isEmptyList(e, 2) {
			return wrong
		}
		return r.models.set(e, e.Index[1], 2)
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

// misplaced returns what is wrong with an entry of a list of tables whose name has n parts when it does not stand
// in double brackets, or "".
func misplaced(e tomldoc.Entry, n int) string {
	name := strings.Join(e.Path[:n], ".")
	switch {
	case e.Index[n-1] >= 0 || isEmptyList(e, n):
		return ""
	case len(e.Path) == n && !e.IsTable:
		return "must be a list of tables: [[" + name + "]]"
	}
	return fmt.Sprintf("stands in [%s]; write [[%s]], with double brackets", name, name)
}

// isEmptyList reports whether the entry gives a list of tables whose name has n parts no elements.
func isEmptyList(e tomldoc.Entry, n int) bool {
	list, isList := e.Value.([]any)
	return isList && len(e.Path) == n && len(list) == 0
}

// isTable reports whether a name is that of one of the tables that hold settings.
func isTable(name string) bool {
	return name == "keys" || name == "engines" || slices.ContainsFunc(Table(), func(s Setting) bool {
		section, _ := s.section()
		return section == name
	})
}

func unknown(e tomldoc.Entry) string {
	if last := e.Path[len(e.Path)-1]; last == "api_key" || last == "apikey" {
		return "is not kept in this file; use api_key_command, keyring or api_key_file, or CONFAB_API_KEY in the " +
			"environment"
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

// engine takes one value of [engines.NAME] and returns what is wrong, or "".
func (r *fileReader) engine(e tomldoc.Entry) string {
	if len(e.Path) == 1 {
		return "must be a table for each engine: [engines.name]"
	}
	name := e.Path[1]
	switch {
	case name == "" || checkWith("engine", name) != "":
		return "must have a name of small letters, digits, - and _"
	case name == Offline:
		return "is the engine that is always there; take another name"
	}
	i := slices.IndexFunc(r.engines.all, func(e *Engine) bool { return e.Name == name })
	if i < 0 {
		i = len(r.engines.all)
		r.engines.at(i, e.Line).Name = name
	}
	return r.engines.set(e, i, 2)
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

// finish judges engines, routes, prices and models as a whole and keeps them in the order of the file.
func (r *fileReader) finish() error {
	for i, m := range r.models.all {
		wrong := ""
		switch {
		case m.Slug == "":
			wrong = "has no slug"
		case slices.ContainsFunc(r.models.all[:i], func(o *CustomModel) bool { return o.Slug == m.Slug }):
			wrong = "names " + m.Slug + " a second time"
		}
		if wrong != "" {
			return failure("%smodels.custom %s.", at(r.path, r.models.lines[i]), wrong)
		}
		r.config.Models.Custom = append(r.config.Models.Custom, *m)
		r.config.origins["models.custom"] = r.origin(r.models.lines[0])
	}
	for i, e := range r.engines.all {
		if wrong := e.problem(); wrong != "" {
			return failure("%sengines.%s %s.", at(r.path, r.engines.lines[i]), e.Name, wrong)
		}
		r.config.Engines = append(r.config.Engines, *e)
		r.config.origins["engines."+e.Name] = r.origin(r.engines.lines[i])
	}
	for i, route := range r.routes.all {
		if wrong := r.wrongRoute(route); wrong != "" {
			return failure("%sroutes %s.", at(r.path, r.routes.lines[i]), wrong)
		}
		r.config.Routes = append(r.config.Routes, *route)
	}
	for i, p := range r.prices.all {
		if len(p.Models) == 0 {
			return failure("%sprices names no models.", at(r.path, r.prices.lines[i]))
		}
		r.config.Prices = append(r.config.Prices, *p)
	}
	for section, to := range map[string]*[]Group{"ssh": &r.config.SSH.Groups, "serve": &r.config.Serve.Groups} {
		groups := r.groups[section]
		for i, g := range groups.all {
			if (g.CostADay > 0 || g.CostAMonth > 0) && !r.hasOneCurrency() {
				return failure("%s%s.groups.%s limits the cost, but the prices are in several currencies.",
					at(r.path, groups.lines[i]), section, g.Name)
			}
			*to = append(*to, *g)
		}
	}
	return nil
}

// problem returns what is wrong with an engine as a whole, or "".
func (e *Engine) problem() string {
	isCommand := e.Kind == "command"
	switch {
	case isCommand && len(e.Command) == 0:
		return "needs a command"
	case isCommand && len(e.Makes) == 0:
		return "makes nothing"
	case !isCommand && len(e.URLs) == 0:
		return "needs urls"
	case !isCommand && len(e.Command) > 0:
		return `has a command, but is not of kind "command"`
	case !e.AllowPlainHTTP && slices.ContainsFunc(e.URLs, isPlainHTTP):
		return "names a server on another machine by http, by which prompts and the key travel readable; use " +
			"https, or set allow_plain_http"
	}
	return ""
}

// wrongRoute returns what is wrong with a route as a whole, or "".
func (r *fileReader) wrongRoute(route *Route) string {
	exists := func(name string) bool {
		return name == Offline || slices.ContainsFunc(r.engines.all, func(e *Engine) bool { return e.Name == name })
	}
	switch {
	case len(route.Models) == 0:
		return "names no models"
	case route.Engine == "":
		return "names no engine"
	case !exists(route.Engine):
		return "names the engine " + route.Engine + ", which is not there"
	case route.Fallback != "" && !exists(route.Fallback):
		return "falls back to the engine " + route.Fallback + ", which is not there"
	}
	return ""
}
