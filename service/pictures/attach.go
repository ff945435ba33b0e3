package pictures

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"path/filepath"

	"golang.org/x/image/draw"

	"confab/internal/decodelimit"
	"confab/service/api"
	"confab/service/problem"
)

// A picture that goes to a text model is scaled to at most attachedSide px on its longer side, and compressed so that
// it takes at most attachedBytes: models look at no more, and requests have limits.
const (
	attachedSide  = 1568
	attachedBytes = 700 << 10
)

// ForModel returns a picture as a text model gets it: a JPEG of bounded size that holds its pixels and nothing else of
// the file, such as the place where it was taken. What is transparent becomes white.
func (f *Files) ForModel(ctx context.Context, path string) ([]byte, error) {
	name := filepath.Base(path)
	b, err := f.Read(ctx, path)
	if err != nil {
		return nil, err
	}
	decoded, err := decodelimit.Decode(ctx, b, api.DefaultLimits().Pixels)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, notAPicture(name, err)
	}
	size := decoded.Bounds().Size()
	scale := min(1, float64(attachedSide)/float64(max(size.X, size.Y)))
	scaled := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(size.X)*scale)), max(1, int(float64(size.Y)*scale))))
	draw.Draw(scaled, scaled.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(scaled, scaled.Rect, decoded, decoded.Bounds(), draw.Over, nil)
	for quality := 88; quality >= 28; quality -= 20 {
		var out bytes.Buffer
		if err := jpeg.Encode(&out, scaled, &jpeg.Options{Quality: quality}); err != nil {
			return nil, notAPicture(name, fmt.Errorf("encode: %w", err))
		}
		if out.Len() <= attachedBytes {
			return out.Bytes(), nil
		}
	}
	return nil, problem.New(api.CodeTooLarge, nil, "the picture %s is too large to be looked at; scale it down", name)
}
