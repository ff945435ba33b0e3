package part

import (
	"cmp"
	"slices"
	"strings"

	"confab/ui/action"
	"confab/ui/keys"
)

// Binding is one command of a [Table]: its first keys, its words, when it can be done, and what does it.
type Binding[T any] struct {
	Command keys.Command
	Keys    string // as Bubble Tea names them, with blanks between; hints show the first
	Short   string // what it does, for hints
	Long    string // what it does, for the help, the list of commands and docs/keys.md
	// Group and Title are its place in the list of commands; it is not listed without.
	Group keys.Group
	Title string
	Words string // other words for it, by which the list of commands finds it

	// Section is the heading of the help above it and those after it; without one it is the name of the scope.
	Section string

	Acts, WhenEmpty bool // see [keys.Entry]

	Refuses func(T) string        // says why it cannot be done now, "" where it can; nil where it always can
	Offered func(T) bool          // tells whether the list of commands has it now; nil while nothing refuses it
	Rank    func(T) int           // its place among the hints now, 0 for none; nil for a command that is never one
	Word    func(T) string        // what its hint says in place of Short, "" for Short; nil for Short
	Do      func(T) action.Action // does it; nil where Action is all there is to do
	Action  action.Action
}

// Table is the commands of a scope, in the order in which the help shows them. A T does them: a pane, a dialog, the
// root. Tables are variables of their package and are never changed.
type Table[T any] struct {
	Scope    keys.Scope
	Refuses  func(T, keys.Command) string // says why a command cannot be done now, before the binding is asked; or nil
	Bindings []Binding[T]
}

// Commands is a table for the one who does its commands. Panes and dialogs embed it.
type Commands interface {
	Scope() keys.Scope
	// Run does a command, or says why it cannot be done now.
	Run(command keys.Command) action.Action
	// Refusal says why a command cannot be done now, "" where it can or where the table does not have it.
	Refusal(command keys.Command) string
	// Offers tells whether the list of commands has a command now.
	Offers(command keys.Command) bool
	// Hints returns the commands that are worth showing now, the most useful first.
	Hints() []keys.Hint
}

// Entries returns the commands for a [keys.Map].
func (t *Table[T]) Entries() []keys.Entry {
	entries, section := make([]keys.Entry, len(t.Bindings)), string(t.Scope)
	for i, b := range t.Bindings {
		section = cmp.Or(b.Section, section)
		entries[i] = keys.Entry{Command: b.Command, Scope: t.Scope, Keys: strings.Fields(b.Keys), Short: b.Short,
			Long: b.Long, Group: b.Group, Title: b.Title, Words: b.Words, Acts: b.Acts,
			WhenEmpty: b.WhenEmpty, Section: section}
	}
	return entries
}

// For returns the commands for the one who does them, with the keys that they have in a map.
func (t *Table[T]) For(doer T, m keys.Map) Commands { return &bound[T]{t, doer, m} }

// bound is a table with the one who does its commands.
type bound[T any] struct {
	table *Table[T]
	doer  T
	keys  keys.Map
}

// Scope implements [Commands].
func (b *bound[T]) Scope() keys.Scope { return b.table.Scope }

func (b *bound[T]) find(command keys.Command) (Binding[T], bool) {
	i := slices.IndexFunc(b.table.Bindings, func(x Binding[T]) bool { return x.Command == command })
	if i < 0 {
		return Binding[T]{}, false
	}
	return b.table.Bindings[i], true
}

// Refusal implements [Commands].
func (b *bound[T]) Refusal(command keys.Command) string {
	binding, ok := b.find(command)
	if !ok {
		return ""
	}
	why := ""
	if b.table.Refuses != nil {
		why = b.table.Refuses(b.doer, command)
	}
	if why == "" && binding.Refuses != nil {
		why = binding.Refuses(b.doer)
	}
	return why
}

// Offers implements [Commands].
func (b *bound[T]) Offers(command keys.Command) bool {
	if binding, _ := b.find(command); binding.Offered != nil {
		return binding.Offered(b.doer)
	}
	return b.Refusal(command) == ""
}

// Run implements [Commands].
func (b *bound[T]) Run(command keys.Command) action.Action {
	if why := b.Refusal(command); why != "" {
		return action.Unused{Why: why}
	}
	binding, _ := b.find(command)
	if binding.Do == nil {
		return binding.Action
	}
	return binding.Do(b.doer)
}

// Hints implements [Commands].
func (b *bound[T]) Hints() []keys.Hint {
	type ranked struct {
		rank int
		hint keys.Hint
	}
	var all []ranked
	for _, binding := range b.table.Bindings {
		if binding.Rank == nil {
			continue
		}
		rank, key := binding.Rank(b.doer), b.keys.Key(b.table.Scope, binding.Command)
		if rank == 0 || key == "" {
			continue
		}
		word := ""
		if binding.Word != nil {
			word = binding.Word(b.doer)
		}
		all = append(all, ranked{rank, keys.Hint{Key: key, Text: cmp.Or(word, binding.Short)}})
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return a.rank - b.rank })
	hints := make([]keys.Hint, len(all))
	for i, r := range all {
		hints[i] = r.hint
	}
	return hints
}

// Ranked is the rank of a command whose hint is always worth showing.
func Ranked[T any](rank int) func(T) int { return func(T) int { return rank } }

// RankIf is the rank of a command whose hint is worth showing under a condition.
func RankIf[T any](rank int, condition func(T) bool) func(T) int {
	return func(doer T) int {
		if condition(doer) {
			return rank
		}
		return 0
	}
}

// FirstOf says why a command with several conditions cannot be done now, by the first that refuses it.
func FirstOf[T any](refusals ...func(T) string) func(T) string {
	return func(doer T) string {
		for _, refuses := range refusals {
			if why := refuses(doer); why != "" {
				return why
			}
		}
		return ""
	}
}

// TextIf returns a text under a condition, such as a refusal, and else the empty text.
func TextIf(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}
