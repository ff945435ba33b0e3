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
	return slices.DeleteFunc(slices.Clone(scenes().Objects.Standing), func(k standingObject) bool {
		return !s.spec.has(k.Name) || s.drawn[k.Name]
	})
}

// groundObjects draws the objects of the prompt that stand on the ground.
func (s *scene) groundObjects() {
	slots, next := []float64{0.32, 0.66, 0.5, 0.16, 0.82}, len(s.drawn) // what stands far away stays visible
	for _, k := range s.standingObjects() {
		o, _ := s.spec.find(k.Name)
		for i := range o.count(k.Count) {
			x := s.subjectX(slots[next%len(slots)] + s.uniform(-0.03, 0.03))
			next++
			y := s.crest(x) + s.unit*k.Below
			if s.spec.place == "city" || s.spec.place == "sea" || s.spec.place == "lake" {
				y = min(y, s.crest(x)+s.unit*4)
			}
			size := s.unit * s.uniform(k.Min, k.Max) * (1 - k.Shrink*float64(i))
			s.drawObject(o, x, min(y, s.height*0.95), size, k.Depth)
		}
	}
	s.foregroundFlowers()
}

// foregroundFlowers draws the flowers of a meadow or of the prompt.
func (s *scene) foregroundFlowers() {
	o, isNamed := s.spec.find("flower")
	if !isNamed && (s.spec.place != "meadow" || s.spec.season == "winter" || s.spec.season == "autumn") {
		return
	}
	small, large := scenes().Scatters["small-flowers"], scenes().Scatters["large-flowers"]
	if o.hasColor {
		small.colors = []rgb{o.color, o.color.mix(rgb{1, 1, 1}, 0.25), o.color.scale(0.85)}
		large.colors = small.colors
	}
	if s.spec.has("cat", "fox", "dog", "rabbit") {
		large.Count, large.X[0] = large.Count*5/7, 0.55
	}
	if isNamed {
		small.Count *= 2
		defer s.drawScatter(large)
	}
	s.drawScatter(small)
}

// airObjects draws the objects of the prompt that fly.
func (s *scene) airObjects() {
	for _, name := range []string{"balloon", "butterfly", "rocket"} {
		o, isNamed := s.spec.find(name)
		if !isNamed {
			continue
		}
		k := scenes().Scatters[name]
		k.Count = o.count(k.Count)
		if o.hasColor {
			k.colors = []rgb{o.color}
		}
		s.drawScatter(k)
	}
	flock := 0.35
	if s.spec.place == "sea" {
		flock = 0.7
	}
	o, hasBird := s.spec.find("bird")
	switch isAlone := !o.plural && len(s.spec.objects) == 1 && s.spec.place != "sea"; {
	case hasBird && isAlone:
		s.drawObject(o, s.subjectX(0.42), s.height*0.58, s.unit*s.uniform(230, 280), 0)
	case hasBird, s.spec.time != "night" && s.chance(flock):
		s.flock()
	}
}

// flock draws birds far away in the sky.
func (s *scene) flock() {
	k := scenes().Scatters["far-birds"]
	x, y := s.uniform(0.25, 0.75), s.uniform(0.25, 0.62)
	k.X, k.Y = [2]float64{x - 0.2, x + 0.2}, [2]float64{y - 0.15, y + 0.15}
	if s.pal.isDark {
		k.colors = []rgb{s.pal.CloudShade.scale(0.6)}
	}
	s.drawScatter(k)
}

// portrait draws a head and shoulders in flat areas of colour.
func (s *scene) portrait() {
	schemes := []string{ // background, collar, coat, eyes
		"#f2d5a7 #d9713b #2c4a63 #1f2c3a", "#d8e2dc #6d9f9a #d9534f #2b2d42", "#f6c9b5 #b5476b #3a3f7a #221c3d",
		"#e6dfae #7fa05a #8a4a2f #2f2a24",
	}
	c := parseColors(schemes[s.rng.IntN(len(schemes))])
	if len(s.spec.colors) > 0 {
		c[1] = s.spec.colors[0]
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
	skin := parseColors("#f0c9a6 #d9a273 #a86f47 #74482f #eab68c")[s.rng.IntN(5)]
	hair := parseColors("#2b211d #5a3524 #b5723a #8a8580 #1c2233 #a33f2b")[s.rng.IntN(6)]
	f := figure{x: w/2 + s.uniform(-0.05, 0.05)*w, y: h * 0.98, size: min(h*0.62, w*0.80), colors: map[string]rgb{
		"skin": skin, "hair": hair, "shadow": skin.mul(rgb{0.78, 0.66, 0.66}),
		"collar": c[1], "coat": c[2], "iris": c[3].mix(c[2], 0.4), "blush": hex(0xd9713b).mix(skin, 0.45),
		"lips": skin.mix(hex(0xb03a3f), 0.6),
	}}
	if s.chance(0.55) {
		s.drawFigure("long-hair", f)
	}
	s.drawFigure("bust", f)
}
