package paint

import "math"

// scene is a picture being composed: what was asked, the light, and where the
// great lines run.
type scene struct {
	*canvas
	figures      map[string][]figureShape
	spec         *sceneSpec
	pal          palette
	flat         bool    // the poster manner: hard edges, few tones
	horizon      float64 // px from the top
	sunX         float64
	sunY         float64
	sunRadius    float64
	isSunVisible bool    // the sun or the moon is seen
	lightSide    float64 // the side the light comes from: -1 is left, 1 is right
	subjectLeft  bool    // the subject stands in the left half of the picture
}

func newScene(c *canvas, b *sceneSpec, flat bool) *scene {
	s := &scene{canvas: c, figures: readFigures(), spec: b, flat: flat}
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
		b.time = "day" // fillStyle is laid on light paper
		b.weather["fog"] = true
	}
	s.pal = choosePalette(b, c.rng.IntN(6))
	w, h := float64(c.w), float64(c.h)
	low, high := 0.54, 0.68
	if b.place == "mountains" || b.place == "forest" {
		low, high = 0.58, 0.70
	}
	if h > w*1.3 {
		low, high = low+0.04, high+0.04
	}
	s.horizon = h * c.uniform(low, high)
	s.subjectLeft = c.chance(0.5)
	s.sunX = w * c.uniform(0.62, 0.84)
	if !s.subjectLeft {
		s.sunX = w - s.sunX
	}
	s.lightSide = 1
	if s.sunX < w/2 {
		s.lightSide = -1
	}
	s.sunRadius = c.unit * c.uniform(34, 52)
	switch b.time {
	case "night":
		s.sunY = h * c.uniform(0.14, 0.30)
		s.sunRadius *= 1.15
		s.isSunVisible = b.has("moon") || c.chance(0.75)
	case "dusk", "dawn":
		s.sunY = s.horizon - c.unit*c.uniform(10, 120)
		s.isSunVisible = true
	default:
		s.sunY = h * c.uniform(0.12, 0.26)
		s.isSunVisible = b.has("sun") || flat
	}
	if b.weather["storm"] || b.weather["rain"] || b.weather["fog"] && b.time == "day" {
		s.isSunVisible = b.has("sun") || b.has("moon")
	}
	if flat {
		s.sunRadius *= 1.7
	}
	if b.style == "neon" {
		s.isSunVisible, s.sunRadius = true, s.unit*c.uniform(120, 165)
		s.sunX, s.sunY = w*c.uniform(0.36, 0.64), s.horizon-s.sunRadius*c.uniform(0.35, 0.6)
	}
	return s
}

// side is where the subject stands: a part of the width counted from its side.
func (s *scene) subjectX(t float64) float64 {
	if s.subjectLeft {
		return s.width * t
	}
	return s.width * (1 - t)
}

// backdrop draws the sky with what is in it.
func (s *scene) sky() {
	rows := ramp(s.pal.sky, max(2, int(s.horizon)))
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
	night := s.spec.time == "night" || s.spec.style == "neon"
	if night && !s.spec.weather["rain"] {
		s.stars()
	}
	if s.spec.weather["aurora"] {
		s.aurora()
	}
	s.sunOrMoon()
	if s.spec.weather["rainbow"] || s.spec.has("rainbow") {
		s.rainbow()
	}
	switch {
	case s.spec.weather["clear"], s.spec.weather["stars"] && !s.spec.weather["clouds"]:
	case s.flat:
		s.posterClouds()
	default:
		s.clouds()
	}
}

// rings are the bands of light around the sun of a poster.
func (s *scene) rings() {
	if !s.isSunVisible {
		return
	}
	step := s.unit * s.uniform(95, 150)
	glow := s.pal.sun.mix(s.pal.sky[len(s.pal.sky)-1], 0.35)
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
	n := int(s.width * s.horizon / (s.unit * s.unit) / 1700)
	if s.spec.weather["stars"] {
		n *= 3
		s.milkyWay()
	}
	for range n {
		x, y := s.uniform(0, s.width), s.uniform(0, s.horizon*0.96)
		bright := math.Pow(s.rng.Float64(), 3)
		bright *= 1 - 0.7*y/s.horizon
		r := s.unit * (0.55 + 1.3*bright)
		warm := hex(0xdfe8ff).mix(hex(0xfff0d0), s.rng.Float64())
		s.fill(newPath().ellipse(x, y, r, r), solid(warm).withAlpha(0.35+0.65*bright))
		if bright > 0.6 && !s.flat {
			s.glow(x, y, r*9, warm, 0.5)
		}
	}
}

func (s *scene) milkyWay() {
	angle := s.uniform(-0.9, -0.4)
	if s.subjectLeft {
		angle = -angle
	}
	sin, cos := math.Sincos(angle)
	cx, cy := s.width*s.uniform(0.35, 0.65), s.horizon*s.uniform(0.3, 0.5)
	wide := s.unit * s.uniform(110, 170)
	f := newNoiseGrid(s.w, s.h, 8, func(x, y float64) float64 {
		d := ((x-cx)*sin - (y-cy)*cos) / wide
		n := fbm(x/s.unit/150, y/s.unit/150, 4, s.seed+70)
		lane := fbm(x/s.unit/60+9, y/s.unit/60, 3, s.seed+71)
		return math.Exp(-d*d) * smoothstep(0.25, 0.75, n) * (1 - 0.75*smoothstep(0.5, 0.7, lane)*math.Exp(-9*d*d))
	})
	s.addLight(f, hex(0x8f9ad6).mix(s.pal.sky[len(s.pal.sky)-1], 0.3), 0.95, int(s.horizon))
}

func (s *scene) aurora() {
	cols := []rgb{hex(0x35e08f), hex(0x2fc7c0), hex(0x9a5be0)}
	for band := range 3 {
		base := s.horizon * s.uniform(0.45, 0.8)
		tall := s.horizon * s.uniform(0.35, 0.6)
		seed := s.seed + uint32(band)*31
		f := newNoiseGrid(s.w, s.h, 4, func(x, y float64) float64 {
			line := base + (fbm(x/s.unit/330, float64(band)*7, 3, seed)-0.5)*s.horizon*0.6
			d := (line - y) / tall
			if d < 0 {
				return math.Exp(d * 30)
			}
			rays := 0.45 + 0.55*valueNoise(x/s.unit/14, float64(band), seed+5)
			return math.Exp(-d*3.2) * rays * smoothstep(0.2, 0.65, fbm(x/s.unit/200, 3, 2, seed+9))
		})
		s.addLight(f, cols[band], 0.75, int(s.horizon))
	}
}

// disc draws the sun or the moon and the light around it.
func (s *scene) sunOrMoon() {
	strength := s.pal.glare
	if s.spec.weather["fog"] {
		strength *= 0.6
	}
	if !s.flat {
		s.glow(s.sunX, s.sunY, s.unit*760, s.pal.sun, strength*0.75)
		s.glow(s.sunX, s.sunY, s.unit*260, s.pal.sun, strength)
	}
	if !s.isSunVisible {
		return
	}
	disc := newPath().ellipse(s.sunX, s.sunY, s.sunRadius, s.sunRadius)
	switch {
	case s.spec.style == "neon":
		s.fill(disc, vgradient(hex(0xffe36b), hex(0xff3f8e), s.sunY-s.sunRadius, s.sunY+s.sunRadius))
		for i := range 7 { // the bars of an evening of 1984
			y := s.sunY + s.sunRadius*(0.05+0.14*float64(i))
			rows := ramp(s.pal.sky, max(2, int(s.horizon)))
			s.fill(newPath().rect(s.sunX-s.sunRadius, y, 2*s.sunRadius, s.sunRadius*(0.018+0.011*float64(i))), solid(rows[min(len(rows)-1, int(y))]))
		}
	case s.spec.time == "night":
		s.moon(disc)
	default:
		s.fill(disc, solid(hex(0xfffaf0).mix(s.pal.sun, 0.5)))
		if !s.flat {
			s.glow(s.sunX, s.sunY, s.sunRadius*3, s.pal.sun, 0.9)
		}
	}
}

func (s *scene) moon(disc *path) {
	pale := hex(0xf6f1dd)
	s.fill(disc, solid(pale))
	for range 9 {
		a, d := s.uniform(0, 2*math.Pi), s.sunRadius*math.Sqrt(s.rng.Float64())*0.75
		r := s.sunRadius * s.uniform(0.06, 0.24)
		if d+r > s.sunRadius*0.96 {
			continue
		}
		s.fill(newPath().ellipse(s.sunX+d*math.Cos(a), s.sunY+d*math.Sin(a), r, r*0.9), solid(hex(0xc9c4b4)).withAlpha(0.45))
	}
	if !s.flat {
		s.glow(s.sunX, s.sunY, s.sunRadius*4, s.pal.sun, 0.55)
	}
}

func (s *scene) rainbow() {
	cx, cy, r := s.width*s.uniform(0.35, 0.65), s.horizon*1.05, min(s.horizon*0.95, s.width*0.46)
	band := s.unit * 11
	hues := hexColors(0xd9483b, 0xee8a3c, 0xf3cf4e, 0x67b35f, 0x4a86c9, 0x6a58b0)
	for y := range min(s.h, int(s.horizon)) {
		for x := range s.w {
			d := (r - math.Hypot(float64(x)-cx, float64(y)-cy)) / band
			if d < -0.5 || d > 6.5 {
				continue
			}
			at := min(5, max(0, d-0.5))
			k := min(4, int(at))
			col := hues[k].mix(hues[k+1], at-float64(k))
			a := 0.5 * smoothstep(-0.5, 0.6, d) * (1 - smoothstep(5.4, 6.5, d))
			s.set(x, y, s.get(x, y).mix(col, a))
		}
	}
}

// sunlit returns c with a share of sunlight on it.
func (s *scene) sunlit(c rgb, share float64) rgb { return c.mix(s.pal.sun.mul(s.pal.ambient), share) }
