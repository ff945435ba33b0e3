package themes

import (
	"crypto/sha1"
	"encoding/binary"

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
// depends on the slugs and their order only.
func (s *Styles) ModelStyles(slugs []string) []Style {
	out := make([]Style, len(slugs))
	if s.models == nil {
		return out
	}
	styles := s.models()
	if len(styles) == 0 {
		return out
	}
	assigned := make(map[string]int, len(slugs))
	var order []int // the colours of different models
	for i, slug := range slugs {
		at, isKnown := assigned[slug]
		if !isKnown {
			at = moveApart(modelColour(slug, len(styles)), order[max(len(order)-len(styles)+1, 0):], len(styles))
			assigned[slug], order = at, append(order, at)
		}
		out[i] = styles[at]
	}
	return out
}

// modelColour returns the colour of a model among n.
func modelColour(slug string, n int) int {
	sum := sha1.Sum([]byte(slug)) // which spreads names that differ in a digit better than shorter hashes
	return int(binary.BigEndian.Uint32(sum[:]) % uint32(n))
}

// moveApart returns a colour of n that is not taken: the wanted one, or the one that is farthest on the circle from
// those that are.
func moveApart(wanted int, taken []int, n int) int {
	best, most := wanted, -1
	for i := range n {
		at := (wanted + i) % n
		nearest := n
		for _, t := range taken {
			nearest = min(nearest, (at-t+n)%n, (t-at+n)%n)
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

func (p Palette) modelStyles() []Style {
	var out []Style
	for _, name := range p.Models {
		if name != "" {
			out = append(out, NewStyle(withForeground(lipgloss.NewStyle(), name)))
		}
	}
	return out
}
