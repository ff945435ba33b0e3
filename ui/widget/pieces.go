package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

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

// Join returns the pieces that are not empty, with a gap between each two.
func (p Pieces) Join(gap string) Pieces {
	var line Pieces
	for _, piece := range p {
		if piece.Text == "" {
			continue
		}
		if len(line) > 0 {
			line = append(line, Piece{Text: gap})
		}
		line = append(line, piece)
	}
	return line
}

// Fitting returns as many of the pieces, with a gap between each two, as fit into w cells, from the first one on. The
// first one is cut if it must be.
func (p Pieces) Fitting(gap string, w int) Pieces {
	line := p.Join(gap)
	for len(line) > 1 && line.Width() > w {
		line = line[:len(line)-2]
	}
	if len(line) == 1 {
		line[0].Text = ansi.Truncate(line[0].Text, max(w, 1), "…")
	}
	return line
}
