package paint

import "math"

// hashNoise returns a number from 0 to 1 that depends on x, y and seed alone.
func hashNoise(x, y int, seed uint32) float64 {
	h := uint32(x)*0x9E3779B1 ^ uint32(y)*0x85EBCA77 ^ seed*0xC2B2AE3D
	h ^= h >> 15
	h *= 0x2C1B3C6D
	h ^= h >> 12
	h *= 0x297A2D39
	h ^= h >> 15
	return float64(h) / (1 << 32)
}

// valueNoise is smooth noise from 0 to 1.
func valueNoise(x, y float64, seed uint32) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int(fx), int(fy)
	tx, ty := x-fx, y-fy
	tx, ty = tx*tx*(3-2*tx), ty*ty*(3-2*ty)
	a := lerp(hashNoise(ix, iy, seed), hashNoise(ix+1, iy, seed), tx)
	b := lerp(hashNoise(ix, iy+1, seed), hashNoise(ix+1, iy+1, seed), tx)
	return lerp(a, b, ty)
}

// fbm is fractal Brownian motion: value noise summed over octaves, from 0 to 1.
func fbm(x, y float64, octaves int, seed uint32) float64 {
	sum, amplitude, total := 0.0, 0.5, 0.0
	for i := range octaves {
		sum += amplitude * valueNoise(x, y, seed+uint32(i)*101)
		total += amplitude
		amplitude /= 2
		x, y = x*2.03+17, y*2.03+9
	}
	return sum / total
}

// noiseGrid holds the values of a function at every step-th pixel and interpolates between them: the function is too
// slow to be called for every pixel.
type noiseGrid struct {
	w, step int
	v       []float32
}

// noiseGrid evaluates a function for the rows of the canvas above bottom.
func (c *canvas) noiseGrid(bottom, step int, value func(x, y float64) float64) *noiseGrid {
	g := &noiseGrid{w: c.w/step + 2, step: step}
	g.v = make([]float32, g.w*(bottom/step+2))
	for i := range g.v {
		if i%g.w == 0 && c.isCanceled() {
			break
		}
		g.v[i] = float32(value(float64(i%g.w*step), float64(i/g.w*step)))
	}
	return g
}

// sample interpolates the value at a pixel.
func (g *noiseGrid) sample(x, y int) float32 {
	i, j := x/g.step, y/g.step
	tx := float32(x-i*g.step) / float32(g.step)
	ty := float32(y-j*g.step) / float32(g.step)
	v := g.v[j*g.w+i:]
	a := v[0] + (v[1]-v[0])*tx
	b := v[g.w] + (v[g.w+1]-v[g.w])*tx
	return a + (b-a)*ty
}
