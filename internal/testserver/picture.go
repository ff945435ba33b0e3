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

// notes returns a PNG with a text chunk.
func notes(name, text string) string {
	b := string(PNG(32, 16))
	const afterHeader = len(pngSignature) + 25
	return b[:afterHeader] + string(chunk("tEXt", []byte(name+"\x00"+text))) + b[afterHeader:]
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

// Bomb returns a PNG of a few bytes whose header declares the given size.
func Bomb(w, h uint32) []byte {
	out := append([]byte(pngSignature), ihdr(w, h, 8, 6)...)
	return append(append(out, chunk("IDAT", []byte("\x78\x9c\x03\x00\x00\x00\x00\x01"))...), chunk("IEND", nil)...)
}

// Giant returns a valid, small PNG of the given size: one bit per px, all of one color.
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

// jpegBomb returns a JPEG of a few bytes whose header declares 65535×65535 px.
func jpegBomb() string {
	b := JPEG(8, 8)
	at := bytes.Index(b, []byte{0xff, 0xc0})
	copy(b[at+5:], "\xff\xff\xff\xff")
	return string(b)
}

func gifPicture() string {
	var b bytes.Buffer
	_ = gif.Encode(&b, gradient(8, 8), nil)
	return b.String()
}
