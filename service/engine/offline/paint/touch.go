package paint

import (
	"context"
	"fmt"
	"image"
	"math"
)

// Touches are what [Touch] can do.
func Touches() []string {
	return []string{"oil", "watercolour", "ink", "pencil", "rain", "snow", "fog", "stars", "moon", "sun", "rainbow", "clouds", "birds", "boat", "balloon", "lighthouse", "house", "tree", "cat", "fox", "dog", "rabbit", "flower", "butterfly", "rocket", "deer", "castle"}
}

// Touch paints one thing onto img: a manner such as oil, weather, or an object
// that fits the light of the picture. Img is opaque and starts at 0, 0.
func Touch(ctx context.Context, img *image.RGBA, what string, seed uint64) error {
	s := sceneOf(ctx, img, seed)
	switch what {
	case "oil":
		src := append([]float32(nil), s.pix...)
		s.brush(11, 1)
		s.brush(6, 0.9)
		s.keepEdges(src, 0.6)
	case "watercolour":
		s.watercolour()
	case "ink":
		s.inkWash()
	case "pencil":
		s.pencil()
	case "rain":
		s.rain()
	case "snow":
		s.snow()
	case "fog":
		for i := range 4 {
			s.fogBank(s.H()*(0.35+0.16*float64(i)), s.H()*0.12, 0.5)
		}
	case "clouds":
		for range 4 {
			s.flatCloud(s.between(0, 1)*s.W(), s.between(0.06, 0.3)*s.H(), s.u*s.between(130, 260), hex(0xffffff).mix(s.p.haze, 0.25))
		}
	case "stars":
		s.b.weather["stars"] = true
		s.horizon = s.H() * 0.5
		s.starsOn()
	case "moon", "sun":
		s.b.time = map[string]string{"moon": "night", "sun": "day"}[what]
		s.hasDisc = true
		s.sunX, s.sunY, s.sunR = s.side(0.72), s.H()*0.18, s.u*52
		s.disc()
	case "rainbow":
		s.horizon = s.H() * 0.75
		s.rainbow()
	default:
		s.object(what)
	}
	s.store(img)
	if s.stopped() {
		return fmt.Errorf("touch picture: %w", context.Cause(ctx))
	}
	return nil
}

// object draws a thing where it usually stands.
func (s *scene) object(what string) {
	x := s.side(s.between(0.26, 0.40))
	switch what {
	case "birds":
		s.horizon = s.H() * 0.6
		s.flock(8)
	case "boat":
		s.boat(x, s.H()*0.80, s.u*260, thing{})
	case "balloon":
		s.balloon(x, s.H()*0.28, s.u*95, hex(0xd9483b))
	case "lighthouse":
		s.lighthouse(x, s.H()*0.82, s.u*420, thing{})
	case "house":
		s.house(x, s.H()*0.86, s.u*260, thing{}, 0)
	case "castle":
		s.castle(x, s.H()*0.82, s.u*380, 0)
	case "tree":
		s.roundTree(x, s.H()*0.95, s.u*460, 0)
	case "deer":
		s.deer(x, s.H()*0.94, s.u*380, 0)
	case "flower":
		for i := range 7 {
			s.flower(s.between(0.03, 0.97)*s.W(), s.H()*1.03, s.u*s.between(170, 330), stops(0xd9483b, 0xf2c744, 0xe98bb0)[i%3], 7)
		}
	case "butterfly":
		s.butterfly(x, s.H()*0.45, s.u*90, hex(0xe8863a))
		s.butterfly(s.side(0.7), s.H()*0.6, s.u*60, hex(0x3f77c2))
	case "rocket":
		s.rocket(x, s.H()*0.4, s.u*330)
	default:
		s.sitting(x, s.H()*0.96, s.u*430, what, thing{})
	}
}

// starsOn puts stars where the picture is dark and even enough to be sky.
func (s *scene) starsOn() {
	for range 420 {
		x, y := s.rng.IntN(s.w), s.rng.IntN(max(1, int(s.horizon)))
		here, beside := s.get(x, y).luma(), s.get(min(s.w-1, x+4), min(s.h-1, y+4)).luma()
		if here > 0.42 || math.Abs(here-beside) > 0.03 {
			continue
		}
		r := s.u * (0.7 + 1.4*math.Pow(s.rng.Float64(), 3))
		s.fill(px().oval(float64(x), float64(y), r, r), solid(hex(0xf2f4ff)).faint(s.between(0.5, 1)))
	}
}

// sceneOf makes a scene of a finished picture, in the light that it shows.
func sceneOf(ctx context.Context, img *image.RGBA, seed uint64) *scene {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	c := newCanvas(ctx, w, h, seed)
	var sum, sky rgb
	n := float32(0)
	for y := range h {
		row := img.Pix[y*img.Stride : y*img.Stride+w*4]
		out := c.pix[y*w*3 : (y+1)*w*3]
		for x := range w {
			r, g, b := float32(row[x*4])/255, float32(row[x*4+1])/255, float32(row[x*4+2])/255
			out[x*3], out[x*3+1], out[x*3+2] = r, g, b
			if (x+y)%17 == 0 {
				sum, n = rgb{sum.r + r, sum.g + g, sum.b + b}, n+1
			}
		}
	}
	sum = sum.scale(1 / float64(max(n, 1)))
	sky = c.get(w/2, h/8)
	b := &brief{time: "day", weather: map[string]bool{}, place: "touch"}
	if sum.luma() < 0.3 {
		b.time = "night"
	}
	p := daytime(b.time, 0)
	p.haze = sky.mix(sum, 0.4)
	k := 0.45 + 0.75*sum.luma()
	p.ambient = rgb{1, 1, 1}.mix(sum.scale(1/max(0.1, sum.luma())), 0.35).scale(min(1, k))
	s := &scene{canvas: c, b: b, p: p, horizon: float64(h) * 0.6, from: 1, busy: c.chance(0.5)}
	if !s.busy {
		s.from = -1
	}
	s.sunX, s.sunY, s.sunR = s.side(0.75), float64(h)*0.2, s.u*50
	return s
}

// store writes the scene back into img.
func (s *scene) store(img *image.RGBA) {
	for y := range s.h {
		row := img.Pix[y*img.Stride : y*img.Stride+s.w*4]
		in := s.pix[y*s.w*3 : (y+1)*s.w*3]
		for x := range s.w {
			for ch := range 3 {
				row[x*4+ch] = uint8(min(255, max(0, in[x*3+ch]*255+0.5)))
			}
			row[x*4+3] = 255
		}
	}
}
