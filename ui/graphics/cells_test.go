package graphics_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"confab/internal/pixels"
	"confab/internal/termtext"
	"confab/internal/termtexttest"
	"confab/ui/graphics"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

var full = graphics.CellOptions{Profile: colorprofile.TrueColor}

// scene draws a picture with a sky, hard edges and noise.
func scene(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	rnd := rand.New(rand.NewPCG(1, 2))
	for y := range h {
		for x := range w {
			fx, fy := float64(x)/float64(w), float64(y)/float64(h)
			c := color.RGBA{uint8(60 + 120*fy), uint8(110 + 90*fy), uint8(230 - 60*fy), 255}
			if math.Hypot(fx-0.7, fy-0.3) < 0.12 {
				c = color.RGBA{250, 230, 120, 255}
			}
			if fy > 0.62+0.08*math.Sin(9*fx) {
				n := uint8(rnd.IntN(40))
				c = color.RGBA{30 + n, 90 + n, 40, 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func encodePNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodeJPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// header returns a PNG that claims a size and has no pixels.
func header(w, h uint32) []byte {
	chunk := append([]byte("IHDR"), make([]byte, 13)...)
	binary.BigEndian.PutUint32(chunk[4:], w)
	binary.BigEndian.PutUint32(chunk[8:], h)
	chunk[12], chunk[13] = 8, 6
	b := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(chunk))
}

func TestDecode(t *testing.T) {
	img := scene(40, 30)
	whole := encodePNG(t, img)
	for _, tt := range []struct {
		name string
		in   []byte
		want error // nil: decoded
		any  bool  // some other error
	}{
		{"png", whole, nil, false},
		{"jpeg", encodeJPEG(t, img), nil, false},
		{"empty", nil, pixels.ErrFormat, false},
		{"bmp", []byte("BM"), pixels.ErrFormat, false},
		{"text", []byte("<html>"), pixels.ErrFormat, false},
		{"too many pixels", encodePNG(t, scene(101, 100)), pixels.ErrPixels, false},
		{"claims giants", header(50000, 50000), pixels.ErrPixels, false},
		{"claims more than fits", header(1<<30, 1<<29), nil, true},
		{"claims the widest", header(math.MaxInt32, 1), pixels.ErrPixels, false},
		{"cut", whole[:len(whole)/2], nil, true},
		{"signature only", whole[:8], nil, true},
		{"jpeg marker only", []byte("\xff\xd8"), nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := pixels.Decode(t.Context(), tt.in, 10000)
			if tt.want == nil && !tt.any {
				if err != nil || got.Bounds() != img.Bounds() {
					t.Errorf("got %v, want a picture of %v", err, img.Bounds())
				}
				return
			}
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

// The mean of a picture must not depend on how its pixels are stored.
func TestScaleReadsEveryType(t *testing.T) {
	src := scene(97, 61)
	want := graphics.Scale(src, 16)
	types := map[string]draw.Image{
		"NRGBA": image.NewNRGBA(src.Rect), "RGBA64": image.NewRGBA64(src.Rect), "NRGBA64": image.NewNRGBA64(
			src.Rect,
		), "CMYK": image.NewCMYK(src.Rect),
	}
	for name, img := range types {
		draw.Draw(img, src.Rect, src, image.Point{}, draw.Src)
		closeTo(t, name, graphics.Scale(img, 16), want, 2)
	}
	for i := 3; i < len(types["NRGBA"].(*image.NRGBA).Pix); i += 4 { // see-through
		types["NRGBA"].(*image.NRGBA).Pix[i] = uint8(i)
	}
	faint := image.NewRGBA(src.Rect)
	draw.Draw(faint, src.Rect, types["NRGBA"], image.Point{}, draw.Src)
	closeTo(t, "NRGBA with alpha", graphics.Scale(types["NRGBA"], 16), graphics.Scale(faint, 16), 2)
	decoded, err := pixels.Decode(t.Context(), encodeJPEG(t, src), 1e6)
	if err != nil {
		t.Fatal(err)
	}
	closeTo(t, "YCbCr 4:2:0", graphics.Scale(decoded, 16), want, 12)

	grey := image.NewGray(src.Rect)
	draw.Draw(grey, src.Rect, src, image.Point{}, draw.Src)
	wantGrey := image.NewRGBA(src.Rect)
	draw.Draw(wantGrey, src.Rect, grey, image.Point{}, draw.Src)
	closeTo(t, "Gray", graphics.Scale(grey, 16), graphics.Scale(wantGrey, 16), 1)

	four := image.NewPaletted(src.Rect,
		color.Palette{color.RGBA{0, 0, 0, 255}, color.RGBA{255, 0, 0, 255}, color.RGBA{0, 255, 0, 255}, color.RGBA{}})
	for i := range four.Pix {
		four.Pix[i] = uint8(i % 4)
	}
	wantFour := image.NewRGBA(src.Rect)
	draw.Draw(wantFour, src.Rect, four, image.Point{}, draw.Src)
	closeTo(t, "Paletted", graphics.Scale(four, 16), graphics.Scale(wantFour, 16), 1)
}

// Every kind of subsampling, and a part of a picture that starts inside a sample.
func TestScaleReadsYCbCr(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{
		image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
	} {
		img := image.NewYCbCr(image.Rect(0, 0, 41, 33), ratio)
		for i := range img.Y {
			img.Y[i] = uint8(i * 7)
		}
		for i := range img.Cb {
			img.Cb[i], img.Cr[i] = uint8(100+i%50), uint8(160-i%50)
		}
		for _, r := range []image.Rectangle{img.Rect, image.Rect(3, 5, 38, 32), image.Rect(7, 1, 8, 2)} {
			part := img.SubImage(r)
			plain := image.NewRGBA(r)
			draw.Draw(plain, r, part, r.Min, draw.Src)
			closeTo(t, fmt.Sprint(ratio, r), graphics.Scale(part, 8), graphics.Scale(plain, 8), 24)
		}
	}
}

func closeTo(t *testing.T, name string, got, want *image.RGBA, most int) {
	t.Helper()
	if got.Rect.Size() != want.Rect.Size() {
		t.Errorf("%s: size %v, want %v", name, got.Rect.Size(), want.Rect.Size())
		return
	}
	for i := range want.Pix {
		if d := int(got.Pix[i]) - int(want.Pix[i]); d > most || d < -most {
			t.Errorf("%s: byte %d is %d, want %d", name, i, got.Pix[i], want.Pix[i])
			return
		}
	}
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
		img := scene(size.X, size.Y)
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
	img := scene(8, 8)
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

func FuzzDecode(f *testing.F) {
	img := scene(9, 7)
	f.Add(encodePNG(f, img))
	f.Add(encodeJPEG(f, img))
	f.Add(header(50000, 50000))
	f.Add([]byte("\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03"))
	f.Fuzz(func(t *testing.T, b []byte) {
		const most = 1 << 16
		img, err := pixels.Decode(t.Context(), b, most)
		if err != nil {
			return
		}
		if n := img.Bounds().Dx() * img.Bounds().Dy(); n > most || n < 1 {
			t.Fatalf("%d pixels", n)
		}
		c, ok := graphics.RenderCells(img, 20, 10, graphics.CellOptions{Profile: colorprofile.TrueColor})
		if !ok || len(c.Lines) != c.H {
			t.Fatalf("not drawn: %v", img.Bounds())
		}
	})
}

// Sums of large boxes do not run over.
func TestScaleOfAVeryLargeBox(t *testing.T) {
	img := image.NewYCbCr(image.Rect(0, 0, 5003, 7), image.YCbCrSubsampleRatio444)
	for i := range img.Y {
		img.Y[i], img.Cb[i], img.Cr[i] = 255, 128, 128
	}
	if got := graphics.Scale(img, 1).RGBAAt(0, 0); got != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("white becomes %v", got)
	}
}

func BenchmarkRender(b *testing.B) {
	img := scene(1024, 1024)
	for name, o := range map[string]graphics.CellOptions{"quadrants": full, "256": {Profile: colorprofile.ANSI256}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				graphics.RenderCells(img, 80, 40, o)
			}
		})
	}
}
