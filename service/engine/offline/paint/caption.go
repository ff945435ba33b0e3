package paint

import (
	"image"
	"image/color"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// writeCaption writes the words that the prompt asks for in large letters where the picture is free.
func (s *scene) writeCaption() {
	if s.spec.caption == "" {
		return
	}
	text := strings.ToUpper(s.spec.caption)
	if r := []rune(text); len(r) > 40 {
		text = string(r[:39]) + "…"
	}
	y := s.height * 0.16
	if s.sunY < s.height*0.3 && s.isSunVisible {
		y = s.height * 0.92
	}
	l, err := NewTextMask(text, s.width*0.84, s.unit*105)
	if err != nil {
		return // a font that is built in always parses; the picture stands without words
	}
	x0 := int(s.width-float64(l.Width)) / 2
	y0 := int(y) - l.Height/2
	for _, pass := range []struct {
		off int
		c   rgb
		a   float64
	}{{int(s.unit*4) + 1, hex(0x14141c), 0.45}, {0, hex(0xfdf6e3), 0.97}} {
		box := image.Rect(x0, y0, x0+l.Width, y0+l.Height).Add(image.Pt(pass.off, pass.off))
		box = box.Intersect(image.Rect(0, 0, s.w, s.h))
		if box.Empty() {
			continue
		}
		part := make([]uint8, 0, box.Dx()*box.Dy())
		for y := box.Min.Y; y < box.Max.Y; y++ {
			i := (y-y0-pass.off)*l.Width + box.Min.X - x0 - pass.off
			part = append(part, l.Mask[i:i+box.Dx()]...)
		}
		s.fillMask(box, part, solid(pass.c).withAlpha(pass.a))
	}
}

// TextMask is a line of text as a mask of pixels.
type TextMask struct {
	Width, Height int
	Mask          []uint8
	Missing       bool // the font has no letters for some of the text
}

// NewTextMask sets text in one line of at most the given width, in letters of
// at most the given size, both in pixels.
func NewTextMask(text string, width, size float64) (TextMask, error) {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return TextMask{}, err
	}
	var face font.Face
	var advance fixed.Int26_6
	for range 3 { // hinting makes the width not quite proportional
		face, err = opentype.NewFace(f, &opentype.FaceOptions{Size: max(6, size), DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return TextMask{}, err
		}
		advance = font.MeasureString(face, text)
		if float64(advance)/64 <= width {
			break
		}
		size *= width / (float64(advance) / 64) * 0.99
	}
	l := TextMask{}
	for _, r := range text {
		if _, ok := face.GlyphAdvance(r); !ok {
			l.Missing = true
		}
	}
	m := face.Metrics()
	l.Width, l.Height = advance.Ceil()+2, (m.Ascent + m.Descent).Ceil()
	img := image.NewAlpha(image.Rect(0, 0, l.Width, l.Height))
	d := font.Drawer{Dst: img, Src: image.NewUniform(color.Opaque), Face: face,
		Dot: fixed.Point26_6{X: 64, Y: m.Ascent}}
	d.DrawString(text)
	l.Mask = img.Pix
	return l, nil
}
