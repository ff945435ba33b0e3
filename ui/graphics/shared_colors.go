package graphics

import (
	"bytes"
	"fmt"
	"image"
	"image/color"

	"github.com/charmbracelet/x/ansi/sixel"
)

// paletteSide is the longest side, in px, of the copy of a picture that its colors are chosen from.
const paletteSide = 256

// sharedColors are the colors of a picture that is encoded in strips. The encoder chooses colors for each strip, and
// would break a gradient at their edges; of a strip that has only few colors it takes all.
type sharedColors struct {
	palette color.Palette
	nearest map[[3]uint8]color.RGBA // by the upper six bits of a color
}

// newSharedColors has the encoder choose colors for a small copy of the picture.
func newSharedColors(img *image.RGBA) (*sharedColors, error) {
	var data bytes.Buffer
	if err := (&sixel.Encoder{}).Encode(&data, Scale(img, paletteSide)); err != nil {
		return nil, fmt.Errorf("choose the colors of a picture: %w", err)
	}
	small, err := (&sixel.Decoder{}).Decode(&data)
	if err != nil {
		return nil, fmt.Errorf("choose the colors of a picture: %w", err)
	}
	s := &sharedColors{nearest: map[[3]uint8]color.RGBA{}}
	known := map[color.RGBA]bool{}
	for y := range small.Bounds().Dy() {
		for x := range small.Bounds().Dx() {
			c := color.RGBAModel.Convert(small.At(x, y)).(color.RGBA)
			if c.A != 0 && !known[c] {
				known[c] = true
				s.palette = append(s.palette, c)
			}
		}
	}
	return s, nil
}

// apply gives each px that is not clear the nearest of the colors.
func (s *sharedColors) apply(img *image.RGBA) {
	for i := 0; i+3 < len(img.Pix) && len(s.palette) > 0; i += 4 {
		px := img.Pix[i : i+4]
		if px[3] == 0 {
			continue
		}
		key := [3]uint8{px[0] >> 2, px[1] >> 2, px[2] >> 2}
		c, isKnown := s.nearest[key]
		if !isKnown {
			c = s.palette.Convert(color.RGBA{px[0], px[1], px[2], 255}).(color.RGBA)
			s.nearest[key] = c
		}
		px[0], px[1], px[2], px[3] = c.R, c.G, c.B, c.A
	}
}
