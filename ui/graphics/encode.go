package graphics

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/draw"
	"image/png"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"github.com/charmbracelet/x/ansi/sixel"

	xdraw "golang.org/x/image/draw"
)

// Resize scales a picture to a size in px. Both sides are stretched: who calls has
// chosen a box of the picture's shape, up to the size of a cell.
func Resize(img image.Image, size image.Point) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: size})
	if size == img.Bounds().Size() {
		draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
		return out
	}
	xdraw.CatmullRom.Scale(out, out.Rect, img, img.Bounds(), draw.Src, nil)
	return out
}

// EncodePNG encodes quickly rather than small: it is sent once and thrown away.
func EncodePNG(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode a picture for the terminal: %w", err)
	}
	return b.Bytes(), nil
}

// Encode returns the bytes of a picture, scaled already, that fills a box of
// cells; [PaintAt] puts them in a place.
func Encode(way Protocol, img image.Image, cells image.Point) (string, error) {
	switch way {
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
	return "", fmt.Errorf("%s does not paint", way)
}

// PaintAt returns what paints encoded bytes at a place of the screen, in cells from
// 0. The cursor is put back.
func PaintAt(at image.Point, data string) string {
	return ansi.SaveCursor + ansi.CursorPosition(at.X+1, at.Y+1) + data + ansi.RestoreCursor
}
