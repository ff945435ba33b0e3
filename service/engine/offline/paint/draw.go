// Package paint draws the pictures of the offline engine. It reads a scene from the words of a prompt, chooses a
// palette, draws the scene with anti-aliased shapes whose positions come from a seed, and gives the result the surface
// of a style.
package paint

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strings"

	"confab/service/engine"
)

// megapixel is the number of pixels a picture has by default.
const megapixel = 1 << 20

// Request describes one picture to draw.
type Request struct {
	Model  string // models whose name starts with "sim" draw flat posters, others paint
	Prompt string
	W, H   float64 // the aspect ratio
	Seed   uint64  // chooses the composition
	Pixels int     // the approximate number of pixels; 0 is a megapixel
}

// Draw returns the encoded picture and its content type: a flat picture as PNG, a painted one as JPEG. It stops soon
// after ctx has ended and then returns the cause.
func Draw(ctx context.Context, r Request) ([]byte, string, error) {
	if r.Pixels <= 0 {
		r.Pixels = megapixel
	}
	w, h := engine.AspectSize(r.W, r.H, r.Pixels)
	spec := parsePrompt(r.Prompt)
	isPoster := strings.HasPrefix(r.Model, "sim")
	s := newScene(newCanvas(ctx, w, h, r.Seed), spec, isPoster || spec.style == "poster")
	s.drawSteps(scenes().Places[s.place])
	s.drawSteps(scenes().Styles[s.surface()])
	if s.isCanceled() {
		return nil, "", fmt.Errorf("draw picture: %w", context.Cause(ctx))
	}
	var out bytes.Buffer
	img, contentType := image.NewRGBA(image.Rect(0, 0, w, h)), "image/jpeg"
	s.copyTo(img)
	err := s.writeCaption(img)
	if isPoster {
		contentType, err = "image/png", cmp.Or(err, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, img))
	} else {
		err = cmp.Or(err, jpeg.Encode(&out, img, &jpeg.Options{Quality: 92}))
	}
	if err != nil {
		return nil, "", fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), contentType, nil
}

// copyTo writes the scene into img, with random rounding, which keeps gradients from banding.
func (s *scene) copyTo(img *image.RGBA) {
	for y := range s.h {
		for x := range s.w {
			i := y*s.w + x
			rounding := 0.05 + 0.9*hashNoise(i, 1, s.seed) // a colour that is not between two levels stays the same
			b := s.pix[i].bytes(float32(rounding))
			pixel := img.Pix[y*img.Stride+x*4:][:4]
			pixel[0], pixel[1], pixel[2], pixel[3] = b[0], b[1], b[2], 255
		}
	}
}
