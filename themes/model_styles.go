package themes

import (
	"crypto/sha1"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/lucasb-eyer/go-colorful"
)

// SetModels sets the models of the catalogue: they have different colors as far as there are enough, those that stand
// near each other in it clearly different ones, and the same one on every screen. It is called before the styles are
// used.
func (s *Styles) SetModels(catalogue []string) {
	makeSet := s.models
	s.models = sync.OnceValue(func() *modelSet {
		m := makeSet()
		if len(m.styles) > 0 {
			m.known = catalogueColors(catalogue, len(m.styles))
		}
		return m
	})
}

// ModelStyle returns the style of a model: the same one everywhere, but for [Styles.ModelStyles]. It has a foreground
// only, which can be read on the background, [Styles.Surface] and [Styles.Overlay]. Colors repeat, so something else
// has to tell models apart as well.
func (s *Styles) ModelStyle(slug string) Style {
	return s.ModelStyles([]string{slug})[0]
}

// ModelStyles returns the styles of models that are seen together, as those of a turn, one for each slug. Models whose
// colors are the same get others: as many models as there are colors, next to each other, have different ones. It
// depends on the slugs and the catalogue only, and where there are more models than colors on their order.
func (s *Styles) ModelStyles(slugs []string) []Style {
	out := make([]Style, len(slugs))
	if s.models == nil {
		return out
	}
	set := s.models()
	if len(set.styles) == 0 {
		return out
	}
	assigned := set.assign(slugs)
	for i, slug := range slugs {
		out[i] = set.styles[assigned[slug]]
	}
	return out
}

// catalogueColors returns the colors of the models of the catalogue, of n. The order, in which they repeat, suits the
// shipped palettes and colors that are sorted by hue, as computed ones: any four models in a row have hues that are
// far apart, and so have those of the examples of the screen.
func catalogueColors(catalogue []string, n int) map[string]int {
	order := slices.DeleteFunc([]int{3, 6, 11, 1, 4, 8, 10, 2, 5, 7, 9, 0}, func(i int) bool { return i >= n })
	known := make(map[string]int, len(catalogue))
	for _, slug := range catalogue {
		if _, isListed := known[slug]; !isListed {
			known[slug] = order[len(known)%len(order)]
		}
	}
	return known
}

// assign returns the colors of models, which are in the order in which they are seen.
func (m *modelSet) assign(slugs []string) map[string]int {
	n := len(m.styles)
	if different := slices.Compact(slices.Sorted(slices.Values(slugs))); len(different) <= n {
		slugs = different
	}
	assigned := make(map[string]int, len(slugs))
	var order []int // the colors of different models
	for _, slug := range slugs {
		if _, isKnown := assigned[slug]; isKnown {
			continue
		}
		wanted, isListed := m.known[slug]
		if !isListed {
			wanted = modelColor(slug, n)
		}
		at := m.free(wanted, order[max(len(order)-n+1, 0):])
		assigned[slug], order = at, append(order, at)
	}
	return assigned
}

func modelColor(slug string, n int) int {
	sum := sha1.Sum([]byte(slug)) // which spreads names that differ in a digit better than shorter hashes
	return int(binary.BigEndian.Uint32(sum[:]) % uint32(n))
}

// modelSet is the styles of models, and how far their colors are from each other: those of the terminal's own, which
// are not known, all as far.
type modelSet struct {
	styles    []Style
	distances [][]float64
	known     map[string]int // the colors of the models of the catalogue
}

// free returns the wanted color where it is not taken, otherwise the one that is farthest from those that are.
func (m *modelSet) free(wanted int, taken []int) int {
	best, most := wanted, -1.0
	for i := range m.styles {
		at := (wanted + i) % len(m.styles)
		nearest := math.Inf(1)
		for _, t := range taken {
			nearest = min(nearest, m.distances[at][t])
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

func (p Palette) modelSet() *modelSet {
	m := &modelSet{}
	var names []string
	for _, name := range p.Models {
		if name != "" {
			names = append(names, name)
			m.styles = append(m.styles, NewStyle(withForeground(lipgloss.NewStyle(), name)))
		}
	}
	for i, name := range names {
		row := make([]float64, len(names))
		for j, other := range names {
			a, isKnown := rgb(name)
			b, bothKnown := rgb(other)
			if row[j] = 1; i == j {
				row[j] = 0
			} else if isKnown && bothKnown {
				row[j] = newLabColor(a).distance(newLabColor(b))
			}
		}
		m.distances = append(m.distances, row)
	}
	return m
}

// barContrast is the contrast of the dot of a model with the bar behind it.
const barContrast = 3

// OnSelected returns the style of a model on the bar of the selected row: its hue, as dark or as light as it takes to
// be seen there. Where the colors are not known it is that of the text.
func (s *Styles) OnSelected(model Style) Style {
	bar, isKnown := rgb(s.Palette.Focus)
	c, hasColor := colorful.MakeColor(model.GetForeground())
	if s.Palette.FocusText == "" || !isKnown || !hasColor || model.Prefix == "" {
		return s.Selected
	}
	l, chroma, hue := c.OkLch()
	step := 0.02
	if black := (colorful.Color{}); Contrast(black, bar) > Contrast(colorful.Color{R: 1, G: 1, B: 1}, bar) {
		step = -step
	}
	for Contrast(c, bar) < barContrast && l > 0 && l < 1 {
		l += step
		c = inGamut(l, chroma, hue)
	}
	return NewStyle(s.Selected.Style.Foreground(lipgloss.Color(c.Hex())))
}
