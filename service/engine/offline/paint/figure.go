package paint

import (
	"cmp"
	"maps"
	"math"
	"strings"
	"sync"
	"unicode"
)

// figure says where and how a drawing of figures.txt is drawn.
type figure struct {
	x, y, size float64        // the origin of the drawing, and the length of its unit, in pixels
	side       float64        // -1 mirrors the drawing, 1 does not; 0 turns its bright side to the light
	angle      float64        // clockwise, in radians
	stretch    float64        // factor of the height; 0 is 1, and a negative one draws a reflection
	alpha      float64        // 0 is opaque
	depth      float64        // how far the object fades into the haze
	colors     map[string]rgb // replace colours of the drawing
}

// drawing is a figure of figures.txt, which describes its format.
type drawing struct {
	shapes    []shape
	colors    map[string]rgb
	mainColor string  // the colour that a prompt can change
	ownColor  float64 // how much of its own colour the object keeps in any light
}

// shape is one line of figures.txt.
type shape struct {
	condition string
	style     string
	outline   *path     // in units of the figure; nil for a glow
	glow      []float64 // x, y, radius
	sides     []float64 // 1 draws the shape as it is, -1 mirrored

	copies                       int
	x, y, angle                  float64 // of the first copy
	stepX, stepY, angleOfOneStep float64 // between two copies
}

// drawings holds the figures of figures.txt by their names.
var drawings = sync.OnceValue(func() map[string]*drawing {
	all, styles := map[string]*drawing{}, map[string]string{}
	var d *drawing
	for _, f := range dataLines("figures.txt") {
		switch f[0] {
		case "figure":
			d = &drawing{}
			if all[f[1]] = d; len(f) > 2 {
				d.ownColor = number(f[2])
			}
		case "color":
			d.mainColor, d.colors = f[1], parseNamedColors(f[1:])
		case "style":
			styles[f[1]] = f[2]
		case "use":
			d.shapes = append(d.shapes, all[f[1]].shapes...)
		default:
			s := readShape(f)
			s.style = cmp.Or(styles[s.style], s.style)
			d.shapes = append(d.shapes, s)
		}
	}
	return all
})

func readShape(f []string) shape {
	s := shape{copies: 1, sides: []float64{1}}
	for {
		switch f[0] {
		case "if":
			s.condition, f = f[1], f[2:]
		case "sides":
			s.sides, f = []float64{-1, 1}, f[1:]
		case "repeat":
			v := numbers(f[1:4])
			s.copies, s.stepX, s.stepY, f = int(v[0]), v[1], v[2], f[4:]
		case "turn":
			v := numbers(f[1:5])
			s.copies, s.angle, s.x, s.y, f = int(v[0]), v[1], v[2], v[3], f[5:]
			s.angleOfOneStep = 2 * math.Pi / float64(s.copies)
		default:
			if s.style = f[0]; f[1] == "glow" {
				s.glow = numbers(f[2:])
			} else {
				s.outline = readOutline(f[1:])
			}
			return s
		}
	}
}

// readOutline reads kinds of outlines, each with its numbers.
func readOutline(f []string) *path {
	p := newPath()
	for len(f) > 0 {
		n := 1
		for n < len(f) && !unicode.IsLetter(rune(f[n][0])) {
			n++
		}
		addOutline(p, f[0], numbers(f[1:n]))
		f = f[n:]
	}
	return p
}

func addOutline(p *path, kind string, v []float64) {
	switch kind {
	case "m", "polygon":
		p.polygon(v...)
	case "l":
		p.lineTo(v[0], v[1])
	case "c":
		p.cubicTo(v[0], v[1], v[2], v[3], v[4], v[5])
	case "curve":
		p.closedCurve(v...)
	case "ellipse":
		p.ellipse(v[0], v[1], v[2], v[3])
	case "rect":
		p.rect(v[0], v[1], v[2], v[3])
	case "stroke":
		p.stroke(v[0], v[1:]...)
	default:
		panic("paint: figures.txt: no shape is called " + kind)
	}
}

// drawFigure draws a figure of figures.txt.
func (s *scene) drawFigure(name string, f figure) {
	d := drawings()[name]
	f.side, f.stretch, f.alpha = cmp.Or(f.side, s.lightSide), cmp.Or(f.stretch, 1), cmp.Or(f.alpha, 1)
	colors := maps.Clone(s.pal.colors)
	maps.Copy(colors, d.colors)
	if s.is("lit") {
		colors["windows"] = colors["window"]
	}
	maps.Copy(colors, f.colors)
	b := colorBox{s.pal, colors, f.depth, d.ownColor}
	for _, shape := range d.shapes {
		if shape.condition != "" && !s.is(shape.condition) {
			continue
		}
		for i := range shape.copies {
			for _, side := range shape.sides {
				p := pathAt(f.x, f.y, f.size)
				p.a, p.d = p.a*f.side, p.d*f.stretch
				p.rotate(f.angle)
				if side < 0 {
					p.flip()
				}
				step := float64(i)
				p.move(shape.x+shape.stepX*step, shape.y+shape.stepY*step)
				s.drawShape(&shape, p.rotate(shape.angle+shape.angleOfOneStep*step), b, f.alpha)
			}
		}
	}
}

// drawShape draws a shape with the transformation of p.
func (s *scene) drawShape(shape *shape, p *path, b colorBox, alpha float64) {
	text, isLight := strings.CutPrefix(shape.style, "+")
	text, opacity, hasAlpha := strings.Cut(text, "/")
	if hasAlpha {
		alpha *= number(opacity)
	}
	if shape.outline == nil {
		x, y := p.pixel(shape.glow[0], shape.glow[1])
		s.glow(x, y, shape.glow[2]*math.Hypot(p.a, p.b), b.mix(text), alpha)
		return
	}
	style := fillStyle{alpha: alpha, isLight: isLight}
	if part := strings.Split(text, ":"); len(part) == 1 {
		style.a = b.mix(text)
	} else {
		style.a, style.b = b.mix(part[1]), b.mix(part[2])
		from, to := number(part[3]), number(part[4])
		right, down := 1.0, 0.0
		if part[0] == "v" {
			right, down = 0, 1
		}
		style.x0, style.y0 = p.pixel(from*right, from*down)
		style.x1, style.y1 = p.pixel(to*right, to*down)
	}
	s.fill(p.addPath(shape.outline), style)
}

// color evaluates a colour that is written as in figures.txt.
func (s *scene) color(text string) rgb { return colorBox{pal: s.pal, named: s.pal.colors}.mix(text) }

// scheme returns the colours of a scheme of scenes.toml.
func (s *scene) scheme(name string) []rgb {
	choice := scenes().Schemes[name]
	return parseColors(choice[s.rng.IntN(len(choice))])
}

// colorBox evaluates the colours of figures.txt for one figure.
type colorBox struct {
	pal      palette
	named    map[string]rgb
	depth    float64
	ownColor float64
}

func (b colorBox) get(name string) rgb {
	if c, ok := b.named[name]; ok {
		return c
	}
	return parseColor(name)
}

// mix evaluates a colour with its operators.
func (b colorBox) mix(text string) rgb {
	const operators = "*~@"
	next := func() (part string) {
		i := strings.IndexAny(text[1:], operators) + 1
		if i == 0 {
			i = len(text)
		}
		part, text = text[:i], text[i:]
		return part
	}
	c := b.get(next())
	for text != "" {
		part := next()
		operator, arg := part[0], part[1:]
		switch operator {
		case '*':
			c = c.scale(number(arg))
		case '~':
			other, share, _ := strings.Cut(arg, ",")
			c = c.mix(b.get(other), number(share))
		case '@':
			depth := b.depth
			if more, ok := strings.CutPrefix(arg, "+"); ok {
				depth += number(more)
			} else if arg != "" {
				depth = number(arg)
			}
			c = b.pal.shade(c, depth).mix(c, b.ownColor)
		}
	}
	return c
}
