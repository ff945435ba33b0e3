package picture

import "github.com/charmbracelet/colorprofile"

// Mode is how a cell is divided.
type Mode int

// Quadrants divide a cell into 2x2 parts, Halves into 1x2. Every font has both.
const (
	Quadrants Mode = iota
	Halves
)

// Options say how a picture is drawn. The zero value draws quadrants without
// colours, that is nothing: set at least Profile.
type Options struct {
	Profile    colorprofile.Profile // TrueColor or ANSI256; [Render] draws nothing with fewer colours
	Mode       Mode
	CellAspect float64 // height of a cell over its width in pixels; 0 is 2
}

// Cells is a picture made of text: H lines, each exactly W cells wide, styles
// closed at the end of every line.
type Cells struct {
	W, H  int
	Lines []string
}
