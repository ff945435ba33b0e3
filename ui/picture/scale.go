package picture

import "image"

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

// Fit returns the largest size in cells, at most w by h, that keeps the shape of
// a picture of px by py pixels. aspect is a cell's height over its width, 2 when
// it is 0. It returns 0, 0 when there is no room or no picture.
func Fit(px, py, w, h int, aspect float64) (cols, rows int) {
	if px < 1 || py < 1 || w < 1 || h < 1 {
		return 0, 0
	}
	if aspect <= 0 {
		aspect = 2
	}
	shape := float64(py) / float64(px) / aspect // rows for each column
	cols, rows = w, int(float64(w)*shape+0.5)
	if rows > h {
		cols, rows = int(float64(h)/shape+0.5), h
	}
	return min(max(cols, 1), w), min(max(rows, 1), h)
}
