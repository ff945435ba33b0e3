package paint

import (
	"image"
	"image/color"
	"image/draw"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// writeCaption writes the words that the prompt asks for in large letters where the picture is free.
func (s *scene) writeCaption(img *image.RGBA) error {
	if s.caption == "" {
		return nil
	}
	text := ansi.Truncate(strings.ToUpper(s.caption), 40, "…")
	y := s.height * 0.16
	if s.sunY < s.height*0.3 && s.isSunVisible {
		y = s.height * 0.92
	}
	t, err := NewText(text, s.width*0.84, s.unit*105)
	if err != nil {
		return err
	}
	corner := image.Pt((s.w-t.Width)/2, int(y)-t.Height/2)
	shadow := int(s.unit*4) + 1
	t.Draw(img, corner.Add(image.Pt(shadow, shadow)), color.NRGBA{20, 20, 28, 115})
	t.Draw(img, corner, color.NRGBA{253, 246, 227, 247})
	return nil
}

// Text is a line of text that fits into a picture.
type Text struct {
	Width, Height int  // in pixels
	HasAllLetters bool // the font has letters for all of the text
	text          string
	face          font.Face
}

// NewText sets text in one line of at most the given width, in letters of at most the given size, both in pixels.
func NewText(text string, width, size float64) (Text, error) {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return Text{}, err
	}
	t := Text{text: text, HasAllLetters: true}
	for range 3 { // the width is not quite proportional to the size
		if t.face, err = opentype.NewFace(f, &opentype.FaceOptions{Size: max(6, size), DPI: 72}); err != nil {
			return Text{}, err
		}
		advance := font.MeasureString(t.face, text)
		if t.Width = advance.Ceil(); float64(t.Width) <= width {
			break
		}
		size *= width / float64(t.Width) * 0.99
	}
	for _, r := range text {
		if _, ok := t.face.GlyphAdvance(r); !ok {
			t.HasAllLetters = false
		}
	}
	m := t.face.Metrics()
	t.Height = (m.Ascent + m.Descent).Ceil()
	return t, nil
}

// Draw writes the text with its upper left corner at a point of img.
func (t Text) Draw(img draw.Image, corner image.Point, c color.Color) {
	baseline := fixed.P(corner.X, corner.Y).Add(fixed.Point26_6{Y: t.face.Metrics().Ascent})
	(&font.Drawer{Dst: img, Src: image.NewUniform(c), Face: t.face, Dot: baseline}).DrawString(t.text)
}
