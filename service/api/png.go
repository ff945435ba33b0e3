package api

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// maxDeflate is the most that deflate can shrink anything, 1032 to 1.
const maxDeflate = 1032

var errCut = errors.New("it ends too early")

// walkPNG reads the header of a PNG, then goes through its chunks, and checks their sums and that the end is there,
// without touching a pixel. What the header said is returned with an error too. each, unless it is nil, is given every
// chunk, from its length to its sum, and what follows the last as "".
func walkPNG(b []byte, each func(kind string, whole []byte)) (shape, error) {
	s := shape{ImageFacts: ImageFacts{ContentType: "image/png"}}
	rest := b[min(len(b), len(pngSignature)):]
	var raw, data float64 // bytes of pixels, and what holds them
	var header []byte
	isTransparent := false
	for first := true; ; first = false {
		kind, whole, err := pngChunk(rest)
		if err != nil {
			return s, err
		}
		body := whole[8 : len(whole)-4]
		if first {
			if kind != "IHDR" || len(body) != 13 {
				return s, errors.New("no header")
			}
			if raw, err = s.header(body); err != nil {
				return s, err
			}
			header = body
			s.fits = raw <= maxDeflate*float64(len(b))
		}
		if each != nil {
			each(kind, whole)
		}
		rest = rest[len(whole):]
		if crc32.ChecksumIEEE(whole[4:len(whole)-4]) != binary.BigEndian.Uint32(whole[len(whole)-4:]) {
			return s, fmt.Errorf("wrong checksum in %q", kind)
		}
		switch kind {
		case "IDAT":
			data += float64(len(body))
		case "tRNS":
			isTransparent = true
		case "IEND":
			s.fits = raw <= maxDeflate*data
			s.cost = s.decoded(header, isTransparent)
			if each != nil && len(rest) > 0 {
				each("", rest)
			}
			return s, nil
		}
	}
}

// pngChunk returns the chunk at the beginning of b.
func pngChunk(b []byte) (kind string, whole []byte, err error) {
	if len(b) < 12 {
		return "", nil, errCut
	}
	n := uint64(binary.BigEndian.Uint32(b))
	if n+12 > uint64(len(b)) {
		return "", nil, errCut
	}
	return string(b[4:8]), b[:n+12], nil
}

// header reads IHDR and returns the bytes of all rows before compression.
func (s *shape) header(b []byte) (raw float64, err error) {
	w, h := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	if w > 1<<31-1 || h > 1<<31-1 {
		return 0, errors.New("impossible size")
	}
	s.Width, s.Height = int(w), int(h)
	depth, color := int64(b[8]), b[9]
	channels, ok := map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
	if !ok || depth < 1 || depth > 16 {
		return 0, errors.New("impossible colors")
	}
	return float64(h) * (1 + float64((int64(w)*channels*depth+7)/8)), nil
}

// decoded returns the bytes that decoding takes; isTransparent tells that a color is marked as transparent, which makes
// a grey picture one of four channels.
func (s *shape) decoded(header []byte, isTransparent bool) int64 {
	pixels := int64(s.Width) * int64(s.Height)
	if pixels > 1<<40 {
		return 1 << 62
	}
	channel := int64(1)
	if header[8] == 16 {
		channel = 2
	}
	cost := 4 * channel * pixels
	if grey := header[9] == 0 && !isTransparent; grey || header[9] == 3 {
		cost = channel * pixels
	}
	if header[12] != 0 {
		cost += cost / 2 // interlaced: the last pass is half of it, decoded apart
	}
	return cost
}
