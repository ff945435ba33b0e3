package compose_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"confab/history"
	"confab/themes"
	"confab/ui"
	"confab/ui/action"
	"confab/ui/compose"
	"confab/ui/keys"
	"confab/ui/part"
	"confab/ui/turns"
)

// host has no session.
type host struct{ part.Host }

func (host) Styles() *themes.Styles   { return themes.New(themes.Default(true)) }
func (host) Session() history.Session { return history.Session{} }

// newComposer returns a composer in a new session, without a service.
func newComposer() *compose.Composer { return newComposerWith(ui.Keys()) }

func newComposerWith(m keys.Map) *compose.Composer {
	env := part.Env{Keys: m, Now: time.Now, Host: host{}}
	c := compose.New(compose.Options{Env: env, Turns: turns.New(env)})
	c.IsSaving = false
	return c
}

func newPrompt() *compose.Composer {
	p := newComposer()
	p.SetFocused(true)
	p.SetSize(80, 10)
	return p
}

// textLength returns how many characters the text area works on.
func textLength(p *compose.Composer) int { return p.Characters() }

func press(p *compose.Composer, names ...rune) (last action.Action) {
	for _, code := range names {
		key := tea.KeyPressMsg{Code: code}
		if code >= ' ' && code < tea.KeyExtended && code != tea.KeyBackspace {
			key.Text = string(code)
		}
		last, _ = p.Update(ui.Keys().Find(key, p.State().Lookups))
	}
	return last
}

func TestTypingInALargePromptStaysCheap(t *testing.T) {
	lines := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("line %d of the text\n", i)
		}
		return text
	}
	tests := map[string]func(p *compose.Composer) string{
		"typed letters": func(p *compose.Composer) string {
			p.Update(tea.PasteMsg{Content: strings.Repeat("some words ", 740)})
			press(p, []rune(strings.Repeat("some words ", 20))...)
			return strings.Repeat("some words ", 760)
		},
		"tiny pastes": func(p *compose.Composer) string {
			for range 150 {
				p.Update(tea.PasteMsg{Content: "some words\n"})
			}
			return strings.Repeat("some words\n", 150)
		},
		"pastes of some lines": func(p *compose.Composer) string {
			for range 180 {
				p.Update(tea.PasteMsg{Content: lines(50)})
			}
			return strings.Repeat(lines(50), 180)
		},
		"line breaks": func(p *compose.Composer) string {
			for range 160 {
				p.Run(keys.NewLine)
			}
			return strings.Repeat("\n", 160)
		},
		"one character of many code points": func(p *compose.Composer) string {
			text := "a" + strings.Repeat("\u0301", 5000)
			p.Update(tea.PasteMsg{Content: text})
			press(p, tea.KeyLeft, tea.KeyRight)
			return text
		},
	}
	for name, write := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPrompt()
			want := write(p)
			if p.Text() != want {
				t.Errorf("%d bytes became %d", len(want), len(p.Text()))
			}
			if n := textLength(p); n > 12<<10 {
				t.Errorf("the text area works on %d characters", n)
			}
			press(p, tea.KeyBackspace, tea.KeyBackspace) // the first may open a chip
			if len(p.Text()) >= len(want) {
				t.Error("the last character cannot be deleted")
			}
		})
	}
}

func TestFoldedTextCanBeEdited(t *testing.T) {
	p := newPrompt()
	want := strings.Repeat("x", 40_000)
	p.Update(tea.PasteMsg{Content: want[:20_000]})
	p.Update(tea.PasteMsg{Content: want[20_000:]})
	for i := range 100 {
		if p.Text() != want[:len(p.Text())] || len(p.Text()) < 39_000 && i < 40 {
			t.Fatalf("after %d keys the text has %d characters", i, len(p.Text()))
		}
		press(p, tea.KeyBackspace)
	}
	if textLength(p) < 1000 {
		t.Errorf("backspace opened nothing: the text area has %d characters", textLength(p))
	}
	if view := ansi.Strip(strings.Join(p.View(), "\n")); !strings.Contains(view, "xxxxxxxx") {
		t.Errorf("the opened text is not shown:\n%s", view)
	}
}

func TestALabelIsOneCharacter(t *testing.T) {
	large := strings.Repeat("y", 20_000)
	word := func(code rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: code, Mod: tea.ModAlt} }
	tests := map[string]struct {
		keys []tea.KeyPressMsg
		want string
	}{
		"left": {[]tea.KeyPressMsg{{Code: tea.KeyLeft}, {Code: tea.KeyLeft}, {Code: '!', Text: "!"}},
			"a!" + large + "b"},
		"word left": {[]tea.KeyPressMsg{word(tea.KeyLeft), word(tea.KeyLeft), {Code: '!', Text: "!"}},
			"a!" + large + "b"},
		"delete words": {[]tea.KeyPressMsg{{Code: 'w', Mod: tea.ModCtrl}, {Code: 'w', Mod: tea.ModCtrl}}, "a"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPrompt()
			press(p, 'a')
			p.Update(tea.PasteMsg{Content: large})
			press(p, 'b')
			for _, k := range tt.keys {
				p.Update(ui.Keys().Find(k, p.State().Lookups))
			}
			if got := p.Text(); got != tt.want {
				t.Errorf("got %d characters, %.10q…%.10q", len(got), got, got[max(0, len(got)-10):])
			}
		})
	}
}

// TestOnePasteIsOneChip, in however many pieces it comes; after a key another one begins.
func TestOnePasteIsOneChip(t *testing.T) {
	p := newPrompt()
	piece := strings.Repeat("a line of a large paste\n", 1000)
	for range 100 {
		p.Update(tea.PasteMsg{Content: piece})
	}
	if view := ansi.Strip(strings.Join(p.View(), "\n")); strings.Count(view, "⟦") != 1 ||
		!strings.Contains(view, "100001 lines") {
		t.Errorf("the paste is drawn as\n%s", view)
	}
	press(p, ' ')
	p.Update(tea.PasteMsg{Content: piece})
	if view := ansi.Strip(strings.Join(p.View(), "\n")); strings.Count(view, "⟦") != 2 {
		t.Errorf("two pastes are drawn as\n%s", view)
	}
	if p.Text() != strings.Repeat(piece, 100)+" "+piece {
		t.Error("the text is not what was pasted")
	}
}

func TestAPromptHasALargestSize(t *testing.T) {
	p := newPrompt()
	p.Update(tea.PasteMsg{Content: strings.Repeat("z", 4<<20)})
	then, _ := p.Update(tea.PasteMsg{Content: "more"})
	if n, ok := then.(action.Notify); !ok || !strings.Contains(n.Text, "4 MiB") {
		t.Errorf("got %#v", then)
	}
	if n, ok := press(p, 'a').(action.Notify); !ok || !strings.Contains(n.Text, "4 MiB") || len(p.Text()) != 4<<20 {
		t.Errorf("a letter was added: %d bytes", len(p.Text()))
	}
}
