package widget

import (
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"confab/internal/termtext"
	"confab/service/diff"
)

// textStyles are the styles of a text, in order.
type textStyles []textStyle

type textStyle struct {
	end   int // the byte up to which it holds
	style string
}

// at returns the style at a byte, "" for none, and where it ends.
func (t textStyles) at(byte int) (style string, end int) {
	i, _ := slices.BinarySearchFunc(t, byte+1, func(x textStyle, end int) int { return x.end - end })
	if i == len(t) {
		return "", math.MaxInt
	}
	return t[i].style, t[i].end
}

// stylesOf returns the styles of a text of a difference as it is drawn, none where that is another text. The segments
// of one operation are not in it.
func stylesOf(drawn string, d diff.Result, without diff.Op) (styles textStyles) {
	var whole, plain strings.Builder
	for _, part := range d.Segments {
		if part.Op != without {
			whole.WriteString(part.Text)
		}
	}
	for style := ""; drawn != ""; {
		text, rest, isStyled := strings.Cut(drawn, "\x1b[")
		plain.WriteString(text)
		styles = append(styles, textStyle{plain.Len(), style})
		if !isStyled {
			break
		}
		sequence, after, _ := strings.Cut(rest, "m")
		if style = "\x1b[" + sequence + "m"; style == ansi.ResetStyle {
			style = ""
		}
		drawn = after
	}
	if text := plain.String(); text != whole.String() || text != termtext.Clean(text) {
		return nil
	}
	return styles
}

// withoutColors returns a style with its bold, italics and lines only, "" for none.
func withoutColors(style string) string {
	var kept []string
	parameters := strings.Split(strings.TrimSuffix(strings.TrimPrefix(style, "\x1b["), "m"), ";")
	for i := 0; i < len(parameters); i++ {
		switch parameters[i] {
		case "1", "3", "4", "9":
			kept = append(kept, parameters[i])
		case "38", "48", "58": // followed by 5 and an index, or by 2 and three parts
			if i++; i < len(parameters) && parameters[i] == "2" {
				i += 3
			} else {
				i++
			}
		}
	}
	if kept == nil {
		return ""
	}
	return "\x1b[" + strings.Join(kept, ";") + "m"
}
