package paint

import (
	"context"
	"fmt"
	"image"
	"math"
)

// ApplyEffect changes img: it repaints the picture in a style such as oil, or adds weather or an object in the light
// of the picture. The name is that of an operation, such as "cat". A strength of 1 is usual, a negative one does the
// opposite; not every effect has a strength. The picture is opaque and starts at 0, 0.
func ApplyEffect(ctx context.Context, img *image.RGBA, name string, strength float64, seed uint64) error {
	s := sceneOf(ctx, img, seed)
	s.strength = strength
	s.drawSteps(scenes().Effects[name])
	s.copyTo(img)
	if s.isCanceled() {
		return fmt.Errorf("apply effect to picture: %w", context.Cause(ctx))
	}
	return nil
}

// sceneOf returns a scene of a finished picture. Its palette follows the light of the picture.
func sceneOf(ctx context.Context, img *image.RGBA, seed uint64) *scene {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	c := newCanvas(ctx, w, h, seed)
	var sum rgb
	n := float32(0)
	for y := range h {
		for x := range w {
			p := img.Pix[y*img.Stride+x*4:]
			v := rgb{float32(p[0]) / 255, float32(p[1]) / 255, float32(p[2]) / 255}
			*c.at(x, y) = v
			if (x+y)%17 == 0 {
				sum, n = rgb{sum.r + v.r, sum.g + v.g, sum.b + v.b}, n+1
			}
		}
	}
	mean, sky := sum.scale(1/float64(max(n, 1))), *c.at(w/2, h/8)
	spec := &sceneSpec{time: "day", weather: map[string]bool{}}
	if mean.luma() < 0.3 {
		spec.time = "night"
	}
	p := newPalette(0, spec.time)
	ambient := rgb{1, 1, 1}.mix(mean.scale(1/max(0.1, mean.luma())), 0.35).scale(min(1, 0.45+0.75*mean.luma()))
	p.colors["haze"], p.colors["ambient"] = sky.mix(mean, 0.4), ambient
	p.colors["sunlight"] = p.colors["sun"].mul(ambient)
	s := &scene{canvas: c, sceneSpec: spec, pal: p, horizon: c.height * 0.6, lightSide: 1}
	if s.subjectLeft = c.chance(0.5); !s.subjectLeft {
		s.lightSide = -1
	}
	s.sunX, s.sunY, s.sunRadius = s.subjectX(0.75), c.height*0.2, c.unit*50
	return s
}

// AddObject draws an object at the share y of the height.
func (s *scene) AddObject(name string, y, size float64) {
	s.drawObject(object{name: name}, s.subjectX(s.uniform(0.26, 0.40)), s.height*y, s.unit*size, 0)
}

// Blur blurs the picture with three box blurs, which are nearly a Gaussian.
func (s *scene) Blur(radius float64) {
	for range 3 {
		s.boxBlur(max(1, int(math.Round(radius*s.unit))))
	}
}

// Filter is a change of colours, as scenes.toml explains it.
type filter struct {
	Mask   string
	Amount float64
	Matrix [12]float32
}

// Filter applies the named filters one after the other. A negative strength does the opposite.
func (s *scene) Filter(name string, strength float64) {
	for _, f := range scenes().Filters[name] {
		before, m := s.clone(), f.Matrix
		s.mapPixels(func(x, y int, c rgb) rgb {
			amount := min(1, f.Amount*strength*maskAt(f.Mask, before, x, y))
			c.blend(rgb{
				m[0]*c.r + m[1]*c.g + m[2]*c.b + m[3], m[4]*c.r + m[5]*c.g + m[6]*c.b + m[7],
				m[8]*c.r + m[9]*c.g + m[10]*c.b + m[11],
			}, float32(amount))
			return c
		})
	}
}

// maskAt returns how far a filter with the mask applies to the pixel at x, y.
func maskAt(mask string, img raster, x, y int) float64 {
	c, down := img.at(x, y), float64(y)/float64(img.h)
	r, g, b := float64(c.r), float64(c.g), float64(c.b)
	lamp := func() float64 { return smoothstep(0.30, 0.62, r-b) * smoothstep(0.62, 0.9, c.luma()) }
	switch mask {
	case "leaves":
		return smoothstep(0.02, 0.2, g-max(b, r*0.86))
	case "warm":
		return smoothstep(0.02, 0.25, max(r, g)-b)
	case "top":
		return 1 - smoothstep(0, 0.75, down)
	case "bottom":
		return smoothstep(0, 0.75, down)
	case "lamps":
		return lamp()
	case "unlit":
		return 1 - lamp()
	case "snow":
		// An edge that is brighter above than below is the top of something.
		reach := max(2, int(math.Sqrt(float64(img.w*img.h))/200))
		edge := img.at(x, y-reach).luma() - img.at(x, y+reach).luma()
		top := smoothstep(0.02, 0.22, edge) * smoothstep(0.2, 0.55, down)
		plants := smoothstep(0.02, 0.2, max(g-b, r-b))
		ground := plants * smoothstep(0.12, 0.6, c.luma()) * smoothstep(0.15, 0.7, down)
		return min(0.88, 0.62*ground+0.55*top)
	}
	return 1
}
