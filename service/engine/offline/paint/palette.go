package paint

import (
	"embed"
	"strconv"
	"strings"
)

//go:embed data/*.txt
var data embed.FS

// dataLines returns the lines of an embedded text file as fields, without empty lines and comments ("# …"). A line
// that starts with "+" continues the line before.
func dataLines(name string) [][]string {
	text, err := data.ReadFile("data/" + name)
	if err != nil {
		return nil
	}
	var out [][]string
	for line := range strings.Lines(string(text)) {
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

// palette is the light of a scene and the colours of its landscape.
type palette struct {
	sky        []rgb // from the zenith to the horizon
	haze       rgb   // the colour that distance fades into
	sun        rgb   // the disc and the glow of the sun or the moon
	cloudLit   rgb
	cloudShade rgb
	water      rgb // deep water
	ground     rgb // the near ground, before the ambient light
	farHill    rgb // distant hills, before the haze
	foliage    rgb // before the ambient light
	rock       rgb
	window     rgb     // lit windows
	ambient    rgb     // multiplies the colour of objects
	glare      float64 // strength of the light around the sun
	isDark     bool
}

// readPalette returns the palette of a time of day or a style; variant, which may be any number, chooses the sky.
func readPalette(name string, variant int) palette {
	p := palette{isDark: name == "night" || name == "neon"}
	var skies [][]rgb
	for _, f := range dataLines("palettes.txt") {
		switch {
		case f[0] == name && len(f) == 14:
			colors := []*rgb{
				&p.sun, &p.cloudLit, &p.cloudShade, &p.water, &p.ground, &p.farHill, &p.foliage, &p.rock, &p.window,
			}
			for i, c := range colors {
				*c = parseColor(f[i+1])
			}
			p.ambient = rgb{float32(number(f[10])), float32(number(f[11])), float32(number(f[12]))}
			p.glare = number(f[13])
		case f[0] == "sky" && f[1] == name:
			sky := make([]rgb, len(f)-2)
			for i := range sky {
				sky[i] = parseColor(f[i+2])
			}
			skies = append(skies, sky)
		}
	}
	p.sky = skies[variant%len(skies)]
	switch name {
	case "dusk":
		p.haze = p.sky[3].mix(p.sky[2], 0.45)
	case "dawn":
		p.haze = p.sky[2].mix(p.sky[3], 0.5)
	case "neon":
		p.haze = hex(0xb03a9a)
	case "ink":
		p.haze = hex(0xf4f1ea)
	default:
		p.haze = p.sky[2].mix(p.sky[3], 0.4)
	}
	return p
}

// number reads a number of the embedded data.
func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic("paint: embedded data: " + err.Error()) // every line is read by the tests
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

// parseColor reads a colour written as RRGGBB or #RRGGBB.
func parseColor(s string) rgb {
	v, err := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 32)
	if err != nil {
		panic("paint: embedded data: " + err.Error()) // every line is read by the tests
	}
	return hex(uint32(v))
}

// hexColors converts colours written as 0xRRGGBB.
func hexColors(v ...uint32) []rgb {
	out := make([]rgb, len(v))
	for i, h := range v {
		out[i] = hex(h)
	}
	return out
}

// choosePalette returns the palette for spec; variant, which may be any number, chooses between the fitting skies.
func choosePalette(spec *sceneSpec, variant int) palette {
	p := readPalette(spec.time, variant)
	switch spec.season {
	case "winter":
		p.ground, p.foliage, p.farHill = hex(0xe6edf3), hex(0x4d6a68), hex(0x9fb4c8)
		if spec.time == "day" {
			p.sky, p.haze = hexColors(0x6f9cc4, 0xa9c9e0, 0xdbe8f0, 0xf6f1ea), hex(0xe4ecf2)
		}
	case "autumn":
		p.foliage, p.ground, p.farHill = hex(0xcf6b2a), hex(0xa98443), hex(0x8c7b78)
		if spec.time == "day" {
			p.sky, p.haze = hexColors(0x5f9cc0, 0x9fc4cc, 0xe3dcb8, 0xf6d39a), hex(0xf0d9b0)
		}
	case "spring":
		p.foliage, p.ground = hex(0x86b65a), hex(0x8fbf62)
	case "summer":
		p.foliage, p.ground = hex(0x4f8f45), hex(0xa8b04e)
	}
	if spec.time == "day" && spec.weather["rain"] || spec.time != "night" && spec.weather["storm"] {
		p.sky = hexColors(0x2a3440, 0x46545f, 0x6f838b, 0xa7b4b3)
		p.haze, p.cloudLit, p.cloudShade = hex(0x8a999e), hex(0x8b979c), hex(0x3a444d)
		p.ambient, p.glare, p.water = rgb{0.62, 0.68, 0.72}, 0.15, hex(0x2c434c)
	}
	if spec.style == "neon" || spec.style == "ink" {
		p = readPalette(spec.style, variant)
	}
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
	p.haze = p.haze.mix(c, 0.4)
	p.water = p.water.mix(c.scale(0.6), 0.4)
}

// shade returns the colour of an object in the ambient light, at a depth from 0 (near) to 1 (lost in the haze).
func (p *palette) shade(c rgb, depth float64) rgb { return c.mul(p.ambient).mix(p.haze, depth) }
