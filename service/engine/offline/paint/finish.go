package paint

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math"
)

// finish gives the picture the surface of its style.
func (s *scene) finish() {
	switch s.b.style {
	case "oil":
		src := append([]float32(nil), s.pix...)
		s.brush(12, 1)
		s.brush(6, 0.9)
		s.brush(3.5, 0.5)
		s.keepEdges(src, 0.72)
		s.grain(0.016)
	case "watercolour":
		s.watercolour()
	case "ink":
		s.inkWash()
	case "pencil":
		s.pencil()
	case "pixel":
		s.pixelate()
		return
	case "neon":
		s.halo(0.55)
		s.grain(0.02)
	case "photo":
		s.halo(0.25)
		s.grain(0.02)
	default:
		if s.flat {
			s.grain(0.022)
			s.mat()
			return
		}
		s.halo(0.16)
		src := append([]float32(nil), s.pix...)
		s.brush(8, 0.6)
		s.keepEdges(src, 0.95)
		s.grain(0.014)
	}
	s.vignette(0.22)
}

// vignette darkens the corners.
func (s *scene) vignette(k float64) {
	cx, cy := s.W()/2, s.H()/2
	inv := 1 / (cx*cx + cy*cy)
	for y := range s.h {
		dy := (float64(y) - cy) * (float64(y) - cy)
		for x := range s.w {
			dx := float64(x) - cx
			d := (dx*dx + dy) * inv
			f := float32(1 - k*d*d)
			i := (y*s.w + x) * 3
			s.pix[i], s.pix[i+1], s.pix[i+2] = s.pix[i]*f, s.pix[i+1]*f, s.pix[i+2]*f
		}
	}
}

// grain is fine noise of the given strength.
func (s *scene) grain(k float64) {
	state := s.seed | 1
	f := float32(k) / (1 << 31)
	for i := 0; i < len(s.pix); i += 3 {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		n := float32(int32(state)) * f
		s.pix[i] += n
		s.pix[i+1] += n
		s.pix[i+2] += n
	}
}

// halo lets bright places shine over their surroundings.
func (s *scene) halo(k float32) {
	const q = 8
	w, h := s.w/q+1, s.h/q+1
	small := make([]float32, w*h*3)
	for y := range s.h {
		for x := range s.w {
			i, j := (y*s.w+x)*3, ((y/q)*w+x/q)*3
			l := max(0, 0.3*s.pix[i]+0.59*s.pix[i+1]+0.11*s.pix[i+2]-0.58)
			small[j] += s.pix[i] * l
			small[j+1] += s.pix[i+1] * l
			small[j+2] += s.pix[i+2] * l
		}
	}
	r := max(2, int(s.u*34/q))
	for range 2 {
		boxBlur(small, w, h, r)
	}
	norm := k * 2.4 / (q * q)
	for ch := range 3 {
		f := &field{w: w + 1, h: h + 1, step: q, v: make([]float32, (w+1)*(h+1))}
		for y := range h + 1 {
			for x := range w + 1 {
				f.v[y*(w+1)+x] = small[(min(y, h-1)*w+min(x, w-1))*3+ch] * norm
			}
		}
		for y := range s.h {
			for x := range s.w {
				i := (y*s.w+x)*3 + ch
				s.pix[i] += f.at(x, y) * max(0, 1.1-s.pix[i])
			}
		}
	}
}

// boxBlur averages over 2r+1 points in both directions.
func boxBlur(v []float32, w, h, r int) {
	line := make([]float32, max(w, h))
	pass := func(start, step, n int) {
		var sum float32
		for i := -r; i <= r; i++ {
			sum += v[start+min(n-1, max(0, i))*step]
		}
		for i := range n {
			line[i] = sum / float32(2*r+1)
			sum += v[start+min(n-1, i+r+1)*step] - v[start+max(0, i-r)*step]
		}
		for i := range n {
			v[start+i*step] = line[i]
		}
	}
	for ch := range 3 {
		for y := range h {
			pass(y*w*3+ch, 3, w)
		}
		for x := range w {
			pass(x*3+ch, w*3, h)
		}
	}
}

// mat is the paper margin of a poster.
func (s *scene) mat() {
	m := s.u * 26
	paper := hex(0xf6f0e2)
	w, h, r := s.W(), s.H(), s.u*14
	for y := range s.h {
		for x := range s.w {
			dx := max(m+r-float64(x), float64(x)-(w-m-r), 0)
			dy := max(m+r-float64(y), float64(y)-(h-m-r), 0)
			if dx == 0 && dy == 0 {
				continue
			}
			if a := clamp(math.Hypot(dx, dy) - r); a > 0 {
				s.set(x, y, s.get(x, y).mix(paper, a))
			}
		}
	}
}

// encode dithers the picture to 8 bits and writes it as PNG or JPEG.
func (s *scene) encode(lossless bool) ([]byte, string, error) {
	img := image.NewRGBA(image.Rect(0, 0, s.w, s.h))
	state := s.seed*2654435761 | 1
	for i, j := 0, 0; i < len(s.pix); i, j = i+3, j+4 {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		n := float32(state>>8) / (1 << 24)
		for ch := range 3 {
			img.Pix[j+ch] = uint8(min(255, max(0, s.pix[i+ch]*255+n)))
		}
		img.Pix[j+3] = 255
	}
	var out bytes.Buffer
	if lossless {
		if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, img); err != nil {
			return nil, "", fmt.Errorf("encode picture: %w", err)
		}
		return out.Bytes(), "image/png", nil
	}
	if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: 92}); err != nil {
		return nil, "", fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), "image/jpeg", nil
}
