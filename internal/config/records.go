package config

import (
	"slices"
	"strings"

	"confab/internal/tomldoc"
)

// records are the tables of one kind in a file, each read into a struct.
type records[T any] struct {
	table []Setting
	kind  string // for errors: "an engine"
	all   []*T
	lines []int // where each begins
}

// at returns a record, made with its defaults if needed.
func (l *records[T]) at(i, line int) *T {
	for len(l.all) <= i {
		record := new(T)
		setDefaults(l.table, record)
		l.all, l.lines = append(l.all, record), append(l.lines, line)
	}
	return l.all[i]
}

// set takes a value of a record whose own name has n parts and returns what is wrong, or "".
func (l *records[T]) set(e tomldoc.Entry, i, n int) string {
	record := l.at(i, e.Line)
	if len(e.Path) == n && e.IsTable {
		return ""
	}
	if len(e.Path) != n+1 || e.IsTable {
		return "is not a setting of " + l.kind
	}
	var names []string
	for _, s := range l.table {
		if s.Name == e.Path[n] {
			return s.set(record, e.Value)
		}
		names = append(names, s.Name)
	}
	switch e.Path[n] {
	case "key", "api_key", "apikey":
		return "is not a setting of " + l.kind + ", and no key is kept in this file; an engine has key_env, " +
			"key_command or key_file"
	case "url":
		return "is not a setting; did you mean urls?"
	}
	return "is not a setting of " + l.kind + "; those are " + strings.Join(names, ", ")
}

// group takes one value of [ssh.groups.NAME] or [serve.groups.NAME] and returns what is wrong, or "".
func (r *fileReader) group(e tomldoc.Entry) string {
	groups := r.groups[e.Path[0]]
	if len(e.Path) == 2 {
		return "must be a table for each group: [" + e.Path[0] + ".groups.name]"
	}
	name := e.Path[2]
	if name == "" || checkWith("engine", name) != "" {
		return "must have a name of small letters, digits, - and _"
	}
	if firstIndexed(e) >= 0 {
		return "stands in double brackets; write [" + e.Path[0] + ".groups." + name + "]"
	}
	i := slices.IndexFunc(groups.all, func(g *Group) bool { return g.Name == name })
	if i < 0 {
		i = len(groups.all)
		groups.at(i, e.Line).Name = name
	}
	return groups.set(e, i, 3)
}

// hasOneCurrency reports whether costs can be added up.
func (r *fileReader) hasOneCurrency() bool {
	return !slices.ContainsFunc(r.prices.all, func(p *Price) bool { return p.Currency != r.prices.all[0].Currency })
}
