package themes

import "strings"

// ModelColoursFor returns the colours of models that are computed for a palette.
func ModelColoursFor(p Palette) [ModelColours]string {
	if strings.HasPrefix(p.Name, "high-contrast") {
		return modelColours(&p, 7)
	}
	return modelColours(&p, readable)
}
