package retouch_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"confab/service/engine"
	"confab/service/engine/offline/retouch"
)

// scene is a small picture: blue above, green below, a red square on the left,
// a white one on the right.
func scene() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 120, 80))
	for y := range 80 {
		for x := range 120 {
			c := color.RGBA{90, 140, 210, 255}
			if y > 40 {
				c = color.RGBA{80, 150, 60, 255}
			}
			if x > 10 && x < 40 && y > 20 && y < 60 {
				c = color.RGBA{200, 40, 30, 255}
			}
			if x > 80 && x < 110 && y > 20 && y < 60 {
				c = color.RGBA{240, 240, 240, 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func encoded(t testing.TB, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func edit(t *testing.T, instruction string, source []byte) *image.NRGBA {
	t.Helper()
	b, err := retouch.Edit(t.Context(), instruction, source, 3)
	if err != nil {
		t.Fatalf("%q: %v", instruction, err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%q: %v", instruction, err)
	}
	out := image.NewNRGBA(img.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, img.At(x, y))
		}
	}
	return out
}

// mean is the mean colour of a picture.
func mean(img *image.NRGBA) (r, g, b int) {
	n := len(img.Pix) / 4
	for i := 0; i < len(img.Pix); i += 4 {
		r, g, b = r+int(img.Pix[i]), g+int(img.Pix[i+1]), b+int(img.Pix[i+2])
	}
	return r / n, g / n, b / n
}

func light(img *image.NRGBA) int { r, g, b := mean(img); return (r + g + b) / 3 }

func TestOperationsDoWhatTheySay(t *testing.T) {
	source := encoded(t, scene())
	was := edit(t, "crop to 3:2", source) // the same picture: it is 3:2
	wasR, _, wasB := mean(was)
	px := func(img *image.NRGBA, x, y int) color.NRGBA { return img.NRGBAAt(x, y) }
	grey := func(img *image.NRGBA) bool {
		c := px(img, 20, 30)
		return c.R == c.G && c.G == c.B
	}
	for _, c := range []struct {
		instruction string
		ok          func(img *image.NRGBA) bool
	}{
		{"make it black and white", grey},
		{"greyscale", grey}, {"remove the colours", grey}, {"Desaturate, please.", grey},
		{"sepia", func(i *image.NRGBA) bool { r, _, b := mean(i); return r > b+20 }},
		{"invert", func(i *image.NRGBA) bool { return px(i, 20, 30).R < 100 && px(i, 20, 30).B > 180 }},
		{"make it brighter", func(i *image.NRGBA) bool { return light(i) > light(was)+10 }},
		{"less brightness", func(i *image.NRGBA) bool { return light(i) < light(was)-10 }},
		{"darken it", func(i *image.NRGBA) bool { return light(i) < light(was)-10 }},
		{"warmer", func(i *image.NRGBA) bool { r, _, b := mean(i); return r-b > wasR-wasB+10 }},
		{"cooler", func(i *image.NRGBA) bool { r, _, b := mean(i); return r-b < wasR-wasB-10 }},
		{"more contrast", func(i *image.NRGBA) bool { return px(i, 20, 30).R > 200 && px(i, 20, 30).B < 30 }},
		{"less contrast", func(i *image.NRGBA) bool { return px(i, 20, 30).R < 200 && px(i, 20, 30).B > 30 }},
		{"more vivid", func(i *image.NRGBA) bool { c := px(i, 5, 70); return int(c.G)-int(c.B) > 90 }},
		{"give it a blue tint", func(i *image.NRGBA) bool { r, _, b := mean(i); return b-r > wasB-wasR+20 }},
		{"blur", func(i *image.NRGBA) bool { return px(i, 10, 40) != px(was, 10, 40) }},
		{"sharpen", func(i *image.NRGBA) bool { return px(i, 41, 30) != px(was, 41, 30) }},
		{"pixelate", func(i *image.NRGBA) bool { return px(i, 0, 0) == px(i, 1, 1) && light(i) > 0 }},
		{"posterise", func(i *image.NRGBA) bool { return px(i, 5, 5).R%85 == 0 && px(i, 5, 5).G%85 == 0 }},
		{"rotate 90", func(i *image.NRGBA) bool {
			return i.Rect.Dx() == 80 && i.Rect.Dy() == 120 && px(i, 40, 20).R > 150 && px(i, 40, 20).G < 90
		}},
		{"rotate left",
			func(i *image.NRGBA) bool { return i.Rect.Dx() == 80 && px(i, 40, 100).R > 150 && px(i, 40, 100).G < 90 }},
		{"upside down", func(i *image.NRGBA) bool {
			return i.Rect.Dx() == 120 && px(i, 100, 40).G < 90 && px(i, 5, 5).G > px(i, 5, 5).B
		}},
		{"rotate by 30 degrees", func(i *image.NRGBA) bool { return i.Rect.Dx() > 120 && px(i, 0, 0).R == 255 }},
		{"mirror", func(i *image.NRGBA) bool { return px(i, 100, 40).R > 150 && px(i, 100, 40).G < 90 }},
		{"flip it", func(i *image.NRGBA) bool { return px(i, 5, 5).G > px(i, 5, 5).B }},
		{"flip horizontally", func(i *image.NRGBA) bool { return px(i, 100, 40).G < 90 }},
		{"crop to a square", func(i *image.NRGBA) bool { return i.Rect.Dx() == 80 && i.Rect.Dy() == 80 }},
		{"crop 16:9", func(i *image.NRGBA) bool { return i.Rect.Dx() == 120 && i.Rect.Dy() == 68 }},
		{"half the size", func(i *image.NRGBA) bool { return i.Rect.Dx() == 60 && i.Rect.Dy() == 40 }},
		{"add a red border",
			func(i *image.NRGBA) bool { c := px(i, 0, 40); return c.R > 150 && c.G < 90 && i.Rect.Dx() == 120 }},
		{"a thick black frame", func(i *image.NRGBA) bool { return px(i, 3, 40).R < 40 }},
		{"make it blue with a black frame", func(i *image.NRGBA) bool {
			return px(i, 0, 40).B < 40 && px(i, 100, 40).B > px(i, 100, 40).R+20
		}},
		{`caption "Grey rain and snow"`,
			func(i *image.NRGBA) bool { return !grey(i) && px(i, 2, 78).G < 90 && px(i, 5, 5) == px(was, 5, 5) }},
		{"winter", func(i *image.NRGBA) bool { _, g, b := mean(i); return b >= g-10 && light(i) > light(was) }},
		{"make it snow", func(i *image.NRGBA) bool { return light(i) > light(was) }},
		{"night", func(i *image.NRGBA) bool { r, _, b := mean(i); return light(i) < light(was)/2 && b > r }},
		{"sunset", func(i *image.NRGBA) bool { r, _, b := mean(i); return r-b > wasR-wasB+10 }},
		{"autumn", func(i *image.NRGBA) bool { c := px(i, 60, 70); return c.R > c.G }},
		{"vignette", func(i *image.NRGBA) bool {
			return px(i, 1, 1).B < px(was, 1, 1).B-30 && px(i, 60, 30).B > px(was, 60, 30).B-20
		}},
		{"make it a pencil sketch", func(i *image.NRGBA) bool { c := px(i, 60, 10); return c.R > 200 && c.B > 200 }},
		{"make it a winter night and add a border",
			func(i *image.NRGBA) bool { return px(i, 0, 0).R > 200 && light(i) < light(was) }},
		{"Please make it brighter, then mirror it; and add a vignette.",
			func(i *image.NRGBA) bool { return px(i, 100, 40).G < 110 }},
	} {
		t.Run(c.instruction, func(t *testing.T) {
			if !c.ok(edit(t, c.instruction, source)) {
				t.Error("the picture does not show it")
			}
		})
	}
}

func TestEveryOperationChangesThePicture(t *testing.T) {
	source := encoded(t, scene())
	_, err := retouch.Edit(t.Context(), "xyzzy", source, 0)
	var refused *engine.Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(refused.Message, "It can do: ")
	operations, added, _ := strings.Cut(strings.TrimSuffix(list, "."), "; and add a ")
	all := strings.Split(operations, ", ")
	for _, a := range strings.Split(added, ", ") {
		all = append(all, "add a "+a)
	}
	if len(all) < 50 {
		t.Fatalf("only %d operations are named: %q", len(all), refused.Message)
	}
	for _, name := range all {
		instruction := strings.NewReplacer("caption “…”", "caption “Hi”", " (square, 16:9 …)", " square", " (90 …)",
			" 90",
			" (blue …)", " blue", "or less ", "").Replace(name)
		got := edit(t, instruction, source)
		if got.Rect == scene().Rect && bytes.Equal(got.Pix, scene().Pix) {
			t.Errorf("%q changes nothing", instruction)
		}
	}
}

func TestRefusals(t *testing.T) {
	source := encoded(t, scene())
	for _, c := range []struct {
		name, instruction string
		source            []byte
		code              string
	}{
		{"removing something", "remove the man on the left", source, "bad_request"},
		{"swapping something", "replace the sky with a wall", source, "bad_request"},
		{"nonsense", "frobnicate it", source, "bad_request"},
		{"one of two", "make it brighter and give him a hat", source, "bad_request"},
		{"nothing but politeness", "please make it nice", source, "bad_request"},
		{"a caption without words", "add a caption", source, "bad_request"},
		{"letters the font has not", `caption "猫"`, source, "bad_request"},
		{"a ratio out of range", "crop to 9:1", source, "bad_request"},
		{"no picture", "grey", []byte("GIF89a"), "bad_image"},
		{"half a picture", "grey", source[:len(source)/2], "bad_image"},
		{"a giant by its header", "grey", giant(), "too_large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := retouch.Edit(t.Context(), c.instruction, c.source, 0)
			var refused *engine.Error
			if !errors.As(err, &refused) || refused.Code != c.code || refused.Status < 400 || refused.Status > 422 {
				t.Errorf("got %v, want a refusal %s", err, c.code)
			}
		})
	}
}

// giant is a PNG header that claims 50,000 by 50,000 px.
func giant() []byte {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\xc3\x50\x00\x00\xc3\x50\x08\x02\x00\x00\x00")
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[12:]))
}

func TestLargeSourcesAreScaledDown(t *testing.T) {
	got := edit(t, "invert", encoded(t, image.NewGray(image.Rect(0, 0, 3000, 2000))))
	if n := got.Rect.Dx() * got.Rect.Dy(); n > 4_000_000 || n < 3_800_000 {
		t.Errorf("the result has %d px", n)
	}
	if r := float64(got.Rect.Dx()) / float64(got.Rect.Dy()); r < 1.49 || r > 1.51 {
		t.Errorf("the result has the ratio %.2f", r)
	}
}

func TestTransparencyBecomesWhite(t *testing.T) {
	got := edit(t, "half the size", encoded(t, image.NewNRGBA(image.Rect(0, 0, 20, 20))))
	if c := got.NRGBAAt(5, 5); c != (color.NRGBA{255, 255, 255, 255}) {
		t.Errorf("it became %v", c)
	}
}

func TestPhotographsAreTurnedUpright(t *testing.T) {
	var plain bytes.Buffer
	if err := jpeg.Encode(&plain, scene(), nil); err != nil {
		t.Fatal(err)
	}
	for orientation, want := range map[byte]struct{ w, h, x, y int }{ // where the red square is
		1: {120, 80, 25, 40}, 2: {120, 80, 95, 40}, 3: {120, 80, 95, 40}, 4: {120, 80, 25, 40}, 5: {80, 120, 40,
			25}, 6: {80,
			120, 40, 25}, 7: {80, 120, 40, 95}, 8: {80, 120, 40, 95}, 9: {120, 80, 25, 40},
	} {
		exif := append(
			[]byte("\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12"+
				"\x00\x03\x00\x00\x00\x01\x00"), orientation, 0, 0, 0, 0, 0, 0,
		)
		source := append(append([]byte("\xff\xd8"), exif...), plain.Bytes()[2:]...)
		got := edit(t, "vignette", source)
		if got.Rect.Dx() != want.w || got.Rect.Dy() != want.h {
			t.Errorf("orientation %d: %v, want %dx%d", orientation, got.Rect, want.w, want.h)
			continue
		}
		if c := got.NRGBAAt(want.x, want.y); c.R < 130 || c.G > 110 {
			t.Errorf("orientation %d: the red square is not at %d,%d: %v", orientation, want.x, want.y, c)
		}
	}
}

func TestTinyPictures(t *testing.T) {
	source := encoded(t, image.NewRGBA(image.Rect(0, 0, 1, 1)))
	for _, instruction := range []string{"winter night with a border", "crop 4:1", "half the size", "blur and sharpen",
		"oil", "cartoon", "rotate 33", "pixelate", "watercolour", "add a cat", `caption "x"`, "neon", "sketch", "zoom in", "fog and rain"} {
		edit(t, instruction, source)
	}
}

func FuzzEdit(f *testing.F) {
	for _, s := range []string{"winter", `caption "a`, "crop 0:0", "rotate 99999", "border red red", "\x01", "\x011",
		`"" '' “”`, "make it (", "rotate -7.5", "and and and"} {
		f.Add(s, []byte{})
	}
	f.Add("grey", []byte("\xff\xd8\xff\xe1\x00\x10Exif\x00\x00MM\x00\x2a\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, instruction string, source []byte) {
		if len(source) == 0 {
			source = encoded(t, image.NewRGBA(image.Rect(0, 0, 9, 7)))
		}
		_, err := retouch.Edit(t.Context(), instruction, source, 0)
		var refused *engine.Error
		if err != nil && !errors.As(err, &refused) {
			t.Errorf("%q: %v is no refusal", instruction, err)
		}
	})
}
