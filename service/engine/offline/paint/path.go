package paint

import (
	"math"

	"golang.org/x/image/vector"
)

// segment is a step of a path: 'm'ove, 'l'ine or 'c'ube, in px.
type segment struct {
	op byte
	p  [6]float64
}

// path is an outline. Points are given in its own units and turned into px by
// a place, a size, a turn and a mirror, so that an object is described once.
type path struct {
	segs           []segment
	x0, y0, x1, y1 float64
	ox, oy         float64
	a, b, c, d     float64
}

// px is a path in plain px.
func px() *path { return at(0, 0, 1) }

// at is a path whose origin is x, y and whose unit is size px.
func at(x, y, size float64) *path {
	return &path{ox: x, oy: y, a: size, d: size, x0: math.Inf(1), y0: math.Inf(1), x1: math.Inf(-1), y1: math.Inf(-1)}
}

// mirrored turns left into right when yes.
func (p *path) mirrored(yes bool) *path {
	if yes {
		p.a, p.b = -p.a, -p.b
	}
	return p
}

// turned rotates by angle, in radians clockwise.
func (p *path) turned(angle float64) *path {
	s, k := math.Sincos(angle)
	a, b, c, d := p.a, p.b, p.c, p.d
	p.a, p.b = a*k+c*s, b*k+d*s
	p.c, p.d = -a*s+c*k, -b*s+d*k
	return p
}

func (p *path) put(op byte, v ...float64) *path {
	s := segment{op: op}
	for i := 0; i+1 < len(v); i += 2 {
		x := p.ox + p.a*v[i] + p.c*v[i+1]
		y := p.oy + p.b*v[i] + p.d*v[i+1]
		s.p[i], s.p[i+1] = x, y
		p.x0, p.x1 = min(p.x0, x), max(p.x1, x)
		p.y0, p.y1 = min(p.y0, y), max(p.y1, y)
	}
	p.segs = append(p.segs, s)
	return p
}

func (p *path) move(x, y float64) *path { return p.put('m', x, y) }
func (p *path) line(x, y float64) *path { return p.put('l', x, y) }
func (p *path) cube(x1, y1, x2, y2, x, y float64) *path {
	return p.put('c', x1, y1, x2, y2, x, y)
}

// poly adds a polygon of x, y pairs.
func (p *path) poly(v ...float64) *path {
	p.move(v[0], v[1])
	for i := 2; i+1 < len(v); i += 2 {
		p.line(v[i], v[i+1])
	}
	return p
}

// rect adds a rectangle.
func (p *path) rect(x, y, w, h float64) *path { return p.poly(x, y, x+w, y, x+w, y+h, x, y+h) }

// oval adds an ellipse.
func (p *path) oval(x, y, rx, ry float64) *path {
	const k = 0.5522847498
	p.move(x+rx, y)
	p.cube(x+rx, y+ry*k, x+rx*k, y+ry, x, y+ry)
	p.cube(x-rx*k, y+ry, x-rx, y+ry*k, x-rx, y)
	p.cube(x-rx, y-ry*k, x-rx*k, y-ry, x, y-ry)
	return p.cube(x+rx*k, y-ry, x+rx, y-ry*k, x+rx, y)
}

// soft adds a closed smooth outline through x, y pairs (Catmull-Rom).
func (p *path) soft(v ...float64) *path {
	n := len(v) / 2
	pt := func(i int) (float64, float64) { i = (i + n) % n; return v[2*i], v[2*i+1] }
	x, y := pt(0)
	p.move(x, y)
	for i := range n {
		ax, ay := pt(i - 1)
		bx, by := pt(i)
		cx, cy := pt(i + 1)
		dx, dy := pt(i + 2)
		p.cube(bx+(cx-ax)/6, by+(cy-ay)/6, cx-(dx-bx)/6, cy-(dy-by)/6, cx, cy)
	}
	return p
}

// stroke is the outline of a line of the given width through x, y pairs.
func (p *path) stroke(width float64, v ...float64) *path {
	n := len(v) / 2
	left, right := make([]float64, 0, 2*n), make([]float64, 0, 2*n)
	for i := range n {
		j, k := max(0, i-1), min(n-1, i+1)
		dx, dy := v[2*k]-v[2*j], v[2*k+1]-v[2*j+1]
		l := math.Hypot(dx, dy)
		if l == 0 {
			continue
		}
		nx, ny := -dy/l*width/2, dx/l*width/2
		left = append(left, v[2*i]+nx, v[2*i+1]+ny)
		right = append([]float64{v[2*i] - nx, v[2*i+1] - ny}, right...)
	}
	if len(left) == 0 {
		return p
	}
	return p.poly(append(left, right...)...)
}

func (p *path) trace(z *vector.Rasterizer, ox, oy float64) {
	f := func(s *segment, i int) (float32, float32) { return float32(s.p[i] - ox), float32(s.p[i+1] - oy) }
	open := false
	for i := range p.segs {
		s := &p.segs[i]
		x, y := f(s, 0)
		switch s.op {
		case 'm':
			if open {
				z.ClosePath()
			}
			z.MoveTo(x, y)
			open = true
		case 'l':
			z.LineTo(x, y)
		case 'c':
			x2, y2 := f(s, 2)
			x3, y3 := f(s, 4)
			z.CubeTo(x, y, x2, y2, x3, y3)
		}
	}
	if open {
		z.ClosePath()
	}
}
