package pixels

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/draw"
	"iter"
)

const (
	pngSignature  = "\x89PNG\r\n\x1a\n"
	jpegSignature = "\xff\xd8"
)

// IsOnItsSide reports whether the EXIF data of a picture rotates it by 90 degrees, which exchanges width and height.
func IsOnItsSide(b []byte) bool { return readOrientation(b) >= 5 }

// readOrientation returns the EXIF orientation of a picture from 1 to 8; 1 means upright or absent. Viewers apply it,
// decoders ignore it.
func readOrientation(b []byte) int {
	tiff := bytes.TrimPrefix(exifData(b), []byte("Exif\x00\x00"))
	if len(tiff) < 8 {
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

// exifData returns the EXIF data of a PNG, JPEG or WebP, nil for none.
func exifData(b []byte) []byte {
	switch {
	case bytes.HasPrefix(b, []byte(pngSignature)):
		for kind, body := range Chunks(b) {
			if kind == "eXIf" {
				return body
			}
		}
	case bytes.HasPrefix(b, []byte(jpegSignature)):
		// EXIF data precedes the pixels, which begin with marker DA.
		for rest := b[2:]; len(rest) >= 4 && rest[0] == 0xff && rest[1] != 0xda; {
			n := int(binary.BigEndian.Uint16(rest[2:]))
			if n < 2 || n+2 > len(rest) {
				return nil
			}
			if body := rest[4 : n+2]; rest[1] == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
				return body
			}
			rest = rest[n+2:]
		}
	case isWebP(b):
		for rest := b[12:]; len(rest) >= 8; {
			n := int64(binary.LittleEndian.Uint32(rest[4:]))
			if n+8 > int64(len(rest)) {
				return nil
			}
			if string(rest[:4]) == "EXIF" {
				return rest[8 : 8+n]
			}
			rest = rest[min(n+8+n%2, int64(len(rest))):]
		}
	}
	return nil
}

// Chunks yields the chunks of a PNG until one is incomplete or has a wrong checksum.
func Chunks(b []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for rest := b[min(len(b), len(pngSignature)):]; len(rest) >= 12; {
			n := int64(binary.BigEndian.Uint32(rest))
			if n+12 > int64(len(rest)) || crc32.ChecksumIEEE(rest[4:8+n]) != binary.BigEndian.Uint32(rest[8+n:]) ||
				!yield(string(rest[4:8]), rest[8:8+n]) {
				return
			}
			rest = rest[n+12:]
		}
	}
}

// turned rotates and mirrors a picture by its orientation. It returns an upright one unchanged.
func turned(img image.Image, orientation int) image.Image {
	if orientation < 2 || orientation > 8 {
		return img
	}
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if orientation >= 5 {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	// The target of the first source pixel, and the offsets of its right and lower neighbours.
	right, down := image.Pt(1, 0), image.Pt(0, 1)
	switch orientation {
	case 2:
		right.X = -1
	case 3:
		right.X, down.Y = -1, -1
	case 4:
		down.Y = -1
	case 5:
		right, down = image.Pt(0, 1), image.Pt(1, 0)
	case 6:
		right, down = image.Pt(0, 1), image.Pt(-1, 0)
	case 7:
		right, down = image.Pt(0, -1), image.Pt(-1, 0)
	case 8:
		right, down = image.Pt(0, -1), image.Pt(1, 0)
	}
	first := image.Pt(0, 0)
	if right.X < 0 || down.X < 0 {
		first.X = out.Rect.Dx() - 1
	}
	if right.Y < 0 || down.Y < 0 {
		first.Y = out.Rect.Dy() - 1
	}
	row := image.NewRGBA(image.Rect(0, 0, w, 1))
	for y := range h {
		draw.Draw(row, row.Rect, img, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		at, step := first.Add(down.Mul(y)), 4*right.X+out.Stride*right.Y
		for x, to := 0, out.PixOffset(at.X, at.Y); x < 4*w; x, to = x+4, to+step {
			copy(out.Pix[to:to+4], row.Pix[x:x+4])
		}
	}
	return out
}
