package compose_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"confab/ui"
	"confab/ui/action"
	"confab/ui/compose"
	"confab/ui/keys"
	"confab/ui/widget"
)

// play does a script: names of keys, ' before what is typed, " before what is pasted, with _ for blanks and ¶ for line
// breaks.
func play(t testing.TB, script string, press func(tea.KeyPressMsg), paste func(tea.PasteMsg)) {
	t.Helper()
	spell := strings.NewReplacer("_", " ", "¶", "\n")
	for word := range strings.FieldsSeq(script) {
		if text, ok := strings.CutPrefix(word, "\""); ok {
			paste(tea.PasteMsg{Content: spell.Replace(text)})
			continue
		}
		text, ok := strings.CutPrefix(word, "'")
		if !ok {
			key, ok := keys.Parse(word)
			if !ok {
				t.Fatalf("%q is no key", word)
			}
			press(key)
			continue
		}
		for _, r := range spell.Replace(text) {
			key := tea.KeyPressMsg{Code: r, Text: string(r)}
			if r == '\n' {
				key, _ = keys.Parse("alt+enter")
			}
			press(key)
		}
	}
}

// playInPrompt does a script in the prompt.
func playInPrompt(t testing.TB, p *compose.Composer, script string) (last action.Action) {
	t.Helper()
	play(t, script,
		func(k tea.KeyPressMsg) { last, _ = p.Update(ui.Keys().Find(k, p.State().Lookups)) },
		func(paste tea.PasteMsg) { last, _ = p.Update(paste) })
	return last
}

// TestReadlineKeys in the prompt; what follows shows where the cursor is.
func TestReadlineKeys(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"line start and end", "'one¶two ctrl+a '> ctrl+e '<", "one\n>two<"},
		{"character back and forward", "'abc ctrl+b ctrl+b '! ctrl+f '!", "a!b!c"},
		{"words by letters", "'say_it,_you alt+b alt+b '! alt+f '!", "say !it!, you"},
		{"words by arrows", "'one_two_three ctrl+left ctrl+left '! ctrl+right '!", "one !two! three"},
		{"word back over punctuation", "'path/to/file alt+backspace", "path/to/"},
		{"word back to a blank", "'path/to/file ctrl+w", ""},
		{"word forward", "'one_two ctrl+a alt+d '!", "! two"},
		{"to the end, and back", "'one_two alt+b ctrl+k ctrl+a ctrl+y", "twoone "},
		{"to the start, and back", "'one_two alt+b ctrl+u ctrl+e ctrl+y", "twoone "},
		{"words deleted after each other", "'one_two_three ctrl+w ctrl+w ctrl+a ctrl+y", "two threeone "},
		{"deleting forward adds behind", "'one_two_three ctrl+a alt+d alt+d ctrl+e ctrl+y", " threeone two"},
		{"another key between begins anew", "'one_two ctrl+w ctrl+b ctrl+f ctrl+w ctrl+y ctrl+y", "one one "},
		{"the line break at the end of a line", "'one¶two up end ctrl+k", "onetwo"},
		{"the line break before a line", "'one¶two home ctrl+u", "onetwo"},
		{"text start and end", "'one¶two ctrl+home '> ctrl+end '<", ">one\ntwo<"},
		{"delete under the cursor", "'abc home ctrl+d delete", "c"},
		{"wide and joined characters", "'日本👩‍🍳é left left left delete '!", "日!👩‍🍳é"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPrompt()
			if playInPrompt(t, p, tt.script); p.Text() != tt.want {
				t.Errorf("%s gives %q, want %q", tt.script, p.Text(), tt.want)
			}
		})
	}
}

func TestSelection(t *testing.T) {
	tests := []struct{ name, script, want, copied string }{
		{"replaced by typing", "'one_two shift+left shift+left '!", "one t!", ""},
		{"replaced by a paste", `'one_two ctrl+shift+left "three`, "one three", ""},
		{"deleted", "'one_two_three alt+b ctrl+shift+left backspace", "one three", ""},
		{"to the start of the line", "'one¶two shift+home delete", "one\n", ""},
		{"to the end of the line", "'one¶two home shift+end delete '!", "one\n!", ""},
		{"lines", "'one¶two¶three home shift+up delete", "one\nthree", ""},
		{"lines down", "'one¶two¶three ctrl+home shift+down shift+down delete '!", "!three", ""},
		{"the text", "'one¶two alt+g '!", "!", ""},
		{"to both ends", "'one¶two home ctrl+shift+home ctrl+x ctrl+e ctrl+shift+end ctrl+y", "twoone\n", "one\n"},
		{"copied and put", "'one_two ctrl+shift+left alt+o ctrl+e ctrl+y", "one twotwo", "two"},
		{"cut and put twice", "'one_two ctrl+shift+left ctrl+x ctrl+y ctrl+y", "one twotwo", "two"},
		{"ended by moving", "'one_two ctrl+shift+left right '!", "one t!wo", ""},
		{"back and forth", "'abc left shift+left shift+right shift+right delete '!", "ab!", ""},
		{"joined characters", "'a👩‍🍳b left shift+left ctrl+x ctrl+e ctrl+y", "ab👩‍🍳", "👩‍🍳"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, copied := newPrompt(), ""
			for word := range strings.FieldsSeq(tt.script) {
				if c, ok := playInPrompt(t, p, word).(action.Copy); ok {
					copied = c.Text
				}
			}
			if p.Text() != tt.want || copied != tt.copied {
				t.Errorf("%s gives %q and copies %q, want %q and %q", tt.script, p.Text(), copied, tt.want, tt.copied)
			}
		})
	}
}

func TestUndo(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"a word", "'one_two_three ctrl+/", "one two "},
		{"as plain terminals name the key", "'one_two ctrl+_", "one "},
		{"words", "'one_two_three ctrl+/ ctrl+/", "one "},
		{"everything", "'one_two ctrl+/ ctrl+/ ctrl+/", ""},
		{"and again", "'one_two ctrl+/ ctrl+/ alt+/ alt+/ '!", "one two!"},
		{"a paste", `'one_ "two_three '_four ctrl+/ ctrl+/ ctrl+/`, "one "},
		{"deleted characters", "'one_two backspace backspace backspace ctrl+/", "one two"},
		{"a deleted line", "'one_two ctrl+u ctrl+/", "one two"},
		{"a replaced selection", "'one_two ctrl+shift+left '! ctrl+/", "one two"},
		{"typing elsewhere", "'ab left 'c ctrl+/", "ab"},
		{"moving keeps what can be redone", "'one_two ctrl+/ ctrl+a ctrl+e alt+/", "one two"},
		{"typing drops it", "'one_two ctrl+/ '! alt+/", "one !"},
		{"a new line", "'one¶two ctrl+/", "one\n"},
		{"puts the cursor where it was", "'one_two home delete end ctrl+/ '!", "!one two"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPrompt()
			if playInPrompt(t, p, tt.script); p.Text() != tt.want {
				t.Errorf("%s gives %q, want %q", tt.script, p.Text(), tt.want)
			}
		})
	}
}

// TestUndoBringsBackChips with all of their text, and what was put in place of the text.
func TestUndoBringsBackChips(t *testing.T) {
	p := newPrompt()
	large := strings.Repeat("a line of a paste\n", 2000)
	playInPrompt(t, p, "'a_")
	p.Update(tea.PasteMsg{Content: large})
	p.Update(tea.PasteMsg{Content: large})
	playInPrompt(t, p, "'_b ctrl+u")
	if p.Text() != "" {
		t.Fatalf("ctrl+u leaves %d characters", len(p.Text()))
	}
	whole := "a " + large + large + " b"
	if playInPrompt(t, p, "ctrl+/"); p.Text() != whole {
		t.Errorf("undo brings back %d characters of %d", len(p.Text()), len(whole))
	}
	text := "another text"
	p.Compose(action.Compose{Text: &text})
	if playInPrompt(t, p, "ctrl+/"); p.Text() != whole {
		t.Errorf("undo of another text brings back %d characters of %d", len(p.Text()), len(whole))
	}
	playInPrompt(t, p, "ctrl+/ ctrl+/ ctrl+/ ctrl+/")
	if p.Text() != "" {
		t.Errorf("undoing all leaves %d characters", len(p.Text()))
	}
	if playInPrompt(t, p, "alt+/ alt+/"); p.Text() != "a "+large+large {
		t.Errorf("redo of the paste gives %d characters", len(p.Text()))
	}
	p.StartNew()
	if playInPrompt(t, p, "ctrl+/ alt+/"); p.Text() != "" {
		t.Errorf("in a new session, undo brings back %d characters", len(p.Text()))
	}
}

// TestALineHasTheSameKeys as the prompt.
func TestALineHasTheSameKeys(t *testing.T) {
	tests := []struct{ script, want string }{
		{"'path/to/file alt+backspace", "path/to/"},
		{"'one_two ctrl+w ctrl+a ctrl+y", "twoone "},
		{"'one_two shift+left shift+left '!", "one t!"},
		{"'one_two ctrl+shift+left \"three", "one three"},
		{"'one_two shift+home delete", ""},
		{"'one_two home ctrl+shift+right ctrl+x end ctrl+y", " twoone"},
		{"'one_two ctrl+/ ctrl+/ alt+/", "one "},
		{"'one_two left ctrl+u ctrl+/ '!", "one two!"},
		{"'日本é left left delete '!", "日!é"},
	}
	for _, tt := range tests {
		line := widget.NewField(ui.Keys(), "", "")
		play(t, tt.script, func(k tea.KeyPressMsg) { line.Update(keys.Press{KeyPressMsg: k}) },
			func(paste tea.PasteMsg) { line.Update(paste) })
		if line.Value() != tt.want {
			t.Errorf("%s gives %q, want %q", tt.script, line.Value(), tt.want)
		}
	}
}
