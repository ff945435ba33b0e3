package picture

import (
	"image"
	"math"
)

// Scale returns a copy of img whose longer side has at most maxPx pixels: the
// preview to keep when the decoded picture is dropped. A smaller picture keeps
// its size.
func Scale(img image.Image, maxPx int) *image.RGBA {
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	if longer := max(w, h); longer > maxPx && maxPx > 0 {
		w = max(w*maxPx/longer, 1)
		h = max(h*maxPx/longer, 1)
	}
	return average(img, w, h)
}

// mostOff is how much a box may be too wide or too high for its picture before a
// smaller one is looked for.
const mostOff = 0.03

// Fit returns a size in cells, at most w by h, that has the shape of a picture of
// px by py pixels: the largest one, or one that is up to an eighth smaller where
// whole cells suit that shape better. aspect is a cell's height over its width, 2
// when it is 0. It returns 0, 0 when there is no room or no picture.
func Fit(px, py, w, h int, aspect float64) (cols, rows int) {
	if px < 1 || py < 1 || w < 1 || h < 1 {
		return 0, 0
	}
	if aspect <= 0 {
		aspect = 2
	}
	shape := float64(py) / float64(px) / aspect // rows for each column
	widest := min(max(int(float64(h)/shape+0.5), 1), w)
	least := math.Inf(1)
	for c := widest; c >= max(widest*7/8, 1) && least > mostOff; c-- {
		r := min(max(int(float64(c)*shape+0.5), 1), h)
		if off := math.Abs(math.Log(float64(r) / (float64(c) * shape))); off < least {
			cols, rows, least = c, r, off
		}
	}
	return cols, rows
}
