package pixels

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"
)

// lightTables convert between sRGB values and linear light. Averages of sRGB values would be too dark, and fine lines
// would fade.
type lightTables struct {
	light [256]uint16 // by value
	value [4096]uint8 // by light without its lowest four bits
}

// loadedTables returns the tables, built on first use.
var loadedTables = sync.OnceValue(func() *lightTables {
	t := &lightTables{}
	for i := range t.light {
		v := float64(i) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		t.light[i] = uint16(math.Round(v * 65535))
	}
	for i := range t.value {
		v := (float64(i) + 0.5) / float64(len(t.value))
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		t.value[i] = uint8(math.Round(v * 255))
	}
	return t
})

// span is the range of source pixels on one axis for a pixel of the result.
type span struct {
	from, to    int
	first, last uint64 // weights of the first and the last one, out of 256
	total       uint64 // of all weights
}

// spans divides size pixels into n equal ranges, which may split pixels.
func spans(size, n int) []span {
	all := make([]span, n)
	for i := range all {
		low := int64(i) * int64(size) * 256 / int64(n)
		high := max(int64(i+1)*int64(size)*256/int64(n), low+1)
		s := span{from: int(low / 256), to: int((high + 255) / 256), total: uint64(high - low)}
		s.first, s.last = uint64(256-low%256), uint64(high-int64(s.to-1)*256)
		if s.to-s.from == 1 {
			s.first = s.total
		}
		all[i] = s
	}
	return all
}

// part returns the weight of a source pixel, out of 256.
func (s span) part(at int) uint64 {
	switch at {
	case s.from:
		return s.first
	case s.to - 1:
		return s.last
	}
	return 256
}

// lightSum sums up the pixels for one pixel of the result: 16 bits of light times alpha, and 8 bits of alpha.
type lightSum struct{ r, g, b, a uint64 }

// Scale scales img to w by h px by averaging the linear light of the source pixels, which suits smaller results;
// larger ones get hard edges. It converts types other than RGBA row by row without a copy.
func Scale(img image.Image, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	b := img.Bounds()
	if b.Empty() || w < 1 || h < 1 {
		return out
	}
	t := loadedTables()
	columns, sums := spans(b.Dx(), w), make([]lightSum, w)
	rgba, isRGBA := img.(*image.RGBA)
	row := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	for oy, rows := range spans(b.Dy(), h) {
		clear(sums)
		for y := rows.from; y < rows.to; y++ {
			pixels := row.Pix
			if isRGBA {
				pixels = rgba.Pix[rgba.PixOffset(b.Min.X, b.Min.Y+y):]
			} else {
				draw.Draw(row, row.Rect, img, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
			}
			t.addRow(pixels, columns, sums, rows.part(y))
		}
		line := out.Pix[oy*out.Stride:]
		for ox, s := range sums {
			t.put(line[ox*4:ox*4+4:ox*4+4], s, columns[ox].total*rows.total)
		}
	}
	return out
}

// addRow adds a weighted row of RGBA pixels to the sums of its columns.
func (t *lightTables) addRow(pixels []uint8, columns []span, sums []lightSum, part uint64) {
	for i, c := range columns {
		s := &sums[i]
		t.add(pixels[4*c.from:4*c.from+4], s, part*c.first)
		if c.to-c.from > 1 {
			t.add(pixels[4*c.from+4:4*c.to-4], s, part*256)
			t.add(pixels[4*c.to-4:4*c.to], s, part*c.last)
		}
	}
}

// add adds a number of equal weighted pixels to a sum.
func (t *lightTables) add(pixels []uint8, s *lightSum, parts uint64) {
	var r, g, b, all uint64
	for p := pixels; len(p) >= 4; p = p[4:] {
		a := uint64(p[3])
		switch {
		case a == 255:
			r, g, b = r+uint64(t.light[p[0]]), g+uint64(t.light[p[1]]), b+uint64(t.light[p[2]])
		case a > 0:
			r, g, b = r+t.through(p[0], a), g+t.through(p[1], a), b+t.through(p[2], a)
		}
		all += a
	}
	s.r, s.g, s.b, s.a = s.r+parts*r, s.g+parts*g, s.b+parts*b, s.a+parts*all
}

// through returns the light of a premultiplied value times its alpha.
func (t *lightTables) through(value uint8, a uint64) uint64 {
	return uint64(t.light[min(uint64(value)*255/a, 255)]) * a / 255
}

// Flatten puts a color behind the transparent parts of a picture, in place.
func Flatten(img *image.RGBA, behind color.RGBA) { flatten(img, behind, 0) }

// FlattenTranslucent is [Flatten] for partly transparent pixels; fully transparent ones are not changed.
func FlattenTranslucent(img *image.RGBA, behind color.RGBA) { flatten(img, behind, 1) }

// flatten puts a color behind the pixels with at least a minimum alpha.
func flatten(img *image.RGBA, behind color.RGBA, least uint8) {
	for p := img.Pix; len(p) >= 4; p = p[4:] {
		if rest := 255 - int(p[3]); rest > 0 && p[3] >= least {
			p[0] += uint8(int(behind.R) * rest / 255)
			p[1] += uint8(int(behind.G) * rest / 255)
			p[2] += uint8(int(behind.B) * rest / 255)
			p[3] = 255
		}
	}
}

// put writes the average of a sum as a premultiplied pixel.
func (t *lightTables) put(p []uint8, s lightSum, parts uint64) {
	a := (s.a + parts/2) / parts
	if a == 0 {
		return
	}
	for i, sum := range []uint64{s.r, s.g, s.b} {
		light := (sum + parts/2) / parts
		if a < 255 {
			light = min(light*255/a, 65535)
		}
		p[i] = uint8((uint64(t.value[light>>4])*a + 127) / 255)
	}
	p[3] = uint8(a)
}
