package paint

import "math"

// clouds are banks of noise, lit from the side of the sun.
func (s *scene) clouds() {
	cover := s.between(0.50, 0.60)
	if s.b.weather["clouds"] || s.b.weather["rain"] {
		cover = 0.40
	}
	if s.b.weather["storm"] {
		cover = 0.30
	}
	if s.b.time == "night" && !s.b.weather["clouds"] && !s.b.weather["storm"] {
		cover += 0.08
	}
	seed := s.seed + 300
	size := s.u * s.between(170, 300)
	flatten := s.between(2.2, 3.6)
	at := func(x, y float64) float64 {
		// Clouds lie flatter towards the horizon.
		k := flatten * (1 + 1.6*max(0, y)/s.horizon)
		warp := 0.5 * noise(x/size*1.3, y/size*2, seed+9)
		return fbm(x/size+warp, y*k/size, 5, seed)
	}
	f := newField(s.w, min(s.h, int(s.horizon)+16), 4, at)
	toward := s.u * 16
	lx, ly := s.sunX, s.sunY
	shine := newField(s.w, min(s.h, int(s.horizon)+16), 8, func(x, y float64) float64 {
		d := math.Hypot(lx-x, ly-y) + 1
		v := at(x, y) - at(x+(lx-x)/d*toward, y+(ly-y)/d*toward)
		return clamp(0.5 + v*5)
	})
	top := s.p.sky[0]
	for y := range min(s.h, int(s.horizon)+1) {
		fade := smooth(1.02, 0.72, float64(y)/s.horizon)*0.25 + 0.75
		lit := s.p.lit.mix(s.p.haze, 0.35*float64(y)/s.horizon)
		shade := s.p.shade.mix(top, 0.25).mix(s.p.haze, 0.5*float64(y)/s.horizon)
		for x := range s.w {
			d := smooth(cover, cover+0.2, float64(f.at(x, y))) * fade
			if d <= 0.004 {
				continue
			}
			k := float64(shine.at(x, y))
			near := 1 / (1 + math.Abs(float64(x)-lx)/(s.u*420))
			col := shade.mix(lit, clamp(k*0.8+0.25*near))
			i := (y*s.w + x) * 3
			a := float32(d * 0.86)
			s.pix[i] += (col.r - s.pix[i]) * a
			s.pix[i+1] += (col.g - s.pix[i+1]) * a
			s.pix[i+2] += (col.b - s.pix[i+2]) * a
		}
	}
}

// flatClouds are the stretched, rounded clouds of a poster.
func (s *scene) flatClouds() {
	n := 2 + s.rng.IntN(3)
	if s.b.weather["clouds"] || s.b.weather["storm"] || s.b.weather["rain"] {
		n += 4
	}
	if s.b.time == "night" {
		n = n * 2 / 3
	}
	for range n {
		y := s.between(0.08, 0.72) * s.horizon
		x := s.between(-0.05, 1.05) * s.W()
		long := s.u * s.between(110, 260)
		col := s.p.lit.mix(s.p.haze, 0.3)
		if s.p.dark {
			col = s.p.shade.mix(s.p.lit, 0.35)
		}
		s.flatCloud(x, y, long, col)
	}
}

func (s *scene) flatCloud(x, y, long float64, col rgb) {
	thick := s.u * 17
	p := px()
	for row := range 3 {
		l := long * (1 - 0.27*float64(row)) * s.between(0.8, 1.1)
		dx := s.between(-0.25, 0.25) * long
		yy := y - float64(row)*thick*1.05
		p.rect(x+dx-l/2, yy-thick/2, l, thick)
		p.oval(x+dx-l/2, yy, thick/2, thick/2)
		p.oval(x+dx+l/2, yy, thick/2, thick/2)
	}
	s.fill(p, solid(col).faint(0.82))
}
