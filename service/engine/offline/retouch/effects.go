package retouch

import (
	"image/color"
	"math"
	"strings"

	"github.com/anthonynsimon/bild/adjust"
	"github.com/anthonynsimon/bild/blend"
	"github.com/anthonynsimon/bild/clone"
	"github.com/anthonynsimon/bild/effect"

	"confab/service/engine/offline/paint"
)

// operations returns the functions for operations of vocabulary.toml. Package paint implements the others.
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
		"posterise":             func(p *picture, _ clause) { p.quantise(4) },
		"sketch":                func(p *picture, _ clause) { p.paint("pencil", 1) },
		"cartoon":               (*picture).cartoon,
		"neon":                  (*picture).neon,
	}
}

// apply executes one step.
func (p *picture) apply(s step) {
	if edit, ok := operations()[s.Name]; ok {
		edit(p, s.clause)
	} else {
		p.paint(strings.TrimPrefix(s.Name, "add "), s.clause.change())
	}
}

// paint draws something on the picture by package paint.
func (p *picture) paint(what string, strength float64) {
	p.err = paint.ApplyEffect(p.ctx, p.img, what, strength, p.seed)
}

func (p *picture) sepia(c clause) {
	p.img = blend.Opacity(p.img, effect.Sepia(p.img), min(1, 0.75+0.25*c.strength()))
	p.paint("vignette", 0.6)
}

// winter cools the light and adds snow on upper surfaces and in the air.
func (p *picture) winter(c clause) {
	p.paint("winter", c.strength())
	p.paint("snow", 1)
}

// night darkens towards blue, keeps warm lights and adds stars to the sky.
func (p *picture) night(c clause) {
	p.paint("night", c.strength())
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

func (p *picture) cartoon(clause) {
	lines := effect.Invert(effect.Sobel(p.img))
	p.img = adjust.Saturation(p.img, 0.25)
	p.paint("blur", 0.4)
	p.quantise(6)
	p.img = blend.Multiply(p.img, lines)
}

// neon darkens the picture and lights its edges.
func (p *picture) neon(clause) {
	vivid := adjust.Saturation(p.img, 0.9)
	edges := adjust.Brightness(effect.Sobel(p.img), 0.8)
	dark := blend.Multiply(vivid, filled(p.img.Rect, color.RGBA{60, 35, 95, 255}))
	lines := blend.Multiply(adjust.Brightness(vivid, 0.7), edges)
	p.img = clone.AsRGBA(lines)
	p.paint("blur", 1.2)
	p.img = blend.Add(blend.Add(dark, p.img), lines)
}

// unit returns a thousandth of the side, in pixels, of a square with the picture's area.
func (p *picture) unit() float64 {
	return math.Sqrt(float64(p.img.Rect.Dx())*float64(p.img.Rect.Dy())) / 1000
}

// quantise reduces each colour channel to a number of levels.
func (p *picture) quantise(levels float64) {
	p.img = adjust.Apply(p.img, func(c color.RGBA) color.RGBA {
		level := func(v uint8) uint8 {
			return uint8(math.Round(math.Round(float64(v)/255*(levels-1)) / (levels - 1) * 255))
		}
		return color.RGBA{level(c.R), level(c.G), level(c.B), c.A}
	})
}
