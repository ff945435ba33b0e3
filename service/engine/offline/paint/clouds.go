package paint

import "math"

// clouds are banks of noise, lit from the side of the sun.
func (s *scene) clouds() {
	cover := s.uniform(0.50, 0.60)
	if s.spec.weather["clouds"] || s.spec.weather["rain"] {
		cover = 0.40
	}
	if s.spec.weather["storm"] {
		cover = 0.30
	}
	if s.spec.time == "night" && !s.spec.weather["clouds"] && !s.spec.weather["storm"] {
		cover += 0.08
	}
	seed := s.seed + 300
	size := s.unit * s.uniform(170, 300)
	flatten := s.uniform(2.2, 3.6)
	density := func(x, y float64) float64 {
		// Clouds lie flatter towards the horizon.
		k := flatten * (1 + 1.6*max(0, y)/s.horizon)
		warp := 0.5 * valueNoise(x/size*1.3, y/size*2, seed+9)
		return fbm(x/size+warp, y*k/size, 5, seed)
	}
	f := newNoiseGrid(s.w, min(s.h, int(s.horizon)+16), 4, density)
	toward := s.unit * 16
	lx, ly := s.sunX, s.sunY
	shine := newNoiseGrid(s.w, min(s.h, int(s.horizon)+16), 8, func(x, y float64) float64 {
		d := math.Hypot(lx-x, ly-y) + 1
		v := density(x, y) - density(x+(lx-x)/d*toward, y+(ly-y)/d*toward)
		return clamp(0.5 + v*5)
	})
	top := s.pal.sky[0]
	for y := range min(s.h, int(s.horizon)+1) {
		fade := smoothstep(1.02, 0.72, float64(y)/s.horizon)*0.25 + 0.75
		lit := s.pal.cloudLit.mix(s.pal.haze, 0.35*float64(y)/s.horizon)
		shade := s.pal.cloudShade.mix(top, 0.25).mix(s.pal.haze, 0.5*float64(y)/s.horizon)
		for x := range s.w {
			d := smoothstep(cover, cover+0.2, float64(f.sample(x, y))) * fade
			if d <= 0.004 {
				continue
			}
			k := float64(shine.sample(x, y))
			near := 1 / (1 + math.Abs(float64(x)-lx)/(s.unit*420))
			col := shade.mix(lit, clamp(k*0.8+0.25*near))
			i := (y*s.w + x) * 3
			a := float32(d * 0.86)
			s.pix[i] += (col.r - s.pix[i]) * a
			s.pix[i+1] += (col.g - s.pix[i+1]) * a
			s.pix[i+2] += (col.b - s.pix[i+2]) * a
		}
	}
}

// posterClouds are the stretched, rounded clouds of a poster.
func (s *scene) posterClouds() {
	n := 2 + s.rng.IntN(3)
	if s.spec.weather["clouds"] || s.spec.weather["storm"] || s.spec.weather["rain"] {
		n += 4
	}
	if s.spec.time == "night" {
		n = n * 2 / 3
	}
	for range n {
		y := s.uniform(0.08, 0.72) * s.horizon
		x := s.uniform(-0.05, 1.05) * s.width
		long := s.unit * s.uniform(110, 260)
		col := s.pal.cloudLit.mix(s.pal.haze, 0.3)
		if s.pal.isDark {
			col = s.pal.cloudShade.mix(s.pal.cloudLit, 0.35)
		}
		s.posterCloud(x, y, long, col)
	}
}

func (s *scene) posterCloud(x, y, long float64, col rgb) {
	thick := s.unit * 17
	p := newPath()
	for row := range 3 {
		l := long * (1 - 0.27*float64(row)) * s.uniform(0.8, 1.1)
		dx := s.uniform(-0.25, 0.25) * long
		yy := y - float64(row)*thick*1.05
		p.rect(x+dx-l/2, yy-thick/2, l, thick)
		p.ellipse(x+dx-l/2, yy, thick/2, thick/2)
		p.ellipse(x+dx+l/2, yy, thick/2, thick/2)
	}
	s.fill(p, solid(col).withAlpha(0.82))
}
