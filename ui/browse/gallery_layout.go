package browse

import (
	"image"

	"confab/internal/termtext"
	"confab/ui/graphics"
	"confab/ui/overlay"
)

// On a smaller screen pictures are a list instead of a gallery.
const (
	galleryWidth  = 40
	galleryHeight = 14
)

// Sizes of the gallery, in cells.
const (
	factsBesideWidth = 110 // screen width from which the facts are beside the grid
	usualLines       = 8   // of a picture
	leastFitLines    = 6   // of a picture that is lower than usual so that all are on the screen
	leastLines       = 3   // of a picture
	leastThumb       = 17  // width of a thumbnail with its frame, whose caption has room for a few words
	usualCaption     = 2   // lines of a caption: the prompt and the model
	captionedLines   = 7   // of a picture and its caption, from which the caption has more than one
	wrappedLines     = 10  // from which a prompt has two lines
	longLines        = 14  // from which it has three
	frameCells       = 2   // of the frame of a thumbnail and the blank inside it, on each side
	captionIndent    = 2   // of the text of a caption, behind the mark
	sampled          = 24  // pictures that are read first, for whose sizes the thumbnails are made
)

// thumb is what the size of the thumbnails depends on.
type thumb struct {
	size   image.Point // of the picture, in px
	prompt string
}

// thumbLayout is the layout of the gallery in cells: frames of one size in columns, each with a picture in its middle
// and the caption at its bottom.
type thumbLayout struct {
	boxes
	cols, rows int         // on the screen
	box        image.Point // of a picture
	caption    int         // lines of a caption
	below      int         // lines of facts under the grid
	height     int         // of the grid

	all    int // width of a row
	n      int // pictures
	thumbs []thumb
	aspect float64 // the height of a cell over its width
}

// layOutGallery lays out n pictures on a screen of w×h cells, with as many rows fewer than usual as larger says. Thumbs
// are the first pictures, for whose sizes the thumbnails are made.
func layOutGallery(w, h, n int, thumbs []thumb, larger int, aspect float64) thumbLayout {
	if len(thumbs) == 0 {
		thumbs = []thumb{{size: image.Pt(4, 3)}}
	}
	p := thumbLayout{boxes: boxes{head: 1}, n: n, thumbs: thumbs, aspect: aspect}
	p.listW, p.listH = overlay.Frame(w, h)
	if p.isBeside = w >= factsBesideWidth; p.isBeside {
		p.sideW, p.sideH = min(max(w/4, 34), 46), p.listH
		p.listW -= p.sideW
	}
	p.all = max(p.listW-4, 1)
	p.height = max(p.listH-2-p.head, 1)
	if !p.isBeside && p.height >= 12 {
		p.below = 1
		p.height--
	}
	if p.height >= 20 {
		p.head++
		p.height--
	}
	best := 0
	for rows := 1; p.pictureLines(rows) >= leastFitLines; rows++ { // all pictures on the screen, as large as they get
		if cols := max((n+rows-1)/rows, 1); p.all/cols >= leastThumb {
			if area := p.areaIn(cols, rows); area > best {
				best, p.cols, p.rows = area, cols, rows
			}
		}
	}
	if best == 0 || larger != 0 {
		usual := max(usualLines, p.height/5) + usualCaption + 2
		rows := p.rows
		if best == 0 {
			rows = max((p.height+usual/2)/usual, 1)
		}
		p.fillRows(max(rows-larger, 1))
	}
	p.pitch, p.cell = max(p.height/p.rows, 1), max(p.all/p.cols, 1)
	p.margin = (p.all - p.cell*p.cols) / 2
	p.box = p.boxIn(p.cols, p.rows)
	p.caption = max(p.pitch-2-p.box.Y, 0)
	return p
}

// fillRows divides the width into the columns that show most of the pictures in a number of rows.
func (p *thumbLayout) fillRows(rows int) {
	best := -1
	p.rows = rows
	for cols := 1; cols == 1 || p.all/cols >= leastThumb; cols++ {
		if area := cols * p.areaIn(cols, rows); area > best {
			best, p.cols = area, cols
		}
	}
}

// canHave reports whether pictures have room in rows of the screen.
func (p *thumbLayout) canHave(rows int) bool {
	return rows > 0 && (rows < p.rows || p.n > p.cols*p.rows) && p.pictureLines(rows) >= leastLines
}

// pictureLines returns the lines of pictures in rows of the screen, with captions of one line.
func (p *thumbLayout) pictureLines(rows int) int { return p.height/rows - 3 }

// boxIn returns the size of the pictures in columns and rows of the screen.
func (p *thumbLayout) boxIn(cols, rows int) image.Point {
	box := image.Pt(max(p.all/cols-2*frameCells, 1), max(p.pictureLines(rows), 0))
	most := 1 // lines of a prompt
	switch lines := box.Y + 1; {
	case lines < captionedLines:
		return box
	case lines >= longLines:
		most = 3
	case lines >= wrappedLines:
		most = 2
	}
	needed := 1
	for _, t := range p.thumbs {
		needed = max(needed, len(termtext.Wrap(t.prompt, box.X)))
	}
	box.Y -= min(needed, most)
	return box
}

// areaIn returns the cells that the pictures take in columns and rows of the screen.
func (p *thumbLayout) areaIn(cols, rows int) (area int) {
	box := p.boxIn(cols, rows)
	for _, t := range p.thumbs {
		w, h := graphics.FitCells(t.size.X, t.size.Y, box.X, box.Y, p.aspect)
		area += w * h
	}
	return area
}
