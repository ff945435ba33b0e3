package paint

import "math"

// conifer draws a conifer of the given height with its foot at x, y.
func (s *scene) conifer(x, y, tall, depth float64) {
	green := s.pal.foliage.mix(hex(0x2f5d50), 0.75)
	if s.spec.season == "autumn" && hashNoise(int(x), int(y), s.seed) < 0.3 {
		green = s.pal.foliage
	}
	dark := s.pal.shade(green.scale(0.72), depth)
	lit := s.pal.shade(green.mix(s.pal.sun, 0.14), depth)
	s.fill(pathAt(x, y, tall).rect(-0.02, -0.14, 0.04, 0.15), solid(s.pal.shade(hex(0x5a4334), depth)))
	whole, bright := pathAt(x, y, tall), pathAt(x, y, tall)
	tiers := 4
	if tall > s.unit*70 {
		tiers = 6
	}
	jag := func(i int) float64 { return 0.02 * (hashNoise(i, int(x*3), s.seed) - 0.5) }
	for i := range tiers {
		t := float64(i) / float64(tiers)
		top, bottom := -1+0.80*t*0.92, -1+0.92*(t+1.45/float64(tiers))
		bottom = min(bottom, -0.09)
		half := 0.05 + 0.21*(t+1/float64(tiers)) + jag(i)
		whole.polygon(0, top, half, bottom+jag(i+9), half*0.45, bottom-0.025,
			0, bottom+0.012, -half*0.45, bottom-0.025, -half, bottom+jag(i+5))
		k := half * s.lightSide
		if s.lightSide > 0 {
			bright.polygon(0, top, k, bottom+jag(i+9), k*0.45, bottom-0.025, k*0.28, (top+bottom)/2)
		} else {
			bright.polygon(0, top, k*0.28, (top+bottom)/2, k*0.45, bottom-0.025, k, bottom+jag(i+5))
		}
	}
	s.fill(whole, vgradient(dark, dark.mix(s.pal.haze, 0.12*depth), y-tall, y))
	s.fill(bright, solid(lit).withAlpha(0.55))
	if s.spec.season != "winter" {
		return
	}
	white := s.pal.shade(hex(0xf6f9fc), depth*0.9)
	snow := pathAt(x, y, tall)
	for i := range tiers {
		t := float64(i) / float64(tiers)
		top, half := -1+0.80*t*0.92, 0.05+0.21*(t+1/float64(tiers))
		low := min(-1+0.92*(t+1.45/float64(tiers)), -0.09)
		mid := lerp(top, low, 0.62)
		snow.polygon(0, top, half*0.72, mid+0.02, half*0.3, mid-0.035,
			0, mid+0.005, -half*0.35, mid-0.03, -half*0.68, mid+0.015)
	}
	s.fill(snow, solid(white).withAlpha(0.85))
}

// broadleafTree draws a broad-leaved tree of the given height with its foot at x, y.
func (s *scene) broadleafTree(x, y, tall, depth float64) {
	leaf := s.pal.foliage
	bare := s.spec.season == "winter"
	if s.spec.season == "spring" && (s.spec.has("tree") || hashNoise(int(x), 3, s.seed) < 0.6) {
		leaf = hex(0xf0a9c0)
	}
	if s.spec.season == "autumn" {
		leaf = []rgb{hex(0xd0662a), hex(0xe09a34), hex(0xb8452b), hex(0xc98a3a)}[int(hashNoise(int(x), 7, s.seed)*4)]
	}
	bark := s.pal.shade(hex(0x59432f), depth)
	trunk := pathAt(x, y, tall)
	trunk.moveTo(-0.055, 0.01).cubicTo(-0.02, -0.1, -0.03, -0.3, -0.035, -0.48)
	trunk.lineTo(0.035, -0.48).cubicTo(0.03, -0.3, 0.02, -0.1, 0.06, 0.01)
	s.fill(trunk, hgradient(bark.scale(0.8), bark.scale(1.15), x-tall*0.05, x+tall*0.05*s.lightSide))
	if bare {
		s.branches(x, y-tall*0.4, tall*0.42, -math.Pi/2, 5, bark)
		return
	}
	s.crown(x, y-tall*0.63, tall*0.36, s.pal.shade(leaf, depth), depth)
}

// crown draws foliage as many leaves that are dark below and bright above.
func (s *scene) crown(x, y, r float64, col rgb, depth float64) {
	dark, lit := col.scale(0.66), s.sunlit(col, 0.34*(1-depth))
	n := 7
	if r > s.unit*24 {
		n = 40
	}
	if r > s.unit*80 {
		n = 170
	}
	base := newPath()
	for i := range 9 {
		a := float64(i)/9*2*math.Pi + s.uniform(-0.2, 0.2)
		k, d := s.uniform(0.30, 0.52), s.uniform(0.42, 0.66)
		base.ellipse(x+math.Cos(a)*r*d*1.1, y+math.Sin(a)*r*d*0.85, r*k, r*k*0.9)
	}
	base.ellipse(x, y, r*0.6, r*0.55)
	s.fill(base, vgradient(dark.mix(col, 0.5), dark, y-r, y+r))
	for i := range n {
		t := float64(i) / float64(n)
		a, d := s.uniform(0, 2*math.Pi), math.Sqrt(s.rng.Float64())*r*1.04
		bx, by := x+d*math.Cos(a)+s.lightSide*r*0.1*t, y+d*math.Sin(a)*0.82-r*0.16*t
		up := clamp(0.5 - (by-y)/r*0.55 + s.lightSide*(bx-x)/r*0.32)
		k := r * s.uniform(0.10, 0.24)
		if n > 100 {
			k *= 0.6
		}
		s.fill(newPath().ellipse(bx, by, k, k*0.82), solid(dark.mix(lit, up*s.uniform(0.7, 1.1))).withAlpha(0.9))
	}
}

// branches draws a leafless branch that forks.
func (s *scene) branches(x, y, long, angle float64, level int, col rgb) {
	x2, y2 := x+math.Cos(angle)*long*0.5, y+math.Sin(angle)*long*0.5
	s.fill(newPath().stroke(max(s.unit*0.8, long*0.07), x, y, x2, y2), solid(col))
	if level == 0 {
		return
	}
	for _, turn := range []float64{s.uniform(-0.75, -0.25), s.uniform(-0.15, 0.2), s.uniform(0.3, 0.8)} {
		s.branches(x2, y2, long*s.uniform(0.62, 0.8), angle+turn, level-1, col)
	}
}

// flower draws a blossom on a stem; tall is the whole height in pixels.
func (s *scene) flower(x, y, tall float64, petal rgb, petals int) {
	sway := s.uniform(-0.12, 0.12)
	stem := s.pal.shade(s.pal.foliage, 0)
	shape := pathAt(x, y, tall).stroke(0.028, 0, 0, sway*0.25, -0.35, sway*0.7, -0.62, sway, -0.82)
	s.fill(shape, solid(stem.scale(0.85)))
	for _, k := range []float64{-1, 1} {
		leaf := pathAt(x, y, tall).moveTo(sway*0.2, -0.26-0.05*k)
		leaf.cubicTo(0.10*k, -0.36, 0.20*k, -0.42, 0.27*k, -0.44)
		leaf.cubicTo(0.20*k, -0.28, 0.10*k, -0.22, sway*0.2, -0.22-0.05*k)
		s.fill(leaf, vgradient(stem.mix(s.pal.sun, 0.15), stem.scale(0.75), y-0.44*tall, y-0.2*tall))
	}
	s.blossom(x+sway*tall, y-0.82*tall, tall*0.2, petal, petals)
}

// blossom draws the head of a flower, seen from above.
func (s *scene) blossom(x, y, r float64, petal rgb, petals int) {
	col := s.pal.shade(petal, 0).mix(petal, 0.35)
	start := s.uniform(0, 1)
	for ring := range 2 {
		k := 1 - 0.3*float64(ring)
		for i := range petals {
			a := (float64(i)+start+0.5*float64(ring))/float64(petals)*2*math.Pi + 0.3
			wide := min(0.36, 1.9/float64(petals))
			p := pathAt(x, y, r*k).rotate(a)
			p.moveTo(0.1, 0).cubicTo(0.35, -wide*1.3, 0.9, -wide*1.25, 1, 0)
			p.cubicTo(0.9, wide*1.25, 0.35, wide*1.3, 0.1, 0)
			shade := 0.82 + 0.22*math.Cos(a+s.lightSide) + 0.1*float64(ring)
			ex, ey := x+math.Cos(a)*r*k, y+math.Sin(a)*r*k
			inner, tip := col.scale(0.72*shade), col.mix(rgb{1, 1, 1}, 0.22).scale(shade)
			s.fill(p, gradient(inner, tip, x, y, ex+0.01, ey))
		}
	}
	heart := hex(0xf0b73c)
	if petal.luma() > 0.68 && petal.b < 0.4 {
		heart = hex(0x6b4426)
	}
	shape := newPath().ellipse(x, y, r*0.27, r*0.25)
	s.fill(shape, vgradient(heart.mul(s.pal.ambient).mix(heart, 0.4), heart.scale(0.6), y-r*0.25, y+r*0.25))
	for range 14 {
		a, d := s.uniform(0, 6.3), s.uniform(0.05, 0.24)*r
		shape := newPath().ellipse(x+d*math.Cos(a), y+d*math.Sin(a)*0.9, r*0.028, r*0.028)
		s.fill(shape, solid(heart.scale(0.55)).withAlpha(0.7))
	}
}

// forest draws rows of trees from far to near and returns the crest of the nearest ground.
func (s *scene) forest(rows int) crestLine {
	crest := func(float64) float64 { return s.height * 0.9 }
	broad := s.spec.season == "autumn" || s.spec.season == "spring" || s.chance(0.3)
	for i := range rows {
		t := float64(i) / float64(max(1, rows-1))
		depth := 0.82 * math.Pow(1-t, 1.2)
		base := lerp(s.horizon+s.unit*6, s.height*0.93, math.Pow(t, 1.5))
		size := s.unit * lerp(210, 640, math.Pow(t, 1.2))
		col := s.pal.shade(s.pal.ground.mix(s.pal.foliage, 0.5).scale(0.85), depth*0.9)
		crest = s.hill(base, s.unit*lerp(6, 20, t), s.unit*240, col, col.scale(0.72))
		gap := lerp(0.17, 0.34, t)
		for x := -size * 0.3; x < s.width+size*0.3; x += size * gap * s.uniform(0.6, 1.4) {
			// A clearing leaves room for the objects of the foreground.
			if t > 0.35 && math.Abs(x-s.subjectX(0.40)) < s.width*(0.10+0.22*t) {
				continue
			}
			k := size * s.uniform(0.7, 1.15)
			if broad && hashNoise(int(x), i, s.seed) < 0.75 {
				s.broadleafTree(x, crest(x)+s.unit*3, k*0.8, depth)
			} else {
				s.conifer(x, crest(x)+s.unit*3, k, depth)
			}
		}
		s.fogBank(base+s.unit*10, s.unit*lerp(40, 70, t), 0.42*(1-t))
	}
	if s.spec.season != "winter" {
		s.forestFloor(crest, broad && s.spec.season == "autumn")
	}
	return crest
}

// forestFloor covers the forest floor with leaves or with grass and ferns.
func (s *scene) forestFloor(crest crestLine, leaves bool) {
	if !leaves {
		s.grass(crest, 0.4)
		return
	}
	for i := range 700 {
		x := s.uniform(0, 1) * s.width
		t := math.Sqrt(float64(i) / 700)
		y := lerp(crest(x), s.height*1.01, t)
		k := s.unit * lerp(2, 8, t)
		col := []rgb{hex(0xd0662a), hex(0xe6ab3e), hex(0xa83a26), hex(0x8a5a2c)}[s.rng.IntN(4)]
		shape := pathAt(x, y, k).rotate(s.uniform(0, 3)).closedCurve(-1, 0, 0, -0.4, 1, 0, 0, 0.4)
		s.fill(shape, solid(s.pal.shade(col, 0.05)).withAlpha(0.85))
	}
}

// fogBank draws a band of haze around y.
func (s *scene) fogBank(y, half, strength float64) {
	if strength <= 0 {
		return
	}
	seed := s.rng.Uint32()
	opacity := s.noiseGrid(s.h, 16, func(x, _ float64) float64 {
		return 0.55 + 0.9*(fbm(x/s.unit/180, 1, 2, seed)-0.4)
	})
	s.overlay(int(y-half*2), int(y+half*2), func(x, row int) (rgb, float64) {
		d := (float64(row) - y) / half
		return s.pal.haze, float64(float32(strength*math.Exp(-d*d)) * opacity.sample(x, 0))
	})
}

// cacti draws three cacti below a crest.
func (s *scene) cacti(crest crestLine) {
	for range 3 {
		x := s.uniform(0.05, 0.95) * s.width
		y, size := crest(x)+s.unit*s.uniform(10, 60), s.unit*s.uniform(90, 230)
		s.drawFigure("cactus", figure{x: x, y: y, size: size})
	}
}
