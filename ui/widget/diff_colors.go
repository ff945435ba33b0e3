package widget

import (
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/service/diff"
)

// textColors are the colors of a text, in order.
type textColors []textColor

type textColor struct {
	end   int // the byte up to which it holds
	color string
}

// at returns the color at a byte, "" for none, and where it ends.
func (c textColors) at(byte int) (color string, end int) {
	i, _ := slices.BinarySearchFunc(c, byte+1, func(x textColor, end int) int { return x.end - end })
	if i == len(c) {
		return "", math.MaxInt
	}
	return c[i].color, c[i].end
}

// colorsOf returns the colors of the first text of a difference as it is drawn, none where that is another text.
func colorsOf(drawn string, d diff.Result) (colors textColors) {
	var first, plain strings.Builder
	for _, part := range d.Segments {
		if part.Op != diff.Added {
			first.WriteString(part.Text)
		}
	}
	for color := ""; drawn != ""; {
		text, rest, isColored := strings.Cut(drawn, "\x1b[")
		plain.WriteString(text)
		colors = append(colors, textColor{plain.Len(), color})
		if !isColored {
			break
		}
		sequence, after, _ := strings.Cut(rest, "m")
		if color = "\x1b[" + sequence + "m"; color == ansi.ResetStyle {
			color = ""
		}
		drawn = after
	}
	if text := plain.String(); text != first.String() || text != termtext.Clean(text) {
		return nil
	}
	return colors
}
