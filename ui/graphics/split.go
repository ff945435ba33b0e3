package graphics

// near is the squared distance of two colours that look like one. Drawing them
// as one halves the bytes of skies and walls.
const near = 3 * 4 * 4

// split divides the four parts of a cell into a foreground and a background, so
// that the two colours are as close to the four as they can be. Transparent parts
// are the background where there are any.
func split(p [4]cellPart) (mask int, fg, bg cellPart) {
	solid := 0
	for i := range p {
		if p[i].solid {
			solid |= 1 << i
		}
	}
	if solid != 15 {
		return solid, mean(&p, solid), cellPart{}
	}
	if distance(p[0], p[1]) <= near && distance(p[0], p[2]) <= near && distance(p[0], p[3]) <= near {
		return 15, mean(&p, 15), cellPart{}
	}
	var all [3]int32
	for i := range p {
		all[0] += int32(p[i].r)
		all[1] += int32(p[i].g)
		all[2] += int32(p[i].b)
	}
	// The error of a division is the same sum for all less this gain, the squares
	// of the two sums over their counts. 12 makes all counts whole.
	best, gain := 15, square(all)*3
	for m := 1; m < 8; m++ { // the others are these with the grounds exchanged
		var in [3]int32
		n := int64(0)
		for i := range p {
			if m&(1<<i) != 0 {
				in[0] += int32(p[i].r)
				in[1] += int32(p[i].g)
				in[2] += int32(p[i].b)
				n++
			}
		}
		out := [3]int32{all[0] - in[0], all[1] - in[1], all[2] - in[2]}
		if g := square(in)*(12/n) + square(out)*12/(4-n); g > gain {
			best, gain = m, g
		}
	}
	if best == 15 {
		return 15, mean(&p, 15), cellPart{}
	}
	fg, bg = mean(&p, best), mean(&p, 15-best)
	if distance(fg, bg) <= near {
		return 15, mean(&p, 15), cellPart{}
	}
	return best, fg, bg
}

func square(v [3]int32) int64 {
	return int64(v[0])*int64(v[0]) + int64(v[1])*int64(v[1]) + int64(v[2])*int64(v[2])
}

// mean returns the mean colour of the parts in mask.
func mean(p *[4]cellPart, mask int) cellPart {
	var r, g, b, n int
	for i := range p {
		if mask&(1<<i) != 0 {
			r, g, b, n = r+int(p[i].r), g+int(p[i].g), b+int(p[i].b), n+1
		}
	}
	if n == 0 {
		return cellPart{}
	}
	return cellPart{r: uint8((r + n/2) / n), g: uint8((g + n/2) / n), b: uint8((b + n/2) / n), solid: true}
}

// splitHalves does the same for an upper and a lower half.
func splitHalves(upper, lower cellPart) (mask int, fg, bg cellPart) {
	switch {
	case upper == lower && upper.solid:
		return 15, upper, cellPart{}
	case !upper.solid && !lower.solid:
		return 0, cellPart{}, cellPart{}
	case !upper.solid:
		return 12, lower, cellPart{}
	}
	return 3, upper, lower
}

func distance(a, b cellPart) int {
	r, g, bl := int(a.r)-int(b.r), int(a.g)-int(b.g), int(a.b)-int(b.b)
	return r*r + g*g + bl*bl
}
