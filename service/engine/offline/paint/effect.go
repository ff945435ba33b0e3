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
	s := sceneOf(ctx, img, effect.Seed)
	switch effect.Name {
	case "oil", "watercolour", "ink", "pencil":
		s.repaint(effect.Name)
	case "grain":
		s.grain(0.08 * effect.Strength)
	case "vignette":
		s.vignette(0.85 * effect.Strength)
	case "blur":
		for range 3 { // three box blurs are nearly a Gaussian
			s.boxBlur(max(1, int(math.Round(5*effect.Strength*s.unit))))
		}
	case "pixelate":
		s.pixelate(14*max(0.5, effect.Strength), 255)
	case "rain", "snow":
		s.scatter(effect.Name, 1)
	case "fog":
		for i := range 4 {
			s.fogBank(s.height*(0.35+0.16*float64(i)), s.height*0.12, 0.5)
		}
	case "clouds":
		s.horizon = s.height * 0.42
		s.posterClouds()
	case "stars":
		s.stars(420, s.height*0.5, 3)
	case "moon", "sun":
		s.spec.time = map[string]string{"moon": "night", "sun": "day"}[effect.Name]
		s.isSunVisible = true
		s.sunX, s.sunY, s.sunRadius = s.subjectX(0.72), s.height*0.18, s.unit*52
		s.sunOrMoon()
	case "rainbow":
		s.horizon = s.height * 0.75
		s.rainbow()
	default:
		if filters, ok := scenes().Filters[effect.Name]; ok {
			s.filter(filters, effect.Strength)
		} else {
			s.addObject(effect.Name)
		}
	}
	s.copyTo(img)
	if s.isCanceled() {
		return fmt.Errorf("apply effect to picture: %w", context.Cause(ctx))
	}
	return nil
}

// addObject draws an object where it usually stands or flies.
func (s *scene) addObject(name string) {
	switch name {
	case "birds":
		s.flock()
	case "flower":
		s.scatter("large-flowers", 1)
	default:
		v := scenes().Edits[name]
		s.drawObject(object{name: name}, s.subjectX(s.uniform(0.26, 0.40)), s.height*v[0], s.unit*v[1], 0)
	}
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
	p.Haze = sky.mix(mean, 0.4)
	p.Ambient = rgb{1, 1, 1}.mix(mean.scale(1/max(0.1, mean.luma())), 0.35).scale(min(1, 0.45+0.75*mean.luma()))
	s := &scene{canvas: c, spec: spec, pal: p, horizon: c.height * 0.6, lightSide: 1}
	if s.subjectLeft = c.chance(0.5); !s.subjectLeft {
		s.lightSide = -1
	}
	s.sunX, s.sunY, s.sunRadius = s.subjectX(0.75), c.height*0.2, c.unit*50
	return s
}
