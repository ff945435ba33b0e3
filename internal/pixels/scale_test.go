package pixels_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"testing"

	"confab/internal/pixels"
)

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

// The mean of a picture must not depend on how its pixels are stored.
func TestScaleReadsEveryType(t *testing.T) {
	src := scene(97, 61)
	want := pixels.Scale(src, 16, 10)
	types := map[string]draw.Image{
		"NRGBA": image.NewNRGBA(src.Rect), "RGBA64": image.NewRGBA64(src.Rect), "NRGBA64": image.NewNRGBA64(
			src.Rect,
		), "CMYK": image.NewCMYK(src.Rect),
	}
	for name, img := range types {
		draw.Draw(img, src.Rect, src, image.Point{}, draw.Src)
		closeTo(t, name, pixels.Scale(img, 16, 10), want, 2)
	}
	for i := 3; i < len(types["NRGBA"].(*image.NRGBA).Pix); i += 4 { // see-through
		types["NRGBA"].(*image.NRGBA).Pix[i] = uint8(i)
	}
	faint := image.NewRGBA(src.Rect)
	draw.Draw(faint, src.Rect, types["NRGBA"], image.Point{}, draw.Src)
	closeTo(t, "NRGBA with alpha", pixels.Scale(types["NRGBA"], 16, 10), pixels.Scale(faint, 16, 10), 2)
	decoded, err := pixels.Decode(t.Context(), encodeJPEG(t, src), 1e6)
	must(t, err)
	closeTo(t, "YCbCr 4:2:0", pixels.Scale(decoded, 16, 10), want, 12)

	grey := image.NewGray(src.Rect)
	draw.Draw(grey, src.Rect, src, image.Point{}, draw.Src)
	wantGrey := image.NewRGBA(src.Rect)
	draw.Draw(wantGrey, src.Rect, grey, image.Point{}, draw.Src)
	closeTo(t, "Gray", pixels.Scale(grey, 16, 10), pixels.Scale(wantGrey, 16, 10), 1)

	four := image.NewPaletted(src.Rect,
		color.Palette{color.RGBA{0, 0, 0, 255}, color.RGBA{255, 0, 0, 255}, color.RGBA{0, 255, 0, 255}, color.RGBA{}})
	for i := range four.Pix {
		four.Pix[i] = uint8(i % 4)
	}
	wantFour := image.NewRGBA(src.Rect)
	draw.Draw(wantFour, src.Rect, four, image.Point{}, draw.Src)
	closeTo(t, "Paletted", pixels.Scale(four, 16, 10), pixels.Scale(wantFour, 16, 10), 1)
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
			w, h := min(r.Dx(), 8), min(r.Dy(), 6)
			plain := image.NewRGBA(r)
			draw.Draw(plain, r, part, r.Min, draw.Src)
			closeTo(t, fmt.Sprint(ratio, r), pixels.Scale(part, w, h), pixels.Scale(plain, w, h), 24)
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

// Sums of large boxes do not run over.
func TestScaleOfAVeryLargeBox(t *testing.T) {
	img := image.NewYCbCr(image.Rect(0, 0, 5003, 7), image.YCbCrSubsampleRatio444)
	for i := range img.Y {
		img.Y[i], img.Cb[i], img.Cr[i] = 255, 128, 128
	}
	if got := pixels.Scale(img, 1, 1).RGBAAt(0, 0); got != (color.RGBA{255, 255, 255, 255}) {
		t.Errorf("white becomes %v", got)
	}
}
