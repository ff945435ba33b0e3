package paint

import "math"

// water reflects the picture above the horizon, distorted by waves, in water that reaches down to the lower edge.
func (s *scene) water() {
	y0 := int(s.horizon)
	calm := 0.35
	if s.spec.place == "sea" {
		calm = 1
	}
	if s.spec.weather["storm"] {
		calm = 1.8
	}
	seed := s.rng.Uint32()
	rows := float64(s.h - y0)
	for y := range s.rows(y0, s.h) {
		t := float64(y-y0) / rows
		from := float64(y0) - float64(y-y0)*0.92
		reflect := lerp(0.86, 0.40, math.Pow(t, 0.7))
		if s.flat {
			reflect *= 0.85
		}
		wave := s.unit * lerp(1.5, 20, t) * calm
		freq := 1 / (s.unit * lerp(2.2, 26, t))
		deep := s.pal.water.mix(s.pal.sky[0], 0.25*(1-t))
		for x := range s.w {
			n := valueNoise(float64(x)*freq*0.16, float64(y-y0)*freq, seed) - 0.5
			above := s.at(x+int(n*wave*1.2), min(y0-1, int(from+n*wave*2.4)))
			*s.at(x, y) = deep.mix(*above, reflect*(1+0.5*n))
		}
	}
	s.ripples(calm)
	s.sunReflection()
}

// ripples draws long bright and dark ripples on the water.
func (s *scene) ripples(calm float64) {
	n := int(260 * calm)
	if s.flat {
		n = 70
	}
	for range n {
		t := math.Pow(s.rng.Float64(), 1.6)
		y := s.horizon + t*(s.height-s.horizon)
		x := s.rng.Float64() * s.width
		long, thick := s.unit*lerp(8, 95, t)*s.uniform(0.5, 1.3), s.unit*lerp(0.6, 3.4, t)
		col, a := s.pal.water.scale(0.62), 0.32
		if s.rng.IntN(5) > 2 {
			col, a = s.pal.haze.mix(s.pal.cloudLit, 0.4), 0.22
		}
		s.ripple(x, y, long, thick, solid(col).withAlpha(a))
	}
}

func (s *scene) ripple(x, y, long, thick float64, k fillStyle) {
	p := newPath().moveTo(x-long/2, y).cubicTo(x-long/4, y-thick, x+long/4, y-thick, x+long/2, y)
	s.fill(p.cubicTo(x+long/4, y+thick*0.6, x-long/4, y+thick*0.6, x-long/2, y), k)
}

// sunReflection draws the reflection of the sun or the moon on the water.
func (s *scene) sunReflection() {
	if !s.isSunVisible || s.spec.weather["fog"] {
		return
	}
	strength := clamp(1.2 - (s.horizon-s.sunY)/(s.horizon*0.95))
	if s.spec.time == "night" {
		strength = 0.8
	}
	if strength < 0.12 {
		return
	}
	n := 420
	if s.flat {
		n = 46
	}
	bright := s.pal.sun.mix(rgb{1, 1, 1}, 0.25)
	for i := range n {
		t := math.Pow(float64(i)/float64(n), 1.15)
		y := s.horizon + t*(s.height-s.horizon)*0.98
		wide := s.sunRadius * lerp(0.75, 2.2, t)
		x := s.sunX + (s.rng.Float64()+s.rng.Float64()+s.rng.Float64()-1.5)*wide*0.9
		long, thick := s.unit*lerp(10, 56, t)*s.uniform(0.4, 1.2), s.unit*lerp(0.8, 3.4, t)
		if s.flat {
			x, long, thick = s.sunX+s.uniform(-0.3, 0.3)*wide, wide*s.uniform(0.6, 1.7), s.unit*lerp(2, 5, t)
		}
		s.ripple(x, y, long, thick, solid(bright).withAlpha(strength*lerp(0.85, 0.35, t)))
	}
}

// shore draws a bank across the lower edge of the picture and returns its crest.
func (s *scene) shore(col rgb) crestLine {
	top := s.pal.shade(col, 0)
	edge := s.hill(s.height*0.90, s.unit*22, s.unit*420, s.sunlit(top, 0.12), top.scale(0.66))
	if s.spec.season == "winter" || s.flat {
		return edge
	}
	for range 60 { // reeds
		x := s.uniform(0, 1) * s.width
		if math.Abs(x-s.subjectX(0.3)) < s.width*0.12 {
			continue
		}
		k := s.unit * s.uniform(25, 80)
		lean := s.uniform(-0.2, 0.2)
		shape := pathAt(x, edge(x)+k*0.15, k).polygon(-0.02, 0, lean*0.4, -0.6, lean, -1, lean*0.4+0.03, -0.6, 0.03, 0)
		s.fill(shape, solid(s.pal.shade(s.pal.foliage.scale(0.6), 0)))
	}
	return edge
}

// headland draws land that reaches into the water from the side of the subject, and returns its highest point.
func (s *scene) headland() (x, y float64) {
	out := s.uniform(0.44, 0.56)
	x = s.subjectX(out * 0.56)
	rise := s.unit * s.uniform(48, 84)
	left := s.subjectLeft
	tip := s.subjectX(out)
	edge := -0.03 * s.width
	if !left {
		edge = 1.03 * s.width
	}
	base := s.horizon + s.unit*5
	rock := s.pal.shade(s.pal.rock, 0.10)
	seed := s.rng.Uint32()
	p := newPath().moveTo(edge, base).lineTo(edge, base-rise*0.7)
	const n = 22
	var crest []float64
	for i := range n + 1 {
		t := float64(i) / n
		hgt := rise * (1 - 0.32*math.Pow(math.Abs(t-0.5)*2, 2))
		if t > 0.62 {
			hgt *= 1 - smoothstep(0.62, 1, t)
		}
		xx := lerp(edge, tip, t)
		yy := base - hgt*(0.93+0.14*hashNoise(i, 1, seed))
		crest = append(crest, xx, yy)
		p.lineTo(xx, yy)
	}
	s.fill(p.lineTo(tip, base), vgradient(s.sunlit(rock, 0.12), rock.scale(0.62), base-rise, base))
	for i := range 26 { // facets of the rock
		t := s.rng.Float64()
		k := rise * s.uniform(0.16, 0.42)
		xx, yy := lerp(edge, tip, t*0.97), base-rise*0.85*s.rng.Float64()*(1-smoothstep(0.6, 1, t))
		tint := rock.scale(s.uniform(0.55, 0.85))
		if i%3 == 0 {
			tint = s.sunlit(rock, 0.22)
		}
		shape := pathAt(xx, yy, k).polygon(-0.7, 0.25, -0.3, -0.3, 0.5, -0.25, 0.8, 0.2, 0.1, 0.34)
		s.fill(shape, solid(tint).withAlpha(0.5))
	}
	turf := s.pal.shade(s.pal.ground, 0.08)
	g := newPath().moveTo(crest[0], crest[1])
	const m = 16
	for i := range m {
		g.lineTo(crest[2*i], crest[2*i+1]-s.unit*2)
	}
	for i := m - 1; i >= 0; i-- {
		g.lineTo(crest[2*i], crest[2*i+1]+rise*(0.10+0.16*hashNoise(i, 4, seed)))
	}
	s.fill(g, vgradient(s.sunlit(turf, 0.15), turf.scale(0.7), base-rise, base-rise*0.6))
	best := base
	for i := 0; i < len(crest); i += 2 {
		if math.Abs(crest[i]-x) < math.Abs(tip-edge)/n {
			best = crest[i+1]
		}
	}
	return x, best + s.unit*4
}
