package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"

	"confab/internal/decodelimit"
)

// What [Decode] refuses.
var (
	ErrFormat = errors.New("not a PNG or JPEG picture")
	ErrPixels = errors.New("picture has too many pixels to show")
)

// Decode decodes a PNG or JPEG of at most maxPixels pixels. The header is judged
// before anything is reserved for the pixels it claims: 62 bytes can claim ten
// gigabytes. A decoder that panics is an error. Decoding takes four to eight bytes
// of memory a pixel; it waits until that is free in the process, or ctx ends. Keep what [Scale] returns.
func Decode(ctx context.Context, b []byte, maxPixels int) (img image.Image, err error) {
	defer func() {
		if p := recover(); p != nil {
			img, err = nil, fmt.Errorf("decode picture: %v", p)
		}
	}()
	header, whole := png.DecodeConfig, png.Decode
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
	case bytes.HasPrefix(b, []byte("\xff\xd8")):
		header, whole = jpeg.DecodeConfig, jpeg.Decode
	default:
		return nil, ErrFormat
	}
	c, err := header(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("read the header of the picture: %w", err)
	}
	if c.Width < 1 || c.Height < 1 || int64(c.Width)*int64(c.Height) > int64(maxPixels) {
		return nil, fmt.Errorf("%w: %d × %d", ErrPixels, c.Width, c.Height)
	}
	release, err := decodelimit.Acquire(ctx, 8*int64(c.Width)*int64(c.Height))
	if err != nil {
		return nil, err
	}
	defer release()
	if img, err = whole(bytes.NewReader(b)); err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	return img, nil
}
