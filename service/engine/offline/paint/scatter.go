package paint

import "math"

// Scatter describes copies of figures that are spread over a part of the picture, as scenes.toml explains it. The
// first copy is the farthest. Ranges are from the first copy to the last, or from the least to the greatest.
type scatter struct {
	Figures      []string
	Count        int
	Base         string     // what Y is counted from
	X, Y         [2]float64 // X is counted from the side of the subject
	Floats       bool       // Y does not depend on how near a copy is
	Size, Vary   [2]float64 // from the first to the last; a random factor
	Bias         float64    // the exponent of the share from the first to the last
	Angle        [2]float64
	Stretch      [2]float64
	Alpha, Depth [2]float64
	Flips        bool   // half of the copies are mirrored
	Part         string // the color of the figure that gets one of the colors
	Colors       []string
	colors       []rgb // replace Colors
}

// Scatter draws the named scatter of scenes.toml. Its count is multiplied by a density, or by one between two.
func (s *scene) Scatter(name string, density ...float64) {
	k := scenes().Scatters[name]
	switch len(density) {
	case 1:
		k.Count = int(float64(k.Count) * density[0])
	case 2:
		k.Count = int(float64(k.Count) * s.uniform(density[0], density[1]))
	}
	s.drawScatter(k)
}

func (s *scene) drawScatter(k scatter) {
	between := func(r [2]float64, t float64) float64 { return lerp(r[0], r[1], t) }
	if len(k.colors) == 0 {
		for _, text := range k.Colors {
			k.colors = append(k.colors, s.color(text))
		}
	}
	phase, n := s.rng.Float64(), float64(k.Count)
	for i := range k.Count {
		t := math.Pow((float64(i)+s.rng.Float64())/n, k.Bias)
		// Multiples of the golden ratio spread the copies evenly without a pattern.
		_, across := math.Modf(phase + float64(i)*math.Phi + 0.5*s.rng.Float64()/math.Sqrt(n))
		down := t
		if k.Floats {
			down = s.rng.Float64()
		}
		x := s.subjectX(between(k.X, across))
		f := figure{
			x: x, y: s.heightAt(k.Base, x, between(k.Y, down)), size: s.unit * between(k.Size, t),
			angle: between(k.Angle, s.rng.Float64()), stretch: between(k.Stretch, s.rng.Float64()),
			alpha: between(k.Alpha, t), depth: between(k.Depth, t),
		}
		if k.Vary[1] > 0 {
			f.size *= between(k.Vary, s.rng.Float64())
		}
		if k.Flips {
			f.side = float64(1 - 2*s.rng.IntN(2))
		}
		if len(k.colors) > 0 {
			f.colors = map[string]rgb{k.Part: k.colors[s.rng.IntN(len(k.colors))]}
		}
		s.drawFigure(k.Figures[s.rng.IntN(len(k.Figures))], f)
	}
}

// heightAt returns the y at the share v of the picture, of the sky, or of what lies below the horizon or the crest.
func (s *scene) heightAt(base string, x, v float64) float64 {
	switch base {
	case "sky":
		return s.horizon * v
	case "horizon":
		return lerp(s.horizon, s.height, v)
	case "crest":
		return lerp(s.crest(x), s.height, v)
	}
	return s.height * v
}
