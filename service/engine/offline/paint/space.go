package paint

import "math"

// space draws nebulae, stars and planets.
func (s *scene) space() {
	deep := hex(0x04050f)
	s.fill(newPath().rect(0, 0, s.width, s.height), solid(deep))
	clouds := [][2]rgb{
		{hex(0x7a2f8f), hex(0x2f62b8)}, {hex(0xb8433f), hex(0x3f3aa0)},
		{hex(0x1f8f8a), hex(0x6a3fb0)}, {hex(0xc0732c), hex(0x315fa0)},
	}
	pick := clouds[s.rng.IntN(len(clouds))]
	if len(s.spec.colors) > 0 {
		pick[0] = s.spec.colors[0]
	}
	angle := s.uniform(-0.8, 0.8)
	sin, cos := math.Sincos(angle)
	for n := range 2 {
		seed := s.seed + uint32(n)*77
		ox, oy := s.width*s.uniform(0.3, 0.7), s.height*s.uniform(0.3, 0.7)
		f := s.noiseGrid(s.h, 4, func(x, y float64) float64 {
			dx, dy := (x-ox)/s.unit, (y-oy)/s.unit
			u, v := (dx*cos+dy*sin)/360, (-dx*sin+dy*cos)/170
			w := fbm(u+3, v, 3, seed+5)
			c := fbm(u*1.6+w*1.9, v*1.1+w*1.4, 5, seed)
			return math.Exp(-(u*u+v*v)*0.22) * math.Pow(smoothstep(0.30, 0.86, c), 1.6)
		})
		s.addLight(f, pick[n], 1.25, s.h)
		s.addLight(f, pick[n].mix(hex(0xffd9c0), 0.6), 0.22, s.h)
	}
	for range int(s.width * s.height / (s.unit * s.unit) / 800) {
		bright := math.Pow(s.rng.Float64(), 4)
		x, y, r := s.uniform(0, s.width), s.uniform(0, s.height), s.unit*(0.5+1.5*bright)
		col := hex(0xbfd2ff).mix(hex(0xffe2b8), s.rng.Float64())
		s.fill(newPath().ellipse(x, y, r, r), solid(col).withAlpha(0.4+0.6*bright))
		if bright > 0.72 {
			s.glow(x, y, r*14, col, 0.6)
			for _, a := range []float64{0, math.Pi / 2} {
				shape := pathAt(x, y, r*9).rotate(a).polygon(-1, 0, 0, -0.05, 1, 0, 0, 0.05)
				s.fill(shape, solid(col).withAlpha(0.6).asLight())
			}
		}
	}
	big := s.unit * s.uniform(150, 270)
	x, y := s.subjectX(s.uniform(0.58, 0.74)), s.height*s.uniform(0.36, 0.62)
	s.planet(x, y, big, s.spec.has("planet") || s.chance(0.5))
	for range 1 + s.rng.IntN(3) {
		s.planet(s.subjectX(s.uniform(0.08, 0.45)), s.height*s.uniform(0.12, 0.88), s.unit*s.uniform(22, 74), false)
	}
	if s.spec.has("rocket") {
		s.rocket(s.subjectX(0.30), s.height*0.55, s.unit*380)
	}
}

// planet draws a lit ball with bands or land, and rings when ringed.
func (s *scene) planet(x, y, r float64, ringed bool) {
	kinds := [][3]rgb{
		{hex(0xd9a066), hex(0xf0d6a8), hex(0xa8693f)}, {hex(0x4f86c6), hex(0xa8d0ea), hex(0x2c4f8f)},
		{hex(0xb8503a), hex(0xe09a6b), hex(0x74301f)}, {hex(0x6fb0a0), hex(0xd8ead0), hex(0x37706b)},
		{hex(0x8f6fb8), hex(0xd6b8e0), hex(0x4f3a80)},
	}
	c := kinds[s.rng.IntN(len(kinds))]
	seed := s.rng.Uint32()
	gas := ringed || s.chance(0.5)
	tilt := s.uniform(-0.45, 0.45)
	s.glow(x, y, r*1.7, c[1], 0.35)
	if ringed {
		s.ring(x, y, r, tilt, c[1], true)
	}
	lx, ly, lz := s.lightSide*0.62, -0.48, 0.62
	sin, cos := math.Sincos(tilt)
	for j := max(0, int(y-r-1)); j < min(s.h, int(y+r+2)); j++ {
		for i := max(0, int(x-r-1)); i < min(s.w, int(x+r+2)); i++ {
			dx, dy := (float64(i)-x)/r, (float64(j)-y)/r
			d := dx*dx + dy*dy
			edge := clamp((1 - math.Sqrt(d)) * r)
			if edge <= 0 {
				continue
			}
			dz := math.Sqrt(max(0, 1-d))
			u, v := dx*cos+dy*sin, -dx*sin+dy*cos
			var t float64
			if gas {
				t = fbm(u*0.8+dz, v*6+0.5*fbm(u*3, v*5, 2, seed), 3, seed)
			} else {
				t = fbm(u*2.4+dz, v*2.4, 4, seed)
			}
			col := c[2].mix(c[0], smoothstep(0.25, 0.5, t)).mix(c[1], smoothstep(0.5, 0.75, t))
			l := max(0, dx*lx+dy*ly+dz*lz)
			col = col.scale(0.05+1.05*l).mix(c[1], 0.35*math.Pow(1-dz, 3)*l)
			s.at(i, j).blend(col, float32(edge))
		}
	}
	if ringed {
		s.ring(x, y, r, tilt, c[1], false)
	}
}

// ring draws the half of a planet's rings behind it, or the one in front.
func (s *scene) ring(x, y, r, tilt float64, col rgb, behind bool) {
	from, to := 0.0, math.Pi
	if behind {
		from, to = math.Pi, 2*math.Pi
	}
	for i := range 9 {
		k := 1.35 + 0.095*float64(i)
		if i == 5 {
			continue
		}
		var v []float64
		for n := range 41 {
			a := lerp(from, to, float64(n)/40)
			v = append(v, k*math.Cos(a), k*0.27*math.Sin(a))
		}
		shape := pathAt(x, y, r).rotate(tilt).stroke(0.07, v...)
		s.fill(shape, solid(col.scale(0.55+0.5*hashNoise(i, 1, s.seed))).withAlpha(0.55))
	}
}
