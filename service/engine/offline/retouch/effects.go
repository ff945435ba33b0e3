package retouch

import (
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/anthonynsimon/bild/adjust"
	"github.com/anthonynsimon/bild/blend"
	"github.com/anthonynsimon/bild/clone"
	"github.com/anthonynsimon/bild/effect"
	"golang.org/x/image/draw"

	"confab/service/engine/offline/paint"
)

// operations returns what carries out each operation of vocabulary.toml. The others are filters or painted by package
// paint.
func operations() map[string]func(*picture, clause) {
	return map[string]func(*picture, clause){
		"caption “…”":           (*picture).caption,
		"crop (square, 16:9 …)": (*picture).crop,
		"border":                (*picture).border,
		"rotate (90 …)":         (*picture).rotate,
		"flip":                  (*picture).flip,
		"mirror":                func(p *picture, c clause) { p.turnOver(has(c.text, "vertically")) },
		"half the size":         (*picture).halve,
		"greyscale":             func(p *picture, _ clause) { p.img = effect.Grayscale(p.img) },
		"invert":                func(p *picture, _ clause) { p.img = effect.Invert(p.img) },
		"emboss":                func(p *picture, _ clause) { p.img = effect.Emboss(p.img) },
		"brighter":              func(p *picture, c clause) { p.img = adjust.Brightness(p.img, 0.22*c.change()) },
		"darker":                func(p *picture, c clause) { p.img = adjust.Brightness(p.img, -0.24*c.change()) },
		"more or less contrast": func(p *picture, c clause) { p.img = adjust.Contrast(p.img, 0.3*c.change()) },
		"saturate":              func(p *picture, c clause) { p.img = adjust.Saturation(p.img, 0.45*c.change()) },
		"sepia":                 (*picture).sepia,
		"winter":                (*picture).winter,
		"night":                 (*picture).night,
		"tint (blue …)":         (*picture).tint,
		"sharpen":               (*picture).sharpen,
		"pixelate":              (*picture).pixelate,
		"posterise":             func(p *picture, _ clause) { p.quantise(4) },
		"sketch":                func(p *picture, _ clause) { p.paint("pencil", 1) },
		"cartoon":               (*picture).cartoon,
		"neon":                  (*picture).neon,
	}
}

// apply carries out one step.
func (p *picture) apply(s step) {
	if edit, ok := operations()[s.Name]; ok {
		edit(p, s.clause)
	} else if _, ok := loadedVocabulary().Filters[s.Name]; ok {
		p.filter(s.Name, s.clause.change())
	} else {
		p.paint(strings.TrimPrefix(s.Name, "add "), s.clause.strength())
	}
}

// paint lets package paint draw something onto the picture.
func (p *picture) paint(what string, strength float64) {
	p.err = paint.ApplyEffect(p.ctx, p.img, paint.Effect{Name: what, Strength: strength, Seed: p.seed})
}

func (p *picture) sepia(c clause) {
	p.img = blend.Opacity(p.img, effect.Sepia(p.img), min(1, 0.75+0.25*c.strength()))
	p.paint("vignette", 0.6)
}

// winter cools the light, lays snow on what faces the sky, and lets snow fall.
func (p *picture) winter(c clause) {
	p.filter("winter", c.strength())
	p.paint("snow", 1)
}

// night darkens towards blue, keeps warm lights and puts stars into the sky.
func (p *picture) night(c clause) {
	p.filter("night", c.strength())
	p.paint("stars", 1)
	if p.err == nil {
		p.paint("vignette", 0.7)
	}
}

func (p *picture) tint(c clause) {
	tint := colourIn(loadedVocabulary().Words["frame"].ReplaceAllString(c.text, ""))
	coloured := blend.Multiply(adjust.Brightness(effect.Grayscale(p.img), 0.6), filled(p.img.Rect, tint))
	p.img = blend.Opacity(p.img, coloured, min(0.85, 0.45*c.strength()))
}

func (p *picture) sharpen(c clause) {
	p.img = effect.UnsharpMask(p.img, 0.4*max(1, p.unit()), 1.2*c.strength())
}

func (p *picture) pixelate(c clause) {
	size, b := max(2, int(14*c.strength()*p.unit())), p.img.Rect
	w, h := (b.Dx()+size-1)/size, (b.Dy()+size-1)/size
	blocks := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.BiLinear.Scale(blocks, blocks.Rect, p.img, b, draw.Src, nil)
	draw.NearestNeighbor.Scale(p.img, image.Rect(0, 0, w*size, h*size), blocks, blocks.Rect, draw.Src, nil)
}

func (p *picture) cartoon(clause) {
	lines := effect.Invert(effect.Sobel(p.img))
	p.img = adjust.Saturation(p.img, 0.25)
	p.paint("blur", 0.4)
	p.quantise(6)
	p.img = blend.Multiply(p.img, lines)
}

// neon lets the edges glow in a dark picture.
func (p *picture) neon(clause) {
	vivid := adjust.Saturation(p.img, 0.9)
	edges := adjust.Brightness(effect.Sobel(p.img), 0.8)
	dark := blend.Multiply(vivid, filled(p.img.Rect, color.RGBA{60, 35, 95, 255}))
	lines := blend.Multiply(adjust.Brightness(vivid, 0.7), edges)
	p.img = clone.AsRGBA(lines)
	p.paint("blur", 1.2)
	p.img = blend.Add(blend.Add(dark, p.img), lines)
}

// unit is a thousandth of the side of a square that has the area of the picture, in pixels.
func (p *picture) unit() float64 {
	return math.Sqrt(float64(p.img.Rect.Dx())*float64(p.img.Rect.Dy())) / 1000
}

// quantise leaves as many levels of each colour channel.
func (p *picture) quantise(levels float64) {
	p.img = adjust.Apply(p.img, func(c color.RGBA) color.RGBA {
		level := func(v uint8) uint8 {
			return uint8(math.Round(math.Round(float64(v)/255*(levels-1)) / (levels - 1) * 255))
		}
		return color.RGBA{level(c.R), level(c.G), level(c.B), c.A}
	})
}

// filter is a change of colours, as vocabulary.toml explains it.
type filter struct {
	Mask   string
	Amount float64
	Matrix [12]float64
}

// filter applies the filters of that name. A negative strength does the opposite.
func (p *picture) filter(name string, strength float64) {
	for _, f := range loadedVocabulary().Filters[name] {
		before := p.img
		p.img = image.NewRGBA(before.Rect)
		w, h := before.Rect.Dx(), before.Rect.Dy()
		for y := 0; y < h && p.ctx.Err() == nil; y++ {
			for x := range w {
				old, m := channels(before, x, y), f.Matrix[:]
				amount := min(1, f.Amount*strength*maskAt(f.Mask, before, x, y, old))
				to := p.img.Pix[y*p.img.Stride+x*4:][:4]
				for i := range 3 {
					v := m[4*i]*old[0] + m[4*i+1]*old[1] + m[4*i+2]*old[2] + m[4*i+3]
					to[i] = uint8(min(255, max(0, (old[i]+(v-old[i])*amount)*255+0.5)))
				}
				to[3] = 255
			}
		}
	}
}

// maskAt returns how far a filter with the mask applies to the pixel at x, y, whose channels are c.
func maskAt(mask string, img *image.RGBA, x, y int, c [3]float64) float64 {
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	r, g, b, down := c[0], c[1], c[2], float64(y)/h
	lamp := func() float64 { return smoothstep(0.30, 0.62, r-b) * smoothstep(0.62, 0.9, luminance(c)) }
	switch mask {
	case "leaves":
		return smoothstep(0.02, 0.2, g-max(b, r*0.86))
	case "warm":
		return smoothstep(0.02, 0.25, max(r, g)-b)
	case "top":
		return 1 - smoothstep(0, 0.75, down)
	case "bottom":
		return smoothstep(0, 0.75, down)
	case "lamps":
		return lamp()
	case "unlit":
		return 1 - lamp()
	case "snow":
		// An edge that is brighter above than below is the top of something.
		reach := max(2, int(math.Sqrt(w*h)/200))
		above, below := luminance(channels(img, x, y-reach)), luminance(channels(img, x, y+reach))
		top := smoothstep(0.02, 0.22, above-below) * smoothstep(0.2, 0.55, down)
		plants := smoothstep(0.02, 0.2, max(g-b, r-b))
		ground := plants * smoothstep(0.12, 0.6, luminance(c)) * smoothstep(0.15, 0.7, down)
		return min(0.88, 0.62*ground+0.55*top)
	}
	return 1
}

// channels returns the channels, from 0 to 1, of the pixel that is nearest to x, y.
func channels(img *image.RGBA, x, y int) [3]float64 {
	x, y = min(img.Rect.Dx()-1, max(0, x)), min(img.Rect.Dy()-1, max(0, y))
	c := img.Pix[y*img.Stride+x*4:][:3]
	return [3]float64{float64(c[0]) / 255, float64(c[1]) / 255, float64(c[2]) / 255}
}

func luminance(c [3]float64) float64 { return 0.3*c[0] + 0.59*c[1] + 0.11*c[2] }

// smoothstep rises smoothly from 0 at a to 1 at b.
func smoothstep(a, b, x float64) float64 {
	t := min(1, max(0, (x-a)/(b-a)))
	return t * t * (3 - 2*t)
}
