package retouch

import (
	"image"
	"image/color"
	"math"

	"github.com/anthonynsimon/bild/transform"
	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"confab/service/engine"
	"confab/service/engine/offline/paint"
)

func (s *sheet) flip(vertically bool) {
	if vertically {
		s.img = transform.FlipV(s.img)
		return
	}
	s.img = transform.FlipH(s.img)
}

// rotate turns clockwise: by the degrees named, or as the words say.
func (s *sheet) rotate(c clause) {
	angle := c.number(90)
	switch {
	case has(c.text, `upside down|half|round|around`) && c.number(-1) == -1:
		angle = 180
	case has(c.text, `left|counter-?clockwise|anti-?clockwise`):
		angle = -math.Abs(angle)
	}
	angle = math.Mod(math.Mod(angle, 360)+360, 360)
	if math.Mod(angle, 90) == 0 {
		s.img = turn(s.img, int(angle/90))
		return
	}
	s.img = tilted(s.img, angle*math.Pi/180)
}

// tilted turns img clockwise by angle, in radians, on white paper that holds
// all of it, scaled down when it would grow past the limit.
func tilted(img *image.RGBA, angle float64) *image.RGBA {
	sin, cos := math.Sincos(angle)
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	ow, oh := w*math.Abs(cos)+h*math.Abs(sin), w*math.Abs(sin)+h*math.Abs(cos)
	k := min(1, math.Sqrt(maxResult/(ow*oh)))
	ow, oh = ow*k, oh*k
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(ow)), max(1, int(oh))))
	draw.Draw(out, out.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	m := f64.Aff3{k * cos, -k * sin, ow/2 - k*(cos*w/2-sin*h/2), k * sin, k * cos, oh/2 - k*(sin*w/2+cos*h/2)}
	draw.BiLinear.Transform(out, m, img, img.Rect, draw.Over, nil)
	return out
}

// crop cuts the middle out in the shape of aspect, width over height.
func (s *sheet) crop(aspect float64) {
	w, h := s.img.Rect.Dx(), s.img.Rect.Dy()
	cw, ch := w, int(math.Round(float64(w)/aspect))
	if ch > h {
		cw, ch = int(math.Round(float64(h)*aspect)), h
	}
	s.cut(max(1, min(w, cw)), max(1, min(h, ch)))
}

// zoom cuts out the middle and leaves part of each side.
func (s *sheet) zoom(part float64) {
	s.cut(max(1, int(float64(s.img.Rect.Dx())*part)), max(1, int(float64(s.img.Rect.Dy())*part)))
}

func (s *sheet) cut(w, h int) {
	from := image.Pt((s.img.Rect.Dx()-w)/2, (s.img.Rect.Dy()-h)/2)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(out, out.Rect, s.img, from, draw.Src)
	s.img = out
}

func (s *sheet) halve() {
	out := image.NewRGBA(image.Rect(0, 0, max(1, s.img.Rect.Dx()/2), max(1, s.img.Rect.Dy()/2)))
	draw.CatmullRom.Scale(out, out.Rect, s.img, s.img.Rect, draw.Src, nil)
	s.img = out
}

// border lays a frame over the margin, so that the size stays.
func (s *sheet) border(c clause) {
	col := colourIn(frameWords().FindString(c.text))
	m := max(2, int(34*s.unit()*c.width()))
	b := s.img.Rect
	m = min(m, b.Dx()/3, b.Dy()/3)
	bottom := m
	if has(c.text, "polaroid") {
		bottom = min(m*4, b.Dy()/3)
	}
	inner := image.Rect(m, m, b.Dx()-m, b.Dy()-bottom)
	line := max(1, m/12)
	out := image.NewRGBA(b)
	draw.Draw(out, b, image.NewUniform(col), image.Point{}, draw.Src)
	if !s.lite { // a thin shadow line between the frame and the picture
		draw.Draw(out, inner.Inset(-line), image.NewUniform(shade(col)), image.Point{}, draw.Src)
	}
	draw.CatmullRom.Scale(out, inner, s.img, fill(b, inner), draw.Src, nil)
	s.img = out
}

// fill is the middle part of b with the shape of inner, so that nothing is
// stretched.
func fill(b, inner image.Rectangle) image.Rectangle {
	w, h := b.Dx(), b.Dy()
	if cw := h * inner.Dx() / max(1, inner.Dy()); cw <= w {
		return image.Rect((w-cw)/2, 0, (w-cw)/2+cw, h)
	}
	ch := w * inner.Dy() / max(1, inner.Dx())
	return image.Rect(0, (h-ch)/2, w, (h-ch)/2+ch)
}

func shade(c color.RGBA) color.RGBA {
	if int(c.R)+int(c.G)+int(c.B) < 150 {
		return color.RGBA{c.R + 60, c.G + 60, c.B + 60, 255}
	}
	return color.RGBA{c.R / 2, c.G / 2, c.B / 2, 255}
}

// width is how thick a border is wanted.
func (c clause) width() float64 {
	switch {
	case has(c.text, `thin|narrow|fine|small`):
		return 0.45
	case has(c.text, `thick|wide|broad|big|large|heavy`):
		return 2
	}
	return 1
}

// caption sets a line of text on a dark band at the foot.
func (s *sheet) caption(text string) error {
	if r := []rune(text); len(r) > 120 {
		text = string(r[:119]) + "…"
	}
	w, h := s.img.Rect.Dx(), s.img.Rect.Dy()
	l, err := paint.NewLettering(text, float64(w)*0.9, min(float64(h)*0.14, 58*s.unit()))
	if err != nil {
		return &engine.Error{Status: 500, Code: "service", Message: "The caption could not be set.", Err: err}
	}
	if l.Missing {
		return &engine.Error{Status: 422, Code: "bad_request", Message: "The offline engine's font has no letters for this caption; Latin, Greek and Cyrillic it has."}
	}
	pad := l.Height / 3
	top := max(0, h-l.Height-2*pad)
	x0, y0 := (w-l.Width)/2, top+pad
	for y := top; y < h; y++ {
		for x := range w {
			i := y*s.img.Stride + x*4
			cover := 0
			if lx, ly := x-x0, y-y0; lx >= 0 && lx < l.Width && ly >= 0 && ly < l.Height {
				cover = int(l.Mask[ly*l.Width+lx])
			}
			for ch := range 3 {
				v := int(s.img.Pix[i+ch]) * 38 / 100
				s.img.Pix[i+ch] = uint8(v + (250-v)*cover/255)
			}
		}
	}
	return nil
}
