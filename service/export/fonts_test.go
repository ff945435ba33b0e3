package export

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gomono"

	"confab/history"
)

func TestWrap(t *testing.T) {
	l, err := newCaptionFonts(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text string
		w    string // as wide as this
		most int
		want []string
	}{
		{"", "mmmm", 3, []string{""}},
		{"one two three", "one two three", 3, []string{"one two three"}},
		{"one two three", "one two t", 3, []string{"one two", "three"}},
		{"one two three four", "one tw", 2, []string{"one", "two three four"}},
		{"abcdefgh", "abcd", 5, []string{"abcd", "efgh"}},
		{"a", "", 3, []string{"a"}},
		{"mm", "", 2, []string{"m", "m"}},
	} {
		if got := l.wrap(tt.text, l.width([]rune(tt.w)), tt.most); !slices.Equal(got, tt.want) {
			t.Errorf("%q as wide as %q: got %q, want %q", tt.text, tt.w, got, tt.want)
		}
	}
}

func TestFindFonts(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"a/NotoSansCJK-Bold.ttc", "a/NotoSansCJK-Regular.ttc", "b/DejaVuSans.ttf", "b/DejaVuSans-Oblique.ttf",
		"WQY-ZenHei.ttc", "Comic.ttf", "notosans.txt", "unifont.otf",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, gomono.TTF, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, path := range findFonts([]string{dir, filepath.Join(dir, "none")}) {
		got = append(got, filepath.Base(path))
	}
	want := []string{"NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc", "WQY-ZenHei.ttc", "unifont.otf",
		"DejaVuSans.ttf"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// They are opened one after the other, and what none has is a box.
	l, err := newCaptionFonts([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	if l.width([]rune("abc")); len(l.fonts) != 1 {
		t.Errorf("%d fonts for letters that are built in", len(l.fonts))
	}
	if l.faceOf('山') != l.fonts[0].face || len(l.fonts) != 6 {
		t.Errorf("%d fonts, want 6 and the built-in one's box", len(l.fonts))
	}
}

// Letters that the built-in font lacks come from a font of the machine.
func TestLettersOfTheMachine(t *testing.T) {
	folders := []string{"/usr/share/fonts"}
	l, err := newCaptionFonts(folders)
	if err != nil {
		t.Fatal(err)
	}
	if l.faceOf('山') == l.fonts[0].face {
		t.Skip("no font here has the letter")
	}
	img := image.NewRGBA(image.Rect(0, 0, 100, 20))
	other := image.NewRGBA(img.Bounds())
	l.draw(img, image.Pt(0, 15), 100, "山海", color.White)
	l.draw(other, image.Pt(0, 15), 100, "海山", color.White)
	if bytes.Equal(img.Pix, other.Pix) {
		t.Error("two letters look the same")
	}
}

// From one picture to a hundred a sheet is whole and bounded, with the prompt
// above or below.
func TestSheetsOfAllSizes(t *testing.T) {
	var small bytes.Buffer
	if err := png.Encode(&small, image.NewRGBA(image.Rect(0, 0, 30, 10))); err != nil {
		t.Fatal(err)
	}
	give := func(context.Context, history.Answer) ([]byte, error) { return small.Bytes(), nil }
	for _, n := range []int{1, 2, 3, 17, 100} {
		for _, prompts := range []int{1, 2} {
			var cells []Cell
			for i := range n {
				cells = append(cells,
					Cell{Number: i + 1, Turn: history.Turn{Prompt: strings.Repeat("very long ", 1+i%prompts*400)},
						Answer: history.Answer{Model: "m", Kind: history.KindImage, State: history.Done,
							Picture: &history.Picture{}}})
			}
			var b bytes.Buffer
			if err := ContactSheet(t.Context(), &b, Run{Name: "name", Cells: cells}, Options{Picture: give},
				nil); err != nil {
				t.Fatal(err)
			}
			size, err := png.DecodeConfig(bytes.NewReader(b.Bytes()))
			if err != nil || size.Width*size.Height > maxSheet || size.Width < usualTile || b.Len() > 4<<20 {
				t.Errorf("%d of %d prompts: %d x %d px, %d bytes, %v", n, prompts, size.Width, size.Height, b.Len(),
					err)
			}
		}
	}
}
