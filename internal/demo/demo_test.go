//go:build !windows

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/charmbracelet/x/vt"
)

// TestScenesSayWhatTheyWaitFor asks that no step types into a screen that it did not wait for, and that each picture
// has a name of its own.
func TestScenesSayWhatTheyWaitFor(t *testing.T) {
	names := map[string]bool{}
	for _, s := range scenes {
		for i, st := range s.steps {
			if st.waitFor == "" {
				t.Errorf("scene %s: step %d waits for nothing", s.name, i+1)
			}
			if _, err := regexp.Compile(st.waitFor); err != nil {
				t.Errorf("scene %s: step %d: %v", s.name, i+1, err)
			}
			if st.picture != "" && names[st.picture] {
				t.Errorf("scene %s: the picture %s is there already", s.name, st.picture)
			}
			names[st.picture] = true
		}
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`docs/pictures/([\w-]+)\.png`).FindAllStringSubmatch(string(readme), -1) {
		if !names[m[1]] {
			t.Errorf("the README shows %s.png, which no scene takes", m[1])
		}
	}
}

// newTerminal returns a terminal without a program.
func newTerminal() *terminal {
	return &terminal{screen: vt.NewEmulator(columns, rows), pictures: map[int]picture{}, began: time.Now()}
}

// pngOf returns a picture of one color as a base64 text.
func pngOf(t *testing.T, c color.Color) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 4, 4))
	for i := range 16 {
		img.Set(i%4, i/4, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestPicturesAreKeptAndDrawn(t *testing.T) {
	term, red := newTerminal(), color.RGBA{0xf0, 0x10, 0x10, 0xff}
	text := pngOf(t, red)
	for _, command := range []string{"Ga=T,i=7,c=2,r=1,m=1;" + text[:40], "Gm=0;" + text[40:]} {
		options, payload, ok := parseGraphics([]byte(command))
		if !ok {
			t.Fatalf("%q is no command", command)
		}
		term.takePicture(options, payload)
	}
	if _, _, ok := parseGraphics([]byte("X")); ok {
		t.Error("another command is taken for one of pictures")
	}
	if got := term.pictures[7].cells; got != image.Pt(2, 1) {
		t.Fatalf("the picture covers %v", got)
	}
	placeholder := string([]rune{kitty.Placeholder, kitty.Diacritic(0), kitty.Diacritic(0), kitty.Diacritic(0)})
	_, _ = term.screen.Write([]byte("\x1b[38;5;7m" + placeholder + "\x1b[m X\x1b[7m█"))
	img, err := term.draw()
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, _ := img.At(marginX+cellWidth/2, marginY+cellHeight/2).RGBA()
	if r>>8 < 0xe0 || g>>8 > 0x20 || b>>8 > 0x20 {
		t.Errorf("in the place of the picture is %x %x %x", r>>8, g>>8, b>>8)
	}
	if _, ok := img.(*image.Paletted); !ok {
		t.Errorf("the screen is drawn as %T", img)
	}
	options, _, _ := parseGraphics([]byte("Ga=p,i=7,c=4,r=2;"))
	term.takePicture(options, nil)
	if got := term.pictures[7]; got.cells != image.Pt(4, 2) || got.img == nil {
		t.Errorf("shown in another size the picture covers %v", got.cells)
	}
}

func TestTheCastHasTheOutput(t *testing.T) {
	term, path := newTerminal(), filepath.Join(t.TempDir(), "a.cast")
	term.events = []castEvent{{0.12345, "a<\r\n"}, {1.5, "\x1b[m"}}
	if err := term.writeCast(path); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(written)), "\n")
	var head struct{ Version, Width, Height int }
	if err := json.Unmarshal([]byte(lines[0]), &head); err != nil || head.Version != 2 || head.Width != columns {
		t.Errorf("the head is %s, %v", lines[0], err)
	}
	if lines[1] != `[0.123,"o","a<\r\n"]` || len(lines) != 3 {
		t.Errorf("got %q", lines[1:])
	}
}

func TestAwaitSeesTheScreen(t *testing.T) {
	term := newTerminal()
	_, _ = term.screen.Write([]byte("Write a prompt" + ansi.ResetStyle))
	if !term.await(regexp.MustCompile("Write a p"), time.Minute) {
		t.Error("a text on the screen is not seen")
	}
	if term.await(regexp.MustCompile("Pictures"), 0) {
		t.Error("a text is seen that is not there")
	}
}
