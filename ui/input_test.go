package ui_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"confab/internal/terminput"
	"confab/service"
	"confab/service/api"
	"confab/themes"
	"confab/ui"
	uiscreen "confab/ui/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
)

// message returns the message that Bubble Tea makes of an event; other events stay what they are.
func message(e uv.Event) tea.Msg {
	switch e := e.(type) {
	case uv.KeyPressEvent:
		return tea.KeyPressMsg(e)
	case uv.KeyReleaseEvent:
		return tea.KeyReleaseMsg(e)
	case uv.PasteEvent:
		return tea.PasteMsg(e)
	case uv.MouseClickEvent:
		return tea.MouseClickMsg(e)
	case uv.MouseMotionEvent:
		return tea.MouseMotionMsg(e)
	case uv.MouseReleaseEvent:
		return tea.MouseReleaseMsg(e)
	case uv.MouseWheelEvent:
		return tea.MouseWheelMsg(e)
	case uv.FocusEvent:
		return tea.FocusMsg(e)
	case uv.BlurEvent:
		return tea.BlurMsg(e)
	case uv.BackgroundColorEvent:
		return tea.BackgroundColorMsg(e)
	case uv.TerminalVersionEvent:
		return tea.TerminalVersionMsg(e)
	case uv.KeyboardEnhancementsEvent:
		return tea.KeyboardEnhancementsMsg(e)
	case uv.ModeReportEvent:
		return tea.ModeReportMsg(e)
	}
	return e
}

// FuzzInput gives a terminal's bytes to the whole chain: the limits, the library's decoder and the screen.
func FuzzInput(f *testing.F) {
	for _, input := range []string{
		"\x1b[" + strings.Repeat("1;", 33) + "m", "\x1b[200~\x1b[" + strings.Repeat("1;", 33) + "m\x1b[201~",
		"\x1b[8;3000;3000t\x1b[48;3000;3000;1;1t\x1b[6;200;4t", "\x1b[<0;4000;4000M\x1b[<32;1;1M\x1b[<64;1;1M\x1b[M !!",
		"hello\rworld\x10\x1b[B\r\x1b",
		"\x1b]11;rgb:ffff/ffff/ffff\x07\x1bP>|kitty(0.99)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62;4c",
		strings.Repeat("one line\r", 20), "\x1b[1;9999999A\x1b[27;9999999;1114112~\x1b[57414;;65u",
	} {
		f.Add([]byte(input), uint8(16))
	}
	f.Fuzz(func(t *testing.T, input []byte, cut uint8) {
		svc := service.New(service.Options{Backend: service.BackendOptions{Catalogue: api.Default,
			Endpoint: func() service.Endpoint { return service.Endpoint{IsEmbedded: true} }}})
		var model tea.Model = ui.New(context.Background(), ui.Options{
			Service: svc, Desktop: &desktop{}, Keys: ui.Keys(),
			Theme:    uiscreen.Theme{Palettes: themes.Shipped(), Name: "auto", Profile: colorprofile.TrueColor},
			Start:    ui.Start{Models: catalogue(), Marked: []string{"alpha3.1-8b"}, Remembers: true},
			Terminal: ui.Terminal{Mouse: true},
		})
		model, _ = model.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		model, _ = model.Update(tea.EnvMsg{"TERM=xterm-256color"})
		d := &terminput.Decoder{Emit: func(e uv.Event) { model, _ = model.Update(message(e)) }}
		for rest := input; len(rest) > 0; {
			n := min(len(rest), 1+int(cut))
			d.Feed(rest[:n])
			rest = rest[n:]
		}
		for d.Wait() > 0 {
			d.Expire()
		}
		v := model.View()
		if !v.KeyboardEnhancements.ReportAlternateKeys {
			t.Error("the terminal is not asked for the places of keys")
		}
		if lines := strings.Count(v.Content, "\n") + 1; lines > 24 {
			t.Errorf("%q made a screen of %d lines", input, lines)
		}
	})
}

// Text that a terminal sends at once is a paste, also when an enter stands at its end.
func TestTextThatComesAtOnceIsAPaste(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		s.program.Send(tea.KeyPressMsg{Code: tea.KeyExtended, Text: strings.Repeat("a line\r", 20) + "the end"})
		s.program.Send(tea.KeyPressMsg{Code: tea.KeyEnter})
		s.pass(time.Second)
		s.shows("The lines that were pasted are one prompt", "the end")
		if n := len(s.client.requests()); n != 0 {
			t.Errorf("%d requests were sent", n)
		}
	})
}

// Letters that came together while the program was busy are commands one by one where no text is written.
func TestLettersThatComeAtOnce(t *testing.T) {
	run(t, func(t *testing.T) {
		s := chatting(t, saysYes, "first", "second")
		s.press("alt+2")
		s.program.Send(tea.KeyPressMsg{Code: tea.KeyExtended, Text: "uui"})
		s.pass(time.Second)
		s.shows("Request and response")
		s.press("esc", "alt+4")
		s.program.Send(tea.KeyPressMsg{Code: tea.KeyExtended, Text: "Größe 字👍🏽"})
		s.pass(time.Second)
		s.shows("Größe 字")
	})
}

// A request is shown when its answer has ended; until then the footer alone counts the answers.
func TestARequestIsShownAtTheEnd(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 160, 40, withAnswers(saysYes))
		s.typed("first")
		s.press("enter")
		s.pass(time.Second)
		s.shows("0 of 1 answered", "1 turn")
		s.lacks("1 turn   1 answer")
		s.press("alt+2", "i")
		s.shows("The answer is not complete: what was sent and received is recorded at its end.")
		s.pass(5 * time.Second)
		s.shows("1 turn   1 answer")
		s.press("i")
		s.shows("Request and response")
	})
}

// Many pastes that are small enough for the text area do not make it large.
func TestPastesFillTheTextAreaNotWithoutEnd(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 100, 30)
		for range 5 {
			s.program.Send(tea.PasteMsg{Content: strings.Repeat("some words ", 900)})
			s.program.Send(tea.KeyPressMsg{Code: ' ', Text: " "}) // what follows a paste at once belongs to it
		}
		s.pass(time.Second)
		s.shows("⟦paste 1:", "⟦paste 3:")
	})
}

// With a layout that has no Latin letters, chords work everywhere, and letters are commands where no text is typed.
func TestKeysOfOtherLayouts(t *testing.T) {
	run(t, func(t *testing.T) {
		s := open(t, 120, 40)
		bytes := func(input string) {
			d := &terminput.Decoder{Emit: func(e uv.Event) { s.program.Send(message(e)) }}
			d.Feed([]byte(input))
			s.settle()
		}
		bytes("два слова")
		s.shows("два слова")
		bytes("\x1b[27;5;1094~") // ctrl+w deletes a word
		s.lacks("слова")
		s.press("enter")
		s.pass(3 * time.Second)
		s.press("alt+2")
		bytes("н") // y copies
		s.shows("on the clipboard")
	})
}
