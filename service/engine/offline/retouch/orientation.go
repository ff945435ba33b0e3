package retouch

import (
	"encoding/binary"
	"image"

	"github.com/anthonynsimon/bild/transform"
)

// readOrientation reads from the EXIF segment of a JPEG how the camera was held, from 1 to 8; 1 is upright and also
// stands for files that do not say. Viewers honour the orientation, decoders ignore it.
func readOrientation(b []byte) int {
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

// exifOrientation reads the tag 0x0112 of the first directory.
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
