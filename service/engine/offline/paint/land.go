package paint

import (
	"math"
	"sort"
)

// mountainRange draws a row of mountains that stand on base; the highest is about tall pixels high.
func (s *scene) mountainRange(base, tall, depth float64) {
	type peak struct{ x, top, half float64 }
	var row []peak
	for x := -s.uniform(0, 0.2) * s.width; x < s.width*1.1; {
		top := tall * s.uniform(0.5, 1)
		half := top * s.uniform(0.85, 1.35)
		row = append(row, peak{x, top, half})
		x += half * s.uniform(0.55, 1.0)
	}
	sort.Slice(row, func(i, j int) bool { return row[i].top > row[j].top })
	rock := s.pal.rock.mix(s.pal.farHill, 0.3+0.5*depth)
	snowy := s.spec.season == "winter" || s.spec.place == "mountains" || s.spec.place == "lake"
	for i, k := range row {
		d := clamp(depth - 0.08*float64(i)/float64(len(row)))
		s.mountain(k.x, base, k.top, k.half, s.pal.shade(rock, d), d, snowy && k.top > tall*0.45)
	}
}

// mountain draws one mountain with a shaded and a lit side, and snow on both if asked.
func (s *scene) mountain(x, base, top, half float64, col rgb, depth float64, snow bool) {
	const n = 11
	seed := s.rng.Uint32()
	flank := func(side float64) (xs, ys []float64) {
		for i := range n + 1 {
			t := float64(i) / n
			j := (hashNoise(i, int(side)+2, seed) - 0.5) * half * 0.10
			if i == 0 || i == n {
				j = 0
			}
			xs = append(xs, x+side*half*math.Pow(t, 0.94)+j)
			ys = append(ys, base-top*(1-t)-j*0.6)
		}
		return xs, ys
	}
	lx, ly := flank(-1)
	rx, ry := flank(1)
	ridge := func(t float64, i int) float64 {
		return x + half*(hashNoise(i, 9, seed)-0.5)*0.34*smoothstep(0, 0.5, t) + half*0.12*t*-s.lightSide
	}
	var outline []float64
	for i := n; i >= 0; i-- {
		outline = append(outline, lx[i], ly[i])
	}
	for i := 1; i <= n; i++ {
		outline = append(outline, rx[i], ry[i])
	}
	foot := col.mix(s.pal.haze, 0.28+0.25*depth)
	s.fill(newPath().polygon(outline...), vgradient(col.scale(0.80), foot, base-top, base))
	ex, ey := lx, ly
	if s.lightSide > 0 {
		ex, ey = rx, ry
	}
	lit := col.mix(s.pal.sun.mul(s.pal.ambient.mix(rgb{1, 1, 1}, 0.5)), 0.24*(1-depth))
	var face []float64
	for i := range n + 1 {
		face = append(face, ex[i], ey[i])
	}
	for i := n; i >= 1; i-- {
		t := float64(i) / n
		face = append(face, ridge(t, i), base-top*(1-t))
	}
	s.fill(newPath().polygon(face...), vgradient(lit, foot, base-top, base))
	if !snow {
		return
	}
	white := s.pal.shade(hex(0xf7f9fb), depth*0.8)
	deep := 0.30 + 0.16*hashNoise(3, 3, seed)
	if s.spec.season == "winter" {
		deep += 0.28
	}
	shaded := white.scale(0.74).mix(s.pal.cloudShade, 0.25)
	sx, sy := rx, ry
	if s.lightSide > 0 {
		sx, sy = lx, ly
	}
	s.snowCap(sx, sy, ridge, base, top, shaded, deep, seed)
	s.snowCap(ex, ey, ridge, base, top, white, deep+0.07, seed)
}

// snowCap draws the snow on one side of a mountain, from its top down to the share deep of its height. The edge of that
// side has the points xs, ys; ridge returns the x of the line between the two sides.
func (s *scene) snowCap(
	xs, ys []float64, ridge func(float64, int) float64, base, top float64, col rgb, deep float64, seed uint32,
) {
	n := len(xs) - 1
	var v []float64
	for i := range n + 1 {
		t := float64(i) / float64(n)
		if t > deep {
			break
		}
		v = append(v, xs[i], ys[i])
	}
	last := len(v) / 2
	for k := 0; k <= 6; k++ { // a ragged lower edge
		t := float64(k) / 6
		xx := lerp(xs[last-1], ridge(deep, last), t)
		yy := lerp(ys[last-1], base-top*(1-deep), t) + top*0.16*(hashNoise(k, 21, seed)-0.35)*math.Sin(math.Pi*t)
		v = append(v, xx, yy)
	}
	for i := last - 1; i >= 1; i-- {
		t := float64(i) / float64(n)
		v = append(v, ridge(t, i), base-top*(1-t))
	}
	s.fill(newPath().polygon(v...), vgradient(col, col.mix(s.pal.haze, 0.2), base-top, base))
}

// hill draws rolling ground and returns its crest, which rises above and falls below base by swell pixels.
func (s *scene) hill(base, swell, length float64, top, bottom rgb) crestLine {
	seed := s.rng.Uint32()
	phase := s.uniform(0, 6)
	crest := func(x float64) float64 {
		t := x / length
		wave := swell * (0.65*math.Sin(t*2.1+phase) + 0.5*math.Sin(t*0.9+phase*1.7))
		return base + wave + swell*0.35*(fbm(t*2.2, 4, 3, seed)-0.5)
	}
	p := newPath().moveTo(-4, s.height+4)
	for x := -4.0; x <= s.width+8; x += 6 {
		p.lineTo(x, crest(x))
	}
	p.lineTo(s.width+8, s.height+4)
	high := base - swell
	s.fill(p, vgradient(top, bottom, high, min(s.height, high+swell*2+s.height*0.16)))
	return crest
}

// hills draws rows of wooded hills from the horizon to the lower edge of the picture and returns the nearest crest.
func (s *scene) hills(rows int, wooded float64) crestLine {
	ground := s.pal.ground
	start := s.horizon
	crest := func(float64) float64 { return s.horizon }
	for i := range rows {
		t := float64(i) / float64(max(1, rows-1))
		depth := 0.62 * math.Pow(1-t, 1.5)
		base := lerp(start, s.height*0.84, math.Pow(t, 1.4))
		col := s.pal.farHill.mix(ground, 0.25+0.75*t).mix(s.pal.foliage, 0.35*hashNoise(i, 5, s.seed))
		top := s.pal.shade(col, depth).mix(s.pal.sun.mul(s.pal.ambient), 0.12)
		low := s.pal.shade(col.scale(0.72), depth*0.8)
		if s.flat {
			low = top.mix(low, 0.6)
		}
		crest = s.hill(base, s.unit*lerp(16, 42, t), s.unit*lerp(150, 420, t), top, low)
		if i > 0 && i < rows-1 && s.spec.season != "winter" && s.spec.place != "mountains" {
			s.fields(crest, s.unit*lerp(26, 110, t), depth)
		}
		if i < rows-1 && wooded > 0 {
			s.treeGroups(crest, depth, lerp(14, 60, t)*s.unit, wooded)
		}
	}
	if s.spec.season != "winter" {
		s.grass(crest, 0.5)
	}
	if wooded > 0 && s.chance(0.75) { // a tree that frames the view
		x := s.subjectX(s.uniform(0.84, 0.95))
		tall := s.unit * s.uniform(240, 360)
		if s.spec.place == "mountains" || s.spec.season == "winter" {
			s.conifer(x, crest(x)+s.unit*16, tall, 0.03)
			s.conifer(x+s.unit*s.uniform(-90, 90), crest(x)+s.unit*22, tall*0.7, 0.03)
		} else {
			s.broadleafTree(x, crest(x)+s.unit*14, tall, 0.03)
		}
	}
	return crest
}

// treeGroups scatters trees in groups along a crest.
func (s *scene) treeGroups(crest crestLine, depth, size, dense float64) {
	n := int(dense * s.width / size / 3.5)
	for range n / 3 {
		x := s.uniform(-0.02, 1.02) * s.width
		for range 1 + s.rng.IntN(4) {
			xx := x + s.uniform(-1.6, 1.6)*size
			k := size * s.uniform(0.6, 1.1)
			if s.spec.place == "mountains" || s.spec.season == "winter" || hashNoise(int(x), 1, s.seed) < 0.4 {
				s.conifer(xx, crest(xx)+k*0.08, k*1.3, depth)
			} else {
				s.broadleafTree(xx, crest(xx)+k*0.1, k, depth)
			}
		}
	}
}

// grass draws blades over the ground below a crest.
func (s *scene) grass(crest crestLine, dense float64) {
	n := int(dense * 2600)
	light := s.pal.shade(s.pal.ground.mix(hex(0xe9e08a), 0.35), 0)
	deep := s.pal.shade(s.pal.foliage.scale(0.7), 0)
	for i := range n {
		x := s.uniform(-0.01, 1.01) * s.width
		top := crest(x)
		y := lerp(top, s.height*1.03, math.Sqrt(float64(i)/float64(n)))
		k := s.unit * lerp(7, 30, clamp((y-top)/(s.height-top+1)))
		lean := s.uniform(-0.35, 0.35)
		col := deep.mix(light, s.rng.Float64())
		shape := pathAt(x, y, k).polygon(-0.07, 0, lean*0.5-0.03, -0.6, lean, -1, lean*0.5+0.05, -0.55, 0.07, 0)
		s.fill(shape, solid(col).withAlpha(0.7))
	}
}

// dunes draws a desert and returns the crest of the nearest dune.
func (s *scene) dunes() crestLine {
	sand := hex(0xe0a866)
	if s.spec.time == "day" {
		sand = hex(0xeec17f)
	}
	crest := func(float64) float64 { return s.horizon }
	for i := range 5 {
		t := float64(i) / 4
		depth := 0.55 * (1 - t)
		base := lerp(s.horizon+s.unit*8, s.height*0.86, math.Pow(t, 1.2))
		lit := s.pal.shade(sand, depth).mix(s.pal.sun.mul(s.pal.ambient), 0.12)
		dim := s.pal.shade(sand.mul(rgb{0.62, 0.48, 0.50}), depth)
		crest = s.dune(base, s.unit*lerp(22, 95, t), s.unit*lerp(240, 620, t), lit, dim)
	}
	return crest
}

// dune draws waves of sand with sharp crests, a lit side and a shaded side that runs down to the viewer in a curve.
func (s *scene) dune(base, tall, long float64, lit, dim rgb) crestLine {
	phase := s.uniform(0, 1)
	seed := s.rng.Uint32()
	wave := func(x float64) float64 {
		v := x/long + phase + 0.25*valueNoise(x/long*0.7, 2, seed)
		k := int(math.Floor(v))
		t := v - math.Floor(v)
		if s.lightSide < 0 {
			t = 1 - t
		}
		a, b := 0.35+0.65*hashNoise(k, 1, seed), 0.66
		if t < b {
			return a * math.Pow(math.Sin(t/b*math.Pi/2), 1.4)
		}
		return a * math.Pow(1-(t-b)/(1-b), 1.3)
	}
	crest := func(x float64) float64 { return base - tall*wave(x) + tall*0.25*math.Sin(x/long*1.3) }
	pad := int(long)
	slope := make([]float32, s.w+2*pad+2)
	for i := range slope {
		x := float64(i - pad)
		slope[i] = float32((wave(x+2) - wave(x-2)) * long / 4 * -s.lightSide)
	}
	for x := range s.w {
		top := crest(float64(x))
		for y := max(0, int(top)); y < s.h; y++ {
			down := (float64(y) - top) / (tall * 2.2)
			bend := long * (0.20*math.Sqrt(max(0, down)) + 0.10*down) * -s.lightSide
			i := min(len(slope)-1, max(0, x+pad-int(bend)))
			shade := smoothstep(-0.5, 0.5, float64(slope[i]))
			shade = lerp(shade, 0.35, clamp(down*0.75))
			warp := 6 * valueNoise(float64(x)/s.unit/40, float64(y)/s.unit/14, seed)
			ripple := 0.035 * math.Sin(float64(y)*0.9/s.unit*0.35+warp)
			col := lit.mix(dim, shade+ripple)
			cover := clamp(float64(y) + 1 - top)
			s.at(x, y).blend(col, float32(cover))
		}
	}
	return crest
}

// fields draws patches of crops on a hill below its crest.
func (s *scene) fields(crest crestLine, tall, depth float64) {
	crops := hexColors(0xd9c068, 0x9db55a, 0xb9a7cf, 0x7f9f52, 0xc9a35a)
	for range 3 {
		x0 := s.uniform(-0.1, 0.9) * s.width
		x1 := x0 + s.unit*s.uniform(120, 340)
		off := tall * s.uniform(0.15, 0.5)
		deep := tall * s.uniform(0.25, 0.6)
		col := s.pal.shade(crops[s.rng.IntN(len(crops))].mix(s.pal.ground, 0.3), depth)
		for row := range 5 {
			a, b := off+deep*float64(row)/5, off+deep*(float64(row)+0.62)/5
			var v, w []float64
			for i := range 13 {
				t := float64(i) / 12
				x := lerp(x0, x1, t) + tall*0.5*float64(row)/5
				bow := math.Sin(math.Pi * t)
				v = append(v, x, crest(x)+a*(0.4+0.6*bow))
				w = append([]float64{x, crest(x) + b*(0.4+0.6*bow)}, w...)
			}
			s.fill(newPath().polygon(append(v, w...)...), solid(col).withAlpha(0.75))
		}
	}
}
