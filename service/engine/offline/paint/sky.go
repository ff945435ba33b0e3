package paint

import "math"

// SkyGradient covers the picture with the colours of the sky, which end at the horizon.
func (s *scene) SkyGradient() {
	rows := ramp(s.pal.sky, max(2, int(s.horizon)))
	s.overlay(0, s.h, func(_, y int) (rgb, float64) { return rows[min(y, len(rows)-1)], 1 })
}

// SunRings draws rings of light around the sun of a poster.
func (s *scene) SunRings() {
	s.drawFigure("sun-rings", figure{x: s.sunX, y: s.sunY, size: s.unit * s.uniform(95, 150)})
}

// StarrySky draws stars, and the milky way where the prompt names stars.
func (s *scene) StarrySky() {
	n := int(s.width * s.horizon / (s.unit * s.unit) / 1700)
	if s.has("stars") {
		n *= 3
		milk := parseColor("#8f9ad6").mix(s.pal.sky[len(s.pal.sky)-1], 0.3)
		s.nebula(s.width/2, s.horizon*s.uniform(0.3, 0.5), 0.7*s.lightSide, 3, milk, 1.1)
	}
	s.stars(n, s.horizon*0.96, 3)
}

// Stars draws up to n stars down to a share of the height.
func (s *scene) Stars(n, bottom, rarity float64) { s.stars(int(n), s.height*bottom, rarity) }

// stars draws up to n stars above bottom, where the picture is dark and even enough to be sky; a higher rarity makes
// fewer of them bright.
func (s *scene) stars(n int, bottom, rarity float64) {
	for range n {
		x, y := s.uniform(0, s.width), s.uniform(0, bottom)
		luma, neighbor := s.at(int(x), int(y)).luma(), s.at(int(x)+4, int(y)+4).luma()
		if luma > 0.45 || math.Abs(luma-neighbor) > 0.03 {
			continue
		}
		brightness := math.Pow(s.rng.Float64(), rarity)
		r := s.unit * (0.5 + 1.4*brightness)
		c := parseColor("#cfdcff").mix(parseColor("#ffe9c4"), s.rng.Float64())
		s.fill(newPath().ellipse(x, y, r, r), solid(c).withAlpha(0.35+0.65*brightness))
		if brightness > 0.8 && (!s.isFlat || s.has("space")) {
			s.drawFigure("bright-star", figure{x: x, y: y, size: r * 9, colors: map[string]rgb{"star": c}})
		}
	}
}

// Aurora draws three curtains of light that hang down to curved lines in the sky.
func (s *scene) Aurora() {
	for range 3 {
		base, seed := s.horizon*s.uniform(0.5, 0.85), s.rng.Uint32()
		s.crest = func(x float64) float64 { return base + (fbm(x/s.unit/330, 1, 3, seed)-0.5)*s.horizon*0.6 }
		s.drawScatter(scenes().Scatters["aurora"])
	}
}

// Disc puts the disc of a time of day, of the radius r, at the shares x and y of the picture.
func (s *scene) Disc(time string, x, y, r float64) {
	s.time, s.isSunVisible = time, true
	s.sunX, s.sunY, s.sunRadius = s.subjectX(x), s.height*y, s.unit*r
	s.SunOrMoon()
}

// SunOrMoon draws the disc of the sun or the moon and the light around it.
func (s *scene) SunOrMoon() {
	x, y, r, sun := s.sunX, s.sunY, s.sunRadius, s.pal.colors["sun"]
	strength := s.pal.glare
	if s.has("fog") {
		strength *= 0.6
	}
	if !s.isFlat {
		s.glow(x, y, s.unit*760, sun, strength*0.75)
		s.glow(x, y, s.unit*260, sun, strength)
	}
	if !s.isSunVisible {
		return
	}
	name := "sun"
	if s.has("neon") {
		name = "neon-sun"
	} else if s.has("night") {
		name = "moon"
	}
	s.drawFigure(name, figure{x: x, y: y, size: r, side: 1})
	if !s.isFlat && name != "neon-sun" {
		s.glow(x, y, r*3.5, sun, 0.7)
	}
}

// Clouds draws banks of noise that are lit from the side of the sun.
func (s *scene) Clouds() {
	threshold := s.uniform(0.50, 0.60)
	switch {
	case s.has("storm"):
		threshold = 0.30
	case s.has("clouds", "rain"):
		threshold = 0.40
	case s.has("night"):
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
	lit, shaded, haze := s.color("cloudLit"), s.color("cloudShade~zenith,.25"), s.color("haze")
	s.overlay(0, int(s.horizon)+1, func(x, y int) (rgb, float64) {
		t := float64(y) / s.horizon
		fade := smoothstep(1.02, 0.72, t)*0.25 + 0.75
		opacity := smoothstep(threshold, threshold+0.2, float64(densities.sample(x, y))) * fade
		if opacity <= 0.004 {
			return rgb{}, 0
		}
		sunlight := 0.25 / (1 + math.Abs(float64(x)-s.sunX)/(s.unit*420))
		lit, shaded := lit.mix(haze, 0.35*float64(y)/s.horizon), shaded.mix(haze, 0.5*float64(y)/s.horizon)
		return shaded.mix(lit, clamp(float64(brightness.sample(x, y))*0.8+sunlight)), opacity * 0.86
	})
}

// FlatClouds draws the long, rounded clouds of a poster.
func (s *scene) FlatClouds() {
	k := scenes().Scatters["clouds"]
	if s.has("clouds", "storm", "rain") {
		k.Count *= 2
	}
	if s.pal.isDark {
		k.Count, k.colors = k.Count/2, []rgb{s.color("cloudShade~cloudLit,.35")}
	}
	s.drawScatter(k)
}

func (s *scene) Rainbow() {
	size := min(s.horizon*0.95, s.width*0.46)
	s.drawFigure("rainbow", figure{x: s.width * s.uniform(0.35, 0.65), y: s.horizon * 1.05, size: size})
}

func (s *scene) Lightning() {
	s.drawFigure("lightning", figure{x: s.subjectX(s.uniform(0.6, 0.8)), y: s.horizon, size: s.horizon})
}

// Mist draws four banks of fog around the horizon and below it.
func (s *scene) Mist() {
	for i := range 4 {
		s.fogBank(s.horizon+s.unit*lerp(-90, 160, float64(i)/3), s.unit*s.uniform(50, 100), 0.42)
	}
}

// Fog draws a bank of fog around a line above the horizon.
func (s *scene) Fog(above, half, strength float64) {
	s.fogBank(s.horizon-s.unit*above, s.unit*half, strength)
}

// FogAt draws a bank of fog around a line, in shares of the height.
func (s *scene) FogAt(y, half, strength float64) { s.fogBank(s.height*y, s.height*half, strength) }

// fogBank draws a band of haze around y.
func (s *scene) fogBank(y, half, strength float64) {
	if strength <= 0 {
		return
	}
	seed := s.rng.Uint32()
	haze, opacity := s.color("haze"), s.noiseGrid(s.h, 16, func(x, _ float64) float64 {
		return 0.55 + 0.9*(fbm(x/s.unit/180, 1, 2, seed)-0.4)
	})
	s.overlay(int(y-half*2), int(y+half*2), func(x, row int) (rgb, float64) {
		d := (float64(row) - y) / half
		return haze, float64(float32(strength*math.Exp(-d*d)) * opacity.sample(x, 0))
	})
}
