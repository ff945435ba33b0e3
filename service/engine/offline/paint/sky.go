package paint

import "math"

// sky draws the sky with the sun or the moon, the stars and the clouds.
func (s *scene) sky() {
	rows := s.skyRows()
	s.overlay(0, s.h, func(_, y int) (rgb, float64) { return rows[min(y, len(rows)-1)], 1 })
	if s.flat && s.isSunVisible {
		s.sunRings()
	}
	weather := s.spec.weather
	if (s.spec.time == "night" || s.spec.style == "neon") && !weather["rain"] {
		s.stars()
	}
	if weather["aurora"] {
		s.aurora()
	}
	s.sunOrMoon()
	if weather["rainbow"] || s.spec.has("rainbow") {
		s.rainbow()
	}
	switch {
	case weather["clear"], weather["stars"] && !weather["clouds"]:
	case s.flat:
		s.posterClouds()
	default:
		s.clouds()
	}
}

// skyRows returns the colour of the sky for every row down to the horizon.
func (s *scene) skyRows() []rgb { return ramp(s.pal.sky, max(2, int(s.horizon))) }

// sunRings draws the rings of light around the sun of a poster.
func (s *scene) sunRings() {
	width := s.unit * s.uniform(95, 150)
	glow := s.pal.sun.mix(s.pal.sky[len(s.pal.sky)-1], 0.35)
	s.overlay(0, s.h, func(x, y int) (rgb, float64) {
		dx, dy := float64(x)-s.sunX, float64(y)-s.sunY
		d := math.Sqrt(dx*dx+dy*dy) / width
		ring := math.Floor(d)
		ring += clamp((d-ring)*width/1.5) - 1
		if ring > 6 {
			return glow, 0
		}
		return glow, 0.42 * (1 - ring/6.5) * (1 - ring/6.5)
	})
}

func (s *scene) stars() {
	n := int(s.width * s.horizon / (s.unit * s.unit) / 1700)
	if s.spec.weather["stars"] {
		n *= 3
		s.milkyWay()
	}
	for range n {
		x, y := s.uniform(0, s.width), s.uniform(0, s.horizon*0.96)
		brightness := math.Pow(s.rng.Float64(), 3)
		brightness *= 1 - 0.7*y/s.horizon
		r := s.unit * (0.55 + 1.3*brightness)
		c := hex(0xdfe8ff).mix(hex(0xfff0d0), s.rng.Float64())
		s.fill(newPath().ellipse(x, y, r, r), solid(c).withAlpha(0.35+0.65*brightness))
		if brightness > 0.6 && !s.flat {
			s.glow(x, y, r*9, c, 0.5)
		}
	}
}

func (s *scene) milkyWay() {
	angle := s.uniform(-0.9, -0.4)
	if s.subjectLeft {
		angle = -angle
	}
	sin, cos := math.Sincos(angle)
	cx, cy := s.width*s.uniform(0.35, 0.65), s.horizon*s.uniform(0.3, 0.5)
	width := s.unit * s.uniform(110, 170)
	light := s.noiseGrid(s.h, 8, func(x, y float64) float64 {
		d := ((x-cx)*sin - (y-cy)*cos) / width
		n := fbm(x/s.unit/150, y/s.unit/150, 4, s.seed+70)
		dust := fbm(x/s.unit/60+9, y/s.unit/60, 3, s.seed+71)
		return math.Exp(-d*d) * smoothstep(0.25, 0.75, n) * (1 - 0.75*smoothstep(0.5, 0.7, dust)*math.Exp(-9*d*d))
	})
	s.addLight(light, hex(0x8f9ad6).mix(s.pal.sky[len(s.pal.sky)-1], 0.3), 0.95, int(s.horizon))
}

func (s *scene) aurora() {
	for band, c := range hexColors(0x35e08f, 0x2fc7c0, 0x9a5be0) {
		base := s.horizon * s.uniform(0.45, 0.8)
		height := s.horizon * s.uniform(0.35, 0.6)
		seed := s.seed + uint32(band)*31
		light := s.noiseGrid(s.h, 4, func(x, y float64) float64 {
			lowerEdge := base + (fbm(x/s.unit/330, float64(band)*7, 3, seed)-0.5)*s.horizon*0.6
			d := (lowerEdge - y) / height
			if d < 0 {
				return math.Exp(d * 30)
			}
			rays := 0.45 + 0.55*valueNoise(x/s.unit/14, float64(band), seed+5)
			return math.Exp(-d*3.2) * rays * smoothstep(0.2, 0.65, fbm(x/s.unit/200, 3, 2, seed+9))
		})
		s.addLight(light, c, 0.75, int(s.horizon))
	}
}

// sunOrMoon draws the disc of the sun or the moon and the light around it.
func (s *scene) sunOrMoon() {
	x, y, r := s.sunX, s.sunY, s.sunRadius
	strength := s.pal.glare
	if s.spec.weather["fog"] {
		strength *= 0.6
	}
	if !s.flat {
		s.glow(x, y, s.unit*760, s.pal.sun, strength*0.75)
		s.glow(x, y, s.unit*260, s.pal.sun, strength)
	}
	if !s.isSunVisible {
		return
	}
	disc := newPath().ellipse(x, y, r, r)
	switch {
	case s.spec.style == "neon":
		s.fill(disc, vgradient(hex(0xffe36b), hex(0xff3f8e), y-r, y+r))
		rows := s.skyRows()
		for i := range 7 { // the sun of synthwave pictures is crossed by bars
			barY := y + r*(0.05+0.14*float64(i))
			bar := newPath().rect(x-r, barY, 2*r, r*(0.018+0.011*float64(i)))
			s.fill(bar, solid(rows[min(len(rows)-1, int(barY))]))
		}
	case s.spec.time == "night":
		s.moon(disc)
	default:
		s.fill(disc, solid(hex(0xfffaf0).mix(s.pal.sun, 0.5)))
		if !s.flat {
			s.glow(x, y, r*3, s.pal.sun, 0.9)
		}
	}
}

func (s *scene) moon(disc *path) {
	s.fill(disc, solid(hex(0xf6f1dd)))
	for range 9 {
		a, d := s.uniform(0, 2*math.Pi), s.sunRadius*math.Sqrt(s.rng.Float64())*0.75
		r := s.sunRadius * s.uniform(0.06, 0.24)
		if d+r > s.sunRadius*0.96 {
			continue
		}
		crater := newPath().ellipse(s.sunX+d*math.Cos(a), s.sunY+d*math.Sin(a), r, r*0.9)
		s.fill(crater, solid(hex(0xc9c4b4)).withAlpha(0.45))
	}
	if !s.flat {
		s.glow(s.sunX, s.sunY, s.sunRadius*4, s.pal.sun, 0.55)
	}
}

func (s *scene) rainbow() {
	cx, cy, r := s.width*s.uniform(0.35, 0.65), s.horizon*1.05, min(s.horizon*0.95, s.width*0.46)
	bandWidth := s.unit * 11
	bands := hexColors(0xd9483b, 0xee8a3c, 0xf3cf4e, 0x67b35f, 0x4a86c9, 0x6a58b0)
	s.overlay(0, int(s.horizon), func(x, y int) (rgb, float64) {
		d := (r - math.Hypot(float64(x)-cx, float64(y)-cy)) / bandWidth
		if d < -0.5 || d > 6.5 {
			return rgb{}, 0
		}
		t := min(5, max(0, d-0.5))
		k := min(4, int(t))
		return bands[k].mix(bands[k+1], t-float64(k)), 0.5 * smoothstep(-0.5, 0.6, d) * (1 - smoothstep(5.4, 6.5, d))
	})
}

// clouds draws banks of noise that are lit from the side of the sun.
func (s *scene) clouds() {
	threshold := s.uniform(0.50, 0.60)
	weather := s.spec.weather
	if weather["clouds"] || weather["rain"] {
		threshold = 0.40
	}
	if weather["storm"] {
		threshold = 0.30
	}
	if s.spec.time == "night" && !weather["clouds"] && !weather["storm"] {
		threshold += 0.08
	}
	seed, size, flatness := s.seed+300, s.unit*s.uniform(170, 300), s.uniform(2.2, 3.6)
	density := func(x, y float64) float64 {
		k := flatness * (1 + 1.6*max(0, y)/s.horizon) // perspective flattens clouds towards the horizon
		warp := 0.5 * valueNoise(x/size*1.3, y/size*2, seed+9)
		return fbm(x/size+warp, y*k/size, 5, seed)
	}
	bottom := min(s.h, int(s.horizon)+16)
	densities := s.noiseGrid(bottom, 4, density)
	brightness := s.noiseGrid(bottom, 8, func(x, y float64) float64 {
		dx, dy, step := s.sunX-x, s.sunY-y, s.unit*16
		d := math.Hypot(dx, dy) + 1
		return clamp(0.5 + (density(x, y)-density(x+dx/d*step, y+dy/d*step))*5)
	})
	s.overlay(0, int(s.horizon)+1, func(x, y int) (rgb, float64) {
		t := float64(y) / s.horizon
		fade := smoothstep(1.02, 0.72, t)*0.25 + 0.75
		opacity := smoothstep(threshold, threshold+0.2, float64(densities.sample(x, y))) * fade
		if opacity <= 0.004 {
			return rgb{}, 0
		}
		lit := s.pal.cloudLit.mix(s.pal.haze, 0.35*float64(y)/s.horizon)
		shaded := s.pal.cloudShade.mix(s.pal.sky[0], 0.25).mix(s.pal.haze, 0.5*float64(y)/s.horizon)
		sunlight := 0.25 / (1 + math.Abs(float64(x)-s.sunX)/(s.unit*420))
		return shaded.mix(lit, clamp(float64(brightness.sample(x, y))*0.8+sunlight)), opacity * 0.86
	})
}

// posterClouds draws the long, rounded clouds of a poster.
func (s *scene) posterClouds() {
	n := 2 + s.rng.IntN(3)
	if s.spec.weather["clouds"] || s.spec.weather["storm"] || s.spec.weather["rain"] {
		n += 4
	}
	if s.spec.time == "night" {
		n = n * 2 / 3
	}
	c := s.pal.cloudLit.mix(s.pal.haze, 0.3)
	if s.pal.isDark {
		c = s.pal.cloudShade.mix(s.pal.cloudLit, 0.35)
	}
	for range n {
		y := s.uniform(0.08, 0.72) * s.horizon
		x := s.uniform(-0.05, 1.05) * s.width
		s.posterCloud(x, y, s.unit*s.uniform(110, 260), c)
	}
}

func (s *scene) posterCloud(x, y, length float64, c rgb) {
	r := s.unit * 17 / 2
	p := newPath()
	for row := range 3 {
		half := length * (1 - 0.27*float64(row)) * s.uniform(0.8, 1.1) / 2
		rowX, rowY := x+s.uniform(-0.25, 0.25)*length, y-float64(row)*r*2.1
		p.rect(rowX-half, rowY-r, 2*half, 2*r).ellipse(rowX-half, rowY, r, r).ellipse(rowX+half, rowY, r, r)
	}
	s.fill(p, solid(c).withAlpha(0.82))
}
