package pixels

import "image"

// Placed is a picture in a pane.
type Placed struct {
	Path string
	// At is the upper left corner of its box, in cells of the pane; above the
	// pane while its beginning is scrolled out.
	At    image.Point
	Cells image.Point // columns and rows of the whole box
	Clip  image.Rectangle
}

// Moved returns it relative to another corner.
func (p Placed) Moved(corner image.Point) Placed {
	p.At, p.Clip = p.At.Add(corner), p.Clip.Add(corner)
	return p
}

// Seen returns the part of the box that can be seen, in cells; empty for none.
func (p Placed) Seen() image.Rectangle {
	return image.Rectangle{Min: p.At, Max: p.At.Add(p.Cells)}.Intersect(p.Clip)
}
