package screen_test

import (
	"image"
	"strings"
	"testing"

	"confab/themes"
	"confab/ui/screen"
)

// TestTheScreenBehindIsFaintWithoutColors: the dialog and the footer stay as they are, and no part of a word that the
// dialog covers in part is left.
func TestTheScreenBehindIsFaintWithoutColors(t *testing.T) {
	behind := "\x1b[1mbehind\x1b[m\na behind b\nfooter"
	drawn := screen.DrawLayers(themes.New(themes.Palette{}), behind, "\x1b[1mask\x1b[m", image.Rect(4, 1, 7, 2))
	lines := strings.Split(drawn, "\n")
	for i, want := range []string{"\x1b[2mbehind\x1b[m",
		"\x1b[2ma\x1b[m   \x1b[1mask\x1b[m  \x1b[2mb\x1b[m", "footer"} {
		if lines[i] != want {
			t.Errorf("line %d is %q, want %q", i, lines[i], want)
		}
	}
}
