package pixels

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"github.com/charmbracelet/x/ansi/sixel"

	xdraw "golang.org/x/image/draw"
)

// Fit scales a picture to a size in px. Both sides are stretched: who calls has
// chosen a box of the picture's shape, up to the size of a cell.
func Fit(img image.Image, size image.Point) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: size})
	if size == img.Bounds().Size() {
		draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
		return out
	}
	xdraw.CatmullRom.Scale(out, out.Rect, img, img.Bounds(), draw.Src, nil)
	return out
}

// PNG encodes quickly rather than small: it is sent once and thrown away.
func PNG(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode a picture for the terminal: %w", err)
	}
	return b.Bytes(), nil
}

// Paint returns what paints a picture, scaled already, at a place of the screen
// in cells, from 0. The cursor is put back. Cells is the box it fills.
func Paint(way Way, img image.Image, at image.Point, cells image.Point) (string, error) {
	var b strings.Builder
	b.WriteString(ansi.SaveCursor)
	b.WriteString(ansi.CursorPosition(at.X+1, at.Y+1))
	switch way {
	case Sixel:
		var data bytes.Buffer
		if err := (&sixel.Encoder{}).Encode(&data, img); err != nil {
			return "", fmt.Errorf("encode a picture as sixel: %w", err)
		}
		b.WriteString(ansi.SixelGraphics(0, 1, 0, data.Bytes()))
	case ITerm:
		p, err := PNG(img)
		if err != nil {
			return "", err
		}
		b.WriteString(ansi.ITerm2(iterm2.File{
			Size: int64(len(p)), Width: iterm2.Cells(cells.X), Height: iterm2.Cells(cells.Y), IgnoreAspectRatio: true,
			Inline: true, DoNotMoveCursor: true, Content: []byte(base64.StdEncoding.EncodeToString(p)),
		}))
	default:
		return "", fmt.Errorf("%s does not paint", way)
	}
	b.WriteString(ansi.RestoreCursor)
	return b.String(), nil
}
