package paint

import "math"

// rgb is a colour in sRGB with components from 0 to 1. Lights may exceed 1 until the picture is encoded.
type rgb struct{ r, g, b float32 }

func hex(v uint32) rgb {
	return rgb{float32(v>>16&255) / 255, float32(v>>8&255) / 255, float32(v&255) / 255}
}

func (c rgb) mix(d rgb, t float64) rgb {
	k := float32(clamp(t))
	return rgb{c.r + (d.r-c.r)*k, c.g + (d.g-c.g)*k, c.b + (d.b-c.b)*k}
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

func (c rgb) luma() float64 {
	return 0.299*float64(c.r) + 0.587*float64(c.g) + 0.114*float64(c.b)
}

// brightness is a faster luma.
func (c rgb) brightness() float32 { return 0.3*c.r + 0.59*c.g + 0.11*c.b }

// saturate multiplies the saturation of c by k.
func (c rgb) saturate(k float64) rgb {
	l := float32(c.luma())
	f := float32(k)
	return rgb{l + (c.r-l)*f, l + (c.g-l)*f, l + (c.b-l)*f}
}

// bytes returns the components from 0 to 255. A rounding of 0.5 makes them the nearest values.
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

// oklab converts c to the Oklab colour space, in which a gradient stays clean where it would turn muddy in sRGB.
func (c rgb) oklab() [3]float64 {
	lin := func(v float32) float64 {
		x := clamp(float64(v))
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b := lin(c.r), lin(c.g), lin(c.b)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return [3]float64{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func fromOklab(v [3]float64) rgb {
	l := v[0] + 0.3963377774*v[1] + 0.2158037573*v[2]
	m := v[0] - 0.1055613458*v[1] - 0.0638541728*v[2]
	s := v[0] - 0.0894841775*v[1] - 1.2914855480*v[2]
	l, m, s = l*l*l, m*m*m, s*s*s
	gamma := func(x float64) float32 {
		x = clamp(x)
		if x <= 0.0031308 {
			return float32(12.92 * x)
		}
		return float32(1.055*math.Pow(x, 1/2.4) - 0.055)
	}
	return rgb{
		gamma(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		gamma(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		gamma(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
	}
}

// ramp mixes evenly spaced stops into n colours.
func ramp(stops []rgb, n int) []rgb {
	labs := make([][3]float64, len(stops))
	for i, s := range stops {
		labs[i] = s.oklab()
	}
	out := make([]rgb, n)
	for i := range out {
		at := float64(i) / float64(max(1, n-1)) * float64(len(stops)-1)
		k := min(int(at), len(stops)-2)
		t := at - float64(k)
		var v [3]float64
		for j := range v {
			v[j] = lerp(labs[k][j], labs[k+1][j], t)
		}
		out[i] = fromOklab(v)
	}
	return out
}
