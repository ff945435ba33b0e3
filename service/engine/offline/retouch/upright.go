package retouch

import (
	"encoding/binary"
	"image"

	"github.com/anthonynsimon/bild/transform"
)

// orientation reads how a camera was held from the EXIF part of a JPEG: 1 to
// 8, and 1 where nothing is said. Decoders ignore it, viewers do not.
func orientation(b []byte) int {
	if len(b) < 4 || b[0] != 0xff || b[1] != 0xd8 {
		return 1
	}
	for at := 2; at+4 <= len(b) && b[at] == 0xff; {
		marker, size := b[at+1], int(binary.BigEndian.Uint16(b[at+2:]))
		end := at + 2 + size
		if marker == 0xda || size < 2 || end > len(b) {
			return 1
		}
		if part := b[at+4 : end]; marker == 0xe1 && len(part) > 14 && string(part[:6]) == "Exif\x00\x00" {
			return exifOrientation(part[6:])
		}
		at = end
	}
	return 1
}

// exifOrientation looks for tag 0x0112 in the first directory.
func exifOrientation(t []byte) int {
	var order binary.ByteOrder
	switch string(t[:2]) {
	case "II":
		order = binary.LittleEndian
	case "MM":
		order = binary.BigEndian
	default:
		return 1
	}
	dir := int(order.Uint32(t[4:]))
	if dir < 8 || dir+2 > len(t) {
		return 1
	}
	n := int(order.Uint16(t[dir:]))
	for i := range n {
		at := dir + 2 + 12*i
		if at+12 > len(t) {
			return 1
		}
		if order.Uint16(t[at:]) == 0x0112 {
			if v := int(order.Uint16(t[at+8:])); v >= 1 && v <= 8 {
				return v
			}
			return 1
		}
	}
	return 1
}

// upright turns and mirrors a picture as its orientation says.
func upright(img *image.RGBA, orientation int) *image.RGBA {
	switch orientation {
	case 2:
		return transform.FlipH(img)
	case 3:
		return turn(img, 2)
	case 4:
		return transform.FlipV(img)
	case 5:
		return transform.FlipH(turn(img, 1))
	case 6:
		return turn(img, 1)
	case 7:
		return transform.FlipH(turn(img, 3))
	case 8:
		return turn(img, 3)
	}
	return img
}

// turn rotates by quarters clockwise, px by px.
func turn(img *image.RGBA, quarters int) *image.RGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	quarters &= 3
	if quarters == 0 {
		return img
	}
	ow, oh := w, h
	if quarters&1 == 1 {
		ow, oh = h, w
	}
	out := image.NewRGBA(image.Rect(0, 0, ow, oh))
	for y := range h {
		for x := range w {
			nx, ny := h-1-y, x
			switch quarters {
			case 2:
				nx, ny = w-1-x, h-1-y
			case 3:
				nx, ny = y, w-1-x
			}
			copy(out.Pix[ny*out.Stride+nx*4:ny*out.Stride+nx*4+4], img.Pix[y*img.Stride+x*4:y*img.Stride+x*4+4])
		}
	}
	return out
}
