package paint

import "math"

// crestLine returns the upper edge of a piece of ground at every x, in pixels.
type crestLine func(x float64) float64

func levelCrest(y float64) crestLine { return func(float64) float64 { return y } }

// compose draws the whole scene, before a style changes its surface.
func (s *scene) compose() {
	switch s.spec.place {
	case "space":
		s.space()
	case "portrait":
		s.portrait()
	case "abstract":
		s.abstract()
	default:
		s.landscape()
	}
	s.weather()
}

// landscape draws from the back to the front: the sky, the distance, the ground or the water, the foreground.
func (s *scene) landscape() {
	s.sky()
	u := s.unit
	var crest crestLine
	switch s.spec.place {
	case "sea":
		crest = s.seascape()
	case "lake":
		crest = s.lakescape()
	case "mountains":
		s.mountainRange(s.horizon+u*14, u*s.uniform(330, 430), 0.58)
		s.mountainRange(s.horizon+u*16, u*s.uniform(190, 290), 0.32)
		s.fogBank(s.horizon, u*40, 0.4)
		crest = s.hills(3, 1.6)
	case "city":
		crest = s.cityscape()
	case "desert":
		if s.spec.has("pyramid") {
			x := s.subjectX(0.36)
			s.pyramid(x+s.width*0.22*s.lightSide, s.horizon+u*12, u*105, 0.45)
			s.pyramid(x, s.horizon+u*16, u*s.uniform(170, 220), 0.24)
		} else if s.chance(0.6) {
			s.mountainRange(s.horizon+u*10, u*90, 0.6)
		}
		crest = s.dunes()
	case "forest":
		crest = s.forest(6)
		s.lightRays()
	default:
		if s.chance(0.65) {
			s.mountainRange(s.horizon+u*14, u*s.uniform(110, 230), 0.66)
		}
		s.fogBank(s.horizon, u*30, 0.35)
		crest = s.hills(5, 1)
	}
	s.groundObjects(crest)
	s.airObjects()
}

// waterY returns the y of a place on the water: 0 is the horizon, 1 the lower edge of the picture.
func (s *scene) waterY(t float64) float64 { return s.horizon + (s.height-s.horizon)*t }

func (s *scene) seascape() crestLine {
	if s.spec.has("island") || s.chance(0.55) {
		s.islands()
	}
	for _, name := range []string{"lighthouse", "house", "castle", "windmill", "tree"} {
		o, ok := s.spec.find(name)
		if !ok {
			continue
		}
		x, y := s.headland()
		s.drawObject(o, x, y, s.buildingSize(name)*s.unit*s.uniform(0.9, 1.1), 0.06)
		if name == "lighthouse" {
			offset := s.unit * 78
			if s.subjectLeft {
				offset = -offset
			}
			s.house(object{}, x+offset, y+s.unit*7, s.unit*66, 0.08)
		}
		break
	}
	s.water()
	if o, ok := s.spec.find("boat"); ok {
		s.boats(o)
	} else if s.chance(0.5) && s.spec.time != "night" {
		s.boat(object{}, s.subjectX(s.uniform(0.66, 0.86)), s.waterY(0.12), s.unit*s.uniform(44, 64))
	}
	if s.spec.has("whale") {
		s.whale(s.subjectX(s.uniform(0.3, 0.42)), s.waterY(0.45), s.unit*s.uniform(230, 300))
	}
	if s.chance(0.7) || s.spec.has("bird") {
		s.flock(5 + s.rng.IntN(6))
	}
	if !s.hasForeground() {
		return levelCrest(s.height * 0.97)
	}
	return s.shore(hex(0xd9c193))
}

// boats draws one boat, or several that grow smaller with the distance.
func (s *scene) boats(o object) {
	n := o.count(4)
	for i := range n {
		distance := math.Pow(float64(i)/float64(n), 0.8)
		x := s.subjectX(s.uniform(0.58, 0.80))
		if i > 0 {
			x = s.subjectX(s.uniform(0.2, 0.9))
		}
		s.boat(o, x, s.waterY(lerp(0.36, 0.07, distance)), s.unit*lerp(s.uniform(150, 210), 52, distance))
	}
}

func (s *scene) lakescape() crestLine {
	u := s.unit
	s.mountainRange(s.horizon+u*4, u*s.uniform(260, 380), 0.55)
	s.mountainRange(s.horizon+u*4, u*s.uniform(120, 220), 0.34)
	s.fogBank(s.horizon-u*10, u*30, 0.4)
	bank := s.pal.shade(s.pal.foliage.mix(s.pal.ground, 0.4), 0.25)
	s.fill(newPath().rect(0, s.horizon-u*7, s.width, u*10), solid(bank.scale(0.8)))
	for x := -u * 10; x < s.width+u*10; x += u * s.uniform(7, 26) {
		size := u * s.uniform(22, 58)
		if s.spec.season == "autumn" || s.spec.season == "spring" {
			s.broadleafTree(x, s.horizon, size, 0.22)
		} else {
			s.conifer(x, s.horizon, size, 0.26)
		}
	}
	if o, ok := s.spec.find("house"); ok {
		s.house(o, s.subjectX(s.uniform(0.28, 0.36)), s.horizon, u*105, 0.08)
	}
	if s.spec.has("bridge") {
		s.bridge(s.horizon - u*2)
	}
	if s.spec.has("castle") {
		s.castle(s.subjectX(0.33), s.horizon, u*240, 0.14)
	}
	s.water()
	if o, ok := s.spec.find("boat"); ok {
		s.boat(o, s.subjectX(0.62), s.waterY(0.35), u*150)
	}
	return s.shore(s.pal.ground)
}

func (s *scene) cityscape() crestLine {
	u := s.unit
	s.skyline(s.horizon)
	if s.spec.has("bridge") {
		s.bridge(s.horizon)
	}
	s.fill(newPath().rect(0, s.horizon-u*3, s.width, u*6), solid(s.pal.shade(s.pal.rock.scale(0.4), 0.1)))
	s.water()
	if o, ok := s.spec.find("boat"); ok {
		s.boat(o, s.subjectX(0.6), s.waterY(0.4), u*130)
	}
	if !s.hasForeground() {
		return levelCrest(s.height * 0.97)
	}
	// A parapet carries the objects of the foreground.
	c, top := s.pal.shade(hex(0x4a3f45), 0), s.height*0.88
	s.fill(newPath().rect(0, top, s.width, s.height-top), vgradient(s.sunlit(c, 0.15), c.scale(0.6), top, s.height))
	for i := range 4 {
		s.fill(newPath().rect(0, top+u*22*float64(i), s.width, u*2), solid(c.scale(0.5)).withAlpha(0.5))
	}
	s.fill(newPath().rect(0, top-u*5, s.width, u*9), solid(s.sunlit(c, 0.3)))
	return levelCrest(top)
}

// hasForeground reports whether the prompt names an object that stands in the foreground.
func (s *scene) hasForeground() bool {
	return s.spec.has("cat", "fox", "dog", "rabbit", "owl", "deer", "person", "flower", "tent", "robot", "mushroom")
}

// islands draws low hills far out at sea.
func (s *scene) islands() {
	for i := range 1 + s.rng.IntN(3) {
		x, half, height := s.uniform(-0.05, 1.05)*s.width, s.unit*s.uniform(120, 330), s.unit*s.uniform(18, 62)
		seed := s.rng.Uint32()
		p := newPath().moveTo(x-half, s.horizon+2)
		for j := range 41 {
			t := float64(j)/20 - 1
			p.lineTo(x+half*t, s.horizon+2-height*math.Pow(1-t*t, 0.8)*(0.55+0.75*fbm(t*2.4+3, 1, 4, seed)))
		}
		c := s.pal.shade(s.pal.farHill, 0.66-0.1*float64(i))
		s.fill(p, vgradient(c, c.mix(s.pal.haze, 0.5), s.horizon-height, s.horizon))
	}
}

// lightRays draws rays of light that fall through trees.
func (s *scene) lightRays() {
	if s.spec.time == "night" || s.spec.weather["rain"] {
		return
	}
	style := vgradient(s.pal.sun.scale(0.026), s.pal.sun.scale(0), 0, s.height*0.9).asLight()
	for range 5 {
		x := s.uniform(-0.1, 1.1) * s.width
		bottomX := x + (x-s.sunX)*0.6
		width := s.unit * s.uniform(40, 110)
		for i := range 5 { // narrower and narrower, so that the edge is soft
			w := width * (1 - 0.19*float64(i))
			s.fill(newPath().polygon(x-w*0.35, -10, x+w*0.35, -10, bottomX+w, s.height*0.95, bottomX-w, s.height*0.95),
				style)
		}
	}
}
