package api_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"runtime"
	"strings"
	"testing"

	"confab/internal/testflags"
	"confab/internal/testserver"
	"confab/service/api"
)

const pixels = 40_000_000

func TestJudgeImage(t *testing.T) {
	encode := func(m image.Image) []byte {
		var b bytes.Buffer
		must(t, png.Encode(&b, m))
		return b.Bytes()
	}
	var grey bytes.Buffer
	must(t, jpeg.Encode(&grey, image.NewGray(image.Rect(0, 0, 9, 7)), nil))
	size := image.Rect(0, 0, 33, 17)
	palette := color.Palette{color.Black, color.Transparent}
	wrongSum := testserver.Giant(8000, 8000)
	wrongSum[len(wrongSum)-14] ^= 1
	for _, tt := range []struct {
		name  string
		b     []byte
		limit int
		want  api.ImageFacts
		code  api.Code
	}{
		{"png", testserver.PNG(33, 17), pixels, api.ImageFacts{ContentType: "image/png", Width: 33, Height: 17}, ""},
		{"jpeg", testserver.JPEG(33, 17), pixels, api.ImageFacts{ContentType: "image/jpeg", Width: 33, Height: 17}, ""},
		{"grey jpeg", grey.Bytes(), pixels, api.ImageFacts{ContentType: "image/jpeg", Width: 9, Height: 7}, ""},
		{"grey png", encode(image.NewGray(size)), pixels,
			api.ImageFacts{ContentType: "image/png", Width: 33, Height: 17},
			""},
		{"sixteen bits", encode(image.NewNRGBA64(size)), pixels,
			api.ImageFacts{ContentType: "image/png", Width: 33, Height: 17}, ""},
		{"palette", encode(image.NewPaletted(size, palette)), pixels,
			api.ImageFacts{ContentType: "image/png", Width: 33, Height: 17}, ""},
		{"one pixel", encode(image.NewNRGBA(image.Rect(0, 0, 1, 1))), pixels,
			api.ImageFacts{ContentType: "image/png", Width: 1, Height: 1}, ""},
		{"exactly the limit", testserver.PNG(20, 10), 200,
			api.ImageFacts{ContentType: "image/png", Width: 20, Height: 10},
			""},
		{"over the limit", testserver.PNG(20, 10), 199,
			api.ImageFacts{ContentType: "image/png", Width: 20, Height: 10, IsTooLarge: true}, ""},
		{"jpeg over the limit", testserver.JPEG(20, 10), 199,
			api.ImageFacts{ContentType: "image/jpeg", Width: 20, Height: 10, IsTooLarge: true}, ""},
		{"too costly for the limit", encode(image.NewNRGBA64(size)), 33 * 17,
			api.ImageFacts{ContentType: "image/png", Width: 33, Height: 17, IsTooLarge: true}, ""},
		{"over the limit and cut", testserver.PNG(20, 10)[:60], 199, api.ImageFacts{}, api.CodeBadImage},
		{"jpeg over the limit and cut", testserver.JPEG(64, 64)[:700], 199, api.ImageFacts{}, api.CodeBadImage},
		{"truly giant", testserver.Giant(8000, 8000), pixels,
			api.ImageFacts{ContentType: "image/png", Width: 8000, Height: 8000, IsTooLarge: true}, ""},
		{"truly giant, wrong sum", wrongSum, pixels, api.ImageFacts{}, api.CodeBadImage},
		{"padded bomb", withNote(testserver.Bomb(50000, 50000), 12<<20), pixels, api.ImageFacts{}, api.CodeTooLarge},
		{"bomb", testserver.Bomb(50000, 50000), pixels, api.ImageFacts{}, api.CodeTooLarge},
		{"wide bomb", testserver.Bomb(1<<31-1, 1), pixels, api.ImageFacts{}, api.CodeTooLarge},
		{"bomb of the largest sides", testserver.Bomb(1<<31-1, 1<<31-1), pixels, api.ImageFacts{}, api.CodeBadImage},
		{"impossible sides", testserver.Bomb(1<<31, 1<<31), pixels, api.ImageFacts{}, api.CodeBadImage},
		{"bomb within the limit", testserver.Bomb(6000, 6000), pixels, api.ImageFacts{}, api.CodeBadImage},
		{"empty", nil, pixels, api.ImageFacts{}, api.CodeBadImage},
		{"text", []byte("hello"), pixels, api.ImageFacts{}, api.CodeBadImage},
		{"jpeg of two bytes and one", []byte("\xff\xd8\xff"), pixels, api.ImageFacts{}, api.CodeBadImage},
		{"jpeg without a frame", []byte("\xff\xd8\xff\xd9"), pixels, api.ImageFacts{}, api.CodeBadImage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := api.JudgeImage(t.Context(), tt.b, tt.limit)
			if got != tt.want || api.CodeOf(err) != tt.code {
				t.Errorf("got %+v, %v, want %+v, %q", got, err, tt.want, tt.code)
			}
			if err != nil {
				judgeSentence(t, err.(*api.Error).Message)
			}
		})
	}
}

// withNote returns a PNG with a note of n bytes after the header, which makes the
// file large enough for what the header claims, but not its pixels.
func withNote(b []byte, n int) []byte {
	note := append([]byte("tEXtpad\x00"), bytes.Repeat([]byte("x"), n)...)
	part := binary.BigEndian.AppendUint32(nil, uint32(len(note)-4))
	part = append(part, note...)
	part = binary.BigEndian.AppendUint32(part, crc32.ChecksumIEEE(note))
	const header = 8 + 25
	return append(append(append([]byte{}, b[:header]...), part...), b[header:]...)
}

func TestEveryCutIsNoticed(t *testing.T) {
	for _, whole := range [][]byte{testserver.PNG(20, 20), testserver.JPEG(20, 20)} {
		for n := range len(whole) {
			if _, err := api.JudgeImage(t.Context(), whole[:n], pixels); api.CodeOf(err) != api.CodeBadImage {
				t.Fatalf("%d of %d bytes: got %v, want bad_image", n, len(whole), err)
			}
		}
	}
}

func TestJudgingHonoursTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := api.JudgeImage(ctx, testserver.PNG(20, 20), pixels); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestMemoryIsBounded counts what is allocated in all, freed or not.
func TestMemoryIsBounded(t *testing.T) {
	if !testflags.IsLong() {
		t.Skip("allocates")
	}
	s := testserver.New(t)
	defaults := func(o *api.Options) { o.Limits = api.Limits{} }
	for name, most := range map[string]uint64{
		"gzip-bomb":        64 << 20, // the limit of JSON is 8 MiB; the service's own part is in it
		"endless-chunked":  48 << 20,
		"header-flood":     8 << 20,
		"flood-1xx":        8 << 20,
		"png-bomb-header":  8 << 20,
		"png-bomb-modest":  8 << 20,
		"jpeg-bomb-header": 8 << 20,
		"image-huge":       160 << 20, // that of a picture is 64 MiB
	} {
		t.Run(name, func(t *testing.T) {
			request := textTo(name)
			if strings.Contains(name, "image") || strings.Contains(name, "bomb-") {
				request = imageTo(name)
			}
			client := newClient(t, s.URL, defaults)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := client.Do(t.Context(), request, nil)
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Error("got an answer")
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > most {
				t.Errorf("allocated %d MiB, want at most %d", took>>20, most>>20)
			}
		})
	}
}
