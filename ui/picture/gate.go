package picture

import (
	"context"
	"image"
)

// Gate lets one picture be decoded at a time: it takes up to eight bytes of
// memory a pixel, and many screens may run in one process. A nil gate lets
// everybody through.
type Gate struct{ free chan struct{} }

// NewGate returns an open gate.
func NewGate() *Gate { return &Gate{free: make(chan struct{}, 1)} }

// Decode waits for its turn and decodes; see [Decode]. The end of ctx ends the
// wait.
func (g *Gate) Decode(ctx context.Context, b []byte, maxPixels int) (image.Image, error) {
	if g != nil {
		select {
		case g.free <- struct{}{}:
			defer func() { <-g.free }()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return Decode(b, maxPixels)
}
