package paint

import "slices"

// raster is a grid of pixels, row by row.
type raster struct {
	w, h int
	pix  []rgb
}

func newRaster(w, h int) raster { return raster{w: w, h: h, pix: make([]rgb, w*h)} }

func (r raster) clone() raster { return raster{r.w, r.h, slices.Clone(r.pix)} }

// at returns the pixel that is nearest to x, y.
func (r raster) at(x, y int) *rgb {
	return &r.pix[min(r.h-1, max(0, y))*r.w+min(r.w-1, max(0, x))]
}

// interpolate returns the colour between pixels.
func (r raster) interpolate(x, y float64) rgb {
	i, j := int(x), int(y)
	tx, ty := x-float64(i), y-float64(j)
	return r.at(i, j).mix(*r.at(i+1, j), tx).mix(r.at(i, j+1).mix(*r.at(i+1, j+1), tx), ty)
}

// boxBlur replaces every pixel by the mean of 2*radius+1 pixels, first along the rows, then along the columns.
func (r raster) boxBlur(radius int) {
	line := make([]rgb, max(r.w, r.h))
	blurLine := func(start, step, n int) {
		pixel := func(i int) rgb { return r.pix[start+min(n-1, max(0, i))*step] }
		var sum rgb
		for i := -radius; i <= radius; i++ {
			sum.add(pixel(i), 1)
		}
		width := float32(2*radius + 1)
		for i := range n {
			line[i] = rgb{sum.r / width, sum.g / width, sum.b / width}
			next, last := pixel(i+radius+1), pixel(i-radius)
			sum = rgb{sum.r + (next.r - last.r), sum.g + (next.g - last.g), sum.b + (next.b - last.b)}
		}
		for i := range n {
			r.pix[start+i*step] = line[i]
		}
	}
	for y := range r.h {
		blurLine(y*r.w, 1, r.w)
	}
	for x := range r.w {
		blurLine(x, r.w, r.h)
	}
}
