package widget

import (
	"strconv"
	"strings"

	"confab/internal/termtext"
	"confab/themes"
)

// maxDots is how many models are drawn as dots before the rest is a number.
const maxDots = 5

// ModelDots draws models in a few cells: one by its name, several as dots of their colors.
func ModelDots(s *themes.Styles, slugs []string) string {
	text, colors := s.Muted, s.ModelStyles(slugs)
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
