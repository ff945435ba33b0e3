package paint

// palette is the light of a scene.
type palette struct {
	sky     []rgb // from the zenith to the horizon
	sun     rgb   // disc and glow
	ambient rgb   // multiplies the colour of things
	haze    rgb   // what distance fades into
	lit     rgb   // lit side of clouds
	shade   rgb   // their shaded side
	water   rgb   // deep water
	ground  rgb   // near ground, before ambient
	far     rgb   // distant hills, before haze
	leaf    rgb   // foliage, before ambient
	rock    rgb
	window  rgb // lit windows
	dark    bool
	glare   float64 // strength of the light around the sun
}

// stops reads the colours of a sky.
func stops(v ...uint32) []rgb {
	out := make([]rgb, len(v))
	for i, h := range v {
		out[i] = hex(h)
	}
	return out
}

// light chooses a palette for the brief; variant (any number) chooses between
// those that fit.
func light(b *brief, variant int) palette {
	p := daytime(b.time, variant)
	switch b.season {
	case "winter":
		p.ground, p.leaf, p.far = hex(0xe6edf3), hex(0x4d6a68), hex(0x9fb4c8)
		if b.time == "day" {
			p.sky = stops(0x6f9cc4, 0xa9c9e0, 0xdbe8f0, 0xf6f1ea)
			p.haze = hex(0xe4ecf2)
		}
	case "autumn":
		p.leaf, p.ground, p.far = hex(0xcf6b2a), hex(0xa98443), hex(0x8c7b78)
		if b.time == "day" {
			p.sky = stops(0x5f9cc0, 0x9fc4cc, 0xe3dcb8, 0xf6d39a)
			p.haze = hex(0xf0d9b0)
		}
	case "spring":
		p.leaf, p.ground = hex(0x86b65a), hex(0x8fbf62)
	case "summer":
		p.leaf, p.ground = hex(0x4f8f45), hex(0xa8b04e)
	}
	if b.time == "day" && b.weather["rain"] || b.time != "night" && b.weather["storm"] {
		p.sky = stops(0x2a3440, 0x46545f, 0x6f838b, 0xa7b4b3)
		p.haze, p.lit, p.shade = hex(0x8a999e), hex(0x8b979c), hex(0x3a444d)
		p.ambient, p.glare, p.water = rgb{0.62, 0.68, 0.72}, 0.15, hex(0x2c434c)
	}
	if b.style == "neon" {
		p = neon(variant)
	}
	if b.style == "ink" {
		p = palette{
			sky: stops(0xd9d6d0, 0xeeebe4, 0xf6f3ec), sun: hex(0xffffff), ambient: rgb{0.55, 0.55, 0.57}, haze: hex(0xf4f1ea), lit: hex(0xf8f6f0), shade: hex(0xcfccc6),
			water: hex(0xc9c8c6), ground: hex(0x77756f), far: hex(0x6a6a6c), leaf: hex(0x3c3d3c), rock: hex(0x5a5a5c), window: hex(0xf4f1ea), glare: 0.1,
		}
	}
	if len(b.colours) > 0 && len(b.things) == 0 {
		tintSky(&p, b.colours[0])
	}
	return p
}

// tintSky turns the light towards a colour that the prompt asked for.
func tintSky(p *palette, c rgb) {
	for i := range p.sky {
		l := p.sky[i].luma()
		p.sky[i] = p.sky[i].mix(c.scale((l+0.15)/(c.luma()+0.15)), 0.55)
	}
	p.haze = p.haze.mix(c, 0.4)
	p.water = p.water.mix(c.scale(0.6), 0.4)
}

func daytime(time string, variant int) palette {
	pick := func(skies ...[]rgb) []rgb { return skies[variant%len(skies)] }
	switch time {
	case "dusk":
		p := palette{
			sky: pick(stops(0x232a58, 0x5b4a86, 0xc4627c, 0xf29a68, 0xffd79a), stops(0x1d3a5f, 0x54698c, 0xb98a8c, 0xf3a878, 0xffe0a6), stops(0x35184f, 0x7e2c69, 0xd8505f, 0xff8f55, 0xffd07a)),
			sun: hex(0xffdc94), ambient: rgb{0.70, 0.56, 0.62}, lit: hex(0xffb98a), shade: hex(0x6d4a78),
			water: hex(0x2b3560), ground: hex(0x5f6a45), far: hex(0x6a5580), leaf: hex(0x4f6b48), rock: hex(0x6b5a66), window: hex(0xffd27a), glare: 0.75,
		}
		p.haze = p.sky[3].mix(p.sky[2], 0.45)
		return p
	case "dawn":
		p := palette{
			sky: pick(stops(0x5478b4, 0x9db4d8, 0xe9c9cf, 0xfde0c2, 0xfff1d6), stops(0x4a6b9d, 0xb7a9cc, 0xf2bfb4, 0xffdfb8, 0xfff0d2), stops(0x3e7c8f, 0x8fbfc0, 0xe6dcc2, 0xffd9b0, 0xfff0cf)),
			sun: hex(0xfff0c4), ambient: rgb{0.92, 0.84, 0.84}, lit: hex(0xfff0e0), shade: hex(0xb79ab4),
			water: hex(0x4f7590), ground: hex(0x7d9460), far: hex(0x8b9ab8), leaf: hex(0x5e8557), rock: hex(0x8d8389), window: hex(0xffe0a0), glare: 0.6,
		}
		p.haze = p.sky[2].mix(p.sky[3], 0.5)
		return p
	case "night":
		p := palette{
			sky: pick(stops(0x050a1e, 0x0e1a42, 0x1f3468, 0x47608f), stops(0x0a0d26, 0x1d1d52, 0x3b3979, 0x77669a), stops(0x04131d, 0x0a2a3f, 0x1c4d5e, 0x4f8487)),
			sun: hex(0xf4efd8), ambient: rgb{0.32, 0.38, 0.56}, lit: hex(0x6f7fae), shade: hex(0x1a2350),
			water: hex(0x0b1a38), ground: hex(0x5f7a55), far: hex(0x5d6c9c), leaf: hex(0x4a6e55), rock: hex(0x6a6f80), window: hex(0xffd98a), dark: true, glare: 0.5,
		}
		p.haze = p.sky[2].mix(p.sky[3], 0.4)
		return p
	}
	p := palette{
		sky: pick(stops(0x2a72bd, 0x5fa5da, 0xa9d4ec, 0xe6f3f3), stops(0x3b8ac9, 0x86c3e4, 0xcfe8ea, 0xfbf1d8), stops(0x2f6f9f, 0x71aec4, 0xbcdcd8, 0xf3efdc)),
		sun: hex(0xfff6d8), ambient: rgb{1, 0.99, 0.96}, lit: hex(0xffffff), shade: hex(0xb9cadb),
		water: hex(0x1f6f9c), ground: hex(0x86ad55), far: hex(0x7b9ab5), leaf: hex(0x4e8a4a), rock: hex(0x8c8683), window: hex(0x46607a), glare: 0.4,
	}
	p.haze = p.sky[2].mix(p.sky[3], 0.4)
	return p
}

func neon(variant int) palette {
	skies := [][]rgb{stops(0x0a0620, 0x2a0b52, 0x7d1d84, 0xf0458f, 0xffa36b), stops(0x05081f, 0x0d2352, 0x3a2a8f, 0xb32fb5, 0xff5f9e)}
	return palette{
		sky: skies[variant%2], sun: hex(0xffc46b), ambient: rgb{0.42, 0.30, 0.62}, haze: hex(0xb03a9a),
		lit: hex(0xff7fb8), shade: hex(0x3a1668), water: hex(0x140a38), ground: hex(0x3b2a70), far: hex(0x5a2f95),
		leaf: hex(0x2f6f8f), rock: hex(0x5b3f8c), window: hex(0x5ff2ff), dark: true, glare: 0.8,
	}
}

// tone is the colour of a thing at a depth: 0 is near, 1 is lost in the haze.
func (p *palette) tone(c rgb, depth float64) rgb {
	return c.times(p.ambient).mix(p.haze, depth)
}
