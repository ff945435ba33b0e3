package paint

import "math"

// weather lays rain, snow and fog over the scene.
func (s *scene) weather() {
	if s.stopped() || s.b.place == "space" {
		return
	}
	if s.b.weather["fog"] {
		for i := range 4 {
			s.fogBank(s.horizon+s.u*lerp(-90, 160, float64(i)/3), s.u*s.between(50, 100), 0.42)
		}
	}
	if s.b.weather["storm"] && s.chance(0.85) {
		s.lightning(s.side(s.between(0.55, 0.85)), -5, s.horizon, s.u*4.5, 3)
	}
	if s.b.weather["rain"] {
		s.rain()
	}
	if s.b.weather["snow"] {
		s.snow()
	}
}

func (s *scene) rain() {
	slant := s.between(0.12, 0.3) * -s.from
	for range 1100 {
		near := s.rng.Float64()
		x, y := s.between(-0.1, 1.1)*s.W(), s.between(-0.1, 1)*s.H()
		long := s.u * lerp(14, 52, near)
		s.fill(px().stroke(s.u*lerp(0.6, 1.7, near), x, y, x+slant*long, y+long), solid(s.p.lit.mix(rgb{1, 1, 1}, 0.5)).faint(lerp(0.12, 0.34, near)))
	}
}

func (s *scene) snow() {
	for range 900 {
		near := math.Pow(s.rng.Float64(), 5)
		x, y := s.between(0, 1)*s.W(), s.between(0, 1)*s.H()
		r := s.u * lerp(1.1, 8.5, near)
		s.fill(px().oval(x, y, r, r*s.between(0.8, 1)), solid(hex(0xfbfdff)).faint(lerp(0.85, 0.5, near)))
	}
}

// lightning is a bolt that forks.
func (s *scene) lightning(x, y, to, wide float64, forks int) {
	v := []float64{x, y}
	for y < to {
		y += s.u * s.between(18, 42)
		x += s.u * s.between(-26, 26)
		v = append(v, x, min(y, to))
		if forks > 0 && s.chance(0.16) {
			s.lightning(x, y, y+(to-y)*s.between(0.3, 0.6), wide*0.5, forks-1)
		}
	}
	s.fill(px().stroke(wide, v...), solid(hex(0xf4f1ff)))
	if forks == 3 {
		s.glow(v[0], s.horizon*0.4, s.u*520, hex(0xb9b4ff), 0.45)
	}
}
