package graphics

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"github.com/charmbracelet/x/ansi/sixel"

	"golang.org/x/image/draw"

	"confab/internal/pixels"
)

// Resize scales a picture to a size in px. Both sides are stretched: the caller has chosen a box of the picture's
// shape.
func Resize(img image.Image, size image.Point) *image.RGBA {
	if from := img.Bounds().Size(); size.X <= from.X && size.Y <= from.Y {
		return pixels.Scale(img, size.X, size.Y)
	}
	out := image.NewRGBA(image.Rectangle{Max: size})
	draw.CatmullRom.Scale(out, out.Rect, img, img.Bounds(), draw.Src, nil)
	return out
}

// EncodePNG encodes quickly rather than small: the result is sent once and dropped.
func EncodePNG(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode a picture for the terminal: %w", err)
	}
	return b.Bytes(), nil
}

// Encode returns the sequence that paints a picture, scaled already, into a box of cells; [PaintAt] adds the position.
func Encode(protocol Protocol, img image.Image, cells image.Point) (string, error) {
	switch protocol {
	case Sixel:
		var data bytes.Buffer
		if err := (&sixel.Encoder{}).Encode(&data, img); err != nil {
			return "", fmt.Errorf("encode a picture as sixel: %w", err)
		}
		return ansi.SixelGraphics(0, 1, 0, data.Bytes()), nil
	case ITerm:
		p, err := EncodePNG(img)
		if err != nil {
			return "", err
		}
		return ansi.ITerm2(iterm2.File{
			Size: int64(len(p)), Width: iterm2.Cells(cells.X), Height: iterm2.Cells(cells.Y), IgnoreAspectRatio: true,
			Inline: true, DoNotMoveCursor: true, Content: []byte(base64.StdEncoding.EncodeToString(p)),
		}), nil
	}
	return "", fmt.Errorf("%s does not paint", protocol)
}

// maxStrip is how many px are encoded as sixel at once: the encoder takes a hundred bytes for each.
const maxStrip = 1 << 20

// strip is an encoded part of a picture, some rows of cells below its upper edge.
type strip struct {
	row  int
	data string
}

// encodeStrips is [Encode] for a picture that may be large: sixel is encoded in strips of whole rows of cells, which
// have their colors in common.
func encodeStrips(protocol Protocol, img *image.RGBA, cells image.Point) ([]strip, error) {
	rows := cells.Y
	if size := img.Rect.Size(); protocol == Sixel && size.X*size.Y > maxStrip {
		rows = max(maxStrip*cells.Y/(size.X*size.Y), 1)
	}
	var colors *sharedColors
	if rows < cells.Y {
		var err error
		if colors, err = newSharedColors(img); err != nil {
			return nil, err
		}
	}
	var strips []strip
	for row := 0; row < cells.Y; row += rows {
		end := min(row+rows, cells.Y)
		part := image.Rect(img.Rect.Min.X, img.Rect.Min.Y+img.Rect.Dy()*row/cells.Y,
			img.Rect.Max.X, img.Rect.Min.Y+img.Rect.Dy()*end/cells.Y)
		if part.Empty() {
			continue
		}
		copied := Resize(img.SubImage(part), part.Size()) // the encoder takes pictures that begin at 0
		if colors != nil {
			colors.apply(copied)
		}
		data, err := Encode(protocol, copied, image.Pt(cells.X, end-row))
		if err != nil {
			return nil, err
		}
		strips = append(strips, strip{row, data})
	}
	return strips, nil
}

// PaintAt returns the sequence that paints an encoded picture at a position of the screen, in cells from 0, and
// restores the cursor.
func PaintAt(at image.Point, data string) string {
	return ansi.SaveCursor + ansi.CursorPosition(at.X+1, at.Y+1) + data + ansi.RestoreCursor
}
