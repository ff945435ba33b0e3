package graphics

import (
	"image"
	"math"
)

// Protocol is how pictures are drawn.
type Protocol string

// The protocols. Auto is for the configuration only: it means that the terminal is asked.
const (
	Auto Protocol = "auto"
	// kitty's protocol with Unicode placeholders: cells of text that stand for parts of a picture
	Kitty Protocol = "kitty"
	Sixel Protocol = "sixel" // painted over block cells
	ITerm Protocol = "iterm" // iTerm2's protocol, painted over block cells
	Cells Protocol = "cells" // block characters only
	Off   Protocol = "off"   // no pictures, their facts
)

// IsPainted tells whether pictures are painted over the screen after it is drawn, instead of being part of its text.
func (p Protocol) IsPainted() bool { return p == Sixel || p == ITerm }

// Capabilities describes how a terminal draws pictures, as far as its answers tell.
type Capabilities struct {
	Protocol Protocol
	Reason   string      // in words, for people
	Cell     image.Point // px of a cell; zero while unknown
	Window   image.Point // px of all cells; zero while unknown
	Terminal string      // as it names itself; empty when it does not
	Tmux     bool        // what is sent must be wrapped to pass through
	Asked    bool        // it was asked; false for terminals that would print a question
	Done     bool        // no more answers are waited for
}

// CellSize returns the px of a cell on a screen of so many cells; 0 for both stands for a screen of unknown size. The
// size can be a fraction: where a terminal rounds the size of a cell, the size of its window is more exact.
func (c Capabilities) CellSize(termCols, termRows int) (w, h float64) {
	cell := c.Cell
	if cell.X == 0 || cell.Y == 0 {
		if c.Window.X > 0 && c.Window.Y > 0 && termCols > 0 && termRows > 0 {
			return float64(c.Window.X) / float64(termCols), float64(c.Window.Y) / float64(termRows)
		}
		cell = image.Pt(10, 20) // a usual cell
	}
	return cellSide(cell.X, c.Window.X, termCols), cellSide(cell.Y, c.Window.Y, termRows)
}

// cellSide returns the px of one side of a cell, from the side that the terminal reported and the px of its window.
func cellSide(reported, window, cells int) float64 {
	if window <= 0 || cells <= 0 {
		return float64(reported)
	}
	exact := float64(window) / float64(cells)
	// A window exceeds its cells by less than one cell; one that does not fit at all is that before a change of size.
	rest := window - reported*cells
	if rest >= 0 && rest < reported || exact <= float64(reported-1) || exact >= float64(reported+1) {
		return float64(reported)
	}
	return exact
}

// The px that a terminal is believed, whatever it says of its cells: a picture is scaled to them in memory.
const (
	maxBox    = 8 << 20  // of a box; a screen of 3840x2160 has fewer
	maxScreen = 16 << 20 // of all cells; a screen of 5120x2880 has fewer
)

// Pixels returns the px that a box of cells has on a screen of so many cells.
func (c Capabilities) Pixels(cols, rows, termCols, termRows int) image.Point {
	w, h := c.CellSize(termCols, termRows)
	boxW, boxH := float64(cols)*w, float64(rows)*h
	screen := float64(termCols) * w * float64(termRows) * h
	shrink := min(1, math.Sqrt(maxBox/max(boxW*boxH, 1)), math.Sqrt(maxScreen/max(screen, 1)))
	p := image.Pt(int(boxW*shrink), int(boxH*shrink))
	return image.Pt(max(p.X, 1), max(p.Y, 1))
}

// Placement is a picture in a pane.
type Placement struct {
	File File
	// At is the upper left corner of its box, in cells of the pane; above the pane while its beginning is scrolled out.
	At    image.Point
	Cells image.Point // columns and rows of the whole box
	Clip  image.Rectangle
}

// Moved returns the placement relative to another corner.
func (p Placement) Moved(corner image.Point) Placement {
	p.At, p.Clip = p.At.Add(corner), p.Clip.Add(corner)
	return p
}

// Visible returns the part of the box that can be seen, in cells; empty for none.
func (p Placement) Visible() image.Rectangle {
	return image.Rectangle{Min: p.At, Max: p.At.Add(p.Cells)}.Intersect(p.Clip)
}
