// Package decodelimit decodes pictures, and bounds the memory that they take meanwhile, over everything that the
// process does at a time: answers that are judged, edits, previews on all screens.
package decodelimit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/sync/semaphore"
)

// Bytes is what all decoding together may take: as much as the largest picture that is decoded at all, 40 megapixels of
// 5 bytes each. Small pictures are decoded side by side, a large one alone.
const Bytes = 200_000_000

// memory is the one limit of the process. It is safe for concurrent use.
var memory = semaphore.NewWeighted(Bytes)

// Acquire waits until so many bytes may be used and returns how to give them back. What takes more than there is waits
// until it is alone. The error is why ctx ended.
func Acquire(ctx context.Context, bytes int64) (release func(), err error) {
	bytes = min(max(bytes, 1), Bytes)
	if err := memory.Acquire(ctx, bytes); err != nil {
		return nil, context.Cause(ctx)
	}
	return func() { memory.Release(bytes) }, nil
}

// What [Decode] refuses.
var (
	ErrFormat = errors.New("not a PNG or JPEG picture")
	ErrPixels = errors.New("picture has too many pixels to show")
)

// Decode decodes a PNG or JPEG of at most maxPixels pixels. The header is checked before memory is allocated for the
// pixels it claims: 62 bytes can claim ten gigabytes. A panic of a decoder becomes an error. Decoding takes four to
// eight bytes of memory a pixel; it waits until the process may use them, or ctx ends.
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
	release, err := Acquire(ctx, 8*int64(c.Width)*int64(c.Height))
	if err != nil {
		return nil, err
	}
	defer release()
	if img, err = whole(bytes.NewReader(b)); err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	return img, nil
}
