// Package pixels decodes pictures upright, scales them, and bounds the memory of all decoding in the process.
package pixels

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
	"golang.org/x/sync/semaphore"
)

// Bytes is the total memory for decoding: that of the largest supported picture, 40 megapixels of 5 bytes. Small
// pictures are decoded in parallel, a large one alone.
const Bytes = 200_000_000

// The limits of the process, safe for concurrent use. Drawing has its own, because a picture is decoded while it is
// drawn.
var memory, drawing = semaphore.NewWeighted(Bytes), semaphore.NewWeighted(Bytes)

// Acquire waits until so many bytes are available and returns a function that releases them. A request above the
// limit waits for all of it. The error is the cause of the end of ctx.
func Acquire(ctx context.Context, bytes int64) (release func(), err error) {
	return acquire(ctx, memory, bytes)
}

// AcquireDrawing is [Acquire] for scaling and encoding a decoded picture for a terminal.
func AcquireDrawing(ctx context.Context, bytes int64) (release func(), err error) {
	return acquire(ctx, drawing, bytes)
}

func acquire(ctx context.Context, from *semaphore.Weighted, bytes int64) (release func(), err error) {
	bytes = min(max(bytes, 1), Bytes)
	if err := from.Acquire(ctx, bytes); err != nil {
		return nil, context.Cause(ctx)
	}
	return func() { from.Release(bytes) }, nil
}

var (
	ErrFormat = errors.New("not a PNG, JPEG, GIF or WebP picture")
	ErrPixels = errors.New("picture has too many pixels to show")
)

// Decode decodes a PNG, JPEG, GIF (its first frame) or WebP of at most maxPixels pixels and rotates it by its EXIF
// data. It checks the header before it allocates memory: 62 bytes can claim ten gigabytes. A panic of a decoder
// becomes an error. Decoding takes four to eight bytes per pixel, for which it waits until ctx ends.
func Decode(ctx context.Context, b []byte, maxPixels int) (img image.Image, err error) {
	defer func() {
		if p := recover(); p != nil {
			img, err = nil, fmt.Errorf("decode picture: %v", p)
		}
	}()
	return decodeAs(ctx, formatOf(b), b, maxPixels)
}

// format decodes the header of a picture, and a whole one.
type format struct {
	header func(io.Reader) (image.Config, error)
	whole  func(io.Reader) (image.Image, error)
}

// formatOf returns the format of a picture, nil if unknown.
func formatOf(b []byte) *format {
	switch {
	case bytes.HasPrefix(b, []byte(pngSignature)):
		return &format{png.DecodeConfig, png.Decode}
	case bytes.HasPrefix(b, []byte(jpegSignature)):
		return &format{jpeg.DecodeConfig, jpeg.Decode}
	case isGIF(b):
		return &format{gif.DecodeConfig, gif.Decode}
	case isWebP(b):
		return &format{webp.DecodeConfig, webp.Decode}
	}
	return nil
}

// decodeAs is [Decode] for a format.
func decodeAs(ctx context.Context, f *format, b []byte, maxPixels int) (image.Image, error) {
	if f == nil {
		return nil, ErrFormat
	}
	c, err := f.header(bytes.NewReader(b))
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
	img, err := f.whole(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	return turned(img, readOrientation(b)), nil
}

// Size returns the width and height of a picture in px, rotated by its EXIF data.
func Size(b []byte) (image.Point, error) {
	f := formatOf(b)
	if f == nil {
		return image.Point{}, ErrFormat
	}
	c, err := f.header(bytes.NewReader(b))
	if err != nil {
		return image.Point{}, fmt.Errorf("read the header of the picture: %w", err)
	}
	if IsOnItsSide(b) {
		return image.Pt(c.Height, c.Width), nil
	}
	return image.Pt(c.Width, c.Height), nil
}
