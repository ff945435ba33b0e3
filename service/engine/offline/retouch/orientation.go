package retouch

import (
	"bytes"
	"encoding/binary"
	"image"

	"github.com/anthonynsimon/bild/transform"
)

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
