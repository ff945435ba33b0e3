package graphics_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strings"
	"testing"

	"confab/internal/termtext"
	"confab/internal/termtexttest"
	"confab/ui/graphics"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

var full = graphics.CellOptions{Profile: colorprofile.TrueColor}

func encodePNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestScaleKeepsTheShape(t *testing.T) {
	for _, tt := range []struct{ w, h, most, wantW, wantH int }{
		{100, 50, 10, 10, 5}, {50, 100, 10, 5, 10}, {5, 4, 10, 5, 4}, {1000, 1, 10, 10, 1}, {7, 7, 7, 7, 7},
	} {
		got := graphics.Scale(image.NewGray(image.Rect(0, 0, tt.w, tt.h)), tt.most).Bounds().Size()
		if got.X != tt.wantW || got.Y != tt.wantH {
			t.Errorf("%d×%d to %d: got %v, want %d×%d", tt.w, tt.h, tt.most, got, tt.wantW, tt.wantH)
		}
	}
}

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		px, py, w, h int
		aspect       float64
		cols, rows   int
	}{
		{1024, 1024, 80, 40, 0, 80, 40}, {1024, 1024, 80, 20, 0, 40, 20}, {1920, 1080, 80, 40, 0, 80, 23}, {100, 1000,
			80, 40,
			0, 8, 40},
		{1024, 1024, 80, 80, 1, 80, 80}, {10000, 1, 80, 40, 0, 80, 1}, {1, 10000, 80, 40, 0, 1, 40}, {0, 1, 80, 40, 0,
			0,
			0}, {1, 1, 0, 40, 0, 0, 0},
	} {
		if cols, rows := graphics.FitCells(tt.px, tt.py, tt.w, tt.h, tt.aspect); cols != tt.cols || rows != tt.rows {
			t.Errorf("Fit(%d, %d, %d, %d, %g) = %d, %d, want %d, %d", tt.px, tt.py, tt.w, tt.h, tt.aspect, cols, rows,
				tt.cols,
				tt.rows)
		}
	}
}

func TestRenderOfColors(t *testing.T) {
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	at := func(w, h int, colors ...color.RGBA) *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		for i, c := range colors {
			img.SetRGBA(i%w, i/w, c)
		}
		return img
	}
	none := color.RGBA{}
	for _, tt := range []struct {
		name string
		img  image.Image
		o    graphics.CellOptions
		want string
	}{
		{"one color", at(2, 2, red, red, red, red), graphics.CellOptions{}, "\x1b[48;2;255;0;0m \x1b[m"},
		{"left and right", at(2, 2, red, blue, red, blue), graphics.CellOptions{},
			"\x1b[48;2;0;0;255;38;2;255;0;0m▌\x1b[m"},
		{"one corner", at(2, 2, red, red, red, blue), graphics.CellOptions{}, "\x1b[48;2;0;0;255;38;2;255;0;0m▛\x1b[m"},
		{"transparent corner", at(2, 2, red, red, red, none), graphics.CellOptions{}, "\x1b[38;2;255;0;0m▛\x1b[m"},
		{"all transparent", at(2, 2, none, none, none, none), graphics.CellOptions{}, " "},
		{"256 colors", at(1, 2, red, blue), graphics.CellOptions{Profile: colorprofile.ANSI256},
			"\x1b[48;5;21;38;5;196m▀\x1b[m"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.o.Profile == 0 {
				tt.o.Profile = colorprofile.TrueColor
			}
			tt.o.CellAspect = float64(tt.img.Bounds().Dy()) / float64(tt.img.Bounds().Dx())
			got, ok := graphics.RenderCells(tt.img, 1, 1, tt.o)
			if !ok || len(got.Lines) != 1 || got.Lines[0] != tt.want {
				t.Errorf("got %q, %v, want %q", got.Lines, ok, tt.want)
			}
		})
	}
}

func TestRenderOfARunIsShort(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 400, 400))
	draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{1, 2, 3, 255}), image.Point{}, draw.Src)
	got, ok := graphics.RenderCells(img, 40, 20, graphics.CellOptions{Profile: colorprofile.TrueColor})
	if want := "\x1b[48;2;1;2;3m" + strings.Repeat(" ", 40) + "\x1b[m"; !ok || got.Lines[7] != want {
		t.Errorf("got %q, want %q", got.Lines[7], want)
	}
}

func TestRenderIsExactlyItsSize(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {3, 2}, {640, 480}, {100, 1000}, {1000, 3}} {
		img := gradient(size.X, size.Y)
		for _, o := range []graphics.CellOptions{{Profile: colorprofile.TrueColor},
			{Profile: colorprofile.ANSI256}} {
			for _, box := range []image.Point{{80, 40}, {1, 1}, {7, 30}} {
				c, ok := graphics.RenderCells(img, box.X, box.Y, o)
				if !ok || c.W > box.X || c.H > box.Y || len(c.Lines) != c.H {
					t.Fatalf("%v in %v: %d×%d, %d lines", size, box, c.W, c.H, len(c.Lines))
				}
				for _, line := range c.Lines {
					if n := ansi.StringWidth(line); n != c.W {
						t.Fatalf("%v in %v: line of %d cells, want %d", size, box, n, c.W)
					}
				}
				out := strings.Join(c.Lines, "\n")
				if why := termtexttest.Check(out); why != "" {
					t.Fatal(why)
				}
				if termtext.Allow(out) == "" {
					t.Fatal("the last filter drops the picture")
				}
			}
		}
	}
}

func TestRenderNothing(t *testing.T) {
	img := gradient(8, 8)
	for _, p := range []colorprofile.Profile{colorprofile.NoTTY, colorprofile.ASCII, colorprofile.ANSI} {
		if _, ok := graphics.RenderCells(img, 10, 10, graphics.CellOptions{Profile: p}); ok {
			t.Errorf("%v: drawn, want nothing", p)
		}
	}
	full := graphics.CellOptions{Profile: colorprofile.TrueColor}
	if _, ok := graphics.RenderCells(nil, 10, 10, full); ok {
		t.Error("nil is drawn")
	}
	if _, ok := graphics.RenderCells(image.NewRGBA(image.Rectangle{}), 10, 10, full); ok {
		t.Error("an empty picture is drawn")
	}
	if _, ok := graphics.RenderCells(img, 0, 10, full); ok {
		t.Error("drawn without room")
	}
}

// Dithering must come near the mean of a color that the palette lacks; the palette
// alone is 25 away.
func TestDitheringKeepsTheMean(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 40, 40))
	want := [3]float64{70, 120, 190}
	draw.Draw(img, img.Rect, image.NewUniform(color.RGBA{70, 120, 190, 255}), image.Point{}, draw.Src)
	c, _ := graphics.RenderCells(img, 40, 20, graphics.CellOptions{Profile: colorprofile.ANSI256})
	var sum [3]float64
	n := 0
	for _, line := range c.Lines {
		for _, rgb := range halves(t, line) {
			for i := range 3 {
				sum[i] += rgb[i]
			}
			n++
		}
	}
	for i := range 3 {
		if got := sum[i] / float64(n); math.Abs(got-want[i]) > 12 {
			t.Errorf("channel %d: mean %.0f, want %.0f", i, got, want[i])
		}
	}
}

// The palette's darkest blue is twice as bright as a night sky: what is handed on
// must not gather into stars.
func TestANightHasNoStarsOfItsOwn(t *testing.T) {
	for _, night := range []color.RGBA{{10, 12, 40, 255}, {12, 16, 44, 255}, {40, 14, 10, 255}, {6, 30, 16, 255}} {
		img := image.NewRGBA(image.Rect(0, 0, 60, 40))
		draw.Draw(img, img.Rect, image.NewUniform(night), image.Point{}, draw.Src)
		c, _ := graphics.RenderCells(img, 60, 20, graphics.CellOptions{Profile: colorprofile.ANSI256})
		for y, line := range c.Lines {
			for x, rgb := range halves(t, line) {
				if max(rgb[0], rgb[1], rgb[2]) > 60 {
					t.Fatalf("%v is drawn as %v at half %d of line %d", night, rgb, x, y)
				}
			}
		}
	}
}

// halves reads a line of half blocks in 256 colors back into colors.
func halves(t *testing.T, line string) (out [][3]float64) {
	t.Helper()
	rgb := func(i int) [3]float64 {
		r, g, b, _ := ansi.IndexedColor(i).RGBA()
		return [3]float64{float64(r >> 8), float64(g >> 8), float64(b >> 8)}
	}
	fg, bg := 0, 0
	for line != "" {
		if strings.HasPrefix(line, "\x1b[") {
			end := strings.IndexByte(line, 'm')
			params := strings.Split(line[2:end], ";")
			for i := 0; i+2 < len(params); i += 3 {
				var n int
				if _, err := fmt.Sscan(params[i+2], &n); err != nil {
					t.Fatal(err)
				}
				if params[i] == "38" {
					fg = n
				} else {
					bg = n
				}
			}
			line = line[end+1:]
			continue
		}
		for _, g := range []struct {
			s            string
			upper, lower int
		}{{"▀", fg, bg}, {"▄", bg, fg}, {" ", bg, bg}, {"█", fg, fg}} {
			if rest, ok := strings.CutPrefix(line, g.s); ok {
				out = append(out, rgb(g.upper), rgb(g.lower))
				line = rest
				break
			}
		}
	}
	return out
}

func BenchmarkRender(b *testing.B) {
	img := gradient(1024, 1024)
	for name, o := range map[string]graphics.CellOptions{"quadrants": full, "256": {Profile: colorprofile.ANSI256}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				graphics.RenderCells(img, 80, 40, o)
			}
		})
	}
}
