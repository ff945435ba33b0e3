package keys_test

import (
	"testing"

	"confab/internal/terminput"
	"confab/ui"
	"confab/ui/keys"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// pressed returns the press that bytes of a terminal give.
func pressed(t *testing.T, input string) (msg tea.KeyPressMsg) {
	t.Helper()
	d := terminput.Decoder{Emit: func(e uv.Event) { msg = tea.KeyPressMsg(e.(uv.KeyPressEvent)) }}
	d.Feed([]byte(input))
	return msg
}

// Chords are named by the place of their key where the layout has no Latin letters, and by their letter where it has
// them elsewhere.
func TestChordsOfOtherLayouts(t *testing.T) {
	for _, c := range []struct{ layout, input, want string }{
		{"Russian", "\x1b[1089;5u", "ctrl+c"},
		{"Russian, alternate keys", "\x1b[1089::99;5u", "ctrl+c"},
		{"Russian, alternate keys with shift", "\x1b[1089:1057:99;6u", "ctrl+shift+c"},
		{"Russian, modifyOtherKeys", "\x1b[27;5;1089~", "ctrl+c"},
		{"Russian, modifyOtherKeys with shift", "\x1b[27;6;1057~", "ctrl+shift+c"},
		{"Russian, alt as escape", "\x1bя", "alt+z"},
		{"Russian, a bracket", "\x1b[27;3;1093~", "alt+["},
		{"Ukrainian", "\x1b[1110;5u", "ctrl+s"},
		{"Bulgarian, alternate keys", "\x1b[1103::113;5u", "ctrl+q"},
		{"Serbian", "\x1b[1113;5u", "ctrl+q"},
		{"Greek", "\x1b[27;5;960~", "ctrl+p"},
		{"Greek q, alternate keys", "\x1b[59::113;5u", "ctrl+q"},
		{"Hebrew", "\x1b[27;5;1513~", "ctrl+a"},
		{"Hebrew q, alternate keys", "\x1b[47::113;5u", "ctrl+q"},
		{"Arabic", "\x1b[1604;3u", "alt+g"},
		{"Korean", "\x1b[12610;5u", "ctrl+q"},
		{"Korean, modifyOtherKeys", "\x1b[27;3;12619~", "alt+z"},
		{"Georgian", "\x1b[4322;5u", "ctrl+t"},
		{"Thai, alternate keys", "\x1b[3631::101;5u", "ctrl+e"},
		{"full width", "\x1b[65363;3u", "alt+s"},
		{"French, alternate keys", "\x1b[97::113;5u", "ctrl+a"},
		{"Dvorak, alternate keys", "\x1b[39::113;5u", "ctrl+'"},
		{"German, alternate keys", "\x1b[228::39;5u", "ctrl+ä"},
		{"US, modifyOtherKeys with shift", "\x1b[27;6;65~", "ctrl+shift+a"},
		{"an arrow", "\x1b[1;5C", "ctrl+right"},
		{"ctrl and blank", "\x1b[32;5u", "ctrl+space"},
	} {
		if got := keys.OnLatin(pressed(t, c.input)).String(); got != c.want {
			t.Errorf("%s: %q is %s, want %s", c.layout, c.input, got, c.want)
		}
	}
}

// A letter is a command where letters are no text, and text where they are.
func TestLettersOfOtherLayouts(t *testing.T) {
	m := ui.Keys()
	for _, c := range []struct {
		text  string
		scope keys.Scope
		want  keys.Command
	}{
		{"в", keys.Conversation, keys.Difference}, // d
		{"м", keys.Conversation, keys.CompareAnswers},
		{"н", keys.Conversation, keys.CopyAnswer},
		{"υ", keys.Conversation, keys.CopyAnswer},
		{"ט", keys.Conversation, keys.CopyAnswer},
		{"ㅛ", keys.Conversation, keys.CopyAnswer},
		{"غ", keys.Conversation, keys.CopyAnswer},
		{"ｙ", keys.Conversation, keys.CopyAnswer},
		{"é", keys.Conversation, ""},
		{"вм", keys.Conversation, ""},
		{"в", keys.Prompt, ""},
		{"в", keys.Gallery, ""},
	} {
		press := tea.KeyPressMsg{Code: []rune(c.text)[0], Text: c.text}
		got := m.Find(press, keys.LookupsIn(c.scope))
		if got.Command != c.want || got.Text != c.text {
			t.Errorf("%q in the %s is %q with the text %q, want %q", c.text, c.scope, got.Command, got.Text, c.want)
		}
	}
	own, err := m.Rebind(map[string][]string{"copy_answer": {"ы"}, "undo": {"ctrl+ъ"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := own.Find(tea.KeyPressMsg{Code: 'ы', Text: "ы"}, keys.LookupsIn(keys.Conversation)); got.Command !=
		keys.CopyAnswer {
		t.Errorf("a letter of one's own is %q", got.Command)
	}
	chord := keys.OnLatin(tea.KeyPressMsg{Code: 'ъ', Mod: tea.ModCtrl})
	if got := own.Find(chord, keys.LookupsIn(keys.Everywhere)); got.Command != keys.Undo {
		t.Errorf("a chord of one's own is %q", got.Command)
	}
}
