package retouch

import (
	"image"
	"math"
	"strings"

	"github.com/anthonynsimon/bild/adjust"
	"github.com/anthonynsimon/bild/blend"
	"github.com/anthonynsimon/bild/effect"
	"golang.org/x/image/draw"

	"confab/service/engine/offline/paint"
)

// apply carries out one step. Operations that are not listed here are painted by package paint.
func (p *picture) apply(s step) {
	if apply, ok := map[string]func(*picture, clause){
		"caption “…”": (*picture).caption, "crop (square, 16:9 …)": (*picture).crop,
		"border": (*picture).border, "rotate (90 …)": (*picture).rotate, "flip": (*picture).flip,
		"mirror": (*picture).mirror, "half the size": (*picture).halve, "greyscale": (*picture).greyscale,
		"sepia": (*picture).sepia, "invert": (*picture).invert, "brighter": (*picture).brighten,
		"darker": (*picture).darken, "warmer": (*picture).warm, "cooler": (*picture).cool,
		"more or less contrast": (*picture).contrast, "saturate": (*picture).saturate, "tint (blue …)": (*picture).tint,
		"winter": (*picture).winter, "autumn": (*picture).autumn, "spring": (*picture).spring,
		"sunset": (*picture).sunset, "night": (*picture).night, "blur": (*picture).blur, "sharpen": (*picture).sharpen,
		"pixelate": (*picture).pixelate, "posterise": (*picture).posterise, "cartoon": (*picture).cartoon,
		"sketch": (*picture).sketch, "emboss": (*picture).emboss, "neon": (*picture).neon, "grain": (*picture).grain,
		"vignette": (*picture).vignette,
	}[s.name]; ok {
		apply(p, s.clause)
		return
	}
	p.paint(strings.TrimPrefix(s.name, "add "))
}

// paint lets package paint draw something onto the picture.
func (p *picture) paint(what string) { p.err = paint.ApplyEffect(p.ctx, p.img, what, p.seed) }

func (p *picture) greyscale(clause) { p.img = effect.Grayscale(p.img) }
func (p *picture) invert(clause)    { p.img = effect.Invert(p.img) }
func (p *picture) emboss(clause)    { p.img = effect.Emboss(p.img) }

func (p *picture) brighten(c clause) { p.img = adjust.Brightness(p.img, clamp(0.22*c.change(), 0.6)) }
func (p *picture) darken(c clause)   { p.img = adjust.Brightness(p.img, clamp(-0.24*c.change(), 0.6)) }
func (p *picture) contrast(c clause) { p.img = adjust.Contrast(p.img, clamp(0.3*c.change(), 0.6)) }
func (p *picture) saturate(c clause) { p.img = adjust.Saturation(p.img, clamp(0.45*c.change(), 0.9)) }

func clamp(v, limit float64) float64 { return min(limit, max(-limit, v)) }

func (p *picture) sepia(c clause) {
	p.img = blend.Opacity(p.img, effect.Sepia(p.img), min(1, 0.75+0.25*c.strength()))
	if !p.lite {
		p.darkenCorners(0.3)
	}
}

func (p *picture) warm(c clause) { p.shiftTemperature(c.change()) }
func (p *picture) cool(c clause) { p.shiftTemperature(-c.change()) }

// shiftTemperature shifts the colours towards amber, or towards blue when k is negative.
func (p *picture) shiftTemperature(k float64) {
	p.mapPixels(func(r, g, b, _, _ float64) (float64, float64, float64) {
		return r * (1 + 0.16*k), g * (1 + 0.02*k), b * (1 - 0.17*k)
	})
}

func (p *picture) tint(c clause) {
	tint := colourIn(loadedVocabulary().words["frame"].ReplaceAllString(c.text, ""))
	amount := min(0.85, 0.45*c.strength())
	p.mapPixels(func(r, g, b, _, _ float64) (float64, float64, float64) {
		l := 1.6 * luminance(r, g, b) / 255
		return lerp(r, float64(tint.R)*l, amount), lerp(g, float64(tint.G)*l, amount),
			lerp(b, float64(tint.B)*l, amount)
	})
}

func (p *picture) vignette(c clause) { p.darkenCorners(0.55 * c.strength()) }

func (p *picture) darkenCorners(k float64) {
	p.mapPixels(func(r, g, b, x, y float64) (float64, float64, float64) {
		distance := ((x-0.5)*(x-0.5) + (y-0.5)*(y-0.5)) * 2
		f := 1 - min(0.95, k)*smoothstep(0.12, 1, distance)
		return r * f, g * f, b * f
	})
}

func (p *picture) grain(c clause) {
	state, amount := uint32(p.seed)*2654435761|1, 0.16*c.strength() // state of a xorshift generator
	p.mapPixels(func(r, g, b, _, _ float64) (float64, float64, float64) {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		n := (float64(state)/(1<<32) - 0.5) * amount
		return r + n, g + n, b + n
	})
}

func (p *picture) blur(c clause) {
	passes := 3 // three box blurs are nearly a Gaussian
	if p.lite {
		passes = 1
	}
	p.img = boxBlur(p.img, p.scaled(5*c.strength(), 1), passes)
}

func (p *picture) sharpen(c clause) {
	if p.lite {
		p.img = effect.Sharpen(p.img)
		return
	}
	p.img = effect.UnsharpMask(p.img, 0.4*max(1, p.unit()), 1.2*c.strength())
}

func (p *picture) posterise(clause) { p.quantise(4) }

// quantise leaves as many levels of each colour channel.
func (p *picture) quantise(levels float64) {
	nearest := func(v float64) float64 { return math.Round(v*(levels-1)) / (levels - 1) }
	p.mapPixels(func(r, g, b, _, _ float64) (float64, float64, float64) { return nearest(r), nearest(g), nearest(b) })
}

func (p *picture) pixelate(c clause) {
	size, b := p.scaled(14*c.strength(), 2), p.img.Rect
	w, h := (b.Dx()+size-1)/size, (b.Dy()+size-1)/size
	blocks := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.BiLinear.Scale(blocks, blocks.Rect, p.img, b, draw.Src, nil)
	draw.NearestNeighbor.Scale(p.img, image.Rect(0, 0, w*size, h*size), blocks, blocks.Rect, draw.Src, nil)
}

// sketch makes a pencil drawing: the picture divided by its own blurred negative.
func (p *picture) sketch(clause) {
	if p.lite {
		p.paint("pencil")
		return
	}
	grey := effect.Grayscale(p.img)
	p.img = blend.ColorDodge(grey, boxBlur(effect.Invert(grey), p.scaled(5, 2), 2))
	p.mapPixels(func(v, _, _, _, _ float64) (float64, float64, float64) {
		v = math.Pow(v, 2.6)
		return lerp(0.17, 0.98, v), lerp(0.17, 0.97, v), lerp(0.20, 0.94, v)
	})
}

func (p *picture) cartoon(clause) {
	lines := edges(p.img)
	p.img = boxBlur(adjust.Saturation(p.img, 0.25), p.scaled(2, 1), 1)
	p.quantise(6)
	p.mapEdges(lines, func(r, g, b, edge float64) (float64, float64, float64) {
		f := 1 - 0.9*smoothstep(0.22, 0.5, edge)
		return r * f, g * f, b * f
	})
}

func (p *picture) neon(clause) {
	lines := edges(p.img)
	p.img = adjust.Saturation(p.img, 0.9)
	p.mapEdges(lines, func(r, g, b, edge float64) (float64, float64, float64) {
		e, brightest := smoothstep(0.06, 0.5, edge), max(r, g, b, 0.2)
		return r*0.18 + e*lerp(r/brightest, 1.0, 0.25), g*0.10 + e*g/brightest*0.9,
			b*0.30 + 0.04 + e*lerp(b/brightest, 1.0, 0.45)
	})
	p.img = blend.Add(p.img, adjust.Brightness(boxBlur(p.img, p.scaled(6, 2), 2), -0.25))
}
