package themes

import (
	"image/color"
	"math"
	"slices"

	"github.com/lucasb-eyer/go-colorful"
)

// readable is the contrast that WCAG 2.2 asks for between a text and its background.
const readable = 4.5

// wellReadable is the contrast that it asks for where text shall be read by more people.
const wellReadable = 7

const black = 0.12 // the lightness below which steps of lightness cannot be seen

// derive sets the colors that older theme files do not know and this one leaves out. A theme of the terminal's own
// sixteen colors gets no backgrounds: what they are is not known.
func (p *Palette) derive(isSet map[string]bool) {
	focus, hasFocus := rgb(p.Focus)
	if hasFocus {
		p.deriveBackgrounds(isSet)
	}
	if hasFocus && !isSet["focus_text"] {
		p.FocusText = mostReadable(focus, p.base(), colorful.Color{}, colorful.Color{R: 1, G: 1, B: 1})
	}
	switch {
	case isSet["person"]:
	case hasFocus:
		p.Person = p.accentBeside(focus)
	default:
		p.Person = p.Focus
	}
	if !isSet["prompt"] {
		p.Prompt = p.promptTint()
	}
	if !isSet["models"] {
		p.Models = modelColors(p)
	}
}

// step returns how much lighter than the background that of dialogs is.
func (p *Palette) step() float64 {
	if p.Dark {
		return 0.025
	}
	return -0.018
}

// idle returns the background of a selected row without focus, which differs more than the surface from that of the
// theme; "" where there is no surface.
func (p *Palette) idle() string {
	surface, isKnown := rgb(p.Surface)
	if !isKnown {
		return p.Surface
	}
	return lighter(surface, 2.5*p.step())
}

func (p *Palette) deriveBackgrounds(isSet map[string]bool) {
	step := p.step()
	if !isSet["overlay"] {
		p.Overlay = lighter(p.base(), step)
	}
	if !isSet["surface"] {
		p.Surface = lighter(p.base(), 2*step)
	}
	if !isSet["removed"] {
		p.Removed = p.quietTint(p.Danger)
	}
	if !isSet["added"] {
		p.Added = p.quietTint(p.Success)
	}
}

// tint returns a background of the hue of a color, whose lightness is at a distance from that of the theme, or nearer
// to it where a text could not be read otherwise; "" where the colors are not known.
func (p *Palette) tint(name, text string, distance, contrast float64) string {
	const (
		chroma  = 0.56 // of the distance
		least   = 0.03 // distance that can be seen
		darkest = 0.19 // lightness from which colors begin to be seen
	)
	c, isKnown := rgb(name)
	over, hasText := rgb(text)
	if !isKnown || !hasText {
		return ""
	}
	_, _, hue := c.OkLch()
	for ; distance > least; distance -= 0.01 {
		l, _, _ := p.base().OkLch()
		if l = max(l, darkest) + distance; !p.Dark {
			l -= 2 * distance
		}
		if made := inGamut(l, chroma*distance, hue); isReadable(over, []colorful.Color{made}, contrast) {
			return made.Hex()
		}
	}
	return ""
}

// quietTint returns a tint for text of the theme.
func (p *Palette) quietTint(name string) string {
	distance := 0.11
	if !p.Dark {
		distance = 0.08
	}
	return p.tint(name, p.Text, distance, readable)
}

// promptTint returns the background of what the person wrote: as light as the surface, and of the person's hue.
func (p *Palette) promptTint() string {
	chroma := 0.022
	if !p.Dark {
		chroma = 0.012
	}
	person, isKnown := rgb(p.Person)
	surface, hasSurface := rgb(p.Surface)
	if !isKnown || !hasSurface {
		return p.Surface
	}
	l, _, _ := surface.OkLch()
	_, _, hue := person.OkLch()
	return inGamut(l, chroma, hue).Hex()
}

// strongTint returns a tint of the hue of a quiet one for [Palette.strongText]; "" where none differs enough from it.
func (p *Palette) strongTint(quiet string) string {
	const fromQuiet = 0.1
	distance := 0.25
	if !p.Dark {
		distance = 0.2
	}
	strong := p.tint(quiet, p.strongText(), distance, wellReadable)
	a, isKnown := rgb(quiet)
	b, hasStrong := rgb(strong)
	if !isKnown || !hasStrong || newLabColor(a).distance(newLabColor(b)) < fromQuiet {
		return ""
	}
	return strong
}

// strongText returns the text that can be read best on dark or on light backgrounds.
func (p *Palette) strongText() string {
	if p.Dark {
		return "#ffffff"
	}
	return "#000000"
}

// BackgroundColor returns the background of the theme, or a usual one of its brightness where it is the terminal's.
func (p *Palette) BackgroundColor() color.RGBA {
	r, g, b := p.base().Clamped().RGB255()
	return color.RGBA{r, g, b, 255}
}

// base is [Palette.BackgroundColor] in exact numbers.
func (p *Palette) base() colorful.Color {
	if c, ok := rgb(p.Background); ok {
		return c
	}
	if p.Dark {
		return colorful.Color{R: 0.09, G: 0.09, B: 0.11}
	}
	return colorful.Color{R: 0.98, G: 0.98, B: 0.97}
}

func (p *Palette) backgrounds() []colorful.Color {
	all := []colorful.Color{p.base()}
	for _, name := range []string{p.Surface, p.Overlay} {
		if c, ok := rgb(name); ok {
			all = append(all, c)
		}
	}
	return all
}

// accentBeside returns a color as light as c and of another hue, moved away from the backgrounds until it can be read.
func (p *Palette) accentBeside(c colorful.Color) string {
	l, chroma, hue := c.OkLch()
	toward := 0.01
	if !p.Dark {
		toward = -0.01
	}
	for ; l > 0 && l < 1; l += toward {
		if c := inGamut(l, max(chroma, 0.08), math.Mod(hue+250, 360)); isReadable(c, p.backgrounds(), readable) {
			return c.Hex()
		}
	}
	return p.Focus
}

// sixteenColors returns those of the terminal's own colors that can be read on a background of the brightness of the
// palette, but for red, the color of errors, and that of the focus.
func sixteenColors(p *Palette) (colors [ModelColors]string) {
	readable := []string{"2", "13", "6", "11", "12", "3", "10", "5", "14"}
	if !p.Dark {
		readable = []string{"8", "5", "0", "4"}
	}
	if p.Focus == "" {
		return colors // nor do the other parts of the screen have any
	}
	readable = slices.DeleteFunc(readable, func(name string) bool { return name == p.Focus })
	copy(colors[:], readable)
	return colors
}

// IsSixteen tells whether all colors are the terminal's own sixteen.
func (p Palette) IsSixteen() bool {
	return !slices.ContainsFunc(p.roles(), func(r role) bool { return !isSixteen(*r.value) }) &&
		!slices.ContainsFunc(p.Models[:], func(name string) bool { return !isSixteen(name) })
}

// isSixteen tells whether a color is one of the terminal's own, which may be any.
func isSixteen(name string) bool {
	return len(name) < 2 || len(name) == 2 && name <= "15" || name == Dim
}

// rgb returns what a color of a palette looks like, where that is known.
func rgb(name string) (c colorful.Color, ok bool) {
	if isSixteen(name) || !isColor(name) {
		return c, false
	}
	return colorful.MakeColor(terminalColor(name))
}

func lighter(c colorful.Color, by float64) string {
	l, chroma, hue := c.OkLch()
	return inGamut(min(max(l, black)+by, 1), chroma, hue).Hex()
}

// inGamut returns the color with as much of its chroma as a screen can show.
func inGamut(l, chroma, hue float64) colorful.Color {
	c := colorful.OkLch(l, chroma, hue)
	for ; !c.IsValid() && chroma > 0; chroma -= 0.005 {
		c = colorful.OkLch(l, chroma, hue)
	}
	return c.Clamped()
}

// mostReadable returns the first of the colors that can be read on a background, and the best when none can.
func mostReadable(on colorful.Color, colors ...colorful.Color) string {
	best := colors[0]
	for _, c := range colors {
		if Contrast(c, on) >= readable {
			return c.Hex()
		}
		if Contrast(c, on) > Contrast(best, on) {
			best = c
		}
	}
	return best.Hex()
}

func isReadable(c colorful.Color, backgrounds []colorful.Color, contrast float64) bool {
	for _, b := range backgrounds {
		if Contrast(c, b) < contrast+0.05 { // what rounding to eight bits may cost
			return false
		}
	}
	return true
}

// Contrast returns the contrast of two colors as WCAG 2.2 defines it, from 1 to 21.
func Contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.Color) float64 {
	made, _ := colorful.MakeColor(c)
	r, g, b := made.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}
