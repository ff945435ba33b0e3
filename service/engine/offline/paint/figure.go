package paint

import (
	"cmp"
	"maps"
	"strings"
	"sync"
)

// figure says where and how an object of figures.txt is drawn.
type figure struct {
	x, y, size float64        // the origin of the drawing, and the length of its unit, in pixels
	mirror     bool           // left and right are swapped
	angle      float64        // clockwise, in radians
	stretch    float64        // factor of the height; 0 is 1, and a negative one draws a reflection
	alpha      float64        // 0 is opaque
	depth      float64        // how far the object fades into the haze
	colors     map[string]rgb // replace colours of the drawing
	*drawing
}

// figureShape is one line of figures.txt.
type figureShape struct {
	style        string
	outline      *path // in units of the figure
	count        int   // how often the shape is drawn, each time moved by stepX, stepY
	stepX, stepY float64
	bothSides    bool // the shape is drawn mirrored, then as it is
}

// drawing is a figure of figures.txt.
type drawing struct {
	shapes    []figureShape
	colors    map[string]rgb
	mainColor string  // the colour that a prompt can change
	ownColor  float64 // how much of its own colour the object keeps in any light
}

// figures holds the drawings of figures.txt, which describes its format.
var figures = sync.OnceValue(func() map[string]*drawing {
	figures, styles := map[string]*drawing{}, map[string]string{}
	var d *drawing
	for _, f := range dataLines("figures.txt") {
		switch f[0] {
		case "figure":
			d = &drawing{colors: map[string]rgb{}}
			if figures[f[1]] = d; len(f) > 2 {
				d.ownColor = number(f[2])
			}
		case "color":
			d.mainColor = f[1]
			for i := 1; i < len(f); i += 2 {
				d.colors[f[i]] = parseColor(f[i+1])
			}
		case "style":
			styles[f[1]] = f[2]
		case "use":
			d.shapes = append(d.shapes, figures[f[1]].shapes...)
		default:
			shape := figureShape{count: 1}
			if shape.bothSides = f[0] == "sides"; shape.bothSides {
				f = f[1:]
			}
			if f[0] == "repeat" {
				shape.count, shape.stepX, shape.stepY = int(number(f[1])), number(f[2]), number(f[3])
				f = f[4:]
			}
			shape.style, shape.outline = cmp.Or(styles[f[0]], f[0]), figureOutline(f[1], f[2:])
			d.shapes = append(d.shapes, shape)
		}
	}
	return figures
})

// figureOutline returns the path of a shape of figures.txt.
func figureOutline(kind string, args []string) *path {
	p := newPath()
	if kind == "path" {
		for len(args) > 0 {
			n := map[string]int{"m": 2, "l": 2, "c": 6}[args[0]]
			p.add(args[0][0], numbers(args[1:n+1])...)
			args = args[n+1:]
		}
		return p
	}
	v := numbers(args)
	switch kind {
	case "polygon":
		return p.polygon(v...)
	case "curve":
		return p.closedCurve(v...)
	case "ellipse":
		return p.ellipse(v[0], v[1], v[2], v[3])
	case "rect":
		return p.rect(v[0], v[1], v[2], v[3])
	}
	return p.stroke(v[0], v[1:]...)
}

// recolored returns the colour that the prompt gives to o, if any, by its name in the figure of o.
func (o object) recolored() map[string]rgb {
	colors := map[string]rgb{}
	if o.hasColor {
		colors[figures()[o.name].mainColor] = o.color
	}
	return colors
}

// drawFigure draws an object of figures.txt.
func (s *scene) drawFigure(name string, f figure) {
	f.stretch, f.alpha, f.drawing = cmp.Or(f.stretch, 1), cmp.Or(f.alpha, 1), figures()[name]
	p := &s.pal
	colors := map[string]rgb{"sun": p.sun, "haze": p.haze, "foliage": p.foliage, "window": p.window, "white": {1, 1, 1}}
	maps.Copy(colors, f.drawing.colors)
	maps.Copy(colors, f.colors)
	f.colors = colors
	for _, shape := range f.shapes {
		sides := []float64{1}
		if shape.bothSides {
			sides = []float64{-1, 1}
		}
		for i := range shape.count {
			dx, dy := shape.stepX*float64(i), shape.stepY*float64(i)
			style := s.figureStyle(&f, shape.style, dy)
			for _, side := range sides {
				outline := pathAt(f.x, f.y, f.size)
				outline.d *= f.stretch
				s.fill(outline.rotate(f.angle).mirrorIf(f.mirror).addPath(shape.outline, dx, dy, side), style)
			}
		}
	}
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
		depth, x := f.depth, f.x
		if len(part) > 3 {
			x += number(part[3]) * f.size
		}
		if len(part) > 4 {
			depth = number(part[4])
		}
		return s.roundStyle(s.figureColor(f, part[1]), x, number(part[2])*f.size, depth).withAlpha(alpha)
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
		c = parseColor(base)
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
			if more, ok := strings.CutPrefix(arg, "+"); ok {
				depth += number(more)
			} else if arg != "" {
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
