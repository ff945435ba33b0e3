package pixels

import (
	"fmt"
	"image"
	"strings"
)

// Way is how pictures are drawn.
type Way string

// The ways. Auto is a wish only: what a terminal has is found by asking.
const (
	Auto  Way = "auto"
	Kitty Way = "kitty" // kitty's protocol with Unicode placeholders: cells of text that stand for parts of a picture
	Sixel Way = "sixel" // painted over block cells
	ITerm Way = "iterm" // iTerm2's protocol, painted over block cells
	Cells Way = "cells" // block characters only
	Off   Way = "off"   // no pictures, their facts
)

// ParseWay reads a way as it is written in the configuration.
func ParseWay(s string) (Way, error) {
	switch w := Way(strings.ToLower(s)); w {
	case Auto, Kitty, Sixel, ITerm, Cells, Off:
		return w, nil
	case "":
		return Auto, nil
	}
	return "", fmt.Errorf("%q is no way to draw pictures; choose auto, kitty, sixel, iterm, cells or off", s)
}

// Painted tells whether pictures are painted over the screen after it is drawn,
// and not text of it.
func (w Way) Painted() bool { return w == Sixel || w == ITerm }

// Found is what is known of a terminal.
type Found struct {
	Way      Way
	Why      string      // in words, for people
	Cell     image.Point // px of a cell; zero while unknown
	Window   image.Point // px of all cells; zero while unknown
	Terminal string      // as it names itself; empty when it does not
	Tmux     bool        // what is sent must be wrapped to pass through
	Asked    bool        // it was asked; false for terminals that would print a question
	Done     bool        // no more answers are waited for
}

// usualCell is taken for a cell where the terminal does not say, in px.
var usualCell = image.Pt(10, 20) // never changed

// Pixels returns the px that a box of cells has, rounded down to whole rows of
// what the way can paint.
func (f Found) Pixels(cols, rows, termCols, termRows int) image.Point {
	cell := f.Cell
	if cell.X == 0 || cell.Y == 0 {
		cell = usualCell
	}
	p := image.Pt(cols*cell.X, rows*cell.Y)
	// CSI 16 t is rounded in some terminals, and a sixel that is a pixel too
	// large spills over its box; the window's size is exact.
	if f.Window.X > 0 && f.Window.Y > 0 && termCols > 0 && termRows > 0 {
		p = image.Pt(cols*f.Window.X/termCols, rows*f.Window.Y/termRows)
	}
	if f.Way == Sixel {
		p.Y -= p.Y % 6 // sixels are painted six rows at a time
	}
	return image.Pt(max(p.X, 1), max(p.Y, 1))
}
