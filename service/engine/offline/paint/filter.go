package paint

import "math"

// Filter is a change of colours, as scenes.toml explains it.
type filter struct {
	Mask   string
	Amount float64
	Matrix [12]float32
}

// Filter applies the named filters one after the other. A negative strength does the opposite.
func (s *scene) Filter(name string, strength float64) {
	for _, f := range scenes().Filters[name] {
		before, m := s.clone(), f.Matrix
		s.mapPixels(func(x, y int, c rgb) rgb {
			amount := min(1, f.Amount*strength*maskAt(f.Mask, before, x, y))
			c.blend(rgb{
				m[0]*c.r + m[1]*c.g + m[2]*c.b + m[3], m[4]*c.r + m[5]*c.g + m[6]*c.b + m[7],
				m[8]*c.r + m[9]*c.g + m[10]*c.b + m[11],
			}, float32(amount))
			return c
		})
	}
}

// maskAt returns how far a filter with the mask applies to the pixel at x, y.
func maskAt(mask string, img raster, x, y int) float64 {
	c, down := img.at(x, y), float64(y)/float64(img.h)
	r, g, b := float64(c.r), float64(c.g), float64(c.b)
	lamp := func() float64 { return smoothstep(0.30, 0.62, r-b) * smoothstep(0.62, 0.9, c.luma()) }
	switch mask {
	case "leaves":
		return smoothstep(0.02, 0.2, g-max(b, r*0.86))
	case "warm":
		return smoothstep(0.02, 0.25, max(r, g)-b)
	case "top":
		return 1 - smoothstep(0, 0.75, down)
	case "bottom":
		return smoothstep(0, 0.75, down)
	case "lamps":
		return lamp()
	case "unlit":
		return 1 - lamp()
	case "snow":
		// An edge that is brighter above than below is the top of something.
		reach := max(2, int(math.Sqrt(float64(img.w*img.h))/200))
		edge := img.at(x, y-reach).luma() - img.at(x, y+reach).luma()
		top := smoothstep(0.02, 0.22, edge) * smoothstep(0.2, 0.55, down)
		plants := smoothstep(0.02, 0.2, max(g-b, r-b))
		ground := plants * smoothstep(0.12, 0.6, c.luma()) * smoothstep(0.15, 0.7, down)
		return min(0.88, 0.62*ground+0.55*top)
	}
	return 1
}
