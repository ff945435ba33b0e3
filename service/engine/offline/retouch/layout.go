package retouch

import (
	"image"
	"image/color"
	"math"

	"github.com/anthonynsimon/bild/transform"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"confab/service/engine"
	"confab/service/engine/offline/paint"
)

func (p *picture) flip(c clause) { p.turnOver(!has(c.text, "horizontally")) }

// turnOver mirrors the picture vertically, or else horizontally.
func (p *picture) turnOver(vertically bool) {
	if vertically {
		p.img = transform.FlipV(p.img)
	} else {
		p.img = transform.FlipH(p.img)
	}
}

// rotate rotates the picture by the degrees or the words of the clause.
func (p *picture) rotate(c clause) {
	angle := c.number(90)
	switch {
	case has(c.text, "half_turn") && c.number(-1) == -1:
		angle = 180
	case has(c.text, "left"):
		angle = -math.Abs(angle)
	}
	p.img = rotated(p.img, math.Mod(math.Mod(angle, 360)+360, 360))
}

// rotated rotates img clockwise by an angle in degrees on a white background. It scales the result down to the
// maximum size. Quarter turns keep every pixel.
func rotated(img *image.RGBA, degrees float64) *image.RGBA {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	scaler := draw.Interpolator(draw.BiLinear)
	if math.Mod(degrees, 90) == 0 {
		sin, cos, scaler = math.Round(sin), math.Round(cos), draw.NearestNeighbor
	}
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	width, height := w*math.Abs(cos)+h*math.Abs(sin), w*math.Abs(sin)+h*math.Abs(cos)
	k := min(1, math.Sqrt(maxResult/(width*height)))
	width, height = width*k, height*k
	out := filled(image.Rect(0, 0, max(1, int(width)), max(1, int(height))), color.White)
	scaler.Transform(out, f64.Aff3{
		k * cos, -k * sin, width/2 - k*(cos*w/2-sin*h/2),
		k * sin, k * cos, height/2 - k*(sin*w/2+cos*h/2),
	}, img, img.Rect, draw.Over, nil)
	return out
}

// filled returns a picture of one colour.
func filled(r image.Rectangle, c color.Color) *image.RGBA {
	img := image.NewRGBA(r)
	draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

// crop keeps the middle of the picture in the ratio of the clause.
func (p *picture) crop(c clause) {
	w, h := float64(p.img.Rect.Dx()), float64(p.img.Rect.Dy())
	x, y := w, h
	if ratio := loadedVocabulary().Words["ratio"].FindString(c.text); ratio != "" {
		if x, y, p.err = engine.ParseAspect(ratio); p.err != nil {
			return
		}
	} else if has(c.text, "square") {
		x, y = 1, 1
	} else {
		w, h = 0.72*w, 0.72*h
	}
	p.img = centre(p.img, min(w, h*x/y), min(h, w*y/x))
}

// centre returns the middle of img, w by h pixels.
func centre(img *image.RGBA, w, h float64) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(math.Round(w))), max(1, int(math.Round(h)))))
	from := img.Rect.Max.Sub(out.Rect.Max).Div(2)
	draw.Draw(out, out.Rect, img, from, draw.Src)
	return out
}

func (p *picture) halve(clause) {
	out := image.NewRGBA(image.Rect(0, 0, max(1, p.img.Rect.Dx()/2), max(1, p.img.Rect.Dy()/2)))
	draw.CatmullRom.Scale(out, out.Rect, p.img, p.img.Rect, draw.Src, nil)
	p.img = out
}

// border scales the picture into a frame and keeps the total size.
func (p *picture) border(c clause) {
	b, units := p.img.Rect, 34.0
	switch {
	case has(c.text, "thin"):
		units *= 0.45
	case has(c.text, "thick"):
		units *= 2
	}
	margin := min(max(2, int(units*p.unit())), b.Dx()/3, b.Dy()/3)
	bottom := margin
	if has(c.text, "polaroid") {
		bottom = min(margin*4, b.Dy()/3)
	}
	inner := image.Rect(margin, margin, b.Dx()-margin, b.Dy()-bottom)
	colour := colourIn(loadedVocabulary().Words["frame"].FindString(c.text))
	out := filled(b, colour)
	line := image.NewUniform(color.NRGBA{100, 100, 100, 150}) // between frame and picture
	draw.Draw(out, inner.Inset(-max(1, margin/12)), line, image.Point{}, draw.Over)
	aspect := float64(max(1, inner.Dx())) / float64(max(1, inner.Dy()))
	part := centre(p.img, min(float64(b.Dx()), float64(b.Dy())*aspect), min(float64(b.Dy()), float64(b.Dx())/aspect))
	draw.CatmullRom.Scale(out, inner, part, part.Rect, draw.Src, nil)
	p.img = out
}

// caption writes one line of text on a dark band at the bottom.
func (p *picture) caption(c clause) {
	// The words are quoted or follow the verb.
	text := loadedVocabulary().Words["caption"].ReplaceAllString(c.text, "")
	if len(c.quotes) > 0 {
		text = c.quotes[0]
	}
	text = ansi.Truncate(text, 120, "…")
	refuse := func(message string) { p.err = &engine.Error{Status: 422, Code: "bad_request", Message: message} }
	if text == "" {
		refuse("A caption needs its words in quotes, as in: caption \"Hello\".")
		return
	}
	w, h := p.img.Rect.Dx(), p.img.Rect.Dy()
	line, err := paint.NewText(text, float64(w)*0.9, min(float64(h)*0.14, 58*p.unit()))
	if err != nil {
		p.err = &engine.Error{Status: 500, Code: "service", Message: "The caption could not be written.", Err: err}
		return
	}
	if !line.HasAllLetters {
		refuse("The offline engine's font has no letters for this caption; Latin, Greek and Cyrillic it has.")
		return
	}
	band := image.Rect(0, max(0, h-line.Height-2*(line.Height/3)), w, h)
	draw.Draw(p.img, band, image.NewUniform(color.RGBA{A: 158}), image.Point{}, draw.Over)
	line.Draw(p.img, image.Pt((w-line.Width)/2, band.Min.Y+line.Height/3), color.Gray{250})
}
