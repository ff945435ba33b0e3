package paint

import "math"

// balloon draws a hot air balloon whose envelope has the radius r and its middle at x, y.
func (s *scene) balloon(x, y, r float64, c rgb) {
	s.drawFigure("balloon", figure{x: x, y: y, size: r, depth: 0.06, colors: map[string]rgb{"cloth": c}})
	if s.pal.isDark {
		s.glow(x, y+r*0.7, r*1.5, hex(0xffb35a), 0.9)
	}
}

// boat draws a sailing boat and its reflection. The middle of its waterline is at x, y.
func (s *scene) boat(o object, x, y, size float64) {
	boat := figure{x: x, y: y, size: size, mirror: s.lightSide < 0, depth: 0.05, colors: o.recolored()}
	reflection := boat
	reflection.stretch, reflection.alpha = -0.62, 0.34
	s.drawFigure("boat", reflection)
	for i := range 9 {
		t := float64(i) / 9
		dx, length := s.uniform(-0.3, 0.3)*size, size*s.uniform(0.3, 0.8)
		style := solid(s.pal.water.mix(s.pal.haze, 0.3)).withAlpha(0.4)
		s.ripple(x+dx, y+size*(0.05+0.55*t), length, s.unit*2.2, style)
	}
	s.drawFigure("boat", boat)
	s.ripple(x, y+size*0.03, size*0.95, s.unit*2.4, solid(s.pal.water.scale(0.5)).withAlpha(0.5))
	if s.pal.isDark {
		s.glow(x, y-size*0.2, size*0.4, s.pal.window, 0.6)
	}
}

// rocket draws a flying rocket of the given length around x, y.
func (s *scene) rocket(x, y, length float64) {
	lean := 0.35 * s.lightSide
	sin, cos := math.Sincos(lean)
	s.glow(x-sin*length*0.62, y+cos*length*0.62, length*0.8, hex(0xff9a4a), 1.2)
	s.drawFigure("rocket", figure{x: x, y: y, size: length, angle: lean})
}
