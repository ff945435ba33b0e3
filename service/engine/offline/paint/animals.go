package paint

import (
	"maps"
	"math"
)

// sittingAnimal draws a cat, fox, dog or rabbit from the front. The middle of its feet is at x, y.
func (s *scene) sittingAnimal(o object, x, y, size float64) {
	d := figures()[o.name]
	c := maps.Clone(d.colors)
	hasStripes := o.name == "cat"
	if o.hasColor {
		c["coat"] = o.color
		hasStripes = hasStripes && o.color.luma() > 0.25
		if o.color.luma() < 0.3 {
			c["chest"] = o.color.mix(hex(0x6a6a78), 0.35)
		}
	}
	shadedEyes := s.pal.shade(c["eyes"], 0).mix(c["eyes"], d.ownColor)
	c["eyes"] = c["eyes"].mix(shadedEyes, 0.3)
	f := figure{x: x, y: y, size: size, colors: c}
	s.groundShadow(x-0.06*size*s.lightSide, y+0.005*size, 0.4*size, 0.045*size, 0.35, 0.45)
	tail := f
	tail.mirror = s.lightSide > 0
	s.drawFigure(o.name+"-tail", tail)
	s.drawFigure(o.name, f)
	if hasStripes {
		s.drawFigure("tabby-stripes", f)
	}
	s.drawFigure(o.name+"-face", f)
}

// groundShadow draws the shadow that an object throws on the ground.
func (s *scene) groundShadow(x, y, rx, ry, brightness, alpha float64) {
	c := s.pal.ground.mul(s.pal.ambient).scale(brightness)
	s.fill(newPath().ellipse(x, y, rx, ry), solid(c).withAlpha(alpha))
}

// flock draws n birds far away in the sky.
func (s *scene) flock(n int) {
	cx, cy := s.width*s.uniform(0.25, 0.75), s.horizon*s.uniform(0.25, 0.62)
	c := s.pal.sky[0].scale(0.35)
	if s.pal.isDark {
		c = s.pal.cloudShade.scale(0.6)
	}
	for range n {
		x, y := cx+s.uniform(-0.2, 0.2)*s.width, cy+s.uniform(-0.1, 0.1)*s.height
		size := s.unit * s.uniform(9, 24)
		lift := s.uniform(0.25, 0.6)
		tilt := s.uniform(-0.3, 0.3)
		for _, side := range []float64{-1, 1} {
			wing := pathAt(x, y, size).rotate(tilt).moveTo(0, 0.06)
			wing.cubicTo(side*0.3, -lift*1.1, side*0.7, -lift, side, -lift*0.35)
			s.fill(wing.cubicTo(side*0.7, -lift*0.62, side*0.3, -lift*0.5, 0, 0.16), solid(c))
		}
	}
}

// perchedBird draws a small bird on a twig.
func (s *scene) perchedBird(o object, x, y, size float64) {
	f := figure{x: x, y: y, size: size, mirror: s.lightSide < 0}
	if o.hasColor {
		f.colors = map[string]rgb{"back": o.color.scale(0.8), "breast": o.color.mix(rgb{1, 1, 1}, 0.35)}
	}
	s.drawFigure("bird", f)
}

// whale draws the tail of a diving whale.
func (s *scene) whale(x, y, size float64) {
	for i := range 8 {
		dx, length := s.uniform(-0.3, 0.3)*size, size*s.uniform(0.4, 0.9)
		s.ripple(x+dx, y+size*0.03*float64(i), length, s.unit*2, solid(s.pal.haze).withAlpha(0.3))
	}
	skin := s.pal.shade(hex(0x2f4558), 0.05)
	colors := map[string]rgb{"skin": skin, "skin-lit": s.sunlit(skin, 0.2)}
	s.drawFigure("whale-tail", figure{x: x, y: y, size: size, colors: colors})
	for range 40 {
		a := s.uniform(-2.6, -0.5)
		d := size * s.uniform(0.08, 0.34)
		drop := newPath().ellipse(x+d*math.Cos(a)*1.6, y+d*math.Sin(a)*0.5, s.unit*s.uniform(1, 3),
			s.unit*s.uniform(1, 3))
		s.fill(drop, solid(s.pal.cloudLit).withAlpha(0.7))
	}
}

// butterfly draws a butterfly with open wings.
func (s *scene) butterfly(x, y, size float64, wing rgb) {
	colors := map[string]rgb{"wing": wing}
	s.drawFigure("butterfly", figure{x: x, y: y, size: size, angle: s.uniform(-0.5, 0.5), colors: colors})
}
