package retouch

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // sources
	"image/png"

	"golang.org/x/image/draw"

	"confab/service/engine"
)

const (
	maxSource = 40_000_000 // px that are decoded
	maxResult = 4_000_000  // px that are worked on; a larger source is scaled down
)

// Order is one edit.
type Order struct {
	Instruction string
	Source      []byte // PNG or JPEG
	Lite        bool   // quicker and coarser
	Seed        uint64
}

// sheet is the picture being edited.
type sheet struct {
	ctx  context.Context
	img  *image.RGBA // opaque, its corner at 0, 0
	lite bool
	seed uint64
}

// Edit returns the edited picture as PNG, of the size of the source but at
// most four megapixels. An instruction that it cannot carry out is an
// [engine.Error] of status 422 that names what it can.
func Edit(ctx context.Context, o Order) ([]byte, error) {
	plan, err := parse(o.Instruction)
	if err != nil {
		return nil, err
	}
	img, err := open(o.Source)
	if err != nil {
		return nil, err
	}
	s := &sheet{ctx: ctx, img: img, lite: o.Lite, seed: o.Seed}
	for _, step := range plan {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("edit picture: %w", context.Cause(ctx))
		}
		if err := step.do(s); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("edit picture: %w", context.Cause(ctx))
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, s.img); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

// open decodes a source, turns it upright, lays it on white and scales it down
// to a bearable size.
func open(b []byte) (*image.RGBA, error) {
	bad := func(message string, err error) error {
		return &engine.Error{Status: 422, Code: "bad_image", Message: message, Err: err}
	}
	head, format, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil || format != "png" && format != "jpeg" {
		return nil, bad("The source is not a PNG or JPEG picture.", err)
	}
	if head.Width <= 0 || head.Height <= 0 || head.Width > maxSource/head.Height {
		return nil, &engine.Error{Status: 422, Code: "too_large", Message: "The source picture has more than 40 megapixels."}
	}
	src, _, err := image.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, bad("The source picture is damaged.", err)
	}
	w, h := fit(head.Width, head.Height)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(out, out.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	if w == head.Width {
		draw.Draw(out, out.Rect, src, src.Bounds().Min, draw.Over)
	} else {
		draw.CatmullRom.Scale(out, out.Rect, src, src.Bounds(), draw.Over, nil)
	}
	return upright(out, orientation(b)), nil
}

// fit is the size within maxResult of the same shape.
func fit(w, h int) (int, int) {
	if w*h <= maxResult {
		return w, h
	}
	k := 1.0
	for float64(w)*k*float64(h)*k > maxResult {
		k *= 0.99
	}
	return max(1, int(float64(w)*k)), max(1, int(float64(h)*k))
}
