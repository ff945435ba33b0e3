package retouch

import "math"

// winter cools the light, lays snow on what faces the sky, and lets snow fall.
func (p *picture) winter(c clause) {
	before, k := p.img, c.strength()
	w, h := float64(before.Rect.Dx()), float64(before.Rect.Dy())
	reach := max(2, int(5*p.unit()))
	p.mapPixels(func(r, g, b, x, y float64) (float64, float64, float64) {
		px, py := int(x*w), int(y*h)
		l := luminance(r, g, b)
		// An edge that is brighter above than below is the top of something.
		top := smoothstep(0.02, 0.22, luminanceAt(before, px, py-reach)-luminanceAt(before, px, py+reach))
		plants := smoothstep(0.02, 0.2, max(g-b, r-b))
		ground := 0.62 * plants * smoothstep(0.12, 0.6, l) * smoothstep(0.15, 0.7, y)
		snow := min(0.88, (ground+0.55*top*smoothstep(0.2, 0.55, y))*k)
		grey, white := lerp(l, 1, 0.10), 0.80+0.2*l
		r, g, b = lerp(r, grey*0.95, 0.50), lerp(g, grey, 0.46), lerp(b, grey*1.10, 0.42)
		return lerp(r, white*0.96, snow), lerp(g, white*0.985, snow), lerp(b, white*1.02, snow)
	})
	p.paint("snow")
}

// autumn turns green to orange.
func (p *picture) autumn(c clause) {
	k := min(1, 0.82*c.strength())
	p.mapPixels(func(r, g, b, _, _ float64) (float64, float64, float64) {
		leaf := smoothstep(0.02, 0.2, g-max(b, r*0.86)) * k
		r, g, b = lerp(r, min(1, g*1.22+0.05), leaf), lerp(g, g*0.70, leaf), lerp(b, b*0.45, leaf)
		return r*1.05 + 0.01, g, b * 0.90
	})
}

// spring turns warm colours to green.
func (p *picture) spring(c clause) {
	k := min(1, 0.7*c.strength())
	p.mapPixels(func(r, g, b, _, _ float64) (float64, float64, float64) {
		warm := smoothstep(0.02, 0.25, max(r, g)-b) * k
		l := luminance(r, g, b)
		return lerp(r, l*0.78, warm) * 1.02, lerp(g, min(1, l*1.28), warm) * 1.03, lerp(b, l*0.50, warm)
	})
}

// sunset blends a sky from violet to amber with the picture in soft light.
func (p *picture) sunset(c clause) {
	amount := 1.1 * min(0.9, 0.62*c.strength())
	softLight := func(base, over float64) float64 {
		if over < 0.5 {
			return base - (1-2*over)*base*(1-base)
		}
		return base + (2*over-1)*(math.Sqrt(base)-base)
	}
	p.mapPixels(func(r, g, b, _, y float64) (float64, float64, float64) {
		t := smoothstep(0, 0.75, y)
		red := softLight(r, lerp(0.62, 1.0, t)) * lerp(0.9, 1.12, t)
		green := softLight(g, lerp(0.38, 0.62, t)) * lerp(0.80, 0.96, t)
		blue := softLight(b, lerp(0.66, 0.34, t)) * lerp(0.98, 0.72, t)
		return lerp(r, red, amount), lerp(g, green, amount), lerp(b, blue, amount)
	})
}

// night darkens towards blue, keeps warm lights and puts stars into the sky.
func (p *picture) night(c clause) {
	brightness := 0.46 - 0.06*min(2, c.strength())
	p.mapPixels(func(r, g, b, _, y float64) (float64, float64, float64) {
		l := luminance(r, g, b)
		dark := math.Pow(l, 1.35) * brightness * lerp(0.72, 1.05, y) // the sky is darkest at the top
		lamp := smoothstep(0.30, 0.62, r-b) * smoothstep(0.62, 0.9, l)
		return lerp(lerp(r*0.30, dark*0.66, 0.75), r*0.98, lamp), lerp(lerp(g*0.30, dark*0.82, 0.75), g*0.86, lamp),
			lerp(lerp(b*0.36, dark*1.45+0.03, 0.75), b*0.6, lamp)
	})
	p.paint("stars")
	if !p.lite {
		p.darkenCorners(0.35)
	}
}
