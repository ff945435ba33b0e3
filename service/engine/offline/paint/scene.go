package paint

import "math"

// scene is a picture being composed: what was asked, the light, and where the
// great lines run.
type scene struct {
	*canvas
	b       *brief
	p       palette
	flat    bool    // the poster manner: hard edges, few tones
	horizon float64 // px from the top
	sunX    float64
	sunY    float64
	sunR    float64
	hasDisc bool    // the sun or the moon is seen
	from    float64 // where the light comes from: -1 left, 1 right
	busy    bool    // the subject stands on the left half: keep it free
}

func newScene(c *canvas, b *brief, flat bool) *scene {
	s := &scene{canvas: c, b: b, flat: flat}
	if b.time == "" {
		b.time = []string{"day", "dusk", "dawn", "day", "dusk"}[c.rng.IntN(5)]
		if b.has("moon") || b.weather["stars"] || b.style == "neon" || b.place == "space" {
			b.time = "night"
		}
		if b.season == "winter" || b.season == "spring" || b.weather["rain"] || b.weather["rainbow"] {
			b.time = []string{"day", "dawn"}[c.rng.IntN(2)]
		}
	}
	if b.style == "ink" {
		b.time = "day" // ink is laid on light paper
		b.weather["fog"] = true
	}
	s.p = light(b, c.rng.IntN(6))
	w, h := float64(c.w), float64(c.h)
	low, high := 0.54, 0.68
	if b.place == "mountains" || b.place == "forest" {
		low, high = 0.58, 0.70
	}
	if h > w*1.3 {
		low, high = low+0.04, high+0.04
	}
	s.horizon = h * c.between(low, high)
	s.busy = c.chance(0.5)
	s.sunX = w * c.between(0.62, 0.84)
	if !s.busy {
		s.sunX = w - s.sunX
	}
	s.from = 1
	if s.sunX < w/2 {
		s.from = -1
	}
	s.sunR = c.u * c.between(34, 52)
	switch b.time {
	case "night":
		s.sunY = h * c.between(0.14, 0.30)
		s.sunR *= 1.15
		s.hasDisc = b.has("moon") || c.chance(0.75)
	case "dusk", "dawn":
		s.sunY = s.horizon - c.u*c.between(10, 120)
		s.hasDisc = true
	default:
		s.sunY = h * c.between(0.12, 0.26)
		s.hasDisc = b.has("sun") || flat
	}
	if b.weather["storm"] || b.weather["rain"] || b.weather["fog"] && b.time == "day" {
		s.hasDisc = b.has("sun") || b.has("moon")
	}
	if flat {
		s.sunR *= 1.7
	}
	if b.style == "neon" {
		s.hasDisc, s.sunR = true, s.u*c.between(120, 165)
		s.sunX, s.sunY = w*c.between(0.36, 0.64), s.horizon-s.sunR*c.between(0.35, 0.6)
	}
	return s
}

// W and H are the sides of the picture, px.
func (s *scene) W() float64 { return float64(s.w) }
func (s *scene) H() float64 { return float64(s.h) }

// side is where the subject stands: a part of the width counted from its side.
func (s *scene) side(t float64) float64 {
	if s.busy {
		return s.W() * t
	}
	return s.W() * (1 - t)
}

// backdrop draws the sky with what is in it.
func (s *scene) backdrop() {
	rows := ramp(s.p.sky, max(2, int(s.horizon)))
	for y := range s.h {
		col := rows[min(y, len(rows)-1)]
		out := s.pix[y*s.w*3 : (y+1)*s.w*3]
		for x := 0; x < len(out); x += 3 {
			out[x], out[x+1], out[x+2] = col.r, col.g, col.b
		}
	}
	if s.flat {
		s.rings()
	}
	night := s.b.time == "night" || s.b.style == "neon"
	if night && !s.b.weather["rain"] {
		s.stars()
	}
	if s.b.weather["aurora"] {
		s.aurora()
	}
	s.disc()
	if s.b.weather["rainbow"] || s.b.has("rainbow") {
		s.rainbow()
	}
	switch {
	case s.b.weather["clear"], s.b.weather["stars"] && !s.b.weather["clouds"]:
	case s.flat:
		s.flatClouds()
	default:
		s.clouds()
	}
}

// rings are the bands of light around the sun of a poster.
func (s *scene) rings() {
	if !s.hasDisc {
		return
	}
	step := s.u * s.between(95, 150)
	glow := s.p.sun.mix(s.p.sky[len(s.p.sky)-1], 0.35)
	for y := range s.h {
		dy := float64(y) - s.sunY
		for x := range s.w {
			dx := float64(x) - s.sunX
			d := math.Sqrt(dx*dx+dy*dy) / step
			k := math.Floor(d)
			edge := clamp((d - k) * step / 1.5)
			k = k - 1 + edge
			if k > 6 {
				continue
			}
			a := float32(0.42 * (1 - k/6.5) * (1 - k/6.5))
			i := (y*s.w + x) * 3
			s.pix[i] += (glow.r - s.pix[i]) * a
			s.pix[i+1] += (glow.g - s.pix[i+1]) * a
			s.pix[i+2] += (glow.b - s.pix[i+2]) * a
		}
	}
}

func (s *scene) stars() {
	n := int(s.W() * s.horizon / (s.u * s.u) / 1700)
	if s.b.weather["stars"] {
		n *= 3
		s.milkyWay()
	}
	for range n {
		x, y := s.between(0, s.W()), s.between(0, s.horizon*0.96)
		bright := math.Pow(s.rng.Float64(), 3)
		bright *= 1 - 0.7*y/s.horizon
		r := s.u * (0.55 + 1.3*bright)
		warm := hex(0xdfe8ff).mix(hex(0xfff0d0), s.rng.Float64())
		s.fill(px().oval(x, y, r, r), solid(warm).faint(0.35+0.65*bright))
		if bright > 0.6 && !s.flat {
			s.glow(x, y, r*9, warm, 0.5)
		}
	}
}

func (s *scene) milkyWay() {
	angle := s.between(-0.9, -0.4)
	if s.busy {
		angle = -angle
	}
	sin, cos := math.Sincos(angle)
	cx, cy := s.W()*s.between(0.35, 0.65), s.horizon*s.between(0.3, 0.5)
	wide := s.u * s.between(110, 170)
	f := newField(s.w, s.h, 8, func(x, y float64) float64 {
		d := ((x-cx)*sin - (y-cy)*cos) / wide
		n := fbm(x/s.u/150, y/s.u/150, 4, s.seed+70)
		lane := fbm(x/s.u/60+9, y/s.u/60, 3, s.seed+71)
		return math.Exp(-d*d) * smooth(0.25, 0.75, n) * (1 - 0.75*smooth(0.5, 0.7, lane)*math.Exp(-9*d*d))
	})
	s.add(f, hex(0x8f9ad6).mix(s.p.sky[len(s.p.sky)-1], 0.3), 0.95, int(s.horizon))
}

// add lays light of one colour over the rows above bottom.
func (s *scene) add(f *field, col rgb, strength float64, bottom int) {
	for y := range min(s.h, bottom) {
		for x := range s.w {
			a := f.at(x, y) * float32(strength)
			i := (y*s.w + x) * 3
			s.pix[i] += col.r * a
			s.pix[i+1] += col.g * a
			s.pix[i+2] += col.b * a
		}
	}
}

func (s *scene) aurora() {
	cols := []rgb{hex(0x35e08f), hex(0x2fc7c0), hex(0x9a5be0)}
	for band := range 3 {
		base := s.horizon * s.between(0.45, 0.8)
		tall := s.horizon * s.between(0.35, 0.6)
		seed := s.seed + uint32(band)*31
		f := newField(s.w, s.h, 4, func(x, y float64) float64 {
			line := base + (fbm(x/s.u/330, float64(band)*7, 3, seed)-0.5)*s.horizon*0.6
			d := (line - y) / tall
			if d < 0 {
				return math.Exp(d * 30)
			}
			rays := 0.45 + 0.55*noise(x/s.u/14, float64(band), seed+5)
			return math.Exp(-d*3.2) * rays * smooth(0.2, 0.65, fbm(x/s.u/200, 3, 2, seed+9))
		})
		s.add(f, cols[band], 0.75, int(s.horizon))
	}
}

// disc draws the sun or the moon and the light around it.
func (s *scene) disc() {
	strength := s.p.glare
	if s.b.weather["fog"] {
		strength *= 0.6
	}
	if !s.flat {
		s.glow(s.sunX, s.sunY, s.u*760, s.p.sun, strength*0.75)
		s.glow(s.sunX, s.sunY, s.u*260, s.p.sun, strength)
	}
	if !s.hasDisc {
		return
	}
	disc := px().oval(s.sunX, s.sunY, s.sunR, s.sunR)
	switch {
	case s.b.style == "neon":
		s.fill(disc, down(hex(0xffe36b), hex(0xff3f8e), s.sunY-s.sunR, s.sunY+s.sunR))
		for i := range 7 { // the bars of an evening of 1984
			y := s.sunY + s.sunR*(0.05+0.14*float64(i))
			rows := ramp(s.p.sky, max(2, int(s.horizon)))
			s.fill(px().rect(s.sunX-s.sunR, y, 2*s.sunR, s.sunR*(0.018+0.011*float64(i))), solid(rows[min(len(rows)-1, int(y))]))
		}
	case s.b.time == "night":
		s.moon(disc)
	default:
		s.fill(disc, solid(hex(0xfffaf0).mix(s.p.sun, 0.5)))
		if !s.flat {
			s.glow(s.sunX, s.sunY, s.sunR*3, s.p.sun, 0.9)
		}
	}
}

func (s *scene) moon(disc *path) {
	pale := hex(0xf6f1dd)
	s.fill(disc, solid(pale))
	for range 9 {
		a, d := s.between(0, 2*math.Pi), s.sunR*math.Sqrt(s.rng.Float64())*0.75
		r := s.sunR * s.between(0.06, 0.24)
		if d+r > s.sunR*0.96 {
			continue
		}
		s.fill(px().oval(s.sunX+d*math.Cos(a), s.sunY+d*math.Sin(a), r, r*0.9), solid(hex(0xc9c4b4)).faint(0.45))
	}
	if !s.flat {
		s.glow(s.sunX, s.sunY, s.sunR*4, s.p.sun, 0.55)
	}
}

func (s *scene) rainbow() {
	cx, cy, r := s.W()*s.between(0.35, 0.65), s.horizon*1.05, min(s.horizon*0.95, s.W()*0.46)
	band := s.u * 11
	hues := stops(0xd9483b, 0xee8a3c, 0xf3cf4e, 0x67b35f, 0x4a86c9, 0x6a58b0)
	for y := range min(s.h, int(s.horizon)) {
		for x := range s.w {
			d := (r - math.Hypot(float64(x)-cx, float64(y)-cy)) / band
			if d < -0.5 || d > 6.5 {
				continue
			}
			at := min(5, max(0, d-0.5))
			k := min(4, int(at))
			col := hues[k].mix(hues[k+1], at-float64(k))
			a := 0.5 * smooth(-0.5, 0.6, d) * (1 - smooth(5.4, 6.5, d))
			s.set(x, y, s.get(x, y).mix(col, a))
		}
	}
}
