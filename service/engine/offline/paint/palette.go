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

// palette is the light of a scene and the colours of its landscape, as palettes.txt explains them.
type palette struct {
	sky []rgb // from the zenith to the horizon

	sun, cloudLit, cloudShade, water, window, haze rgb
	ground, farHill, foliage, rock, ambient        rgb

	glare  float64
	isDark bool
}

// apply sets what palettes.txt says about a palette; variant, which may be any number, chooses the sky.
func (p *palette) apply(name string, variant int) {
	colors := map[string]*rgb{
		"sun": &p.sun, "cloudLit": &p.cloudLit, "cloudShade": &p.cloudShade, "water": &p.water, "ground": &p.ground,
		"farHill": &p.farHill, "foliage": &p.foliage, "rock": &p.rock, "window": &p.window, "haze": &p.haze,
	}
	var current string
	var skies [][]rgb
	for _, f := range dataLines("palettes.txt") {
		if f[0] == "palette" {
			current = f[1]
		}
		if current != name {
			continue
		}
		switch f[0] {
		case "palette":
		case "sky":
			var sky []rgb
			for _, c := range f[1:] {
				sky = append(sky, parseColor(c))
			}
			skies = append(skies, sky)
			p.sky = skies[variant%len(skies)]
		case "ambient":
			v := numbers(f[1:])
			p.ambient = rgb{float32(v[0]), float32(v[1]), float32(v[2])}
		case "glare":
			p.glare = number(f[1])
		default:
			if len(f) == 2 {
				*colors[f[0]] = parseColor(f[1])
			} else { // the haze as a mix of two colours of the sky
				v := numbers(f[1:])
				p.haze = p.sky[int(v[0])].mix(p.sky[int(v[1])], v[2])
			}
		}
	}
}

// readPalette returns the palette of a time of day or a style.
func readPalette(name string, variant int) palette {
	p := palette{isDark: name == "night" || name == "neon"}
	p.apply(name, variant)
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
	name := spec.time
	hasOwnLight := spec.style == "neon" || spec.style == "ink"
	if hasOwnLight {
		name = spec.style
	}
	p := readPalette(name, variant)
	if !hasOwnLight {
		p.apply(spec.season, 0)
		p.apply(spec.season+"-"+spec.time, 0)
		if spec.time == "day" && spec.weather["rain"] || spec.time != "night" && spec.weather["storm"] {
			p.apply("bad-weather", 0)
		}
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
