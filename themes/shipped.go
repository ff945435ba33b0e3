package themes

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed palettes/*.toml
var files embed.FS

// The themes that "auto" means.
const (
	DefaultDark  = "confab-dark"
	DefaultLight = "confab-light"
)

// Shipped returns the palettes that confab ships, sorted by name. They are read
// anew at every call, which takes about a millisecond; where the first
// frame matters, [Default] reads one only. A palette that cannot be read panics: a test reads all of them.
func Shipped() []Palette {
	entries, err := files.ReadDir("palettes")
	if err != nil {
		panic(fmt.Sprintf("themes: list the shipped palettes: %v", err))
	}
	palettes := make([]Palette, 0, len(entries))
	for _, e := range entries {
		palettes = append(palettes, read(e.Name()))
	}
	slices.SortFunc(palettes, func(a, b Palette) int { return strings.Compare(a.Name, b.Name) })
	return palettes
}

// Default returns the default palette for a background of that brightness,
// without reading the others.
func Default(dark bool) Palette {
	if dark {
		return read(DefaultDark + ".toml")
	}
	return read(DefaultLight + ".toml")
}

func read(file string) Palette {
	data, err := files.ReadFile("palettes/" + file)
	if err != nil {
		panic(fmt.Sprintf("themes: read a shipped palette: %v", err))
	}
	p, err := Parse(data)
	if err != nil {
		panic(fmt.Sprintf("themes: %s: %v", file, err))
	}
	return p
}

// Pick returns the palette of that name. "auto", the empty name and a name
// that is not among palettes give the default for a background of that
// brightness.
func Pick(palettes []Palette, name string, dark bool) Palette {
	for _, p := range palettes {
		if p.Name == name {
			return p
		}
	}
	return Default(dark)
}

// Successor returns the theme that replaces one that earlier versions shipped, "" for other names.
func Successor(name string) string {
	switch name {
	case "catppuccin-like-dark", "nord-like", "rose-like-dark":
		return "catppuccin-mocha"
	case "catppuccin-like-light", "rose-like-light":
		return "catppuccin-latte"
	case "gruvbox-like-dark", "solarized-like-dark":
		return DefaultDark
	case "gruvbox-like-light", "solarized-like-light":
		return DefaultLight
	}
	return ""
}
