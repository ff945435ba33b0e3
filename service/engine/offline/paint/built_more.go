package paint

import "math"

// balloon hangs in the sky: x, y is the middle of its envelope, r its radius.
func (s *scene) balloon(x, y, r float64, col rgb) {
	tint := func(c rgb) rgb { return s.p.tone(c, 0.06).mix(c, 0.3) }
	edge := func(k float64) *path {
		return at(x, y, r).move(0, -1).cube(k*1.33*0.55, -1, k, -0.56, k, -0.08).cube(k, 0.5, k*0.4, 0.85, k*0.16, 1.2).
			line(-k*0.16, 1.2).cube(-k*0.4, 0.85, -k, 0.5, -k, -0.08).cube(-k, -0.56, -k*1.33*0.55, -1, 0, -1)
	}
	cream := hex(0xf6ead2)
	for i, k := range []float64{1, 0.78, 0.52, 0.22} {
		c := col
		if i%2 == 1 {
			c = cream
		}
		s.fill(edge(k), across(tint(c.scale(0.70)), tint(c.mix(rgb{1, 1, 1}, 0.15)), x-r*s.from, x+r*0.7*s.from))
	}
	rope := tint(hex(0x4b3a2e))
	s.fill(at(x, y, r).stroke(0.02, -0.15, 1.2, -0.11, 1.5), solid(rope))
	s.fill(at(x, y, r).stroke(0.02, 0.15, 1.2, 0.11, 1.5), solid(rope))
	s.fill(at(x, y, r).poly(-0.15, 1.48, 0.15, 1.48, 0.12, 1.72, -0.12, 1.72), down(tint(hex(0x9a6a3c)), tint(hex(0x6b4526)), y+1.48*r, y+1.72*r))
	if s.p.dark {
		s.glow(x, y+r*0.7, r*1.5, hex(0xffb35a), 0.9)
	}
}

// bridge spans the water at the horizon.
func (s *scene) bridge(y float64) {
	col := s.p.tone(hex(0xb4483a), 0.22)
	deck := s.u * 12
	tall := s.u * s.between(150, 210)
	for _, t := range []float64{0.27, 0.73} {
		x := s.W() * t
		for _, k := range []float64{-1, 1} {
			s.fill(px().rect(x+k*s.u*14-s.u*4, y-tall, s.u*8, tall+s.u*18), solid(col))
		}
		for i := range 3 {
			s.fill(px().rect(x-s.u*14, y-tall*(0.95-0.28*float64(i)), s.u*28, s.u*6), solid(col))
		}
	}
	cable := func(x0, x1, y0, y1, sag float64) {
		var v []float64
		for i := range 31 {
			t := float64(i) / 30
			xx := lerp(x0, x1, t)
			yy := lerp(y0, y1, t) + sag*4*t*(1-t)
			v = append(v, xx, yy)
			if i%2 == 0 {
				s.fill(px().rect(xx-s.u*0.6, yy, s.u*1.2, max(0, y-yy)), solid(col).faint(0.8))
			}
		}
		s.fill(px().stroke(s.u*3.2, v...), solid(col))
	}
	a, b := s.W()*0.27, s.W()*0.73
	cable(a, b, y-tall, y-tall, tall*0.86)
	cable(-s.W()*0.08, a, y-s.u*16, y-tall, tall*0.22)
	cable(b, s.W()*1.08, y-tall, y-s.u*16, tall*0.22)
	s.fill(px().rect(0, y-deck, s.W(), deck), down(col, col.scale(0.7), y-deck, y))
}

// tent stands by its fire.
func (s *scene) tent(x, y, size float64, t thing) {
	col := hex(0xe07b39)
	if t.hued {
		col = t.hue
	}
	k := s.from
	p := func() *path { return at(x, y, size).mirrored(k < 0) }
	s.fill(p().poly(-0.62, 0, -0.16, -0.56, 0.14, -0.52, 0.5, 0.03), solid(s.p.tone(col.scale(0.62), 0)))
	front := s.p.tone(col, 0)
	if s.lamps() {
		front = col.mix(hex(0xffd27a), 0.55)
	}
	s.fill(p().poly(-0.16, -0.56, -0.30, 0.03, 0.5, 0.03), solid(front))
	s.fill(p().poly(-0.16, -0.50, -0.03, 0.03, 0.20, 0.03), solid(s.p.tone(hex(0x30241f), 0)))
	fx, fy := x-k*size*0.95, y+size*0.05
	s.glow(fx, fy-size*0.1, size*0.9, hex(0xff9a3c), 1.1)
	for i := range 3 {
		h := size * (0.30 - 0.08*float64(i))
		c := []rgb{hex(0xff7a2c), hex(0xffb23e), hex(0xfff0a6)}[i]
		s.fill(at(fx, fy, h).move(0, -1).cube(0.45, -0.5, 0.4, 0, 0, 0).cube(-0.4, 0, -0.35, -0.4, 0, -1), solid(c))
	}
	s.fill(at(fx, fy, size).stroke(0.04, -0.14, 0.02, 0.14, -0.03), solid(s.p.tone(hex(0x4a3226), 0)))
	s.fill(at(fx, fy, size).stroke(0.04, -0.14, -0.03, 0.14, 0.02), solid(s.p.tone(hex(0x3a261c), 0)))
}

// pyramid stands on y with its tip over x.
func (s *scene) pyramid(x, y, size, depth float64) {
	col := hex(0xd8a763)
	split := x + size*0.18*s.from
	s.fill(px().poly(x-size, y, x, y-size*1.05, x+size, y), down(s.p.tone(col.scale(0.62), depth), s.p.tone(col.scale(0.7), depth+0.15), y-size, y))
	s.fill(px().poly(split, y, x, y-size*1.05, x+size*s.from, y), down(s.p.tone(col, depth).mix(s.p.sun, 0.12), s.p.tone(col, depth+0.15), y-size, y))
	for i := range 14 {
		t := float64(i+1) / 15
		s.fill(px().rect(x-size*t, y-size*1.05*(1-t), 2*size*t, s.u*0.9), solid(s.p.tone(col.scale(0.5), depth)).faint(0.25))
	}
}

// cactus stands on x, y.
func (s *scene) cactus(x, y, tall float64) {
	green := hex(0x4f7d4a)
	limb := func(v ...float64) {
		s.fill(at(x, y, tall).stroke(0.15, v...), s.shaded(green, x+v[0]*tall, tall*0.1, 0))
		for i := 0; i < len(v); i += 2 {
			s.fill(at(x, y, tall).oval(v[i], v[i+1], 0.075, 0.075), s.shaded(green, x+v[0]*tall, tall*0.1, 0))
		}
	}
	limb(0.30, -0.72, 0.30, -0.50, 0.27, -0.42, 0.18, -0.40, 0, -0.40)
	limb(-0.28, -0.60, -0.28, -0.36, -0.24, -0.29, 0, -0.28)
	limb(0, 0.02, 0, -0.93)
}

// skyline draws a city in rows of buildings on base.
func (s *scene) skyline(base float64) {
	for row := range 3 {
		depth := []float64{0.62, 0.36, 0.10}[row]
		tall := s.u * []float64{420, 330, 230}[row] * s.between(0.9, 1.15)
		if s.H() > s.W() {
			tall *= 1.25
		}
		col := s.p.rock.mix(s.p.far, 0.5).mix(hex(0x8a6f68), 0.3*lattice(row, 1, s.seed))
		peak := s.between(0.25, 0.75) * s.W()
		for x := -s.u * 20; x < s.W(); {
			wide := s.u * s.between(34, 92)
			near := 1 - 0.55*min(1, math.Abs(x-peak)/s.W()*1.8)
			s.block(x, base+s.u*6, wide, tall*near*s.between(0.45, 1), s.p.tone(col.scale(s.between(0.75, 1.1)), depth), depth)
			x += wide * s.between(0.95, 1.25)
		}
		s.fogBank(base-tall*0.12, tall*0.3, 0.32*depth+0.08)
		if s.stopped() {
			return
		}
	}
}

// block is one building with its foot on y.
func (s *scene) block(x, y, wide, tall float64, col rgb, depth float64) {
	kind := s.rng.IntN(6)
	s.fill(px().rect(x, y-tall, wide, tall), down(col, col.mix(s.p.haze, 0.3), y-tall, y))
	side := wide * 0.26
	if s.from > 0 {
		s.fill(px().rect(x, y-tall, side, tall), solid(col.scale(0.7)).faint(0.7))
	} else {
		s.fill(px().rect(x+wide-side, y-tall, side, tall), solid(col.scale(0.7)).faint(0.7))
	}
	switch kind {
	case 0:
		s.fill(px().poly(x, y-tall, x+wide/2, y-tall-wide*0.9, x+wide, y-tall), solid(col.scale(0.85)))
	case 1:
		s.fill(px().rect(x+wide*0.2, y-tall-wide*0.35, wide*0.6, wide*0.36), solid(col))
		s.fill(px().rect(x+wide*0.47, y-tall-wide*1.1, max(s.u, wide*0.05), wide*0.8), solid(col.scale(0.8)))
	case 2:
		s.fill(px().oval(x+wide/2, y-tall, wide/2, wide*0.34), solid(col))
	}
	glow := 0.08
	if s.lamps() {
		glow = 0.55
	}
	step := s.u * 9.5
	hues := []rgb{s.p.window, hex(0xffe7b0), hex(0xffc36b), hex(0xbfe3ff)}
	if s.b.style == "neon" {
		hues = []rgb{hex(0x5ff2ff), hex(0xff5fc8), hex(0xffe36b), hex(0x9d7bff)}
	}
	pane := hues[s.rng.IntN(len(hues))]
	for yy := y - tall + step*0.8; yy < y-step; yy += step * 1.15 {
		for xx := x + step*0.5; xx < x+wide-step*0.7; xx += step {
			on := s.chance(glow)
			c, a := col.scale(0.62), 0.5
			if on {
				c, a = pane, 0.92*(1-depth*0.75)
			}
			s.fill(px().rect(xx, yy, step*0.5, step*0.62), solid(c).faint(a))
		}
	}
}

// rocket flies; x, y is its middle, tall its length.
func (s *scene) rocket(x, y, tall float64) {
	lean := 0.35 * s.from
	p := func() *path { return at(x, y, tall).turned(lean) }
	fx, fy := x-math.Sin(lean)*tall*0.62, y+math.Cos(lean)*tall*0.62
	s.glow(fx, fy, tall*0.8, hex(0xff9a4a), 1.2)
	for i, c := range stops(0xff6a2c, 0xffb347, 0xfff3b8) {
		k := 1 - 0.28*float64(i)
		s.fill(p().move(-0.09*k, 0.42).cube(-0.13*k, 0.6, -0.04*k, 0.7*k+0.1, 0, 0.42+0.5*k).cube(0.04*k, 0.7*k+0.1, 0.13*k, 0.6, 0.09*k, 0.42), solid(c))
	}
	red, white := hex(0xd0452f), hex(0xf2eee6)
	body := across(white.scale(0.55), white, x-tall*0.14*s.from, x+tall*0.12*s.from)
	s.fill(p().poly(-0.14, 0.12, -0.27, 0.45, -0.1, 0.38), solid(red.scale(0.75)))
	s.fill(p().poly(0.14, 0.12, 0.27, 0.45, 0.1, 0.38), solid(red))
	s.fill(p().move(0, -0.52).cube(0.16, -0.32, 0.19, 0.05, 0.11, 0.42).line(-0.11, 0.42).cube(-0.19, 0.05, -0.16, -0.32, 0, -0.52), body)
	s.fill(p().move(0, -0.52).cube(0.075, -0.43, 0.115, -0.33, 0.135, -0.24).line(-0.135, -0.24).cube(-0.115, -0.33, -0.075, -0.43, 0, -0.52), solid(red))
	s.fill(p().oval(0, -0.07, 0.078, 0.078), solid(hex(0x4a5568)))
	s.fill(p().oval(0, -0.07, 0.056, 0.056), down(hex(0x9fd6ef), hex(0x2f6f9f), y-tall*0.12, y))
}
