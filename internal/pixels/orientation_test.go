package pixels_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"

	"confab/internal/pixels"
)

// corner returns a white picture of 30 by 20 px with a black upper left corner.
func corner() *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, 30, 20), color.Palette{color.White, color.Black})
	for y := range 8 {
		for x := range 8 {
			img.SetColorIndex(x, y, 1)
		}
	}
	return img
}

// exif returns EXIF data with an orientation.
func exif(orientation byte) []byte {
	return append([]byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"),
		orientation, 0, 0, 0, 0, 0, 0)
}

// A comment and a profile precede the EXIF data, as cameras and editors write them.
func jpegWith(t *testing.T, orientation byte) []byte {
	var b bytes.Buffer
	must(t, jpeg.Encode(&b, corner(), nil))
	segment := func(marker byte, body []byte) []byte {
		return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
	}
	return slices.Concat(b.Bytes()[:2], segment(0xe2, make([]byte, 65000)), segment(0xe2, make([]byte, 65000)),
		segment(0xe1, append([]byte("Exif\x00\x00"), exif(orientation)...)), b.Bytes()[2:])
}

func pngWith(t *testing.T, orientation byte) []byte {
	var b bytes.Buffer
	must(t, png.Encode(&b, corner()))
	body := append([]byte("eXIf"), exif(orientation)...)
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(body)-4)), body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(body))
	return slices.Concat(b.Bytes()[:33], chunk, b.Bytes()[33:])
}

func TestDecodeTurnsPicturesUpright(t *testing.T) {
	upperLeft, upperRight, lowerLeft, lowerRight := image.Pt(0, 0), image.Pt(1, 0), image.Pt(0, 1), image.Pt(1, 1)
	for orientation, want := range map[byte]struct {
		size  image.Point
		black image.Point // the corner
	}{
		0: {image.Pt(30, 20), upperLeft}, 1: {image.Pt(30, 20), upperLeft}, 2: {image.Pt(30, 20), upperRight},
		3: {image.Pt(30, 20), lowerRight}, 4: {image.Pt(30, 20), lowerLeft}, 5: {image.Pt(20, 30), upperLeft},
		6: {image.Pt(20, 30), upperRight}, 7: {image.Pt(20, 30), lowerRight}, 8: {image.Pt(20, 30), lowerLeft},
		9: {image.Pt(30, 20), upperLeft},
	} {
		for format, b := range map[string][]byte{"JPEG": jpegWith(t, orientation), "PNG": pngWith(t, orientation)} {
			img, err := pixels.Decode(t.Context(), b, 1e6)
			must(t, err)
			size, err := pixels.Size(b)
			if err != nil || img.Bounds().Size() != want.size || size != want.size {
				t.Errorf("%s %d: decoded %v, size %v (%v), want %v", format, orientation, img.Bounds(), size, err,
					want.size)
				continue
			}
			for _, at := range []image.Point{upperLeft, upperRight, lowerLeft, lowerRight} {
				x, y := 3+at.X*(want.size.X-6), 3+at.Y*(want.size.Y-6)
				if r, _, _, _ := img.At(x, y).RGBA(); (r < 0x8000) != (at == want.black) {
					t.Errorf("%s %d: at %d, %d it is %v", format, orientation, x, y, img.At(x, y))
				}
			}
		}
	}
}

// webP is one white pixel in lossless compression.
const webP = "UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAfQ//73v/+BiOh/AAA="

func TestConvert(t *testing.T) {
	var animated bytes.Buffer
	two := &gif.GIF{Image: []*image.Paletted{corner(), corner()}, Delay: []int{1, 1}}
	must(t, gif.EncodeAll(&animated, two))
	web, err := base64.StdEncoding.DecodeString(webP)
	must(t, err)
	for name, tt := range map[string]struct {
		in   []byte
		want image.Point
	}{"GIF": {animated.Bytes(), image.Pt(30, 20)}, "WebP": {web, image.Pt(1, 1)}} {
		out, err := pixels.Convert(t.Context(), tt.in, 1e6)
		if err != nil || !pixels.IsConvertible(tt.in) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if size, err := pixels.Size(out); err != nil || size != tt.want {
			t.Errorf("%s: it is %v (%v)", name, size, err)
		}
		if _, err := pixels.Convert(t.Context(), tt.in[:len(tt.in)/3], 1e6); err == nil {
			t.Errorf("%s: a cut one was converted", name)
		}
		if _, err := pixels.Convert(t.Context(), tt.in, 0); err == nil {
			t.Errorf("%s: one of too many pixels was converted", name)
		}
	}
	if pixels.IsConvertible(pngWith(t, 1)) {
		t.Error("a PNG needs no conversion")
	}
}

// Fine black and white lines have the light of a grey of 188, not of 128.
func TestScaleTakesTheMeanOfLight(t *testing.T) {
	lines := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range lines.Pix {
		lines.Pix[i] = uint8(i%2) * 255
	}
	for _, size := range []image.Point{{8, 8}, {1, 1}, {32, 3}} {
		if c := pixels.Scale(lines, size.X, size.Y).RGBAAt(0, 0); c != (color.RGBA{188, 188, 188, 255}) {
			t.Errorf("%v: %v", size, c)
		}
	}
	for v := range 256 { // an even color never changes
		even := image.NewUniform(color.RGBA{uint8(v), uint8(255 - v), 7, 255})
		img := image.NewRGBA(image.Rect(0, 0, 10, 10))
		for i := range 100 {
			img.Set(i%10, i/10, even.C)
		}
		if c := pixels.Scale(img, 3, 7).RGBAAt(1, 3); c != even.C {
			t.Errorf("%v became %v", even.C, c)
		}
	}
	clear := image.NewNRGBA(image.Rect(0, 0, 4, 1)) // red, and as many clear pixels with hidden white
	copy(clear.Pix, []uint8{255, 0, 0, 255, 255, 0, 0, 255, 255, 255, 255, 0, 255, 255, 255, 0})
	if c := pixels.Scale(clear, 1, 1).RGBAAt(0, 0); c != (color.RGBA{128, 0, 0, 128}) {
		t.Errorf("half transparent red became %v", c)
	}
}

func TestFlatten(t *testing.T) {
	white := color.RGBA{255, 255, 255, 255}
	three := func() *image.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, 3, 1))
		img.Pix = []uint8{0, 0, 0, 0, 100, 0, 0, 128, 9, 9, 9, 255}
		return img
	}
	img := three()
	pixels.Flatten(img, white)
	if !bytes.Equal(img.Pix, []uint8{255, 255, 255, 255, 227, 127, 127, 255, 9, 9, 9, 255}) {
		t.Errorf("flattened to %v", img.Pix)
	}
	img = three()
	pixels.FlattenTranslucent(img, white)
	if !bytes.Equal(img.Pix, []uint8{0, 0, 0, 0, 227, 127, 127, 255, 9, 9, 9, 255}) {
		t.Errorf("the translucent flattened to %v", img.Pix)
	}
}

// must fails the test at once where there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
