package config

import (
	"fmt"
	"slices"
	"strings"

	"confab/internal/tomldoc"
)

// recordTable is a kind of tables that may stand in the file several times: with their names, such as [engines.local],
// or as a list, such as [[routes]].
type recordTable interface {
	name() string // of the table without that of the record, such as "engines"
	// entry takes an entry of such a table and returns what is wrong with it, or "".
	entry(e tomldoc.Entry) string
	// finish judges each record as a whole.
	finish(r *fileReader) error
	// show writes the settings of each record that are not at their defaults.
	show(b *strings.Builder)
	values() any
}

// recordTables returns the kinds of tables whose records the configuration holds, in the order in which they are shown.
func (c *Config) recordTables() []recordTable {
	t := readTables()
	return []recordTable{
		&records[CustomModel]{path: "models.custom", kind: "a model", settings: t.Model, all: &c.Models.Custom,
			problem: c.modelProblem},
		&records[Engine]{path: "engines", kind: "an engine", settings: t.Engine, all: &c.Engines,
			nameOf: func(e *Engine) *string { return &e.Name }, problem: (*Engine).problem},
		&records[Route]{path: "routes", kind: "a route", settings: t.Route, all: &c.Routes, problem: c.routeProblem},
		&records[Price]{path: "prices", kind: "a price", settings: t.Price, all: &c.Prices, problem: (*Price).problem},
	}
}

// records are the tables of one kind, each read into a struct.
type records[T any] struct {
	path     string // as [recordTable.name] returns it
	kind     string // for errors: "an engine"
	settings []Setting
	all      *[]T             // in the order of the file
	nameOf   func(*T) *string // where the name of a record is; nil for a list
	problem  func(*T) string  // what is wrong with a record as a whole, or ""
	lines    []int            // where each begins
}

func (l *records[T]) name() string { return l.path }
func (l *records[T]) values() any  { return *l.all }

// label returns the name of a record's table.
func (l *records[T]) label(record *T) string {
	if l.nameOf == nil {
		return l.path
	}
	return l.path + "." + *l.nameOf(record)
}

func (l *records[T]) entry(e tomldoc.Entry) string {
	n := strings.Count(l.path, ".") + 1 // parts of the path
	_, noun, _ := strings.Cut(l.kind, " ")
	isList := e.Index[n-1] >= 0
	empty, isEmpty := e.Value.([]any)
	switch isEmpty = isEmpty && len(e.Path) == n && len(empty) == 0; {
	case l.nameOf == nil && isEmpty:
		return ""
	case l.nameOf == nil && isList:
		return l.set(e, e.Index[n-1], n)
	case l.nameOf == nil && len(e.Path) == n && !e.IsTable:
		return "must be a list of tables: [[" + l.path + "]]"
	case l.nameOf == nil:
		return fmt.Sprintf("stands in [%s]; write [[%s]], with double brackets", l.path, l.path)
	case isList:
		return fmt.Sprintf("stands in [[%s]]; write a table with the %s's name for each, such as [%s.local]", l.path,
			noun, l.path)
	case len(e.Path) == n:
		return fmt.Sprintf("must be a table for each %s: [%s.name]", noun, l.path)
	}
	name := e.Path[n]
	switch {
	case name == "" || checkWith("engine", name) != "":
		return "must have a name of small letters, digits, - and _"
	case e.Index[n] >= 0:
		return fmt.Sprintf("stands in [[%s.%s]]; write [%s.%s], with single brackets", l.path, name, l.path, name)
	}
	i := slices.IndexFunc(*l.all, func(record T) bool { return *l.nameOf(&record) == name })
	if i < 0 {
		i = len(*l.all)
		*l.nameOf(l.at(i, e.Line)) = name
	}
	return l.set(e, i, n+1)
}

// at returns a record, made with its defaults if needed.
func (l *records[T]) at(i, line int) *T {
	for len(*l.all) <= i {
		var record T
		setDefaults(l.settings, &record)
		*l.all, l.lines = append(*l.all, record), append(l.lines, line)
	}
	return &(*l.all)[i]
}

// set takes a value of a record whose own name has n parts and returns what is wrong, or "".
func (l *records[T]) set(e tomldoc.Entry, i, n int) string {
	record := l.at(i, e.Line)
	if len(e.Path) == n && e.IsTable {
		return ""
	}
	if route, ok := any(record).(*Route); ok && e.Path[n] == "params" {
		return addParam(route, e)
	}
	isNone := "is not a setting of " + l.kind
	if len(e.Path) != n+1 || e.IsTable {
		return isNone
	}
	if instead := replacement(l.path + "." + e.Path[n]); instead != "" {
		return instead
	}
	var names []string
	for _, s := range l.settings {
		if s.Name == e.Path[n] {
			return s.set(record, e.Value)
		}
		names = append(names, s.Name)
	}
	switch e.Path[n] {
	case "key", "api_key", "apikey":
		return isNone + ", and no key is kept in this file; an engine has key_env, key_command or key_file"
	}
	return isNone + "; those are " + strings.Join(names, ", ")
}

func (l *records[T]) finish(r *fileReader) error {
	for i := range *l.all {
		record := &(*l.all)[i]
		label := l.label(record)
		if wrong := l.problem(record); wrong != "" {
			return failure("%s%s %s.", at(r.path, l.lines[i]), label, wrong)
		}
		if _, known := r.config.origins[label]; !known { // of a list the first counts
			r.config.origins[label] = r.origin(l.lines[i])
		}
	}
	return nil
}

func (l *records[T]) show(b *strings.Builder) {
	for _, record := range *l.all {
		header := "[" + l.label(&record) + "]"
		if l.nameOf == nil {
			header = "[" + header + "]"
		}
		fmt.Fprintf(b, "\n%s\n", header)
		for _, s := range l.settings {
			if text := s.show(&record); text != inline(s.Default) {
				fmt.Fprintf(b, "%s = %s\n", s.Name, text)
			}
		}
		if route, ok := any(record).(Route); ok && len(route.Params) > 0 {
			fmt.Fprintf(b, "params = %s\n", inline(route.Params))
		}
	}
}
