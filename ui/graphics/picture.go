package graphics

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math"

	"confab/internal/decodelimit"
	"confab/internal/termtext"
)

// maxDecoded is the largest picture that is decoded for drawing, in px.
const maxDecoded = 40_000_000

// previewSide is the longest side, in px, of the pictures kept in memory for drawing: more than any pane has cells.
const previewSide = 400

// Loader reads and decodes picture files. It may be used by several commands at once.
type Loader struct {
	ctx  context.Context
	read func(ctx context.Context, path string) ([]byte, error)
}

// NewLoader returns a loader that ends with ctx and gets the bytes of a file from read.
func NewLoader(ctx context.Context, read func(ctx context.Context, path string) ([]byte, error)) Loader {
	return Loader{ctx, read}
}

// Picture returns the picture of a file; problem is a sentence for people, "" for none.
func (l Loader) Picture(path string) (img image.Image, problem string) {
	b, err := l.read(l.ctx, path)
	if err != nil {
		return nil, "The picture's file cannot be read: " + termtext.Line(path)
	}
	img, err = Decode(l.ctx, b, maxDecoded)
	if err != nil {
		return nil, "The picture's file is damaged: " + termtext.Line(path)
	}
	return img, ""
}

// PreviewMsg brings a picture scaled down for the screen, or says in a sentence why there is none.
type PreviewMsg struct {
	Path    string
	Image   image.Image
	Problem string
}

// Preview reads a picture of a file and scales it down.
func (l Loader) Preview(path string) PreviewMsg {
	img, problem := l.Picture(path)
	if problem != "" {
		return PreviewMsg{Path: path, Problem: problem}
	}
	return PreviewMsg{Path: path, Image: Scale(img, previewSide)}
}

// What [Decode] refuses.
var (
	ErrFormat = errors.New("not a PNG or JPEG picture")
	ErrPixels = errors.New("picture has too many pixels to show")
)

// Decode decodes a PNG or JPEG of at most maxPixels pixels. The header is checked before memory is allocated for the
// pixels it claims: 62 bytes can claim ten gigabytes. A panic of a decoder becomes an error. Decoding takes four to
// eight bytes of memory a pixel; it waits until the process may use them, or ctx ends. Keep the result of [Scale], not
// the picture.
func Decode(ctx context.Context, b []byte, maxPixels int) (img image.Image, err error) {
	defer func() {
		if p := recover(); p != nil {
			img, err = nil, fmt.Errorf("decode picture: %v", p)
		}
	}()
	header, whole := png.DecodeConfig, png.Decode
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
	case bytes.HasPrefix(b, []byte("\xff\xd8")):
		header, whole = jpeg.DecodeConfig, jpeg.Decode
	default:
		return nil, ErrFormat
	}
	c, err := header(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("read the header of the picture: %w", err)
	}
	if c.Width < 1 || c.Height < 1 || int64(c.Width)*int64(c.Height) > int64(maxPixels) {
		return nil, fmt.Errorf("%w: %d × %d", ErrPixels, c.Width, c.Height)
	}
	release, err := decodelimit.Acquire(ctx, 8*int64(c.Width)*int64(c.Height))
	if err != nil {
		return nil, err
	}
	defer release()
	if img, err = whole(bytes.NewReader(b)); err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	return img, nil
}

// Scale returns a copy of img whose longer side has at most maxPx pixels. A smaller picture keeps its size.
func Scale(img image.Image, maxPx int) *image.RGBA {
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	if longer := max(w, h); longer > maxPx && maxPx > 0 {
		w = max(w*maxPx/longer, 1)
		h = max(h*maxPx/longer, 1)
	}
	return shrink(img, w, h)
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
