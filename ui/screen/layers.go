package screen

import (
	"image"
	"image/color"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"confab/themes"
)

// DrawLayers draws a dialog in a box over the screen. In a theme with a background for dialogs, it dims the screen but
// for the footer, which has the keys of the dialog; otherwise it makes the screen faint.
func DrawLayers(s *themes.Styles, behind, dialog string, box image.Rectangle) string {
	layers := lipgloss.NewCompositor(
		lipgloss.NewLayer(behind).Z(0),
		lipgloss.NewLayer(dialog).X(box.Min.X).Y(box.Min.Y).Z(1),
	)
	hasOverlay := s.Overlay.Prefix != ""
	canvas := lipgloss.NewCanvas(layers.Bounds().Dx(), layers.Bounds().Dy())
	canvas.Compose(layers)
	blankCutWords(canvas, box)
	overlay := s.Overlay.GetBackground()
	dimmed := map[color.Color]color.Color{}
	dim := func(c color.Color) color.Color {
		to, isKnown := dimmed[c]
		if !isKnown {
			to = s.Dim(c)
			dimmed[c] = to
		}
		return to
	}
	footer := canvas.Height() - 1
	for y := range canvas.Height() {
		for x := range canvas.Width() {
			cell := canvas.CellAt(x, y)
			switch {
			case cell == nil, y == footer && !image.Pt(x, y).In(box):
			case !image.Pt(x, y).In(box) && hasOverlay:
				dimCell(cell, dim)
			case !image.Pt(x, y).In(box) && cell.Content != " ":
				cell.Style.Attrs = cell.Style.Attrs&^uv.AttrBold | uv.AttrFaint
			case hasOverlay && cell.Style.Bg == nil:
				cell.Style.Bg = overlay
			}
		}
	}
	return canvas.Render()
}

// blankCutWords blanks what is left of words on the screen that a box covers in part.
func blankCutWords(canvas *lipgloss.Canvas, box image.Rectangle) {
	for y := max(box.Min.Y, 0); y < min(box.Max.Y, canvas.Height()-1); y++ {
		for x := box.Min.X - 1; isOfWord(canvas.CellAt(x, y)); x-- {
			canvas.CellAt(x, y).Content = " "
		}
		for x := box.Max.X; isOfWord(canvas.CellAt(x, y)); x++ {
			canvas.CellAt(x, y).Content = " "
		}
	}
}

// isOfWord reports whether a cell has a character of a text, of one cell: no blank, frame or picture.
func isOfWord(cell *uv.Cell) bool {
	if cell == nil || cell.Width != 1 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(cell.Content)
	return r > ' ' && (r < 0x2500 || r > 0x259f) && (r < 0x2800 || r > 0x28ff) && r < 0xe000
}

// dimCell dims a cell with its background. Reversed ones stay so.
func dimCell(cell *uv.Cell, dim func(color.Color) color.Color) {
	st := &cell.Style
	if st.Bg != nil {
		st.Bg = dim(st.Bg)
	}
	if cell.Content != " " || st.Attrs != 0 {
		st.Fg = dim(st.Fg)
	}
	st.Attrs &^= uv.AttrBold
}

// Linearize returns a drawn screen for a screen reader: it blanks borders, rails, bars and pictures of blocks, and has
// ">" for the mark of the selection. Every line keeps its width.
func Linearize(content string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '▌':
			return '>'
		case r >= 0x2500 && r <= 0x259f, r >= 0x2800 && r <= 0x28ff: // boxes, blocks and Braille
			return ' '
		}
		return r
	}, content)
}
