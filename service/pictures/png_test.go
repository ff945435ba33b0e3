package pictures

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"
)

func TestTextInPNG(t *testing.T) {
	received := pngOf(t, 77)
	before, err := png.Decode(bytes.NewReader(received))
	must(t, err)
	for _, text := range []string{"plain words", "größe é", "狐\u0000\x1b[2J", strings.Repeat("x", 2*maxText),
		"broken \xff"} {
		chunk := textChunk(received, text)
		saved := slices.Concat(received[:pngHeaderEnd], chunk, received[pngHeaderEnd:])
		after, err := png.Decode(bytes.NewReader(saved))
		if err != nil {
			t.Fatalf("%.20q: the picture is broken: %v", text, err)
		}
		if !bytes.Equal(before.(*image.NRGBA).Pix, after.(*image.NRGBA).Pix) {
			t.Errorf("%.20q: pixels changed", text)
		}
		if !bytes.Equal(CleanCopy(saved), received) {
			t.Errorf("%.20q: the clean copy differs", text)
		}
		// Only the newest of two chunks is confab's.
		if textChunk(saved, text) != nil {
			t.Errorf("%.20q: a second text was put beside one of the same keyword", text)
		}
		twice := slices.Concat(saved[:pngHeaderEnd], chunk, saved[pngHeaderEnd:])
		if !bytes.Equal(CleanCopy(twice), saved) {
			t.Errorf("%.20q: more than one chunk was taken away", text)
		}
	}
}

func TestCleanCopyLeavesOthersAlone(t *testing.T) {
	var photo bytes.Buffer
	must(t, jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 4, 4)), nil))
	received := pngOf(t, 5)
	foreign := textChunk(received, "theirs")
	foreign = bytes.Replace(foreign, []byte(signed), []byte(strings.Repeat(".", len(signed))), 1)
	for name, b := range map[string][]byte{
		"jpeg": photo.Bytes(), "png": received, "empty": {}, "short": received[:pngHeaderEnd],
		"with its own parameters": slices.Concat(received[:pngHeaderEnd], foreign, received[pngHeaderEnd:]),
		"a length past the end":   append(slices.Clone(received[:pngHeaderEnd]), "\xff\xff\xff\xfftEXt12345678"...),
	} {
		if got := CleanCopy(b); !bytes.Equal(got, b) {
			t.Errorf("%s: changed", name)
		}
	}
	if textChunk(photo.Bytes(), "x") != nil {
		t.Error("a JPEG got a PNG chunk")
	}
}
