package graphics

import (
	"fmt"
	"image"
	"math"
	"strings"
)

// Protocol is how pictures are drawn.
type Protocol string

// The protocols. Auto is for the configuration only: it means that the terminal is asked.
const (
	Auto  Protocol = "auto"
	Kitty Protocol = "kitty" // kitty's protocol with Unicode placeholders: cells of text that stand for parts of a picture
	Sixel Protocol = "sixel" // painted over block cells
	ITerm Protocol = "iterm" // iTerm2's protocol, painted over block cells
	Cells Protocol = "cells" // block characters only
	Off   Protocol = "off"   // no pictures, their facts
)

// ParseProtocol reads a protocol as it is written in the configuration.
func ParseProtocol(s string) (Protocol, error) {
	switch w := Protocol(strings.ToLower(s)); w {
	case Auto, Kitty, Sixel, ITerm, Cells, Off:
		return w, nil
	case "":
		return Auto, nil
	}
	return "", fmt.Errorf("%q is no way to draw pictures; choose auto, kitty, sixel, iterm, cells or off", s)
}

// IsPainted tells whether pictures are painted over the screen after it is drawn,
// and not text of it.
func (w Protocol) IsPainted() bool { return w == Sixel || w == ITerm }

// Capabilities is what is known of a terminal.
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

// usualCell is taken for a cell where the terminal does not say, in px.
var usualCell = image.Pt(10, 20) // never changed

// CellSize returns the px of a cell on a screen of so many cells; 0 for both
// stands for a screen of unknown size. It may be a fraction: where a terminal
// rounds what it says of a cell, the window tells.
func (f Capabilities) CellSize(termCols, termRows int) (w, h float64) {
	cell := f.Cell
	if cell.X == 0 || cell.Y == 0 {
		if f.Window.X > 0 && f.Window.Y > 0 && termCols > 0 && termRows > 0 {
			return float64(f.Window.X) / float64(termCols), float64(f.Window.Y) / float64(termRows)
		}
		cell = usualCell
	}
	return cellSide(cell.X, f.Window.X, termCols), cellSide(cell.Y, f.Window.Y, termRows)
}

// cellSide returns the px of one side of a cell that a terminal says has so many.
func cellSide(said, window, cells int) float64 {
	if window <= 0 || cells <= 0 {
		return float64(said)
	}
	exact := float64(window) / float64(cells)
	// What is left of a window beside its cells is less than one of them, and a
	// window that does not fit at all is one of before a change of size.
	rest := window - said*cells
	if rest >= 0 && rest < said || exact <= float64(said-1) || exact >= float64(said+1) {
		return float64(said)
	}
	return exact
}

// maxBox bounds the px of a box, whatever a terminal says of its cells: a picture is scaled to them in memory.
const maxBox = 16 << 20

// Pixels returns the px that a box of cells has on a screen of so many cells.
func (f Capabilities) Pixels(cols, rows, termCols, termRows int) image.Point {
	w, h := f.CellSize(termCols, termRows)
	boxW, boxH := float64(cols)*w, float64(rows)*h
	shrink := min(1, math.Sqrt(maxBox/max(boxW*boxH, 1)))
	p := image.Pt(int(boxW*shrink), int(boxH*shrink))
	return image.Pt(max(p.X, 1), max(p.Y, 1))
}

// Paintable returns how much of so many px can be painted: sixels come in rows of
// six px, and one too many spills over its box.
func (f Capabilities) Paintable(px image.Point) image.Point {
	if f.Protocol == Sixel && px.Y > 6 {
		px.Y -= px.Y % 6
	}
	return px
}

// Placement is a picture in a pane.
type Placement struct {
	Path string
	// At is the upper left corner of its box, in cells of the pane; above the
	// pane while its beginning is scrolled out.
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
