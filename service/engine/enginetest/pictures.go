package enginetest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"confab/service/engine"
)

func testImage(t *testing.T, make func(t *testing.T) engine.Engine, tr Traits) {
	e := make(t)
	seen := map[string]string{}
	for _, model := range tr.Image {
		for _, aspect := range []string{"1:1", "16:9", "9:16"} {
			p, err := e.Image(t.Context(),
				engine.ImageRequest{Model: model, Prompt: "a boat on a lake", Aspect: aspect})
			if err != nil {
				t.Fatalf("%s %s: %v", model, aspect, err)
			}
			img := decode(t, p)
			w, h, err := engine.ParseAspect(aspect)
			if err != nil {
				t.Fatal(err)
			}
			size := img.Bounds().Size()
			told := p.Note != "" && strings.Contains(p.Note, fmt.Sprintf("%dx%d", size.X, size.Y))
			if got, want := float64(size.X)/float64(size.Y), w/h; (got < want*0.97 || got > want*1.03) && !told {
				t.Errorf("%s %s: the picture is %v, a ratio of %.2f, want %.2f, or a note that tells (%q)", model,
					aspect, size,
					got, want, p.Note)
			}
		}
		if !tr.Repeats {
			continue
		}
		ask := engine.ImageRequest{Model: model, Prompt: "a boat on a lake", Aspect: "1:1", Nonce: "a"}
		first := mustImage(t, e, ask)
		if again := mustImage(t, make(t), ask); !bytes.Equal(first, again) {
			t.Errorf("%s: the same nonce gave another picture", model)
		}
		fresh := ask
		fresh.Nonce = "b"
		if bytes.Equal(first, mustImage(t, e, fresh)) {
			t.Errorf("%s: another nonce gave the same picture", model)
		}
		if other, ok := seen[string(first)]; ok {
			t.Errorf("%s and %s draw the same picture", model, other)
		}
		seen[string(first)] = model
	}
}

func mustImage(t *testing.T, e engine.Engine, r engine.ImageRequest) []byte {
	t.Helper()
	p, err := e.Image(t.Context(), r)
	if err != nil {
		t.Fatalf("Image(%+v): %v", r, err)
	}
	return p.Bytes
}

func testEdit(t *testing.T, make func(t *testing.T) engine.Engine, tr Traits) {
	e := make(t)
	for _, model := range tr.Edit {
		for name, source := range map[string][]byte{"png": Source(t, 96, 64, false), "jpeg": Source(t, 96, 64, true)} {
			ask := engine.EditRequest{Model: model, Prompt: "make it black and white", Source: source}
			p, err := e.Edit(t.Context(), ask)
			if err != nil {
				t.Fatalf("%s %s: %v", model, name, err)
			}
			decode(t, p)
			if bytes.Equal(p.Bytes, source) {
				t.Errorf("%s %s: the picture was not changed", model, name)
			}
			if !tr.Repeats {
				continue
			}
			again, err := make(t).Edit(t.Context(), ask)
			if err != nil || !bytes.Equal(again.Bytes, p.Bytes) {
				t.Errorf("%s %s: the same edit gave another picture (%v)", model, name, err)
			}
		}
	}
}

// decode checks that a picture is complete and of its declared type.
func decode(t *testing.T, p engine.Picture) image.Image {
	t.Helper()
	img, format, err := image.Decode(bytes.NewReader(p.Bytes))
	if err != nil {
		t.Fatalf("the picture does not decode: %v", err)
	}
	if p.ContentType != "image/"+format || format != "png" && format != "jpeg" {
		t.Errorf("the content type is %q, the bytes are %s", p.ContentType, format)
	}
	return img
}

// Source returns a gradient to edit, as PNG or JPEG.
func Source(t testing.TB, w, h int, isJPEG bool) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{uint8(x * 255 / w), uint8(y * 255 / h), uint8((x + y) % 97), 255})
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, img)
	if isJPEG {
		out.Reset()
		err = jpeg.Encode(&out, img, nil)
	}
	if err != nil {
		t.Fatalf("encode a source: %v", err)
	}
	return out.Bytes()
}
