package compose_test

import (
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"confab/ui"
	"confab/ui/action"
	"confab/ui/compose"
	"confab/ui/keys"
)

// viPrompt returns a prompt with the modes of vi, and what presses a key in it as the root does.
func viPrompt(text string) (*compose.Composer, func(tea.KeyPressMsg) action.Action) {
	m := ui.Keys().WithVi()
	p := newComposerWith(m)
	p.SetFocused(true)
	p.SetSize(80, 10)
	p.Compose(action.Compose{Text: &text})
	return p, func(k tea.KeyPressMsg) action.Action {
		press := m.Find(k, p.State().Lookups)
		if p.State().TakesKey(k) {
			press = m.Find(k, keys.LookupsIn(keys.Vi))
			press.Scope = keys.Vi
		}
		then, _ := p.Update(press)
		return then
	}
}

// typeVi presses keys that are written in one character each.
func typeVi(text string, press func(tea.KeyPressMsg) action.Action) {
	special := map[rune]string{'⎋': "esc", '®': "ctrl+r", '¶': "ctrl+j"}
	for _, r := range text {
		k := tea.KeyPressMsg{Code: r, Text: string(r)}
		if name, ok := special[r]; ok {
			k, _ = keys.Parse(name)
		}
		press(k)
	}
}

// TestViEditsAsVi compares with what vim does.
func TestViEditsAsVi(t *testing.T) {
	table, err := os.ReadFile("testdata/vi.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(strings.ReplaceAll(string(table), "⏎", "\x00")) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 3 {
			continue
		}
		for i, part := range parts {
			parts[i] = strings.ReplaceAll(part, "\x00", "\n")
		}
		cases++
		p, press := viPrompt(parts[0])
		typeVi("⎋gg0"+parts[1]+"⎋i|", press)
		if p.Text() != parts[2] {
			t.Errorf("%s in %q gives %q, want %q", parts[1], parts[0], p.Text(), parts[2])
		}
	}
	if cases < 300 {
		t.Errorf("%d cases", cases)
	}
}

func TestViUndoesStepByStep(t *testing.T) {
	for keys, want := range map[string]string{
		"xxu": "ne two", "xxuu": "one two", "xxuu®": "ne two", "x.u": "ne two", "dw.uu": "one two",
		"iab cd⎋u": "one two", "iab⎋xu": "abone two", "ix⎋ay⎋2u": "one two",
	} {
		p, press := viPrompt("one two")
		if typeVi("⎋0"+keys, press); p.Text() != want {
			t.Errorf("%s gives %q, want %q", keys, p.Text(), want)
		}
	}
}

// TestModesOfThePrompt: esc leaves insert mode before it means anything else, enter sends in both modes.
func TestModesOfThePrompt(t *testing.T) {
	p, press := viPrompt("one")
	esc, _ := keys.Parse("esc")
	takes := func() bool { return p.State().TakesKey(esc) }
	if !takes() {
		t.Error("insert mode does not take esc")
	}
	if press(esc); takes() {
		t.Error("normal mode takes esc")
	}
	for _, begun := range []string{"d", "3", "f", "v", "V", "a"} {
		typeVi(begun, press)
		if !takes() {
			t.Errorf("after %s, esc is not taken", begun)
		}
		if press(esc); takes() || p.Text() != "one" {
			t.Errorf("after %s, esc leaves something begun in %q", begun, p.Text())
		}
	}
	enter, _ := keys.Parse("enter")
	if p.State().TakesKey(enter) {
		t.Error("normal mode takes enter")
	}
	if then := press(tea.KeyPressMsg{Code: 'q', Text: "q"}); p.Text() != "one" || then == nil {
		t.Errorf("q in normal mode gives %q and says nothing", p.Text())
	}
	interrupt, _ := keys.Parse("ctrl+c")
	if typeVi("d", press); p.State().TakesKey(interrupt) {
		t.Error("an operator takes ctrl+c")
	}
}

// FuzzKeys presses any keys: nothing panics, and undoing all brings back the text of the start.
func FuzzKeys(f *testing.F) {
	f.Add("⎋ddp3Jvwd.u", true)
	f.Add("one two\x17\x19\x01\x0b", false)
	f.Fuzz(func(t *testing.T, script string, isVi bool) {
		start := "one two, (three)\nfour 👩‍🍳 日本\n\n\tfive"
		p, press := viPrompt(start)
		if !isVi {
			p = newPrompt()
			p.Compose(action.Compose{Text: &start})
			press = func(k tea.KeyPressMsg) action.Action {
				then, _ := p.Update(ui.Keys().Find(k, p.State().Lookups))
				return then
			}
		}
		names := []string{"esc", "left", "right", "up", "down", "home", "end", "shift+left", "shift+right", "shift+up",
			"shift+down", "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+y", "alt+d", "alt+backspace", "backspace", "delete",
			"ctrl+/", "alt+/", "ctrl+x", "alt+g", "alt+b", "alt+f", "ctrl+j"}
		for i, r := range []rune(script) {
			if i > 60 {
				break
			}
			k := tea.KeyPressMsg{Code: r, Text: string(r)}
			if r < ' ' || r == '⎋' {
				k, _ = keys.Parse(names[int(r)%len(names)])
			}
			if next := p.State(); k.String() == "up" || k.String() == "down" || next.TakesKey == nil {
				continue // other prompts need a service
			}
			if (k.Text == "k" || k.Text == "j" || k.Text == "/") && isVi {
				continue
			}
			press(k)
		}
		if p.Cursor() == nil {
			t.Error("there is no cursor")
		}
		for range 200 {
			p.Run(keys.UndoEdit)
		}
		if p.Text() != "" { // the text of the start was put there too
			t.Errorf("undoing all leaves %q", p.Text())
		}
		for range 200 {
			p.Run(keys.RedoEdit)
		}
	})
}
