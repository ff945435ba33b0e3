package pixels

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
)

// IsConvertible reports whether b is a picture for [Convert].
func IsConvertible(b []byte) bool { return isGIF(b) || isWebP(b) }

// Convert converts a GIF or WebP of at most maxPixels pixels to an upright PNG. Of an animated GIF it takes the first
// frame.
func Convert(ctx context.Context, b []byte, maxPixels int) ([]byte, error) {
	img, err := Decode(ctx, b, maxPixels)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, img); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

func isGIF(b []byte) bool {
	return bytes.HasPrefix(b, []byte("GIF87a")) || bytes.HasPrefix(b, []byte("GIF89a"))
}

func isWebP(b []byte) bool {
	return len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP"
}
