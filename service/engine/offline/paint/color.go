package paint

import (
	"fmt"
	"strconv"
	"strings"
)

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
