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

// Pick returns the palette of that name, or of its [Successor]. "auto", the empty name and other names that are not
// among palettes give the default for a background of that brightness.
func Pick(palettes []Palette, name string, dark bool) Palette {
	now, _ := Successor(name)
	for _, name := range []string{name, now} {
		if i := slices.IndexFunc(palettes, func(p Palette) bool { return p.Name == name }); i >= 0 {
			return palettes[i]
		}
	}
	return Default(dark)
}

// Successor returns the theme that replaces one that earlier versions shipped, "" for other names, and a clause about
// it where it has what the other was made for.
func Successor(name string) (now, clause string) {
	const forColorBlind = "is made for color-blind eyes, too"
	switch name {
	case "colour-blind-dark":
		return "high-contrast-dark", forColorBlind
	case "colour-blind-light":
		return "high-contrast-light", forColorBlind
	case "catppuccin-like-dark", "nord-like", "rose-like-dark":
		return "catppuccin-mocha", ""
	case "gruvbox-like-dark", "solarized-like-dark":
		return DefaultDark, ""
	case "catppuccin-latte", "catppuccin-like-light", "rose-like-light", "gruvbox-like-light", "solarized-like-light":
		return DefaultLight, ""
	}
	return "", ""
}
