package graphics_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/charmbracelet/x/ansi/sixel"

	"confab/ui/graphics"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func ok(id int) tea.Msg {
	return uv.KittyGraphicsEvent{Options: kitty.Options{ID: id}, Payload: []byte("OK")}
}

// What each terminal answered when it was asked, and what it should get.
func TestProbe(t *testing.T) {
	const plain, virtual = 31, 32
	da := func(attributes ...int) tea.Msg { return uv.PrimaryDeviceAttributesEvent(attributes) }
	name := func(s string) tea.Msg { return tea.TerminalVersionMsg{Name: s} }
	for _, c := range []struct {
		terminal string
		env      func(string) string
		answers  []tea.Msg
		want     graphics.Protocol
	}{
		{"kitty 0.41", env("TERM", "xterm-kitty"), []tea.Msg{ok(plain), ok(virtual), name("kitty(0.41.1)"), da(62, 22)},
			graphics.Kitty},
		{"kitty 0.26 has no placeholders", env("TERM", "xterm-kitty"),
			[]tea.Msg{ok(plain), name("kitty(0.26.5)"), da(62)},
			graphics.Cells},
		{"ghostty", env("TERM", "xterm-ghostty"), []tea.Msg{ok(plain), ok(virtual), name("ghostty 1.2.0"), da(62)},
			graphics.Kitty},
		{"konsole says OK and ignores placeholders", env("TERM", "xterm-256color"),
			[]tea.Msg{ok(plain), ok(virtual), name("Konsole 25.04.2"), da(62, 4)}, graphics.Cells},
		{"xterm as VT340", env("TERM", "xterm"), []tea.Msg{name("XTerm(379)"), da(63, 1, 2, 4, 6)}, graphics.Sixel},
		{"plain xterm", env("TERM", "xterm"), []tea.Msg{name("XTerm(379)"), da(64, 1, 2, 6)}, graphics.Cells},
		{"foot", env("TERM", "foot"), []tea.Msg{name("foot(1.21.0)"), da(62, 4, 22)}, graphics.Sixel},
		{"mlterm does not say its name", env("TERM", "mlterm"), []tea.Msg{da(63, 4)}, graphics.Sixel},
		{"VS Code", env("TERM", "xterm-256color", "TERM_PROGRAM", "vscode"), []tea.Msg{da(62, 4)}, graphics.ITerm},
		{"iTerm2 over SSH", env("TERM", "xterm-256color", "LC_TERMINAL", "iTerm2"), []tea.Msg{da(62, 4)},
			graphics.ITerm},
		{"WezTerm ignores placeholders", env("TERM", "xterm-256color", "TERM_PROGRAM", "WezTerm"),
			[]tea.Msg{ok(plain), ok(virtual), name("WezTerm 20240203"), da(65, 4)}, graphics.ITerm},
		{"alacritty answers nothing else", env("TERM", "alacritty"), []tea.Msg{da(6)}, graphics.Cells},
		{"nothing answers", env("TERM", "xterm-256color"), nil, graphics.Cells},
		{"tmux with kitty outside", env("TERM", "tmux-256color", "TMUX", "/tmp/x"),
			[]tea.Msg{name("tmux 3.3a"), da(1, 2), ok(plain), ok(virtual)}, graphics.Kitty},
		{"tmux with sixel", env("TERM", "tmux-256color", "TMUX", "/tmp/x"), []tea.Msg{name("tmux 3.5a"), da(1, 2, 4)},
			graphics.Cells},
		{"tmux that only names itself", env("TERM", "xterm-256color"), []tea.Msg{name("tmux 3.5a"), da(1, 2, 4)},
			graphics.Cells},
		{"tmux that only names itself, with kitty outside", env("TERM", "xterm-256color"),
			[]tea.Msg{name("tmux 3.3a"), da(1, 2), ok(plain), ok(virtual)}, graphics.Kitty},
		{"tmux in WezTerm", env("TERM", "tmux-256color", "TMUX", "/tmp/x", "WEZTERM_PANE", "0"),
			[]tea.Msg{name("tmux 3.5a"), da(1, 2), ok(plain), ok(virtual)}, graphics.Cells},
		{"the console", env("TERM", "linux"), []tea.Msg{da(6)}, graphics.Cells},
	} {
		t.Run(c.terminal, func(t *testing.T) {
			p := graphics.NewProbe(graphics.Auto, c.env)
			asked := p.Query()
			if quiet := c.env("TERM") == "linux"; (asked == "") != quiet {
				t.Errorf("asked %q", asked)
			}
			for _, a := range c.answers {
				p.HandleAnswer(a)
			}
			p.Finish()
			got := p.Capabilities()
			if got.Protocol != c.want || !got.Done {
				t.Errorf("found %s (%s), want %s", got.Protocol, got.Reason, c.want)
			}
			if got.Reason == "" {
				t.Error("does not say why")
			}
		})
	}
}

func TestProbeNeverAsksForRowsAndColumns(t *testing.T) {
	p := graphics.NewProbe(graphics.Auto, env("TERM", "xterm"))
	if q := p.Query() + p.SizeQuery(); strings.Contains(q, "[18t") {
		t.Errorf("%q asks for what tmux answers wrongly", q)
	}
	if q := p.Query(); !strings.HasSuffix(q, "\x1b[c") {
		t.Errorf("%q does not ask for the device attributes last", q)
	}
}

func TestProbeObeysTheConfiguration(t *testing.T) {
	for _, want := range []graphics.Protocol{graphics.Kitty, graphics.Sixel, graphics.ITerm, graphics.Cells,
		graphics.Off} {
		p := graphics.NewProbe(want, env("TERM", "xterm"))
		p.Query()
		p.HandleAnswer(uv.PrimaryDeviceAttributesEvent{62, 4})
		if got := p.Capabilities().Protocol; got != want {
			t.Errorf("asked for %s, found %s", want, got)
		}
	}
}

func TestProbeInsideTmuxWrapsOnlyWhatIsForTheTerminalOutside(t *testing.T) {
	q := graphics.NewProbe(graphics.Auto, env("TERM", "tmux-256color", "TMUX", "x")).Query()
	if !strings.Contains(q, "\x1bPtmux;") || strings.Count(q, "\x1b[c") != 1 {
		t.Errorf("%q", q)
	}
}

func TestPixelsOfABox(t *testing.T) {
	f := graphics.Capabilities{Protocol: graphics.Sixel, Cell: image.Pt(8, 15), Window: image.Pt(1096, 600)}
	// 140 columns of 1096 px are less than 8 px each: the window is exact.
	got := f.Pixels(70, 20, 140, 40)
	if want := image.Pt(548, 300); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	// Whatever a terminal says of its cells, all pictures of a screen together have few px enough to be held.
	f = graphics.Capabilities{Protocol: graphics.Sixel, Cell: image.Pt(256, 256)}
	whole, tile := f.Pixels(500, 200, 500, 200), f.Pixels(50, 20, 500, 200)
	if whole.X*whole.Y > 8<<20 || tile.X*tile.Y*100 > 16<<20 || tile.X*tile.Y*100 < 12<<20 {
		t.Errorf("a picture has %v, and a hundredth of the screen %v", whole, tile)
	}
	f.Cell = image.Pt(12, 24) // a screen of 3840x2160 is believed
	if got := f.Pixels(320, 85, 320, 90); got != image.Pt(3840, 2040) {
		t.Errorf("a large real screen has %v", got)
	}
	if got := (graphics.Capabilities{Protocol: graphics.Kitty}).Pixels(1, 1, 0, 0); got.X < 1 || got.Y < 1 {
		t.Errorf("%v", got)
	}
}

func TestSizeOfACell(t *testing.T) {
	for _, c := range []struct {
		name         string
		cell, window image.Point
		cols, rows   int
		w, h         float64
	}{
		{"nothing is known", image.Point{}, image.Point{}, 80, 24, 10, 20},
		{"the cell alone", image.Pt(7, 15), image.Point{}, 80, 24, 7, 15},
		{"the window alone", image.Point{}, image.Pt(720, 456), 80, 24, 9, 19},
		{"the window alone, before the size is known", image.Point{}, image.Pt(720, 456), 0, 0, 10, 20},
		{"both", image.Pt(9, 19), image.Pt(720, 456), 80, 24, 9, 19},
		{"a window with a rest", image.Pt(9, 19), image.Pt(727, 470), 80, 24, 9, 19},
		{"a cell that was rounded down", image.Pt(8, 18), image.Pt(843, 432), 100, 24, 8.43, 18},
		{"a cell that was rounded up", image.Pt(9, 18), image.Pt(860, 432), 100, 24, 8.6, 18},
		{"a window of before", image.Pt(12, 24), image.Pt(720, 456), 80, 24, 12, 24},
	} {
		if w, h := (graphics.Capabilities{Cell: c.cell, Window: c.window}).CellSize(c.cols, c.rows); w != c.w ||
			h != c.h {
			t.Errorf("%s: %g×%g, want %g×%g", c.name, w, h, c.w, c.h)
		}
	}
}

func TestWhatARendererWritesOfARow(t *testing.T) {
	red, blue := "\x1b[31m", "\x1b[34m"
	for _, c := range []struct {
		name, before, after string
		from, to            int
	}{
		{"nothing", "│ text │", "│ text │", 0, 0},
		{"a word in the middle", "│ one" + red + "two\x1b[m three", "│ one" + red + "six\x1b[m three", 3, 8},
		{"a color alone", red + "│\x1b[m picture " + red + "│\x1b[m", blue + "│\x1b[m picture " + red + "│\x1b[m", 0,
			1},
		{"a color that goes on", red + "│ text\x1b[m end", blue + "│ text\x1b[m end", 0, 6},
		{"both borders", red + "│\x1b[m picture " + red + "│\x1b[m", blue + "│\x1b[m picture " + blue + "│\x1b[m", 0,
			11},
		{"plain text has no end to tell by", "one two three", "one six three", 2, 13},
		{"a mark joins the letter before it", "cafe" + red + "x\x1b[m", "cafe\u0301" + red + "x\x1b[m", 2, 5},
		{"wide letters", "狐" + red + "x\x1b[m" + red + "yy\x1b[m", "犬" + red + "x\x1b[m" + red + "yy\x1b[m", 0, 3},
		{"the rest has moved", "ab" + red + "x\x1b[m yy", "abc" + red + "x\x1b[m yy", 0, 7},
		{"a link", "\x1b]8;;http://a\x07x\x1b[m and more", "\x1b]8;;http://b\x07x\x1b[m and more", 0, 10},
	} {
		from, to := graphics.RewrittenCells(c.before, c.after)
		if from != c.from || to != c.to {
			t.Errorf("%s: %d to %d, want %d to %d", c.name, from, to, c.from, c.to)
		}
		// The widths that are told are those of the screen.
		if to > max(ansi.StringWidth(c.before), ansi.StringWidth(c.after)) {
			t.Errorf("%s: beyond the row", c.name)
		}
	}
}

func TestNamesStay(t *testing.T) {
	n := graphics.NewImageIDs(200)
	seen := map[int]graphics.File{}
	for i := range 1000 {
		file := graphics.File{Path: strings.Repeat("x", i)}
		id := n.Assign(file)
		if other, taken := seen[id]; taken {
			t.Fatalf("%d names both %d and %d", id, len(other.Path), i)
		}
		if id&0xff == 0 {
			t.Fatalf("%#x has no color", id)
		}
		seen[id] = file
	}
	for id, file := range seen {
		if n.Assign(file) != id {
			t.Fatal("an id changed")
		}
	}
	x := graphics.File{Path: "x"}
	if n.ID(x) != 0 {
		t.Error("a picture that was not sent has an id")
	}
	n.SetSent(x, true)
	if n.ID(x) != n.Assign(x) {
		t.Error("a picture that was sent has none")
	}
	if other := (graphics.File{Path: "x", SHA256: "1"}); n.ID(other) != 0 || n.Assign(other) == n.Assign(x) {
		t.Error("another picture of the same path has its id")
	}
}

func TestPlaceholders(t *testing.T) {
	lines := graphics.Placeholders(7<<24|42, 5, 3)
	if len(lines) != 3 {
		t.Fatalf("%d lines", len(lines))
	}
	for y, l := range lines {
		if w := ansi.StringWidth(l); w != 5 {
			t.Errorf("line %d is %d cells wide", y, w)
		}
		if !strings.HasPrefix(l, "\x1b[38;5;42m") || !strings.HasSuffix(l, "\x1b[39m") {
			t.Errorf("%q has not the color of its id", l)
		}
		text := []rune(ansi.Strip(l))
		for x := range 5 {
			want := []rune{kitty.Placeholder, kitty.Diacritic(y), kitty.Diacritic(x), kitty.Diacritic(7)}
			if got := text[4*x : 4*x+4]; string(got) != string(want) {
				t.Errorf("cell %d,%d is %q", x, y, string(got))
			}
		}
	}
}

func gradient(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			noise := uint8(x*x*31 + y*y*17 + x*y*7) // so that it does not compress
			img.Set(x, y, color.RGBA{uint8(255 * x / w), uint8(255 * y / h), noise, 255})
		}
	}
	return img
}

// The chunks put together again are the picture that was sent.
func TestSendKitty(t *testing.T) {
	file, err := graphics.EncodePNG(graphics.Resize(gradient(64, 64), image.Pt(200, 160)))
	if err != nil {
		t.Fatal(err)
	}
	sent := strings.Join(graphics.TransmitKitty(99, file, 20, 8, false), "")
	chunks := regexp.MustCompile("\x1b_G([^;]*);([^\x1b]*)\x1b\\\\").FindAllStringSubmatch(sent, -1)
	var data string
	for i, c := range chunks {
		if len(c[2]) > kitty.MaxChunkSize {
			t.Errorf("chunk %d has %d bytes", i, len(c[2]))
		}
		last := i == len(chunks)-1
		if strings.Contains(c[1], "m=0") != last {
			t.Errorf("chunk %d of %d says %q", i, len(chunks), c[1])
		}
		data += c[2]
	}
	if head := chunks[0][1]; head != "a=T,U=1,p=1,i=99,f=100,c=20,r=8,q=2,m=1" {
		t.Errorf("it begins with %q", head)
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil || img.Bounds().Size() != image.Pt(200, 160) {
		t.Errorf("%v, %v", img, err)
	}
	parts := graphics.TransmitKitty(99, file, 20, 8, true)
	if strings.Count(strings.Join(parts, ""), "\x1bPtmux;") != len(chunks) {
		t.Error("inside tmux every chunk is wrapped for itself")
	}
	for _, p := range parts {
		if len(p) > 18<<10 {
			t.Errorf("a part of %d bytes is more than tmux keeps", len(p))
		}
	}
}

func TestPaintPutsTheCursorBack(t *testing.T) {
	img := graphics.Resize(gradient(40, 40), image.Pt(40, 36))
	for _, way := range []graphics.Protocol{graphics.Sixel, graphics.ITerm} {
		data, err := graphics.Encode(way, img, image.Pt(4, 2))
		if err != nil {
			t.Fatal(err)
		}
		got := graphics.PaintAt(image.Pt(4, 9), data)
		if !strings.HasPrefix(got, "\x1b7\x1b[10;5H") || !strings.HasSuffix(got, "\x1b8") {
			t.Errorf("%s: %.40q … %q", way, got, got[len(got)-4:])
		}
	}
	got, err := graphics.Encode(graphics.Sixel, img, image.Pt(4, 2))
	if err != nil {
		t.Fatal(err)
	}
	_, data, _ := strings.Cut(got, "q")
	back, err := (&sixel.Decoder{}).Decode(strings.NewReader(data))
	if err != nil || back.Bounds().Size() != image.Pt(40, 36) {
		t.Errorf("the sixels are a picture of %v, %v", back.Bounds(), err)
	}
	if _, err := graphics.Encode(graphics.Cells, img, image.Pt(4, 2)); err == nil {
		t.Error("cells are not painted")
	}
}
