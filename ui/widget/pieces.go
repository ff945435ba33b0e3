package widget

import (
	"strings"

	"confab/internal/termtext"
	"confab/ui/keys"
)

// Piece is a piece of a line, with the command that a click on it does, "" for none.
type Piece struct {
	Text    string
	Command keys.Command
}

// Pieces are the pieces of a line, with the blanks between them.
type Pieces []Piece

// String returns the line.
func (p Pieces) String() string {
	var line strings.Builder
	for _, piece := range p {
		line.WriteString(piece.Text)
	}
	return line.String()
}

// Width returns how wide the line is, in cells.
func (p Pieces) Width() int { return termtext.Width(p.String()) }

// CommandAt returns what a click on a column of the line does, "" for nothing.
func (p Pieces) CommandAt(x int) keys.Command {
	for _, piece := range p {
		if x < 0 {
			break
		}
		if x -= termtext.Width(piece.Text); x < 0 {
			return piece.Command
		}
	}
	return ""
}
