package graphics

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"

	"confab/history"
	"confab/internal/format"
	"confab/internal/pixels"
	"confab/internal/termtext"
	"confab/service/api"
)

// maxDecoded is the largest picture that is decoded for drawing, in px.
const maxDecoded = 40_000_000

// previewSide is the longest side, in px, of the pictures kept in memory for drawing: more than any pane has cells.
const previewSide = 400

// File identifies a picture that is drawn. The path alone does not: a file can be replaced by another picture, and two
// hosts can give one name twice.
type File struct {
	Path   string
	SHA256 string // of the picture of an answer, as received; empty where it is not known
	Answer int64  // of the source of an edit: whose picture it is, 0 for a file of the user
}

// FileOf returns the file of an answer's picture.
func FileOf(p *history.Picture) File { return File{Path: p.Path, SHA256: p.SHA256} }

// FileOfSource returns the file that an edit was made from, the zero value for a URL.
func FileOfSource(s history.Source) File {
	if s.URL != "" {
		return File{}
	}
	return File{Path: s.Path, Answer: s.Answer}
}

// Loader reads and decodes picture files. It may be used by several commands at once.
type Loader struct {
	ctx        context.Context
	read       func(ctx context.Context, f File) ([]byte, error)
	name       func(path string) string
	background color.RGBA // of the screen
}

// NewLoader returns a loader that ends with ctx and gets the bytes of a file from read, which refuses with
// [api.CodeBadImage] a file that holds another picture. The function name returns a path as the person names it.
func NewLoader(ctx context.Context, read func(ctx context.Context, f File) ([]byte, error),
	name func(path string) string) Loader {
	return Loader{ctx: ctx, read: read, name: name}
}

// Picture returns the picture of a file; problem is a sentence for people, "" for none.
func (l Loader) Picture(f File) (img image.Image, problem string) {
	b, err := l.read(l.ctx, f)
	var refused *api.Error
	switch {
	case errors.As(err, &refused) && refused.Code == api.CodeBadImage:
		return nil, termtext.Line(format.Capitalize(refused.Message) + ".")
	case err != nil:
		return nil, "The picture's file cannot be read: " + termtext.Line(l.name(f.Path))
	}
	img, err = pixels.Decode(l.ctx, b, maxDecoded)
	if err != nil {
		return nil, "The picture's file is damaged: " + termtext.Line(l.name(f.Path))
	}
	return img, ""
}

// drawingBytes is what reading, scaling and encoding a picture take at most, for each px that is drawn.
const drawingBytes = 100

// acquire waits until a picture may be drawn with so many px, and returns how to let the next one.
func (l Loader) acquire(size image.Point) (release func(), err error) {
	return pixels.AcquireDrawing(l.ctx, drawingBytes*int64(size.X)*int64(size.Y))
}

// PreviewMsg brings a picture scaled down for the screen, or says in a sentence why there is none.
type PreviewMsg struct {
	File    File
	Image   image.Image
	Problem string
}

// Preview reads a picture of a file and scales it down.
func (l Loader) Preview(f File) PreviewMsg {
	img, problem := l.Picture(f)
	if problem != "" {
		return PreviewMsg{File: f, Problem: problem}
	}
	return PreviewMsg{File: f, Image: l.ForCells(img, previewSide)}
}

// ForCells is [Scale] for a picture that is drawn as cells, which are of one color or clear: what is half transparent
// is put on the background of the screen.
func (l Loader) ForCells(img image.Image, maxPx int) *image.RGBA {
	small := Scale(img, maxPx)
	pixels.FlattenTranslucent(small, l.background)
	return small
}

// Scale returns a copy of img whose longer side has at most maxPx pixels. A smaller picture keeps its size.
func Scale(img image.Image, maxPx int) *image.RGBA {
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	if longer := max(w, h); longer > maxPx && maxPx > 0 {
		w = max((w*maxPx+longer/2)/longer, 1) // rounded down, a small one would be of another shape
		h = max((h*maxPx+longer/2)/longer, 1)
	}
	return pixels.Scale(img, w, h)
}

// maxShapeError is how much too wide or too high a box may be for its picture before a smaller box is tried.
const maxShapeError = 0.03

// FitCells returns a size in cells, at most w by h, that has the shape of a picture of px by py pixels: the largest
// such size, or one up to an eighth smaller where whole cells match the shape better. aspect is a cell's height over
// its width; 0 means 2. FitCells returns 0, 0 for an empty box or picture.
func FitCells(px, py, w, h int, aspect float64) (cols, rows int) {
	if px < 1 || py < 1 || w < 1 || h < 1 {
		return 0, 0
	}
	if aspect <= 0 {
		aspect = 2
	}
	shape := float64(py) / float64(px) / aspect // rows for each column
	widest := min(max(int(float64(h)/shape+0.5), 1), w)
	least := math.Inf(1)
	for c := widest; c >= max(widest*7/8, 1) && least > maxShapeError; c-- {
		r := min(max(int(float64(c)*shape+0.5), 1), h)
		if off := math.Abs(math.Log(float64(r) / (float64(c) * shape))); off < least {
			cols, rows, least = c, r, off
		}
	}
	return cols, rows
}
