package config

import (
	"slices"
	"strings"

	"confab/internal/tomldoc"
)

// applyDefaults puts the defaults of a table where they belong.
func applyDefaults(table []Setting) {
	for _, s := range table {
		if v, err := literal(s.Default); err == nil { // a test reads them all
			s.set(nil, v)
		}
	}
}

// engine takes one value of [engines.<name>] and returns what is wrong, or "".
func (r *fileReader) engine(e tomldoc.Entry) string {
	if len(e.Path) == 1 || indexed(e) {
		return "must be a table for each engine: [engines.name]"
	}
	name := e.Path[1]
	if wrong := checkEngine(name); wrong != "" || name == "" {
		return "must have a name of small letters, digits, - and _"
	}
	if name == Offline {
		return "is the engine that is always there; take another name"
	}
	if r.engines[name] == nil {
		r.engines[name] = &Engine{Name: name}
		applyDefaults(engineTable(r.engines[name]))
		r.engineLines[name] = e.Line
		r.engineOrder = append(r.engineOrder, name)
	}
	if len(e.Path) == 2 && e.Table {
		return ""
	}
	if len(e.Path) != 3 || e.Table {
		return "is not a setting of an engine"
	}
	return r.setValue(engineTable(r.engines[name]), e, 2, "an engine")
}

// route takes one value of an element of [[routes]] and returns what is wrong,
// or "".
func (r *fileReader) route(e tomldoc.Entry) string {
	i := e.Index[0]
	if list, ok := e.Value.([]any); ok && len(e.Path) == 1 && len(list) == 0 {
		return ""
	}
	if i < 0 {
		return "must be a list of tables: [[routes]]"
	}
	if r.routes[i] == nil {
		r.routes[i] = &Route{}
		applyDefaults(routeTable(r.routes[i]))
		r.routeLines[i] = e.Line
	}
	if len(e.Path) == 1 && e.Table {
		return ""
	}
	if len(e.Path) >= 2 && e.Path[1] == "params" {
		return r.params(r.routes[i], e)
	}
	if len(e.Path) != 2 || e.Table {
		return "is not a setting of a route"
	}
	return r.setValue(routeTable(r.routes[i]), e, 1, "a route")
}

// setValue puts the value of an entry into the setting that its path names at n.
func (r *fileReader) setValue(table []Setting, e tomldoc.Entry, n int, whose string) string {
	var names []string
	for _, s := range table {
		if s.Name == e.Path[n] {
			return s.set(nil, e.Value)
		}
		names = append(names, s.Name)
	}
	switch last := e.Path[n]; last {
	case "key", "api_key", "apikey":
		return "is not kept in this file; use key_env, key_command or key_file"
	case "url":
		return "is not a setting; did you mean urls?"
	}
	return "is not a setting of " + whose + "; those are " + strings.Join(names, ", ")
}

// params takes a value that is passed on to the engine.
func (r *fileReader) params(to *Route, e tomldoc.Entry) string {
	if slices.ContainsFunc(e.Index[1:], func(i int) bool { return i >= 0 }) {
		return "must not hold lists of tables"
	}
	if len(e.Path) == 2 && !e.Table {
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
	at := to.Params
	for i, name := range e.Path[2:] {
		if i == len(e.Path)-3 && !e.Table {
			at[name] = e.Value
			return ""
		}
		next, ok := at[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			at[name] = next
		}
		at = next
	}
	return ""
}

// finishEngines judges engines and routes as a whole and keeps them in the
// order of the file.
func (r *fileReader) finishEngines() error {
	for _, name := range r.engineOrder {
		e := *r.engines[name]
		wrong := ""
		switch {
		case e.Kind == "command" && len(e.Command) == 0:
			wrong = "needs a command"
		case e.Kind == "command" && len(e.Makes) == 0:
			wrong = "makes nothing"
		case e.Kind != "command" && len(e.URLs) == 0:
			wrong = "needs urls"
		case e.Kind != "command" && len(e.Command) > 0:
			wrong = `has a command, but is not of kind "command"`
		case !e.AllowPlainHTTP && slices.ContainsFunc(e.URLs, plainHTTP):
			wrong = "names a server on another machine by http, by which prompts and the key travel readable; use " +
				"https, or set allow_plain_http"
		}
		if wrong != "" {
			return failure("%sengines.%s %s.", at(r.path, r.engineLines[name]), name, wrong)
		}
		r.config.Engines = append(r.config.Engines, e)
		r.config.origins["engines."+name] = Origin{Source: FromFile, Name: r.path, Line: r.engineLines[name]}
	}
	for i := range len(r.routes) {
		one := *r.routes[i]
		wrong := ""
		switch {
		case len(one.Models) == 0:
			wrong = "names no models"
		case one.Engine == "":
			wrong = "names no engine"
		case !r.engineExists(one.Engine):
			wrong = "names the engine " + one.Engine + ", which is not there"
		case one.Fallback != "" && !r.engineExists(one.Fallback):
			wrong = "falls back to the engine " + one.Fallback + ", which is not there"
		}
		if wrong != "" {
			return failure("%sroutes %s.", at(r.path, r.routeLines[i]), wrong)
		}
		r.config.Routes = append(r.config.Routes, one)
	}
	return nil
}

func (r *fileReader) engineExists(name string) bool { return name == Offline || r.engines[name] != nil }
