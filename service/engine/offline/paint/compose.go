package paint

import "math"

// compose draws the whole scene before it is finished by a style.
func (s *scene) compose() {
	switch s.b.place {
	case "space":
		s.cosmos()
	case "portrait":
		s.portrait()
	case "abstract":
		s.abstract()
	default:
		s.landscape()
	}
	s.weather()
}

// landscape draws from the back to the front: sky, what stands far off, ground
// or water, what stands near.
func (s *scene) landscape() {
	s.backdrop()
	if s.stopped() {
		return
	}
	var crest func(float64) float64
	switch s.b.place {
	case "sea":
		crest = s.seaside()
	case "lake":
		crest = s.lakeside()
	case "mountains":
		s.peaks(s.horizon+s.u*14, s.u*s.between(330, 430), 0.58)
		s.peaks(s.horizon+s.u*16, s.u*s.between(190, 290), 0.32)
		s.fogBank(s.horizon, s.u*40, 0.4)
		crest = s.hills(3, 1.6)
	case "city":
		crest = s.cityside()
	case "desert":
		if s.b.has("pyramid") {
			x := s.side(0.36)
			s.pyramid(x+s.W()*0.22*s.from, s.horizon+s.u*12, s.u*105, 0.45)
			s.pyramid(x, s.horizon+s.u*16, s.u*s.between(170, 220), 0.24)
		} else if s.chance(0.6) {
			s.peaks(s.horizon+s.u*10, s.u*90, 0.6)
		}
		crest = s.dunes()
	case "forest":
		crest = s.woods(6)
		s.shafts()
	default:
		if s.chance(0.65) {
			s.peaks(s.horizon+s.u*14, s.u*s.between(110, 230), 0.66)
		}
		s.fogBank(s.horizon, s.u*30, 0.35)
		crest = s.hills(5, 1)
	}
	if s.stopped() {
		return
	}
	s.stand(crest)
	s.hang()
}

func (s *scene) seaside() func(float64) float64 {
	if s.b.has("island") || s.chance(0.55) {
		s.isles()
	}
	onLand := []string{"lighthouse", "house", "castle", "windmill", "tree"}
	for _, name := range onLand {
		if t, ok := s.b.take(name); ok {
			x, y := s.headland()
			s.building(name, x, y, s.u*s.between(0.9, 1.1), t, 0.06)
			if name == "lighthouse" {
				s.cottage(x, y)
			}
			break
		}
	}
	s.water()
	if t, ok := s.b.take("boat"); ok {
		n := 1
		if t.many {
			n = 4
		}
		for i := range n {
			d := math.Pow(float64(i)/float64(max(1, n)), 0.8)
			y := s.horizon + (s.H()-s.horizon)*lerp(0.36, 0.07, d)
			x := s.side(s.between(0.58, 0.80))
			if i > 0 {
				x = s.side(s.between(0.2, 0.9))
			}
			s.boat(x, y, s.u*lerp(s.between(150, 210), 52, d), t)
		}
	} else if s.chance(0.5) && s.b.time != "night" {
		s.boat(s.side(s.between(0.66, 0.86)), s.horizon+(s.H()-s.horizon)*0.12, s.u*s.between(44, 64), thing{})
	}
	if s.b.has("whale") {
		s.whale(s.side(s.between(0.3, 0.42)), s.horizon+(s.H()-s.horizon)*0.45, s.u*s.between(230, 300))
	}
	if s.chance(0.7) || s.b.has("bird") {
		s.flock(5 + s.rng.IntN(6))
	}
	if !s.near() {
		return func(float64) float64 { return s.H() * 0.97 }
	}
	return s.shore(hex(0xd9c193))
}

// cottage stands beside a lighthouse.
func (s *scene) cottage(x, y float64) {
	off := s.u * 78
	if s.busy {
		off = -off
	}
	s.house(x+off, y+s.u*7, s.u*66, thing{}, 0.08)
}

func (s *scene) lakeside() func(float64) float64 {
	s.peaks(s.horizon+s.u*4, s.u*s.between(260, 380), 0.55)
	s.peaks(s.horizon+s.u*4, s.u*s.between(120, 220), 0.34)
	s.fogBank(s.horizon-s.u*10, s.u*30, 0.4)
	bank := s.p.tone(s.p.leaf.mix(s.p.ground, 0.4), 0.25)
	s.fill(px().rect(0, s.horizon-s.u*7, s.W(), s.u*10), solid(bank.scale(0.8)))
	for x := -s.u * 10; x < s.W()+s.u*10; x += s.u * s.between(7, 26) {
		k := s.u * s.between(22, 58)
		if s.b.season == "autumn" || s.b.season == "spring" {
			s.roundTree(x, s.horizon, k, 0.22)
		} else {
			s.fir(x, s.horizon, k, 0.26)
		}
	}
	if t, ok := s.b.take("house"); ok {
		s.house(s.side(s.between(0.28, 0.36)), s.horizon, s.u*105, t, 0.08)
	}
	if s.b.has("bridge") {
		s.bridge(s.horizon - s.u*2)
	}
	if s.b.has("castle") {
		s.castle(s.side(0.33), s.horizon, s.u*240, 0.14)
	}
	s.water()
	if t, ok := s.b.take("boat"); ok {
		s.boat(s.side(0.62), s.horizon+(s.H()-s.horizon)*0.35, s.u*150, t)
	}
	return s.shore(s.p.ground)
}

func (s *scene) cityside() func(float64) float64 {
	s.skyline(s.horizon)
	if s.b.has("bridge") {
		s.bridge(s.horizon)
	}
	s.fill(px().rect(0, s.horizon-s.u*3, s.W(), s.u*6), solid(s.p.tone(s.p.rock.scale(0.4), 0.1)))
	s.water()
	if t, ok := s.b.take("boat"); ok {
		s.boat(s.side(0.6), s.horizon+(s.H()-s.horizon)*0.4, s.u*130, t)
	}
	if !s.near() {
		return func(float64) float64 { return s.H() * 0.97 }
	}
	col := s.p.tone(hex(0x4a3f45), 0) // a ledge to sit on
	top := s.H() * 0.88
	s.fill(px().rect(0, top, s.W(), s.H()-top), down(col.mix(s.p.sun.times(s.p.ambient), 0.15), col.scale(0.6), top, s.H()))
	for i := range 4 {
		s.fill(px().rect(0, top+s.u*22*float64(i), s.W(), s.u*2), solid(col.scale(0.5)).faint(0.5))
	}
	s.fill(px().rect(0, top-s.u*5, s.W(), s.u*9), solid(col.mix(s.p.sun.times(s.p.ambient), 0.3)))
	return func(float64) float64 { return top }
}

// near says whether something stands in the foreground.
func (s *scene) near() bool {
	for _, name := range []string{"cat", "fox", "dog", "rabbit", "owl", "deer", "person", "flower", "tent", "robot", "mushroom"} {
		if s.b.has(name) {
			return true
		}
	}
	return false
}

// isles are low hills far out at sea.
func (s *scene) isles() {
	for i := range 1 + s.rng.IntN(3) {
		x, half, tall := s.between(-0.05, 1.05)*s.W(), s.u*s.between(120, 330), s.u*s.between(18, 62)
		seed := s.rng.Uint32()
		p := px().move(x-half, s.horizon+2)
		for j := range 41 {
			t := float64(j)/20 - 1
			p.line(x+half*t, s.horizon+2-tall*math.Pow(1-t*t, 0.8)*(0.55+0.75*fbm(t*2.4+3, 1, 4, seed)))
		}
		col := s.p.tone(s.p.far, 0.66-0.1*float64(i))
		s.fill(p, down(col, col.mix(s.p.haze, 0.5), s.horizon-tall, s.horizon))
	}
}

// shafts are rays of light that fall through trees.
func (s *scene) shafts() {
	if s.b.time == "night" || s.b.weather["rain"] {
		return
	}
	for range 5 {
		x := s.between(-0.1, 1.1) * s.W()
		slant := (x - s.sunX) * 0.6
		wide := s.u * s.between(40, 110)
		for i := range 5 { // narrower and narrower, so that the edge is soft
			k := wide * (1 - 0.19*float64(i))
			p := px().poly(x-k*0.35, -10, x+k*0.35, -10, x+slant+k, s.H()*0.95, x+slant-k, s.H()*0.95)
			s.fill(p, ink{a: s.p.sun.scale(0.026), b: s.p.sun.scale(0), y0: 0, y1: s.H() * 0.9, graded: true, alpha: 1, light: true})
		}
	}
}

// building draws a named structure at scale k (px per unit of a thousandth).
func (s *scene) building(name string, x, y, k float64, t thing, depth float64) {
	switch name {
	case "lighthouse":
		s.lighthouse(x, y, 330*k, t)
	case "house":
		s.house(x, y, 150*k, t, depth)
	case "castle":
		s.castle(x, y, 300*k, depth)
	case "windmill":
		s.windmill(x, y, 230*k, depth)
	case "tree":
		s.roundTree(x, y, 300*k, depth)
	}
}

// stand puts what the prompt names on the ground.
func (s *scene) stand(crest func(float64) float64) {
	spots := []float64{0.32, 0.66, 0.5, 0.16, 0.82}
	next := 0
	spot := func() float64 { x := s.side(spots[next%len(spots)] + s.between(-0.03, 0.03)); next++; return x }
	wet := s.b.place == "sea" || s.b.place == "lake"
	if wet && (s.b.has("lighthouse") || s.b.has("house") || s.b.has("castle") || s.b.has("windmill")) {
		next = 1 // what stands on the far shore stays in sight
	}
	for _, name := range []string{"castle", "windmill", "house", "lighthouse", "tree", "tent", "cactus", "deer", "person", "fox", "cat", "dog", "rabbit", "owl"} {
		t, ok := s.b.take(name)
		if !ok {
			continue
		}
		switch name {
		case "castle", "windmill", "house", "lighthouse", "tree":
			if s.b.place == "sea" || s.b.place == "lake" && name != "tree" && name != "windmill" || s.b.place == "city" {
				continue // they have their place already
			}
			n := 1
			if t.many {
				n = 3
			}
			for i := range n {
				x := spot()
				size := s.u * s.between(1.0, 1.3) * (1 - 0.2*float64(i))
				s.building(name, x, s.footing(crest, x), size, t, 0.06)
			}
		case "tent":
			x := spot()
			s.tent(x, s.footing(crest, x)+s.u*20, s.u*200, t)
		case "cactus":
			for range 3 {
				x := s.between(0.05, 0.95) * s.W()
				s.cactus(x, crest(x)+s.u*s.between(10, 60), s.u*s.between(90, 230))
			}
		case "deer":
			x := spot()
			s.deer(x, s.footing(crest, x)+s.u*15, s.u*s.between(200, 270), 0.06)
		case "person":
			x := spot()
			s.walker(x, s.footing(crest, x)+s.u*30, s.u*s.between(150, 210), t)
		case "owl":
			x := spot()
			s.owl(x, s.H()*0.93, s.u*380, t)
		default:
			n := 1
			if t.many {
				n = 2
			}
			for i := range n {
				x := spot()
				y := s.H() * 0.95
				if s.b.place == "city" || wet {
					y = crest(x) + s.u*4
				}
				s.sitting(x, y, s.u*s.between(330, 420)*(1-0.22*float64(i)), name, t)
			}
		}
	}
	s.bloom()
}

// footing is where something stands on a crest: a little below it.
func (s *scene) footing(crest func(float64) float64, x float64) float64 {
	return min(s.H()*0.95, crest(x)+s.u*10)
}

// bloom plants the flowers of the foreground.
func (s *scene) bloom() {
	t, asked := s.b.take("flower")
	if !asked && (s.b.place != "meadow" || s.b.season == "winter" || s.b.season == "autumn") {
		return
	}
	hues := stops(0xd9483b, 0xf2c744, 0xe98bb0, 0xf4f1ea, 0x8a63c4)
	if t.hued {
		hues = []rgb{t.hue, t.hue.mix(rgb{1, 1, 1}, 0.25), t.hue.scale(0.85)}
	}
	n, big := 26, 0
	if asked {
		n, big = 60, 5
		if !s.b.has("cat") && !s.b.has("fox") && !s.b.has("dog") && !s.b.has("rabbit") {
			big = 7
		}
	}
	for i := range n {
		t := float64(i) / float64(n)
		y := lerp(s.H()*0.86, s.H()*1.02, t)
		s.flower(s.between(0, 1)*s.W(), y, s.u*lerp(28, 80, t), hues[s.rng.IntN(len(hues))], 6)
	}
	if s.stopped() {
		return
	}
	for i := range big {
		x := s.side(0.12 + 0.76*(float64(i)+s.between(0.1, 0.9))/float64(big))
		if big == 5 {
			x = s.side(0.55 + 0.42*s.rng.Float64())
		}
		s.flower(x, s.H()*1.04, s.u*s.between(240, 520), hues[s.rng.IntN(len(hues))], 6+s.rng.IntN(8))
	}
}

// hang puts what the prompt names into the air.
func (s *scene) hang() {
	if t, ok := s.b.take("balloon"); ok {
		n := 1 + s.rng.IntN(2)
		if t.many {
			n = 5
		}
		hues := stops(0xd9483b, 0xf2a93b, 0x3f77c2, 0x5f9e57, 0x8a4f9e)
		for i := range n {
			col := hues[(i+s.rng.IntN(5))%5]
			if t.hued {
				col = t.hue
			}
			r := s.u * lerp(100, 34, float64(i)/5) * s.between(0.85, 1.15)
			s.balloon(s.side(0.30+0.14*float64(i)+s.between(-0.05, 0.05)), s.horizon*s.between(0.22, 0.58), r, col)
		}
	}
	if t, ok := s.b.take("bird"); ok && s.b.place != "sea" {
		if t.many || len(s.b.things) > 1 {
			s.flock(9)
		} else {
			s.perched(s.side(0.42), s.H()*0.58, s.u*s.between(230, 280), t)
		}
	}
	if t, ok := s.b.take("butterfly"); ok {
		for i := range 4 {
			col := stops(0xe8863a, 0x3f77c2, 0xf2c744, 0xb5476b)[i]
			if t.hued {
				col = t.hue
			}
			s.butterfly(s.between(0.15, 0.85)*s.W(), s.between(0.4, 0.8)*s.H(), s.u*lerp(120, 40, float64(i)/4), col)
		}
	}
	if s.b.has("rocket") && s.b.place != "space" {
		s.rocket(s.side(0.34), s.horizon*0.5, s.u*260)
	}
	if !s.b.has("bird") && s.b.place != "sea" && s.b.time != "night" && s.chance(0.35) {
		s.flock(3 + s.rng.IntN(5))
	}
}
