package paint

import (
	"slices"
	"strconv"
)

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

// flyingObject is an object that flies, as scenes.toml explains it.
type flyingObject struct {
	Name          string
	Count, Plural int
	X, Y, Size    [2]float64
	Colors        []rgb
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

// flower draws one of the flowers of figures.txt with its foot at x, y.
func (s *scene) flower(x, y, tall float64, petal rgb) {
	s.drawFigure("flower-"+strconv.Itoa(1+s.rng.IntN(3)), figure{
		x: x, y: y, size: tall, side: float64(1 - 2*s.rng.IntN(2)), angle: s.uniform(-0.08, 0.08),
		colors: map[string]rgb{"petal": petal},
	})
}

// foregroundFlowers draws the flowers of a meadow or of the prompt.
func (s *scene) foregroundFlowers() {
	o, isNamed := s.spec.find("flower")
	if !isNamed && (s.spec.place != "meadow" || s.spec.season == "winter" || s.spec.season == "autumn") {
		return
	}
	colors := parseColors("#d9483b #f2c744 #e98bb0 #f4f1ea #8a63c4")
	if o.hasColor {
		colors = []rgb{o.color, o.color.mix(rgb{1, 1, 1}, 0.25), o.color.scale(0.85)}
	}
	color := func() rgb { return colors[s.rng.IntN(len(colors))] }
	small, large, left := 26, 0, 0.12
	if isNamed {
		small, large = 60, 7
	}
	if s.spec.has("cat", "fox", "dog", "rabbit") {
		large, left = large*5/7, 0.55
	}
	for i := range small {
		t := float64(i) / float64(small)
		s.flower(s.uniform(0, 1)*s.width, lerp(s.height*0.86, s.height*1.02, t), s.unit*lerp(28, 80, t), color())
	}
	for i := range large {
		x := lerp(left, 0.92, (float64(i)+s.uniform(0.1, 0.9))/float64(large))
		s.flower(s.subjectX(x), s.height*1.04, s.unit*s.uniform(240, 520), color())
	}
}

// airObjects draws the objects of the prompt that fly.
func (s *scene) airObjects() {
	for _, k := range scenes().Objects.Flying {
		o, ok := s.spec.find(k.Name)
		if !ok {
			continue
		}
		n := k.Count
		if o.plural {
			n = k.Plural
		}
		for i := range n {
			t := (float64(i) + s.rng.Float64()) / float64(n)
			flying := object{name: k.Name, color: k.Colors[s.rng.IntN(len(k.Colors))], hasColor: true}
			if o.hasColor {
				flying.color = o.color
			}
			x, y := s.subjectX(lerp(k.X[0], k.X[1], t)), s.height*s.uniform(k.Y[0], k.Y[1])
			s.drawObject(flying, x, y, s.unit*lerp(k.Size[0], k.Size[1], t), 0.06)
		}
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
		s.flock(4 + s.rng.IntN(7))
	}
}

// flock draws n birds far away in the sky.
func (s *scene) flock(n int) {
	x, y := s.width*s.uniform(0.25, 0.75), s.horizon*s.uniform(0.25, 0.62)
	plumage := s.pal.sky[0].scale(0.35)
	if s.pal.isDark {
		plumage = s.pal.CloudShade.scale(0.6)
	}
	for i := range n {
		s.drawFigure([]string{"far-bird-1", "far-bird-2"}[i%2], figure{
			x: x + s.uniform(-0.2, 0.2)*s.width, y: y + s.uniform(-0.1, 0.1)*s.height,
			size: s.unit * s.uniform(9, 24), angle: s.uniform(-0.3, 0.3), colors: map[string]rgb{"plumage": plumage},
		})
	}
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
	for range 7 {
		s.drawFigure("leaf-spray", figure{
			x: s.uniform(0, 1) * w, y: s.uniform(0.2, 1.05) * h, size: s.unit * s.uniform(90, 220),
			angle: s.uniform(-0.9, 0.6), colors: map[string]rgb{"leaf-color": c[2].mix(c[1], s.rng.Float64()*0.5)},
		})
	}
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
