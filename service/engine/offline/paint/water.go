package paint

import "math"

// water reflects the picture above the horizon, distorted by waves, in water that reaches down to the lower edge.
func (s *scene) water() {
	y0 := int(s.horizon)
	waves := 0.35
	if s.spec.place == "sea" {
		waves = 1
	}
	if s.spec.weather["storm"] {
		waves = 1.8
	}
	seed := s.rng.Uint32()
	rows := float64(s.h - y0)
	for y := range s.rows(y0, s.h) {
		t := float64(y-y0) / rows
		from := float64(y0) - float64(y-y0)*0.92
		reflect := lerp(0.82, 0.38, math.Pow(t, 0.7))
		wave := s.unit * lerp(1.5, 20, t) * waves
		freq := 1 / (s.unit * lerp(2.2, 26, t))
		deep := s.pal.Water.mix(s.pal.sky[0], 0.25*(1-t))
		for x := range s.w {
			n := valueNoise(float64(x)*freq*0.16, float64(y-y0)*freq, seed) - 0.5
			above := s.at(x+int(n*wave*1.2), min(y0-1, int(from+n*wave*2.4)))
			*s.at(x, y) = deep.mix(*above, reflect*(1+0.5*n))
		}
	}
	density := waves
	if s.flat {
		density = 0.3
	}
	s.scatter("ripples", density)
	s.sunReflection()
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
	const n = 420
	bright := s.pal.Sun.mix(rgb{1, 1, 1}, 0.25)
	for i := range n {
		t := math.Pow(float64(i)/n, 1.15)
		y := s.horizon + t*(s.height-s.horizon)*0.98
		wide := s.sunRadius * lerp(0.75, 2.2, t)
		x := s.sunX + (s.rng.Float64()+s.rng.Float64()+s.rng.Float64()-1.5)*wide*0.9
		long, thick := s.unit*lerp(10, 56, t)*s.uniform(0.4, 1.2), s.unit*lerp(0.8, 3.4, t)
		s.drawFigure("ripple", figure{
			x: x, y: y, size: long, stretch: thick / long, alpha: strength * lerp(0.85, 0.35, t),
			colors: map[string]rgb{"shine": bright},
		})
	}
}

// shore draws a bank across the lower edge of the picture.
func (s *scene) shore() {
	ground := s.pal.Ground
	if s.spec.place == "sea" {
		ground = hex(0xd9c193)
	}
	top := s.pal.shade(ground, 0)
	s.crest = s.hill(s.height*0.90, s.unit*22, s.unit*420, s.sunlit(top, 0.12), top.scale(0.66))
	if s.spec.season != "winter" && !s.flat {
		s.scatter("reeds", 1)
	}
}
