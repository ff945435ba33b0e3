package paint

import "math"

// sky draws the sky with the sun or the moon, the stars and the clouds.
func (s *scene) sky() {
	rows := ramp(s.pal.sky, max(2, int(s.horizon)))
	s.overlay(0, s.h, func(_, y int) (rgb, float64) { return rows[min(y, len(rows)-1)], 1 })
	if s.flat && s.isSunVisible {
		s.drawFigure("sun-rings", figure{x: s.sunX, y: s.sunY, size: s.unit * s.uniform(95, 150)})
	}
	weather := s.spec.weather
	if (s.spec.time == "night" || s.spec.style == "neon") && !weather["rain"] {
		n := int(s.width * s.horizon / (s.unit * s.unit) / 1700)
		if weather["stars"] {
			n *= 3
			milk := hex(0x8f9ad6).mix(s.pal.sky[len(s.pal.sky)-1], 0.3)
			s.nebula(s.width/2, s.horizon*s.uniform(0.3, 0.5), 0.7*s.lightSide, 3, milk, 1.1)
		}
		s.stars(n, s.horizon*0.96, 3)
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
		c := hex(0xcfdcff).mix(hex(0xffe9c4), s.rng.Float64())
		s.fill(newPath().ellipse(x, y, r, r), solid(c).withAlpha(0.35+0.65*brightness))
		if brightness > 0.8 && (!s.flat || s.spec.place == "space") {
			s.drawFigure("bright-star", figure{x: x, y: y, size: r * 9, colors: map[string]rgb{"star": c}})
		}
	}
}

// aurora draws three curtains of light that hang down to curved lines in the sky.
func (s *scene) aurora() {
	for range 3 {
		base, seed := s.horizon*s.uniform(0.5, 0.85), s.rng.Uint32()
		s.crest = func(x float64) float64 { return base + (fbm(x/s.unit/330, 1, 3, seed)-0.5)*s.horizon*0.6 }
		s.scatter("aurora", 1)
	}
}

// sunOrMoon draws the disc of the sun or the moon and the light around it.
func (s *scene) sunOrMoon() {
	x, y, r := s.sunX, s.sunY, s.sunRadius
	strength := s.pal.Glare
	if s.spec.weather["fog"] {
		strength *= 0.6
	}
	if !s.flat {
		s.glow(x, y, s.unit*760, s.pal.Sun, strength*0.75)
		s.glow(x, y, s.unit*260, s.pal.Sun, strength)
	}
	if !s.isSunVisible {
		return
	}
	name := "sun"
	if s.spec.style == "neon" {
		name = "neon-sun"
	} else if s.spec.time == "night" {
		name = "moon"
	}
	s.drawFigure(name, figure{x: x, y: y, size: r, side: 1})
	if !s.flat && name != "neon-sun" {
		s.glow(x, y, r*3.5, s.pal.Sun, 0.7)
	}
}

func (s *scene) rainbow() {
	size := min(s.horizon*0.95, s.width*0.46)
	s.drawFigure("rainbow", figure{x: s.width * s.uniform(0.35, 0.65), y: s.horizon * 1.05, size: size})
}

// clouds draws banks of noise that are lit from the side of the sun.
func (s *scene) clouds() {
	threshold := s.uniform(0.50, 0.60)
	switch weather := s.spec.weather; {
	case weather["storm"]:
		threshold = 0.30
	case weather["clouds"] || weather["rain"]:
		threshold = 0.40
	case s.spec.time == "night":
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
		lit := s.pal.CloudLit.mix(s.pal.Haze, 0.35*float64(y)/s.horizon)
		shaded := s.pal.CloudShade.mix(s.pal.sky[0], 0.25).mix(s.pal.Haze, 0.5*float64(y)/s.horizon)
		sunlight := 0.25 / (1 + math.Abs(float64(x)-s.sunX)/(s.unit*420))
		return shaded.mix(lit, clamp(float64(brightness.sample(x, y))*0.8+sunlight)), opacity * 0.86
	})
}

// posterClouds draws the long, rounded clouds of a poster.
func (s *scene) posterClouds() {
	k := scenes().Scatters["clouds"]
	if s.spec.weather["clouds"] || s.spec.weather["storm"] || s.spec.weather["rain"] {
		k.Count *= 2
	}
	if s.pal.isDark {
		k.Count, k.colors = k.Count/2, []rgb{s.pal.CloudShade.mix(s.pal.CloudLit, 0.35)}
	}
	s.drawScatter(k)
}
