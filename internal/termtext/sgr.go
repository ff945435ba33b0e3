package termtext

import (
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/parser"
)

// readSGR changes a style by the parameters of one SGR sequence: digits, semicolons and colons. Conceal, blink and
// fonts have no effect.
func readSGR(style *uv.Style, parameters string) {
	list := make(ansi.Params, 0, 16)
	n := 0
	for i := range len(parameters) {
		switch c := parameters[i]; c {
		case ';':
			list, n = append(list, ansi.Param(n)), 0
		case ':':
			list, n = append(list, ansi.Param(n|parser.HasMoreFlag)), 0
		default:
			n = min(n*10+int(c-'0'), 9999)
		}
	}
	uv.ReadStyle(append(list, ansi.Param(n)), style)
	style.Attrs &^= uv.AttrBlink | uv.AttrRapidBlink | uv.AttrConceal
	style.Fg, style.Bg = basicColor(style.Fg), basicColor(style.Bg)
}

// basicColor returns an indexed color below 16 as the basic color that it is: terminals without more colors know only
// that form.
func basicColor(c color.Color) color.Color {
	if i, ok := c.(ansi.IndexedColor); ok && i < 16 {
		return ansi.BasicColor(i)
	}
	return c
}
