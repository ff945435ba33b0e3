package paint

import (
	"math"

	"golang.org/x/image/vector"
)

// segment is a step of a path, in pixels: a move ('m') or a line ('l') to p[0], p[1], or a cubic Bézier curve ('c').
type segment struct {
	kind byte
	p    [6]float64
}

// points returns the number of points of the segment.
func (s *segment) points() int {
	if s.kind == 'c' {
		return 3
	}
	return 1
}

// path is an outline. Its points are given in units of its own and transformed to pixels by an affine matrix, so that
// an object is described once and drawn anywhere, at any size.
type path struct {
	segments   []segment
	ox, oy     float64 // the origin, in pixels
	a, b, c, d float64 // one unit to the right is a, b pixels; one unit down is c, d pixels
}

// newPath returns a path in pixels.
func newPath() *path { return pathAt(0, 0, 1) }

// pathAt returns a path with its origin at x, y whose unit is size pixels.
func pathAt(x, y, size float64) *path { return &path{ox: x, oy: y, a: size, d: size} }

// flip swaps left and right.
func (p *path) flip() *path {
	p.a, p.b = -p.a, -p.b
	return p
}

// move moves the origin by dx, dy in units of the path.
func (p *path) move(dx, dy float64) *path {
	p.ox, p.oy = p.pixel(dx, dy)
	return p
}

// rotate turns the path clockwise by an angle in radians.
func (p *path) rotate(angle float64) *path {
	sin, cos := math.Sincos(angle)
	a, b, c, d := p.a, p.b, p.c, p.d
	p.a, p.b = a*cos+c*sin, b*cos+d*sin
	p.c, p.d = -a*sin+c*cos, -b*sin+d*cos
	return p
}

// pixel returns the position of a point of the path in pixels.
func (p *path) pixel(x, y float64) (px, py float64) {
	return p.ox + p.a*x + p.c*y, p.oy + p.b*x + p.d*y
}

func (p *path) add(kind byte, v ...float64) *path {
	s := segment{kind: kind}
	for i := 0; i+1 < len(v); i += 2 {
		s.p[i], s.p[i+1] = p.pixel(v[i], v[i+1])
	}
	p.segments = append(p.segments, s)
	return p
}

// addPath adds q, whose points are in units of p.
func (p *path) addPath(q *path) *path {
	for _, s := range q.segments {
		p.add(s.kind, s.p[:s.points()*2]...)
	}
	return p
}

func (p *path) moveTo(x, y float64) *path                  { return p.add('m', x, y) }
func (p *path) lineTo(x, y float64) *path                  { return p.add('l', x, y) }
func (p *path) cubicTo(x1, y1, x2, y2, x, y float64) *path { return p.add('c', x1, y1, x2, y2, x, y) }

// polygon adds a polygon of x, y pairs.
func (p *path) polygon(v ...float64) *path {
	p.moveTo(v[0], v[1])
	for i := 2; i+1 < len(v); i += 2 {
		p.lineTo(v[i], v[i+1])
	}
	return p
}

func (p *path) rect(x, y, w, h float64) *path { return p.polygon(x, y, x+w, y, x+w, y+h, x, y+h) }

// ellipse adds an ellipse around x, y.
func (p *path) ellipse(x, y, rx, ry float64) *path {
	const k = 0.5522847498 // the length of the control lines with which four Bézier curves come closest to a circle
	p.moveTo(x+rx, y)
	p.cubicTo(x+rx, y+ry*k, x+rx*k, y+ry, x, y+ry)
	p.cubicTo(x-rx*k, y+ry, x-rx, y+ry*k, x-rx, y)
	p.cubicTo(x-rx, y-ry*k, x-rx*k, y-ry, x, y-ry)
	return p.cubicTo(x+rx*k, y-ry, x+rx, y-ry*k, x+rx, y)
}

// closedCurve adds a closed Catmull-Rom spline through x, y pairs.
func (p *path) closedCurve(v ...float64) *path {
	n := len(v) / 2
	point := func(i int) (x, y float64) { i = (i + n) % n; return v[2*i], v[2*i+1] }
	p.moveTo(v[0], v[1])
	for i := range n {
		ax, ay := point(i - 1)
		bx, by := point(i)
		cx, cy := point(i + 1)
		dx, dy := point(i + 2)
		p.cubicTo(bx+(cx-ax)/6, by+(cy-ay)/6, cx-(dx-bx)/6, cy-(dy-by)/6, cx, cy)
	}
	return p
}

// stroke adds the outline of a line of the given width through x, y pairs.
func (p *path) stroke(width float64, v ...float64) *path {
	n := len(v) / 2
	left, right := make([]float64, 0, 4*n), make([]float64, 0, 2*n)
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
	return p.polygon(append(left, right...)...)
}

// bounds returns a rectangle that contains the path, in pixels.
func (p *path) bounds() (x0, y0, x1, y1 float64) {
	x0, y0, x1, y1 = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := range p.segments {
		s := &p.segments[i]
		for k := 0; k < s.points()*2; k += 2 {
			x0, x1 = min(x0, s.p[k]), max(x1, s.p[k])
			y0, y1 = min(y0, s.p[k+1]), max(y1, s.p[k+1])
		}
	}
	return x0, y0, x1, y1
}

// rasterize adds the closed subpaths to z, whose upper left corner lies at x0, y0.
func (p *path) rasterize(z *vector.Rasterizer, x0, y0 float64) {
	for i := range p.segments {
		s := &p.segments[i]
		var v [6]float32
		for k := 0; k < 6; k += 2 {
			v[k], v[k+1] = float32(s.p[k]-x0), float32(s.p[k+1]-y0)
		}
		switch s.kind {
		case 'm':
			if i > 0 {
				z.ClosePath()
			}
			z.MoveTo(v[0], v[1])
		case 'l':
			z.LineTo(v[0], v[1])
		case 'c':
			z.CubeTo(v[0], v[1], v[2], v[3], v[4], v[5])
		}
	}
	z.ClosePath()
}
