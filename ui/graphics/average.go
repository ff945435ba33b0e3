package graphics

import (
	"encoding/binary"
	"image"
	"image/color"
)

// sums adds up the pixels of one box: alpha-premultiplied colour, 8 bits each.
type sums struct{ r, g, b, a uint64 }

// average shrinks (or enlarges) img to w by h pixels. Each is the mean of the
// pixels it stands for, which is what the eye does, and costs less than a filter
// that nobody sees at this size. The types the decoders return are read where
// they lie; nothing of the size of img is reserved.
func average(img image.Image, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	b := img.Bounds()
	if b.Empty() || w < 1 || h < 1 {
		return out
	}
	if y, ok := img.(*image.YCbCr); ok {
		averageYCbCr(y, out)
		return out
	}
	edges := boxEdges(b.Dx(), w)
	row := make([]sums, w)
	add := rowAdder(img)
	for oy := range h {
		clear(row)
		y0, y1 := box(oy, b.Dy(), h)
		for y := y0; y < y1; y++ {
			add(b.Min.Y+y, edges, row)
		}
		line := out.Pix[oy*out.Stride:]
		for ox, s := range row {
			n := uint64((edges[ox].to - edges[ox].from) * (y1 - y0))
			half := n / 2
			p := line[ox*4 : ox*4+4 : ox*4+4]
			p[0] = uint8((s.r + half) / n)
			p[1] = uint8((s.g + half) / n)
			p[2] = uint8((s.b + half) / n)
			p[3] = uint8((s.a + half) / n)
		}
	}
	return out
}

// edge is the range of source pixels of one pixel.
type edge struct{ from, to int }

// boxEdges returns the ranges of all pixels of a row.
func boxEdges(size, n int) []edge {
	edges := make([]edge, n)
	for i := range edges {
		edges[i].from, edges[i].to = box(i, size, n)
	}
	return edges
}

// box returns the range of the source that pixel i of n stands for, one at least.
func box(i, size, n int) (from, to int) {
	from = int(int64(i) * int64(size) / int64(n))
	to = int(int64(i+1) * int64(size) / int64(n))
	return from, max(to, from+1)
}

// rowAdder returns what adds row y of img to the sums of its boxes.
func rowAdder(img image.Image) func(y int, edges []edge, row []sums) {
	switch img := img.(type) {
	case *image.RGBA:
		return func(y int, edges []edge, row []sums) {
			addRGBA(img.Pix[img.PixOffset(img.Rect.Min.X, y):], edges, row)
		}
	case *image.NRGBA:
		return func(y int, edges []edge, row []sums) {
			addNRGBA(img.Pix[img.PixOffset(img.Rect.Min.X, y):], edges, row)
		}
	case *image.Gray:
		return func(y int, edges []edge, row []sums) {
			addGray(img.Pix[img.PixOffset(img.Rect.Min.X, y):], edges, row)
		}
	case *image.Paletted:
		palette := paletteOf(img)
		return func(y int, edges []edge, row []sums) {
			addPaletted(img.Pix[img.PixOffset(img.Rect.Min.X, y):], &palette, edges, row)
		}
	}
	return func(y int, edges []edge, row []sums) { addAny(img, y, edges, row) }
}

// addRGBA adds two channels of a pixel at once, 16 bits for each: enough for 256
// pixels.
func addRGBA(pix []uint8, edges []edge, row []sums) {
	for i, e := range edges {
		for p := pix[e.from*4 : e.to*4]; len(p) > 0; {
			n := min(len(p), 4*256)
			var rb, ga uint32
			for q := p[:n]; len(q) >= 4; q = q[4:] {
				v := binary.LittleEndian.Uint32(q)
				rb += v & 0xff00ff
				ga += v >> 8 & 0xff00ff
			}
			row[i].add(rb&0xffff, ga&0xffff, rb>>16, ga>>16)
			p = p[n:]
		}
	}
}

func addNRGBA(pix []uint8, edges []edge, row []sums) {
	for i, e := range edges {
		var r, g, b, a uint32
		for p := pix[e.from*4 : e.to*4]; len(p) >= 4; p = p[4:] {
			alpha := uint32(p[3])
			if alpha == 255 {
				r += uint32(p[0])
				g += uint32(p[1])
				b += uint32(p[2])
			} else {
				r += uint32(p[0]) * alpha / 255
				g += uint32(p[1]) * alpha / 255
				b += uint32(p[2]) * alpha / 255
			}
			a += alpha
		}
		row[i].add(r, g, b, a)
	}
}

func addGray(pix []uint8, edges []edge, row []sums) {
	for i, e := range edges {
		var v uint32
		for _, p := range pix[e.from:e.to] {
			v += uint32(p)
		}
		row[i].add(v, v, v, 255*uint32(e.to-e.from))
	}
}

// paletteOf returns the premultiplied colours of a picture's palette.
func paletteOf(img *image.Paletted) (palette [256]color.RGBA) {
	for i, c := range img.Palette[:min(len(img.Palette), 256)] {
		palette[i] = color.RGBAModel.Convert(c).(color.RGBA)
	}
	return palette
}

func addPaletted(pix []uint8, palette *[256]color.RGBA, edges []edge, row []sums) {
	for i, e := range edges {
		var r, g, b, a uint32
		for _, p := range pix[e.from:e.to] {
			c := &palette[p]
			r += uint32(c.R)
			g += uint32(c.G)
			b += uint32(c.B)
			a += uint32(c.A)
		}
		row[i].add(r, g, b, a)
	}
}

// addAny reads a picture of a rare type: 16 bits a channel, CMYK.
func addAny(img image.Image, y int, edges []edge, row []sums) {
	x0 := img.Bounds().Min.X
	deep, _ := img.(image.RGBA64Image)
	for i, e := range edges {
		for x := e.from; x < e.to; x++ {
			var r, g, b, a uint32
			if deep != nil {
				c := deep.RGBA64At(x0+x, y)
				r, g, b, a = uint32(c.R), uint32(c.G), uint32(c.B), uint32(c.A)
			} else {
				r, g, b, a = img.At(x0+x, y).RGBA()
			}
			row[i].add(r>>8, g>>8, b>>8, a>>8)
		}
	}
}

func (s *sums) add(r, g, b, a uint32) {
	s.r += uint64(r)
	s.g += uint64(g)
	s.b += uint64(b)
	s.a += uint64(a)
}

// averageYCbCr takes the mean of each plane by itself and then the colour of the
// means: the planes of colour are often a quarter of the size.
func averageYCbCr(img *image.YCbCr, out *image.RGBA) {
	w, h := out.Rect.Dx(), out.Rect.Dy()
	b := img.Rect
	dx, dy := chromaStep(img.SubsampleRatio)
	luma := boxEdges(b.Dx(), w)
	chroma := make([]edge, w)
	for i, e := range luma { // in samples of the row, which may start inside one
		first := b.Min.X / dx
		chroma[i] = edge{(b.Min.X+e.from)/dx - first, (b.Min.X+e.to-1)/dx - first + 1}
	}
	sumY, sumB, sumR := make([]uint64, w), make([]uint64, w), make([]uint64, w)
	for oy := range h {
		clear(sumY)
		clear(sumB)
		clear(sumR)
		y0, y1 := box(oy, b.Dy(), h)
		rows, last := 0, -1
		for y := y0; y < y1; y++ {
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
			n := uint64((luma[ox].to - luma[ox].from) * (y1 - y0))
			m := uint64((chroma[ox].to - chroma[ox].from) * rows)
			r, g, b := color.YCbCrToRGB(uint8((sumY[ox]+n/2)/n), uint8((sumB[ox]+m/2)/m), uint8((sumR[ox]+m/2)/m))
			p := line[ox*4 : ox*4+4 : ox*4+4]
			p[0], p[1], p[2], p[3] = r, g, b, 255
		}
	}
}

// addPlane adds eight samples at once, two of them in each 16 bits: enough for
// 1,024 samples.
func addPlane(plane []uint8, edges []edge, row []uint64) {
	const every2nd = 0x00ff00ff00ff00ff
	for i, e := range edges {
		for p := plane[e.from:e.to]; len(p) > 0; {
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
			row[i] += sum + pairs&0xffff + pairs>>16&0xffff + pairs>>32&0xffff + pairs>>48
		}
	}
}

// chromaStep returns how many pixels across and down one sample of colour covers.
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
