package paint

import "math"

// weather draws fog, lightning, rain and snow over the scene.
func (s *scene) weather() {
	if s.spec.place == "space" {
		return
	}
	if s.spec.weather["fog"] {
		for i := range 4 {
			s.fogBank(s.horizon+s.unit*lerp(-90, 160, float64(i)/3), s.unit*s.uniform(50, 100), 0.42)
		}
	}
	if s.spec.weather["storm"] && s.chance(0.85) {
		s.lightning(s.subjectX(s.uniform(0.55, 0.85)), -5, s.horizon, s.unit*4.5, 3)
	}
	if s.spec.weather["rain"] {
		s.rain()
	}
	if s.spec.weather["snow"] {
		s.snow()
	}
}

func (s *scene) rain() {
	slant := s.uniform(0.12, 0.3) * -s.lightSide
	for range 1100 {
		near := s.rng.Float64()
		x, y := s.uniform(-0.1, 1.1)*s.width, s.uniform(-0.1, 1)*s.height
		long := s.unit * lerp(14, 52, near)
		shape := newPath().stroke(s.unit*lerp(0.6, 1.7, near), x, y, x+slant*long, y+long)
		s.fill(shape, solid(s.pal.cloudLit.mix(rgb{1, 1, 1}, 0.5)).withAlpha(lerp(0.12, 0.34, near)))
	}
}

func (s *scene) snow() {
	for range 900 {
		near := math.Pow(s.rng.Float64(), 5)
		x, y := s.uniform(0, 1)*s.width, s.uniform(0, 1)*s.height
		r := s.unit * lerp(1.1, 8.5, near)
		s.fill(newPath().ellipse(x, y, r, r*s.uniform(0.8, 1)), solid(hex(0xfbfdff)).withAlpha(lerp(0.85, 0.5, near)))
	}
}

// lightning draws a bolt that forks.
func (s *scene) lightning(x, y, to, wide float64, forks int) {
	v := []float64{x, y}
	for y < to {
		y += s.unit * s.uniform(18, 42)
		x += s.unit * s.uniform(-26, 26)
		v = append(v, x, min(y, to))
		if forks > 0 && s.chance(0.16) {
			s.lightning(x, y, y+(to-y)*s.uniform(0.3, 0.6), wide*0.5, forks-1)
		}
	}
	s.fill(newPath().stroke(wide, v...), solid(hex(0xf4f1ff)))
	if forks == 3 {
		s.glow(v[0], s.horizon*0.4, s.unit*520, hex(0xb9b4ff), 0.45)
	}
}
