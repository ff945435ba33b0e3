package keys

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"confab/internal/termtext"
)

// Map tells which command a key has in a scope. It is immutable; make one with [New] and change it with [Map.Rebind].
type Map struct {
	entries  []Entry
	commands map[scopedKey]Command
	hasVi    bool
}

// scopedKey is a key in a scope.
type scopedKey struct {
	scope Scope
	key   string
}

// New returns the map of these commands.
func New(entries []Entry) Map {
	m := Map{entries: entries, commands: map[scopedKey]Command{}}
	for _, e := range entries {
		for _, k := range e.Keys {
			m.commands[scopedKey{e.Scope, k}] = e.Command
		}
	}
	return m
}

// WithVi returns the map for text fields with the modes of vi.
func (m Map) WithVi() Map {
	m.hasVi = true
	return m
}

// HasVi reports whether text fields have the modes of vi.
func (m Map) HasVi() bool { return m.hasVi }

// Rebind returns the map with other keys for the named commands. A command that several scopes have is rebound in all
// of them, unless it is named as "scope.command", spaces in the scope as underscores; that name wins over the other.
// Keys are put into the form in which key presses have them. Errors name the entry: an unknown command, what is no key,
// a key that two commands of one scope share or that a pane shares with everywhere, and a bare letter in a scope where
// letters are text.
func (m Map) Rebind(keys map[string][]string) (Map, error) {
	entries := slices.Clone(m.entries)
	// Names with a scope come after those without, which they refine.
	names := slices.SortedFunc(maps.Keys(keys), func(a, b string) int {
		return cmp.Or(strings.Count(a, ".")-strings.Count(b, "."), strings.Compare(a, b))
	})
	for _, name := range names {
		found := false
		for i, e := range entries {
			if name != string(e.Command) && name != e.scopedName() {
				continue
			}
			found = true
			list, err := readKeys(e, keys[name])
			if err != nil {
				return Map{}, &BindingError{[]string{name}, err.Error()}
			}
			entries[i].Keys = list
		}
		if !found {
			return Map{}, &BindingError{[]string{name}, "there is no such command" + didYouMean(name, entries)}
		}
	}
	if err := clash(entries, keys); err != nil {
		return Map{}, err
	}
	rebound := New(entries)
	rebound.hasVi = m.hasVi
	return rebound, nil
}

// BindingError is what is wrong with the keys that [Map.Rebind] was given.
type BindingError struct {
	Names   []string // of the commands to blame, the one that the sentence is about first
	Problem string   // a clause
}

// scopedName returns the name of an entry that no other scope has.
func (e Entry) scopedName() string {
	return strings.ReplaceAll(string(e.Scope), " ", "_") + "." + string(e.Command)
}

// Error returns "keys.name: problem".
func (e *BindingError) Error() string {
	return "keys." + termtext.Escape(e.Names[0]) + ": " + e.Problem
}

// didYouMean returns the end of a sentence that names the command which a misspelt name most likely stands for, or "".
func didYouMean(name string, entries []Entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, string(e.Command))
	}
	if near := termtext.NearestName(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// readKeys judges the keys that an entry is to have.
func readKeys(e Entry, names []string) ([]string, error) {
	var list []string
	for _, given := range names {
		press, ok := Parse(given)
		key := OnLatin(press).String()
		if !ok {
			return nil, fmt.Errorf("%s is no key", termtext.Quote(given))
		}
		if isText(e.Scope, key) && !e.WhenEmpty {
			return nil, fmt.Errorf("%s is text %s", termtext.Quote(given), place(e.Scope))
		}
		if !slices.Contains(list, key) {
			list = append(list, key)
		}
	}
	return list, nil
}

// clash reports a key that two commands of one scope share, or that a pane shares with everywhere: one of the two would
// never be reached. Dialogs come before everywhere and may use its keys.
func clash(entries []Entry, given map[string][]string) error {
	seen := map[scopedKey]Entry{}
	for _, e := range entries {
		for _, k := range e.Keys {
			if other, ok := seen[scopedKey{e.Scope, k}]; ok && other.Command != e.Command {
				return clashError(e, other, k, place(e.Scope), given)
			}
			seen[scopedKey{e.Scope, k}] = e
		}
	}
	for _, e := range entries {
		for _, k := range e.Keys {
			if other, ok := seen[scopedKey{Everywhere, k}]; ok && other.Command != e.Command && isPane(e.Scope) {
				return clashError(e, other, k, place(Everywhere), given)
			}
		}
	}
	return nil
}

// clashError names both entries as they were given, first one that was.
func clashError(e, other Entry, key, place string, given map[string][]string) error {
	names := []string{string(e.Command), string(other.Command)}
	for i, scoped := range []string{e.scopedName(), other.scopedName()} {
		if _, isGiven := given[scoped]; isGiven {
			names[i] = scoped
		}
	}
	if _, isGiven := given[names[0]]; !isGiven {
		slices.Reverse(names)
	}
	return &BindingError{names, fmt.Sprintf("%q already means %s %s", key, names[1], place)}
}

// place says where a scope is, for errors.
func place(s Scope) string {
	if s == Everywhere {
		return string(s)
	}
	return "in the " + string(s)
}

func isPane(s Scope) bool {
	return s == Prompt || s == System || s == Models || s == Conversation || s == Start || s == Text
}

func holdsText(s Scope) bool {
	return s == Prompt || s == System || s == Models || s == Browser || s == Gallery || s == Text ||
		s == Everywhere
}

// isText tells whether a key is text in a scope. The names of models have no blanks.
func isText(s Scope, key string) bool {
	return holdsText(s) && (len([]rune(key)) == 1 || key == "space" && s != Models)
}

// All returns every entry, those without a key too.
func (m Map) All() []Entry { return slices.Clone(m.entries) }

// Entries returns the entries of a scope that have a key, in the order in which help shows them.
func (m Map) Entries(s Scope) []Entry {
	var out []Entry
	for _, e := range m.entries {
		if e.Scope == s && len(e.Keys) > 0 {
			out = append(out, e)
		}
	}
	return out
}

// Entry returns the entry of a command in a scope; ok is false when it has no key there.
func (m Map) Entry(s Scope, c Command) (Entry, bool) {
	at := slices.IndexFunc(m.entries, func(e Entry) bool { return e.Scope == s && e.Command == c && len(e.Keys) > 0 })
	if at < 0 {
		return Entry{}, false
	}
	return m.entries[at], true
}
