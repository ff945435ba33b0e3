package paint

import "slices"

// drawObject draws an object that stands on x, y, or has its middle there if it flies.
func (s *scene) drawObject(o object, x, y, size, depth float64) {
	f := figure{x: x, y: y, size: size, depth: depth, colors: map[string]rgb{}}
	switch o.name {
	case "tree":
		s.broadleafTree(x, y, size, depth)
		return
	case "rocket":
		f.angle = 0.35
	case "butterfly":
		f.angle = s.uniform(-0.5, 0.5)
	case "boat":
		reflection := f
		reflection.stretch, reflection.alpha, reflection.colors = -0.62, 0.34, o.recolored()
		s.drawFigure(o.name, reflection)
	}
	f.colors = o.recolored()
	s.drawFigure(o.name, f)
}

// recolored returns the colour that the prompt gives to o, if any, by its name in the figure of o.
func (o object) recolored() map[string]rgb {
	if d := drawings()[o.name]; o.hasColor && d != nil {
		return map[string]rgb{d.mainColor: o.color}
	}
	return nil
}

// standingObject is an object that stands in the foreground, as scenes.toml explains it.
type standingObject struct {
	Name                   string
	Building               bool
	Min, Max, Below, Depth float64
	Count                  int
	Shrink                 float64
}

// standingObjects returns the objects of the prompt that stand in the foreground.
func (s *scene) standingObjects() []standingObject {
	return slices.DeleteFunc(slices.Clone(scenes().Standing), func(k standingObject) bool {
		return !s.has(k.Name) || s.drawn[k.Name]
	})
}

// GroundObjects draws the objects of the prompt that stand on the ground.
func (s *scene) GroundObjects() {
	slots, next := []float64{0.32, 0.66, 0.5, 0.16, 0.82}, len(s.drawn) // what stands far away stays visible
	for _, k := range s.standingObjects() {
		o, _ := s.find(k.Name)
		for i := range o.count(k.Count) {
			x := s.subjectX(slots[next%len(slots)] + s.uniform(-0.03, 0.03))
			next++
			y := s.crest(x) + s.unit*k.Below
			if s.has("city", "sea", "lake") {
				y = min(y, s.crest(x)+s.unit*4)
			}
			size := s.unit * s.uniform(k.Min, k.Max) * (1 - k.Shrink*float64(i))
			s.drawObject(o, x, min(y, s.height*0.95), size, k.Depth)
		}
	}
}

// Flowers draws the flowers of a meadow, and more of them if the prompt names flowers.
func (s *scene) Flowers() {
	o, isNamed := s.find("flower")
	small, large := scenes().Scatters["small-flowers"], scenes().Scatters["large-flowers"]
	if o.hasColor {
		small.colors = []rgb{o.color, o.color.mix(rgb{1, 1, 1}, 0.25), o.color.scale(0.85)}
		large.colors = small.colors
	}
	if s.has("cat", "fox", "dog", "rabbit") {
		large.Count, large.X[0] = large.Count*5/7, 0.55
	}
	if isNamed {
		small.Count *= 2
		defer s.drawScatter(large)
	}
	s.drawScatter(small)
}

// FlyingObjects draws the named object of the prompt in the air.
func (s *scene) FlyingObjects(name string) {
	o, _ := s.find(name)
	k := scenes().Scatters[name]
	k.Count = o.count(k.Count)
	if o.hasColor {
		k.colors = []rgb{o.color}
	}
	s.drawScatter(k)
}

// Birds draws the birds of the prompt: one that is alone from near, others far away.
func (s *scene) Birds() {
	if o, _ := s.find("bird"); o.plural || len(s.objects) > 1 || s.has("sea") {
		s.Flock()
	} else {
		s.drawObject(o, s.subjectX(0.42), s.height*0.58, s.unit*s.uniform(230, 280), 0)
	}
}

// Flock draws birds far away in the sky.
func (s *scene) Flock() {
	k := scenes().Scatters["far-birds"]
	x, y := s.uniform(0.25, 0.75), s.uniform(0.25, 0.62)
	k.X, k.Y = [2]float64{x - 0.2, x + 0.2}, [2]float64{y - 0.15, y + 0.15}
	if s.pal.isDark {
		k.colors = []rgb{s.color("cloudShade*.6")}
	}
	s.drawScatter(k)
}

// Portrait draws a head and shoulders in flat areas of colour.
func (s *scene) Portrait() {
	c := s.scheme("portrait")
	if len(s.colors) > 0 {
		c[1] = s.colors[0]
	}
	w, h := s.width, s.height
	s.fill(newPath().rect(0, 0, w, h), vgradient(c[0], c[0].mix(c[1], 0.4), 0, h))
	for i := range 4 {
		r := s.unit * (560 - 120*float64(i))
		circle := newPath().ellipse(s.subjectX(0.60), h*0.42, r, r)
		s.fill(circle, solid(c[1].mix(c[0], 0.25*float64(i))).withAlpha(0.28))
	}
	sprays := scenes().Scatters["leaf-sprays"]
	sprays.colors = ramp([]rgb{c[2], c[2].mix(c[1], 0.5)}, 3)
	s.drawScatter(sprays)
	skin, hair := s.scheme("skin")[0], s.scheme("hair")[0]
	f := figure{x: w/2 + s.uniform(-0.05, 0.05)*w, y: h * 0.98, size: min(h*0.62, w*0.80), colors: map[string]rgb{
		"skin": skin, "hair": hair, "shadow": skin.mul(rgb{0.78, 0.66, 0.66}),
		"collar": c[1], "coat": c[2], "iris": c[3].mix(c[2], 0.4), "blush": parseColor("#d9713b").mix(skin, 0.45),
		"lips": skin.mix(parseColor("#b03a3f"), 0.6),
	}}
	if s.chance(0.55) {
		s.drawFigure("long-hair", f)
	}
	s.drawFigure("bust", f)
}
