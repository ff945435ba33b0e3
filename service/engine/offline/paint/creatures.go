package paint

import "math"

// beast is what the sitting animals differ in.
type beast struct {
	coat, chest, inner rgb
	ear                [6]float64 // of the right ear: root, tip, root
	muzzle             float64    // 0 round as a cat's, 1 long as a fox's
	bushy              bool
	stripes            bool
	bob                bool // a round tail
	eyes               rgb
}

// sitting draws a sitting animal seen from the front; x, y is the middle of
// its feet and tall its height in px.
func (s *scene) sitting(x, y, tall float64, name string, t thing) {
	k := beast{coat: hex(0xd98a45), chest: hex(0xf5e8d6), inner: hex(0xe7a89a), ear: [6]float64{0.18, -0.72, 0.175, -0.985, 0.03, -0.83}, stripes: true, eyes: hex(0x9fce5a)}
	switch name {
	case "fox":
		k = beast{coat: hex(0xd9662b), chest: hex(0xf7efe3), inner: hex(0x3a2a26), ear: [6]float64{0.19, -0.73, 0.205, -1.04, 0.03, -0.82}, muzzle: 1, bushy: true, eyes: hex(0xc98a2e)}
	case "dog":
		k = beast{coat: hex(0xb9824f), chest: hex(0xf1e4cf), inner: hex(0x7d5232), ear: [6]float64{0.13, -0.80, 0.30, -0.60, 0.17, -0.68}, muzzle: 0.5, eyes: hex(0x4a3020)}
	case "rabbit":
		k = beast{coat: hex(0xb7a08c), chest: hex(0xf6efe6), inner: hex(0xecb9b4), bob: true, ear: [6]float64{0.15, -0.80, 0.13, -1.28, 0.01, -0.82}, eyes: hex(0x3a2a26)}
	}
	if t.hued {
		k.coat = t.hue
		k.stripes = k.stripes && t.hue.luma() > 0.25
		if t.hue.luma() < 0.3 {
			k.chest = t.hue.mix(hex(0x6a6a78), 0.35)
		}
	}
	p := func() *path { return at(x, y, tall) }
	lit := func(c rgb) rgb { return s.p.tone(c, 0).mix(c, 0.22) }
	coat := across(lit(k.coat.scale(0.62)), lit(k.coat.mix(rgb{1, 1, 1}, 0.06)), x-0.26*tall*s.from, x+0.2*tall*s.from)
	s.fill(px().oval(x+0.06*tall*-s.from, y+0.005*tall, tall*0.4, tall*0.045), solid(s.p.ground.times(s.p.ambient).scale(0.35)).faint(0.45))
	s.tail(x, y, tall, k, coat, lit)
	s.fill(p().soft(-0.20, 0.0, -0.275, -0.10, -0.255, -0.26, -0.19, -0.42, -0.13, -0.56, 0.13, -0.56, 0.19, -0.42, 0.255, -0.26, 0.275, -0.10, 0.20, 0.0, 0, 0.012), coat)
	s.fill(p().soft(-0.085, -0.56, 0.085, -0.56, 0.10, -0.42, 0.075, -0.26, 0, -0.2, -0.075, -0.26, -0.10, -0.42), solid(lit(k.chest)).faint(0.92))
	for _, side := range []float64{-1, 1} {
		s.fill(p().soft(side*0.03, -0.28, side*0.12, -0.28, side*0.125, -0.05, side*0.135, 0.004, side*0.02, 0.004, side*0.03, -0.1), solid(lit(k.coat.scale(0.88))))
		s.fill(p().oval(side*0.08, -0.008, 0.065, 0.03), solid(lit(k.chest)))
		s.fill(p().stroke(0.007, side*0.012, -0.02, side*0.012, -0.26), solid(lit(k.coat.scale(0.45))).faint(0.6))
		s.fill(p().soft(side*0.16, -0.005, side*0.27, -0.03, side*0.262, -0.19, side*0.19, -0.2, side*0.145, -0.1), solid(lit(k.coat.scale(0.8))).faint(0.75))
	}
	s.head(x, y, tall, k, coat, lit)
}

func (s *scene) tail(x, y, tall float64, k beast, coat ink, lit func(rgb) rgb) {
	side := -s.from
	p := func() *path { return at(x, y, tall).mirrored(side < 0) }
	if k.bushy {
		s.fill(p().soft(0.16, -0.02, 0.36, 0.0, 0.50, -0.10, 0.56, -0.28, 0.50, -0.44, 0.43, -0.30, 0.33, -0.18, 0.2, -0.14), coat)
		s.fill(p().soft(0.525, -0.22, 0.56, -0.30, 0.50, -0.445, 0.455, -0.34, 0.47, -0.25), solid(lit(k.chest)))
		return
	}
	if k.bob {
		s.fill(p().oval(0.27, -0.09, 0.075, 0.07), solid(lit(k.chest)))
		return
	}
	s.fill(p().stroke(0.07, 0.17, -0.04, 0.30, -0.025, 0.40, -0.05, 0.455, -0.12, 0.45, -0.21, 0.40, -0.27), coat)
	s.fill(p().oval(0.40, -0.27, 0.036, 0.036), coat)
}

func (s *scene) head(x, y, tall float64, k beast, coat ink, lit func(rgb) rgb) {
	p := func() *path { return at(x, y, tall) }
	for _, side := range []float64{-1, 1} {
		e := k.ear
		s.fill(p().soft(side*e[0], e[1], side*lerp(e[0], e[2], 0.6)+side*0.012, lerp(e[1], e[3], 0.6), side*e[2], e[3], side*lerp(e[4], e[2], 0.5), lerp(e[5], e[3], 0.5), side*e[4], e[5]), coat)
		mx, my := (e[0]+e[4])/2, (e[1]+e[5])/2
		s.fill(p().poly(side*lerp(mx, e[0], 0.5), lerp(my, e[1], 0.5), side*lerp(mx, e[2], 0.72), lerp(my, e[3], 0.72), side*lerp(mx, e[4], 0.4), lerp(my, e[5], 0.4)), solid(lit(k.inner)).faint(0.9))
	}
	s.fill(p().soft(0, -0.855, 0.12, -0.83, 0.195, -0.72, 0.19-0.04*k.muzzle, -0.62, 0.10-0.02*k.muzzle, -0.545, 0, -0.525+0.02*k.muzzle, -0.10+0.02*k.muzzle, -0.545, -0.19+0.04*k.muzzle, -0.62, -0.195, -0.72, -0.12, -0.83), coat)
	for _, side := range []float64{-1, 1} {
		s.fill(p().soft(side*0.005, -0.645, side*0.09, -0.64, side*(0.115+0.06*k.muzzle), -0.62-0.05*k.muzzle, side*0.085, -0.56, side*0.005, -0.54), solid(lit(k.chest)).faint(0.95))
	}
	if k.stripes {
		dark := solid(lit(k.coat.scale(0.5))).faint(0.75)
		for i := -1; i <= 1; i++ {
			s.fill(p().stroke(0.016, float64(i)*0.045, -0.845, float64(i)*0.036, -0.775), dark)
		}
		for i := range 3 {
			yy := -0.16 - 0.09*float64(i)
			for _, side := range []float64{-1, 1} {
				s.fill(p().stroke(0.018, side*0.255, yy, side*0.17, yy-0.02), dark)
			}
		}
	}
	for _, side := range []float64{-1, 1} {
		s.fill(p().oval(side*0.083, -0.705, 0.042, 0.036), solid(lit(hex(0x2a2422))))
		s.fill(p().oval(side*0.083, -0.705, 0.036, 0.031), solid(k.eyes.mix(lit(k.eyes), 0.3)))
		s.fill(p().oval(side*0.083, -0.705, 0.014, 0.028), solid(hex(0x14110f)))
		s.fill(p().oval(side*0.083+0.012, -0.718, 0.009, 0.009), solid(rgb{1, 1, 1}))
	}
	nose := hex(0x2d2422)
	if k.muzzle == 0 {
		nose = hex(0xc9776d)
	}
	s.fill(p().soft(-0.026, -0.642, 0.026, -0.642, 0, -0.612), solid(lit(nose)))
	mouth := solid(lit(hex(0x4a3530))).faint(0.8)
	s.fill(p().stroke(0.008, 0, -0.615, 0, -0.595, -0.02, -0.58, -0.04, -0.583), mouth)
	s.fill(p().stroke(0.008, 0, -0.615, 0, -0.595, 0.02, -0.58, 0.04, -0.583), mouth)
	if k.muzzle > 0.3 {
		return
	}
	for i := range 3 {
		for _, side := range []float64{-1, 1} {
			a := -0.04 + 0.035*float64(i)
			s.fill(p().stroke(0.004, side*0.07, -0.605+a*0.3, side*0.19, -0.625+a, side*0.28, -0.62+a*1.5), solid(rgb{1, 1, 1}).faint(0.6))
		}
	}
}

// flock draws birds far off in the sky.
func (s *scene) flock(n int) {
	cx, cy := s.W()*s.between(0.25, 0.75), s.horizon*s.between(0.25, 0.62)
	col := s.p.sky[0].scale(0.35)
	if s.p.dark {
		col = s.p.shade.scale(0.6)
	}
	for range n {
		x, y := cx+s.between(-0.2, 0.2)*s.W(), cy+s.between(-0.1, 0.1)*s.H()
		k := s.u * s.between(9, 24)
		lift := s.between(0.25, 0.6)
		tilt := s.between(-0.3, 0.3)
		for _, side := range []float64{-1, 1} {
			w := at(x, y, k).turned(tilt).mirrored(false).move(0, 0.06)
			w.cube(side*0.3, -lift*1.1, side*0.7, -lift, side, -lift*0.35).cube(side*0.7, -lift*0.62, side*0.3, -lift*0.5, 0, 0.16)
			s.fill(w, solid(col))
		}
	}
}

// perched draws a small bird on a twig, close by.
func (s *scene) perched(x, y, size float64, t thing) {
	back, breast := hex(0x6b6f7a), hex(0xd9713b)
	if t.hued {
		back, breast = t.hue.scale(0.8), t.hue.mix(rgb{1, 1, 1}, 0.35)
	}
	lit := func(c rgb) rgb { return s.p.tone(c, 0).mix(c, 0.3) }
	p := func() *path { return at(x, y, size).mirrored(s.from < 0) }
	bark := solid(lit(hex(0x5b4433)))
	s.fill(p().stroke(0.06, -1.6, 0.32, -0.7, 0.20, 0.2, 0.18, 1.0, 0.06, 1.7, -0.1), bark)
	s.fill(p().stroke(0.035, 0.6, 0.12, 0.95, -0.14, 1.2, -0.2), bark)
	for i := range 6 {
		lx, ly := -1.3+0.5*float64(i), 0.22-0.05*float64(i)
		s.fill(at(x, y, size).mirrored(s.from < 0).soft(lx, ly, lx+0.12, ly-0.2, lx+0.3, ly-0.24, lx+0.2, ly-0.06), down(lit(s.p.leaf.mix(s.p.sun, 0.2)), lit(s.p.leaf.scale(0.7)), y+(ly-0.25)*size, y+ly*size))
	}
	s.fill(p().poly(-0.40, -0.02, -0.98, 0.34, -0.88, 0.42, -0.26, 0.16), solid(lit(back.scale(0.7))))
	s.fill(p().soft(-0.46, 0.0, -0.34, -0.36, -0.05, -0.56, 0.28, -0.50, 0.42, -0.18, 0.26, 0.12, -0.05, 0.24, -0.34, 0.18), down(lit(back), lit(back.scale(0.75)), y-0.5*size, y+0.2*size))
	s.fill(p().soft(0.36, -0.42, 0.47, -0.2, 0.32, 0.08, 0.06, 0.22, 0.0, 0.06, 0.12, -0.2, 0.2, -0.42), down(lit(breast), lit(breast.mix(rgb{1, 1, 1}, 0.35)), y-0.4*size, y+0.2*size))
	s.fill(p().soft(-0.02, -0.62, 0.14, -0.84, 0.38, -0.82, 0.50, -0.62, 0.40, -0.40, 0.16, -0.36), down(lit(back.mix(rgb{1, 1, 1}, 0.1)), lit(back), y-0.85*size, y-0.4*size))
	s.fill(p().soft(0.26, -0.58, 0.44, -0.60, 0.46, -0.44, 0.34, -0.36, 0.24, -0.44), solid(lit(breast)))
	s.fill(p().poly(0.47, -0.68, 0.66, -0.60, 0.47, -0.55), solid(lit(hex(0x3c342e))))
	s.fill(p().oval(0.34, -0.68, 0.05, 0.05), solid(hex(0x17130f)))
	s.fill(p().oval(0.355, -0.70, 0.016, 0.016), solid(rgb{1, 1, 1}))
	s.fill(p().soft(-0.44, 0.02, -0.2, -0.34, 0.08, -0.30, 0.08, -0.06, -0.14, 0.12, -0.62, 0.22), down(lit(back.scale(0.85)), lit(back.scale(0.55)), y-0.3*size, y+0.2*size))
	for i := range 3 {
		v := float64(i) * 0.09
		s.fill(p().stroke(0.018, 0.04-v*0.3, -0.12+v, -0.25, 0.02+v, -0.5, 0.14+v*0.5), solid(lit(back.mix(rgb{1, 1, 1}, 0.3))).faint(0.7))
	}
	for _, f := range []float64{-0.02, 0.14} {
		s.fill(p().stroke(0.03, f, 0.2, f+0.02, 0.15), solid(lit(hex(0x6b4a32))))
	}
}

// owl sits on x, y.
func (s *scene) owl(x, y, tall float64, t thing) {
	coat := hex(0x8a6a4c)
	if t.hued {
		coat = t.hue
	}
	lit := func(c rgb) rgb { return s.p.tone(c, 0).mix(c, 0.3) }
	p := func() *path { return at(x, y, tall) }
	s.fill(p().soft(0, 0.02, -0.22, -0.06, -0.30, -0.36, -0.27, -0.70, -0.30, -0.98, -0.12, -0.90, 0.12, -0.90, 0.30, -0.98, 0.27, -0.70, 0.30, -0.36, 0.22, -0.06), across(lit(coat.scale(0.65)), lit(coat), x-0.25*tall*s.from, x+0.2*tall*s.from))
	s.fill(p().soft(0, 0.0, -0.15, -0.1, -0.18, -0.38, 0, -0.52, 0.18, -0.38, 0.15, -0.1), solid(lit(coat.mix(rgb{1, 1, 1}, 0.55))))
	for i := range 4 {
		for j := -2; j <= 2; j++ {
			xx, yy := float64(j)*0.062+0.03*float64(i%2), -0.4+0.09*float64(i)
			s.fill(p().move(xx-0.022, yy).cube(xx-0.015, yy+0.035, xx+0.015, yy+0.035, xx+0.022, yy).cube(xx, yy+0.012, xx, yy+0.012, xx-0.022, yy), solid(lit(coat.scale(0.55))).faint(0.8))
		}
	}
	for _, side := range []float64{-1, 1} {
		s.fill(p().oval(side*0.115, -0.70, 0.125, 0.13), solid(lit(coat.mix(rgb{1, 1, 1}, 0.65))))
		s.fill(p().oval(side*0.115, -0.70, 0.078, 0.078), solid(hex(0xf0b73c)))
		s.fill(p().oval(side*0.115, -0.70, 0.046, 0.046), solid(hex(0x14110f)))
		s.fill(p().oval(side*0.115+0.018, -0.72, 0.015, 0.015), solid(rgb{1, 1, 1}))
		s.fill(p().soft(side*0.22, -0.5, side*0.305, -0.36, side*0.25, -0.08, side*0.17, -0.2), solid(lit(coat.scale(0.5))).faint(0.9))
	}
	s.fill(p().soft(-0.035, -0.64, 0.035, -0.64, 0, -0.56), solid(lit(hex(0xc98a2e))))
	s.fill(p().stroke(0.06, -0.8, 0.04, 0, 0.03, 0.8, 0.0), solid(lit(hex(0x4f3a2b))))
}

// deer stands on x, y and looks to its side.
func (s *scene) deer(x, y, tall, depth float64) {
	coat := hex(0x96653d)
	flip := s.from < 0
	p := func() *path { return at(x, y, tall).mirrored(flip) }
	body := s.p.tone(coat, depth)
	dim := s.p.tone(coat.scale(0.6), depth)
	for i, lx := range []float64{-0.17, 0.13, -0.22, 0.17} {
		c := body
		if i < 2 {
			c = dim
		}
		s.fill(p().poly(lx-0.032, -0.36, lx+0.035, -0.36, lx+0.016, -0.18, lx+0.02, 0, lx-0.014, 0, lx-0.012, -0.18), solid(c))
	}
	s.fill(p().soft(-0.27, -0.38, -0.29, -0.52, -0.12, -0.555, 0.12, -0.54, 0.25, -0.50, 0.23, -0.36, 0.05, -0.325, -0.18, -0.33), down(body, dim, y-0.55*tall, y-0.3*tall))
	s.fill(p().soft(0.14, -0.48, 0.20, -0.62, 0.24, -0.74, 0.32, -0.73, 0.31, -0.60, 0.25, -0.42), solid(body))
	s.fill(p().soft(0.22, -0.77, 0.31, -0.80, 0.42, -0.705, 0.44, -0.67, 0.38, -0.655, 0.27, -0.69), solid(body))
	s.fill(p().soft(0.24, -0.77, 0.15, -0.80, 0.20, -0.73), solid(dim))
	s.fill(p().oval(0.325, -0.742, 0.011, 0.011), solid(s.p.tone(hex(0x1c1512), depth)))
	s.fill(p().oval(-0.285, -0.47, 0.028, 0.05), solid(s.p.tone(hex(0xf2e8da), depth)))
	horn := solid(s.p.tone(hex(0xcdb491).scale(0.85), depth))
	for _, k := range []float64{0, 0.06} {
		s.fill(p().stroke(0.018, 0.265+k*0.3, -0.79, 0.20+k, -0.90, 0.21+k*1.6, -1.0, 0.27+k*1.8, -1.08), horn)
		s.fill(p().stroke(0.014, 0.215+k, -0.90, 0.29+k, -0.95, 0.31+k, -1.0), horn)
		s.fill(p().stroke(0.013, 0.21+k*1.5, -0.98, 0.15+k, -1.06), horn)
	}
}

// whale lifts its tail out of the sea.
func (s *scene) whale(x, y, size float64) {
	col := s.p.tone(hex(0x2f4558), 0.05)
	for i := range 8 {
		s.dash(x+s.between(-0.3, 0.3)*size, y+size*0.03*float64(i), size*s.between(0.4, 0.9), s.u*2, solid(s.p.haze).faint(0.3))
	}
	p := at(x, y, size)
	p.move(-0.12, 0.03).cube(-0.06, -0.2, -0.04, -0.36, -0.03, -0.50).cube(-0.2, -0.66, -0.42, -0.66, -0.54, -0.56)
	p.cube(-0.40, -0.80, -0.12, -0.78, 0, -0.60).cube(0.12, -0.78, 0.40, -0.80, 0.54, -0.56).cube(0.42, -0.66, 0.2, -0.66, 0.03, -0.50)
	p.cube(0.05, -0.36, 0.09, -0.2, 0.17, 0.03)
	s.fill(p, down(col.mix(s.p.sun.times(s.p.ambient), 0.2), col.scale(0.7), y-size*0.8, y))
	for range 40 {
		a := s.between(-2.6, -0.5)
		d := size * s.between(0.08, 0.34)
		s.fill(px().oval(x+d*math.Cos(a)*1.6, y+d*math.Sin(a)*0.5, s.u*s.between(1, 3), s.u*s.between(1, 3)), solid(s.p.lit).faint(0.7))
	}
}

// butterfly spreads its wings at x, y.
func (s *scene) butterfly(x, y, size float64, col rgb) {
	tilt := s.between(-0.5, 0.5)
	lit := s.p.tone(col, 0).mix(col, 0.4)
	for _, side := range []float64{-1, 1} {
		p := func() *path { return at(x, y, size).turned(tilt) }
		s.fill(p().soft(0, 0.02, side*0.3, 0.1, side*0.5, 0.4, side*0.3, 0.62, side*0.1, 0.4), solid(lit.scale(0.75)))
		s.fill(p().soft(0, -0.05, side*0.25, -0.5, side*0.75, -0.6, side*0.72, -0.2, side*0.35, 0.08), down(lit.mix(rgb{1, 1, 1}, 0.2), lit, y-0.6*size, y+0.1*size))
		s.fill(p().soft(side*0.4, -0.42, side*0.75, -0.6, side*0.72, -0.3, side*0.55, -0.28), solid(lit.scale(0.35)).faint(0.8))
		s.fill(p().oval(side*0.42, -0.24, 0.07, 0.07), solid(hex(0xfff3d0)).faint(0.9))
		s.fill(p().stroke(0.018, 0, -0.22, side*0.1, -0.4, side*0.16, -0.46), solid(hex(0x241c18)))
	}
	s.fill(at(x, y, size).turned(tilt).oval(0, 0.06, 0.035, 0.3), solid(hex(0x241c18)))
}
