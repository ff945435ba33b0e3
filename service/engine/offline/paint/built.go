package paint

import "math"

// shaded is a gradient over a body of the given half width: lit on the side of
// the light.
func (s *scene) shaded(col rgb, x, half, depth float64) ink {
	lit, dim := s.p.tone(col, depth), s.p.tone(col.scale(0.56), depth)
	if !s.p.dark {
		lit = lit.mix(s.p.sun, 0.12)
	}
	return across(dim, lit, x-half*s.from, x+half*0.7*s.from)
}

func (s *scene) lamps() bool { return s.p.dark || s.b.time == "dusk" || s.b.weather["storm"] }

// lighthouse stands with its foot at x, y, tall px high.
func (s *scene) lighthouse(x, y, tall float64, t thing) {
	white, red := hex(0xf4efe6), hex(0xc8402f)
	if t.hued {
		red = t.hue
	}
	half := func(v float64) float64 { return lerp(0.115, 0.066, v) }
	body := at(x, y, tall).poly(-half(0), 0, -half(1), -0.76, half(1), -0.76, half(0), 0)
	s.fill(body, s.shaded(white, x, tall*0.11, 0.04))
	for i := range 3 {
		a, b := 0.10+0.25*float64(i), 0.215+0.25*float64(i)
		s.fill(at(x, y, tall).poly(-half(a), -0.76*a, -half(b), -0.76*b, half(b), -0.76*b, half(a), -0.76*a), s.shaded(red, x, tall*0.1, 0.04))
	}
	window := s.p.tone(hex(0x35404f), 0)
	if s.lamps() {
		window = s.p.window
	}
	for i := range 3 {
		s.fill(at(x, y, tall).rect(-0.012+0.01*float64(i%2), -0.19-0.19*float64(i), 0.024, 0.042), solid(window))
	}
	iron := s.p.tone(hex(0x30343c), 0.03)
	s.fill(at(x, y, tall).poly(-0.085, -0.755, -0.1, -0.785, 0.1, -0.785, 0.085, -0.755), solid(iron))
	s.fill(at(x, y, tall).rect(-0.048, -0.885, 0.096, 0.1), solid(s.p.tone(hex(0xa8c4cf), 0).mix(s.p.window, 0.5)))
	for i := range 5 {
		s.fill(at(x, y, tall).rect(-0.05+0.0235*float64(i), -0.885, 0.006, 0.1), solid(iron))
	}
	for i := range 9 {
		s.fill(at(x, y, tall).rect(-0.098+0.0235*float64(i), -0.825, 0.005, 0.045), solid(iron))
	}
	s.fill(at(x, y, tall).rect(-0.1, -0.828, 0.2, 0.007), solid(iron))
	s.fill(at(x, y, tall).move(-0.062, -0.882).cube(-0.055, -0.93, -0.02, -0.965, 0, -0.985).cube(0.02, -0.965, 0.055, -0.93, 0.062, -0.882), s.shaded(red, x, tall*0.06, 0.03))
	s.fill(at(x, y, tall).rect(-0.004, -1.02, 0.008, 0.045), solid(iron))
	if s.lamps() {
		s.beams(x, y-tall*0.835, tall)
	}
}

// beams are the light of a lighthouse.
func (s *scene) beams(x, y, tall float64) {
	warm := s.p.window.mix(hex(0xfff6d0), 0.5)
	reach := max(s.W(), s.H())
	for _, k := range []float64{-1, 1} {
		strength := 0.34
		if k == s.from { // the beam that comes towards the light is fainter
			strength = 0.2
		}
		for i := range 4 {
			open := 0.012 + 0.022*float64(i)
			p := px().move(x, y-tall*0.008).line(x+k*reach, y-reach*(0.05+open)).line(x+k*reach, y-reach*(0.05-open)).line(x, y+tall*0.008)
			s.fill(p, ink{a: warm.scale(strength / 3), b: warm.scale(0), x0: x, y0: y, x1: x + k*reach*0.62, y1: y, graded: true, alpha: 1, light: true})
		}
	}
	s.glow(x, y, tall*0.42, warm, 1.3)
}

// house stands with the middle of its front at x, y; size is its width in px.
func (s *scene) house(x, y, size float64, t thing, depth float64) {
	wall, roof := hex(0xe9dcc6), hex(0x9c4f3c)
	if t.hued {
		wall = t.hue
	}
	if s.b.season == "winter" {
		roof = hex(0xf4f7fa)
	}
	k := s.from
	p := func() *path { return at(x, y, size).mirrored(k < 0) }
	s.fill(p().rect(-0.5, -0.42, 0.62, 0.44), solid(s.p.tone(wall.scale(0.72), depth)))
	s.fill(p().poly(0.12, 0.02, 0.12, -0.42, 0.31, -0.70, 0.5, -0.42, 0.5, 0.02), solid(s.p.tone(wall, depth).mix(s.p.sun, 0.08)))
	s.fill(p().poly(-0.55, -0.39, -0.36, -0.72, 0.32, -0.72, 0.10, -0.39), down(s.p.tone(roof, depth), s.p.tone(roof.scale(0.75), depth), y-0.72*size, y-0.39*size))
	s.fill(p().poly(0.10, -0.39, 0.32, -0.74, 0.55, -0.39, 0.50, -0.37, 0.315, -0.66, 0.13, -0.35), solid(s.p.tone(roof.scale(0.62), depth)))
	s.fill(p().rect(-0.22, -0.86, 0.1, 0.2), solid(s.p.tone(hex(0x7d5a4e), depth)))
	glass := s.p.tone(hex(0x4d6478), depth)
	if s.lamps() {
		glass = s.p.window
	}
	for _, wx := range []float64{-0.40, -0.14} {
		s.fill(p().rect(wx, -0.29, 0.13, 0.15), solid(glass))
		s.fill(p().rect(wx+0.055, -0.29, 0.018, 0.15), solid(s.p.tone(wall.scale(0.5), depth)))
		s.fill(p().rect(wx, -0.225, 0.13, 0.016), solid(s.p.tone(wall.scale(0.5), depth)))
	}
	s.fill(p().rect(0.25, -0.24, 0.12, 0.26), solid(s.p.tone(hex(0x5b3b2b), depth)))
	s.fill(p().oval(0.31, -0.46, 0.045, 0.05), solid(glass))
	if s.lamps() {
		s.glow(x-0.12*size*k, y-0.2*size, size*0.75, s.p.window, 0.55)
	}
	for i := range 7 { // smoke
		v := float64(i) / 7
		r := size * (0.035 + 0.09*v)
		s.fill(px().oval(x+k*size*(-0.17-0.35*v*v)+s.between(-1, 1)*r*0.4, y-size*(0.92+0.5*v), r, r*0.8), solid(s.p.haze.mix(s.p.lit, 0.5)).faint(0.30*(1-v)))
	}
}

// castle stands on x, y; size is its width in px.
func (s *scene) castle(x, y, size float64, depth float64) {
	stone, roof := hex(0xb9ac9c), hex(0x4c5f86)
	tower := func(cx, half, top float64, pointed bool) {
		s.fill(at(x, y, size).rect(cx-half, -top, 2*half, top+0.03), s.shaded(stone, x+cx*size, half*size, depth))
		s.fill(at(x, y, size).rect(cx-half*1.2, -top-0.02, 2.4*half, 0.035), s.shaded(stone.scale(0.9), x+cx*size, half*size, depth))
		if pointed {
			s.fill(at(x, y, size).poly(cx-half*1.35, -top-0.015, cx, -top-half*3.6, cx+half*1.35, -top-0.015), s.shaded(roof, x+cx*size, half*size, depth))
			s.fill(at(x, y, size).poly(cx, -top-half*3.5, cx+0.07, -top-half*3.5-0.045, cx, -top-half*3.5-0.08), solid(s.p.tone(hex(0xc8402f), depth)))
		} else {
			for i := range 4 {
				s.fill(at(x, y, size).rect(cx-half*1.2+float64(i)*half*0.66, -top-0.05, half*0.4, 0.035), s.shaded(stone.scale(0.9), x+cx*size, half*size, depth))
			}
		}
		glass := s.p.tone(hex(0x3a3d48), depth)
		if s.lamps() {
			glass = s.p.window
		}
		for i := range 2 {
			s.fill(at(x, y, size).rect(cx-0.012, -top*(0.82-0.3*float64(i)), 0.024, 0.05), solid(glass))
		}
	}
	s.fill(at(x, y, size).rect(-0.42, -0.3, 0.84, 0.33), s.shaded(stone.scale(0.88), x, size*0.45, depth))
	for i := range 12 {
		s.fill(at(x, y, size).rect(-0.42+float64(i)*0.071, -0.335, 0.04, 0.04), s.shaded(stone.scale(0.88), x, size*0.45, depth))
	}
	tower(0.16, 0.075, 0.74, true)
	tower(-0.14, 0.095, 0.58, true)
	tower(-0.43, 0.085, 0.44, false)
	tower(0.43, 0.085, 0.5, true)
	gate := at(x, y, size).move(-0.07, 0.03).line(-0.07, -0.1).cube(-0.07, -0.2, 0.07, -0.2, 0.07, -0.1).line(0.07, 0.03)
	s.fill(gate, solid(s.p.tone(hex(0x3a2c26), depth)))
	if s.lamps() {
		s.glow(x, y-size*0.35, size*0.8, s.p.window, 0.4)
	}
}

// boat floats with its waterline at x, y; size is its length in px.
func (s *scene) boat(x, y, size float64, t thing) {
	hull := hex(0x7a3b2e)
	sail := hex(0xf6efe0)
	if t.hued {
		sail = t.hue
	}
	k := s.from > 0
	shine := func(c rgb) rgb { return s.p.tone(c, 0.05).mix(c, 0.28) }
	part := func(mirror float64, fade float64) {
		p := func() *path { q := at(x, y, size).mirrored(!k); q.b *= mirror; q.d *= mirror; return q }
		ink := func(a, b rgb, y0, y1 float64) ink {
			return down(shine(a), shine(b), y+y0*size*mirror, y+y1*size*mirror).faint(fade)
		}
		s.fill(p().rect(0.012, -1.08, 0.018, 1.0), ink(hex(0x4b3a2e), hex(0x4b3a2e), 0, 1))
		s.fill(p().move(0.045, -1.04).cube(0.30, -0.75, 0.42, -0.38, 0.40, -0.16).cube(0.28, -0.12, 0.15, -0.12, 0.045, -0.15), ink(sail, sail.scale(0.86), -1, -0.1))
		s.fill(p().move(-0.005, -0.98).cube(-0.1, -0.6, -0.28, -0.3, -0.40, -0.16).cube(-0.25, -0.13, -0.1, -0.13, -0.005, -0.16), ink(sail.scale(0.86), sail.scale(0.72), -1, -0.1))
		s.fill(p().move(-0.48, -0.11).cube(-0.2, -0.075, 0.25, -0.075, 0.52, -0.14).cube(0.47, -0.02, 0.40, 0.015, 0.34, 0.03).line(-0.34, 0.03).cube(-0.42, 0, -0.46, -0.05, -0.48, -0.11), ink(hull, hull.scale(0.6), -0.12, 0.03))
		s.fill(p().move(-0.48, -0.11).cube(-0.2, -0.075, 0.25, -0.075, 0.52, -0.14).line(0.51, -0.115).cube(0.25, -0.05, -0.2, -0.05, -0.475, -0.085), ink(hex(0xf1e6d2), hex(0xf1e6d2), 0, 1))
	}
	part(-0.62, 0.34)
	for i := range 9 {
		v := float64(i) / 9
		s.dash(x+s.between(-0.3, 0.3)*size, y+size*(0.05+0.55*v), size*s.between(0.3, 0.8), s.u*2.2, solid(s.p.water.mix(s.p.haze, 0.3)).faint(0.4))
	}
	part(1, 1)
	s.dash(x, y+size*0.03, size*0.95, s.u*2.4, solid(s.p.water.scale(0.5)).faint(0.5))
	if s.p.dark {
		s.glow(x, y-size*0.2, size*0.4, s.p.window, 0.6)
	}
}

// windmill stands on x, y.
func (s *scene) windmill(x, y, tall, depth float64) {
	wall := hex(0xe6dcc8)
	s.fill(at(x, y, tall).poly(-0.16, 0.02, -0.1, -0.62, 0.1, -0.62, 0.16, 0.02), s.shaded(wall, x, tall*0.15, depth))
	s.fill(at(x, y, tall).move(-0.12, -0.61).cube(-0.1, -0.74, 0.1, -0.74, 0.12, -0.61), s.shaded(hex(0x7a4436), x, tall*0.12, depth))
	s.fill(at(x, y, tall).rect(-0.035, -0.14, 0.07, 0.16), solid(s.p.tone(hex(0x4c3226), depth)))
	turn := s.between(0.1, 0.7)
	for i := range 4 {
		a := turn + float64(i)*math.Pi/2
		arm := func() *path { return at(x, y-tall*0.63, tall).turned(a) }
		s.fill(arm().rect(0, -0.009, 0.5, 0.018), solid(s.p.tone(hex(0x4b3a2e), depth)))
		s.fill(arm().rect(0.1, 0.012, 0.39, 0.085), solid(s.p.tone(hex(0xf2e8d4), depth)).faint(0.92))
		for j := range 5 {
			s.fill(arm().rect(0.1+0.078*float64(j), 0.012, 0.008, 0.085), solid(s.p.tone(hex(0x6b5646), depth)))
		}
	}
	s.fill(px().oval(x, y-tall*0.63, tall*0.03, tall*0.03), solid(s.p.tone(hex(0x3d2f26), depth)))
}
