package graphics

import (
	"encoding/binary"
	"image"
	"image/draw"
)

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
