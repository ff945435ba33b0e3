package paint

import "math"

// portrait draws a head and shoulders in flat areas of colour.
func (s *scene) portrait() {
	w, h := s.width, s.height
	schemes := [][]rgb{
		hexColors(0xf2d5a7, 0xd9713b, 0x2c4a63, 0x1f2c3a), hexColors(0xd8e2dc, 0x6d9f9a, 0xd9534f, 0x2b2d42),
		hexColors(0xf6c9b5, 0xb5476b, 0x3a3f7a, 0x221c3d), hexColors(0xe6dfae, 0x7fa05a, 0x8a4a2f, 0x2f2a24),
	}
	c := schemes[s.rng.IntN(len(schemes))]
	if len(s.spec.colors) > 0 {
		c[1] = s.spec.colors[0]
	}
	s.fill(newPath().rect(0, 0, w, h), vgradient(c[0], c[0].mix(c[1], 0.4), 0, h))
	for i := range 4 {
		r := s.unit * (560 - 120*float64(i))
		s.fill(newPath().ellipse(s.subjectX(0.60), h*0.42, r, r),
			solid(c[1].mix(c[0], 0.25*float64(i))).withAlpha(0.28))
	}
	for range 7 {
		x, y, size := s.uniform(0, 1)*w, s.uniform(0.2, 1.05)*h, s.unit*s.uniform(90, 220)
		s.leafSpray(x, y, size, c[2].mix(c[1], s.rng.Float64()*0.5))
	}
	s.bust(w/2+s.uniform(-0.05, 0.05)*w, h*0.98, min(h*0.62, w*0.80), c)
}

// leafSpray draws a twig with leaves on both sides.
func (s *scene) leafSpray(x, y, size float64, c rgb) {
	lean := s.uniform(-1, 1)
	for i := range 9 {
		t := float64(i) / 8
		a := -math.Pi/2 + lean*t
		leafX, leafY := x+math.Cos(a)*size*t, y+math.Sin(a)*size*t
		for _, side := range []float64{-1, 1} {
			leaf := pathAt(leafX, leafY, size*0.34*(1.1-t)).rotate(a + side*0.9)
			leaf.closedCurve(0, 0, 0.5, -0.16, 1, 0, 0.5, 0.16)
			s.fill(leaf, solid(c.scale(0.85+0.3*t)).withAlpha(0.9))
		}
	}
}

// bust draws shoulders, neck, head and hair; the shoulders end at y. The colours are those of the background, the
// collar, the coat and the eyes.
func (s *scene) bust(x, y, size float64, c []rgb) {
	skins := hexColors(0xf0c9a6, 0xd9a273, 0xa86f47, 0x74482f, 0xeab68c)
	hairs := hexColors(0x2b211d, 0x5a3524, 0xb5723a, 0x8a8580, 0x1c2233, 0xa33f2b)
	skin, hair := skins[s.rng.IntN(5)], hairs[s.rng.IntN(6)]
	f := figure{x: x, y: y, size: size, mirror: s.lightSide < 0, colors: map[string]rgb{
		"skin": skin, "hair": hair, "shadow": skin.mul(rgb{0.78, 0.66, 0.66}), "collar": c[1], "coat": c[2],
		"iris": c[3].mix(c[2], 0.4), "blush": hex(0xd9713b).mix(skin, 0.45), "lips": skin.mix(hex(0xb03a3f), 0.6),
	}}
	if s.chance(0.55) {
		s.drawFigure("long-hair", f)
	}
	s.drawFigure("bust", f)
}
