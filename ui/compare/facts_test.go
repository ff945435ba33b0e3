package compare_test

import (
	"image"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"confab/ui/graphics"
)

// TestFactsStandBesidePictures asks that they leave every cell of the pictures, also where a terminal draws those by
// their ids.
func TestFactsStandBesidePictures(t *testing.T) {
	a := newAlbum(t, 200, 56, colorprofile.TrueColor, pictureCase(), 1)
	shown := a.Pictures()
	ids := graphics.NewImageIDs(0)
	for _, p := range shown {
		ids.Assign(p.File)
		ids.SetSent(p.File, true)
	}
	a.SetImageIDs(ids, 2)
	a.settle()
	lines := a.View()
	if text := ansi.Strip(strings.Join(lines, "\n")); !strings.Contains(text, "sha256") {
		t.Errorf("there are no facts:\n%s", text)
	}
	perLine := map[int]int{}
	for _, p := range a.Pictures() {
		for y := range p.Cells.Y {
			perLine[p.At.Y+y] += p.Cells.X
		}
	}
	if len(perLine) == 0 {
		t.Fatal("no picture is shown")
	}
	for y, want := range perLine {
		if got := strings.Count(lines[y], string(kitty.Placeholder)); got != want {
			t.Errorf("line %d has %d cells of pictures, want %d", y, got, want)
		}
		if w := ansi.StringWidth(lines[y]); w != 200 {
			t.Errorf("line %d takes %d cells", y, w)
		}
	}
	if !shown[0].At.In(image.Rect(0, 0, 200, 56)) {
		t.Errorf("a picture is at %v", shown[0].At)
	}
}
