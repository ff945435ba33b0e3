package paint

import "math"

// portrait draws a head and shoulders in flat planes of colour.
func (s *scene) portrait() {
	w, h := s.W(), s.H()
	schemes := [][]rgb{
		stops(0xf2d5a7, 0xd9713b, 0x2c4a63, 0x1f2c3a), stops(0xd8e2dc, 0x6d9f9a, 0xd9534f, 0x2b2d42),
		stops(0xf6c9b5, 0xb5476b, 0x3a3f7a, 0x221c3d), stops(0xe6dfae, 0x7fa05a, 0x8a4a2f, 0x2f2a24),
	}
	c := schemes[s.rng.IntN(len(schemes))]
	if len(s.b.colours) > 0 {
		c[1] = s.b.colours[0]
	}
	s.fill(px().rect(0, 0, w, h), down(c[0], c[0].mix(c[1], 0.4), 0, h))
	for i := range 4 {
		r := s.u * (560 - 120*float64(i))
		s.fill(px().oval(s.side(0.60), h*0.42, r, r), solid(c[1].mix(c[0], 0.25*float64(i))).faint(0.28))
	}
	for range 7 {
		s.leafSpray(s.between(0, 1)*w, s.between(0.2, 1.05)*h, s.u*s.between(90, 220), c[2].mix(c[1], s.rng.Float64()*0.5))
	}
	size := min(h*0.62, w*0.80)
	x, y := w/2+s.between(-0.05, 0.05)*w, h*0.98
	s.bust(x, y, size, c)
}

func (s *scene) leafSpray(x, y, r float64, col rgb) {
	lean := s.between(-1, 1)
	for i := range 9 {
		t := float64(i) / 8
		a := -math.Pi/2 + lean*t
		px0, py0 := x+math.Cos(a)*r*t, y+math.Sin(a)*r*t
		for _, side := range []float64{-1, 1} {
			s.fill(at(px0, py0, r*0.34*(1.1-t)).turned(a+side*0.9).soft(0, 0, 0.5, -0.16, 1, 0, 0.5, 0.16), solid(col.scale(0.85+0.3*t)).faint(0.9))
		}
	}
}

// bust draws shoulders, neck, head and hair; y is where the shoulders end.
func (s *scene) bust(x, y, size float64, c []rgb) {
	skins := stops(0xf0c9a6, 0xd9a273, 0xa86f47, 0x74482f, 0xeab68c)
	hairs := stops(0x2b211d, 0x5a3524, 0xb5723a, 0x8a8580, 0x1c2233, 0xa33f2b)
	skin, hair := skins[s.rng.IntN(5)], hairs[s.rng.IntN(6)]
	flip := s.from < 0
	p := func() *path { return at(x, y, size).mirrored(flip) }
	dim := skin.times(rgb{0.78, 0.66, 0.66})
	long := s.chance(0.55)
	if long {
		s.fill(p().soft(-0.02, -1.30, -0.26, -1.22, -0.35, -0.92, -0.32, -0.55, -0.38, -0.26, -0.12, -0.18, 0.16, -0.2, 0.33, -0.3, 0.30, -0.6, 0.31, -0.95, 0.22, -1.22), down(hair.mix(rgb{1, 1, 1}, 0.08), hair.scale(0.7), y-1.3*size, y-0.2*size))
	}
	s.fill(p().soft(-0.80, 0.1, -0.66, -0.20, -0.36, -0.32, -0.12, -0.38, 0.12, -0.38, 0.36, -0.32, 0.66, -0.20, 0.80, 0.1), across(c[2].scale(0.75), c[2], x-0.5*size*s.from, x+0.4*size*s.from))
	s.fill(p().soft(-0.14, -0.30, -0.13, -0.62, 0.12, -0.62, 0.14, -0.30, 0.0, -0.22), solid(dim))
	s.fill(p().soft(0.0, -0.25, -0.15, -0.33, -0.24, -0.28, -0.06, -0.14, 0.1, -0.16, 0.24, -0.28, 0.15, -0.33), solid(c[1]))
	s.fill(p().soft(0.01, -1.22, -0.20, -1.13, -0.245, -0.90, -0.21, -0.66, -0.10, -0.49, 0.02, -0.45, 0.14, -0.50, 0.22, -0.68, 0.245, -0.90, 0.20, -1.13), solid(skin))
	// The side away from the light is one plane of shade.
	s.fill(p().soft(-0.02, -1.2, -0.20, -1.13, -0.245, -0.90, -0.21, -0.66, -0.10, -0.49, 0.0, -0.455, -0.06, -0.58, -0.05, -0.72, -0.085, -0.86, -0.04, -1.0), solid(dim).faint(0.75))
	for _, side := range []float64{-1, 1} {
		e := 0.105 * side
		s.fill(p().move(e-0.062, -0.855).cube(e-0.03, -0.895, e+0.03, -0.895, e+0.062, -0.855).cube(e+0.03, -0.83, e-0.03, -0.83, e-0.062, -0.855), solid(hex(0xfaf4ea)))
		s.fill(p().oval(e+0.008, -0.858, 0.025, 0.027), solid(c[3].mix(c[2], 0.4)))
		s.fill(p().oval(e+0.016, -0.868, 0.007, 0.007), solid(rgb{1, 1, 1}))
		s.fill(p().stroke(0.014, e-0.066, -0.853, e-0.03, -0.887, e+0.03, -0.889, e+0.068, -0.853), solid(hair.scale(0.6)))
		s.fill(p().stroke(0.02, e-0.07*side, -0.938, e, -0.957, e+0.07*side, -0.925), solid(hair.scale(0.85)))
		s.fill(p().oval(e*1.25, -0.73, 0.055, 0.035), solid(hex(0xd9713b).mix(skin, 0.45)).faint(0.45))
	}
	s.fill(p().poly(0.012, -0.86, 0.055, -0.705, -0.035, -0.70, -0.005, -0.73), solid(dim).faint(0.9))
	lip := skin.mix(hex(0xb03a3f), 0.6)
	s.fill(p().move(-0.075, -0.618).cube(-0.03, -0.632, -0.01, -0.622, 0.008, -0.618).cube(0.03, -0.630, 0.06, -0.632, 0.09, -0.618).cube(0.045, -0.553, -0.03, -0.553, -0.075, -0.618), solid(lip))
	s.fill(p().stroke(0.007, -0.082, -0.623, -0.04, -0.600, 0.008, -0.594, 0.055, -0.600, 0.097, -0.623), solid(lip.scale(0.55)))
	fringe := p().soft(0.02, -1.31, -0.22, -1.22, -0.30, -0.95, -0.255, -0.80, -0.225, -0.95, -0.16, -1.05, 0.02, -1.10, 0.17, -1.03, 0.235, -0.94, 0.25, -0.80, 0.30, -0.98, 0.22, -1.22)
	s.fill(fringe, down(hair.mix(rgb{1, 1, 1}, 0.16), hair, y-1.3*size, y-0.9*size))
	for i := range 6 {
		t := float64(i)/5 - 0.5
		s.fill(p().stroke(0.008, t*0.3, -1.25+0.2*t*t, t*0.42, -1.13+0.3*t*t, t*0.5, -1.05+0.5*t*t), solid(hair.mix(rgb{1, 1, 1}, 0.35)).faint(0.5))
	}
}

// walker is a person seen from behind, small in the landscape.
func (s *scene) walker(x, y, tall float64, t thing) {
	coat := hex(0xb8452f)
	if t.hued {
		coat = t.hue
	}
	lit := func(c rgb) rgb { return s.p.tone(c, 0.03).mix(c, 0.15) }
	p := func() *path { return at(x, y, tall).mirrored(s.from < 0) }
	s.fill(px().oval(x-s.from*tall*0.25, y, tall*0.35, tall*0.03), solid(s.p.ground.times(s.p.ambient).scale(0.3)).faint(0.4))
	s.fill(p().poly(-0.075, -0.36, -0.01, -0.36, -0.025, 0, -0.085, 0), solid(lit(hex(0x2c2f3c))))
	s.fill(p().poly(0.01, -0.36, 0.08, -0.36, 0.10, 0, 0.04, 0), solid(lit(hex(0x353848))))
	s.fill(p().soft(-0.12, -0.28, -0.135, -0.55, -0.11, -0.78, 0, -0.81, 0.11, -0.78, 0.135, -0.55, 0.13, -0.28, 0, -0.26), across(lit(coat.scale(0.6)), lit(coat), x-0.12*tall*s.from, x+0.1*tall*s.from))
	s.fill(p().stroke(0.055, -0.11, -0.75, -0.155, -0.56, -0.15, -0.4), solid(lit(coat.scale(0.6))))
	s.fill(p().stroke(0.055, 0.11, -0.75, 0.16, -0.58, 0.17, -0.42), solid(lit(coat.scale(0.92))))
	s.fill(p().rect(-0.03, -0.86, 0.06, 0.08), solid(lit(hex(0xd9a273))))
	s.fill(p().oval(0, -0.91, 0.068, 0.078), solid(lit(hex(0xd9a273))))
	s.fill(p().soft(-0.075, -0.90, -0.06, -0.99, 0.02, -1.005, 0.075, -0.95, 0.07, -0.88, 0.0, -0.87), solid(lit(hex(0x3a2a22))))
}
