package themes

import (
	"crypto/sha1"
	"encoding/binary"
	"math"
	"slices"

	"charm.land/lipgloss/v2"
)

// ModelStyle returns the style of a model: the same one everywhere, but for [Styles.ModelStyles]. It has a foreground
// only, which can be read on the background, [Styles.Surface] and [Styles.Overlay]. Colours repeat, so something else
// has to tell models apart as well.
func (s *Styles) ModelStyle(slug string) Style {
	return s.ModelStyles([]string{slug})[0]
}

// ModelStyles returns the styles of models that are seen together, as those of a turn, one for each slug. Models whose
// colours are the same get others: as many models as there are colours, next to each other, have different ones. It
// depends on the slugs only, and where there are more models than colours on their order.
func (s *Styles) ModelStyles(slugs []string) []Style {
	out := make([]Style, len(slugs))
	if s.models == nil {
		return out
	}
	styles := s.models()
	if len(styles) == 0 {
		return out
	}
	assigned := assignColours(slugs, styles)
	for i, slug := range slugs {
		out[i] = styles[assigned[slug]].Style
	}
	return out
}

// assignColours returns the colours of models, which are in the order in which they are seen.
func assignColours(slugs []string, styles []modelStyle) map[string]int {
	if different := slices.Compact(slices.Sorted(slices.Values(slugs))); len(different) <= len(styles) {
		slugs = different
	}
	assigned := make(map[string]int, len(slugs))
	var order []int // the colours of different models
	for _, slug := range slugs {
		if _, isKnown := assigned[slug]; isKnown {
			continue
		}
		taken := order[max(len(order)-len(styles)+1, 0):]
		at := freeColour(styles, modelColour(slug, len(styles)), taken)
		assigned[slug], order = at, append(order, at)
	}
	return assigned
}

// modelColour returns the colour of a model among n.
func modelColour(slug string, n int) int {
	sum := sha1.Sum([]byte(slug)) // which spreads names that differ in a digit better than shorter hashes
	return int(binary.BigEndian.Uint32(sum[:]) % uint32(n))
}

// modelStyle is a style of models. The colour is that of the style where it is known: the terminal's own are not.
type modelStyle struct {
	Style
	colour  labColour
	isKnown bool
}

// freeColour returns the wanted colour where it is not taken, otherwise the one that is farthest from those that are.
func freeColour(styles []modelStyle, wanted int, taken []int) int {
	best, most := wanted, -1.0
	for i := range styles {
		at := (wanted + i) % len(styles)
		nearest := math.Inf(1)
		for _, t := range taken {
			switch {
			case t == at:
				nearest = 0
			case styles[t].isKnown && styles[at].isKnown:
				nearest = min(nearest, styles[t].colour.distance(styles[at].colour))
			}
		}
		if i == 0 && nearest > 0 {
			return at
		}
		if nearest > most {
			best, most = at, nearest
		}
	}
	return best
}

func (p Palette) modelStyles() []modelStyle {
	var out []modelStyle
	for _, name := range p.Models {
		if name == "" {
			continue
		}
		st := modelStyle{Style: NewStyle(withForeground(lipgloss.NewStyle(), name))}
		if c, ok := rgb(name); ok {
			st.colour, st.isKnown = newLabColour(c), true
		}
		out = append(out, st)
	}
	return out
}
