package paint

import (
	"context"
	"fmt"
	"strings"

	"confab/service/engine"
)

// megapixel is about how many px a picture has.
const megapixel = 1 << 20

// Order is one picture to draw.
type Order struct {
	Model  string  // decides the manner
	Prompt string  // what is to be seen
	W, H   float64 // the ratio
	Seed   uint64  // decides the composition
	Pixels int     // about how many; 0 is a megapixel
}

// Draw returns the encoded picture and its content type: a flat manner as PNG,
// a painterly one as JPEG. It stops soon after ctx ends and then returns why.
func Draw(ctx context.Context, o Order) ([]byte, string, error) {
	if o.Pixels <= 0 {
		o.Pixels = megapixel
	}
	w, h := engine.AspectSize(o.W, o.H, o.Pixels)
	c := newCanvas(ctx, w, h, o.Seed)
	b := read(o.Prompt)
	flat := strings.HasPrefix(o.Model, "sim") || b.style == "poster"
	s := newScene(c, b, flat)
	s.compose()
	if s.stopped() {
		return nil, "", fmt.Errorf("draw picture: %w", context.Cause(ctx))
	}
	s.finish()
	s.write()
	if s.stopped() {
		return nil, "", fmt.Errorf("draw picture: %w", context.Cause(ctx))
	}
	return s.encode(strings.HasPrefix(o.Model, "sim"))
}
