package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"confab/history"
	"confab/service"
	"confab/service/api"
	"confab/themes"
	"confab/ui/action"
	"confab/ui/screen"
)

// newLoadedModel returns a screen of 120x40 with a window of turns, everything on
// screen rendered.
func newLoadedModel(b testing.TB, turns int, answer string) *Model {
	b.Helper()
	var models []service.ModelInfo
	for _, m := range api.Default().Models() {
		models = append(models, service.ModelInfo{Model: m})
	}
	svc := service.New(service.Options{Backend: service.BackendOptions{
		Catalogue: api.Default, Endpoint: func() service.Endpoint {
			return service.Endpoint{IsEmbedded: true, IsSimulated: true}
		}}})
	m := New(b.Context(), Options{Service: svc, Keys: Keys(),
		Theme: screen.Theme{Palettes: themes.Shipped(), Name: "confab-dark", Profile: colorprofile.TrueColor},
		Start: Start{Models: models, Marked: []string{"alpha3.1-8b"}, Remembers: true}})
	var list []history.Turn
	for i := range int64(turns) {
		list = append(list,
			history.Turn{ID: i + 1, Session: 1, Created: time.Unix(1_700_000_000+i*60, 0),
				Prompt:  fmt.Sprintf("prompt %d", i),
				Samples: 1,
				Answers: []history.Answer{{ID: i + 1, Turn: i + 1, Model: "oss-20b", Kind: history.KindText,
					State:   history.Done,
					Version: 3, Text: answer, Elapsed: time.Second}}})
	}
	m.sessions.Join(1)
	feed(m, tea.WindowSizeMsg{Width: 120, Height: 40})
	m.conversation.SetTurns(list, false)
	feed(m, nil)
	return m
}

// feed gives a message to the model and runs what it asks for, except timers.
func feed(m *Model, msg tea.Msg) {
	queue := []tea.Msg{msg}
	for len(queue) > 0 {
		var cmd tea.Cmd
		_, cmd = m.Update(queue[0])
		queue = append(queue[1:], runCommand(cmd)...)
	}
}

// runCommand runs a command unless it only waits; batches are taken apart.
func runCommand(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	result := make(chan tea.Msg, 1)
	go func() { result <- cmd() }()
	select {
	case msg := <-result:
		if batch, ok := msg.(tea.BatchMsg); ok {
			var out []tea.Msg
			for _, c := range batch {
				out = append(out, runCommand(c)...)
			}
			return out
		}
		if msg == nil {
			return nil
		}
		return []tea.Msg{msg}
	case <-time.After(50 * time.Millisecond):
		return nil
	}
}

const markdownAnswer = "## A heading\n\nSome *prose* with `code` and a [link](https://example.com), long enough to " +
	"be wrapped over more than one line of the pane it stands in.\n\n- one\n- two\n- three\n\n```go\nfunc main() { " +
	"fmt.Println(\"hello\") }\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"

// BenchmarkKeyToView is what a typed key costs before the renderer: Update and
// View, in an empty session and in a full window of a long one.
func BenchmarkKeyToView(b *testing.B) {
	for _, bench := range []struct {
		name   string
		turns  int
		answer string
	}{{"empty", 0, ""}, {"200 turns", 200, strings.Repeat(markdownAnswer, 6)},
		{"1 MB answer", 1, strings.Repeat(markdownAnswer, 3000)}} {
		b.Run(bench.name, func(b *testing.B) {
			m := newLoadedModel(b, bench.turns, bench.answer)
			at := time.Unix(1_800_000_000, 0)
			m.o.Now = func() time.Time { at = at.Add(time.Second); return at } // as typed, not as pasted
			key := tea.KeyPressMsg{Code: 'a', Text: "a"}
			b.ResetTimer()
			for i := range b.N {
				if i%60 == 59 {
					m.composer.Clear()
				}
				m.Update(key)
				_ = m.View()
			}
		})
	}
}

// BenchmarkScroll is a step of one line through answers that are rendered as
// they come into sight.
func BenchmarkScroll(b *testing.B) {
	for _, bench := range []struct {
		name   string
		turns  int
		answer string
	}{{"200 turns", 200, strings.Repeat(markdownAnswer, 6)}, {"1 MB answer", 1, strings.Repeat(markdownAnswer, 3000)}} {
		b.Run(bench.name, func(b *testing.B) {
			m := newLoadedModel(b, bench.turns, bench.answer)
			m.setFocus(action.PaneConversation)
			up, down := tea.KeyPressMsg{Code: 'k', Text: "k"}, tea.KeyPressMsg{Code: 'j', Text: "j"}
			b.ResetTimer()
			for i := range b.N {
				if i/500%2 == 0 {
					m.Update(up)
				} else {
					m.Update(down)
				}
				_ = m.View()
			}
		})
	}
}

// BenchmarkOpen is showing a page of a session, to the first whole screen.
func BenchmarkOpen(b *testing.B) {
	m := newLoadedModel(b, 40, strings.Repeat(markdownAnswer, 6))
	turns := m.turns.Window()
	b.ResetTimer()
	for range b.N {
		m.conversation.SetTurns(turns, false)
		_ = m.View()
	}
}
