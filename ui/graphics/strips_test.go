package graphics_test

import (
	"context"
	"image"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"confab/ui/graphics"
)

// runAll runs commands and what follows from them, and returns what the terminal gets.
func runAll(t *testing.T, term *graphics.Terminal, cmd tea.Cmd) (sent string) {
	t.Helper()
	if cmd == nil {
		return ""
	}
	msg := cmd()
	switch msg := msg.(type) {
	case nil:
		return ""
	case tea.RawMsg:
		return msg.Msg.(string)
	case graphics.Msg:
		return runAll(t, term, term.Update(msg))
	}
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			sent += runAll(t, term, v.Index(i).Interface().(tea.Cmd))
		}
	}
	return sent
}

// A large sixel picture is encoded in strips, because the encoder takes a hundred bytes for each px. Together they are
// the whole picture, each in its place.
func TestALargePictureIsPaintedInStrips(t *testing.T) {
	file, err := graphics.EncodePNG(gradient(64, 64))
	if err != nil {
		t.Fatal(err)
	}
	load := graphics.NewLoader(t.Context(), func(context.Context, graphics.File) ([]byte, error) { return file, nil },
		func(path string) string { return path })
	term := graphics.NewTerminal(graphics.Sixel, load, func(tea.Msg) tea.Cmd { return nil })
	term.SetProfile(colorprofile.TrueColor)
	term.SetSize(100, 40)
	term.Update(tea.EnvMsg{"TERM=foot"})
	term.Update(uv.CellSizeEvent{Width: 16, Height: 32})
	box := graphics.Placement{File: graphics.File{Path: "a.png"}, At: image.Pt(10, 2), Cells: image.Pt(80, 30),
		Clip: image.Rect(0, 0, 100, 40)}
	sent := runAll(t, term, term.Show(func() graphics.Frame {
		return graphics.Frame{Pictures: []graphics.Placement{box},
			Content:   func() string { return strings.Repeat("\n", 40) },
			HasCursor: func() bool { return false }}
	}))
	strips := regexp.MustCompile(`\x1b\[(\d+);11H\x1bP0;1q"1;1;(\d+);(\d+)`).FindAllStringSubmatch(sent, -1)
	if len(strips) != 2 {
		t.Fatalf("%d strips were painted: %.200q", len(strips), sent)
	}
	colors := map[string]bool{}
	for _, c := range regexp.MustCompile(`#\d+;2;\d+;\d+;\d+`).FindAllString(sent, -1) {
		colors[c[strings.Index(c, ";"):]] = true
	}
	if len(colors) > 256 || len(colors) < 100 {
		t.Errorf("the strips have %d colors, want one palette", len(colors))
	}
	y := 2 * 32
	for _, s := range strips {
		row, _ := strconv.Atoi(s[1])
		width, _ := strconv.Atoi(s[2])
		height, _ := strconv.Atoi(s[3])
		if (row-1)*32 != y || width != 1280 || width*height > 1<<20 {
			t.Errorf("a strip of %dx%d px is in row %d, want it at %d px", width, height, row, y)
		}
		y += height
	}
	if y != (2+30)*32 {
		t.Errorf("the strips end at %d px", y)
	}
}
