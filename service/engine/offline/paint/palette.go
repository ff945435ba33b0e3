package paint

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

//go:embed data
var data embed.FS

// readData returns an embedded file. It panics when there is none, which only a faulty build can cause.
func readData(name string) []byte {
	text, err := data.ReadFile("data/" + name)
	if err != nil {
		panic(err)
	}
	return text
}

// dataLines returns the lines of an embedded text file as fields, without empty lines and comments ("# …"). A line
// that starts with "+" continues the line before.
func dataLines(name string) [][]string {
	var out [][]string
	for line := range strings.Lines(string(readData(name))) {
		switch f := strings.Fields(line); {
		case len(f) == 0 || f[0] == "#":
		case f[0] == "+":
			out[len(out)-1] = append(out[len(out)-1], f[1:]...)
		default:
			out = append(out, f)
		}
	}
	return out
}

// number reads a number of the embedded data.
func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic("paint: embedded data: " + err.Error()) // the tests draw every figure and every scene
	}
	return v
}

func numbers(list []string) []float64 {
	out := make([]float64, len(list))
	for i, s := range list {
		out[i] = number(s)
	}
	return out
}

// light is the light of a time of day, a style, a season or a weather, as scenes.toml explains it.
type light struct {
	Colors string
	Skies  []string
	Glare  float64
}

// palette is the light of a scene and the colours of its landscape, by the names that figures.txt uses.
type palette struct {
	colors map[string]rgb
	sky    []rgb   // from the zenith to the horizon
	glare  float64 // the strength of the light around the sun
	isDark bool
}

// newPalette combines the named lights, as far as there are such; variant, which may be any number, chooses the sky.
func newPalette(variant int, names ...string) palette {
	p := palette{colors: map[string]rgb{"white": {1, 1, 1}}, isDark: names[0] == "night" || names[0] == "neon"}
	for _, name := range names {
		l := scenes().Palettes[name]
		p.glare = cmp.Or(l.Glare, p.glare)
		maps.Copy(p.colors, parseNamedColors(strings.Fields(l.Colors)))
		if len(l.Skies) > 0 {
			p.sky = parseColors(l.Skies[variant%len(l.Skies)])
		}
	}
	if _, ok := p.colors["haze"]; !ok {
		p.colors["haze"] = p.sky[2].mix(p.sky[3], 0.45)
	}
	p.colors["sunlight"], p.colors["zenith"] = p.colors["sun"].mul(p.colors["ambient"]), p.sky[0]
	return p
}

// choosePalette returns the palette for spec.
func choosePalette(spec *sceneSpec, variant int) palette {
	names := []string{spec.time, spec.season, spec.season + "-" + spec.time}
	if spec.has("rain") && spec.has("day") || spec.has("storm") && !spec.has("night") {
		names = append(names, "bad-weather")
	}
	if spec.has("neon", "ink") {
		names = []string{spec.style}
	}
	p := newPalette(variant, names...)
	if len(spec.colors) > 0 && len(spec.objects) == 0 {
		p.tint(spec.colors[0])
	}
	return p
}

// tint turns the sky, the haze and the water towards c.
func (p *palette) tint(c rgb) {
	for i, s := range p.sky {
		p.sky[i] = s.mix(c.scale((s.luma()+0.15)/(c.luma()+0.15)), 0.55)
	}
	p.colors["zenith"] = p.sky[0]
	p.colors["haze"] = p.colors["haze"].mix(c, 0.4)
	p.colors["water"] = p.colors["water"].mix(c.scale(0.6), 0.4)
}

// shade returns the colour of an object in the ambient light, at a depth from 0 (near) to 1 (lost in the haze).
func (p *palette) shade(c rgb, depth float64) rgb {
	return c.mul(p.colors["ambient"]).mix(p.colors["haze"], depth)
}

// rgb is a colour in sRGB with components from 0 to 1. Lights may exceed 1 until the picture is encoded.
type rgb struct{ r, g, b float32 }

// parseColor reads a colour of the embedded data, written as #RRGGBB.
func parseColor(s string) rgb {
	v, err := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 24)
	if err != nil || len(s) != 7 {
		panic(fmt.Sprintf("paint: embedded data: %q is no colour", s)) // the tests draw every figure and every scene
	}
	return rgb{float32(v>>16) / 255, float32(v>>8&255) / 255, float32(v&255) / 255}
}

// parseColors reads colours that are separated by spaces.
func parseColors(s string) []rgb {
	var out []rgb
	for c := range strings.FieldsSeq(s) {
		out = append(out, parseColor(c))
	}
	return out
}

// parseNamedColors reads pairs of a name and a colour.
func parseNamedColors(f []string) map[string]rgb {
	out := map[string]rgb{}
	for i := 0; i < len(f); i += 2 {
		out[f[i]] = parseColor(f[i+1])
	}
	return out
}

func (c rgb) mix(d rgb, t float64) rgb {
	c.blend(d, float32(clamp(t)))
	return c
}

// blend mixes v over c.
func (c *rgb) blend(v rgb, alpha float32) {
	c.r += (v.r - c.r) * alpha
	c.g += (v.g - c.g) * alpha
	c.b += (v.b - c.b) * alpha
}

// add adds light of the colour v to c.
func (c *rgb) add(v rgb, strength float32) {
	c.r += v.r * strength
	c.g += v.g * strength
	c.b += v.b * strength
}

func (c rgb) mul(d rgb) rgb { return rgb{c.r * d.r, c.g * d.g, c.b * d.b} }

func (c rgb) scale(k float64) rgb { return rgb{c.r * float32(k), c.g * float32(k), c.b * float32(k)} }

func (c rgb) luma() float64 { return float64(0.299*c.r + 0.587*c.g + 0.114*c.b) }

// bytes returns the components from 0 to 255, rounded down after rounding, from 0 to 1, was added.
func (c rgb) bytes(rounding float32) [3]uint8 {
	level := func(v float32) uint8 { return uint8(min(255, max(0, v*255+rounding))) }
	return [3]uint8{level(c.r), level(c.g), level(c.b)}
}

func clamp(t float64) float64 { return min(1, max(0, t)) }

// smoothstep rises smoothly from 0 at a to 1 at b.
func smoothstep(a, b, x float64) float64 {
	t := clamp((x - a) / (b - a))
	return t * t * (3 - 2*t)
}

func lerp(a, b, t float64) float64 { return a + (b-a)*t }

// ramp mixes evenly spaced stops into n colours.
func ramp(stops []rgb, n int) []rgb {
	out := make([]rgb, n)
	for i := range out {
		position := float64(i) / float64(max(1, n-1)) * float64(len(stops)-1)
		k := min(int(position), len(stops)-2)
		out[i] = stops[k].mix(stops[k+1], position-float64(k))
	}
	return out
}
