package paint

import "math"

// fir draws a conifer of the given height with its foot at x, y.
func (s *scene) fir(x, y, tall, depth float64) {
	green := s.p.leaf.mix(hex(0x2f5d50), 0.75)
	if s.b.season == "autumn" && lattice(int(x), int(y), s.seed) < 0.3 {
		green = s.p.leaf
	}
	dark := s.p.tone(green.scale(0.72), depth)
	lit := s.p.tone(green.mix(s.p.sun, 0.14), depth)
	s.fill(at(x, y, tall).rect(-0.02, -0.14, 0.04, 0.15), solid(s.p.tone(hex(0x5a4334), depth)))
	whole, bright := at(x, y, tall), at(x, y, tall)
	tiers := 4
	if tall > s.u*70 {
		tiers = 6
	}
	jag := func(i int) float64 { return 0.02 * (lattice(i, int(x*3), s.seed) - 0.5) }
	for i := range tiers {
		t := float64(i) / float64(tiers)
		top, bottom := -1+0.80*t*0.92, -1+0.92*(t+1.45/float64(tiers))
		bottom = min(bottom, -0.09)
		half := 0.05 + 0.21*(t+1/float64(tiers)) + jag(i)
		whole.poly(0, top, half, bottom+jag(i+9), half*0.45, bottom-0.025, 0, bottom+0.012, -half*0.45, bottom-0.025, -half, bottom+jag(i+5))
		k := half * s.from
		if s.from > 0 {
			bright.poly(0, top, k, bottom+jag(i+9), k*0.45, bottom-0.025, k*0.28, (top+bottom)/2)
		} else {
			bright.poly(0, top, k*0.28, (top+bottom)/2, k*0.45, bottom-0.025, k, bottom+jag(i+5))
		}
	}
	s.fill(whole, down(dark, dark.mix(s.p.haze, 0.12*depth), y-tall, y))
	s.fill(bright, solid(lit).faint(0.55))
	if s.b.season != "winter" {
		return
	}
	white := s.p.tone(hex(0xf6f9fc), depth*0.9)
	snow := at(x, y, tall)
	for i := range tiers {
		t := float64(i) / float64(tiers)
		top, half := -1+0.80*t*0.92, 0.05+0.21*(t+1/float64(tiers))
		low := min(-1+0.92*(t+1.45/float64(tiers)), -0.09)
		mid := lerp(top, low, 0.62)
		snow.poly(0, top, half*0.72, mid+0.02, half*0.3, mid-0.035, 0, mid+0.005, -half*0.35, mid-0.03, -half*0.68, mid+0.015)
	}
	s.fill(snow, solid(white).faint(0.85))
}

// roundTree draws a broad-leaved tree; tall is its height in px.
func (s *scene) roundTree(x, y, tall, depth float64) {
	leaf := s.p.leaf
	bare := s.b.season == "winter"
	if s.b.season == "spring" && (s.b.has("tree") || lattice(int(x), 3, s.seed) < 0.6) {
		leaf = hex(0xf0a9c0)
	}
	if s.b.season == "autumn" {
		leaf = []rgb{hex(0xd0662a), hex(0xe09a34), hex(0xb8452b), hex(0xc98a3a)}[int(lattice(int(x), 7, s.seed)*4)]
	}
	bark := s.p.tone(hex(0x59432f), depth)
	trunk := at(x, y, tall)
	trunk.move(-0.055, 0.01).cube(-0.02, -0.1, -0.03, -0.3, -0.035, -0.48).line(0.035, -0.48).cube(0.03, -0.3, 0.02, -0.1, 0.06, 0.01)
	s.fill(trunk, across(bark.scale(0.8), bark.scale(1.15), x-tall*0.05, x+tall*0.05*s.from))
	if bare {
		s.branches(x, y-tall*0.4, tall*0.42, -math.Pi/2, 5, bark)
		return
	}
	s.crown(x, y-tall*0.63, tall*0.36, s.p.tone(leaf, depth), depth)
}

// crown draws foliage as a heap of leaves: dark below, lit above.
func (s *scene) crown(x, y, r float64, col rgb, depth float64) {
	dark, lit := col.scale(0.66), col.mix(s.p.sun.times(s.p.ambient), 0.34*(1-depth))
	n := 7
	if r > s.u*24 {
		n = 40
	}
	if r > s.u*80 {
		n = 170
	}
	base := px()
	for i := range 9 {
		a := float64(i)/9*2*math.Pi + s.between(-0.2, 0.2)
		k, d := s.between(0.30, 0.52), s.between(0.42, 0.66)
		base.oval(x+math.Cos(a)*r*d*1.1, y+math.Sin(a)*r*d*0.85, r*k, r*k*0.9)
	}
	base.oval(x, y, r*0.6, r*0.55)
	s.fill(base, down(dark.mix(col, 0.5), dark, y-r, y+r))
	for i := range n {
		t := float64(i) / float64(n)
		a, d := s.between(0, 2*math.Pi), math.Sqrt(s.rng.Float64())*r*1.04
		bx, by := x+d*math.Cos(a)+s.from*r*0.1*t, y+d*math.Sin(a)*0.82-r*0.16*t
		up := clamp(0.5 - (by-y)/r*0.55 + s.from*(bx-x)/r*0.32)
		k := r * s.between(0.10, 0.24)
		if n > 100 {
			k *= 0.6
		}
		s.fill(px().oval(bx, by, k, k*0.82), solid(dark.mix(lit, up*s.between(0.7, 1.1))).faint(0.9))
	}
}

// branches draws bare wood that forks.
func (s *scene) branches(x, y, long, angle float64, level int, col rgb) {
	x2, y2 := x+math.Cos(angle)*long*0.5, y+math.Sin(angle)*long*0.5
	s.fill(px().stroke(max(s.u*0.8, long*0.07), x, y, x2, y2), solid(col))
	if level == 0 {
		return
	}
	for _, turn := range []float64{s.between(-0.75, -0.25), s.between(-0.15, 0.2), s.between(0.3, 0.8)} {
		s.branches(x2, y2, long*s.between(0.62, 0.8), angle+turn, level-1, col)
	}
}

// flower draws a blossom on a stem; tall is the whole height in px.
func (s *scene) flower(x, y, tall float64, petal rgb, petals int) {
	sway := s.between(-0.12, 0.12)
	stem := s.p.tone(s.p.leaf, 0)
	s.fill(at(x, y, tall).stroke(0.028, 0, 0, sway*0.25, -0.35, sway*0.7, -0.62, sway, -0.82), solid(stem.scale(0.85)))
	for _, k := range []float64{-1, 1} {
		leaf := at(x, y, tall).move(sway*0.2, -0.26-0.05*k)
		leaf.cube(0.10*k, -0.36, 0.20*k, -0.42, 0.27*k, -0.44).cube(0.20*k, -0.28, 0.10*k, -0.22, sway*0.2, -0.22-0.05*k)
		s.fill(leaf, down(stem.mix(s.p.sun, 0.15), stem.scale(0.75), y-0.44*tall, y-0.2*tall))
	}
	s.blossom(x+sway*tall, y-0.82*tall, tall*0.2, petal, petals)
}

// blossom draws the head of a flower as seen a little from above.
func (s *scene) blossom(x, y, r float64, petal rgb, petals int) {
	col := s.p.tone(petal, 0).mix(petal, 0.35)
	start := s.between(0, 1)
	for ring := range 2 {
		k := 1 - 0.3*float64(ring)
		for i := range petals {
			a := (float64(i)+start+0.5*float64(ring))/float64(petals)*2*math.Pi + 0.3
			wide := min(0.36, 1.9/float64(petals))
			p := at(x, y, r*k).turned(a)
			p.move(0.1, 0).cube(0.35, -wide*1.3, 0.9, -wide*1.25, 1, 0).cube(0.9, wide*1.25, 0.35, wide*1.3, 0.1, 0)
			shade := 0.82 + 0.22*math.Cos(a+s.from) + 0.1*float64(ring)
			ex, ey := x+math.Cos(a)*r*k, y+math.Sin(a)*r*k
			s.fill(p, ink{a: col.scale(0.72 * shade), b: col.mix(rgb{1, 1, 1}, 0.22).scale(shade), x0: x, y0: y, x1: ex + 0.01, y1: ey, graded: true, alpha: 1})
		}
	}
	heart := hex(0xf0b73c)
	if petal.luma() > 0.68 && petal.b < 0.4 {
		heart = hex(0x6b4426)
	}
	s.fill(px().oval(x, y, r*0.27, r*0.25), down(heart.times(s.p.ambient).mix(heart, 0.4), heart.scale(0.6), y-r*0.25, y+r*0.25))
	for range 14 {
		a, d := s.between(0, 6.3), s.between(0.05, 0.24)*r
		s.fill(px().oval(x+d*math.Cos(a), y+d*math.Sin(a)*0.9, r*0.028, r*0.028), solid(heart.scale(0.55)).faint(0.7))
	}
}

// woods draws rows of trees that come nearer, and returns the ground.
func (s *scene) woods(rows int) func(x float64) float64 {
	crest := func(float64) float64 { return s.H() * 0.9 }
	broad := s.b.season == "autumn" || s.b.season == "spring" || s.chance(0.3)
	for i := range rows {
		t := float64(i) / float64(max(1, rows-1))
		depth := 0.82 * math.Pow(1-t, 1.2)
		base := lerp(s.horizon+s.u*6, s.H()*0.93, math.Pow(t, 1.5))
		size := s.u * lerp(210, 640, math.Pow(t, 1.2))
		col := s.p.tone(s.p.ground.mix(s.p.leaf, 0.5).scale(0.85), depth*0.9)
		crest = s.hill(base, s.u*lerp(6, 20, t), s.u*240, col, col.scale(0.72))
		gap := lerp(0.17, 0.34, t)
		for x := -size * 0.3; x < s.W()+size*0.3; x += size * gap * s.between(0.6, 1.4) {
			// A clearing for what stands in front and for the eye.
			if t > 0.35 && math.Abs(x-s.side(0.40)) < s.W()*(0.10+0.22*t) {
				continue
			}
			k := size * s.between(0.7, 1.15)
			if broad && lattice(int(x), i, s.seed) < 0.75 {
				s.roundTree(x, crest(x)+s.u*3, k*0.8, depth)
			} else {
				s.fir(x, crest(x)+s.u*3, k, depth)
			}
		}
		s.fogBank(base+s.u*10, s.u*lerp(40, 70, t), 0.42*(1-t))
		if s.stopped() {
			return crest
		}
	}
	if s.b.season != "winter" {
		s.litter(crest, broad && s.b.season == "autumn")
	}
	return crest
}

// litter covers the forest floor with leaves or with grass and ferns.
func (s *scene) litter(crest func(float64) float64, leaves bool) {
	if !leaves {
		s.grass(crest, 0.4)
		return
	}
	for i := range 700 {
		x := s.between(0, 1) * s.W()
		t := math.Sqrt(float64(i) / 700)
		y := lerp(crest(x), s.H()*1.01, t)
		k := s.u * lerp(2, 8, t)
		col := []rgb{hex(0xd0662a), hex(0xe6ab3e), hex(0xa83a26), hex(0x8a5a2c)}[s.rng.IntN(4)]
		s.fill(at(x, y, k).turned(s.between(0, 3)).soft(-1, 0, 0, -0.4, 1, 0, 0, 0.4), solid(s.p.tone(col, 0.05)).faint(0.85))
	}
}

// fogBank draws a band of haze around y.
func (s *scene) fogBank(y, half, strength float64) {
	if strength <= 0 {
		return
	}
	seed := s.rng.Uint32()
	f := newField(s.w, s.h, 16, func(x, _ float64) float64 { return 0.55 + 0.9*(fbm(x/s.u/180, 1, 2, seed)-0.4) })
	for j := max(0, int(y-half*2)); j < min(s.h, int(y+half*2)); j++ {
		d := (float64(j) - y) / half
		a := strength * math.Exp(-d*d)
		for i := range s.w {
			k := (j*s.w + i) * 3
			v := float32(a) * f.at(i, 0)
			s.pix[k] += (s.p.haze.r - s.pix[k]) * v
			s.pix[k+1] += (s.p.haze.g - s.pix[k+1]) * v
			s.pix[k+2] += (s.p.haze.b - s.pix[k+2]) * v
		}
	}
}
