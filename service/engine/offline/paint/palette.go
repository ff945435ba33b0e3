package paint

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// palette is the light of a scene and the colours of its landscape. The palette of a time of day or a style in
// palettes.json is complete; that of a season or of bad weather replaces some of its fields.
type palette struct {
	Skies [][]rgb // gradients from the zenith to the horizon, of which one is chosen
	Sun   rgb     // the disc and the glow of the sun or the moon

	CloudLit, CloudShade rgb // clouds towards the light and away from it
	Water, Window        rgb // deep water; lit windows
	Haze                 rgb // what distance fades into; black stands for a mix of the colours of the sky

	Ground, FarHill, Foliage, Rock rgb // before the ambient light

	Ambient rgb     // multiplies the colour of objects
	Glare   float64 // the strength of the light around the sun

	sky    []rgb
	isDark bool
}

var palettes = sync.OnceValue(func() map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if err := json.Unmarshal(readData("palettes.json"), &out); err != nil {
		panic(err)
	}
	return out
})

// newPalette combines the named palettes, as far as there are such; variant, which may be any number, chooses the sky.
func newPalette(variant int, names ...string) palette {
	p := palette{isDark: slices.Contains([]string{"night", "neon"}, names[0])}
	for _, name := range names {
		if text, ok := palettes()[name]; ok {
			p.Skies = nil
			if err := json.Unmarshal(text, &p); err != nil {
				panic(fmt.Errorf("paint: palette %s: %w", name, err))
			}
		}
		if len(p.Skies) > 0 {
			p.sky = p.Skies[variant%len(p.Skies)]
		}
	}
	if p.Haze == (rgb{}) {
		p.Haze = p.sky[2].mix(p.sky[3], 0.45)
	}
	return p
}

// choosePalette returns the palette for spec.
func choosePalette(spec *sceneSpec, variant int) palette {
	names := []string{spec.time, spec.season, spec.season + "-" + spec.time}
	if spec.time == "day" && spec.weather["rain"] || spec.time != "night" && spec.weather["storm"] {
		names = append(names, "bad-weather")
	}
	if spec.style == "neon" || spec.style == "ink" {
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
	p.Haze = p.Haze.mix(c, 0.4)
	p.Water = p.Water.mix(c.scale(0.6), 0.4)
}

// named returns the colours by the names that figures.txt uses.
func (p *palette) named() map[string]rgb {
	return map[string]rgb{
		"sun": p.Sun, "sunlight": p.Sun.mul(p.Ambient), "haze": p.Haze, "cloudLit": p.CloudLit,
		"cloudShade": p.CloudShade, "water": p.Water, "window": p.Window, "ground": p.Ground, "farHill": p.FarHill,
		"foliage": p.Foliage, "rock": p.Rock, "zenith": p.sky[0], "white": {1, 1, 1},
	}
}

// shade returns the colour of an object in the ambient light, at a depth from 0 (near) to 1 (lost in the haze).
func (p *palette) shade(c rgb, depth float64) rgb { return c.mul(p.Ambient).mix(p.Haze, depth) }
