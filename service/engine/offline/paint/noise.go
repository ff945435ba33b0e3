package paint

import "math"

// lattice is a value in 0..1 that depends on the place and the seed alone.
func lattice(x, y int, seed uint32) float64 {
	h := uint32(x)*0x9E3779B1 ^ uint32(y)*0x85EBCA77 ^ seed*0xC2B2AE3D
	h ^= h >> 15
	h *= 0x2C1B3C6D
	h ^= h >> 12
	h *= 0x297A2D39
	h ^= h >> 15
	return float64(h) / (1 << 32)
}

// noise is smooth value noise in 0..1.
func noise(x, y float64, seed uint32) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int(fx), int(fy)
	tx, ty := x-fx, y-fy
	tx, ty = tx*tx*(3-2*tx), ty*ty*(3-2*ty)
	a := lerp(lattice(ix, iy, seed), lattice(ix+1, iy, seed), tx)
	b := lerp(lattice(ix, iy+1, seed), lattice(ix+1, iy+1, seed), tx)
	return lerp(a, b, ty)
}

// fbm is noise of several octaves, 0..1.
func fbm(x, y float64, octaves int, seed uint32) float64 {
	sum, amp, whole := 0.0, 0.5, 0.0
	for i := range octaves {
		sum += amp * noise(x, y, seed+uint32(i)*101)
		whole += amp
		amp /= 2
		x, y = x*2.03+17, y*2.03+9
	}
	return sum / whole
}

// field is a grid of values that is cheaper to fill than every px and is read
// between its points.
type field struct {
	w, h, step int
	v          []float32
}

func newField(w, h, step int, at func(x, y float64) float64) *field {
	f := &field{w: w/step + 2, h: h/step + 2, step: step}
	f.v = make([]float32, f.w*f.h)
	for j := range f.h {
		for i := range f.w {
			f.v[j*f.w+i] = float32(at(float64(i*step), float64(j*step)))
		}
	}
	return f
}

func (f *field) at(x, y int) float32 {
	i, j := x/f.step, y/f.step
	tx := float32(x-i*f.step) / float32(f.step)
	ty := float32(y-j*f.step) / float32(f.step)
	k := j*f.w + i
	a := f.v[k] + (f.v[k+1]-f.v[k])*tx
	b := f.v[k+f.w] + (f.v[k+f.w+1]-f.v[k+f.w])*tx
	return a + (b-a)*ty
}
