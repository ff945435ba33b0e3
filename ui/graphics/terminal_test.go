package graphics_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"confab/ui/graphics"
)

// newTerminal returns a terminal of 80 by 24 cells that shows a picture of one half transparent color.
func newTerminal(t *testing.T) *graphics.Terminal {
	t.Helper()
	half := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for i := 0; i < len(half.Pix); i += 4 {
		half.Pix[i], half.Pix[i+3] = 255, 128
	}
	file := encodePNG(t, half)
	load := graphics.NewLoader(t.Context(), func(context.Context, graphics.File) ([]byte, error) { return file, nil },
		func(path string) string { return path })
	terminal := graphics.NewTerminal(graphics.Auto, load, func(tea.Msg) tea.Cmd { return nil })
	terminal.SetProfile(colorprofile.TrueColor)
	terminal.SetSize(80, 24)
	return terminal
}

// drain runs commands, and those of the messages that they bring, and returns what is written to the terminal.
func drain(terminal *graphics.Terminal, cmd tea.Cmd) string {
	if cmd == nil {
		return ""
	}
	switch msg := cmd().(type) {
	case nil:
		return ""
	case tea.RawMsg:
		return fmt.Sprint(msg.Msg)
	case tea.BatchMsg:
		var all strings.Builder
		for _, c := range msg {
			all.WriteString(drain(terminal, c))
		}
		return all.String()
	default:
		return drain(terminal, terminal.Update(msg))
	}
}

// A tmux that is known by its answer alone is asked again, through it, what the terminal around it can do.
func TestTmuxIsAskedThrough(t *testing.T) {
	terminal := newTerminal(t)
	terminal.Update(tea.EnvMsg{"TERM=xterm-256color"})
	asked := drain(terminal, terminal.Update(tea.TerminalVersionMsg{Name: "tmux 3.5a"}))
	if !strings.Contains(asked, "\x1bPtmux;") || strings.Count(asked, "tmux;") != 1 {
		t.Errorf("asked %q", asked)
	}
	terminal.Update(uv.PrimaryDeviceAttributesEvent{62, 4})
	if terminal.IsPainted() {
		t.Error("pictures are painted, which tmux removes")
	}
}

// What is painted over cells is not seen through: it is put on the background of the screen.
func TestPaintedPicturesAreOpaque(t *testing.T) { synctest.Test(t, testPaintedPicturesAreOpaque) }

func testPaintedPicturesAreOpaque(t *testing.T) {
	terminal := newTerminal(t)
	terminal.SetBackground(color.RGBA{0, 0, 255, 255})
	terminal.Update(tea.EnvMsg{"TERM=xterm"})
	drain(terminal, terminal.Update(uv.PrimaryDeviceAttributesEvent{62, 4}))
	if !terminal.IsPainted() {
		t.Fatal("sixel is not used")
	}
	frame := graphics.Frame{
		Pictures: []graphics.Placement{{File: graphics.File{Path: "a"}, Cells: image.Pt(2, 1),
			Clip: image.Rect(0, 0, 80, 24)}},
		Content: func() string { return "  " }, HasCursor: func() bool { return false },
	}
	painted := drain(terminal, terminal.Show(func() graphics.Frame { return frame }))
	if !strings.Contains(painted, "#0;2;50;0;49") && !strings.Contains(painted, "#0;2;50;0;50") {
		t.Errorf("painted %q, want half red on blue", painted)
	}
	picture, _ := terminal.Load().Picture(graphics.File{Path: "a"})
	if c := terminal.Load().ForCells(picture, 8).RGBAAt(3, 3); c != (color.RGBA{128, 0, 127, 255}) {
		t.Errorf("as cells it is %v", c)
	}
}
