package themes

import (
	"cmp"
	"math"
	"slices"

	"github.com/lucasb-eyer/go-colorful"
)

type labColor struct {
	colorful.Color
	l, a, b float64
}

func newLabColor(c colorful.Color) labColor {
	l, a, b := c.OkLab()
	return labColor{c, l, a, b}
}

func (c labColor) distance(o labColor) float64 {
	return math.Sqrt((c.l-o.l)*(c.l-o.l) + (c.a-o.a)*(c.a-o.a) + (c.b-o.b)*(c.b-o.b))
}

// nearest returns the distance from the nearest of colors.
func (c labColor) nearest(colors []labColor) float64 {
	nearest := math.Inf(1)
	for _, other := range colors {
		nearest = min(nearest, c.distance(other))
	}
	return nearest
}

// modelColors returns twelve colors that can be read on the backgrounds of the palette, by their hues. They differ
// from each other as much as such colors can, in lightness too: dark colors of one lightness look alike. None has
// the hue of the focus.
func modelColors(p *Palette) (colors [ModelColors]string) {
	focus, ok := rgb(p.Focus)
	if !ok {
		return sixteenColors(p)
	}
	candidates := p.modelCandidates(focus)
	if len(candidates) < ModelColors {
		return colors
	}
	chosen := mostDifferent(candidates, newLabColor(focus))
	_, _, first := focus.OkLch()
	fromFocus := func(c labColor) float64 {
		_, _, hue := c.OkLch()
		return math.Mod(hue-first+360, 360)
	}
	slices.SortFunc(chosen, func(a, b labColor) int { return cmp.Compare(fromFocus(a), fromFocus(b)) })
	for i := range colors {
		colors[i] = chosen[i].Hex()
	}
	return colors
}

// modelCandidates returns the colors that models may have, each as colorful as a screen can show it, but not garish,
// and not to be taken for text, dark ones would look black, light ones white, for an error or for the person.
func (p *Palette) modelCandidates(focus colorful.Color) (all []labColor) {
	const (
		leastChroma          = 0.08
		fromFocus            = 24 // degrees of hue
		fromText, fromOthers = 0.12, 0.10
	)
	darkest, mostChroma := 0.29, 0.145
	if !p.Dark {
		darkest, mostChroma = 0.40, 0.19
	}
	text, hasText := rgb(p.Text)
	_, _, first := focus.OkLch()
	var others []labColor
	for _, name := range []string{p.Danger, p.Person} {
		if c, isKnown := rgb(name); isKnown {
			others = append(others, newLabColor(c))
		}
	}
	backgrounds := p.backgrounds()
	for hue := fromFocus; hue <= 360-fromFocus; hue += 4 {
		for l := darkest; l < 0.83; l += 0.02 {
			c := inGamut(l, mostChroma, math.Mod(first+float64(hue), 360))
			if _, chroma, _ := c.OkLch(); chroma < leastChroma || !isReadable(c, backgrounds, readable) {
				continue
			}
			lab := newLabColor(c)
			if (!hasText || lab.distance(newLabColor(text)) >= fromText) && lab.nearest(others) >= fromOthers {
				all = append(all, lab)
			}
		}
	}
	return all
}

// mostDifferent chooses colors whose least distance from each other and from another color is large: each as far as
// possible from those before it, and then several times each anew as far as possible from all others.
func mostDifferent(candidates []labColor, other labColor) []labColor {
	const rounds = 6
	chosen := []labColor{other}
	for len(chosen) <= ModelColors {
		chosen = append(chosen, farthest(candidates, chosen, -1))
	}
	for range rounds {
		for i := 1; i < len(chosen); i++ {
			chosen[i] = farthest(candidates, chosen, i)
		}
	}
	return chosen[1:]
}

// farthest returns the candidate that is farthest from the colors, of which one is left out.
func farthest(candidates, from []labColor, without int) (best labColor) {
	most := -1.0
	for _, c := range candidates {
		nearest := c.nearest(from[:max(without, 0)])
		if nearest = min(nearest, c.nearest(from[without+1:])); nearest > most {
			best, most = c, nearest
		}
	}
	return best
}
