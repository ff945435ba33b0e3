package paint

import "math"

// abstract draws flowing ribbons and discs, for prompts that name nothing.
func (s *scene) abstract() {
	schemes := [][]rgb{
		hexColors(0x0f2a3f, 0x1f6f8b, 0x99d0d3, 0xf6e7c1, 0xf2a154, 0xd1495b),
		hexColors(0x22223b, 0x4a4e69, 0x9a8c98, 0xc9ada7, 0xf2e9e4, 0xe07a5f),
		hexColors(0x2d1e2f, 0x6d2e46, 0xa26769, 0xd5b9b2, 0xece2d0, 0xf0a35e),
		hexColors(0x10403b, 0x127475, 0x8aa399, 0xe9dcc0, 0xf2542d, 0x562c2c),
		hexColors(0x14213d, 0x3a4f8f, 0x7b8fd0, 0xe5e5e5, 0xfca311, 0xd1495b),
	}
	c := schemes[s.rng.IntN(len(schemes))]
	for i, col := range s.spec.colors {
		if i < 3 {
			c[1+i] = col
		}
	}
	w, h := s.width, s.height
	s.fill(newPath().rect(0, 0, w, h), hgradient(c[3], c[2].mix(c[3], 0.4), 0, w))
	r := s.unit * s.uniform(180, 300)
	x, y := w*s.uniform(0.3, 0.7), h*s.uniform(0.25, 0.5)
	s.fill(newPath().ellipse(x, y, r, r), vgradient(c[4], c[5], y-r, y+r))
	if !s.flat {
		s.glow(x, y, r*2.1, c[4], 0.35)
	}
	n := 7 + s.rng.IntN(4)
	tilt := s.uniform(-0.25, 0.25)
	for i := range n {
		t := float64(i) / float64(n-1)
		seed := s.rng.Uint32()
		base := lerp(0.34, 1.0, t) * h
		amp := s.unit * s.uniform(70, 160)
		col := ramp([]rgb{c[2], c[1], c[0]}, n)[i]
		if i%3 == 1 {
			col = col.mix(c[5], 0.55)
		}
		crest := func(x float64) float64 {
			return base + amp*(fbm(x/s.unit/340, t*3, 3, seed)-0.5)*2.2 + (x-w/2)*tilt
		}
		p := newPath().moveTo(-5, h+5)
		for x := -5.0; x <= w+8; x += 6 {
			p.lineTo(x, crest(x))
		}
		s.fill(p.lineTo(w+8, h+5), vgradient(col.mix(rgb{1, 1, 1}, 0.10), col.scale(0.78), base-amp, base+amp*2))
		var v []float64
		for x := -5.0; x <= w+8; x += 12 {
			v = append(v, x, crest(x)+s.unit*7)
		}
		s.fill(newPath().stroke(s.unit*2.2, v...), solid(col.mix(rgb{1, 1, 1}, 0.45)).withAlpha(0.6))
	}
	for range 14 {
		k := s.unit * math.Exp(s.uniform(1.2, 3.6))
		s.fill(newPath().ellipse(s.uniform(0, 1)*w, s.uniform(0, 1)*h, k, k), solid(c[s.rng.IntN(6)]).withAlpha(0.75))
	}
}
