package paint

import "math"

// animal is what the sitting animals differ in besides the shapes of their figures.
type animal struct {
	coat, chest, innerEar, eyes, nose rgb
	hasStripes                        bool
}

// sittingAnimal draws a cat, fox, dog or rabbit from the front. The middle of its feet is at x, y.
func (s *scene) sittingAnimal(o object, x, y, size float64) {
	black := hex(0x2d2422)
	a := animal{hex(0xd98a45), hex(0xf5e8d6), hex(0xe7a89a), hex(0x9fce5a), hex(0xc9776d), true}
	switch o.name {
	case "fox":
		a = animal{hex(0xd9662b), hex(0xf7efe3), hex(0x3a2a26), hex(0xc98a2e), black, false}
	case "dog":
		a = animal{hex(0xb9824f), hex(0xf1e4cf), hex(0x7d5232), hex(0x4a3020), black, false}
	case "rabbit":
		a = animal{hex(0xb7a08c), hex(0xf6efe6), hex(0xecb9b4), hex(0x3a2a26), a.nose, false}
	}
	if o.hasColor {
		a.coat = o.color
		a.hasStripes = a.hasStripes && o.color.luma() > 0.25
		if o.color.luma() < 0.3 {
			a.chest = o.color.mix(hex(0x6a6a78), 0.35)
		}
	}
	const ownColor = 0.22
	shadedEyes := s.pal.shade(a.eyes, 0).mix(a.eyes, ownColor)
	f := figure{x: x, y: y, size: size, ownColor: ownColor, colors: map[string]rgb{
		"coat": a.coat, "chest": a.chest, "inner": a.innerEar, "eyes": a.eyes.mix(shadedEyes, 0.3), "nose": a.nose,
	}}
	s.groundShadow(x-0.06*size*s.lightSide, y+0.005*size, 0.4*size, 0.045*size, 0.35, 0.45)
	tail := f
	tail.mirror = s.lightSide > 0
	s.drawFigure(o.name+"-tail", tail)
	s.drawFigure(o.name, f)
	if a.hasStripes {
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
	back, breast := hex(0x6b6f7a), hex(0xd9713b)
	if o.hasColor {
		back, breast = o.color.scale(0.8), o.color.mix(rgb{1, 1, 1}, 0.35)
	}
	colors := map[string]rgb{"back": back, "breast": breast}
	s.drawFigure("bird", figure{x: x, y: y, size: size, mirror: s.lightSide < 0, ownColor: 0.3, colors: colors})
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
		drop := newPath().ellipse(x+d*math.Cos(a)*1.6, y+d*math.Sin(a)*0.5, s.unit*s.uniform(1, 3), s.unit*s.uniform(1, 3))
		s.fill(drop, solid(s.pal.cloudLit).withAlpha(0.7))
	}
}

// butterfly draws a butterfly with open wings.
func (s *scene) butterfly(x, y, size float64, wing rgb) {
	colors := map[string]rgb{"wing": wing}
	s.drawFigure("butterfly", figure{x: x, y: y, size: size, angle: s.uniform(-0.5, 0.5), ownColor: 0.4, colors: colors})
}
