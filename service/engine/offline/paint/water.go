package paint

import "math"

// Water reflects the picture above the horizon, distorted by waves, in water that reaches down to the lower edge.
func (s *scene) Water(waves float64) {
	y0 := int(s.horizon)
	seed, color, zenith := s.rng.Uint32(), s.color("water"), s.color("zenith")
	rows := float64(s.h - y0)
	for y := range s.rows(y0, s.h) {
		t := float64(y-y0) / rows
		from := float64(y0) - float64(y-y0)*0.92
		reflect := lerp(0.82, 0.38, math.Pow(t, 0.7))
		wave := s.unit * lerp(1.5, 20, t) * waves
		freq := 1 / (s.unit * lerp(2.2, 26, t))
		deep := color.mix(zenith, 0.25*(1-t))
		for x := range s.w {
			n := valueNoise(float64(x)*freq*0.16, float64(y-y0)*freq, seed) - 0.5
			above := s.at(x+int(n*wave*1.2), min(y0-1, int(from+n*wave*2.4)))
			*s.at(x, y) = deep.mix(*above, reflect*(1+0.5*n))
		}
	}
	density := waves
	if s.isFlat {
		density = 0.3
	}
	s.Scatter("ripples", density)
}

// SunReflection draws the reflection of the sun or the moon on the water.
func (s *scene) SunReflection() {
	strength := clamp(1.2 - (s.horizon-s.sunY)/(s.horizon*0.95))
	if s.has("night") {
		strength = 0.8
	}
	if strength < 0.12 {
		return
	}
	const n = 420
	bright := s.color("sun~white,.25")
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

// Shore draws a bank across the lower edge of the picture.
func (s *scene) Shore() {
	ground := "ground@"
	if s.has("sea") {
		ground = "#d9c193@"
	}
	s.crest = s.hill(s.height*0.90, s.unit*22, s.unit*420, s.color(ground+"~sunlight,.12"), s.color(ground+"*.66"))
}
