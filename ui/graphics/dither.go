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
				*p = nearest(want)
				got := [3]int{int(p.r), int(p.g), int(p.b)}
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
func nearest(want [3]int) cellPart {
	cube, values := 0, [3]int{}
	for i, v := range want {
		level := (v - 35) / 40 // the levels are 40 apart, but for the first one
		switch {
		case v < 48:
			level = 0
		case v < 115:
			level = 1
		}
		cube, values[i] = cube*6+level, levels[level]
	}
	step := min(max((want[0]+want[1]+want[2])/3-3, 0)/10, 23)
	wanted, grey := paletteColor(0, want), paletteColor(232+step, [3]int{8 + 10*step, 8 + 10*step, 8 + 10*step})
	color := paletteColor(16+cube, values)
	if distance(wanted, grey) < distance(wanted, color) {
		return grey
	}
	return color
}

// paletteColor returns a color of the palette of 256.
func paletteColor(index int, rgb [3]int) cellPart {
	r, g, b := uint8(rgb[0]), uint8(rgb[1]), uint8(rgb[2])
	return cellPart{r: r, g: g, b: b, index: uint8(index), indexed: true, solid: true}
}
