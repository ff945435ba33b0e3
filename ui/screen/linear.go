package screen

import "strings"

// Linearize returns a drawn screen for a screen reader: what only draws is blank, as borders, rails, bars, signs that
// turn and pictures of blocks, and the mark of what is selected is ">". Every line keeps its width.
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
