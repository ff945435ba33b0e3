package graphics

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
)

// colorSum adds up the pixels that one pixel of a smaller picture stands for: alpha-premultiplied, 8 bits a channel.
type colorSum struct{ r, g, b, a uint64 }

// pixelRange is the range of source pixels, on one axis, that a pixel of the result stands for.
type pixelRange struct{ from, to int }

// shrink scales img to w by h pixels. Each pixel of the result is the mean of the pixels it stands for, which costs
// less than a filter and looks the same at this size. The types that decoders return for photographs and screenshots
// are read in place, other types row by row; no copy of img is made.
func shrink(img image.Image, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	b := img.Bounds()
	if b.Empty() || w < 1 || h < 1 {
		return out
	}
	if y, ok := img.(*image.YCbCr); ok {
		shrinkYCbCr(y, out)
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

// shrinkYCbCr takes the mean of each plane by itself and then the color of the means: the planes of color are often a
// quarter of the size.
func shrinkYCbCr(img *image.YCbCr, out *image.RGBA) {
	w, h := out.Rect.Dx(), out.Rect.Dy()
	b := img.Rect
	dx, dy := chromaStep(img.SubsampleRatio)
	luma := pixelRanges(b.Dx(), w)
	chroma := make([]pixelRange, w)
	for i, e := range luma { // in samples of the row, which may start inside a sample
		first := b.Min.X / dx
		chroma[i] = pixelRange{(b.Min.X+e.from)/dx - first, (b.Min.X+e.to-1)/dx - first + 1}
	}
	sumY, sumB, sumR := make([]uint64, w), make([]uint64, w), make([]uint64, w)
	for oy, box := range pixelRanges(b.Dy(), h) {
		clear(sumY)
		clear(sumB)
		clear(sumR)
		rows, last := 0, -1
		for y := box.from; y < box.to; y++ {
			addPlane(img.Y[img.YOffset(b.Min.X, b.Min.Y+y):], luma, sumY)
			if at := (b.Min.Y + y) / dy; at != last {
				offset := img.COffset(b.Min.X, b.Min.Y+y)
				addPlane(img.Cb[offset:], chroma, sumB)
				addPlane(img.Cr[offset:], chroma, sumR)
				rows, last = rows+1, at
			}
		}
		line := out.Pix[oy*out.Stride:]
		for ox := range w {
			n := uint64((luma[ox].to - luma[ox].from) * (box.to - box.from))
			m := uint64((chroma[ox].to - chroma[ox].from) * rows)
			r, g, b := color.YCbCrToRGB(uint8((sumY[ox]+n/2)/n), uint8((sumB[ox]+m/2)/m), uint8((sumR[ox]+m/2)/m))
			p := line[ox*4 : ox*4+4 : ox*4+4]
			p[0], p[1], p[2], p[3] = r, g, b, 255
		}
	}
}

// addPlane adds the samples of a row to the sums of its ranges: eight samples at once, with 16 bits for each sum, which
// is enough for 1,024 samples.
func addPlane(plane []uint8, columns []pixelRange, sums []uint64) {
	const every2nd = 0x00ff00ff00ff00ff
	for i, c := range columns {
		for p := plane[c.from:c.to]; len(p) > 0; {
			n := min(len(p), 1024)
			q := p[:n]
			p = p[n:]
			var pairs, sum uint64
			for ; len(q) >= 8; q = q[8:] {
				v := binary.LittleEndian.Uint64(q)
				pairs += v&every2nd + v>>8&every2nd
			}
			for _, s := range q {
				sum += uint64(s)
			}
			sums[i] += sum + pairs&0xffff + pairs>>16&0xffff + pairs>>32&0xffff + pairs>>48
		}
	}
}

// chromaStep returns how many pixels across and down one sample of color covers.
func chromaStep(r image.YCbCrSubsampleRatio) (dx, dy int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}
