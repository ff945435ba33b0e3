package pixels_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"testing"

	"confab/internal/pixels"
)

// TestALargePictureIsDecodedAlone checks that others, small or large, wait for a large picture.
func TestALargePictureIsDecodedAlone(t *testing.T) {
	acquire := func(bytes int64) (func(), error) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("it would wait"))
		return pixels.Acquire(ctx, bytes)
	}
	small, err := pixels.Acquire(t.Context(), pixels.Bytes/4)
	must(t, err)
	beside, err := pixels.Acquire(t.Context(), pixels.Bytes/4)
	must(t, err)
	if _, err := acquire(pixels.Bytes); err == nil || err.Error() != "it would wait" {
		t.Errorf("a large one beside two small ones: %v", err)
	}
	small()
	beside()
	large, err := pixels.Acquire(t.Context(), 10*pixels.Bytes)
	must(t, err)
	if _, err := acquire(1); err == nil {
		t.Error("a small one beside one that takes more than there is")
	}
	large()
	if last, err := pixels.Acquire(t.Context(), pixels.Bytes); err != nil {
		t.Error(err)
	} else {
		last()
	}
}

func encodePNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img))
	return b.Bytes()
}

func encodeJPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, jpeg.Encode(&b, img, nil))
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
		pixels.Scale(img, 20, 10)
	})
}
