package paint

import (
	"context"
	"fmt"
	"image"
	"math"
)

// Effect is a change of a finished picture.
type Effect struct {
	Name     string  // as in the operations of an instruction, such as "oil" or "cat"
	Strength float64 // 1 is usual, a negative one does the opposite; not every effect has a strength
	Seed     uint64
}

// ApplyEffect changes img: it repaints the picture in a style such as oil, or adds weather or an object in the light
// of the picture. The picture is opaque and starts at 0, 0.
func ApplyEffect(ctx context.Context, img *image.RGBA, effect Effect) error {
	s := sceneOf(ctx, img, effect)
	s.drawSteps(scenes().Effects[effect.Name])
	s.copyTo(img)
	if s.isCanceled() {
		return fmt.Errorf("apply effect to picture: %w", context.Cause(ctx))
	}
	return nil
}

// sceneOf returns a scene of a finished picture. Its palette follows the light of the picture.
func sceneOf(ctx context.Context, img *image.RGBA, effect Effect) *scene {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	c := newCanvas(ctx, w, h, effect.Seed)
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
	s := &scene{canvas: c, sceneSpec: spec, pal: p, horizon: c.height * 0.6, lightSide: 1, strength: effect.Strength}
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
