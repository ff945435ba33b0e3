package paint

import (
	"maps"
	"strings"
)

// figure says where and how an object of figures.txt is drawn.
type figure struct {
	x, y, size float64        // the origin of the drawing, and the length of its unit, in pixels
	mirror     bool           // left and right are swapped
	angle      float64        // clockwise, in radians
	stretch    float64        // factor of the height; 0 is 1, and a negative one draws a reflection
	alpha      float64        // 0 is opaque
	depth      float64        // how far the object fades into the haze
	ownColor   float64        // how much of its own colour an object keeps in any light
	colors     map[string]rgb // the colours that the drawing names
}

// figureShape is one line of figures.txt.
type figureShape struct {
	kind         string // polygon, curve, ellipse, rect, stroke, path
	style        string
	args         []string
	count        int // how often the shape is drawn, each time moved by stepX, stepY
	stepX, stepY float64
	bothSides    bool // the shape is drawn mirrored, then as it is
}

// readFigures reads the drawings of figures.txt, which describes its format.
func readFigures() map[string][]figureShape {
	figures, styles := map[string][]figureShape{}, map[string]string{}
	var name string
	for _, f := range dataLines("figures.txt") {
		shapes := figures[name]
		switch f[0] {
		case "figure":
			name = f[1]
			continue
		case "style":
			styles[f[1]] = f[2]
			continue
		case "use":
			shapes = append(shapes, figures[f[1]]...)
		case "+":
			last := &shapes[len(shapes)-1]
			last.args = append(last.args, f[1:]...)
		default:
			shape := figureShape{count: 1}
			if shape.bothSides = f[0] == "sides"; shape.bothSides {
				f = f[1:]
			}
			if f[0] == "repeat" {
				shape.count, shape.stepX, shape.stepY = int(number(f[1])), number(f[2]), number(f[3])
				f = f[4:]
			}
			shape.style, shape.kind, shape.args = f[0], f[1], f[2:]
			if s, ok := styles[shape.style]; ok {
				shape.style = s
			}
			shapes = append(shapes, shape)
		}
		figures[name] = shapes
	}
	return figures
}

// drawFigure draws an object of figures.txt.
func (s *scene) drawFigure(name string, f figure) {
	if f.stretch == 0 {
		f.stretch = 1
	}
	if f.alpha == 0 {
		f.alpha = 1
	}
	p := &s.pal
	colors := map[string]rgb{"sun": p.sun, "haze": p.haze, "foliage": p.foliage, "window": p.window, "white": {1, 1, 1}}
	maps.Copy(colors, f.colors)
	f.colors = colors
	for _, shape := range s.figures[name] {
		sides := []float64{1}
		if shape.bothSides {
			sides = []float64{-1, 1}
		}
		for i := range shape.count {
			dx, dy := shape.stepX*float64(i), shape.stepY*float64(i)
			style := s.figureStyle(&f, shape.style, dy)
			for _, side := range sides {
				s.fill(f.outline(&shape, dx, dy, side), style)
			}
		}
	}
}

// outline returns the path of a shape moved by dx, dy and then, if side is -1, mirrored.
func (f *figure) outline(shape *figureShape, dx, dy, side float64) *path {
	p := pathAt(f.x, f.y, f.size)
	p.d *= f.stretch
	p.rotate(f.angle).mirrorIf(f.mirror)
	args, width := shape.args, 0.0
	if shape.kind == "stroke" {
		args, width = args[1:], number(args[0])
	}
	v := make([]float64, 0, len(args))
	for i, isX := 0, true; i < len(args); i++ {
		switch {
		case args[i] == "m" || args[i] == "l" || args[i] == "c":
		case isX:
			v, isX = append(v, side*(number(args[i])+dx)), false
		default:
			v, isX = append(v, number(args[i])+dy), true
		}
	}
	switch shape.kind {
	case "polygon":
		return p.polygon(v...)
	case "curve":
		return p.closedCurve(v...)
	case "ellipse":
		return p.ellipse(v[0], v[1], number(args[2]), number(args[3]))
	case "rect":
		return p.rect(v[0], v[1], number(args[2]), number(args[3]))
	case "stroke":
		return p.stroke(width, v...)
	}
	kind := byte('m')
	for _, a := range args {
		switch a {
		case "m", "l", "c":
			kind = a[0]
			n := map[byte]int{'m': 2, 'l': 2, 'c': 6}[kind]
			p.add(kind, v[:n]...)
			v = v[n:]
		}
	}
	return p
}

// figureStyle reads a fill style of figures.txt; dy moves a vertical gradient.
func (s *scene) figureStyle(f *figure, text string, dy float64) fillStyle {
	text, opacity, hasAlpha := strings.Cut(text, "/")
	alpha := f.alpha
	if hasAlpha {
		alpha *= number(opacity)
	}
	part := strings.Split(text, ":")
	switch part[0] {
	case "v":
		y0, y1 := (number(part[3])+dy)*f.size*f.stretch, (number(part[4])+dy)*f.size*f.stretch
		return vgradient(s.figureColor(f, part[1]), s.figureColor(f, part[2]), f.y+y0, f.y+y1).withAlpha(alpha)
	case "h":
		x0, x1 := number(part[3])*f.size*s.lightSide, number(part[4])*f.size*s.lightSide
		return hgradient(s.figureColor(f, part[1]), s.figureColor(f, part[2]), f.x+x0, f.x+x1).withAlpha(alpha)
	case "round":
		depth := f.depth
		if len(part) > 3 {
			depth = number(part[3])
		}
		return s.roundStyle(s.figureColor(f, part[1]), f.x, number(part[2])*f.size, depth).withAlpha(alpha)
	}
	return solid(s.figureColor(f, text)).withAlpha(alpha)
}

// figureColor evaluates a colour of figures.txt.
func (s *scene) figureColor(f *figure, text string) rgb {
	const operators = "*~@"
	end := func() int {
		if i := strings.IndexAny(text[1:], operators); i >= 0 {
			return i + 1
		}
		return len(text)
	}
	base := text[:end()]
	c, ok := f.colors[base]
	if !ok {
		c = parseColor(strings.TrimPrefix(base, "#"))
	}
	for text = text[len(base):]; text != ""; {
		operator, arg := text[0], text[1:end()]
		text = text[end():]
		switch operator {
		case '*':
			c = c.scale(number(arg))
		case '~':
			other, share, _ := strings.Cut(arg, ",")
			c = c.mix(f.colors[other], number(share))
		case '@':
			depth := f.depth
			if arg != "" {
				depth = number(arg)
			}
			c = s.pal.shade(c, depth).mix(c, f.ownColor)
		}
	}
	return c
}

// roundStyle is a gradient over a round body of the given half width, bright on the side of the light.
func (s *scene) roundStyle(c rgb, x, halfWidth, depth float64) fillStyle {
	lit, shaded := s.pal.shade(c, depth), s.pal.shade(c.scale(0.56), depth)
	if !s.pal.isDark {
		lit = lit.mix(s.pal.sun, 0.12)
	}
	return hgradient(shaded, lit, x-halfWidth*s.lightSide, x+halfWidth*0.7*s.lightSide)
}
