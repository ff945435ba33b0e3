package paint

import "math"

// space draws nebulae, stars and planets.
func (s *scene) space() {
	deep := hex(0x04050f)
	s.fill(newPath().rect(0, 0, s.width, s.height), solid(deep))
	nebulae := []string{"#7a2f8f #2f62b8", "#b8433f #3f3aa0", "#1f8f8a #6a3fb0", "#c0732c #315fa0"}
	pick := parseColors(nebulae[s.rng.IntN(len(nebulae))])
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
	s.scatterStars(int(s.width*s.height/(s.unit*s.unit)/800), s.height, 4)
	big := s.unit * s.uniform(150, 270)
	x, y := s.subjectX(s.uniform(0.58, 0.74)), s.height*s.uniform(0.36, 0.62)
	s.planet(x, y, big, s.spec.has("planet") || s.chance(0.5))
	for range 1 + s.rng.IntN(3) {
		s.planet(s.subjectX(s.uniform(0.08, 0.45)), s.height*s.uniform(0.12, 0.88), s.unit*s.uniform(22, 74), false)
	}
	if o, ok := s.spec.find("rocket"); ok {
		s.drawObject(o, s.subjectX(0.30), s.height*0.55, s.unit*380, 0)
	}
}

// planet draws a lit ball with bands or land, and rings if asked.
func (s *scene) planet(x, y, r float64, isRinged bool) {
	kinds := []string{ // the middle, bright and dark colours
		"#d9a066 #f0d6a8 #a8693f", "#4f86c6 #a8d0ea #2c4f8f", "#b8503a #e09a6b #74301f", "#6fb0a0 #d8ead0 #37706b",
		"#8f6fb8 #d6b8e0 #4f3a80",
	}
	c := parseColors(kinds[s.rng.IntN(len(kinds))])
	seed := s.rng.Uint32()
	isGas := isRinged || s.chance(0.5)
	tilt := s.uniform(-0.45, 0.45)
	s.glow(x, y, r*1.7, c[1], 0.35)
	rings := figure{x: x, y: y, size: r, side: 1, angle: tilt, colors: map[string]rgb{"ring": c[1]}}
	if isRinged {
		s.drawFigure("rings-behind", rings)
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
			t := fbm(u*2.4+dz, v*2.4, 4, seed)
			if isGas {
				t = fbm(u*0.8+dz, v*6+0.5*fbm(u*3, v*5, 2, seed), 3, seed)
			}
			col := c[2].mix(c[0], smoothstep(0.25, 0.5, t)).mix(c[1], smoothstep(0.5, 0.75, t))
			l := max(0, dx*lx+dy*ly+dz*lz)
			col = col.scale(0.05+1.05*l).mix(c[1], 0.35*math.Pow(1-dz, 3)*l)
			s.at(i, j).blend(col, float32(edge))
		}
	}
	if isRinged {
		s.drawFigure("rings-in-front", rings)
	}
}
