package graphics

import "image"

// dither maps the pixels of a shrunk picture to the 240 colors of the palette of 256 that no theme changes, and spreads
// most of each error to the neighbors (Floyd and Steinberg): without that skies show bands. Dark pixels spread less:
// the step from black to the darkest red, green or blue is large, and night scenes would be full of bright dots.
func dither(img *image.RGBA) []cellPart {
	w := img.Rect.Dx()
	parts := partsOf(img)
	here, below := make([][3]int, w+2), make([][3]int, w+2)
	for y := 0; y*w < len(parts); y++ {
		row := parts[y*w : (y+1)*w]
		step, x := 1, 0
		if y%2 == 1 { // alternating directions, or the errors draw lines
			step, x = -1, w-1
		}
		for range row {
			p := &row[x]
			if p.solid {
				e := here[x+1]
				want := [3]int{clamp(int(p.r) + e[0]/16), clamp(int(p.g) + e[1]/16), clamp(int(p.b) + e[2]/16)}
				index, got := nearest(want)
				*p = cellPart{index: index, indexed: true, solid: true}
				share := min(max(want[0], want[1], want[2]), fullShare)
				for c := range 3 {
					off := (want[c] - got[c]) * 3 * share / (4 * fullShare)
					here[x+1+step][c] += off * 7
					below[x+1-step][c] += off * 3
					below[x+1][c] += off * 5
					below[x+1+step][c] += off
				}
			}
			x += step
		}
		here, below = below, here
		clear(below)
	}
	return parts
}

// fullShare is the brightness from which three quarters of an error are spread; all of it would make noise.
const fullShare = 128

func clamp(v int) int { return min(max(v, 0), 255) }

// levels are the six values of a channel in the cube of the palette.
var levels = [6]int{0, 95, 135, 175, 215, 255}

// nearest returns the color of the palette's cube and greys that is nearest.
func nearest(c [3]int) (index uint8, got [3]int) {
	var at [3]int
	for i, v := range c {
		at[i] = level(v)
		got[i] = levels[at[i]]
	}
	cube := 16 + 36*at[0] + 6*at[1] + at[2]
	step := min(max((c[0]+c[1]+c[2])/3-3, 0)/10, 23)
	v := 8 + 10*step
	grey := [3]int{v, v, v}
	if colorDistance(c, grey) < colorDistance(c, got) {
		return uint8(232 + step), grey
	}
	return uint8(cube), got
}

// level returns which of the six values is nearest to v.
func level(v int) int {
	switch {
	case v < 48:
		return 0
	case v < 115:
		return 1
	}
	return (v - 35) / 40
}

func colorDistance(a, b [3]int) int {
	n := 0
	for i := range a {
		n += (a[i] - b[i]) * (a[i] - b[i])
	}
	return n
}
