package retouch

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strings"

	"confab/internal/pixels"
)

// samples is the number of sampled pixels per row and column for finding the main colors.
const samples = 64

// Describe returns the size and main colors of a PNG or JPEG, such as "640x480 pixels, mostly blue and grey".
func Describe(ctx context.Context, source []byte) (string, error) {
	img, err := decodeSource(ctx, source)
	if err != nil {
		return "", err
	}
	whole, err := pixels.Size(source)
	if err != nil {
		return "", err
	}
	size, counts := img.Rect.Size(), map[string]int{} // the size after scaling down
	for y := range samples {
		for x := range samples {
			counts[colorName(img.RGBAAt(x*size.X/samples, y*size.Y/samples))]++
		}
	}
	maps.DeleteFunc(counts, func(_ string, n int) bool { return n < samples*samples/8 })
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	colors := []string{"of many colors", "mostly %s", "mostly %s and %s", "mostly %s, %s and %s"}[min(3, len(names))]
	for _, name := range names[:min(3, len(names))] {
		colors = strings.Replace(colors, "%s", name, 1)
	}
	return fmt.Sprintf("%dx%d pixels, %s", whole.X, whole.Y, colors), nil
}

// colorName names a color by its lightness and hue.
func colorName(c color.RGBA) string {
	r, g, b := int(c.R), int(c.G), int(c.B)
	light, dark := max(r, g, b), min(r, g, b)
	chroma := light - dark
	switch {
	case light < 40:
		return "black"
	case dark > 215:
		return "white"
	case chroma < 32:
		return "grey"
	}
	hue := 0 // in degrees
	switch light {
	case r:
		hue = 60 * (g - b) / chroma
	case g:
		hue = 120 + 60*(b-r)/chroma
	default:
		hue = 240 + 60*(r-g)/chroma
	}
	hues := loadedVocabulary().Hues
	i := slices.IndexFunc(hues, func(h namedHue) bool { return (hue+360)%360 < h.Below && light < h.Light })
	return hues[i].Name
}
