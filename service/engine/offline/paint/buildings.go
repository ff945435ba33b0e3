package paint

import "math"

// windowsLit reports whether lamps are lit inside buildings.
func (s *scene) windowsLit() bool {
	return s.pal.isDark || s.spec.time == "dusk" || s.spec.weather["storm"]
}

// windowColor returns the colour of window panes: that of a lamp, or else the colour 0xRRGGBB at a depth.
func (s *scene) windowColor(dark uint32, depth float64) rgb {
	if s.windowsLit() {
		return s.pal.window
	}
	return s.pal.shade(hex(dark), depth)
}

// lighthouse draws a lighthouse with its foot at x, y.
func (s *scene) lighthouse(o object, x, y, size float64) {
	colors := o.recolored()
	colors["windows"] = s.windowColor(0x35404f, 0)
	s.drawFigure("lighthouse", figure{x: x, y: y, size: size, depth: 0.04, colors: colors})
	if s.windowsLit() {
		s.lightBeams(x, y-size*0.835, size)
	}
}

// lightBeams draws the light of a lighthouse.
func (s *scene) lightBeams(x, y, size float64) {
	c := s.pal.window.mix(hex(0xfff6d0), 0.5)
	reach := max(s.width, s.height)
	for _, side := range []float64{-1, 1} {
		strength := 0.34
		if side == s.lightSide { // a beam towards the sun is harder to see
			strength = 0.2
		}
		endX := x + side*reach
		style := gradient(c.scale(strength/3), c.scale(0), x, y, x+side*reach*0.62, y).asLight()
		for i := range 4 {
			spread := 0.012 + 0.022*float64(i)
			beam := newPath().moveTo(x, y-size*0.008).lineTo(endX, y-reach*(0.05+spread))
			beam.lineTo(endX, y-reach*(0.05-spread)).lineTo(x, y+size*0.008)
			s.fill(beam, style)
		}
	}
	s.glow(x, y, size*0.42, c, 1.3)
}

// house draws a house with the middle of its front at x, y.
func (s *scene) house(o object, x, y, size, depth float64) {
	colors := o.recolored()
	if s.spec.season == "winter" {
		colors["roof"] = hex(0xf4f7fa)
	}
	colors["windows"] = s.windowColor(0x4d6478, depth)
	s.drawFigure("house", figure{x: x, y: y, size: size, mirror: s.lightSide < 0, depth: depth, colors: colors})
	if s.windowsLit() {
		s.glow(x-0.12*size*s.lightSide, y-0.2*size, size*0.75, s.pal.window, 0.55)
	}
	for i := range 7 { // smoke
		t := float64(i) / 7
		r := size * (0.035 + 0.09*t)
		smokeX := x + s.lightSide*size*(-0.17-0.35*t*t) + s.uniform(-1, 1)*r*0.4
		smoke := solid(s.pal.haze.mix(s.pal.cloudLit, 0.5)).withAlpha(0.30 * (1 - t))
		s.fill(newPath().ellipse(smokeX, y-size*(0.92+0.5*t), r, r*0.8), smoke)
	}
}

// castle draws a castle; the middle of its wall stands on x, y.
func (s *scene) castle(x, y, size, depth float64) {
	colors := map[string]rgb{"windows": s.windowColor(0x3a3d48, depth)}
	s.drawFigure("castle", figure{x: x, y: y, size: size, depth: depth, colors: colors})
	if s.windowsLit() {
		s.glow(x, y-size*0.35, size*0.8, s.pal.window, 0.4)
	}
}

// windmill draws a windmill with its foot at x, y.
func (s *scene) windmill(x, y, size, depth float64) {
	s.drawFigure("windmill", figure{x: x, y: y, size: size, depth: depth})
	turn := s.uniform(0.1, 0.7)
	for i := range 4 {
		angle := turn + float64(i)*math.Pi/2
		s.drawFigure("windmill-sail", figure{x: x, y: y - size*0.63, size: size, angle: angle, depth: depth})
	}
	s.drawFigure("windmill-hub", figure{x: x, y: y - size*0.63, size: size, depth: depth})
}

// tent draws a tent and a camp fire beside it.
func (s *scene) tent(o object, x, y, size float64) {
	colors, c := o.recolored(), o.colorOr(hex(0xe07b39))
	colors["front"] = s.pal.shade(c, 0)
	if s.windowsLit() {
		colors["front"] = c.mix(hex(0xffd27a), 0.55)
	}
	s.drawFigure("tent", figure{x: x, y: y, size: size, mirror: s.lightSide < 0, colors: colors})
	fire := figure{x: x - s.lightSide*size*0.95, y: y + size*0.05, size: size}
	s.glow(fire.x, fire.y-size*0.1, size*0.9, hex(0xff9a3c), 1.1)
	s.drawFigure("campfire", fire)
}

// pyramid draws a pyramid of the given half width with the middle of its base at x, y.
func (s *scene) pyramid(x, y, size, depth float64) {
	s.drawFigure("pyramid", figure{x: x, y: y, size: size, mirror: s.lightSide < 0, depth: depth})
	line := solid(s.pal.shade(hex(0xd8a763).scale(0.5), depth)).withAlpha(0.25)
	for i := range 14 {
		t := float64(i+1) / 15
		s.fill(newPath().rect(x-size*t, y-size*1.05*(1-t), 2*size*t, s.unit*0.9), line)
	}
}

// bridge draws a suspension bridge whose deck lies at y.
func (s *scene) bridge(y float64) {
	c := s.pal.shade(hex(0xb4483a), 0.22)
	u, deck := s.unit, s.unit*12
	top := u * s.uniform(150, 210)
	left, right := s.width*0.27, s.width*0.73
	for _, x := range []float64{left, right} {
		s.fill(newPath().rect(x-u*18, y-top, u*8, top+u*18), solid(c))
		s.fill(newPath().rect(x+u*10, y-top, u*8, top+u*18), solid(c))
		for i := range 3 {
			s.fill(newPath().rect(x-u*14, y-top*(0.95-0.28*float64(i)), u*28, u*6), solid(c))
		}
	}
	cable := func(x0, x1, y0, y1, sag float64) {
		var points []float64
		for i := range 31 {
			t := float64(i) / 30
			x, cableY := lerp(x0, x1, t), lerp(y0, y1, t)+sag*4*t*(1-t)
			points = append(points, x, cableY)
			if i%2 == 0 {
				s.fill(newPath().rect(x-u*0.6, cableY, u*1.2, max(0, y-cableY)), solid(c).withAlpha(0.8))
			}
		}
		s.fill(newPath().stroke(u*3.2, points...), solid(c))
	}
	cable(left, right, y-top, y-top, top*0.86)
	cable(-s.width*0.08, left, y-u*16, y-top, top*0.22)
	cable(right, s.width*1.08, y-top, y-u*16, top*0.22)
	s.fill(newPath().rect(0, y-deck, s.width, deck), vgradient(c, c.scale(0.7), y-deck, y))
}

// skyline draws a city in three rows of buildings.
func (s *scene) skyline(y float64) {
	for row := range 3 {
		depth := []float64{0.62, 0.36, 0.10}[row]
		height := s.unit * []float64{420, 330, 230}[row] * s.uniform(0.9, 1.15)
		if s.height > s.width {
			height *= 1.25
		}
		c := s.pal.rock.mix(s.pal.farHill, 0.5).mix(hex(0x8a6f68), 0.3*hashNoise(row, 1, s.seed))
		center := s.uniform(0.25, 0.75) * s.width
		for x := -s.unit * 20; x < s.width; {
			w := s.unit * s.uniform(34, 92)
			h := height * (1 - 0.55*min(1, math.Abs(x-center)/s.width*1.8)) * s.uniform(0.45, 1)
			s.tallBuilding(x, y+s.unit*6, w, h, s.pal.shade(c.scale(s.uniform(0.75, 1.1)), depth), depth)
			x += w * s.uniform(0.95, 1.25)
		}
		s.fogBank(y-height*0.12, height*0.3, 0.32*depth+0.08)
	}
}

// tallBuilding draws one building of a city; its lower left corner is at x, y.
func (s *scene) tallBuilding(x, y, w, h float64, c rgb, depth float64) {
	top, sideX, sideW := y-h, x, w*0.26
	roof := s.rng.IntN(6)
	s.fill(newPath().rect(x, top, w, h), vgradient(c, c.mix(s.pal.haze, 0.3), top, y))
	if s.lightSide < 0 {
		sideX = x + w - sideW
	}
	s.fill(newPath().rect(sideX, top, sideW, h), solid(c.scale(0.7)).withAlpha(0.7))
	switch roof {
	case 0:
		s.fill(newPath().polygon(x, top, x+w/2, top-w*0.9, x+w, top), solid(c.scale(0.85)))
	case 1:
		s.fill(newPath().rect(x+w*0.2, top-w*0.35, w*0.6, w*0.36), solid(c))
		s.fill(newPath().rect(x+w*0.47, top-w*1.1, max(s.unit, w*0.05), w*0.8), solid(c.scale(0.8)))
	case 2:
		s.fill(newPath().ellipse(x+w/2, top, w/2, w*0.34), solid(c))
	}
	litShare := 0.08
	if s.windowsLit() {
		litShare = 0.55
	}
	lamps := []rgb{s.pal.window, hex(0xffe7b0), hex(0xffc36b), hex(0xbfe3ff)}
	if s.spec.style == "neon" {
		lamps = hexColors(0x5ff2ff, 0xff5fc8, 0xffe36b, 0x9d7bff)
	}
	lit := solid(lamps[s.rng.IntN(len(lamps))]).withAlpha(0.92 * (1 - depth*0.75))
	step := s.unit * 9.5
	for windowY := top + step*0.8; windowY < y-step; windowY += step * 1.15 {
		for windowX := x + step*0.5; windowX < x+w-step*0.7; windowX += step {
			style := solid(c.scale(0.62)).withAlpha(0.5)
			if s.chance(litShare) {
				style = lit
			}
			s.fill(newPath().rect(windowX, windowY, step*0.5, step*0.62), style)
		}
	}
}
