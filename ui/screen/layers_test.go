package screen_test

import (
	"image"
	"strings"
	"testing"

	"confab/themes"
	"confab/ui/screen"
)

// TestTheScreenBehindIsFaintWithoutColors: the dialog and the footer stay as they are.
func TestTheScreenBehindIsFaintWithoutColors(t *testing.T) {
	behind := "\x1b[1mbehind\x1b[m\nbehind\nfooter"
	drawn := screen.DrawLayers(themes.New(themes.Palette{}), behind, "\x1b[1mask\x1b[m", image.Rect(1, 1, 4, 2))
	lines := strings.Split(drawn, "\n")
	for i, want := range []string{"\x1b[2mbehind\x1b[m", "\x1b[2mb\x1b[22;1mask\x1b[22;2mnd\x1b[m", "footer"} {
		if lines[i] != want {
			t.Errorf("line %d is %q, want %q", i, lines[i], want)
		}
	}
}
