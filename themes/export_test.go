package themes

import "strings"

// ModelColorsFor returns the colors of models that are computed for a palette.
func ModelColorsFor(p Palette) [ModelColors]string {
	if strings.HasPrefix(p.Name, "high-contrast") {
		return modelColors(&p, 7)
	}
	return modelColors(&p, readable)
}

// Keys returns the keys of a file.
func Keys() []string { return keys() }
