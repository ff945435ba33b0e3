package keys_test

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"confab/ui"
	"confab/ui/keys"

	tea "charm.land/bubbletea/v2"
)

var update = flag.Bool("update", false, "write docs/keys.md")

// TestMarkdown holds docs/keys.md to the table.
func TestMarkdown(t *testing.T) {
	const file = "../../docs/keys.md"
	got := keysPage()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("docs/keys.md is not what the table says; run go test ./ui/keys -run Markdown -update")
	}
}

// TestTable judges the map as shipped.
func TestTable(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)*$`)
	text := []keys.Scope{keys.Everywhere, keys.Prompt, keys.System, keys.Browser, keys.Gallery, keys.Text}
	pane := []keys.Scope{keys.Prompt, keys.System, keys.Models, keys.Conversation, keys.Text}
	used := map[keys.Scope]map[string]keys.Command{}
	had := map[keys.Scope]map[keys.Command]bool{}
	for _, e := range ui.Keys().All() {
		if !slices.Contains(scopes(), e.Scope) {
			t.Errorf("%s: the docs do not show the scope %q", e.Command, e.Scope)
		}
		if used[e.Scope] == nil {
			used[e.Scope], had[e.Scope] = map[string]keys.Command{}, map[keys.Command]bool{}
		}
		if had[e.Scope][e.Command] {
			t.Errorf("%s: twice in the %s", e.Command, e.Scope)
		}
		had[e.Scope][e.Command] = true
		if !name.MatchString(string(e.Command)) {
			t.Errorf("%q is no name for the configuration", e.Command)
		}
		if e.Short == "" || e.Long == "" || len(e.Short) > 16 || strings.HasSuffix(e.Long, ".") {
			t.Errorf("%s: short %q, long %q", e.Command, e.Short, e.Long)
		}
		if len(e.Keys) == 0 {
			t.Errorf("%s: no key", e.Command)
		}
		for _, k := range e.Keys {
			if other, ok := used[e.Scope][k]; ok {
				t.Errorf("%s: %q already means %s in the %s", e.Command, k, other, e.Scope)
			}
			used[e.Scope][k] = e.Command
			if norm, ok := formOf(k); !ok || norm != k {
				t.Errorf("%s: no key press is called %q", e.Command, k)
			}
			bare := k == "space" || len([]rune(k)) == 1
			if bare && slices.Contains(text, e.Scope) && !e.WhenEmpty {
				t.Errorf("%s: %q is text in the %s", e.Command, k, e.Scope)
			}
			if k == "ctrl+h" && e.Command != keys.DeleteLeft || k == "ctrl+i" || k == "ctrl+m" {
				t.Errorf("%s: %q is another key in plain terminals", e.Command, k)
			}
		}
	}
	for _, s := range pane {
		for k, command := range used[s] {
			if other, ok := used[keys.Everywhere][k]; ok && other != command {
				t.Errorf("%s: %q in the %s already means %s everywhere", command, k, s, other)
			}
		}
	}
}

func TestRebind(t *testing.T) {
	tests := []struct {
		name    string
		rebind  map[string][]string
		problem string // of the error; empty for none
	}{
		{"nothing", nil, ""},
		{"one key", map[string][]string{"sessions": {"f11"}}, ""},
		{"send and new line swapped", map[string][]string{"send": {"ctrl+j"}, "new_line": {"enter", "shift+enter"}},
			""},
		{"two commands exchange keys", map[string][]string{"sessions": {"ctrl+g"}, "pictures": {"ctrl+s"}}, ""},
		{"no key", map[string][]string{"quit": {}}, ""},
		{"a letter in the conversation", map[string][]string{"copy_answer": {"q"}}, ""},
		{"one scope of several", map[string][]string{"conversation.down": {"ctrl+e"}}, ""},
		{"a dialog's key may be one of everywhere", map[string][]string{"lists.rename": {"ctrl+g"}}, ""},
		{"commands on an empty prompt take a letter", map[string][]string{"commands_when_empty": {":"}}, ""},
		{"no such command", map[string][]string{"sesions": {"f11"}},
			"keys.sesions: there is no such command; did you mean sessions?"},
		{"no such scope", map[string][]string{"prompt.copy_answer": {"f11"}},
			"keys.prompt.copy_answer: there is no such command"},
		{"a letter is text in the prompt", map[string][]string{"send": {"s"}}, `keys.send: "s" is text in the prompt`},
		{"shift is text too", map[string][]string{"sessions": {"shift+s"}},
			`keys.sessions: "shift+s" is text everywhere`},
		{"a blank is text in a list", map[string][]string{"choose": {"space"}},
			`keys.choose: "space" is text in the lists`},
		{"clash", map[string][]string{"sessions": {"ctrl+g"}},
			`keys.sessions: "ctrl+g" already means pictures everywhere`},
		{"clash by another spelling", map[string][]string{"copy_answer": {"shift+y"}},
			`keys.copy_answer: "Y" already means copy_turn in the conversation`},
		{"clash of one scope of several", map[string][]string{"conversation.down": {"k"}},
			`keys.conversation.down: "k" already means up in the conversation`},
		{"clash with everywhere", map[string][]string{"copy_answer": {"ctrl+s"}},
			`keys.copy_answer: "ctrl+s" already means sessions everywhere`},
		{"no key of that name", map[string][]string{"sessions": {"ctrl+shft+s"}},
			`keys.sessions: "ctrl+shft+s" is no key`},
		{"an empty name", map[string][]string{"sessions": {""}}, `keys.sessions: "" is no key`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := ui.Keys().Rebind(tt.rebind)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != tt.problem {
				t.Fatalf("got error %q, want %q", got, tt.problem)
			}
			if err == nil && len(m.All()) != len(ui.Keys().All()) {
				t.Errorf("the map has %d entries, want %d", len(m.All()), len(ui.Keys().All()))
			}
			if err != nil && len(m.All()) != 0 {
				t.Error("a map that is wrong is returned")
			}
		})
	}
}

func TestRebound(t *testing.T) {
	m, err := ui.Keys().Rebind(map[string][]string{"down": {"ctrl+e"}, "conversation.down": {"Shift+Alt+PageDown"},
		"quit": {}})
	if err != nil {
		t.Fatal(err)
	}
	press := tea.KeyPressMsg{Code: tea.KeyPgDown, Mod: tea.ModAlt | tea.ModShift}
	if got := m.Find(press, keys.LookupsIn(keys.Conversation)).Command; got != keys.Down {
		t.Errorf("%s in the conversation: got %q", press, got)
	}
	if got := m.Find(tea.KeyPressMsg{Code: 'e', Mod: tea.ModCtrl},
		keys.LookupsIn(keys.Models)).Command; got != keys.Down {
		t.Errorf("ctrl+e in the models: got %q", got)
	}
	if got := m.Find(tea.KeyPressMsg{Code: 'j', Text: "j"}, keys.LookupsIn(keys.Conversation)).Command; got != "" {
		t.Errorf("the former key: got %q", got)
	}
	if hints := m.Hints(keys.Conversation, keys.Down); len(hints) != 1 || hints[0].Key != "alt+shift+pgdown" {
		t.Errorf("hints: %v", hints)
	}
	if _, ok := m.Entry(keys.Everywhere, keys.Quit); ok {
		t.Error("a command without a key has an entry to show")
	}
	if got := ui.Keys().Find(tea.KeyPressMsg{Code: 'j', Text: "j"},
		keys.LookupsIn(keys.Conversation)).Command; got != keys.Down {
		t.Errorf("the shipped map was changed: j means %q", got)
	}
}

func TestName(t *testing.T) {
	for given, want := range map[string]string{
		"a": "a", "A": "A", "shift+a": "A", "Ctrl+A": "ctrl+a", "ctrl+shift+a": "ctrl+shift+a",
		"shift+ctrl+a": "ctrl+shift+a",
		"alt++":        "alt++", "+": "+", "ctrl+ä": "ctrl+ä", "space": "space", "Return": "enter", "escape": "esc",
		"PageUp": "pgup",
		"f1":     "f1", "F12": "f12", "shift+f24": "shift+f24", "alt+enter": "alt+enter", "?": "?",
	} {
		if got, ok := formOf(given); !ok || got != want {
			t.Errorf("%q: got %q, %v; want %q", given, got, ok, want)
		}
	}
	for _, given := range []string{"", " ", "\t", "ab", "f0", "f25", "f01", "ctrl+", "cmd+a", "ctrl+abc", "\x1b",
		"+a"} {
		if got, ok := formOf(given); ok {
			t.Errorf("%q is taken as %q", given, got)
		}
	}
}

// FuzzName expects that a name that is taken is already in its final form, and
// that no name makes it panic.
func FuzzName(f *testing.F) {
	for _, s := range []string{"ctrl+a", "shift+ctrl+pageup", "alt++", "F5", "é", "ctrl+shift+"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if once, ok := formOf(s); ok {
			if twice, ok := formOf(once); !ok || twice != once {
				t.Errorf("%q became %q, which became %q, %v", s, once, twice, ok)
			}
		}
	})
}

func TestEffectsThatMove(t *testing.T) {
	for _, c := range []struct {
		command            keys.Command
		room, overlap, all int
		down               int
		ok                 bool
	}{
		{keys.Down, 10, 1, 50, 1, true}, {keys.Up, 10, 1, 50, -1, true},
		{keys.PageDown, 10, 2, 50, 8, true}, {keys.PageUp, 10, 2, 50, -8, true},
		{keys.PageDown, 2, 4, 50, 1, true}, {keys.HalfUp, 1, 0, 50, -1, true},
		{keys.Top, 10, 1, 50, -50, true}, {keys.Bottom, 10, 1, 50, 50, true},
		{keys.Top, 10, 1, 0, 0, false}, {keys.Find, 10, 1, 50, 0, false},
	} {
		if down, ok := c.command.Lines(c.room, c.overlap, c.all); down != c.down || ok != c.ok {
			t.Errorf("%s in %d lines of %d: %d, %v, want %d, %v", c.command, c.room, c.all, down, ok, c.down, c.ok)
		}
	}
}

// formOf returns the one form of a key's name.
func formOf(given string) (string, bool) {
	press, ok := keys.Parse(given)
	return press.String(), ok
}
