package testserver

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// PNG returns a small picture of the given size in px.
func PNG(w, h int) []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, gradient(w, h))
	return b.Bytes()
}

// JPEG returns a small picture of the given size in px.
func JPEG(w, h int) []byte {
	var b bytes.Buffer
	_ = jpeg.Encode(&b, gradient(w, h), nil)
	return b.Bytes()
}

func gradient(w, h int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetNRGBA(x, y, color.NRGBA{R: uint8(x * 7), G: uint8(y * 11), B: uint8(x ^ y), A: 255})
		}
	}
	return m
}

// Notes returns a PNG with a text chunk.
func Notes(name, text string) []byte {
	b := PNG(32, 16)
	const afterHeader = len(pngSignature) + 25
	out := append([]byte{}, b[:afterHeader]...)
	out = append(out, chunk("tEXt", []byte(name+"\x00"+text))...)
	return append(out, b[afterHeader:]...)
}

// chunk returns a chunk of a PNG.
func chunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// ihdr returns the header chunk of a PNG.
func ihdr(w, h uint32, depth, color byte) []byte {
	data := binary.BigEndian.AppendUint32(nil, w)
	data = binary.BigEndian.AppendUint32(data, h)
	return chunk("IHDR", append(data, depth, color, 0, 0, 0))
}

// Bomb returns a PNG of a few bytes whose header claims the given size.
func Bomb(w, h uint32) []byte {
	out := append([]byte(pngSignature), ihdr(w, h, 8, 6)...)
	return append(append(out, chunk("IDAT", []byte("\x78\x9c\x03\x00\x00\x00\x00\x01"))...), chunk("IEND", nil)...)
}

// Giant returns a genuine PNG of the given size: one bit for each px, all of
// one colour, so that it is small.
func Giant(w, h uint32) []byte {
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	row := make([]byte, 1+(w+7)/8)
	for range h {
		_, _ = z.Write(row)
	}
	_ = z.Close()
	out := append([]byte(pngSignature), ihdr(w, h, 1, 0)...)
	return append(append(out, chunk("IDAT", data.Bytes())...), chunk("IEND", nil)...)
}

// jpegBomb returns a JPEG of a few bytes whose header claims 65535×65535 px.
func jpegBomb() []byte {
	b := JPEG(8, 8)
	at := bytes.Index(b, []byte{0xff, 0xc0})
	copy(b[at+5:], "\xff\xff\xff\xff")
	return b
}

// pictures are bodies for the picture endpoints, with the type they claim.
func pictures() map[string][2]string {
	plain, photo := PNG(32, 16), JPEG(32, 16)
	badSum := bytes.Clone(plain)
	badSum[len(badSum)-14] ^= 0xff // the last byte before IEND: IDAT's sum
	var moving bytes.Buffer
	_ = gif.Encode(&moving, gradient(8, 8), nil)
	all := map[string][2]string{
		"jpeg":             {"image/jpeg", string(photo)},
		"jpeg-as-png":      {"image/png", string(photo)},
		"png-as-jpeg":      {"image/jpeg", string(plain)},
		"png-as-octet":     {"application/octet-stream", string(plain)},
		"png-as-html":      {"text/html", string(plain)},
		"png-no-type":      {"", string(plain)},
		"png-trailing":     {"image/png", string(plain) + "more after the end"},
		"truncate-png":     {"image/png", string(plain[:len(plain)/2])},
		"truncate-jpeg":    {"image/jpeg", string(photo[:len(photo)*3/4])},
		"png-no-iend":      {"image/png", string(plain[:len(plain)-12])},
		"png-bad-crc":      {"image/png", string(badSum)},
		"png-signature":    {"image/png", pngSignature},
		"png-zero":         {"image/png", string(Bomb(0, 0))},
		"png-bomb-header":  {"image/png", string(Bomb(50000, 50000))},
		"png-bomb-wide":    {"image/png", string(Bomb(1<<31-1, 1))},
		"png-bomb-panic":   {"image/png", string(Bomb(1<<30, 1<<29))},
		"png-bomb-modest":  {"image/png", string(Bomb(6000, 6000))},
		"jpeg-bomb-header": {"image/jpeg", string(jpegBomb())},
		"image-empty":      {"image/png", ""},
		"image-text":       {"image/png", "not a picture"},
		"image-noise":      {"image/png", "\x00\x01\x02\xff\xfe\x80"},
		"gif":              {"image/png", moving.String()},
		"webp":             {"image/webp", "RIFF\x24\x00\x00\x00WEBPVP8 \x18\x00\x00\x00"},
		"svg": {"image/svg+xml",
			`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`},
		"avif":             {"image/avif", "\x00\x00\x00\x20ftypavif\x00\x00\x00\x00"},
		"image-in-json":    {"application/json", `{"status":400,"error":{"message":"no such style"}}`},
		"image-url-json":   {"application/json", `{"status":200,"data":{"url":"http://pictures.example/1.png"}}`},
		"image-other-json": {"application/json", `{"status":200}`},
	}
	return all
}
