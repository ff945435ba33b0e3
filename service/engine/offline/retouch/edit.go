// Package retouch edits pictures for the offline engine. It finds the operations of an instruction and applies them,
// or lists the known operations. [Describe] describes a picture.
package retouch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"confab/internal/pixels"
	"confab/service/engine"
)

const (
	maxSource = 40_000_000 // pixels of a source; a larger one is refused
	maxResult = 4_000_000  // pixels of a result; a larger source is scaled down
)

// picture is the picture being edited.
type picture struct {
	ctx  context.Context
	img  *image.RGBA // opaque, its corner at 0, 0
	seed uint64
	err  error // of the last effect
}

// Edit edits a PNG or JPEG and returns a PNG of the size of the source, at most four megapixels. An unknown
// instruction is an [engine.Error] of status 422 that lists the known ones.
func Edit(ctx context.Context, instruction string, source []byte, seed uint64) ([]byte, error) {
	plan, err := parse(instruction)
	if err != nil {
		return nil, err
	}
	img, err := decodeSource(ctx, source)
	if err != nil {
		return nil, err
	}
	p := &picture{ctx: ctx, img: img, seed: seed}
	for _, step := range plan {
		p.apply(step)
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("edit picture: %w", err)
		}
		if p.err != nil {
			return nil, p.err
		}
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, p.img); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

// decodeSource decodes a source, makes transparent parts white and scales it down to the maximum size of a result.
func decodeSource(ctx context.Context, b []byte) (*image.RGBA, error) {
	bad := func(message string, err error) error {
		return &engine.Error{Status: 422, Code: "bad_image", Message: message, Err: err}
	}
	src, err := pixels.Decode(ctx, b, maxSource)
	switch {
	case errors.Is(err, pixels.ErrFormat):
		return nil, bad("The source is not a PNG or JPEG picture.", err)
	case errors.Is(err, pixels.ErrPixels):
		return nil, &engine.Error{Status: 422, Code: "too_large",
			Message: "The source picture has more than 40 megapixels."}
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, bad("The source picture is damaged.", err)
	}
	size := src.Bounds().Size()
	w, h := fit(size.X, size.Y)
	out := pixels.Scale(src, w, h)
	pixels.Flatten(out, color.RGBA{255, 255, 255, 255})
	return out, nil
}

// fit returns the greatest size of a result with the same ratio.
func fit(w, h int) (int, int) {
	k := min(1, math.Sqrt(maxResult/(float64(w)*float64(h))))
	return max(1, int(float64(w)*k)), max(1, int(float64(h)*k))
}
