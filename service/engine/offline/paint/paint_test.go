package paint_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
	"time"

	"confab/service/engine/offline/paint"
)

// draw draws a small picture and decodes it.
func draw(t *testing.T, model, prompt string, w, h float64, seed uint64) image.Image {
	t.Helper()
	return drawn(t, paint.Request{Model: model, Prompt: prompt, W: w, H: h, Seed: seed, Pixels: 1 << 14})
}

func drawn(t *testing.T, o paint.Request) image.Image {
	t.Helper()
	model, prompt := o.Model, o.Prompt
	b, contentType, err := paint.Draw(t.Context(), o)
	if err != nil {
		t.Fatalf("%s %q: %v", model, prompt, err)
	}
	img, format, err := image.Decode(bytes.NewReader(b))
	if err != nil || "image/"+format != contentType {
		t.Fatalf("%s %q: %s, decoded as %q, %v", model, prompt, contentType, format, err)
	}
	return img
}

// look returns the mean colour and the spread of brightness of a part of the picture, given in hundredths.
func look(img image.Image, x0, y0, x1, y1 int) (r, g, b, spread float64) {
	size := img.Bounds().Size()
	n, sum, square := 0.0, 0.0, 0.0
	for y := size.Y * y0 / 100; y < size.Y*y1/100; y += 2 {
		for x := size.X * x0 / 100; x < size.X*x1/100; x += 2 {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			r, g, b, n = r+float64(c.R), g+float64(c.G), b+float64(c.B), n+1
			l := 0.3*float64(c.R) + 0.59*float64(c.G) + 0.11*float64(c.B)
			sum, square = sum+l, square+l*l
		}
	}
	mean := sum / n
	return r / n, g / n, b / n, math.Sqrt(max(0, square/n-mean*mean))
}

// difference returns the mean difference between the pixels of two pictures, from 0 to 255.
func difference(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return 255
	}
	sum, n := 0.0, 0.0
	for y := 0; y < a.Bounds().Dy(); y += 2 {
		for x := 0; x < a.Bounds().Dx(); x += 2 {
			p, q := color.NRGBAModel.Convert(a.At(x, y)).(color.NRGBA), color.NRGBAModel.Convert(b.At(x,
				y)).(color.NRGBA)
			sum += math.Abs(float64(p.R)-float64(q.R)) + math.Abs(float64(p.G)-float64(q.G)) +
				math.Abs(float64(p.B)-float64(q.B))
			n += 3
		}
	}
	return sum / n
}

func TestPicturesHaveAMegapixelAtTheRatio(t *testing.T) {
	for _, c := range []struct{ w, h float64 }{{16, 9}, {1, 4}} {
		img := drawn(t, paint.Request{Model: "sim-image", Prompt: "a balloon", W: c.w, H: c.h})
		size := img.Bounds().Size()
		if n := size.X * size.Y; n < 1_000_000 || n > 1_100_000 {
			t.Errorf("%v:%v has %d px", c.w, c.h, n)
		}
		if got, want := float64(size.X)/float64(size.Y), c.w/c.h; math.Abs(got-want) > want*0.02 {
			t.Errorf("%v:%v has the ratio %.3f, want %.3f", c.w, c.h, got, want)
		}
	}
}

func TestASeedDecidesTheComposition(t *testing.T) {
	for _, model := range []string{"diffusion-xl", "sim-image"} {
		for _, prompt := range []string{"a lighthouse at dusk", "a cat", "freedom"} {
			first := draw(t, model, prompt, 4, 3, 1)
			if d := difference(first, draw(t, model, prompt, 4, 3, 1)); d != 0 {
				t.Errorf("%s %q: the same seed differs by %.1f", model, prompt, d)
			}
			if d := difference(first, draw(t, model, prompt, 4, 3, 2)); d < 8 {
				t.Errorf("%s %q: another seed differs by only %.1f", model, prompt, d)
			}
		}
	}
	if d := difference(draw(t, "diffusion-xl", "a lake", 1, 1, 1), draw(t, "sim-image", "a lake", 1, 1, 1)); d < 8 {
		t.Errorf("the two models differ by only %.1f", d)
	}
}

func TestWordsDecideTheLight(t *testing.T) {
	for seed := range uint64(2) {
		sky := func(prompt string) (r, g, b, spread float64) {
			return look(draw(t, "diffusion-xl", prompt, 16, 9, seed), 0, 0, 100, 40)
		}
		dayR, _, dayB, _ := sky("hills at noon")
		nightR, nightG, nightB, _ := sky("hills at night")
		duskR, _, duskB, _ := sky("hills at sunset")
		if nightR+nightG+nightB > 240 || nightB < nightR {
			t.Errorf("seed %d: the night is %.0f %.0f %.0f", seed, nightR, nightG, nightB)
		}
		if dayB < 150 || dayB < dayR {
			t.Errorf("seed %d: the day is not blue: red %.0f blue %.0f", seed, dayR, dayB)
		}
		if duskR-duskB < dayR-dayB+20 {
			t.Errorf("seed %d: dusk (red %.0f blue %.0f) is not warmer than day (%.0f %.0f)", seed, duskR, duskB, dayR,
				dayB)
		}
		r, g, b, _ := look(draw(t, "diffusion-xl", "a winter meadow at noon", 16, 9, seed), 0, 75, 100, 100)
		r2, g2, b2, _ := look(draw(t, "diffusion-xl", "a summer meadow at noon", 16, 9, seed), 0, 75, 100, 100)
		if r+g+b < r2+g2+b2+60 || math.Abs(r-b) > 50 {
			t.Errorf("seed %d: the snow is %.0f %.0f %.0f, the grass %.0f %.0f %.0f", seed, r, g, b, r2, g2, b2)
		}
		r, g, b, _ = look(draw(t, "diffusion-xl", "mountains, ink wash", 16, 9, seed), 0, 0, 100, 100)
		if max(r, g, b)-min(r, g, b) > 30 {
			t.Errorf("seed %d: the ink has colour: %.0f %.0f %.0f", seed, r, g, b)
		}
	}
}

func TestEveryObjectIsSeen(t *testing.T) {
	without := draw(t, "sim-image", "a meadow at noon", 4, 3, 5)
	for _, thing := range []string{"lighthouse", "boat", "whale", "house", "castle", "windmill", "tree", "cat", "fox",
		"dog", "rabbit", "owl", "deer", "balloon", "butterfly", "rocket", "tent", "person", "bird"} {
		with := draw(t, "sim-image", "a "+thing+" on a meadow at noon", 4, 3, 5)
		if d := difference(with, without); d < 0.5 {
			t.Errorf("%s changes the picture by only %.2f", thing, d)
		}
	}
	for _, place := range []string{"sea", "lake", "mountains", "forest", "city", "desert", "space", "portrait",
		"an idea",
		"猫", "海 夜 月", "", "!!!"} {
		if _, _, _, spread := look(draw(t, "diffusion-xl", place, 1, 1, 3), 0, 0, 100, 100); spread < 12 {
			t.Errorf("%q is an even surface (%.1f)", place, spread)
		}
	}
	for _, style := range []string{"oil painting", "watercolour", "ink", "neon", "pencil sketch", "poster", "pixel art",
		"photo"} {
		if d := difference(draw(t, "diffusion-xl", "a lake, "+style, 1, 1, 3),
			draw(t, "diffusion-xl", "a lake", 1, 1, 3)); d < 1 {
			t.Errorf("%s changes the picture by only %.2f", style, d)
		}
	}
}

func TestLettersAreWritten(t *testing.T) {
	plain := draw(t, "sim-image", "a poster of a lake", 1, 1, 9)
	if d := difference(plain, draw(t, "sim-image", `a poster of a lake that says "HELLO THERE"`, 1, 1, 9)); d < 0.5 {
		t.Errorf("the words change the picture by only %.2f", d)
	}
}

// TestPicturesStayTheSame compares the mean brightness of nine areas with stored values, within the rounding
// differences of processors.
func TestPicturesStayTheSame(t *testing.T) {
	for _, c := range []struct {
		model, prompt string
		want          [9]float64
	}{
		{"sim-image", "a lighthouse by the sea at dusk", [9]float64{133, 144, 143, 143, 180, 189, 118, 129, 140}},
		{"diffusion-xl", "a winter lake with a castle", [9]float64{201, 206, 189, 217, 211, 207, 171, 174, 162}},
		{"sim-image", "a black cat in the city at night", [9]float64{45, 45, 43, 71, 71, 74, 43, 47, 49}},
		{"diffusion-xl", "a fox in an autumn forest, oil", [9]float64{193, 195, 178, 135, 171, 151, 103, 126, 110}},
		{"sim-image", "portrait of a woman", [9]float64{188, 149, 197, 177, 107, 171, 166, 108, 146}},
		{"diffusion-xl", "saturn and a rocket in space", [9]float64{28, 22, 39, 115, 74, 93, 53, 83, 114}},
		{"sim-image", "freedom", [9]float64{218, 206, 206, 153, 148, 151, 94, 82, 90}},
		{"diffusion-xl", "aurora over the mountains, ink", [9]float64{194, 200, 185, 153, 155, 147, 114, 108, 113}},
		{"sim-image", "a desert with pyramids and a balloon", [9]float64{196, 180, 166, 219, 204, 206, 183, 173, 171}},
		{"diffusion-xl", "an owl in the rain at noon", [9]float64{83, 94, 95, 85, 104, 62, 70, 90, 58}},
	} {
		img := draw(t, c.model, c.prompt, 4, 3, 21)
		for i := range c.want {
			x, y := i%3*33, i/3*33
			r, g, b, _ := look(img, x, y, x+33, y+33)
			if got := (r + g + b) / 3; math.Abs(got-c.want[i]) > 1.5 {
				t.Errorf("%s %q: area %d has the brightness %.0f, want %.0f", c.model, c.prompt, i, got, c.want[i])
			}
		}
	}
}

func TestDrawingStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("gone")
	time.AfterFunc(5*time.Millisecond, func() { cancel(why) })
	if _, _, err := paint.Draw(ctx,
		paint.Request{Model: "diffusion-xl", Prompt: "a forest, oil", W: 1, H: 1}); !errors.Is(err, why) {
		t.Errorf("it ended with %v, want %v", err, why)
	}
}

func TestTouches(t *testing.T) {
	base := image.NewRGBA(image.Rect(0, 0, 300, 200))
	for i := range base.Pix {
		base.Pix[i] = []uint8{60, 90, 120, 255}[i%4]
	}
	effects := "oil watercolour ink pencil grain vignette blur rain snow fog stars moon sun rainbow clouds birds " +
		"boat " +
		"balloon lighthouse house tree cat fox dog rabbit flower butterfly rocket deer castle"
	for what := range strings.FieldsSeq(effects) {
		img := image.NewRGBA(base.Rect)
		copy(img.Pix, base.Pix)
		if err := paint.ApplyEffect(t.Context(), img, what, 1, 4); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		isEven := what == "oil" || what == "fog" || what == "blur" // these keep an even surface
		if !isEven && bytes.Equal(img.Pix, base.Pix) {
			t.Errorf("%s changes nothing", what)
		}
		for i := 3; i < len(img.Pix); i += 4 {
			if img.Pix[i] != 255 {
				t.Errorf("%s leaves a hole", what)
				break
			}
		}
	}
}

func FuzzDraw(f *testing.F) {
	for _, p := range []string{"a lighthouse at dusk", `says "`, "\xff", "红 猫 „x“",
		"stormy neon city in the rain with a whale", "pink rose", "s ss sss ies ves"} {
		f.Add(p, uint64(1), uint8(2))
	}
	f.Fuzz(func(t *testing.T, prompt string, seed uint64, shape uint8) {
		w := []float64{1, 4, 0.25}[int(shape)%3]
		if _, _, err := paint.Draw(t.Context(),
			paint.Request{Model: []string{"sim-image", "diffusion-xl"}[seed%2], Prompt: prompt, W: w, H: 1, Seed: seed,
				Pixels: 1 << 14}); err != nil {
			t.Error(err)
		}
	})
}
