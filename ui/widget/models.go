package widget

import (
	"strconv"
	"strings"

	"confab/internal/termtext"
	"confab/themes"
)

// maxDots is how many models are drawn as dots before the rest is a number.
const maxDots = 5

// ModelDots draws models in a few cells: one by its name, several as dots of their colors. Where on is not nil it is
// the style of the row that the dots stand in, and takes the place of the colors.
func ModelDots(s *themes.Styles, slugs []string, on *themes.Style) string {
	text, colors := s.Muted, s.ModelStyles(slugs)
	if on != nil {
		text = *on
		for i := range colors {
			colors[i] = *on
		}
	}
	if len(slugs) == 1 {
		return colors[0].On("●") + text.On(" "+termtext.Line(slugs[0]))
	}
	dots := make([]string, min(len(slugs), maxDots))
	for i := range dots {
		dots[i] = colors[i].On("●")
	}
	line := strings.Join(dots, text.On(" "))
	if more := len(slugs) - len(dots); more > 0 {
		line += text.On(" +" + strconv.Itoa(more))
	}
	return line
}
