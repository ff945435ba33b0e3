package paint

import "math"

// Space draws nebulae, stars and planets.
func (s *scene) Space() {
	s.fill(newPath().rect(0, 0, s.width, s.height), solid(parseColor("#04050f")))
	pick := s.scheme("nebula")
	if len(s.colors) > 0 {
		pick[0] = s.colors[0]
	}
	for _, c := range pick {
		x, y := s.width*s.uniform(0.3, 0.7), s.height*s.uniform(0.3, 0.7)
		s.nebula(x, y, s.uniform(-0.8, 0.8), 1, c, 1.25)
	}
	s.stars(int(s.width*s.height/(s.unit*s.unit)/800), s.height, 4)
	big := s.unit * s.uniform(150, 270)
	x, y := s.subjectX(s.uniform(0.58, 0.74)), s.height*s.uniform(0.36, 0.62)
	s.planet(x, y, big, s.has("planet") || s.chance(0.5))
	for range 1 + s.rng.IntN(3) {
		s.planet(s.subjectX(s.uniform(0.08, 0.45)), s.height*s.uniform(0.12, 0.88), s.unit*s.uniform(22, 74), false)
	}
	if o, ok := s.find("rocket"); ok {
		s.drawObject(o, s.subjectX(0.30), s.height*0.55, s.unit*380, 0)
	}
}

// nebula draws a cloud of light around cx, cy, the more stretched along its angle the longer it is.
func (s *scene) nebula(cx, cy, angle, length float64, c rgb, strength float64) {
	sin, cos := math.Sincos(angle)
	seed := s.rng.Uint32()
	light := s.noiseGrid(s.h, 4, func(x, y float64) float64 {
		dx, dy := (x-cx)/s.unit, (y-cy)/s.unit
		u, v := (dx*cos+dy*sin)/360, (-dx*sin+dy*cos)/170
		w := fbm(u+3, v, 3, seed+5)
		density := fbm(u*1.6+w*1.9, v*1.1+w*1.4, 5, seed)
		return math.Exp(-(u*u/length/length+v*v)*0.22) * math.Pow(smoothstep(0.30, 0.86, density), 1.6)
	})
	pale := c.mix(parseColor("#ffd9c0"), 0.6)
	s.mapPixels(func(x, y int, old rgb) rgb {
		old.add(c, light.sample(x, y)*float32(strength))
		old.add(pale, light.sample(x, y)*float32(strength/6))
		return old
	})
}

// planet draws a lit ball with bands or land, and rings if asked.
func (s *scene) planet(x, y, r float64, isRinged bool) {
	c := s.scheme("planet")
	seed := s.rng.Uint32()
	isGas := isRinged || s.chance(0.5)
	tilt := s.uniform(-0.45, 0.45)
	s.glow(x, y, r*1.7, c[1], 0.35)
	rings := figure{x: x, y: y, size: r, side: 1, angle: tilt, colors: map[string]rgb{"ring": c[1]}}
	if isRinged {
		s.drawFigure("rings-behind", rings)
	}
	sin, cos := math.Sincos(tilt)
	s.overlay(int(y-r-1), int(y+r+2), func(px, py int) (rgb, float64) {
		dx, dy := (float64(px)-x)/r, (float64(py)-y)/r
		d := dx*dx + dy*dy
		edge := clamp((1 - math.Sqrt(d)) * r)
		if edge <= 0 {
			return rgb{}, 0
		}
		dz := math.Sqrt(max(0, 1-d))
		u, v := dx*cos+dy*sin, -dx*sin+dy*cos
		t := fbm(u*2.4+dz, v*2.4, 4, seed)
		if isGas {
			t = fbm(u*0.8+dz, v*6+0.5*fbm(u*3, v*5, 2, seed), 3, seed)
		}
		surface := c[2].mix(c[0], smoothstep(0.25, 0.5, t)).mix(c[1], smoothstep(0.5, 0.75, t))
		light := max(0, 0.62*dx*s.lightSide-0.48*dy+0.62*dz)
		return surface.scale(0.05+1.05*light).mix(c[1], 0.35*math.Pow(1-dz, 3)*light), edge
	})
	if isRinged {
		s.drawFigure("rings-in-front", rings)
	}
}

// Abstract draws flowing ribbons and discs, for prompts that name nothing.
func (s *scene) Abstract() {
	c := s.scheme("abstract")
	copy(c[1:4], s.colors)
	w, h := s.width, s.height
	s.fill(newPath().rect(0, 0, w, h), hgradient(c[3], c[2].mix(c[3], 0.4), 0, w))
	r := s.unit * s.uniform(180, 300)
	x, y := w*s.uniform(0.3, 0.7), h*s.uniform(0.25, 0.5)
	s.fill(newPath().ellipse(x, y, r, r), vgradient(c[4], c[5], y-r, y+r))
	if !s.isFlat {
		s.glow(x, y, r*2.1, c[4], 0.35)
	}
	n := 7 + s.rng.IntN(4)
	colors := ramp([]rgb{c[2], c[1], c[0]}, n)
	for i, color := range colors {
		if i%3 == 1 {
			color = color.mix(c[5], 0.55)
		}
		base, swell := h*lerp(0.34, 1, float64(i)/float64(n-1)), s.unit*s.uniform(40, 90)
		crest := s.hill(base, swell, s.unit*s.uniform(170, 300), color.mix(rgb{1, 1, 1}, 0.1), color.scale(0.78))
		var line []float64
		for x := -5.0; x <= w+8; x += 12 {
			line = append(line, x, crest(x)+s.unit*7)
		}
		s.fill(newPath().stroke(s.unit*2.2, line...), solid(color.mix(rgb{1, 1, 1}, 0.45)).withAlpha(0.6))
	}
	discs := scenes().Scatters["discs"]
	discs.colors = c
	s.drawScatter(discs)
}
