package paint

import "math"

type point struct{ x, y float64 }

// path is an outline of closed polygons in pixels. Its points are given in units of its own and transformed by an
// affine matrix, so that an object is described once and drawn anywhere, at any size.
type path struct {
	polygons   [][]point
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
	p.a, p.b, p.c, p.d = p.a*cos+p.c*sin, p.b*cos+p.d*sin, -p.a*sin+p.c*cos, -p.b*sin+p.d*cos
	return p
}

// pixel returns the position of a point of the path in pixels.
func (p *path) pixel(x, y float64) (px, py float64) {
	return p.ox + p.a*x + p.c*y, p.oy + p.b*x + p.d*y
}

func (p *path) moveTo(x, y float64) *path {
	p.polygons = append(p.polygons, nil)
	return p.lineTo(x, y)
}

func (p *path) lineTo(x, y float64) *path {
	last := &p.polygons[len(p.polygons)-1]
	x, y = p.pixel(x, y)
	*last = append(*last, point{x, y})
	return p
}

// cubicTo adds a cubic Bézier curve as short lines.
func (p *path) cubicTo(x1, y1, x2, y2, x, y float64) *path {
	const lines = 12
	last := &p.polygons[len(p.polygons)-1]
	from := (*last)[len(*last)-1]
	x1, y1 = p.pixel(x1, y1)
	x2, y2 = p.pixel(x2, y2)
	x, y = p.pixel(x, y)
	for i := range lines {
		t := float64(i+1) / lines
		u := 1 - t
		k0, k1, k2, k3 := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
		*last = append(*last, point{k0*from.x + k1*x1 + k2*x2 + k3*x, k0*from.y + k1*y1 + k2*y2 + k3*y})
	}
	return p
}

// addPath adds q, whose points are in units of p.
func (p *path) addPath(q *path) *path {
	for _, polygon := range q.polygons {
		p.moveTo(polygon[0].x, polygon[0].y)
		for _, v := range polygon[1:] {
			p.lineTo(v.x, v.y)
		}
	}
	return p
}

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

// bounds returns a rectangle that contains the path.
func (p *path) bounds() (x0, y0, x1, y1 float64) {
	x0, y0, x1, y1 = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, polygon := range p.polygons {
		for _, v := range polygon {
			x0, x1 = min(x0, v.x), max(x1, v.x)
			y0, y1 = min(y0, v.y), max(y1, v.y)
		}
	}
	return x0, y0, x1, y1
}
