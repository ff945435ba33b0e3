// Package retouch edits pictures for the offline engine. It finds the operations that an instruction names and carries
// them out on the source, or says which operations it knows. [Describe] tells what a picture looks like.
package retouch

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/anthonynsimon/bild/transform"
	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"

	"confab/internal/decodelimit"
	"confab/service/engine"
)

const (
	maxSource = 40_000_000 // pixels of a source; a larger one is refused
	maxResult = 4_000_000  // pixels of a result; a larger source is scaled down

	stripHeight = 32 // rows of the result that are scaled at a time
)

// picture is the picture that is edited.
type picture struct {
	ctx  context.Context
	img  *image.RGBA // opaque, its corner at 0, 0
	seed uint64
	err  error // of the last effect
}

// Edit returns a PNG or JPEG edited as PNG, of the size of the source but at
// most four megapixels. An instruction that it cannot carry out is an
// [engine.Error] of status 422 that names what it can.
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

// decodeSource decodes a source, turns it upright, replaces transparency by white and scales it down to the size of a
// result.
func decodeSource(ctx context.Context, b []byte) (*image.RGBA, error) {
	bad := func(message string, err error) error {
		return &engine.Error{Status: 422, Code: "bad_image", Message: message, Err: err}
	}
	src, err := decodelimit.Decode(ctx, b, maxSource)
	switch {
	case errors.Is(err, decodelimit.ErrFormat):
		return nil, bad("The source is not a PNG or JPEG picture.", err)
	case errors.Is(err, decodelimit.ErrPixels):
		return nil, &engine.Error{Status: 422, Code: "too_large",
			Message: "The source picture has more than 40 megapixels."}
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, bad("The source picture is damaged.", err)
	}
	size := src.Bounds().Size()
	w, h := fit(size.X, size.Y)
	out := filled(image.Rect(0, 0, w, h), color.White)
	if w == size.X {
		draw.Draw(out, out.Rect, src, src.Bounds().Min, draw.Over)
	} else {
		shrink(out, src)
	}
	return turnUpright(out, readOrientation(b)), nil
}

// shrink scales src down to out. A kernel needs 32 bytes for each pixel of a picture as wide as the result
// and as high as the source, 400 MB for 40 megapixels. Therefore it scales in strips, each from a copy of the rows of
// src that the kernel reaches.
func shrink(out *image.RGBA, src image.Image) {
	from, to := src.Bounds(), out.Bounds()
	x, y := float64(to.Dx())/float64(from.Dx()), float64(to.Dy())/float64(from.Dy())
	matrix := f64.Aff3{x, 0, -x * float64(from.Min.X), 0, y, -y * float64(from.Min.Y)}
	margin := int(draw.BiLinear.Support/y) + 2
	for top := 0; top < to.Dy(); top += stripHeight {
		bottom := min(top+stripHeight, to.Dy())
		first, last := from.Min.Y+int(float64(top)/y)-margin, from.Min.Y+int(float64(bottom)/y)+margin
		rows := image.Rect(from.Min.X, first, from.Max.X, last).Intersect(from)
		strip := image.NewRGBA(rows)
		draw.Draw(strip, rows, src, rows.Min, draw.Src)
		part := out.SubImage(image.Rect(0, top, to.Dx(), bottom)).(*image.RGBA)
		draw.BiLinear.Transform(part, matrix, strip, rows, draw.Over, nil)
	}
}

// fit returns the greatest size of the same shape that a result may have.
func fit(w, h int) (int, int) {
	k := min(1, math.Sqrt(maxResult/(float64(w)*float64(h))))
	return max(1, int(float64(w)*k)), max(1, int(float64(h)*k))
}

// readOrientation reads from the EXIF segment of a JPEG how the camera was held, from 1 to 8; 1 is upright and also
// stands for files that do not say. Viewers honour the orientation, decoders ignore it.
func readOrientation(b []byte) int {
	_, tiff, found := bytes.Cut(b[:min(len(b), 64<<10)], []byte("Exif\x00\x00"))
	if !found || !bytes.HasPrefix(b, []byte("\xff\xd8")) || len(tiff) < 8 {
		return 1
	}
	order := binary.ByteOrder(binary.BigEndian)
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	start := int64(order.Uint32(tiff[4:])) // of the first directory
	if start+2 > int64(len(tiff)) {
		return 1
	}
	entries := tiff[start+2:]
	for range order.Uint16(tiff[start:]) {
		if len(entries) < 12 {
			break
		}
		if v := order.Uint16(entries[8:]); order.Uint16(entries) == 0x0112 && v >= 1 && v <= 8 {
			return int(v)
		}
		entries = entries[12:]
	}
	return 1
}

// turnUpright turns and mirrors a picture as its orientation says.
func turnUpright(img *image.RGBA, orientation int) *image.RGBA {
	degrees := map[int]float64{3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270}[orientation]
	if degrees != 0 {
		img = rotated(img, degrees)
	}
	switch orientation {
	case 2, 4, 5, 7:
		return transform.FlipH(img)
	}
	return img
}
