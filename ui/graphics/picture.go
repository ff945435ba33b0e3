package graphics

import (
	"context"
	"encoding/binary"
	"image"
	"image/draw"
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
	img, err = decodelimit.Decode(l.ctx, b, maxDecoded)
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

// colorSum adds up the pixels that one pixel of a smaller picture stands for: alpha-premultiplied, 8 bits a channel.
type colorSum struct{ r, g, b, a uint64 }

// pixelRange is the range of source pixels, on one axis, that a pixel of the result stands for.
type pixelRange struct{ from, to int }

// shrink scales img to w by h pixels. Each pixel of the result is the mean of the pixels it stands for, which costs
// less than a filter and looks the same at this size. A picture of another type than RGBA is converted row by row: no
// copy of it is made.
func shrink(img image.Image, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	b := img.Bounds()
	if b.Empty() || w < 1 || h < 1 {
		return out
	}
	columns, sums := pixelRanges(b.Dx(), w), make([]colorSum, w)
	rgba, isRGBA := img.(*image.RGBA)
	row := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	for oy, rows := range pixelRanges(b.Dy(), h) {
		clear(sums)
		for y := b.Min.Y + rows.from; y < b.Min.Y+rows.to; y++ {
			pixels := row.Pix
			if isRGBA {
				pixels = rgba.Pix[rgba.PixOffset(b.Min.X, y):]
			} else {
				draw.Draw(row, row.Rect, img, image.Pt(b.Min.X, y), draw.Src)
			}
			addRow(pixels, columns, sums)
		}
		line := out.Pix[oy*out.Stride:]
		for ox, s := range sums {
			n := uint64((columns[ox].to - columns[ox].from) * (rows.to - rows.from))
			half := n / 2
			p := line[ox*4 : ox*4+4 : ox*4+4]
			p[0], p[1] = uint8((s.r+half)/n), uint8((s.g+half)/n)
			p[2], p[3] = uint8((s.b+half)/n), uint8((s.a+half)/n)
		}
	}
	return out
}

// pixelRanges divides size pixels into n ranges of at least one pixel.
func pixelRanges(size, n int) []pixelRange {
	ranges := make([]pixelRange, n)
	for i := range ranges {
		from := int(int64(i) * int64(size) / int64(n))
		ranges[i] = pixelRange{from, max(int(int64(i+1)*int64(size)/int64(n)), from+1)}
	}
	return ranges
}

// addRow adds a row of RGBA pixels to the sums of its ranges. Two channels of a pixel are added at once, with 16 bits
// for each sum: enough for 256 pixels.
func addRow(pixels []uint8, columns []pixelRange, sums []colorSum) {
	for i, c := range columns {
		for p := pixels[c.from*4 : c.to*4]; len(p) > 0; {
			n := min(len(p), 4*256)
			var rb, ga uint32
			for q := p[:n]; len(q) >= 4; q = q[4:] {
				v := binary.LittleEndian.Uint32(q)
				rb += v & 0xff00ff
				ga += v >> 8 & 0xff00ff
			}
			s := &sums[i]
			s.r, s.g = s.r+uint64(rb&0xffff), s.g+uint64(ga&0xffff)
			s.b, s.a = s.b+uint64(rb>>16), s.a+uint64(ga>>16)
			p = p[n:]
		}
	}
}
