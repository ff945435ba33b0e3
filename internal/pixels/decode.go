// Package pixels decodes pictures upright, scales them, and bounds the memory that decoding takes over everything that
// the process does at a time: answers that are judged, edits, previews on all screens.
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

// Bytes is what all decoding together may take: as much as the largest picture that is decoded at all, 40 megapixels of
// 5 bytes each. Small pictures are decoded side by side, a large one alone.
const Bytes = 200_000_000

// The limits of the process, which are safe for concurrent use. Drawing has one of its own, because a picture that is
// drawn is decoded meanwhile.
var memory, drawing = semaphore.NewWeighted(Bytes), semaphore.NewWeighted(Bytes)

// Acquire waits until so many bytes may be used and returns how to give them back. What takes more than there is waits
// until it is alone. The error is why ctx ended.
func Acquire(ctx context.Context, bytes int64) (release func(), err error) {
	return acquire(ctx, memory, bytes)
}

// AcquireDrawing is [Acquire] for scaling and encoding a picture for a terminal, which is decoded after that.
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

// What [Decode] refuses.
var (
	ErrFormat = errors.New("not a PNG, JPEG, GIF or WebP picture")
	ErrPixels = errors.New("picture has too many pixels to show")
)

// Decode decodes a PNG, JPEG, GIF or WebP of at most maxPixels pixels, of an animated GIF the first picture, and turns
// it as its EXIF data says. The header is checked before memory is allocated for the pixels it claims: 62 bytes can
// claim ten gigabytes. A panic of a decoder becomes an error. Decoding takes four to eight bytes of memory a pixel; it
// waits until the process may use them, or ctx ends.
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

// formatOf returns the format of a picture, nil for other bytes.
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

// Size returns the width and height of such a picture in px, turned as its EXIF data says.
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
