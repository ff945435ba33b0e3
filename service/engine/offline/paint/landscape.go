package paint

import (
	"math"
	"strconv"
)

// Object draws an object at the numbers of a layer, in the colour that the prompt gives to it.
func (s *scene) Object(name string, x, below, share, size, depth float64) {
	o, _ := s.find(name)
	o.name = name
	y := s.horizon + s.unit*below + (s.height-s.horizon)*share
	s.drawObject(o, s.subjectX(x+s.uniform(-0.03, 0.03)), y, s.unit*size*s.uniform(0.9, 1.1), depth)
	s.drawn[name] = true
}

// Headland draws land that reaches into the water from the side of the subject, and on it a building of the prompt.
func (s *scene) Headland() {
	objects := s.standingObjects()
	if len(objects) == 0 || !objects[0].Building {
		return
	}
	k := objects[0]
	land := figure{x: s.subjectX(0), y: s.horizon + s.unit*5, size: s.width * s.uniform(0.44, 0.56), depth: 0.1}
	land.side, land.stretch = 1, s.unit*s.uniform(360, 620)/land.size
	if !s.subjectLeft {
		land.side = -1
	}
	s.drawFigure("headland", land)
	o, _ := s.find(k.Name)
	x, y := land.x+land.side*land.size*0.56, land.y-land.size*land.stretch*0.122
	s.drawObject(o, x, y, s.unit*s.uniform(0.9, 1.1)*k.Min, 0.06)
	if k.Name == "lighthouse" {
		s.drawObject(object{name: "house"}, x-land.side*s.unit*78, y+s.unit*7, s.unit*66, 0.08)
	}
	s.drawn[k.Name] = true
}

// Lakeside draws a bank with trees along the horizon.
func (s *scene) Lakeside() {
	u := s.unit
	s.fill(newPath().rect(0, s.horizon-u*7, s.width, u*10), solid(s.color("foliage~ground,.4@.25*.8")))
	for x := -u * 10; x < s.width+u*10; x += u * s.uniform(7, 26) {
		size := u * s.uniform(22, 58)
		if s.has("autumn", "spring") {
			s.broadleafTree(x, s.horizon, size, 0.22)
		} else {
			s.conifer(x, s.horizon, size, 0.26)
		}
	}
}

// Parapet draws the wall that carries the objects of the foreground in a city.
func (s *scene) Parapet() {
	top := s.height * 0.88
	s.drawFigure("parapet", figure{y: top, size: s.height - top})
	s.crest = func(float64) float64 { return top }
}

// Skyline draws a city in three rows of buildings and the quay below it.
func (s *scene) Skyline() {
	lamps := append(parseColors("#ffe7b0 #ffc36b #bfe3ff"), s.color("window"))
	if s.has("neon") {
		lamps = parseColors("#5ff2ff #ff5fc8 #ffe36b #9d7bff")
	}
	for row := range 3 {
		depth := []float64{0.62, 0.36, 0.10}[row]
		tall := s.unit * []float64{420, 330, 230}[row] * s.uniform(0.9, 1.15) * max(1, min(1.25, s.height/s.width))
		c := s.color("rock~farHill,.5").mix(parseColor("#8a6f68"), 0.3*s.rng.Float64())
		center := s.uniform(0.25, 0.75) * s.width
		for x := -s.unit * 20; x < s.width; {
			w := s.unit * s.uniform(34, 92)
			h := tall * (1 - 0.55*min(1, math.Abs(x-center)/s.width*1.8)) * s.uniform(0.45, 1)
			shape := []int{2, 3, 4, 5, 6, 8}[min(5, max(0, int(h/w-2)+s.rng.IntN(3)))]
			wall := s.pal.shade(c.scale(s.uniform(0.75, 1.1)), depth)
			s.drawFigure("building-"+strconv.Itoa(shape), figure{
				x: x + w/2, y: s.horizon + s.unit*6, size: w, stretch: h / w / float64(shape),
				colors: map[string]rgb{"wall": wall, "lamp": wall.mix(lamps[s.rng.IntN(4)], 1-depth*0.75)},
			})
			x += w * s.uniform(0.95, 1.25)
		}
		s.fogBank(s.horizon-tall*0.12, tall*0.3, 0.32*depth+0.08)
	}
	s.fill(newPath().rect(0, s.horizon-s.unit*3, s.width, s.unit*6), solid(s.color("rock*.4@.1")))
}

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
